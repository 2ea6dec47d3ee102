//! The browser's driver: polls a [`Run`], sends its calls over one socket, tells what comes back, and hands every transcript
//! line to this browser's store and to the server.
//!
//! The run lies in a cell and is never borrowed across an `await`. The loop follows messages, not timers, because a page in
//! the background has its timers held back; and it gives the browser a turn after a few milliseconds of work, so that no
//! task is long, even where only bots play.

mod asked;
mod branch;
mod drive;
mod hand_over;
mod held;
mod lease;
mod line;
mod multiplex;
mod person;
mod record;
mod resume;
mod shelf;
mod upload;
mod watch;

use std::cell::Cell;

use futures::channel::mpsc;
use held::Held;
use lease::Told;
use leptos::prelude::Set as _;
use line::Line;
use multiplex::{Answer, Multiplex};
use shelf::Shelf;
use turnwise_shared::recording::Recording;
use turnwise_shared::run::{FAILURES_IN_A_ROW, Ingredients, limits};
use turnwise_shared::wire::OpenRun;
use turnwise_shared::wire::driving::TakeLease;
use turnwise_shared::wire::thinking::Thought;
use watch::Watch;

use crate::keep::{KeptRun, Wish};
use crate::live::RunView;
use crate::lock::{Lock, Manner};
use crate::prelude::*;
use crate::{api, clock, driven, keep, library, live, lock};

pub use branch::{Branching, branch};
pub use hand_over::{can_hand_over, hand_over, turn};
pub use resume::{OTHER_TAB, take_up};

/// The number of calls at once for which one more is sent and waits at the server.
pub const AHEAD: u32 = 4;

/// What happened outside while the loop waited.
pub enum Event {
    /// Something came in over the socket, or the connection changed; it was dealt with, and the loop should look.
    Answer(Box<Answer>),
    /// The loop should look again.
    Look,
}

/// A run that is driven in this page.
pub struct Live {
    id: RunId,
    kept: RefCell<KeptRun>,
    run: RefCell<Run>,
    calls: RefCell<Multiplex>,
    /// Calls that wait for lines to be stored.
    held: RefCell<Held>,
    line: Line,
    shelf: RefCell<Shelf>,
    uploads: Cell<u32>,
    /// Episodes whose lines the server refused for good.
    refused: Cell<u32>,
    /// Lines that the browser's store does not have yet.
    unkept: RefCell<BTreeMap<EpisodeKey, keep::Lines>>,
    keeping: Cell<bool>,
    /// Whether the browser's store refused the lines that it was given last.
    unkeepable: Cell<bool>,
    /// Transcripts of episodes that this browser's store does not have whole.
    pages: RefCell<BTreeMap<EpisodeKey, String>>,
    /// Summaries that are not drawn yet.
    undrawn: RefCell<BTreeMap<EpisodeKey, Arc<Summary>>>,
    view: RunView,
    events: mpsc::UnboundedSender<Event>,
    cancelled: Cell<bool>,
    /// How long people thought, as far as that was not reported to the server yet.
    thoughts: RefCell<Vec<Thought>>,
    /// How many calls are made at once, those of all seats together.
    at_once: u32,
    watch: Cell<Watch>,
    told: Told,
    /// Kept as long as the run is driven here.
    lock: RefCell<Option<Lock>>,
}

/// Everything that a new run is made of.
pub struct Launch {
    /// Everything that decides how it goes; a recording stands here as itself.
    pub spec: Spec,
    /// A name for people; may be empty.
    pub title: String,
    /// The whole set of tasks.
    pub tasks: TaskSet,
    pub pack: Pack,
    /// The recordings that sit in seats, by name.
    pub recordings: BTreeMap<String, Recording>,
    /// Calls in flight at once.
    pub in_flight: u32,
    /// After this number of failures in a row the run pauses; 0: only on what a person alone can mend.
    pub pause_after: u32,
    pub caps: Caps,
}

/// Why a run could not be started.
#[derive(Debug, Clone, PartialEq)]
pub enum NotStarted {
    /// The configuration cannot be run.
    Spec(BadSpec),
    /// The server refused, or could not be reached.
    Server(ApiError),
}

impl From<NotStarted> for ApiError {
    fn from(problem: NotStarted) -> ApiError {
        match problem {
            NotStarted::Server(error) => error,
            NotStarted::Spec(bad) => api::error("bad_spec", bad.to_string()),
        }
    }
}

/// Opens a run on the server and drives it in this page.
///
/// # Errors
/// [`NotStarted`]; nothing was opened then, unless this browser keeps nothing.
pub async fn launch(launch: Launch) -> Result<RunId, NotStarted> {
    let chosen = launch.spec.clone();
    let benchmark = registry::find(&chosen.benchmark).map_err(NotStarted::Spec)?;
    let archives = library::archives(&launch.spec).await.map_err(NotStarted::Server)?;
    let run = Run::new(ingredients(
        benchmark,
        launch.spec,
        launch.tasks,
        launch.pack,
        launch.recordings,
        launch.in_flight,
    ))
    .map_err(NotStarted::Spec)?
    .reading(archives);
    let pacing = (launch.in_flight, launch.pause_after);
    let kin = Kin { caps: launch.caps, ..Kin::default() };
    open(run, chosen, launch.title, pacing, kin).await
}

/// Gradings of the episodes of another run.
pub struct Regrading {
    /// The run whose plays they are.
    pub of: RunId,
    /// Its spec with another one in the seat that grades; a recording stands here as itself.
    pub spec: Spec,
    /// A name for people; may be empty.
    pub title: String,
    /// The whole set of tasks.
    pub tasks: TaskSet,
    pub pack: Pack,
    /// The recordings that sit in seats, by name.
    pub recordings: BTreeMap<String, Recording>,
    /// Calls in flight at once.
    pub in_flight: u32,
    pub plays: Vec<Transcript>,
}

