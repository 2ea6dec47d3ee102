//! What a page may show of a run, live or stored, and where its transcripts come from.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use turnwise_shared::metrics::summary::Summary;
use turnwise_shared::prompt::Pack;
use turnwise_shared::run::{EpisodeKey, Halt, Progress, Ticket};
use turnwise_shared::task::TaskSet;
use turnwise_shared::wire::driving::{DRIVEN_ELSEWHERE, TakeFrom};
use turnwise_shared::wire::{self, ApiError, Epoch, RunId, RunInfo, RunState};

use crate::driven::{self, Driver};
use crate::driver::person::People;
use crate::keep::Wish;
use crate::{api, clock, driver, keep, later, library};

/// Milliseconds between two looks at a run that is driven elsewhere.
const POLL: u32 = 3000;
/// With every so-manyth of them the server is asked about a run that is driven here, too.
const SELDOM: u32 = 5;
/// Views without a page that are kept, so that going back and forth does not load anew.
const IDLE_VIEWS: usize = 4;

/// Everything a page may show of a run, live or stored.
#[derive(Clone, Copy)]
pub struct RunView {
    /// The run's head; `None` until it has been loaded.
    pub info: RwSignal<Option<RunInfo>>,
    /// The plays in a few numbers, by the play's key; with the newest grading counted in once there is one.
    pub summaries: RwSignal<BTreeMap<EpisodeKey, Arc<Summary>>>,
    /// How far it is; `Some` while it is driven in this page.
    pub progress: RwSignal<Option<Progress>>,
    /// Time and state of the driving; `Some` while it is driven in this page.
    pub pace: RwSignal<Option<Pace>>,
    /// Pause, go on, cancel; `Some` while it is driven in this page.
    pub control: RwSignal<Option<Control>>,
    /// Whether this browser opened the run and may drive it, stop it and hand it over.
    pub owned: RwSignal<bool>,
    /// Who drives it, and how many of its calls were lost; `None` until the server has said so.
    pub driving: RwSignal<Option<wire::driving::Driving>>,
    /// Whether the first look at it is still under way.
    pub loading: RwSignal<bool>,
    /// What people in this page are asked, while it is driven here.
    pub people: RwSignal<People>,
    /// What went wrong with loading or storing, if anything; the run itself may go on.
    pub problem: RwSignal<Option<ApiError>>,
}

/// Time and state of a run that is driven in this page.
#[derive(Debug, Clone, PartialEq)]
pub struct Pace {
    /// What the driver does.
    pub driving: Driving,
    /// Milliseconds of driving so far, pauses left out; since the run was last taken up.
    pub elapsed: u64,
    /// Milliseconds that the rest will take at the pace so far; `None` before anything has ended.
    pub left: Option<u64>,
    /// Transcript lines that the server does not have yet.
    pub unstored: usize,
    /// How many calls are made at once; a few more wait at the server.
    pub at_once: u32,
    /// Why the run has paused by itself, if it has.
    pub halt: Option<Halt>,
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
    pub(crate) fn of(run: &RunId) -> Self {
        Control { run: run.clone() }
    }

    /// Does nothing once the driver has let go.
    fn tell(&self, what: impl FnOnce(&dyn Driver)) {
        if let Some(driver) = driven::find(&self.run) {
            what(&*driver);
        }
    }

    /// Sends nothing new; what is in flight comes back.
    pub fn pause(&self) {
        self.tell(|driver| driver.pause());
    }

    /// Goes on after a pause.
    pub fn resume(&self) {
        self.tell(|driver| driver.go_on());
    }

    /// Ends the run; what is under way can be taken up again later.
    pub fn cancel(&self) {
        self.tell(|driver| driver.cancel());
    }

    /// Answers what a person in this page is asked.
    pub fn reply(&self, ticket: &Ticket, text: String) {
        self.tell(|driver| driver.reply(ticket, text));
    }

    /// Takes back the newest answer of a person, if it has not gone out.
    pub fn take_back(&self) {
        self.tell(|driver| driver.take_back());
    }

    /// Shows another question first, if there is one.
    pub fn postpone(&self, ticket: &Ticket) {
        self.tell(|driver| driver.postpone(ticket));
    }
}

impl RunView {
    fn blank() -> Self {
        RunView {
            info: RwSignal::new(None),
            summaries: RwSignal::new(BTreeMap::new()),
            progress: RwSignal::new(None),
            pace: RwSignal::new(None),
            control: RwSignal::new(None),
            owned: RwSignal::new(false),
            driving: RwSignal::new(None),
            loading: RwSignal::new(true),
            people: RwSignal::default(),
            problem: RwSignal::new(None),
        }
    }
}

/// The view of a run with what keeps its signals alive. Views outlive pages: a run that is driven goes on drawing into its
/// view while another page is open.
struct Entry {
    owner: Owner,
    view: RunView,
    /// Pages that show it now.
    pages: u32,
    /// Whether [`watch`] looks after it.
    watched: bool,
}

