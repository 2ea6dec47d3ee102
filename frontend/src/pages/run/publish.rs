//! The button that publishes a run, for the browser that started it, and the run's publication status.

use turnwise_shared::registry::has_boards;
use turnwise_shared::wire::publishing::Reason;

use crate::api::publishing as api;
use crate::components::dialog::Dialog;
use crate::components::seal::seal;
use crate::components::toast::Toasts;
use crate::live::RunView;
use crate::prelude::*;
use crate::strings::publishing as words;
use crate::view::episode_status::EpisodeStatus as Episode;
use crate::{clock, keep, view};

/// The first wait before it is asked again how a run stands, in milliseconds.
const AGAIN: u32 = 2000;
const LATEST: u32 = 30_000;

/// What is known of how a run stands on its board.
#[derive(Debug, Clone, PartialEq)]
pub enum OnBoard {
    /// The server has not said it.
    Unknown,
    No,
    Yes(Box<Admission>),
}

impl OnBoard {
    /// How it stands, if it is known to be on one.
    pub fn admission(&self) -> Option<&Admission> {
        match self {
            OnBoard::Yes(admission) => Some(admission),
            OnBoard::Unknown | OnBoard::No => None,
        }
    }

    fn of(found: Option<Admission>) -> Self {
        found.map_or(OnBoard::No, |admission| OnBoard::Yes(Box::new(admission)))
    }
}

/// How a run stands on its board; asked until the server has said it.
pub fn published(id: &RunId) -> RwSignal<OnBoard> {
    let entry = RwSignal::new(OnBoard::Unknown);
    let id = id.clone();
    spawn_local(async move {
        let mut wait = AGAIN;
        loop {
            match api::entry(&id).await {
                Ok(found) => return drop(entry.try_set(OnBoard::of(found))),
                // A run that is missing or hidden from this reader is on no board, and its page says why.
                Err(problem) if !crate::api::passes(&problem) => return,
                Err(_) => {}
            }
            clock::sleep(wait).await;
            wait = (wait * 2).min(LATEST);
            if entry.is_disposed() {
                return;
            }
        }
    });
    entry
}

/// The button and its dialog; nothing for those who have not opened the run.
#[component]
pub fn Publish(
    id: RunId,
    /// What is known of it.
    view: RunView,
    /// How it stands on its board.
    entry: RwSignal<OnBoard>,
    snapshot: RwSignal<Arc<Snapshot>>,
) -> impl IntoView {
    let toasts = use_context::<Toasts>();
    let said = move |what: &'static str| {
        if let Some(toasts) = toasts {
            toasts.show(what);
        }
    };
    let token = RwSignal::new(None::<String>);
    let open = RwSignal::new(false);
    let checked = RwSignal::new(None::<Result<Admission, ApiError>>);
    let busy = RwSignal::new(false);
    let reason = RwSignal::new(String::new());
    // Why it could not be taken off its board.
    let kept_on = RwSignal::new(None::<ApiError>);
    let id = StoredValue::new(id);
    let own = id.get_value();
    spawn_local(async move {
        if let Ok(Some(kept)) = keep::run(&own).await {
            token.put(kept.token);
        }
    });
    let incomplete = move || snapshot.with(|all| all.count(Episode::Incomplete));
    let can_be = move || {
        let whole = view.info.is_some_and(|info| is_whole(info, incomplete()));
        let has_board = view
            .info
            .is_some_and(|info| info.branch_of.is_none() && has_boards(&info.spec.benchmark));
        token.is_some()
            && has_board
            && entry.with(|entry| match entry {
                OnBoard::Unknown => false,
                OnBoard::No => whole,
                OnBoard::Yes(_) => true,
            })
    };
    let press = move |_| {
        open.set(true);
        kept_on.set(None);
        let Some(token) = token.get_untracked() else {
            return;
        };
        if entry.with_untracked(|entry| entry.admission().is_some()) {
            return;
        }
        checked.set(None);
        let id = id.get_value();
        spawn_local(async move {
            let found = api::check(&id, &token).await;
            checked.put(found);
        });
    };
    let confirm = move |_| {
        let Some(token) = token.get_untracked().filter(|_| !busy.get_untracked()) else {
            return;
        };
        busy.set(true);
        let id = id.get_value();
        spawn_local(async move {
            match api::publish(&id, &token).await {
                Ok(admission) => {
                    // Whatever stands on a board is public.
                    keep::remember_visibility(&id, Visibility::Public);
                    view.info.try_update(|info| {
                        if let Some(info) = info {
                            info.visibility = Visibility::Public;
                        }
                    });
                    entry.try_set(OnBoard::of(Some(admission)));
                    open.try_set(false);
                    said("The run stands on its board.");
                }
                Err(problem) => checked.put(Err(problem)),
            }
            busy.try_set(false);
        });
    };
    let leave = move |_| {
        let Some(token) = token.get_untracked().filter(|_| !busy.get_untracked()) else {
            return;
        };
        busy.set(true);
        kept_on.set(None);
        let (id, reason) = (id.get_value(), reason.get_untracked());
        let reason = Reason { reason };
        spawn_local(async move {
            match api::withdraw(&id, &token, &reason).await {
                Ok(_) => {
                    entry.try_set(OnBoard::No);
                    open.try_set(false);
                    said("The run is off its board.");
                }
                Err(problem) => kept_on.put(problem),
            }
            busy.try_set(false);
        });
    };
    let body = move || match entry.with(|entry| entry.admission().cloned()) {
        Some(admission) => {
            let board =
                view::board::page(&BoardId::Key(admission.entry.board), &Default::default());
            any_view! {
                {found("It stands as", &admission)}
                <p>
                    <a href=board>{words::TO_BOARD}</a> " · "
                    <a href="/log">{format!("Entry {} of the public log", admission.log)}</a>
                </p>
                <div class="field">
                    <label for="withdraw-reason">"Why (everybody can read it; may be empty)"</label>
                    <input class="input" id="withdraw-reason" maxlength="500" bind:value=reason/>
                </div>
                <Trouble problem=kept_on/>
                <div class="row row-end">
                    <button class="btn" type="button" disabled=busy on:click=leave>
                        "Take it off its board"
                    </button>
                </div>
            }
        }
        None => any_view! {
            <p class="read">{words::PUBLISH_ABOUT}</p>
            <h3>"What everybody can see then"</h3>
            <ul class="list">
                {words::TOLD_LIST.map(|one| view! { <li>{one}</li> }).collect_view()}
            </ul>
            <p class="soft">"It can be taken off its board again; that it was there stays in the public log."</p>
            {move || match checked.get() {
                None => any_view! {
                    <p class="soft" role="status">"The server plays the run again and checks it."</p>
                    <Loading/>
                },
                Some(Err(problem)) => any_view! { <Trouble problem=Some(problem)/> },
                Some(Ok(admission)) => any_view! {
                    {found("It will stand as", &admission)}
                    <div class="row row-end">
                        <button
                            class="btn btn-primary"
                            type="button"
                            id="publish-confirm"
                            disabled=busy
                            aria-busy=move || busy.get().then_some("true")
                            on:click=confirm
                        >
                            "Publish"
                        </button>
                    </div>
                },
            }}
        },
    };
    let stands = Signal::derive(move || entry.with(|entry| entry.admission().is_some()));
    let title = Signal::derive(move || match stands.get() {
        true => "This run on the leaderboard",
        false => "Publish this run",
    });
    view! {
        <Show when=can_be>
            <button class="btn btn-small" type="button" id="publish" on:click=press>
                {move || match stands.get() {
                    true => "Leaderboard entry",
                    false => "Publish",
                }}
            </button>
        </Show>
        <Dialog open title>
            <div class="stack">{body}</div>
        </Dialog>
    }
}

