//! The grading of an episode.

use turnwise_shared::metrics::episode_status::EpisodeStatus;
use turnwise_shared::transcript::Part as PartKind;

use super::broken::Broken;
use super::loaded::Loaded;
use crate::components::timeline::{Layout, Reader, TimelineView};
use crate::prelude::*;

/// The grading episode, drawn like an episode.
#[component]
pub fn Grading(loaded: Arc<Loaded>, reader: Reader, layout: Layout) -> impl IntoView {
    let is_imported =
        matches!(&loaded.play, Ok(play) if play.transcript.header.origin == Origin::Imported);
    let part = match &loaded.grading {
        None if is_imported => {
            return any_view! { <Section body=any_view! { <p class="soft">"This episode was graded where it was played: its score came with the log, the steps of its grading did not."</p> }/> };
        }
        None => {
            return any_view! { <Section body=any_view! { <p class="soft">{why_none(loaded.status)}</p> }/> };
        }
        Some(Err(bad)) => {
            let view = view! {
                <Broken
                    bad=bad.clone()
                    text=Arc::clone(&loaded.grading_text)
                    name=loaded.key.grading().file_name()
                />
            };
            return any_view! { <Section body=view.into_any()/> };
        }
        Some(Ok(part)) => Arc::clone(part),
    };
    let names_the_play = match (&part.transcript.header.part, &loaded.play) {
        (PartKind::Grading { play }, Ok(ours)) => *play == ours.transcript.chain,
        _ => false,
    };
    let other =
        (!names_the_play).then(|| view! { <p class="note note-warn">"This grading names another episode than the one above."</p> });
    // The turns of the grading are its own: the reader's turn in the episode says nothing here.
    let reader =
        Reader { now: Signal::derive(|| None), found: Signal::derive(Arc::default), ..reader };
    let body = view! {
        {other}
        <TimelineView reading=loaded.reading(&part, PartKey::Grading) reader prefix="grading" layout/>
    };
    any_view! { <Section body=body.into_any()/> }
}

/// Why an episode has no grading.
fn why_none(status: EpisodeStatus) -> &'static str {
    match status {
        EpisodeStatus::Live => "The episode has not ended; it is graded afterwards.",
        EpisodeStatus::Incomplete => {
            "The episode did not finish, so there is nothing to grade. Resume on the run's page plays it again."
        }
        EpisodeStatus::Ungraded => "Not graded yet.",
        EpisodeStatus::Correct
        | EpisodeStatus::Partial
        | EpisodeStatus::Wrong
        | EpisodeStatus::Played => "The rules decided it when it ended: no grader was asked.",
    }
}

#[component]
fn Section(body: AnyView) -> impl IntoView {
    view! {
        <section class="section" aria-labelledby="grading-head">
            {section_head("grading-head", "Grading")}
            <div class="stack-2">{body}</div>
        </section>
    }
}
