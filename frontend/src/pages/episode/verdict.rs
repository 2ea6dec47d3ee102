//! How an episode ended, and whether a replay in this page agrees with what was recorded.

use std::sync::Arc;

use leptos::prelude::*;
use turnwise_shared::replay::Extent;
use turnwise_shared::run::PartKey;
use turnwise_shared::screen::play;
use turnwise_shared::screen::row::language;

use super::load::{Loaded, Part};
use crate::components::icons::Icon;
use crate::strings::episode as words;
use crate::view::address::{Face, Place};
use crate::view::replayed::{Replayed, Seal};
use crate::view::turn::words as spaced;

/// How it ended, with what answer, and whether the replay agrees.
#[component]
pub fn Verdict(
    loaded: Arc<Loaded>,
    play: Arc<Part>,
    place: Memo<Place>,
    move_to: Callback<Place>,
) -> impl IntoView {
    let standing = loaded.standing;
    let lang = language(&play.transcript.header.task.labels);
    let said = play::verdict(
        standing,
        play.timeline.outcome.as_ref(),
        play.timeline.cells.len(),
        lang.as_deref(),
    );
    let flags: Vec<_> = play
        .timeline
        .flags
        .iter()
        .map(|flag| view! { <span class="tag">{spaced(&flag.name)}</span> })
        .collect();
    let common = play.transcript.header.branch.as_ref().map(|of| of.lines);
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
            {seal(replayed, common)}
        </div>
        {drift}
    }
}

/// Whether a replay in this page agrees, as a small seal. A branch has lines in `common` with the play that it goes on from.
pub fn seal(replayed: Signal<Option<Arc<Replayed>>>, common: Option<u64>) -> AnyView {
    (move || {
        replayed.with(|replayed| match replayed {
            Some(replayed) => seal_of(replayed, common),
            None => view! { <span class="seal push">{words::REPLAYING}</span> }.into_any(),
        })
    })
    .into_any()
}

fn seal_of(replayed: &Replayed, common: Option<u64>) -> AnyView {
    let agrees = || {
        let branch = common.map(words::agrees_of_branch).unwrap_or_default();
        (words::AGREES_ABOUT.to_owned(), branch)
    };
    let same = |why: &str| (why.to_owned(), why.to_owned());
    let (class, text, (title, why)) = match &replayed.seal {
        Seal::Agrees {
            lines,
            extent: Extent::Whole,
            to_the_byte,
        } => (
            "seal seal-verified push",
            words::agrees(*lines, *to_the_byte),
            agrees(),
        ),
        Seal::Agrees { lines, .. } => ("seal push", words::agrees_so_far(*lines), agrees()),
        Seal::Drifts(drift) => ("seal push bad", words::drifts(drift.line), same("")),
        Seal::Imported => (
            "seal seal-self push",
            words::IMPORTED.to_owned(),
            same(words::IMPORTED_WHY),
        ),
        Seal::NotReplayed(why) => (
            "seal seal-self push",
            "not replayed here".to_owned(),
            same(why),
        ),
    };
    let why = (!why.is_empty()).then(|| view! { <span class="small soft">{why}</span> });
    view! {
        <span class=class title=title>
            {text}
        </span>
        {why}
    }
    .into_any()
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
