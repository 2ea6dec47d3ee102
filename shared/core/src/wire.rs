//! Request and response types of the service; both sides use these and nothing else.
//!
//! The socket (`GET /api/socket`, JSON text frames) multiplexes calls: `{v, id, kind, …}` (ARCHITECTURE.md, rule 8). A message
//! carries one frame, or several, each on a line of its own. The receiver grants credit, in lots; nothing is sent without
//! it. A call is idempotent by its [`CallKey`]: one with a stored reply always returns that reply.

mod about;
pub mod boards;
pub mod budgets;
mod calls;
pub mod driving;
mod listing;
pub mod live;
pub mod naming;
pub mod others;
pub mod publishing;
pub mod receipts;
pub mod sealed;
pub mod sharing;
pub mod thinking;

use serde::{Deserialize, Serialize};

pub use about::{About, Access, BenchmarkInfo, EngineInfo, Promise, ProviderInfo, TaskSetInfo};
pub use calls::{CallAnswer, CallKey, CallRequest, Frame, FrameBody, Stream, VERSION};
pub use driving::{Epoch, Lease, RunState};
pub use listing::{BadPlace, Filter, Listed};

use driving::Holder;

use crate::call::Timing;
use crate::caps::Caps;
use crate::effect::{Failure, Reply};
use crate::finding::Hit;
use crate::hash::Digest;
use crate::key::{EpisodeKey, RunId, demo};
use crate::metrics::report::Known;
use crate::spec::Spec;
use crate::transcript::BranchOf;
use publishing::Doubt;
use sharing::Visibility;

/// The most bytes that one request may have (ARCHITECTURE.md, rule 10).
pub const MAX_REQUEST_BYTES: usize = 1_000_000;

/// The deepest nesting that JSON may have (ARCHITECTURE.md, rule 10).
pub const MAX_JSON_DEPTH: usize = 64;

/// `POST /api/runs`: opens a run.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OpenRun {
    /// Everything that decides how it goes.
    pub spec: Spec,
    /// A name for people; may be empty.
    #[serde(default)]
    pub title: String,
    /// By which people find it ([`naming`]).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// The episodes that it will have.
    pub episodes: u32,
    #[serde(default, skip_serializing_if = "Caps::is_nothing")]
    pub caps: Caps,
    /// The run whose plays it grades again; it then has gradings and no plays of its own.
    pub regrades: Option<RunId>,
    /// From where its only play branches, if it does.
    pub branch_of: Option<BranchOf>,
    /// The token of the run that it grades again or branches from, where that one is private.
    pub parent_token: Option<String>,
    #[serde(default, skip_serializing_if = "Visibility::is_usual")]
    pub visibility: Visibility,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Opened {
    pub run: RunId,
    /// With this token calls are made and episodes are stored. Kept by the browser that opened the run.
    pub token: String,
}

/// A run in a list, and the head of its page.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunInfo {
    pub run: RunId,
    pub title: String,
    /// By which people find it ([`naming`]).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Everything that decides how it goes.
    pub spec: Spec,
    pub state: RunState,
    /// Milliseconds since 1970 at which it was opened.
    pub opened: u64,
    pub episodes: u32,
    pub finished: u32,
    /// The headline number so far (accuracy, 0 to 1), recomputed by the server from the stored transcripts. Absent of a sweep.
    pub accuracy: Option<f64>,
    /// Plays with a score: of these is `accuracy`, and nothing is known of the others. Absent of a game, which has no scores.
    pub graded: Option<u32>,
    /// The same at each value of a sweep, smallest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by_value: Vec<AtValue>,
    /// The run whose plays it grades again; its own address serves those episodes as well.
    pub regrades: Option<RunId>,
    /// From where its only play branches, if it does. A branch never counts on a board.
    pub branch_of: Option<BranchOf>,
    #[serde(default, skip_serializing_if = "Visibility::is_usual")]
    pub visibility: Visibility,
    /// Whether it was opened without an access token: a branch that may do less ([`crate::visitors`]).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_visitors: bool,
    /// Who drives it or did so last; absent if it was never driven.
    pub lease: Option<Lease>,
    /// What speaks against believing it, if something does.
    pub doubt: Option<Box<Doubt>>,
}

/// The headline number of a run at one value of its sweep.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct AtValue {
    pub value: u32,
    /// The number, 0 to 1; absent while no episode has a score there.
    pub accuracy: Option<f64>,
}

