//! The browser's driver: polls a [`Run`], sends its calls over one socket, tells what comes back, and hands every transcript
//! line to this browser's store and to the server.
//!
//! The run lies in a cell and is never borrowed across an `await`. The loop follows messages, not timers, because a page in
//! the background has its timers held back; and it gives the browser a turn after a few milliseconds of work, so that no
//! task is long, even where only bots play.

mod line;
mod multiplex;
mod resume;
mod shelf;
mod upload;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use futures::StreamExt as _;
use futures::channel::mpsc;
use leptos::prelude::*;
use leptos::task::spawn_local;
use turnwise_shared::effect::{Failure, FailureClass, Reply};
use turnwise_shared::metrics::summary::{Measured, Summary, summarise};
use turnwise_shared::prompt::Pack;
use turnwise_shared::run::{self, Doing, EpisodeKey, Ingredients, PartKey, Run};
use turnwise_shared::scheduler::Limits;
use turnwise_shared::spec::{BadSpec, Spec};
use turnwise_shared::tape::Tape;
use turnwise_shared::task::TaskSet;
use turnwise_shared::wire::{ApiError, OpenRun, RunId, RunState};

use crate::clock;
use crate::keep::{KeptRun, Wish};
use crate::live::{Driving, Pace, RunView};
use crate::lock::Lock;
use crate::{api, keep, live, lock};
use line::Line;
use multiplex::Multiplex;
use shelf::Shelf;

pub use resume::take_up;

/// Milliseconds of work before the browser gets a turn.
const SLICE: f64 = 8.0;
/// Milliseconds between two drawings.
const DRAW: f64 = 120.0;
/// Milliseconds after which lines of running episodes go to the server too.
const FLUSH: f64 = 10_000.0;

/// Everything that a new run is made of.
pub struct Launch {
    /// Everything that decides how it goes; a tape stands here as itself.
    pub spec: Spec,
    /// A name for people; may be empty.
    pub title: String,
    /// The whole set of tasks.
    pub tasks: TaskSet,
    /// The prompt pack.
    pub pack: Pack,
    /// The tapes that sit in seats, by name.
    pub tapes: BTreeMap<String, Tape>,
    /// Calls in flight at once.
    pub in_flight: u32,
}

/// Why a run could not be started.
#[derive(Debug, Clone, PartialEq)]
pub enum NotStarted {
    /// The configuration cannot be run.
    Spec(BadSpec),
    /// The server refused, or could not be reached.
    Server(ApiError),
}

/// Opens a run on the server and drives it in this page.
///
/// # Errors
/// [`NotStarted`]; nothing was opened then.
pub async fn launch(launch: Launch) -> Result<RunId, NotStarted> {
    let chosen = launch.spec.clone();
    let run = Run::new(ingredients(
        launch.spec,
        launch.tasks,
        launch.pack,
        launch.tapes,
        launch.in_flight,
    ))
    .map_err(NotStarted::Spec)?;
    let opened = api::open_run(&OpenRun {
        spec: run.spec().clone(),
        title: launch.title,
        episodes: run.progress().planned,
    })
    .await
    .map_err(NotStarted::Server)?;
    let kept = KeptRun {
        run: opened.run.clone(),
        token: opened.token,
        spec: chosen,
        in_flight: launch.in_flight,
        wish: Wish::Run,
        opened: clock::today(),
    };
    let view = live::view(&opened.run);
    if let Err(problem) = keep::put_run(&kept).await {
        view.problem.set(Some(problem));
    }
    // The id is fresh: nobody else can hold its lock.
    let lock = lock::take(&lock_name(&opened.run)).await;
    Live::start(kept, run, Shelf::default(), lock, view);
    Ok(opened.run)
}

/// Whether a run is driven in this page.
pub fn drives(id: &RunId) -> bool {
    find(id).is_some()
}

/// Sends nothing new; what is in flight comes back.
pub fn pause(id: &RunId) {
    if let Some(live) = find(id) {
        live.run.borrow_mut().pause();
        live.turn_to(Driving::Paused, Wish::Rest);
    }
}

/// Goes on after a pause.
pub fn go_on(id: &RunId) {
    if let Some(live) = find(id) {
        live.run.borrow_mut().resume();
        live.turn_to(Driving::Running, Wish::Run);
    }
}

/// Ends a run; what is under way ends incomplete and can be taken up again.
pub fn cancel(id: &RunId) {
    if let Some(live) = find(id) {
        live.cancelled.set(true);
        live.calls.borrow_mut().cancel_all();
        live.run.borrow_mut().cancel();
        live.turn_to(Driving::Cancelling, Wish::Rest);
    }
}