thread_local! {
    static VIEWS: RefCell<Vec<(RunId, Entry)>> = const { RefCell::new(Vec::new()) };
}

/// A run as a page shows it: live if it is driven here, else loaded from the server, and polled while it is open elsewhere.
/// A run that this browser was driving when its page was closed or loaded anew is taken up by itself.
///
/// To be called inside a component; loading and polling stop when it is gone.
pub fn open_run(id: &RunId) -> RunView {
    let view = view(id);
    let watched = VIEWS.with_borrow_mut(|views| {
        entry(views, id).is_none_or(|entry| {
            entry.pages += 1;
            std::mem::replace(&mut entry.watched, true)
        })
    });
    let closed = id.clone();
    on_cleanup(move || {
        VIEWS.with_borrow_mut(|views| {
            if let Some(entry) = entry(views, &closed) {
                entry.pages = entry.pages.saturating_sub(1);
            }
        });
    });
    if !watched {
        spawn_local(watch(id.clone(), view));
    }
    view
}

/// The one view of a run in this page, fresh or known.
pub(crate) fn view(id: &RunId) -> RunView {
    VIEWS.with_borrow_mut(|views| {
        if let Some(entry) = entry(views, id) {
            return entry.view;
        }
        forget_idle(views);
        let page = Owner::current();
        let owner = root();
        let view = owner.with(RunView::blank);
        // A new root makes itself the current owner; what the page does next belongs to the page.
        if let Some(page) = page {
            page.set();
        }
        let entry = Entry {
            owner,
            view,
            pages: 0,
            watched: false,
        };
        views.push((id.clone(), entry));
        view
    })
}

/// An owner without a parent. Making one also makes it the current one, which the calling component must not notice.
fn root() -> Owner {
    let current = Owner::current();
    let owner = Owner::new_root(None);
    match current {
        Some(current) => current.set(),
        None => owner.clone().unset(),
    }
    owner
}

fn entry<'a>(views: &'a mut [(RunId, Entry)], id: &RunId) -> Option<&'a mut Entry> {
    views
        .iter_mut()
        .find(|(run, _)| run == id)
        .map(|(_, entry)| entry)
}

/// Lets go of the oldest views that no page shows and no driver draws into.
fn forget_idle(views: &mut Vec<(RunId, Entry)>) {
    let idle = |(run, entry): &(RunId, Entry)| entry.pages == 0 && !driven::has(run);
    let mut surplus = views
        .iter()
        .filter(|entry| idle(entry))
        .count()
        .saturating_sub(IDLE_VIEWS);
    views.retain(|entry| {
        let goes = surplus > 0 && idle(entry);
        if goes {
            surplus -= 1;
            entry.1.owner.cleanup();
        }
        !goes
    });
}

/// Whether a page shows the run; if none does, whoever watches it stops.
fn is_shown(id: &RunId) -> bool {
    VIEWS.with_borrow_mut(|views| {
        entry(views, id).is_some_and(|entry| {
            entry.watched = entry.pages > 0;
            entry.watched
        })
    })
}

/// Loads a run, takes it up if this browser was driving it, and looks again while it is open elsewhere.
async fn watch(id: RunId, view: RunView) {
    match driven::has(&id) {
        true => load_driving(&id, view).await,
        false => look(&id, view).await,
    }
    view.loading.set(false);
    let mut looks = 0_u32;
    loop {
        clock::sleep(POLL).await;
        if !is_shown(&id) {
            return;
        }
        looks += 1;
        if driven::has(&id) {
            if looks.is_multiple_of(SELDOM) {
                load_driving(&id, view).await;
            }
            continue;
        }
        let is_over = view
            .info
            .with_untracked(|info| info.as_ref().is_some_and(|info| info.state.is_over()));
        if !is_over {
            load(&id, view).await;
            load_driving(&id, view).await;
            if can_wait(view) {
                go_on(&id, view).await;
            }
        }
    }
}

async fn look(id: &RunId, view: RunView) {
    futures::join!(load(id, view), load_driving(id, view));
    go_on(id, view).await;
}

/// Takes a run up by itself that this browser was driving when its page went, if nobody else drives it now.
async fn go_on(id: &RunId, view: RunView) {
    // Without the browser's store every run is just somebody's.
    let Ok(Some(kept)) = keep::run(id).await else {
        return;
    };
    view.owned.set(true);
    let waits = view.info.with_untracked(|info| {
        info.as_ref().is_none_or(|info| {
            matches!(
                info.state,
                RunState::Open | RunState::Running | RunState::Idle
            )
        })
    });
    if kept.wish == Wish::Run && waits {
        take_up(id, TakeFrom::Nobody).await;
    }
}

