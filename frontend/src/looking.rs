//! Looking at a run: loading it, looking again while it is driven elsewhere, and saying who goes on with it.

use turnwise_shared::wire::driving::{DRIVEN_ELSEWHERE, TakeFrom};

use crate::keep::Wish;
use crate::later::later;
use crate::live::{RunView, can_wait_for_reader, is_kept, is_shown, leftover, shown, view};
use crate::lock::Manner;
use crate::prelude::*;
use crate::{api, clock, driven, driver, keep, reader};

/// Milliseconds between two looks at a run that is driven elsewhere.
const POLL: u32 = 3000;
/// With every so-manyth of them the server is asked about a run that is driven here, too.
const SELDOM: u32 = 5;

later! {
    /// Takes up a run that this browser opened ([`driver::take_up`]).
    work: fn take_up_here(id: RunId, from: TakeFrom, manner: Manner) -> LocalBoxFuture<'static, Result<(), ApiError>> {
        Box::pin(async move { driver::take_up(&id, from, manner).await })
    }

    /// Hands a run to the server ([`driver::hand_over`]).
    work: fn hand_over_here(id: RunId) -> LocalBoxFuture<'static, Result<(), ApiError>> {
        Box::pin(async move { driver::hand_over(&id).await })
    }
}

/// A run as a page shows it: live if it is driven here, else loaded from the server, and polled while it is open elsewhere.
/// A run that this browser was driving when its page was closed or loaded anew is taken up by itself.
///
/// To be called inside a component; loading and polling stop when it is gone.
pub fn open_run(id: &RunId) -> RunView {
    open(id, true)
}

/// The same for a page of one of its episodes: the others are loaded once the user begins to read ([`crate::reader`]).
pub fn open_run_of_episode(id: &RunId) -> RunView {
    open(id, false)
}

fn open(id: &RunId, whole: bool) -> RunView {
    let (view, is_watched) = shown(id, whole);
    if !is_watched {
        spawn_local(watch(id.clone(), view));
    }
    view
}

/// Loads a run, takes it up if this browser was driving it, and looks again while it is open elsewhere.
async fn watch(id: RunId, view: RunView) {
    // The page that shows it is made first.
    clock::breathe().await;
    match driven::has(&id) {
        true => load_driving(&id, view).await,
        false => look(&id, view).await,
    }
    view.loading.set(false);
    let mut looks = 0_u32;
    let mut was_here = false;
    loop {
        clock::sleep(POLL).await;
        if !is_shown(&id) {
            return;
        }
        looks += 1;
        if driven::has(&id) {
            was_here = true;
            if looks.is_multiple_of(SELDOM) {
                load_driving(&id, view).await;
            }
            continue;
        }
        // The number of sent calls is shown to the end, of a run that is over now, too.
        if std::mem::take(&mut was_here) {
            load_driving(&id, view).await;
        }
        let is_over =
            view.info.with_untracked(|info| info.as_ref().is_some_and(|info| info.state.is_over()));
        let is_whole = is_over && !view.lacks_summaries.get_untracked();
        if !is_whole && !is_withdrawn(view) {
            load(&id, view).await;
            load_driving(&id, view).await;
            if !is_over && can_wait(view) {
                go_on(&id, view).await;
            }
        }
    }
}

async fn look(id: &RunId, view: RunView) {
    futures::join!(load(id, view), load_driving(id, view));
    go_on(id, view).await;
}

/// Takes a run up by itself that this browser was driving when its page went, if no other driver drives it now.
async fn go_on(id: &RunId, view: RunView) {
    // Without the browser's store every run counts as one of another owner.
    let Ok(Some(kept)) = keep::run(id).await else {
        return;
    };
    view.owned.set(true);
    let is_closed = view
        .info
        .with_untracked(|info| info.as_ref().is_some_and(|info| info.state == RunState::Closed));
    if (is_closed || is_withdrawn(view)) && !driven::has(id) {
        leftover::drop_lines(&kept, is_withdrawn(view)).await;
    }
    let waits = view.info.with_untracked(|info| {
        info.as_ref().is_none_or(|info| {
            matches!(info.state, RunState::Open | RunState::Running | RunState::Idle)
        })
    });
    if kept.wish == Wish::Run && waits {
        taken(id, TakeFrom::Nobody, Manner::IfFree).await;
    }
}

/// Whether what went wrong with taking a run up, if anything did, may pass by itself.
fn can_wait(view: RunView) -> bool {
    view.problem.with_untracked(|problem| problem.as_ref().is_none_or(api::passes))
}

