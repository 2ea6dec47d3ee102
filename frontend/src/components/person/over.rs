//! After the last question: where it is read what came of the answers.

use leptos::prelude::*;
use turnwise_shared::run::{EpisodeKey, PartKey};
use turnwise_shared::wire::{RunInfo, RunState};

use crate::live::RunView;
use crate::strings::person as strings;
use crate::view::address::{self, Place};

/// The id of what is shown; it takes the focus that the last question had.
const OVER: &str = "person-over";

/// What stands where the questions stood, once a run is complete of which some were answered in this page.
#[component]
pub fn Over(view: RunView) -> impl IntoView {
    let has_answered = RwSignal::new(false);
    Effect::new(move |_| {
        if view.people.with(|people| people.answered > 0) {
            has_answered.set(true);
        }
    });
    let way = Memo::new(move |_| {
        let is_over = has_answered.get() && view.control.with(Option::is_none);
        let info = view.info.get().filter(|_| is_over)?;
        (info.state == RunState::Closed).then(|| Way::of(&info, view))
    });
    Effect::new(move |_| {
        if way.with(Option::is_some) {
            request_animation_frame(take_focus);
        }
    });
    move || way.get().map(shown)
}

/// Where somebody reads on.
#[derive(Debug, Clone, PartialEq)]
enum Way {
    /// A branch says what it changed.
    Branch(String),
    /// The only episode.
    Episode(String),
    /// The numbers of all.
    Numbers,
}

impl Way {
    fn of(info: &RunInfo, view: RunView) -> Self {
        let page = |episode: &EpisodeKey| address::episode(&info.run, episode, &Place::default());
        if let Some(of) = &info.branch_of {
            return Way::Branch(page(&of.episode));
        }
        let only = view.summaries.with(|summaries| {
            let mut plays = summaries.keys().filter(|key| key.part() == PartKey::Play);
            plays.next().filter(|_| info.episodes == 1).map(page)
        });
        only.map_or(Way::Numbers, Way::Episode)
    }
}

fn shown(way: Way) -> AnyView {
    let on = match way {
        Way::Branch(href) => {
            view! { <a class="btn btn-primary" href=href>{strings::TO_CHANGES}</a> }.into_any()
        }
        Way::Episode(href) => {
            view! { <a class="btn btn-primary" href=href>{strings::TO_EPISODE}</a> }.into_any()
        }
        Way::Numbers => view! { <p class="soft">{strings::NUMBERS_BELOW}</p> }.into_any(),
    };
    view! {
        <section class="card person" id=OVER tabindex="-1" aria-labelledby="over-head">
            <h2 id="over-head">{strings::OVER}</h2>
            <p class="read">{strings::OVER_WHY}</p>
            <div class="row">{on}</div>
        </section>
    }
    .into_any()
}

/// Whoever answered last has lost the focus with the question; whoever reads elsewhere keeps it.
fn take_focus() {
    let is_lost = document()
        .active_element()
        .is_none_or(|it| it.tag_name() == "BODY");
    if is_lost {
        super::focus(OVER);
    }
}