/// The lines so far of an episode that is under way here.
pub fn transcript(id: &RunId, episode: &EpisodeKey) -> Option<String> {
    find(id)?.pages.borrow().get(episode).cloned()
}

/// The plays that are under way here, in a few numbers each, as far as they have come.
pub fn under_way(id: &RunId) -> Vec<(EpisodeKey, Summary)> {
    let Some(live) = find(id) else {
        return Vec::new();
    };
    let run = live.run.borrow();
    let pages = live.pages.borrow();
    pages
        .keys()
        .filter(|episode| episode.part() == PartKey::Play)
        .filter_map(|episode| {
            let transcript = run.session(episode)?.transcript();
            let summary = summarise(&transcript, None, Measured::default());
            Some((episode.clone(), summary))
        })
        .collect()
}

/// What happened outside while the loop waited.
enum Event {
    /// Something came in over the socket, or the connection changed; it was dealt with, and the loop should look.
    Answer(multiplex::Answer),
    /// The loop should look again.
    Look,
}

/// What a slice of work ended with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Slice {
    /// Its time was up.
    More,
    /// Nothing can be done before something comes back.
    Waiting,
    /// Everything is over.
    Over,
}

/// A run that is driven in this page.
struct Live {
    id: RunId,
    kept: RefCell<KeptRun>,
    run: RefCell<Run>,
    calls: RefCell<Multiplex>,
    line: Line,
    shelf: RefCell<Shelf>,
    uploads: Cell<u32>,
    /// Episodes whose lines the server refused for good.
    refused: Cell<u32>,
    /// Lines that the browser's store does not have yet.
    unkept: RefCell<Vec<keep::Lines>>,
    keeping: Cell<bool>,
    /// Transcripts of episodes that this browser's store does not have whole.
    pages: RefCell<BTreeMap<EpisodeKey, String>>,
    /// Summaries that are not drawn yet.
    undrawn: RefCell<BTreeMap<EpisodeKey, Summary>>,
    view: RunView,
    events: mpsc::UnboundedSender<Event>,
    cancelled: Cell<bool>,
    watch: Cell<Watch>,
    _lock: Option<Lock>,
}

/// Times of a driver, in milliseconds of [`clock::now`].
#[derive(Clone, Copy)]
struct Watch {
    state: Driving,
    /// Driving before the last change between running and pausing.
    before: f64,
    /// When that change was.
    since: f64,
    /// Plays that were graded when the driver began.
    graded_before: u32,
    drawn: f64,
    flushed: f64,
}

impl Live {
    fn start(kept: KeptRun, run: Run, shelf: Shelf, lock: Option<Lock>, view: RunView) -> Rc<Self> {
        let now = clock::now();
        let (events, inbox) = mpsc::unbounded();
        let id = kept.run.clone();
        let live = Rc::new(Live {
            calls: RefCell::new(Multiplex::new(id.clone())),
            line: Line::default(),
            shelf: RefCell::new(shelf),
            uploads: Cell::new(0),
            refused: Cell::new(0),
            unkept: RefCell::default(),
            keeping: Cell::new(false),
            pages: RefCell::default(),
            undrawn: RefCell::default(),
            view,
            events,
            cancelled: Cell::new(false),
            watch: Cell::new(Watch {
                state: Driving::Running,
                before: 0.0,
                since: now,
                graded_before: run.progress().graded,
                drawn: 0.0,
                flushed: now,
            }),
            kept: RefCell::new(kept),
            run: RefCell::new(run),
            _lock: lock,
            id: id.clone(),
        });
        LIVE.with_borrow_mut(|all| all.insert(id, Rc::clone(&live)));
        view.control.set(Some(live::Control::of(&live.id)));
        live.draw();
        spawn_local(Rc::clone(&live).drive(inbox));
        spawn_local(Rc::clone(&live).tick());
        live
    }

    async fn drive(self: Rc<Self>, mut inbox: mpsc::UnboundedReceiver<Event>) {
        self.refresh_info().await;
        loop {
            let slice = self.work();
            self.pump();
            self.keep_lines();
            self.upload();
            if clock::now() - self.watch.get().drawn > DRAW {
                self.draw();
            }
            match slice {
                Slice::More => clock::breathe().await,
                Slice::Waiting => {
                    if let Some(event) = inbox.next().await {
                        self.take(event);
                    }
                }
                Slice::Over => break,
            }
            // What has come in meanwhile belongs to the same slice.
            let started = clock::now();
            while clock::now() - started < SLICE {
                match inbox.try_recv() {
                    Ok(event) => self.take(event),
                    Err(_) => break,
                }
            }
        }
        self.finish(inbox).await;
    }