/// Whether what went wrong with taking a run up, if anything did, may pass by itself.
fn can_wait(view: RunView) -> bool {
    view.problem.with_untracked(|problem| {
        problem
            .as_ref()
            .is_none_or(|problem| problem.code == api::UNREACHABLE)
    })
}

/// What a look at a run is worth: how much has ended, how it stands, and who drives it.
fn seen(info: &RunInfo) -> (u32, RunState, Option<Epoch>) {
    let epoch = info.lease.map(|lease| lease.epoch);
    (info.finished, info.state, epoch)
}

async fn load_driving(id: &RunId, view: RunView) {
    // What stands in the way of this stands in the way of the head, too, and is told there.
    if let Ok(driving) = api::driving::driving(id).await
        && view.driving.get_untracked().as_ref() != Some(&driving)
    {
        view.driving.set(Some(driving));
    }
}

/// Loads the head, and the summaries if anything has ended since the last look; both at once the first time.
async fn load(id: &RunId, view: RunView) {
    let before = view.info.with_untracked(|info| info.as_ref().map(seen));
    let (info, summaries) = match before {
        Some(_) => (api::run(id).await, None),
        None => {
            // The head is drawn while the summaries are on their way.
            let head = async {
                let info = api::run(id).await;
                view.info.set(info.as_ref().ok().cloned());
                info
            };
            let (info, summaries) = futures::join!(head, api::summaries(id));
            (info, Some(summaries))
        }
    };
    let info = match info {
        Ok(info) => {
            if view.problem.with_untracked(
                |problem| matches!(problem, Some(problem) if problem.code == api::UNREACHABLE),
            ) {
                view.problem.set(None);
            }
            info
        }
        Err(problem) => {
            view.problem.set(Some(problem));
            return;
        }
    };
    if before == Some(seen(&info)) {
        return;
    }
    let summaries = match summaries {
        Some(summaries) => summaries,
        None => api::summaries(id).await,
    };
    match summaries {
        Ok(summaries) if !driven::has(id) => view.summaries.set(summaries),
        Ok(_) => {}
        Err(problem) => view.problem.set(Some(problem)),
    }
    if view
        .info
        .with_untracked(|known| known.as_ref() != Some(&info))
    {
        view.info.set(Some(info));
    }
}

/// Takes up a run that this browser opened, where its transcripts end; what goes wrong stands in the view.
pub async fn take_up(id: &RunId, from: TakeFrom) {
    let view = view(id);
    let taken: Result<(), ApiError> = async { later::take_up(id.clone(), from).await?.await }.await;
    match taken {
        Ok(()) => {}
        // The page shows who drives it.
        Err(problem) if problem.code == DRIVEN_ELSEWHERE => {
            view.problem.set(None);
            load_driving(id, view).await;
        }
        Err(problem) => view.problem.set(Some(problem)),
    }
}

/// Hands a run to the server, which goes on with it; what goes wrong stands in the view.
pub async fn hand_over(id: &RunId) {
    let view = view(id);
    let handed: Result<(), ApiError> = async { later::hand_over(id.clone()).await?.await }.await;
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

/// The plays of a run that are under way in this page, as far as they have come; none if it is not driven here.
pub fn under_way(id: &RunId) -> Vec<(EpisodeKey, Arc<Summary>)> {
    driven::find(id).map_or_else(Vec::new, |driver| driver.under_way())
}

/// An episode's transcript as JSON lines: from the session that runs here, from this browser's store, or from the server.
///
/// # Errors
/// If none of them has it.
pub async fn transcript(id: &RunId, episode: &EpisodeKey) -> Result<String, ApiError> {
    if let Some(text) = driven::find(id).and_then(|driver| driver.transcript(episode)) {
        return Ok(text);
    }
    if driven::has(id)
        && let Ok(Some(text)) = keep::transcript(id, episode).await
    {
        return Ok(text);
    }
    match api::transcript(id, episode).await {
        Ok(text) => Ok(text),
        Err(problem) => match keep::transcript(id, episode).await {
            Ok(Some(text)) => Ok(text),
            Ok(None) | Err(_) => Err(problem),
        },
    }
}

/// What a replay of a run's transcripts needs.
#[derive(Clone)]
pub struct Ingredients {
    /// The whole set of tasks, decrypted in this page.
    pub tasks: TaskSet,
    /// The prompt pack.
    pub pack: Pack,
}

/// The tasks and the prompt pack of a run: from this browser if they were dropped here, else the server's bytes, decrypted here.
///
/// # Errors
/// If they are not at hand, or others lie under their names.
pub async fn ingredients(id: &RunId) -> Result<Ingredients, ApiError> {
    let known = view(id).info.get_untracked();
    let info = match known {
        Some(info) => info,
        None => api::run(id).await?,
    };
    Ok(Ingredients {
        tasks: library::tasks(&info.spec).await?,
        pack: library::pack(&info.spec).await?,
    })
}
