//! After the last question: where it is read what came of the answers.

use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use turnwise_shared::run::{EpisodeKey, PartKey};
use turnwise_shared::seat::{Player, Seat};
use turnwise_shared::spec::Spec;
use turnwise_shared::task::TaskId;
use turnwise_shared::wire::{RunInfo, RunState};

use crate::components::keys::focus_id;
use crate::live::RunView;
use crate::pages::table::ends::verdict_class;
use crate::strings::person as strings;
use crate::strings::play;
use crate::view::address::{self, Place};
use crate::{api, library};

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
    let verdict = verdict_of(view, way);
    move || way.get().map(|way| shown(way, verdict.get()))
}

/// Whether the only answer of a run was right, in words, once its tasks are at hand; of a branch beside what the other run said.
fn verdict_of(view: RunView, way: Memo<Option<Way>>) -> RwSignal<Option<Verdict>> {
    let verdict = RwSignal::new(None);
    let only = Memo::new(move |_| {
        way.with(|way| matches!(way, Some(Way::Branch(_) | Way::Episode(_))))
            .then(|| {
                view.summaries.with(|summaries| {
                    let mut plays = summaries
                        .iter()
                        .filter(|(key, _)| key.part() == PartKey::Play);
                    plays.next().map(|(_, summary)| Arc::clone(summary))
                })
            })
            .flatten()
    });
    Effect::new(move |_| {
        let Some((summary, info)) = only.get().zip(view.info.get_untracked()) else {
            return;
        };
        spawn_local(async move {
            let right = right_answer(&info.spec, &summary.task.id).await;
            let before = match &info.branch_of {
                Some(of) => api::summary(&of.run, &of.episode).await.ok().flatten(),
                None => None,
            };
            let own = info.spec.seats.get(&Seat::new(Seat::PLAYER));
            let is_own = own.is_some_and(|sitting| sitting.player == Player::Person);
            let answer = summary.measured.answer.as_deref();
            let text = play::verdict(summary.score, answer, right.as_deref(), is_own);
            let before = before.and_then(|before| before.measured.answer);
            verdict.try_set(Some(Verdict {
                class: verdict_class(summary.score),
                text,
                before: before.map(|before| strings::said_before(&before)),
            }));
        });
    });
    verdict
}

/// The right answer of a task, where it is at hand and may be told.
async fn right_answer(spec: &Spec, task: &TaskId) -> Option<String> {
    let benchmark = library::benchmark(&spec.benchmark).ok()?;
    let (field, _) = benchmark.people()?.reveals.first()?;
    let tasks = library::tasks(spec).await.ok()?;
    let answer = tasks.task(task)?.field(field)?;
    Some(answer.to_owned())
}

/// A verdict in words.
#[derive(Debug, Clone, PartialEq)]
struct Verdict {
    class: &'static str,
    text: String,
    before: Option<String>,
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

fn shown(way: Way, verdict: Option<Verdict>) -> AnyView {
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
            {match verdict {
                Some(Verdict { class, text, before }) => view! {
                    <p class=format!("strong read {class}") id="person-verdict">{text}</p>
                    {before.map(|before| view! { <p class="read">{before}</p> })}
                }
                .into_any(),
                None => view! { <p class="read">{strings::OVER_WHY}</p> }.into_any(),
            }}
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
        focus_id(OVER);
    }
}