/// What every reader of a published run must know; nothing where there is nothing.
pub fn told(admission: &Admission) -> Option<AnyView> {
    let list = findings(admission)?;
    let view = view! {
        <section class="section stack" id="told" aria-labelledby="told-head">
            {section_head("told-head", "Notes from the check")}
            <p class="soft read">{words::READERS_ABOUT}</p>
            {list}
        </section>
    };
    Some(view.into_any())
}

fn findings(admission: &Admission) -> Option<AnyView> {
    let findings: Vec<_> = admission
        .findings
        .iter()
        .map(|finding| view! { <li>{finding.words.clone()}</li> })
        .collect();
    let are_some = !findings.is_empty();
    are_some.then(|| any_view! { <ul class="list">{findings}</ul> })
}

/// Whether nothing of a run is missing that stands on its board: every episode, complete and graded. One that was stopped may lack some,
/// and its page says how it is completed.
fn is_whole(info: &RunInfo, incomplete: usize) -> bool {
    let is_stored = match info.state {
        RunState::Closed => true,
        // Brought here as a whole, or left by its page before that could say that it was done.
        RunState::Open | RunState::Idle => info.finished >= info.episodes,
        RunState::Running | RunState::Paused | RunState::Cancelled | RunState::Withdrawn => false,
    };
    is_stored && incomplete == 0
}

/// What a check found: status, after the words for it, headline, evidence, findings.
fn found(stands: &'static str, admission: &Admission) -> AnyView {
    let headline = admission.entry.numbers.headline().map(|measure| {
        let shown = number::shown(measure.value, measure.interval, measure.unit);
        view! { <p>{words::measure(&measure.label, &shown)}</p> }
    });
    let evidence: Vec<_> = admission
        .evidence
        .iter()
        .map(|(kind, count)| view! { <li>{words::replies(*count, *kind)}</li> })
        .collect();
    let findings = findings(admission).map(|list| view! { <h3>"Notes from the check"</h3> {list} });
    any_view! {
        <p>{stands} " " {seal(admission.entry.tier)}</p>
        {headline}
        <h3>"How each reply was verified"</h3>
        <ul class="list">{evidence}</ul>
        {findings}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use turnwise_shared::benchmark::default_spec;
    use turnwise_shared::examples::QUESTIONS;
    use turnwise_shared::registry;

    use super::*;

    fn run(state: RunState, finished: u32) -> RunInfo {
        let run = json!({
            "run": "00000000000000000000000000000000", "title": "", "spec": default_spec(registry::find(QUESTIONS).expect("an example")),
            "state": state, "episodes": 20, "finished": finished, "opened": 0,
        });
        serde_json::from_value(run).expect("a run")
    }

    #[test]
    fn only_a_run_of_which_nothing_is_missing_can_be_published() {
        assert!(is_whole(&run(RunState::Closed, 20), 0));
        assert!(is_whole(&run(RunState::Open, 20), 0), "brought as a whole");
        assert!(!is_whole(&run(RunState::Open, 19), 0));
        assert!(!is_whole(&run(RunState::Cancelled, 20), 0), "stopped before its gradings");
        assert!(!is_whole(&run(RunState::Paused, 20), 0));
        assert!(!is_whole(&run(RunState::Idle, 20), 3), "the world failed three");
    }
}
