//! How a run stands, and who drives it (ARCHITECTURE.md, rule 11).
//!
//! A run has one driver at a time: the holder of its **lease**. Taking the lease makes the next [`Epoch`]; a message that
//! names an older one is refused as [`DRIVEN_ELSEWHERE`]. A lease lives on the messages of its driver (frames of the socket,
//! uploads), and runs out [`PAGE_LEASE`] or [`SERVER_LEASE`] milliseconds after the last of them. That it did is not written
//! down: that a run is [`RunState::Idle`] follows from the reader's clock.
//!
//! | | take | pause | go on | lapse | reopen | close | cancel | withdraw |
//! | --- | --- | --- | --- | --- | --- | --- | --- | --- |
//! | open | running | – | – | open | open | closed | cancelled | withdrawn |
//! | running | running | paused | running | idle | – | closed | cancelled | withdrawn |
//! | paused | running | paused | running | paused | – | closed | cancelled | withdrawn |
//! | idle | running | paused | running | idle | – | closed | cancelled | withdrawn |
//! | closed | – | – | – | closed | open | closed | – | withdrawn |
//! | cancelled | running | – | – | cancelled | open | – | cancelled | withdrawn |
//! | withdrawn | – | – | – | withdrawn | – | – | – | withdrawn |
//!
//! Closing a tab is a lapse and no end; and no state publishes a run.

use serde::{Deserialize, Serialize};

use super::ApiError;
use crate::effect::FailureClass;
use crate::run::{FAILURES_IN_A_ROW, Halt, Progress};

#[cfg(test)]
mod tests;

/// The code of the error that says that another driver has the run now.
pub const DRIVEN_ELSEWHERE: &str = "driven_elsewhere";

/// The code of the trouble of a server's driver that its budget stopped.
pub const BUDGET_EXHAUSTED: &str = "budget_exhausted";

/// The code of the trouble of a driver whose calls failed.
pub const HALTED: &str = "halted";

/// Before a service's own words.
const IT_SAYS: &str = ". It says: ";

/// Why a run has paused by itself. The service's own words may repeat what was asked: they are for the run's owner.
pub fn trouble(halt: &Halt) -> ApiError {
    if halt.class == FailureClass::BudgetExhausted {
        return ApiError {
            code: BUDGET_EXHAUSTED.to_owned(),
            message: format!("The budget does not cover the next call: {}.", halt.message),
            mend: Some("Raise the budget to resume. Nothing is lost.".to_owned()),
        };
    }
    let who = halt.who.split_once(':').map_or(&*halt.who, |(_, name)| name);
    let times = match halt.in_a_row {
        1 => "failed".to_owned(),
        more => format!("failed {more} times in a row"),
    };
    let message = match &halt.words {
        Some(words) => format!("{who} {times}: {}{IT_SAYS}{words}", halt.message),
        None => format!("{who} {times}: {}", halt.message),
    };
    ApiError {
        code: HALTED.to_owned(),
        message,
        mend: Some(
            "On Resume, unanswered calls are sent again and failed episodes are replayed."
                .to_owned(),
        ),
    }
}

/// Takes the service's own words out of a [`trouble`].
pub fn without_words(trouble: &mut ApiError) {
    if let Some(words) = trouble.message.find(IT_SAYS) {
        trouble.message.truncate(words);
    }
}

/// With this code the server ends the socket of a driver that another one has followed.
pub const OVERTAKEN: u16 = 4409;

/// How many milliseconds a page's lease lives after its last message. An open socket is pinged three times in that.
pub const PAGE_LEASE: u64 = 60_000;

/// How many milliseconds a page keeps its lease after its socket has gone: it may only have lost the network, or be loaded anew.
pub const GRACE: u64 = 15_000;

/// How many milliseconds the lease of a server's own driver lives after its last sign. A server that starts again, or another
/// one with the same database, goes on with the run after that.
pub const SERVER_LEASE: u64 = 6_000;

/// The clocks of several servers over one database agree within this many milliseconds.
pub const CLOCKS: u64 = 10_000;

