//! Live tables: runs in which people sit, driven here (ARCHITECTURE.md, rule 32); the wire is described in
//! [`turnwise_shared::wire::live`].
//!
//! A table is one task, its [`Host`], that owns everything: who sits, the run, the clocks. Routes hold a [`Room`], a hand
//! on it: they look at views and send commands. Nothing else of a run leaves the host before the table is over.
//!
//! A server that stops ends its tables cleanly, as interrupted; one that was killed ends them when it starts again
//! ([`tidy`]). What was played until then is kept, and no table is taken up again: no player waits at it.

mod chair;
mod host;
mod open;
mod plan;
mod play;
mod record;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::Instant;
use turnwise_shared::fairness::Proof;
use turnwise_shared::prelude::*;
use turnwise_shared::wire::live::{Awaited, LiveEnd, LiveEnding, SeatSays};

use host::Host;

use crate::App;
use crate::clock::now;
use crate::error::{Answer, Problem};
use crate::store::{MayBeOutage as _, OpenTable, Store, StoreError};

pub use open::open;
pub use plan::Opener;

/// How many tables that are over stay at hand, for those who look once more.
const OVER: usize = 256;

/// Visitors may hold one table of this number, and one at least.
const VISITORS: usize = 4;

/// Between two looks for tables of servers that are gone.
const LOOK: Duration = Duration::from_secs(5);

/// The tables of a server.
#[derive(Default)]
pub struct Rooms(Mutex<BTreeMap<RunId, Arc<Room>>>);

/// A hand on a table.
pub struct Room {
    /// Tickets are kept as hashes.
    tickets: BTreeMap<Seat, Digest>,
    /// The hash of the token of the client that opened it.
    token: Digest,
    /// Whether a visitor opened it, without the access token.
    is_visitors: bool,
    info: watch::Receiver<LiveInfo>,
    views: BTreeMap<Seat, watch::Receiver<Arc<Seen>>>,
    commands: mpsc::Sender<Command>,
}

/// Commands to a host.
enum Command {
    /// A player in a seat says something.
    Said { seat: Seat, says: SeatSays, answer: oneshot::Sender<Answer<()>> },
    /// A socket stands; it goes when the sender is dropped.
    Connected { seat: Seat, hold: oneshot::Sender<()> },
    /// A socket has gone, or a script has looked.
    Seen { seat: Seat },
    /// The client that opened the table ends it.
    Cancel,
}

/// A view, and the times in it.
#[derive(Debug)]
pub struct Seen {
    view: SeatView,
    /// Since when its question stands.
    asked: Option<Instant>,
    /// For whom the seat waits.
    awaits: Option<Awaits>,
}

/// The decision of another person, as shown to those who wait for it.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Awaits {
    /// The number of their question.
    turn: u32,
    decision: Duration,
    /// What was in the bank before this decision.
    bank: Duration,
    /// When the decision is taken away.
    until: Instant,
}

impl Seen {
    /// The view as it is sent now.
    pub fn now(&self) -> SeatView {
        let mut view = self.view.clone();
        if let (Some(ask), Some(asked)) = (&mut view.ask, self.asked)
            && view.table.clock.runs()
        {
            let left =
                (ask.decision_ms + ask.bank_ms).saturating_sub(milliseconds(asked.elapsed()));
            ask.deadline_in_ms = Some(left);
        }
        view.awaited = self.awaits.map(|awaits| Awaited {
            decision_ms: milliseconds(awaits.decision),
            bank_ms: milliseconds(awaits.bank),
            deadline_in_ms: milliseconds(awaits.until.saturating_duration_since(Instant::now())),
        });
        view
    }

    pub fn version(&self) -> u64 {
        self.view.version
    }

