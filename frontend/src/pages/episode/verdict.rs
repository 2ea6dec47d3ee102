//! How an episode ended, and whether a replay in this page agrees with what was recorded.

use turnwise_shared::replay::Extent;
use turnwise_shared::screen::play;

use super::loaded::{Loaded, ReadTranscript};
use crate::prelude::*;
use crate::strings::episode as words;
use crate::view::face::Face;
use crate::view::replayed::Seal;
use crate::view::turn::words as spaced;

/// How it ended, with what was said and what is right, and whether the replay agrees.
#[component]
pub fn Verdict(
    loaded: Arc<Loaded>,
    play: Arc<ReadTranscript>,
    place: Memo<Place>,
    move_to: Callback<Place>,
) -> impl IntoView {
    let status = loaded.status;
    let lang = language(&play.transcript.header.task.labels);
    let said = {
        let (loaded, play) = (Arc::clone(&loaded), Arc::clone(&play));
        move || {
            play::verdict(
                status,
                play.timeline.outcome.as_ref(),
                play.timeline.cells.len(),
                lang.as_deref(),
                loaded.right().as_deref(),
                loaded.result().as_deref(),
            )
        }
    };
    let flags: Vec<_> = play
        .timeline
        .flags
        .iter()
        .map(|flag| view! { <span class="tag">{spaced(&flag.name)}</span> })
        .collect();
    let replayed = loaded.replayed(PartKey::Play);
    let drift = move || {
        replayed.with(|replayed| match &replayed.as_ref()?.seal {
            Seal::Drifts(drift) => Some(drift_note(drift.to_string(), place, move_to)),
            Seal::Agrees { .. } | Seal::Imported | Seal::NotReplayed(_) => None,
        })
    };
    view! {
        <div class="verdict">
            <span class="verdict-said" inner_html=said></span>
            {flags}
            {move || replayed.with(|replayed| mark_of(replayed.as_deref()))}
        </div>
        {drift}
    }
}

/// Whether a replay in this page agrees, as a small seal.
fn mark_of(replayed: Option<&Replayed>) -> AnyView {
    let Some(replayed) = replayed else {
        return any_view! { <span class="seal push">{words::REPLAYING}</span> };
    };
    let (class, text, title) = match &replayed.seal {
        Seal::Agrees { lines, extent: Extent::Whole, .. } => (
            "seal seal-verified push",
            format!("Replay verified ({})", counted(*lines, "line", "lines")),
            words::AGREES_ABOUT,
        ),
        Seal::Agrees { lines, .. } => (
            "seal push",
            format!("Replay verified so far ({})", counted(*lines, "line", "lines")),
            words::AGREES_ABOUT,
        ),
        Seal::Drifts(drift) => {
            ("seal push bad", format!("Replay differs at line {}", drift.line), "")
        }
        Seal::Imported => ("seal seal-self push", words::IMPORTED.to_owned(), words::IMPORTED_WHY),
        Seal::NotReplayed(why) => {
            ("seal seal-self push", "not replayed here".to_owned(), why.as_str())
        }
    };
    any_view! {
        <span class=class title=title.to_owned()>
            {text}
        </span>
    }
}

/// The seal, and what it means; where that is said already, only what is wrong. A branch has lines in `common` with the episode that
/// it goes on from.
pub fn sealed(
    replayed: Signal<Option<Arc<Replayed>>>,
    common: Option<u64>,
    explains: bool,
) -> AnyView {
    let meaning = move || {
        replayed.with(|replayed| {
            Some(match &replayed.as_ref()?.seal {
                Seal::Agrees { .. } if !explains => return None,
                Seal::Agrees { .. } => {
                    let of_branch = common
                        .map(|common| {
                            format!(
                                "The first {} come from the original.",
                                counted(common, "line", "lines")
                            )
                        })
                        .unwrap_or_default();
                    format!("{} {of_branch}", words::AGREES_ABOUT)
                }
                Seal::Drifts(drift) => drift.to_string(),
                Seal::Imported => words::IMPORTED_WHY.to_owned(),
                Seal::NotReplayed(why) => why.clone(),
            })
        })
    };
    any_view! {
        <p>{move || replayed.with(|replayed| mark_of(replayed.as_deref()))}</p>
        {move || meaning().map(|meaning| view! { <p class="soft read">{meaning}</p> })}
    }
}

fn drift_note(why: String, place: Memo<Place>, move_to: Callback<Place>) -> impl IntoView + use<> {
    view! {
        <div class="note note-bad" role="alert">
            <Icon name="warning"/>
            <p class="note-title">{why}</p>
            <p>{words::DRIFT_MEANS}</p>
            <div class="note-do">
                <button
                    class="btn btn-small"
                    type="button"
                    on:click=move |_| {
                        move_to
                            .run(Place {
                                face: Face::Raw,
                                ..place.get_untracked()
                            })
                    }
                >
                    "Show the line"
                </button>
            </div>
        </div>
    }
}
