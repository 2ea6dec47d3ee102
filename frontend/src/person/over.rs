//! After the last question: where it is read what came of the answers.

use turnwise_shared::task_texts::TaskTexts;

use crate::components::keys::focus_id;
use crate::components::state::verdict_class;
use crate::live::RunView;
use crate::prelude::*;
use crate::strings::{episode, play};
use crate::view::branching::speakers;
use crate::{api, library};

/// The most verdicts that are listed.
const MOST: usize = 20;

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
        let is_over = has_answered.get() && view.control.is_none();
        let info = view.info.get().filter(|_| is_over)?;
        (info.state == RunState::Closed).then(|| Way::of(&info, view))
    });
    Effect::new(move |_| {
        if way.is_some() {
            request_animation_frame(take_focus);
        }
    });
    let verdicts = verdicts_of(view, way);
    move || way.get().map(|way| shown(way, verdicts.get()))
}

/// Whether the answers of a run were right, in words, once its tasks are at hand: the only one, or those that a person gave as the
/// player; of a branch beside what the other run said. Games are neither right nor wrong.
fn verdicts_of(view: RunView, way: Memo<Option<Way>>) -> RwSignal<Vec<Verdict>> {
    let verdicts = RwSignal::new(Vec::new());
    let plays = Memo::new(move |_| {
        if way.is_none() {
            return Vec::new();
        }
        view.summaries.with(|summaries| {
            let plays = summaries
                .iter()
                .filter(|(key, _)| key.part() == PartKey::Play)
                .map(|(_, summary)| Arc::clone(summary));
            plays.collect::<Vec<_>>()
        })
    });
    Effect::new(move |_| {
        let (plays, Some(info)) = (plays.get(), view.info.get_untracked()) else {
            return;
        };
        let own = info.spec.seats.get(&Seat::new(Seat::PLAYER));
        let is_own = own.is_some_and(|sitting| sitting.player == Player::Person);
        if plays.len() > 1 && !is_own {
            return;
        }
        spawn_local(async move {
            let before = match &info.branch_of {
                Some(of) => before(of, &info.spec).await,
                None => None,
            };
            let mut all = Vec::new();
            let judged = plays.iter().filter(|summary| {
                let status = EpisodeStatus::of(summary);
                !matches!(status, EpisodeStatus::Played | EpisodeStatus::Incomplete)
            });
            let more = judged.clone().count().saturating_sub(MOST);
            for summary in judged.take(MOST) {
                let right = right_answer(&info.spec, &summary.task.id).await;
                let task = (plays.len() > 1)
                    .then(|| episode::title(None, &summary.task.id.0, summary.repeat));
                all.push(Verdict::of(summary, is_own, task, right, before.as_ref()));
            }
            if more > 0 {
                all.push(Verdict {
                    class: "soft",
                    task: None,
                    text: format!("And {more} more: the table of episodes has them all."),
                });
            }
            verdicts.try_set(all);
        });
    });
    verdicts
}

/// What a branch goes on from.
struct Before {
    /// Who answered there, and who answers in the branch, each as a part of a sentence.
    speakers: (String, String),
    answer: String,
}

/// `None` where the other run may not be seen, or nothing was answered in it.
async fn before(of: &BranchOf, spec: &Spec) -> Option<Before> {
    let (summary, info) = futures::join!(api::summary(&of.run, &of.episode), api::run(&of.run));
    Some(Before {
        speakers: speakers(&info.ok()?.spec, spec, true)?,
        answer: summary.ok()??.measured.answer?,
    })
}

/// The right answer of a task, where it is at hand and may be shown.
async fn right_answer(spec: &Spec, task: &TaskId) -> Option<String> {
    let benchmark = library::benchmark(&spec.benchmark).ok()?;
    let tasks = library::tasks(spec).await.ok()?;
    TaskTexts::of(benchmark, tasks.task(task)?, &tasks.origin).right
}

#[derive(Debug, Clone, PartialEq)]
struct Verdict {
    class: &'static str,
    /// Of which task, where there are several.
    task: Option<String>,
    text: String,
}

impl Verdict {
    fn of(
        summary: &Summary,
        is_own: bool,
        task: Option<String>,
        right: Option<String>,
        before: Option<&Before>,
    ) -> Self {
        let who = match before {
            Some(before) => before.speakers.1.as_str(),
            None => play::answerer(is_own),
        };
        let said = (who, summary.measured.answer.as_deref());
        let before = before.map(|before| (before.speakers.0.as_str(), before.answer.as_str()));
        Verdict {
            class: verdict_class(summary.score),
            task,
            text: play::verdict(summary.score, said, right.as_deref(), before),
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
enum Way {
    /// A branch says what it changed.
    Branch(String),
    /// The only episode.
    Episode(String),
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

fn shown(way: Way, verdicts: Vec<Verdict>) -> AnyView {
    let said: Vec<_> = verdicts
        .into_iter()
        .map(|Verdict { class, task, text }| {
            let text = view! { <p class=format!("strong read {class}") id=task.is_none().then_some("person-verdict")>{text}</p> };
            let task = task.map(|task| view! { <p class="small soft">{task}</p> });
            view! { <li>{task} {text}</li> }
        })
        .collect();
    let on = match way {
        Way::Branch(href) => {
            any_view! { <a class="btn btn-primary" href=href>"What your answers changed"</a> }
        }
        Way::Episode(href) => {
            any_view! { <a class="btn btn-primary" href=href>"See how it ended"</a> }
        }
        Way::Numbers => any_view! { <p class="soft">"The results are below."</p> },
    };
    any_view! {
        <section class="card person" id=OVER tabindex="-1" aria-labelledby="over-head">
            <h2 id="over-head">"Run complete"</h2>
            {match said.is_empty() {
                true => any_view! { <p class="read">"Every question is answered."</p> },
                false => any_view! { <ul class="person-verdicts">{said}</ul> },
            }}
            <div class="row">{on}</div>
        </section>
    }
}

/// A person who answered last has lost the focus with the question; a reader elsewhere keeps it.
fn take_focus() {
    let is_lost = document().active_element().is_none_or(|it| it.tag_name() == "BODY");
    if is_lost {
        focus_id(OVER);
    }
}
