//! What the player never saw, once the reader asks for it: a button above, and the text beside the turns or, on a narrow page,
//! above them.

use super::loaded::Loaded;
use super::opened::{Opened, hidden_blocks};
use super::study::Study;
use crate::prelude::*;
use crate::strings::episode as words;
use crate::view::replayed::hidden_fields;
use crate::view::spec::participants;

/// The button; of a sealed task that it is sealed.
#[component]
pub fn Hidden(loaded: Arc<Loaded>, revealed: RwSignal<bool>) -> impl IntoView {
    let study = loaded.study.clone();
    let play = loaded.play.as_ref().ok();
    let tasks =
        play.map_or_else(String::new, |play| play.transcript.header.spec.tasks.name.clone());
    // In games nothing is hidden from a reader.
    let is_game = play.is_some_and(|play| !participants(&play.transcript.header.spec).is_empty());
    move || {
        study.with(|study| match study {
            Some(study) => Some(hidden(study, &tasks, revealed)),
            // The button is there before it can be pressed, so that what is read below it does not move.
            None => (!is_game).then(|| reveal(revealed, Ready::NotYet)),
        })
    }
}

/// Whether what a button does can be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ready {
    Now,
    NotYet,
}

fn reveal(revealed: RwSignal<bool>, ready: Ready) -> AnyView {
    any_view! {
        <button
            class="btn btn-small"
            type="button"
            disabled=ready == Ready::NotYet
            aria-expanded=move || revealed.get().to_string()
            on:click=move |_| revealed.update(|revealed| *revealed = !*revealed)
        >
            <SmallIcon name="eye"/>
            {move || if revealed.get() { "Hide it again" } else { "Show the hidden text" }}
        </button>
    }
}

fn hidden(study: &Arc<Study>, tasks: &str, revealed: RwSignal<bool>) -> AnyView {
    if study.is_sealed() {
        let task = study.task.clone();
        let opened = task.map(|task| view! { <Opened tasks=tasks.to_owned() task/> });
        return any_view! {
            <div class="note" id="sealed">
                <Icon name="lock"/>
                <p class="note-title">"This task is sealed"</p>
                <p>{words::SEALED_NOTE}</p>
                {opened}
            </div>
        };
    }
    match open_task(study) {
        Some(_) => reveal(revealed, Ready::Now),
        None => ().into_any(),
    }
}

/// The task of an episode, where it hides something that may be shown.
fn open_task(study: &Study) -> Option<&Task> {
    let task = study.task.as_ref().filter(|_| !study.is_sealed())?;
    (!hidden_fields(task).is_empty()).then_some(task)
}

/// The hidden text, as long as it is wanted.
#[component]
pub fn HiddenText(loaded: Arc<Loaded>, revealed: RwSignal<bool>) -> impl IntoView {
    let study = loaded.study.clone();
    move || {
        let study = study.get().filter(|_| revealed.get())?;
        let task = open_task(&study)?;
        let canary = study.canary().map(str::to_owned).map(|canary| {
            view! {
                <p>
                    {words::ENCRYPTED_NOTE} " "
                    <code>{canary}</code>
                </p>
            }
        });
        // Beside the turns it scrolls by itself, so it takes the focus.
        Some(view! {
            <section class="card stack-2" id="hidden" tabindex="0" aria-labelledby="hidden-head">
                <h2 id="hidden-head">"Hidden from the player"</h2>
                <p class="soft">"The player never saw this. It was for the other seats only."</p>
                {canary}
                {hidden_blocks(task)}
            </section>
        })
    }
}
