//! A run that is driven in this page: its loop, what it shows, and how it ends.

use std::cell::Cell;

use futures::StreamExt as _;
use futures::channel::mpsc;
use turnwise_shared::run::{self, Action};

use super::lease::Told;
use super::line::Line;
use super::multiplex::Multiplex;
use super::shelf::Shelf;
use super::watch::Watch;
use super::{Event, Live, at_once, enter, is_driver};
use crate::keep::{KeptRun, Wish};
use crate::live::{Control, Driving, Pace, RunView};
use crate::lock::Lock;
use crate::people::People;
use crate::prelude::*;
use crate::stint::Stint;
use crate::{api, clock, keep};

/// Milliseconds of work before the browser gets a turn.
const SLICE: f64 = 4.0;
/// Milliseconds between two drawings.
const DRAW: f64 = 500.0;
/// Milliseconds between two looks at whether lines should be kept; what came in between goes into one transaction.
const KEEP: f64 = 1000.0;
/// Milliseconds after which lines of running episodes go to the server too.
const FLUSH: f64 = 10_000.0;
/// The first wait before the head of the run is asked for again, in milliseconds.
const AGAIN: u32 = 1000;
const LATEST: u32 = 30_000;

/// What a slice of work ended with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Slice {
    More,
    /// Nothing can be done before something comes back.
    Waiting,
    Over,
}

impl Live {
    pub(super) fn start(
        kept: KeptRun,
        run: Run,
        shelf: Shelf,
        mut lock: Option<Lock>,
        view: RunView,
    ) -> Rc<Self> {
        let robbed = lock.as_mut().and_then(Lock::robbed);
        let mut run = run;
        run.pause_on_failures(kept.pause_after);
        let now = clock::now();
        let (events, inbox) = mpsc::unbounded();
        let id = kept.run.clone();
        let live = Rc::new(Live {
            calls: RefCell::new(Multiplex::new(id.clone(), kept.in_flight)),
            held: RefCell::default(),
            line: Line::default(),
            shelf: RefCell::new(shelf),
            uploads: Cell::new(0),
            refused: Cell::new(0),
            unkept: RefCell::default(),
            keeping: Cell::new(false),
            unkeepable: Cell::new(false),
            pages: RefCell::default(),
            undrawn: RefCell::default(),
            view,
            events,
            cancelled: Cell::new(false),
            told: Told::default(),
            thoughts: RefCell::default(),
            at_once: at_once(&run, kept.in_flight),
            watch: Cell::new(Watch {
                state: Driving::Running,
                before: 0.0,
                since: now,
                graded_before: run.progress().graded,
                drawn: 0.0,
                kept: 0.0,
                uploaded: 0.0,
                flushed: now,
            }),
            kept: RefCell::new(kept),
            run: RefCell::new(run),
            lock: RefCell::new(lock),
            id,
        });
        enter(&live);
        view.control.set(Some(Control::of(&live.id)));
        live.draw();
        spawn_local(Rc::clone(&live).drive(inbox));
        spawn_local(Rc::clone(&live).tick());
        if let Some(robbed) = robbed {
            let weak = Rc::downgrade(&live);
            spawn_local(async move {
                if robbed.await
                    && let Some(live) = weak.upgrade()
                {
                    live.give_way();
                }
            });
        }
        live
    }