    /// Whether nothing will change any more.
    pub fn is_over(&self) -> bool {
        self.view.table.stage == LiveStage::Over
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

impl Rooms {
    /// The table of a run, if it is at hand.
    pub fn find(&self, run: &RunId) -> Option<Arc<Room>> {
        self.lock().get(run).cloned()
    }

    /// What everybody may know of the tables that are not over, in the order in which they were opened.
    pub fn open_ones(&self) -> Vec<LiveInfo> {
        let mut open: Vec<LiveInfo> = self
            .lock()
            .values()
            .map(|table| table.info())
            .filter(|info| info.stage != LiveStage::Over)
            .collect();
        open.sort_by_key(|info| info.opened);
        open
    }

    /// How many tables of visitors on this server have not begun: they are no runs yet.
    pub fn visitors_in_lobbies(&self) -> u64 {
        let tables = self.lock();
        let waiting = tables
            .values()
            .filter(|table| table.is_visitors && !table.is_over())
            .filter(|table| table.info.borrow().stage == LiveStage::Lobby);
        waiting.count() as u64
    }

    /// Puts a table among the others, if there is room.
    fn add(&self, run: RunId, table: Arc<Room>, most: usize) -> Answer<()> {
        let mut tables = self.lock();
        let mut over: Vec<(u64, RunId)> = tables
            .iter()
            .filter(|(_, table)| table.is_over())
            .map(|(run, table)| (table.info.borrow().opened, run.clone()))
            .collect();
        if tables.len() - over.len() >= most {
            return Err(Problem::conflict(format!(
                "There are {most} live tables open, and the server has no room for more."
            ))
            .mend("Wait until one is over."));
        }
        let is_held = |other: &&Arc<Room>| other.is_visitors && !other.is_over();
        if table.is_visitors && tables.values().filter(is_held).count() >= (most / VISITORS).max(1)
        {
            return Err(Problem::full(
                "As many tables of visitors are open here as may be at once.",
            )
            .mend("Wait until one is over."));
        }
        over.sort();
        let too_many = over.len().saturating_sub(OVER);
        for (_, old) in over.drain(..too_many) {
            tables.remove(&old);
        }
        tables.insert(run, table);
        Ok(())
    }

    fn remove(&self, run: &RunId) {
        self.lock().remove(run);
    }

    /// Waits until every table is over.
    pub async fn close(&self) {
        let tables: Vec<_> = self.lock().values().cloned().collect();
        for table in tables {
            let mut info = table.info.clone();
            // An error says that the host has gone, and that is what is waited for.
            let _ = info.wait_for(|info| info.stage == LiveStage::Over).await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<RunId, Arc<Room>>> {
        self.0.lock().unwrap_or_else(|broken| broken.into_inner())
    }
}

impl Room {
    /// What everybody may know of it.
    pub fn info(&self) -> LiveInfo {
        self.info.borrow().clone()
    }

    pub fn is_over(&self) -> bool {
        // It has no host if the client that opened it went away before it was stored.
        self.info.borrow().stage == LiveStage::Over || self.commands.is_closed()
    }

    /// The seat of a ticket. Hashes are compared, so the time that it takes tells nothing about a ticket.
    ///
    /// # Errors
    /// If it is no ticket of this table.
    pub fn seat(&self, ticket: Option<&str>) -> Answer<Seat> {
        const WHICH: &str = "a ticket of this table";
        let ticket = ticket.ok_or_else(|| Problem::token_missing(WHICH))?;
        let digest = Digest::of(ticket);
        self.tickets
            .iter()
            .find(|(_, kept)| **kept == digest)
            .map(|(seat, _)| seat.clone())
            .ok_or_else(|| Problem::token_wrong(WHICH))
    }

    /// Whether a player has sat down in a seat, at a table that is not over.
    pub fn is_taken(&self, seat: &Seat) -> bool {
        let info = self.info.borrow();
        let sitter = info.people.get(seat);
        info.stage != LiveStage::Over && sitter.is_some_and(|sitter| sitter.name.is_some())
    }

    /// Whether a seat is shown a picture now.
    pub fn shows(&self, seat: &Seat, picture: &Digest) -> bool {
        let view = self.views.get(seat).map(|views| views.borrow());
        view.is_some_and(|seen| seen.view.pictures().any(|shown| shown.digest == *picture))
    }

    /// The views of a seat, the present one first; `None` if no person sits there.
    pub fn views(&self, seat: &Seat) -> Option<watch::Receiver<Arc<Seen>>> {
        self.views.get(seat).cloned()
    }

    /// Says something for a seat. When this returns, the seat's view shows what came of it.
    ///
    /// # Errors
    /// If it is refused; nothing has changed then.
    pub async fn say(&self, seat: &Seat, says: SeatSays) -> Answer<()> {
        let (answer, answered) = oneshot::channel();
        self.command(Command::Said { seat: seat.clone(), says, answer }).await?;
        answered.await.unwrap_or_else(|_| Err(over()))
    }

    /// A socket of a seat stands. The receiver hears when a newer one has taken its place; it is dropped when the socket
    /// goes, and [`Room::look`] is called.
    pub async fn come(&self, seat: &Seat) -> oneshot::Receiver<()> {
        let (hold, held) = oneshot::channel();
        let seat = seat.clone();
        // A table that is over has no host to receive this.
        let _ = self.command(Command::Connected { seat, hold }).await;
        held
    }

    /// A script has looked, or a socket has gone.
    pub async fn look(&self, seat: &Seat) {
        let seat = seat.clone();
        // A table that is over has no host to receive this.
        let _ = self.command(Command::Seen { seat }).await;
    }

    /// Ends the table, if the caller opened it.
    ///
    /// # Errors
    /// If the token is missing or wrong, or the table is over.
    pub async fn cancel(&self, token: Option<&str>) -> Answer<()> {
        const WHICH: &str = "the token of whoever opened this table";
        let token = token.ok_or_else(|| Problem::token_missing(WHICH))?;
        if Digest::of(token) != self.token {
            return Err(Problem::token_wrong(WHICH));
        }
        self.command(Command::Cancel).await?;
        let mut info = self.info.clone();
        info.wait_for(|info| info.stage == LiveStage::Over).await.map(|_| ()).map_err(|_| over())
    }

    async fn command(&self, command: Command) -> Answer<()> {
        self.commands.send(command).await.map_err(|_| over())
    }
}

fn over() -> Problem {
    Problem::conflict("The table is over.")
}

/// Ends the tables that a server left when it was killed: what they played is kept and open to readers, and the players see why
/// when they look. To be called before the server takes requests. Rooms of other servers that are there are left alone.
pub async fn tidy(store: &Store) -> Result<(), StoreError> {
    for table in store.left_tables(now()).await? {
        // Its server may have been heard of again since.
        if !store.take_left_table(&table.info.run, now()).await? {
            continue;
        }
        tracing::warn!(run = %table.info.run, "a live table that was left open is ended");
        break_off(store, table, "The server stopped while the table was open.").await?;
    }
    Ok(())
}

/// Ends the tables of servers over the same database that are killed while this one runs, until it stops.
pub async fn look_after(store: Store, mut closing: crate::Closing) {
    let mut looks = tokio::time::interval(LOOK);
    loop {
        tokio::select! {
            _ = looks.tick() => {}
            () = closing.wait() => return,
        }
        if let Err(error) = tidy(&store).await
            && !error.is_outage()
        {
            tracing::warn!(%error, "live tables that were left cannot be looked for");
        }
    }
}

/// Ends a table that has no host any more.
async fn break_off(store: &Store, table: OpenTable, why: &str) -> Result<(), StoreError> {
    let mut info = table.info;
    info.stage = LiveStage::Over;
    info.end = Some(LiveEnd { ending: LiveEnding::Interrupted, why: why.to_owned() });
    info.people.values_mut().for_each(|sitter| sitter.connected = false);
    info.proof = table.nonces.map(|nonces| Proof {
        commitment: info.commitment,
        secret: table.secret,
        nonces,
    });
    store.set_state(&info.run, RunState::Cancelled).await?;
    store.end_live(&info, now()).await
}

/// Lets a host do its work. One that panics, by an error of ours, must not leave its run sealed for ever.
fn entertain(app: App, run: RunId, host: Host) {
    tokio::spawn(async move {
        if tokio::spawn(host.run()).await.is_ok() {
            return;
        }
        tracing::error!(%run, "the host of a live table panicked");
        app.rooms().remove(&run);
        let why = "The server failed at this table. Its log says more.";
        let ended = match app.store().open_tables().await {
            Ok(open) => match open.into_iter().find(|table| table.info.run == run) {
                Some(table) => break_off(app.store(), table, why).await,
                None => Ok(()),
            },
            Err(error) => Err(error),
        };
        if let Err(error) = ended {
            tracing::error!(%run, %error, "the end of a live table cannot be kept");
        }
    });
}

/// What everybody may know of a table, now or after its end.
///
/// # Errors
/// If there is none of that id.
pub async fn info(app: &App, run: &RunId) -> Answer<LiveInfo> {
    if let Some(table) = app.rooms().find(run) {
        return Ok(table.info());
    }
    let kept = app.store().live(run).await?;
    kept.ok_or_else(none)
}

/// There is no such table, or not for this client.
pub fn none() -> Problem {
    Problem::not_found("such live table")
}