/// Opens a run that grades plays again, and drives it in this page.
///
/// # Errors
/// [`NotStarted`]; nothing was opened then, unless this browser keeps nothing.
pub async fn regrade(regrading: Regrading) -> Result<RunId, NotStarted> {
    let chosen = regrading.spec.clone();
    let benchmark = registry::find(&chosen.benchmark).map_err(NotStarted::Spec)?;
    let run = Run::regrading(
        ingredients(
            benchmark,
            regrading.spec,
            regrading.tasks,
            regrading.pack,
            regrading.recordings,
            regrading.in_flight,
        ),
        regrading.plays,
    )
    .map_err(NotStarted::Spec)?;
    if run.progress().planned == 0 {
        let nothing = "No episode of this run needs a grading.";
        return Err(NotStarted::Server(api::error("nothing_to_grade", nothing)));
    }
    // The owner of the episodes' run may see it even if no other reader may.
    let parent_token = keep::run(&regrading.of).await.ok().flatten();
    let kin = Kin {
        regrades: Some(regrading.of),
        parent_token: parent_token.map(|kept| kept.token),
        ..Kin::default()
    };
    let pacing = (regrading.in_flight, FAILURES_IN_A_ROW);
    open(run, chosen, regrading.title, pacing, kin).await
}

/// What a run has to do with another one, who may see it, and what it may spend.
#[derive(Default)]
struct Kin {
    /// The run whose plays it grades again.
    regrades: Option<RunId>,
    /// From where its episode branches.
    branch_of: Option<BranchOf>,
    /// The other run's token, if this browser has it.
    parent_token: Option<String>,
    visibility: Visibility,
    caps: Caps,
}

/// Opens a run on the server and drives it in this page: with a limit of calls in flight, and of failures in a row. One that was
/// opened and cannot be driven yet is no error: its page takes it up as soon as it can.
async fn open(
    run: Run,
    chosen: Spec,
    title: String,
    (in_flight, pause_after): (u32, u32),
    kin: Kin,
) -> Result<RunId, NotStarted> {
    let opened = api::open_run(&OpenRun {
        spec: run.spec().clone(),
        title,
        tags: Vec::new(),
        episodes: run.progress().planned,
        regrades: kin.regrades,
        branch_of: kin.branch_of,
        parent_token: kin.parent_token,
        visibility: kin.visibility,
        caps: kin.caps,
    })
    .await
    .map_err(NotStarted::Server)?;
    // Whatever happens from now on, the run is there, and only this page has its token.
    let mut kept = KeptRun {
        run: opened.run.clone(),
        token: opened.token,
        spec: chosen,
        epoch: Epoch::default(),
        in_flight,
        pause_after,
        wish: Wish::Run,
        opened: clock::today(),
    };
    if kin.visibility == Visibility::Private {
        // Its pages ask with its token.
        keep::remember_visibility(&opened.run, Visibility::Private);
    }
    let view = live::view(&opened.run);
    let is_kept = keep::put_run(&kept).await;
    let lease = api::driving::take_lease(&opened.run, &kept.token, &TakeLease::default()).await;
    kept.epoch = match lease {
        Ok(lease) => lease.epoch,
        // Its page takes it up by itself, as after a reload.
        Err(_) if is_kept.is_ok() => return Ok(opened.run),
        Err(problem) => return Err(NotStarted::Server(problem)),
    };
    if let Err(problem) = keep::put_run(&kept).await {
        view.problem.set(Some(problem));
    }
    // The id is fresh: no other tab can hold its lock.
    let lock = lock::take(&lock_name(&opened.run), Manner::IfFree).await;
    Live::start(kept, run, Shelf::default(), lock, view);
    Ok(opened.run)
}

thread_local! {
    static LIVE: RefCell<BTreeMap<RunId, Rc<Live>>> = const { RefCell::new(BTreeMap::new()) };
}

fn enter(live: &Rc<Live>) {
    driven::enter(&live.id, Rc::new(Rc::clone(live)));
    LIVE.with_borrow_mut(|all| all.insert(live.id.clone(), Rc::clone(live)));
}

fn leave(id: &RunId) {
    driven::leave(id);
    LIVE.with_borrow_mut(|all| all.remove(id));
}

fn find(id: &RunId) -> Option<Rc<Live>> {
    LIVE.with_borrow(|all| all.get(id).cloned())
}

/// Whether this one still drives its run: once it has let go, another one may.
fn is_driver(live: &Rc<Live>) -> bool {
    find(&live.id).is_some_and(|now| Rc::ptr_eq(&now, live))
}

/// How many calls of a run are made at once, those of all seats together, if each may have `in_flight`.
fn at_once(run: &Run, in_flight: u32) -> u32 {
    let permits = usize::try_from(in_flight).unwrap_or(usize::MAX);
    let all = limits(run.benchmark(), run.spec(), permits, &BTreeMap::new()).in_flight;
    u32::try_from(all).unwrap_or(u32::MAX)
}

fn lock_name(id: &RunId) -> String {
    format!("turnwise.run.{id}")
}

fn ingredients(
    benchmark: &'static dyn Benchmark,
    spec: Spec,
    tasks: TaskSet,
    pack: Pack,
    recordings: BTreeMap<String, Recording>,
    in_flight: u32,
) -> Ingredients {
    // A few more than are made at once: they wait at the server.
    let sent = in_flight.saturating_add(in_flight.div_ceil(AHEAD));
    let sent = usize::try_from(sent).unwrap_or(usize::MAX);
    Ingredients { pack, recordings, ..Ingredients::new(benchmark, spec, tasks, sent) }
}
