//! The button that publishes a run, for whoever opened it in this browser, and how it stands once it is published.

use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use turnwise_shared::board::has_boards;
use turnwise_shared::wire::boards::BoardId;
use turnwise_shared::wire::publishing::{Admission, Reason};
use turnwise_shared::wire::sharing::Visibility;
use turnwise_shared::wire::{ApiError, RunId, RunInfo, RunState};

use crate::api::publishing as api;
use crate::components::dialog::Dialog;
use crate::components::message::{Loading, Trouble};
use crate::components::seal::seal;
use crate::components::toast::Toasts;
use crate::live::RunView;
use crate::strings::publishing as words;
use crate::view::number;
use crate::view::snapshot::Snapshot;
use crate::view::standing::Standing as Episode;
use crate::{keep, view};

/// How a run stands on its board, if it does; looked up once.
pub fn published(id: &RunId) -> RwSignal<Option<Admission>> {
    let entry = RwSignal::new(None);
    let id = id.clone();
    spawn_local(async move {
        // One that stands on no board has none, and that is no trouble.
        if let Ok(found) = api::entry(&id).await {
            entry.try_set(found);
        }
    });
    entry
}

/// The button and its dialog; nothing for those who have not opened the run.
#[component]
pub fn Publish(
    /// The run.
    id: RunId,
    /// What is known of it.
    view: RunView,
    /// How it stands on its board.
    entry: RwSignal<Option<Admission>>,
    /// Its episodes.
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
    spawn_local(async move {
        if let Ok(Some(kept)) = keep::run(&id.get_value()).await {
            token.try_set(Some(kept.token));
        }
    });
    let incomplete = move || snapshot.with(|all| all.count(Episode::Incomplete));
    let can_be = move || {
        let whole = view.info.with(|info| {
            info.as_ref()
                .is_some_and(|info| is_whole(info, incomplete()))
        });
        let has_board = view.info.with(|info| {
            info.as_ref()
                .is_some_and(|info| info.branch_of.is_none() && has_boards(&info.spec.benchmark))
        });
        token.with(Option::is_some) && has_board && (whole || entry.with(Option::is_some))
    };
    let press = move |_| {
        open.set(true);
        kept_on.set(None);
        let Some(token) = token.get_untracked() else {
            return;
        };
        if entry.with_untracked(Option::is_some) {
            return;
        }
        checked.set(None);
        spawn_local(async move {
            let found = api::check(&id.get_value(), &token).await;
            checked.try_set(Some(found));
        });
    };
    let confirm = move |_| {
        let Some(token) = token.get_untracked().filter(|_| !busy.get_untracked()) else {
            return;
        };
        busy.set(true);
        spawn_local(async move {
            match api::publish(&id.get_value(), &token).await {
                Ok(admission) => {
                    // Whatever stands on a board is public.
                    keep::remember_visibility(&id.get_value(), Visibility::Public);
                    view.info.try_update(|info| {
                        if let Some(info) = info {
                            info.visibility = Visibility::Public;
                        }
                    });
                    entry.try_set(Some(admission));
                    open.try_set(false);
                    said(words::DONE);
                }
                Err(problem) => drop(checked.try_set(Some(Err(problem)))),
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
        let reason = Reason {
            reason: reason.get_untracked(),
        };
        spawn_local(async move {
            match api::withdraw(&id.get_value(), &token, &reason).await {
                Ok(_) => {
                    entry.try_set(None);
                    open.try_set(false);
                    said(words::LEFT);
                }
                Err(problem) => drop(kept_on.try_set(Some(problem))),
            }
            busy.try_set(false);
        });
    };
    let body = move || match entry.get() {
        Some(admission) => {
            let board =
                view::board::page(&BoardId::Key(admission.entry.board), &Default::default());
            view! {
                {found(words::STANDS, &admission)}
                <p>
                    <a href=board>{words::TO_BOARD}</a> " · "
                    <a href="/log">{words::log_number(admission.log)}</a>
                </p>
                <div class="field">
                    <label for="withdraw-reason">{words::WITHDRAW_REASON}</label>
                    <input class="input" id="withdraw-reason" maxlength="500" bind:value=reason/>
                </div>
                <Trouble problem=kept_on/>
                <div class="row row-end">
                    <button class="btn" type="button" disabled=move || busy.get() on:click=leave>
                        {words::WITHDRAW}
                    </button>
                </div>
            }
            .into_any()
        }
        None => view! {
            <p class="read">{words::PUBLISH_ABOUT}</p>
            <h3>{words::TOLD}</h3>
            <ul class="list">
                {words::TOLD_LIST.map(|one| view! { <li>{one}</li> }).collect_view()}
            </ul>
            <p class="soft">{words::LOGGED}</p>
            {move || match checked.get() {
                None => view! {
                    <p class="soft" role="status">{words::CHECKING}</p>
                    <Loading/>
                }
                .into_any(),
                Some(Err(problem)) => view! { <Trouble problem=Some(problem)/> }.into_any(),
                Some(Ok(admission)) => view! {
                    {found(words::FORESEEN, &admission)}
                    <div class="row row-end">
                        <button
                            class="btn btn-primary"
                            type="button"
                            id="publish-confirm"
                            disabled=move || busy.get()
                            aria-busy=move || busy.get().then_some("true")
                            on:click=confirm
                        >
                            {words::CONFIRM}
                        </button>
                    </div>
                }
                .into_any(),
            }}
        }
        .into_any(),
    };
    view! {
        <Show when=can_be>
            <button class="btn btn-small" type="button" id="publish" on:click=press>
                {move || match entry.with(Option::is_some) {
                    true => words::PUBLISHED,
                    false => words::PUBLISH,
                }}
            </button>
        </Show>
        <Dialog open title=words::PUBLISH_TITLE>
            <div class="stack">{body}</div>
        </Dialog>
    }
}

/// What every reader of a published run must know; nothing where there is nothing.
pub fn told(admission: &Admission) -> Option<AnyView> {
    let list = findings(admission)?;
    let view = view! {
        <section class="section stack" id="told" aria-labelledby="told-head">
            <div class="section-head">
                <h2 id="told-head">{words::READERS}</h2>
            </div>
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
    are_some.then(|| view! { <ul class="list">{findings}</ul> }.into_any())
}

/// Whether nothing of a run is missing that stands on its board: every play, complete and graded. One that was stopped may lack some,
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

/// What a check found: standing, after the words for it, headline, evidence, findings.
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
    let findings = findings(admission).map(|list| view! { <h3>{words::FINDINGS}</h3> {list} });
    view! {
        <p>{stands} " " {seal(admission.entry.standing)}</p>
        {headline}
        <h3>{words::EVIDENCE}</h3>
        <ul class="list">{evidence}</ul>
        {findings}
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use turnwise_shared::benchmark::default_spec;
    use turnwise_shared::benchmarks::interactcomp::InteractComp;

    use super::*;

    fn run(state: RunState, finished: u32) -> RunInfo {
        let run = json!({
            "run": "00000000000000000000000000000000", "title": "", "spec": default_spec(&InteractComp),
            "state": state, "episodes": 20, "finished": finished, "opened": 0,
        });
        serde_json::from_value(run).expect("a run")
    }

    #[test]
    fn only_a_run_of_which_nothing_is_missing_can_be_published() {
        assert!(is_whole(&run(RunState::Closed, 20), 0));
        assert!(is_whole(&run(RunState::Open, 20), 0), "brought as a whole");
        assert!(!is_whole(&run(RunState::Open, 19), 0));
        assert!(
            !is_whole(&run(RunState::Cancelled, 20), 0),
            "stopped before its gradings"
        );
        assert!(!is_whole(&run(RunState::Paused, 20), 0));
        assert!(
            !is_whole(&run(RunState::Idle, 20), 3),
            "the world failed three"
        );
    }
}