crate::choices! {
    pub enum RunState {
        /// Opened, and never driven yet.
        Open = "open",
        /// A driver holds its lease.
        Running = "running",
        /// Paused by a user, or by itself. It goes on when it is resumed.
        Paused = "paused",
        /// Its driver has gone: the tab was closed, the server stopped. It goes on where its transcripts end.
        Idle = "idle",
        Closed = "closed",
        /// Stopped by its driver; it can be resumed.
        Cancelled = "cancelled",
        /// Its owner took it back: only that is still shown.
        Withdrawn = "withdrawn",
    }
}

/// What happens to a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    Take,
    /// Its driver pauses it, or it pauses by itself.
    Pause,
    /// Its driver goes on after a pause, or is heard of again.
    GoOn,
    Lapse,
    /// Its owner opens it again.
    Reopen,
    Close,
    /// Its owner or its driver stops it.
    Cancel,
    /// Its owner takes it back.
    Withdraw,
}

/// A run cannot do this as it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a run that is {state} cannot be {}", .wanted.participle())]
pub struct CannotMove {
    pub state: RunState,
    /// What was wanted of it.
    pub wanted: Move,
}

impl RunState {
    /// How a run stands after a move; the table stands in the module's head.
    ///
    /// # Errors
    /// If it cannot move so.
    pub fn after(self, wanted: Move) -> Result<RunState, CannotMove> {
        use Move::{Cancel, Close, GoOn, Lapse, Pause, Reopen, Take, Withdraw};
        use RunState::{Cancelled, Closed, Idle, Open, Paused, Running, Withdrawn};
        match (self, wanted) {
            (_, Withdraw) => Ok(Withdrawn),
            (Running, Lapse) => Ok(Idle),
            (state, Lapse) => Ok(state),
            (Open | Running | Paused | Idle | Cancelled, Take) => Ok(Running),
            (Running | Paused | Idle, Pause) => Ok(Paused),
            (Running | Paused | Idle, GoOn) => Ok(Running),
            (Open | Closed | Cancelled, Reopen) => Ok(Open),
            (Open | Running | Paused | Idle | Closed, Close) => Ok(Closed),
            (Open | Running | Paused | Idle | Cancelled, Cancel) => Ok(Cancelled),
            (
                Open | Running | Paused | Idle | Closed | Cancelled | Withdrawn,
                Take | Pause | GoOn | Reopen | Close | Cancel,
            ) => Err(CannotMove { state: self, wanted }),
        }
    }

    /// How a run stands that was left in this state, at a time: its lease may have run out since. Both are milliseconds
    /// since 1970; without a lease it has no driver.
    pub fn at(self, now: u64, lease: Option<&Lease>) -> RunState {
        match lease {
            Some(lease) if lease.is_live(now) => self,
            Some(_) | None => self.after(Move::Lapse).unwrap_or(self),
        }
    }

    /// Whether nothing more happens to it unless its owner says so.
    pub fn is_over(self) -> bool {
        matches!(self, RunState::Closed | RunState::Cancelled | RunState::Withdrawn)
    }

    /// Whether it can be gone on with: a run that was stopped can be taken up again.
    pub fn can_go_on(self) -> bool {
        !matches!(self, RunState::Closed | RunState::Withdrawn)
    }
}

impl Move {
    pub const ALL: [Move; 8] = [
        Move::Take,
        Move::Pause,
        Move::GoOn,
        Move::Lapse,
        Move::Reopen,
        Move::Close,
        Move::Cancel,
        Move::Withdraw,
    ];

    /// The move that brings a run into a requested state.
    pub fn towards(state: RunState) -> Move {
        match state {
            RunState::Open => Move::Reopen,
            RunState::Running => Move::GoOn,
            RunState::Paused => Move::Pause,
            RunState::Idle => Move::Lapse,
            RunState::Closed => Move::Close,
            RunState::Cancelled => Move::Cancel,
            RunState::Withdrawn => Move::Withdraw,
        }
    }