    async fn drive(self: Rc<Self>, mut inbox: mpsc::UnboundedReceiver<Event>) {
        self.connect();
        self.refresh_info().await;
        let mut stint = Stint::of(SLICE);
        loop {
            if self.gives_way() {
                return self.step_aside().await;
            }
            let slice = self.work();
            self.rest_if_halted();
            self.pump();
            self.upload_now_and_then();
            let now = clock::now();
            if now - self.watch.get().kept > KEEP {
                self.keep_lines();
            }
            if now - self.watch.get().drawn > DRAW {
                stint.breathe().await;
                self.draw();
            }
            let came = match slice {
                Slice::More => None,
                Slice::Waiting => match inbox.try_recv() {
                    Ok(event) => Some(event),
                    Err(_) => {
                        let event = inbox.next().await;
                        stint.begin_anew();
                        event
                    }
                },
                Slice::Over => break,
            };
            // A message of the socket may bring many answers. As long as some are left nothing else would make this loop pause.
            if slice == Slice::More || stint.is_over() {
                stint.breathe().await;
            }
            if let Some(event) = came {
                self.take(event);
            }
            // What has come in meanwhile belongs to the same slice.
            let same = Stint::of(SLICE);
            while !same.is_over() {
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
        let stint = Stint::of(SLICE);
        loop {
            let doing = self.run.borrow_mut().poll();
            match doing {
                Action::Call { ticket, request } => self.call(ticket, request),
                Action::Person { ticket, ask } => self.ask_person(ticket, &ask),
                Action::Lines { episode, from, lines } => self.record(&episode, from, &lines),
                Action::Ended { episode, summary, .. } => {
                    self.shelf.borrow_mut().ended(&episode);
                    self.forget_questions(&episode);
                    self.undrawn.borrow_mut().insert(episode.its_play(), Arc::from(summary));
                }
                Action::Unfit { episode, problem } => {
                    let why =
                        format!("{episode} cannot be played under this configuration: {problem}");
                    self.view.problem.set(Some(api::error("unfit", why)));
                }
                Action::Wait => return Slice::Waiting,
                Action::Over => return Slice::Over,
            }
            if stint.is_over() {
                return Slice::More;
            }
        }
    }

    fn take(&self, event: Event) {
        match event {
            Event::Answer(answer) => self.tell_with(&answer.ticket, answer.reply, &answer.timing),
            Event::Look => {}
        }
    }

    pub(super) fn tell(&self, ticket: &run::Ticket, reply: Reply) {
        self.tell_with(ticket, reply, &Timing::default());
    }

    fn tell_with(&self, ticket: &run::Ticket, reply: Reply, timing: &Timing) {
        let told = self.run.borrow_mut().tell_with(ticket, reply, timing);
        if let Err(misuse) = told {
            // The server's reply does not fit its call, or the call was given up meanwhile. Only the first needs an answer.
            let failure = Failure::new(FailureClass::Undecodable, misuse.to_string());
            let _ = self.run.borrow_mut().tell(ticket, Reply::Failed(failure));
        }
    }

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
            at_once: self.at_once,
            halt: self.run.borrow().halt().cloned(),
        }));
        self.view.progress.set(Some(progress));
    }

    /// Draws once a second, so that a clock moves while nothing comes back.
    async fn tick(self: Rc<Self>) {
        while is_driver(&self) {
            clock::sleep(1000).await;
            if is_driver(&self) {
                self.keep_lines();
                self.upload_now_and_then();
                self.tell_how_it_stands();
                if clock::now() - self.watch.get().drawn > DRAW {
                    self.draw();
                }
            }
        }
    }

    /// Shows that the run has paused by itself, and lets it rest until the user resumes it.
    fn rest_if_halted(self: &Rc<Self>) {
        let is_halted = self.run.borrow().halt().is_some();
        if is_halted && matches!(self.watch.get().state, Driving::Running | Driving::Reconnecting) {
            self.turn_to(Driving::Paused, Wish::Rest);
        }
    }

    pub(super) fn turn_to(self: &Rc<Self>, state: Driving, wish: Wish) {
        let permits = match wish {
            Wish::Run => self.kept.borrow().in_flight,
            Wish::Rest | Wish::Done => 0,
        };
        self.calls.borrow_mut().set_permits(permits);
        self.show(state);
        self.tell_how_it_stands();
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

    pub(super) fn show(self: &Rc<Self>, state: Driving) {
        let now = clock::now();
        let mut watch = self.watch.get();
        watch.before = watch.elapsed(now);
        watch.since = now;
        watch.state = state;
        self.watch.set(watch);
        self.draw();
    }

    pub(super) fn look(&self) {
        // The loop is gone only when the run is over.
        let _ = self.events.unbounded_send(Event::Look);
    }

    /// Reads the head of the run, once or, if the server cannot be reached for now, until it can.
    async fn refresh_info(self: &Rc<Self>) {
        if self.has_read_info().await {
            return;
        }
        let live = Rc::clone(self);
        spawn_local(async move {
            let mut wait = AGAIN;
            loop {
                clock::sleep(wait).await;
                wait = (wait * 2).min(LATEST);
                if !is_driver(&live) || live.has_read_info().await {
                    return;
                }
            }
        });
    }

    /// Reads the head of the run. Returns whether there is no use in trying again.
    async fn has_read_info(&self) -> bool {
        match api::run(&self.id).await {
            Ok(info) => {
                self.view.info.set(Some(info));
                self.view.forget_what_passed();
                true
            }
            Err(problem) => {
                let is_for_good = !api::passes(&problem);
                self.view.problem.set(Some(problem));
                is_for_good
            }
        }
    }

    /// Stores the last lines, tells the server how the run stands, and lets go.
    async fn finish(self: &Rc<Self>, mut inbox: mpsc::UnboundedReceiver<Event>) {
        self.line.hang_up();
        self.view.people.set(People::default());
        Rc::clone(self).send_thoughts().await;
        self.show(Driving::Storing);
        // A store that refuses them now is not asked for ever: the server gets every line.
        self.unkeepable.set(false);
        loop {
            self.shelf.borrow_mut().flush();
            self.upload();
            if !self.unkeepable.get() {
                self.keep_lines();
            }
            if self.gives_way() {
                return self.step_aside().await;
            }
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
        if let Some(info) = self.tell_the_end(state).await {
            self.view.info.set(Some(info));
            if state == RunState::Closed && self.refused.get() == 0 {
                // What the server has whole need not lie here too.
                let _ = keep::drop_lines(&self.id).await;
            }
        }
        if self.gives_way() {
            return self.step_aside().await;
        }
        self.show(Driving::Done);
        self.let_go(wish).await;
    }
}
