//! What a page may show of a run, live or stored, and where its transcripts come from.

use std::collections::BTreeMap;

use leptos::prelude::*;
use turnwise_shared::metrics::summary::Summary;
use turnwise_shared::prompt::Pack;
use turnwise_shared::run::{EpisodeKey, Progress};
use turnwise_shared::task::TaskSet;
use turnwise_shared::wire::{ApiError, RunId, RunInfo};

use crate::api;

/// Everything a page may show of a run, live or stored.
#[derive(Clone, Copy)]
pub struct RunView {
    /// The run's head; `None` until it has been loaded.
    pub info: RwSignal<Option<RunInfo>>,
    /// The plays in a few numbers, by the play's key; with the newest grading counted in once there is one.
    pub summaries: RwSignal<BTreeMap<EpisodeKey, Summary>>,
    /// How far it is; `Some` while it is driven in this page.
    pub progress: RwSignal<Option<Progress>>,
    /// Time and state of the driving; `Some` while it is driven in this page.
    pub pace: RwSignal<Option<Pace>>,
    /// Pause, go on, cancel; `Some` while it is driven in this page.
    pub control: RwSignal<Option<Control>>,
    /// What went wrong with loading or storing, if anything; the run itself may go on.
    pub problem: RwSignal<Option<ApiError>>,
}

impl RunView {
    /// A view of a run about which nothing is known yet.
    pub(crate) fn blank() -> Self {
        RunView {
            info: RwSignal::new(None),
            summaries: RwSignal::new(BTreeMap::new()),
            progress: RwSignal::new(None),
            pace: RwSignal::new(None),
            control: RwSignal::new(None),
            problem: RwSignal::new(None),
        }
    }
}

/// Time and state of a run that is driven in this page.
#[derive(Debug, Clone, PartialEq)]
pub struct Pace {
    /// What the driver does.
    pub driving: Driving,
    /// Milliseconds of driving so far, pauses left out.
    pub elapsed: u64,
    /// Milliseconds that the rest will take at the pace so far; `None` before anything has ended.
    pub left: Option<u64>,
    /// Transcript lines that the server does not have yet.
    pub unstored: usize,
}

/// What the driver of a run does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Driving {
    /// Calls are made.
    Running,
    /// Nothing new is sent; what is in flight comes back.
    Paused,
    /// The connection to the server was lost; it is being made again.
    Reconnecting,
    /// What is open is being ended, because somebody cancelled the run.
    Cancelling,
    /// All episodes are over; the last lines are being stored.
    Storing,
    /// Everything is over and stored, or the run was cancelled and all its lines are stored.
    Done,
}

/// The handle with which a run that is driven here is paused, continued and cancelled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Control {
    run: RunId,
}

impl Control {
    /// Sends nothing new; what is in flight comes back.
    pub fn pause(&self) {}

    /// Goes on after a pause.
    pub fn resume(&self) {}

    /// Ends the run; what is under way can be taken up again later.
    pub fn cancel(&self) {}
}

/// A run as a page shows it: live if it is driven here, else loaded from the server, and polled while it is open elsewhere.
/// To be called inside a reactive owner (a component); loading stops when that owner is gone.
pub fn open_run(id: &RunId) -> RunView {
    let view = RunView::blank();
    let id = id.clone();
    leptos::task::spawn_local(async move {
        match api::run(&id).await {
            Ok(info) => view.info.set(Some(info)),
            Err(problem) => view.problem.set(Some(problem)),
        }
    });
    view
}

/// An episode's transcript as JSON lines: from the session that runs here, from this browser's store, or from the server.
///
/// # Errors
/// If none of them has it.
pub async fn transcript(id: &RunId, episode: &EpisodeKey) -> Result<String, ApiError> {
    api::transcript(id, episode).await
}

/// What a replay of a run's transcripts needs.
#[derive(Clone)]
pub struct Ingredients {
    /// The whole set of tasks, decrypted in this page.
    pub tasks: TaskSet,
    /// The prompt pack.
    pub pack: Pack,
}

/// The tasks and the prompt pack of a run: from this page if they were dropped here, else the server's bytes, decrypted here.
///
/// # Errors
/// If the server does not have them, or has others under that name.
pub async fn ingredients(id: &RunId) -> Result<Ingredients, ApiError> {
    let info = api::run(id).await?;
    let benchmark = turnwise_shared::registry::find(&info.spec.benchmark)
        .map_err(|bad| api::error("unknown_benchmark", bad.to_string()))?;
    let bytes = api::task_bytes(&info.spec.tasks.name).await?;
    let tasks = benchmark
        .read_tasks(&info.spec.tasks.name, &bytes)
        .map_err(|bad| api::error("bad_tasks", bad.to_string()))?;
    Ok(Ingredients {
        tasks,
        pack: benchmark.pack(),
    })
}