    /// Polls the run for a few milliseconds.
    fn work(self: &Rc<Self>) -> Slice {
        let started = clock::now();
        loop {
            let doing = self.run.borrow_mut().poll();
            match doing {
                Doing::Call { ticket, request } => {
                    self.calls.borrow_mut().call(ticket, request);
                }
                Doing::Person { ticket, .. } => {
                    let failure = Failure::new(
                        FailureClass::Unavailable,
                        "a person cannot sit in a seat of this page yet",
                    );
                    self.tell(&ticket, Reply::Failed(failure));
                }
                Doing::Lines {
                    episode,
                    from,
                    lines,
                } => self.record(&episode, from, &lines),
                Doing::Ended {
                    episode, summary, ..
                } => {
                    self.shelf.borrow_mut().ended(&episode);
                    self.undrawn
                        .borrow_mut()
                        .insert(episode.its_play(), *summary);
                }
                Doing::Unfit { episode, problem } => self.view.problem.set(Some(api::error(
                    "unfit",
                    format!("{episode} cannot be played under this configuration: {problem}"),
                ))),
                Doing::Wait => return Slice::Waiting,
                Doing::Over => return Slice::Over,
            }
            if clock::now() - started > SLICE {
                return Slice::More;
            }
        }
    }

    fn record(&self, episode: &EpisodeKey, from: u64, lines: &[String]) {
        self.shelf.borrow_mut().add(episode, from, lines);
        let mut text = lines.join("\n");
        text.push('\n');
        self.pages
            .borrow_mut()
            .entry(episode.clone())
            .or_default()
            .push_str(&text);
        self.unkept.borrow_mut().push(keep::Lines {
            episode: episode.clone(),
            from,
            text,
        });
    }

    fn take(&self, event: Event) {
        match event {
            Event::Answer(answer) => self.tell(&answer.ticket, answer.reply),
            Event::Look => {}
        }
    }

    fn tell(&self, ticket: &run::Ticket, reply: Reply) {
        let told = self.run.borrow_mut().tell(ticket, reply);
        if let Err(misuse) = told {
            // The server's reply does not fit its call, or the call was given up meanwhile. Only the first needs an answer.
            let failure = Failure::new(FailureClass::Undecodable, misuse.to_string());
            let _ = self.run.borrow_mut().tell(ticket, Reply::Failed(failure));
        }
    }

    /// Writes what was recorded into the browser's store, one transaction after the other.
    fn keep_lines(self: &Rc<Self>) {
        if self.keeping.get() || self.unkept.borrow().is_empty() {
            return;
        }
        self.keeping.set(true);
        let live = Rc::clone(self);
        spawn_local(async move {
            loop {
                let lines = live.unkept.take();
                if lines.is_empty() {
                    break;
                }
                if let Err(problem) = keep::append(&live.id, &lines).await {
                    live.view.problem.set(Some(problem));
                    continue;
                }
                live.forget_pages(&lines);
            }
            live.keeping.set(false);
            live.look();
        });
    }

    /// Transcripts of episodes that are over need not stay in memory once they are kept.
    fn forget_pages(&self, kept: &[keep::Lines]) {
        let run = self.run.borrow();
        let unkept = self.unkept.borrow();
        self.pages.borrow_mut().retain(|episode, _| {
            let was_kept = kept.iter().any(|lines| lines.episode == *episode);
            let more = unkept.iter().any(|lines| lines.episode == *episode);
            !was_kept || more || run.session(episode).is_some()
        });
    }

    /// Shows what has changed.
    fn draw(self: &Rc<Self>) {
        let now = clock::now();
        let mut watch = self.watch.get();
        watch.drawn = now;
        if now - watch.flushed > FLUSH {
            watch.flushed = now;
            self.shelf.borrow_mut().flush();
            self.upload();
        }
        self.watch.set(watch);
        let fresh = self.undrawn.take();
        if !fresh.is_empty() {
            self.view.summaries.update(|all| all.extend(fresh));
        }
        let progress = self.run.borrow().progress();
        let elapsed = watch.elapsed(now);
        let done = progress.graded.saturating_sub(watch.graded_before);
        let to_do = progress.planned.saturating_sub(progress.graded);
        self.view.pace.set(Some(Pace {
            driving: watch.state,
            elapsed: elapsed as u64,
            left: (done > 0).then(|| (elapsed * f64::from(to_do) / f64::from(done)) as u64),
            unstored: self.shelf.borrow().unstored(),
        }));
        self.view.progress.set(Some(progress));
    }

