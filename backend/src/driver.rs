//! The native driver: a loop on tokio over [`Run`]. It sends what the run wants sent and keeps what the run says, in order.
//!
//! It decides nothing. Who is asked what, and what a reply means, is the run's business; how a call is made is that of
//! [`Outside`]; where lines go is that of [`Recorder`].

use std::collections::HashMap;
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::{Id, JoinError, JoinSet};
use tokio::time::{Instant, sleep, sleep_until};

use turnwise_shared::prelude::*;
use turnwise_shared::run::Action;

/// How long calls that are in flight are waited for after the first request to stop: they are paid for.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// So often a recorder hears how far the run is, at least.
const TICK: Duration = Duration::from_millis(250);

/// Who answers what only the outside can answer: models and search engines.
pub trait Outside: Send + Sync + 'static {
    /// Makes a call, with whatever retries are due, and says what came back and what it took.
    fn answer(
        &self,
        ticket: Ticket,
        request: Outgoing,
    ) -> impl Future<Output = (Reply, Timing)> + Send;
}

/// Where a run's lines go, and who hears how it goes.
pub trait Recorder {
    /// Why something cannot be kept; it stops the run.
    type Error;

    /// Keeps lines of an episode's transcript; `from` is the number of the first, from 0. The next call, and the answer
    /// to the last, are not before this returns.
    ///
    /// # Errors
    /// If they cannot be kept.
    fn keep(
        &mut self,
        episode: &EpisodeKey,
        from: u64,
        lines: &[String],
    ) -> Result<(), Self::Error>;

    /// Keeps what a call took.
    ///
    /// # Errors
    /// If it cannot be kept.
    fn timed(&mut self, ticket: &Ticket, timing: &Timing) -> Result<(), Self::Error>;

    /// An episode has ended; an episode whose grading ends is summarised anew.
    fn ended(&mut self, episode: &EpisodeKey, outcome: &Outcome, summary: Summary);

    /// A task cannot be played under this spec.
    fn unfit(&mut self, episode: &EpisodeKey, problem: &BadSpec);

    /// How far it is; called often.
    fn progress(&mut self, progress: &Progress);
}

/// What a driver is asked to do from outside.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stop {
    #[default]
    No,
    /// Send nothing more, wait [`PATIENCE`] for what is in flight, and stop.
    Soon,
    /// Stop at once.
    Now,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finish {
    Over,
    /// It was stopped; its transcripts can be taken up again where they end.
    Stopped,
    /// It has paused by itself, as [`Run::halt`] reports, and no user is here to resume it; it can be taken up again, too.
    Halted,
}

/// Drives a run to its end, or until it is stopped or pauses by itself. A stopped run leaves its transcripts as they are: what was under way
/// waits there for an answer, and [`Run::restore`] takes it up.
///
/// # Errors
/// The first error of the recorder. The run received nothing whose lines are not kept, so it can be taken up again.
///
/// # Panics
/// If a person sits in a seat; the plan of a native run refuses that.
pub async fn drive<O: Outside, R: Recorder>(
    run: &mut Run,
    outside: &Arc<O>,
    recorder: &mut R,
    mut stop: watch::Receiver<Stop>,
) -> Result<Finish, R::Error> {
    let mut calls = Calls::default();
    let mut patience = None;
    loop {
        let wanted = *stop.borrow();
        if wanted != Stop::No && !run.is_paused() {
            run.pause();
        }
        if wanted == Stop::Soon && patience.is_none() {
            patience = Some(Instant::now() + PATIENCE);
        }
        match run.poll() {
            Action::Call { ticket, request } => calls.send(ticket, request, outside),
            Action::Lines { episode, from, lines } => recorder.keep(&episode, from, &lines)?,
            Action::Ended { episode, outcome, summary } => {
                recorder.ended(&episode, &outcome, *summary);
                recorder.progress(&run.progress());
                // A run of bots never waits: give signals and other tasks their turn.
                tokio::task::yield_now().await;
            }
            Action::Unfit { episode, problem } => recorder.unfit(&episode, &problem),
            Action::Person { ticket, .. } => {
                unreachable!("a native run has no person, and {ticket:?} asks one")
            }
            Action::Over => {
                recorder.progress(&run.progress());
                return Ok(Finish::Over);
            }
            Action::Wait if wanted == Stop::Now || (patience.is_some() && calls.is_empty()) => {
                return Ok(Finish::Stopped);
            }
            Action::Wait if run.halt().is_some() && calls.is_empty() => {
                recorder.progress(&run.progress());
                return Ok(Finish::Halted);
            }
            Action::Wait => {
                recorder.progress(&run.progress());
                let deadline = pin!(async {
                    match patience {
                        Some(at) => sleep_until(at).await,
                        None => std::future::pending().await,
                    }
                });
                tokio::select! {
                    Some((ticket, reply, timing)) = calls.next() => {
                        if let Some(timing) = &timing {
                            recorder.timed(&ticket, timing)?;
                        }
                        tell(run, &ticket, reply, &timing.unwrap_or_default());
                    }
                    Ok(()) = stop.changed() => {}
                    () = deadline => return Ok(Finish::Stopped),
                    () = sleep(TICK) => {}
                }
            }
        }
    }
}

/// A reply that does not fit its call is the outside's error, and the run hears of a failure instead.
fn tell(run: &mut Run, ticket: &Ticket, reply: Reply, timing: &Timing) {
    if let Err(misuse) = run.tell_with(ticket, reply, timing) {
        let failure = Failure::new(FailureClass::Undecodable, misuse.to_string());
        // If the call is not open any more, no episode waits for the reply.
        let _ = run.tell(ticket, Reply::Failed(failure));
    }
}

#[derive(Default)]
struct Calls {
    tasks: JoinSet<(Reply, Timing)>,
    tickets: HashMap<Id, Ticket>,
}

impl Calls {
    fn send<O: Outside>(&mut self, ticket: Ticket, request: Outgoing, outside: &Arc<O>) {
        let outside = outside.clone();
        let call = ticket.clone();
        let handle = self.tasks.spawn(async move { outside.answer(call, request).await });
        self.tickets.insert(handle.id(), ticket);
    }

    fn is_empty(&self) -> bool {
        self.tasks.is_empty()
    }

    /// The next call that comes back; `None` if none is in flight.
    async fn next(&mut self) -> Option<(Ticket, Reply, Option<Timing>)> {
        match self.tasks.join_next_with_id().await? {
            Ok((id, (reply, timing))) => {
                let ticket = self.tickets.remove(&id)?;
                Some((ticket, reply, Some(timing)))
            }
            Err(error) => {
                let ticket = self.tickets.remove(&error.id())?;
                Some((ticket, Reply::Failed(broke_off(&error)), None))
            }
        }
    }
}

/// The task that made a call panicked: an error of ours, but no reason to lose the run.
fn broke_off(error: &JoinError) -> Failure {
    let what = if error.is_panic() { "panicked" } else { "was dropped" };
    Failure::new(
        FailureClass::Unavailable,
        format!("the program's own task for this call {what}; please report this"),
    )
}