impl RunInfo {
    /// Whether the server played it to have something to show.
    pub fn is_demo(&self) -> bool {
        self.run == demo()
    }

    /// What is known of its number where plays that are over have no score.
    pub fn known(&self) -> Option<Known> {
        let graded = self.graded?;
        // A sweep has a number at each value, and a run that contradicts itself none.
        if self.accuracy.is_none() && graded > 0 {
            return None;
        }
        Known::of(self.accuracy, graded, self.finished)
    }

    /// Whether the server drives it, or did so last.
    pub fn is_servers(&self) -> bool {
        self.lease.is_some_and(|lease| lease.holder == Holder::Server)
    }
}

/// `GET /api/runs/{run}/search?q=WORDS&skip=N`: where words occur in the transcripts of a run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Found {
    /// The episodes that have them, by name. What their graders said belongs to them.
    pub plays: Vec<FoundIn>,
    /// How many episodes were looked through.
    pub searched: u32,
}

/// An episode that has what was looked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FoundIn {
    pub episode: EpisodeKey,
    pub count: u32,
    /// The first places; none for plays outside of those whose excerpts were asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hits: Vec<Hit>,
}

/// `PUT /api/runs/{run}/episodes/{episode}?from=LINE`: the body is transcript lines from that line on (0 = the first); only
/// extensions of what is stored are accepted. `GET` on the same path returns the whole transcript as text.
/// The answer tells how many lines are stored now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stored {
    pub lines: u64,
}

/// `POST /api/runs/{run}/lines`: lines of several episodes. The body is, for each, this head on a line of its own, and then
/// the lines. The answer is a list with a [`PieceStored`] for each, in the same order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PieceHead {
    pub episode: EpisodeKey,
    /// The number of the first line, from 0.
    pub from: u64,
    pub lines: u64,
}

/// What became of a piece of [`PieceHead`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum PieceStored {
    /// The number of lines of the episode that the server has now.
    Stored(Stored),
    /// It has not taken them.
    Refused { error: ApiError },
}

/// `POST /api/runs/{run}/state`.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetState {
    pub state: RunState,
    /// The lease of the driver who asks. Without one it is the owner's decision, and the driver of the run has to follow it.
    #[serde(default, skip_serializing_if = "Epoch::is_none")]
    pub epoch: Epoch,
    /// Why its driver paused the run by itself; readers see it until the run is resumed.
    pub trouble: Option<ApiError>,
}

impl SetState {
    /// The owner's wish for a state.
    pub fn to(state: RunState) -> Self {
        SetState { state, epoch: Epoch::default(), trouble: None }
    }
}

/// `POST /api/probe`: one small call to try a provider or a search engine. Answered with a [`Probed`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "probe", rename_all = "snake_case")]
pub enum Probe {
    /// Asks a model to say "ready".
    Model {
        provider: String,
        model: String,
    },
    Search {
        engine: String,
        text: String,
    },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Probed {
    pub reply: Reply,
    pub timing: Timing,
}

/// `POST /api/models`: which models a service lists. Answered with [`ModelList`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListModels {
    pub provider: String,
}

/// What a service said when it was asked for its models.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "list", rename_all = "snake_case")]
pub enum ModelList {
    Listed {
        /// The first of them, at most [`ModelList::MOST`].
        models: Vec<ListedModel>,
        all: usize,
    },
    None,
    /// It did not answer with one.
    Failed(Failure),
}

impl ModelList {
    /// At most this many models of a list are sent.
    pub const MOST: usize = 500;
}

/// A model as its service lists it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedModel {
    /// The name by which it is asked.
    pub name: String,
    /// Whether its price is known here today.
    pub priced: bool,
}

/// Every error of the service, in one shape. `message` says what went wrong, `mend` what to do about it.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct ApiError {
    /// A stable word for programs, e.g. `not_found`, `too_large`, `bad_request`.
    pub code: String,
    pub message: String,
    /// What to do about it, if anything can be done.
    pub mend: Option<String>,
}

/// One stored transcript of a run, in the list that `GET /api/runs/{run}/episodes` returns.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EpisodeHead {
    pub episode: EpisodeKey,
    pub lines: u64,
    /// The chain value after the last of them.
    pub chain: Digest,
    /// How it ended; absent while it is under way.
    pub ending: Option<String>,
}