/// Whether the run was withdrawn, which is for good: nothing more will be shown of it.
fn is_withdrawn(view: RunView) -> bool {
    view.problem.with_untracked(|problem| {
        problem.as_ref().is_some_and(|problem| problem.code == "withdrawn")
    })
}

/// What a look at a run is worth: how much has ended, how it stands, and who drives it.
fn seen(info: &RunInfo) -> (u32, RunState, Option<Epoch>) {
    let epoch = info.lease.map(|lease| lease.epoch);
    (info.finished, info.state, epoch)
}

async fn load_driving(id: &RunId, view: RunView) {
    // What stands in the way of this stands in the way of the head, too, and is shown there.
    if let Ok(driving) = api::driving::driving(id).await
        && view.driving.get_untracked().as_ref() != Some(&driving)
    {
        view.driving.set(Some(driving));
    }
}

/// Loads the head, and the summaries if anything has ended since the last look; both at once the first time, unless these can
/// wait until the user begins to read.
async fn load(id: &RunId, view: RunView) {
    let before = view.info.with_untracked(|info| info.as_ref().map(seen));
    let can_wait = before.is_none() && can_wait_for_reader(id);
    let (info, summaries) = match before {
        None if !can_wait => {
            // The head is drawn while the summaries are on their way.
            let head = async {
                let info = api::run(id).await;
                view.info.set(info.as_ref().ok().cloned());
                info
            };
            let (info, summaries) = futures::join!(head, api::summaries(id));
            (info, Some(summaries))
        }
        _ => (api::run(id).await, None),
    };
    let info = match info {
        Ok(info) => {
            view.forget_what_passed();
            info
        }
        Err(problem) => {
            view.problem.set(Some(problem));
            return;
        }
    };
    if before == Some(seen(&info)) && !view.lacks_summaries.get_untracked() {
        return;
    }
    if can_wait {
        view.info.set(Some(info));
        spawn_local(load_when_read(id.clone(), view));
        return;
    }
    let summaries = match summaries {
        Some(summaries) => summaries,
        None => api::summaries(id).await,
    };
    show_summaries(id, view, summaries);
    if view.info.with_untracked(|known| known.as_ref() != Some(&info)) {
        view.info.set(Some(info));
    }
}

/// Loads the summaries once the user begins to read.
async fn load_when_read(id: RunId, view: RunView) {
    reader::reads().await;
    let summaries = api::summaries(&id).await;
    // With its last page the view may have gone.
    if is_kept(&id) {
        show_summaries(&id, view, summaries);
    }
}

fn show_summaries(
    id: &RunId,
    view: RunView,
    summaries: Result<BTreeMap<EpisodeKey, Arc<Summary>>, ApiError>,
) {
    let will_be_there = matches!(&summaries, Err(problem) if api::passes(problem));
    view.lacks_summaries.set(will_be_there);
    match summaries {
        Ok(summaries) if !driven::has(id) => view.summaries.set(summaries),
        Ok(_) => {}
        Err(problem) => view.problem.set(Some(problem)),
    }
}

/// Takes up a run that this browser opened, where its transcripts end, because the user said so; what goes wrong stands in the view.
pub async fn take_up(id: &RunId, from: TakeFrom) {
    taken(id, from, Manner::Insist).await;
}

async fn taken(id: &RunId, from: TakeFrom, manner: Manner) {
    let view = view(id);
    let taken: Result<(), ApiError> =
        async { take_up_here(id.clone(), from, manner).await?.await }.await;
    match taken {
        Ok(()) => {}
        // The page shows who drives it.
        Err(problem) if [DRIVEN_ELSEWHERE, driver::OTHER_TAB].contains(&problem.code.as_str()) => {
            view.problem.set(None);
            load_driving(id, view).await;
        }
        Err(problem) => view.problem.set(Some(problem)),
    }
}

/// Hands a run to the server, which goes on with it; what goes wrong stands in the view.
pub async fn hand_over(id: &RunId) {
    let view = view(id);
    let handed: Result<(), ApiError> = async { hand_over_here(id.clone()).await?.await }.await;
    match handed {
        Ok(()) => view.problem.set(None),
        Err(problem) => view.problem.set(Some(problem)),
    }
    look_again(id, view).await;
}

/// Says as its owner how a run stands that is driven elsewhere; what goes wrong stands in the view.
pub async fn turn(id: &RunId, state: RunState) {
    let view = view(id);
    if let Err(problem) = driver::turn(id, state).await {
        view.problem.set(Some(problem));
    }
    look_again(id, view).await;
}

async fn look_again(id: &RunId, view: RunView) {
    if !driven::has(id) {
        futures::join!(load(id, view), load_driving(id, view));
    }
}
