//! A run that is not driven in this page: who drives it, how far it is, and who may go on with it.

use turnwise_shared::registry::has_boards;
use turnwise_shared::wire::budgets::Short;
use turnwise_shared::wire::driving::{BUDGET_EXHAUSTED, Driving, TakeFrom};

use super::budget::Watched;
use super::halted;
use crate::live::RunView;
use crate::prelude::*;
use crate::strings::{budgets, driving as words, run as run_words};
use crate::{driver, looking};

/// What can be done with a run that is not driven here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// This page takes it up; it has no driver.
    TakeUp,
    /// The same of a run that rests: the page in which it rests may still be open.
    Resume,
    /// This page follows another one.
    TakeOver,
    /// This page follows the server.
    FromServer,
    /// The server takes it up.
    ToServer,
    Pause,
    Stop,
}

/// Says who drives a run and how it stands; nothing of one that is complete.
#[component]
pub fn Elsewhere(
    id: RunId,
    /// What is known of it.
    view: RunView,
    /// How many of its episodes the world failed.
    incomplete: Signal<usize>,
    watched: Watched,
) -> impl IntoView {
    let id = StoredValue::new(id);
    let busy = RwSignal::new(false);
    let was_short = StoredValue::new(false);
    let short = Memo::new(move |_| {
        // Once there is room again, what the server's driver was short of is no trouble any more.
        was_short.update_value(|was| *was |= view.driving.with(is_of_budget));
        watched.now.with(|budget| halted::short(budget.as_ref(), was_short))
    });
    move || {
        let info = view.info.get()?;
        let driving = view.driving.get();
        let (title, kind) = told(&info, driving.as_ref(), incomplete.get())?;
        let trouble = driving
            .as_ref()
            .filter(|_| !matches!(info.state, RunState::Running))
            .and_then(|driving| driving.trouble.clone());
        let rests = matches!(info.state, RunState::Paused | RunState::Idle | RunState::Cancelled);
        let short = short.get().filter(|_| rests);
        // What its budget says now is newer than what stopped the server's driver.
        let trouble = trouble.filter(|why| short.is_none() || why.code != BUDGET_EXHAUSTED);
        let progress = driving.and_then(|driving| driving.progress);
        let own = short.as_ref().map(|(short, _)| halted::raisable(short));
        let own = own.unwrap_or_default();
        let ways: Vec<_> = match view.owned.get() {
            true => ways(&info)
                .into_iter()
                // With a limit that is too small nothing can go on.
                .filter(|way| own.is_empty() || !matches!(way, Way::TakeUp | Way::Resume))
                .map(|way| button(id.get_value(), way, busy))
                .collect(),
            false => Vec::new(),
        };
        let raise = (view.owned.get() && !own.is_empty()).then(|| {
            let resume = Callback::new(move |()| {
                let id = id.get_value();
                spawn_local(async move { looking::take_up(&id, TakeFrom::Anybody).await });
            });
            halted::raise(id.get_value(), own, watched, resume)
        });
        let others = (rests && !view.owned.get())
            .then_some("Only the browser that opened this run can resume it.");
        let has_ways = !ways.is_empty() || raise.is_some();
        Some(view! {
            <div class=format!("note {kind}") id="elsewhere">
                <Icon name=icon(&info)/>
                <p>{title} " " {others}</p>
                {trouble.map(why)}
                {short.map(|(short, more)| view! {
                    <p class="note-title">{room(&short)}</p>
                    <p id="short">{more}</p>
                })}
                {progress.map(|progress| far(&progress))}
                {has_ways.then(|| view! { <div class="note-do">{raise} {ways}</div> })}
            </div>
        })
    }
}

fn room(short: &[Short]) -> String {
    match short.is_empty() {
        true => budgets::RESTS_WITH_ROOM.to_owned(),
        false => budgets::rests(short),
    }
}

/// Whether its budget stopped the server's driver.
fn is_of_budget(driving: &Option<Driving>) -> bool {
    let trouble = driving.as_ref().and_then(|driving| driving.trouble.as_ref());
    trouble.is_some_and(|trouble| trouble.code == BUDGET_EXHAUSTED)
}

