//! What a page may show of a run, live or stored, and where its transcripts come from.

pub(crate) mod leftover;

use turnwise_shared::run::Halt;
use turnwise_shared::wire;

use crate::driven::{self, Driver};
use crate::people::{People, has_people};
use crate::prelude::*;
use crate::{api, keep, library, reader};

/// The code of the error that says that the server has no such thing.
const NOT_FOUND: &str = "not_found";

/// Views without a page that are kept, so that going back and forth does not load anew.
const IDLE_VIEWS: usize = 4;

/// Everything a page may show of a run, live or stored.
#[derive(Clone, Copy)]
pub struct RunView {
    /// The run's head; `None` until it has been loaded.
    pub info: RwSignal<Option<RunInfo>>,
    /// The episodes in a few numbers, by the episode's key; with the newest grading counted in once there is one.
    pub summaries: RwSignal<BTreeMap<EpisodeKey, Arc<Summary>>>,
    /// Whether the server has newer summaries that could not be had when they were asked for, and may be had later.
    pub(crate) lacks_summaries: RwSignal<bool>,
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
    Running,
    /// Nothing new is sent; what is in flight comes back.
    Paused,
    /// The connection to the server was lost; it is being made again.
    Reconnecting,
    /// What is open is being ended, because the run was cancelled.
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

    /// Leaves the task of a person for the others that wait.
    pub fn postpone(&self) {
        self.tell(|driver| driver.postpone());
    }
}