    /// Draws once a second, so that a clock moves while nothing comes back.
    async fn tick(self: Rc<Self>) {
        while drives(&self.id) {
            clock::sleep(1000).await;
            if drives(&self.id) && clock::now() - self.watch.get().drawn > DRAW {
                self.draw();
            }
        }
    }

    fn turn_to(self: &Rc<Self>, state: Driving, wish: Wish) {
        self.show(state);
        self.kept.borrow_mut().wish = wish;
        let live = Rc::clone(self);
        spawn_local(async move {
            let kept = live.kept.borrow().clone();
            if let Err(problem) = keep::put_run(&kept).await {
                live.view.problem.set(Some(problem));
            }
        });
        self.look();
    }

    fn show(self: &Rc<Self>, state: Driving) {
        let now = clock::now();
        let mut watch = self.watch.get();
        watch.before = watch.elapsed(now);
        watch.since = now;
        watch.state = state;
        self.watch.set(watch);
        self.draw();
    }

    fn look(&self) {
        // The loop is gone only when the run is over.
        let _ = self.events.unbounded_send(Event::Look);
    }

    async fn refresh_info(&self) {
        match api::run(&self.id).await {
            Ok(info) => self.view.info.set(Some(info)),
            Err(problem) => self.view.problem.set(Some(problem)),
        }
    }

    /// Stores the last lines, tells the server how the run stands, and lets go.
    async fn finish(self: &Rc<Self>, mut inbox: mpsc::UnboundedReceiver<Event>) {
        self.line.hang_up();
        self.show(Driving::Storing);
        loop {
            self.shelf.borrow_mut().flush();
            self.upload();
            self.keep_lines();
            let stored = self.shelf.borrow().unstored() == 0 && self.uploads.get() == 0;
            if stored && !self.keeping.get() {
                break;
            }
            inbox.next().await;
        }
        let incomplete = self.run.borrow().progress().incomplete > 0;
        let (state, wish) = match (self.cancelled.get(), incomplete) {
            (false, false) => (RunState::Closed, Wish::Done),
            _ => (RunState::Cancelled, Wish::Rest),
        };
        let token = self.kept.borrow().token.clone();
        match api::set_state(&self.id, &token, state).await {
            Ok(info) => {
                self.view.info.set(Some(info));
                if state == RunState::Closed && self.refused.get() == 0 {
                    // What the server has whole need not lie here too.
                    let _ = keep::drop_lines(&self.id).await;
                }
            }
            Err(problem) => self.view.problem.set(Some(problem)),
        }
        self.show(Driving::Done);
        self.kept.borrow_mut().wish = wish;
        let kept = self.kept.borrow().clone();
        if let Err(problem) = keep::put_run(&kept).await {
            self.view.problem.set(Some(problem));
        }
        LIVE.with_borrow_mut(|all| all.remove(&self.id));
        self.view.control.set(None);
        self.view.progress.set(None);
        self.view.pace.set(None);
        self.view.can_take_up.set(wish == Wish::Rest);
    }
}

impl Watch {
    /// Milliseconds of driving, pauses left out.
    fn elapsed(&self, now: f64) -> f64 {
        match self.state {
            Driving::Paused | Driving::Done => self.before,
            _ => self.before + now - self.since,
        }
    }
}

thread_local! {
    static LIVE: RefCell<BTreeMap<RunId, Rc<Live>>> = const { RefCell::new(BTreeMap::new()) };
}

fn find(id: &RunId) -> Option<Rc<Live>> {
    LIVE.with_borrow(|all| all.get(id).cloned())
}

fn lock_name(id: &RunId) -> String {
    format!("turnwise.run.{id}")
}

fn ingredients(
    spec: Spec,
    tasks: TaskSet,
    pack: Pack,
    tapes: BTreeMap<String, Tape>,
    in_flight: u32,
) -> Ingredients {
    let in_flight = usize::try_from(in_flight).unwrap_or(usize::MAX);
    Ingredients {
        spec,
        tasks,
        pack,
        tapes,
        limits: Limits::new(in_flight),
    }
}
