//! The server drives a run: the native driver over the store, its calls through the one door.

use std::sync::Arc;

use turnwise_shared::prelude::*;
use turnwise_shared::wire::driving::{self, DRIVEN_ELSEWHERE, Holder, Move, RunState};

use super::hands::Seat;
use super::lease::{TRIES, again, lives_until, possible, too_many, turn};
use super::record::Flush;
use super::{plan, record};
use crate::clock::now;
use crate::driver::{Finish, Outside, Stop, drive};
use crate::error::{Answer, Problem};
use crate::store::{MayBeOutage as _, RunHead, Taking};
use crate::{App, measures};

/// The most calls in flight of a run that the server drives.
const MOST_IN_FLIGHT: u32 = 64;

enum End {
    /// Everything is over, except for this number of episodes that could not be finished.
    Over {
        incomplete: u32,
    },
    /// It has paused by itself.
    Halted(ApiError),
    /// Another driver drives the run, or its owner set another state: they decide what becomes of it.
    Followed,
    Left,
    /// The database cannot be used. The run stays the server's: the search for runs that were left goes on with it.
    Away,
}

/// Makes the server drive a run, whichever driver has it now. Nothing happens if it does already.
///
/// # Errors
/// If it cannot; the current driver goes on then.
pub async fn begin(app: &App, mut head: RunHead, wish: Drive) -> Answer<()> {
    if app.drives().has(&head.run) {
        return Ok(());
    }
    let wish = Drive { in_flight: wish.in_flight.clamp(1, MOST_IN_FLIGHT), ..wish };
    let seat = app.drives().sit(&head.run)?;
    possible(&head, Move::Take)?;
    let run = plan::plan(app, &head, wish.in_flight).await?;
    for _ in 0..TRIES {
        possible(&head, Move::Take)?;
        let taking = Taking {
            holder: Holder::Server,
            until: lives_until(Holder::Server),
            drive: Some(wish),
        };
        if let Some(lease) = app.store().take_lease(&head, &taking).await? {
            app.drives().tell(&head.run, lease.epoch);
            let head = again(app, &head.run).await?;
            tokio::spawn(hold(app.clone(), head, lease, wish, run, seat));
            return Ok(());
        }
        head = again(app, &head.run).await?;
    }
    Err(too_many())
}

/// Drives a run that is the server's now, and says how it stands in the end.
async fn hold(app: App, head: RunHead, lease: Lease, wish: Drive, run: Run, seat: Seat) {
    let end = match play(&app, &head, lease, wish, run, &seat).await {
        Ok(end) => end,
        Err(problem) if problem.error.code == DRIVEN_ELSEWHERE => End::Followed,
        Err(problem) if problem.is_outage() => {
            tracing::warn!(run = %head.run, %problem, "a run waits for the database");
            End::Away
        }
        Err(problem) => {
            tracing::error!(run = %head.run, %problem, "the server cannot go on with a run");
            End::Halted(problem.error)
        }
    };
    if let Err(problem) = settle(&app, &head, lease, end).await {
        tracing::warn!(run = %head.run, %problem, "how a run stands could not be written down");
    }
}

async fn play(
    app: &App,
    head: &RunHead,
    lease: Lease,
    wish: Drive,
    run: Run,
    seat: &Seat,
) -> Answer<End> {
    let (mut keeper, writer) = record::pair(app, head, lease.epoch, seat.progress.clone());
    // It says that the driver is there while transcripts are replayed, too.
    let stops = seat.stops.clone();
    let writing = tokio::spawn(async move {
        let written = writer.write().await;
        if written.is_err() {
            stops.send_replace(Stop::Now);
        }
        written
    });
    let restored = plan::restore(app, head, run, &seat.stop).await;
    let (finish, run) = match restored {
        Ok(mut run) => {
            run.pause_on_failures(wish.pause_after);
            let door =
                Arc::new(Door { app: app.clone(), head: head.clone(), flush: keeper.flush() });
            let finish = drive(&mut run, &door, &mut keeper, seat.stop.clone()).await;
            (Ok(finish), Some(run))
        }
        Err(problem) => (Err(problem), None),
    };
    drop(keeper);
    writing.await.map_err(Problem::internal)??;
    let Ok(finish) = finish?;
    let stop = *seat.stop.borrow();
    Ok(match (finish, run.as_ref().and_then(Run::halt)) {
        (Finish::Over, _) => {
            End::Over { incomplete: run.map_or(0, |run| run.progress().incomplete) }
        }
        (Finish::Halted, Some(halt)) => End::Halted(driving::trouble(halt)),
        (Finish::Halted | Finish::Stopped, _) if stop == Stop::Soon => End::Left,
        (Finish::Halted | Finish::Stopped, _) => End::Followed,
    })
}

/// Says how a run stands once its driver has ended.
async fn settle(app: &App, head: &RunHead, lease: Lease, end: End) -> Answer<()> {
    let (state, trouble) = match end {
        End::Followed | End::Away => return Ok(()),
        End::Left => {
            // It stays the server's, and running: the next server that starts goes on with it.
            let run = &head.run;
            return Ok(app.store().shorten_lease(run, lease.epoch, now()).await?);
        }
        End::Over { incomplete: 0 } => (RunState::Closed, None),
        End::Over { .. } => (RunState::Cancelled, None),
        End::Halted(trouble) => (RunState::Paused, Some(trouble)),
    };
    if head.regrades.is_some() {
        // Plays that needed no grading have numbers as well.
        measures::bring_up_to_date(app, head).await?;
    }
    let wanted = SetState { state, epoch: lease.epoch, trouble };
    turn(app, again(app, &head.run).await?, wanted).await
}

/// Calls of a run that the server drives go out by the same door as those of a page.
struct Door {
    app: App,
    head: RunHead,
    flush: Flush,
}

impl Outside for Door {
    async fn answer(&self, ticket: Ticket, request: Outgoing) -> (Reply, Timing) {
        if matches!(request, Outgoing::Sealed { .. }) {
            // What is asked there follows from the stored transcript.
            self.flush.flush().await;
        }
        let key = CallKey::of(&self.head.run, &ticket);
        let calls = self.app.calls();
        match calls.make(&self.head, key, request, Stream::Whole, None) {
            Ok(mut waiting) => {
                let CallAnswer { reply, timing } = waiting.answer().await;
                (reply, timing)
            }
            Err(problem) => {
                let failure = Failure::new(FailureClass::Rejected, problem.error.message);
                (Reply::Failed(failure), Timing::default())
            }
        }
    }
}