/// What is said of it, and the kind of note.
fn told(
    info: &RunInfo,
    driving: Option<&Driving>,
    incomplete: usize,
) -> Option<(String, &'static str)> {
    let (finished, episodes) = (info.finished, info.episodes);
    let has_trouble = driving.is_some_and(|driving| driving.trouble.is_some());
    let so_far = words::so_far(finished, episodes, incomplete);
    Some(match info.state {
        RunState::Closed => return None,
        RunState::Withdrawn => ("This run was withdrawn.".to_owned(), ""),
        RunState::Open | RunState::Cancelled | RunState::Idle
            if incomplete > 0 && finished >= episodes =>
        {
            let unfinished = format!(
                "{} did not finish. Resume to run only those.",
                counted(incomplete, "episode", "episodes")
            );
            (to_be_published(info, unfinished), "")
        }
        // Brought here as a whole: nothing is left to do.
        RunState::Open if finished >= episodes => return None,
        RunState::Open => ("This run has not started yet.".to_owned(), ""),
        RunState::Running if info.is_servers() => (words::on_server(so_far), ""),
        RunState::Running => (words::elsewhere(so_far), ""),
        RunState::Paused if has_trouble => (words::paused(so_far), "note-bad"),
        RunState::Paused => (words::paused(so_far), "note-warn"),
        RunState::Idle => (words::idle(so_far), "note-warn"),
        RunState::Cancelled => {
            let stopped = words::stopped(finished, episodes, incomplete);
            (to_be_published(info, stopped), "")
        }
    })
}

/// What is said of a run that is not complete, and that it can be published then.
fn to_be_published(info: &RunInfo, told: String) -> String {
    match info.branch_of.is_none() && has_boards(&info.spec.benchmark) {
        true => format!("{told} Once it is complete, it can be published."),
        false => told,
    }
}

/// What its owner can do with it. What was played elsewhere cannot be gone on with.
fn ways(info: &RunInfo) -> Vec<Way> {
    if info.spec.is_imported() {
        return Vec::new();
    }
    let mut ways = match info.state {
        RunState::Closed | RunState::Withdrawn => return Vec::new(),
        RunState::Running if info.is_servers() => {
            return vec![Way::FromServer, Way::Pause, Way::Stop];
        }
        RunState::Running => vec![Way::TakeOver],
        RunState::Paused => vec![Way::Resume],
        RunState::Open | RunState::Idle | RunState::Cancelled => {
            vec![Way::TakeUp]
        }
    };
    if driver::can_hand_over(&info.spec) && !info.is_visitors {
        ways.push(Way::ToServer);
    }
    ways
}

fn icon(info: &RunInfo) -> &'static str {
    match info.state {
        RunState::Running if info.is_servers() => "server",
        RunState::Paused => "pause",
        _ => "info",
    }
}

fn why(trouble: ApiError) -> impl IntoView + use<> {
    view! {
        <p class="note-title" id="why-paused">{trouble.message}</p>
        <p>{trouble.mend}</p>
    }
}

/// How far the server's driver is.
fn far(progress: &Progress) -> impl IntoView + use<> {
    let done = progress.graded;
    let (bold, rest) = run_words::finished(u64::from(done), u64::from(progress.planned));
    view! {
        <p>
            <b>{bold}</b>
            {rest}
            " · "
            {run_words::now(progress.under_way, progress.flying)}
        </p>
        <progress
            class="bar-line"
            max=progress.planned.max(1).to_string()
            value=done.to_string()
            aria-label=run_words::PROGRESS
        ></progress>
    }
}

fn button(id: RunId, way: Way, busy: RwSignal<bool>) -> impl IntoView + use<> {
    let (name, words, class) = match way {
        Way::TakeUp | Way::Resume => ("play", run_words::RESUME, "btn btn-primary"),
        Way::TakeOver | Way::FromServer => ("play", run_words::MOVE_HERE, "btn"),
        Way::ToServer => ("server", words::CONTINUE_ON_SERVER, "btn"),
        Way::Pause => ("pause", run_words::PAUSE, "btn"),
        Way::Stop => ("stop", run_words::CANCEL, "btn btn-danger"),
    };
    let title = (way == Way::ToServer).then_some(words::CONTINUE_ON_SERVER_MEANS);
    let go = move |_| {
        let id = id.clone();
        busy.set(true);
        spawn_local(async move {
            match way {
                Way::TakeUp => looking::take_up(&id, TakeFrom::Nobody).await,
                Way::Resume | Way::TakeOver | Way::FromServer => {
                    looking::take_up(&id, TakeFrom::Anybody).await
                }
                Way::ToServer => looking::hand_over(&id).await,
                Way::Pause => looking::turn(&id, RunState::Paused).await,
                Way::Stop => looking::turn(&id, RunState::Cancelled).await,
            }
            busy.try_set(false);
        });
    };
    view! {
        <button class=class type="button" title=title disabled=busy on:click=go>
            <SmallIcon name=name/>
            {words}
        </button>
    }
}

/// How many calls of the run were lost, once the server has said it.
#[component]
pub fn Lost(
    /// What is known of the run.
    view: RunView,
) -> impl IntoView {
    let lost =
        Memo::new(move |_| view.driving.with(|driving| words::lost(&driving.as_ref()?.calls)));
    move || lost.get().map(|words| view! { <p class="small soft" id="lost">{words}</p> })
}