    /// What is done to a run, as a participle: "taken up".
    fn participle(self) -> &'static str {
        match self {
            Move::Take => "taken up",
            Move::Pause => "paused",
            Move::GoOn => "continued",
            Move::Lapse => "left",
            Move::Reopen => "opened again",
            Move::Close => "closed",
            Move::Cancel => "stopped",
            Move::Withdraw => "withdrawn",
        }
    }
}

/// Which lease of a run it is: 0 before the first one, one more each time the run is taken.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Epoch(pub u64);

shown_as_held!(Epoch);

impl Epoch {
    /// Whether the run was never driven so far.
    pub fn is_none(&self) -> bool {
        self.0 == 0
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Holder {
    /// A page in a browser, or a script.
    Page,
    Server,
}

impl Holder {
    /// How long a lease lives after the last message of its holder, in milliseconds.
    pub fn lease(self) -> u64 {
        match self {
            Holder::Page => PAGE_LEASE,
            Holder::Server => SERVER_LEASE,
        }
    }
}

/// A lease of a run, the newest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lease {
    pub epoch: Epoch,
    pub holder: Holder,
    /// When it runs out unless something is heard of its holder, in milliseconds since 1970.
    pub until: u64,
}

impl Lease {
    /// Whether it has not run out, at a time in milliseconds since 1970. One that ends later than a lease can that was taken now was
    /// taken while the clock was ahead, and has run out.
    pub fn is_live(&self, now: u64) -> bool {
        self.until > now && self.until - now <= self.holder.lease() + CLOCKS
    }
}

/// `POST /api/runs/{run}/lease`: a client wants to drive the run. Answered with the [`Lease`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TakeLease {
    /// The last lease that the same driver had: as long as no other driver took one since, this one is its own.
    #[serde(default)]
    pub mine: Epoch,
    /// Whether the run may be taken from its present driver.
    #[serde(default)]
    pub from: TakeFrom,
}

impl TakeLease {
    /// Whether its sender may follow the holder of the newest lease, at a time in milliseconds since 1970.
    pub fn may_follow(&self, newest: Option<&Lease>, now: u64) -> bool {
        match newest {
            None => true,
            Some(lease) => {
                self.from == TakeFrom::Anybody
                    || !lease.is_live(now)
                    || (lease.holder == Holder::Page && lease.epoch == self.mine)
            }
        }
    }
}

/// From whom a lease may be taken.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TakeFrom {
    /// Only a run without another driver: the lease has run out, or is one's own.
    #[default]
    Nobody,
    Anybody,
}

/// `POST /api/runs/{run}/drive`: the server is to drive the run. Answered with [`Driving`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Drive {
    /// Calls in flight at once; what the server allows at most counts.
    pub in_flight: u32,
    /// After this many failures in a row it pauses; 0: only on what needs a person to fix.
    pub pause_after: u32,
}

impl Default for Drive {
    fn default() -> Self {
        Drive { in_flight: 16, pause_after: FAILURES_IN_A_ROW }
    }
}

/// `GET /api/runs/{run}/drive`: who drives a run and how far it is.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Driving {
    pub state: RunState,
    /// The newest lease, if there ever was one.
    pub lease: Option<Lease>,
    /// How far the driver is; only while the server that was asked drives it.
    pub progress: Option<Progress>,
    /// Its calls, as the ledger has them.
    pub calls: CallCount,
    /// Why the server's driver has stopped before the end, if it has.
    pub trouble: Option<ApiError>,
}

/// The calls of a run in the ledger.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallCount {
    /// Calls of which an intent was written.
    pub calls: u64,
    /// Times that one was sent.
    pub sent: u64,
    /// How many replies are unknown, because the server stopped in between. Such a call is sent again and may be paid
    /// for twice.
    pub lost: u64,
    /// Calls without an answer: in the air, failed, or lost and not sent again yet.
    pub unanswered: u64,
}

impl CallCount {
    /// The share of lost sends, 0 to 1; `None` if nothing was sent.
    pub fn loss(&self) -> Option<f64> {
        (self.sent > 0).then(|| self.lost as f64 / self.sent as f64)
    }
}