impl RunView {
    fn blank() -> Self {
        RunView {
            info: RwSignal::new(None),
            summaries: RwSignal::new(BTreeMap::new()),
            lacks_summaries: RwSignal::new(false),
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

    /// Whether what came of episodes is hidden, because a person still answers and must not be led by it.
    pub fn is_blind(self) -> bool {
        self.info.is_some_and(|RunInfo { spec, state, .. }| {
            let benchmark = registry::find(&spec.benchmark);
            let people = benchmark.ok().and_then(|benchmark| benchmark.people());
            people.is_some_and(|people| people.is_blind) && has_people(spec) && !state.is_over()
        })
    }

    /// Gives an order to the driver of the run, if it is driven here.
    pub fn order(self, give: impl FnOnce(&Control)) {
        if let Some(control) = self.control.get_untracked() {
            give(&control);
        }
    }

    /// What passes by itself has passed, as something just showed that could not have succeeded before: it is not shown any more.
    pub(crate) fn forget_what_passed(self) {
        self.forget_if(api::passes);
    }

    /// Something that went wrong went right now: it is not shown any more.
    pub(crate) fn forget(self, code: &str) {
        self.forget_if(|problem| problem.code == code);
    }

    fn forget_if(self, is_over: impl Fn(&ApiError) -> bool) {
        let is_over = self.problem.with_untracked(|problem| problem.as_ref().is_some_and(is_over));
        if is_over {
            self.problem.set(None);
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
    /// Whether [`crate::looking`] looks after it.
    watched: bool,
    /// Whether a page was made of all its episodes; else they can wait until the user begins to read.
    whole: bool,
}

thread_local! {
    static VIEWS: RefCell<Vec<(RunId, Entry)>> = const { RefCell::new(Vec::new()) };
}

/// The view of a run for a page that shows it; whether it is looked after already. A page of one episode needs the others only
/// once the user begins to read ([`crate::reader`]); `whole` is one of all.
///
/// To be called inside a component; the page counts until it is gone.
pub(crate) fn shown(id: &RunId, whole: bool) -> (RunView, bool) {
    let view = view(id);
    let watched = VIEWS.with_borrow_mut(|views| {
        entry(views, id).is_none_or(|entry| {
            entry.pages += 1;
            entry.whole |= whole;
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
    (view, watched)
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
        let entry = Entry { owner, view, pages: 0, watched: false, whole: false };
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
    views.iter_mut().find(|(run, _)| run == id).map(|(_, entry)| entry)
}

/// Lets go of the oldest views that no page shows and no driver draws into.
fn forget_idle(views: &mut Vec<(RunId, Entry)>) {
    let idle = |(run, entry): &(RunId, Entry)| entry.pages == 0 && !driven::has(run);
    let mut surplus = views.iter().filter(|entry| idle(entry)).count().saturating_sub(IDLE_VIEWS);
    views.retain(|entry| {
        let goes = surplus > 0 && idle(entry);
        if goes {
            surplus -= 1;
            entry.1.owner.cleanup();
        }
        !goes
    });
}

/// Whether a page shows the run; if none does, the task that watches it stops.
pub(crate) fn is_shown(id: &RunId) -> bool {
    VIEWS.with_borrow_mut(|views| {
        entry(views, id).is_some_and(|entry| {
            entry.watched = entry.pages > 0;
            entry.watched
        })
    })
}

/// Whether the view of a run is kept.
pub(crate) fn is_kept(id: &RunId) -> bool {
    VIEWS.with_borrow_mut(|views| entry(views, id).is_some())
}

/// Whether the episodes of a run can wait until the user begins to read.
pub(crate) fn can_wait_for_reader(id: &RunId) -> bool {
    let whole = VIEWS.with_borrow_mut(|views| entry(views, id).is_some_and(|entry| entry.whole));
    !whole && !reader::has_begun()
}

/// The episodes of a run that are under way in this page, as far as they have come; none if it is not driven here.
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

/// The transcript of an episode's grading, from wherever it lies; `None` if the episode is not graded. The server
/// is not asked for one of a game, which needs none, nor for one that its list of what it has (`stored`) does not name.
///
/// # Errors
/// If it cannot be had now; the episode may be graded.
pub async fn grading(
    id: &RunId,
    play: &EpisodeKey,
    summary: &Summary,
    stored: &Stored,
) -> Result<Option<String>, ApiError> {
    if EpisodeStatus::of(summary) == EpisodeStatus::Played {
        return Ok(None);
    }
    let grading = play.grading();
    if !stored.may_have(&grading) {
        return Ok(here(id, &grading).await);
    }
    match transcript(id, &grading).await {
        Ok(text) => Ok(Some(text)),
        Err(problem) if problem.code == NOT_FOUND => Ok(None),
        Err(problem) => Err(problem),
    }
}

/// A transcript that this page or this browser has.
async fn here(id: &RunId, episode: &EpisodeKey) -> Option<String> {
    match driven::find(id).and_then(|driver| driver.transcript(episode)) {
        Some(text) => Some(text),
        None => keep::transcript(id, episode).await.ok()?,
    }
}

/// Which transcripts of a run the server has, as far as it says so.
pub struct Stored(Option<BTreeSet<EpisodeKey>>);

impl Stored {
    /// As the server lists them. Where it does not, any may be there.
    pub async fn of(id: &RunId) -> Self {
        let heads = api::episodes(id).await.ok();
        Stored(heads.map(|heads| heads.into_iter().map(|head| head.episode).collect()))
    }

    fn may_have(&self, episode: &EpisodeKey) -> bool {
        let Stored(known) = self;
        known.as_ref().is_none_or(|known| known.contains(episode))
    }
}

/// What a replay of a run's transcripts needs.
#[derive(Clone)]
pub struct Ingredients {
    /// The whole set of tasks, decrypted in this page.
    pub tasks: TaskSet,
    pub pack: Pack,
}

/// The names that people gave at the table of a run, by their seats; none where it was no table, or while it goes on.
pub async fn names(id: &RunId, spec: &Spec, view: RunView) -> BTreeMap<Seat, String> {
    let mut seats = spec.seats.values();
    if !seats.any(|sitting| sitting.player == Player::Person) {
        return BTreeMap::new();
    }
    let info = match view.info.try_get_untracked().flatten() {
        Some(info) => Some(info),
        None => api::run(id).await.ok(),
    };
    // The lease of a table is never taken, and of other runs nothing is asked that the server would have to deny.
    let is_table =
        |info: RunInfo| info.lease.is_none() && info.branch_of.is_none() && info.state.is_over();
    if !info.is_some_and(is_table) {
        return BTreeMap::new();
    }
    let table = api::live::info(id).await;
    table.map(|table| table.names()).unwrap_or_default()
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
