//! Request and response types of the service; both sides use these and nothing else.
//!
//! The socket (`GET /api/socket`, JSON text frames) multiplexes calls: `{v, id, kind, …}` (`decisions.md` 8). A message
//! carries one frame, or several, each on a line of its own. The receiver grants credit, in lots; nothing is sent without
//! it. A call is idempotent by its [`CallKey`]: one with a stored reply always returns that reply.

pub mod boards;
pub mod budgets;
pub mod driving;
pub mod live;
pub mod others;
pub mod publishing;
pub mod receipts;
pub mod sealed;
pub mod sharing;
pub mod thinking;

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

pub use driving::{Epoch, Lease, RunState};

use budgets::Caps;

use crate::effect::{Failure, Query, Reply};
use crate::episode::CallId;
use crate::finding::Hit;
use crate::hash::Digest;
use crate::prompt::Rendered;
use crate::run::{BranchOf, EpisodeKey};
use crate::seat::{Sampling, Seat};
use crate::spec::Spec;
use sharing::Visibility;

/// The version of socket frames.
pub const VERSION: u32 = 1;

/// The most bytes that one request may have (`decisions.md` 10).
pub const MAX_REQUEST_BYTES: usize = 1_000_000;

/// The deepest nesting that JSON may have (`decisions.md` 10).
pub const MAX_JSON_DEPTH: usize = 64;

/// A run's id: random, 128 bits, as 32 lower-case hexadecimal digits. Whoever knows it may read an unlisted run.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RunId(String);

impl RunId {
    /// An id from 16 random bytes.
    pub fn new(random: [u8; 16]) -> Self {
        RunId(crate::hash::hex(&random))
    }

    /// Its 32 digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<RunId> for String {
    fn from(id: RunId) -> String {
        id.0
    }
}

/// A text that is no run id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a run id is 32 lower-case hexadecimal digits")]
pub struct BadRunId;

impl TryFrom<String> for RunId {
    type Error = BadRunId;

    fn try_from(text: String) -> Result<Self, BadRunId> {
        let sound = text.len() == 32
            && text
                .bytes()
                .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        if sound {
            Ok(RunId(text))
        } else {
            Err(BadRunId)
        }
    }
}

impl std::str::FromStr for RunId {
    type Err = BadRunId;

    fn from_str(text: &str) -> Result<Self, BadRunId> {
        text.to_owned().try_into()
    }
}

/// What makes a call the same call, however often it is sent.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CallKey {
    /// The run.
    pub run: RunId,
    /// The episode within it.
    pub episode: EpisodeKey,
    /// The call within the episode.
    pub call: CallId,
    /// [`request_digest`](crate::transcript::request_digest).
    pub digest: Digest,
}

/// A call that only the outside can answer, ready to be sent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "outgoing", rename_all = "snake_case")]
pub enum Outgoing {
    /// A model is to reply.
    Model(ModelCall),
    /// A search engine is to be asked.
    Search {
        /// The engine's name.
        engine: String,
        /// What is looked for.
        query: Query,
    },
    /// A seat is to reply that may see fields which are sealed here. What it is asked follows from the transcript that the
    /// server has of the episode, so the page does not say it and cannot ask for anything else.
    Sealed {
        /// The seat.
        seat: Seat,
    },
}

impl Outgoing {
    /// The lane in which it waits for a permit: that of its seat, or that of searches.
    pub fn lane(&self) -> &str {
        match self {
            Outgoing::Model(call) => call.seat.as_str(),
            Outgoing::Sealed { seat } => seat.as_str(),
            Outgoing::Search { .. } => crate::run::SEARCH,
        }
    }
}

/// A request to a model behind one of the operator's endpoints.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ModelCall {
    /// The operator's name of the endpoint.
    pub provider: String,
    /// The model's name on the wire.
    pub model: String,
    /// For which seat; costs are kept by seat.
    pub seat: Seat,
    /// The conversation, rendered.
    pub messages: Vec<Rendered>,
    /// How it is sampled.
    pub sampling: Sampling,
}

/// One frame of the socket, in either direction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Frame {
    /// [`VERSION`].
    pub v: u32,
    /// The call's number on this connection, chosen by the page; 0 for frames that belong to no call.
    pub id: u64,
    /// What it says.
    #[serde(flatten)]
    pub body: FrameBody,
}

impl Frame {
    /// A frame of the current version.
    pub fn new(id: u64, body: FrameBody) -> Self {
        Frame {
            v: VERSION,
            id,
            body,
        }
    }
}

/// What a frame says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum FrameBody {
    /// First frame of either side. From the page: which run, with its token. From the server: accepted.
    Hello {
        /// The run whose calls will be made; absent from the server's side.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        run: Option<RunId>,
        /// The run's token ([`Opened::token`]).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        token: Option<String>,
        /// The page's lease of the run; absent if nobody has ever taken one.
        #[serde(default, skip_serializing_if = "Epoch::is_none")]
        epoch: Epoch,
        /// The last call of which the page has the reply.
        #[serde(default)]
        acknowledged: u64,
    },
    /// The page wants this call made.
    Call {
        /// Which call it is.
        key: CallKey,
        /// What is to be sent.
        request: Outgoing,
        /// Whether pieces of the text are wanted as they come.
        #[serde(default)]
        stream: Stream,
    },
    /// The page no longer wants the call of that `id`.
    Cancel,
    /// From the page: so many calls of the run may be made at once from now on; the rest wait at the server. 0 makes all wait
    /// that have not gone out. Until this is said, none waits.
    Permits {
        /// How many, divided among the seats as [`limits`](crate::run::limits) does.
        calls: u32,
    },
    /// So many further calls may be sent.
    Credit {
        /// How many.
        calls: u32,
    },
    /// Text as it comes; for the eye only.
    Piece {
        /// The piece.
        text: String,
    },
    /// The finished answer.
    Reply {
        /// What came back.
        reply: Reply,
        /// What it took.
        timing: Timing,
    },
    /// No answer.
    Failed {
        /// Why.
        failure: Failure,
        /// What it took.
        timing: Timing,
    },
    /// The page has the reply of the call of that `id`.
    Ack,
}

/// Whether pieces of a text are sent while it is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stream {
    /// Only the finished text.
    #[default]
    Whole,
    /// Pieces as they come, and the finished text.
    Pieces,
}

/// What a call took: not part of the transcript, kept beside it (`decisions.md` 1).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Timing {
    /// Milliseconds since 1970 at which the call was sent.
    pub started: u64,
    /// Milliseconds until the finished answer, waiting between attempts included.
    pub took: u64,
    /// Attempts made, from 1.
    pub attempts: u32,
    /// Whether the answer came from the ledger and nothing was sent.
    #[serde(default)]
    pub from_ledger: bool,
    /// What earlier attempts failed with.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<Failure>,
}

/// `POST /api/call`: one call, for scripts. The answer is a [`CallAnswer`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CallRequest {
    /// Which call it is.
    pub key: CallKey,
    /// The run's token.
    pub token: String,
    /// What is to be sent.
    pub request: Outgoing,
}

/// What came back for a call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CallAnswer {
    /// The reply, [`Reply::Failed`] included.
    pub reply: Reply,
    /// What it took.
    pub timing: Timing,
}

/// `GET /api/about`: what this server offers. No key and no address of an endpoint is in it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct About {
    /// The program's version.
    pub version: String,
    /// The benchmarks that it knows, in its order.
    #[serde(default)]
    pub benchmarks: Vec<BenchmarkInfo>,
    /// The endpoints that the operator configured.
    pub providers: Vec<ProviderInfo>,
    /// The search engines that can be asked.
    pub engines: Vec<EngineInfo>,
    /// The task sets that lie on the server.
    pub task_sets: Vec<TaskSetInfo>,
    /// Whether calls need the operator's access token.
    pub access: Access,
}

/// A benchmark, for pages that show its name and nothing of what it does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BenchmarkInfo {
    /// Its name in a spec.
    pub name: String,
    /// Its name for people.
    pub title: String,
}

/// Who may make calls here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Access {
    /// Everybody who can reach the server (it is bound to loopback).
    Open,
    /// Whoever sends `Authorization: Bearer TOKEN` with the operator's access token.
    Token,
}

/// An endpoint that can be asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProviderInfo {
    /// The operator's name for it.
    pub name: String,
    /// Its wire format, e.g. `openai`, `scripted`.
    pub format: String,
    /// Models that the operator named; others may be typed.
    pub models: Vec<String>,
}

/// A search engine that can be asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineInfo {
    /// Its name.
    pub name: String,
    /// What it is: `local`, `serper`, `brave`, `tavily`, `searxng`, `duckduckgo`.
    #[serde(default = "local")]
    pub format: String,
    /// What can be relied on.
    #[serde(default)]
    pub promise: Promise,
    /// How many documents it holds, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub documents: Option<u64>,
    /// The hash over its documents, where they are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub corpus: Option<Digest>,
}

fn local() -> String {
    "local".to_owned()
}

/// What can be relied on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Promise {
    /// An interface that was made for programs.
    #[default]
    Stable,
    /// A page that was made for people: it can change or be shut at any time.
    BestEffort,
}

/// A set of tasks on the server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskSetInfo {
    /// What it is called: a file name, or `samples`.
    pub name: String,
    /// Of which benchmark.
    pub benchmark: String,
    /// Over its tasks.
    pub digest: Digest,
    /// How many tasks.
    pub count: usize,
    /// Tasks by label and value, e.g. `domain` → `Sports` → 18.
    pub labels: BTreeMap<String, BTreeMap<String, usize>>,
    /// Whether the file is encrypted at rest.
    pub encrypted: bool,
    /// Whether its hidden fields never leave the server; digests and tasks are then as they are handed out.
    #[serde(default)]
    pub sealed: bool,
}

/// `POST /api/runs`: opens a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OpenRun {
    /// Everything that decides how it goes.
    pub spec: Spec,
    /// A name for people; may be empty.
    #[serde(default)]
    pub title: String,
    /// The episodes that it will have.
    pub episodes: u32,
    /// What it may spend.
    #[serde(default, skip_serializing_if = "Caps::is_nothing")]
    pub caps: Caps,
    /// The run whose plays it grades again; it then has gradings and no plays of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub regrades: Option<RunId>,
    /// From where its only play branches, if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch_of: Option<BranchOf>,
    /// The token of the run that it grades again or branches from, where that one is private.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_token: Option<String>,
    /// Who may see it.
    #[serde(default, skip_serializing_if = "Visibility::is_usual")]
    pub visibility: Visibility,
}

/// A run was opened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Opened {
    /// Its id.
    pub run: RunId,
    /// With this token calls are made and episodes are stored. Kept by the browser that opened the run.
    pub token: String,
}

/// A run in a list, and the head of its page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunInfo {
    /// Its id.
    pub run: RunId,
    /// Its name for people.
    pub title: String,
    /// Everything that decides how it goes.
    pub spec: Spec,
    /// How it stands.
    pub state: RunState,
    /// Milliseconds since 1970 at which it was opened.
    pub opened: u64,
    /// Episodes planned.
    pub episodes: u32,
    /// Plays that are over.
    pub finished: u32,
    /// The headline number so far (accuracy, 0 to 1), recomputed by the server from the stored transcripts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accuracy: Option<f64>,
    /// The run whose plays it grades again; its own address serves those plays as well.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub regrades: Option<RunId>,
    /// From where its only play branches, if it does. A branch never counts on a board.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch_of: Option<BranchOf>,
    /// Who may see it.
    #[serde(default, skip_serializing_if = "Visibility::is_usual")]
    pub visibility: Visibility,
    /// Who drives it or did so last, if anybody ever did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lease: Option<Lease>,
}

/// `GET /api/runs/{run}/search?q=WORDS&skip=N`: where words occur in the transcripts of a run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Found {
    /// The plays that have them, by name. What their graders said belongs to them.
    pub plays: Vec<FoundIn>,
    /// How many plays were looked through.
    pub searched: u32,
}

/// A play that has what was looked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FoundIn {
    /// The play.
    pub episode: EpisodeKey,
    /// In how many places.
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
    /// Lines stored now.
    pub lines: u64,
}

/// `POST /api/runs/{run}/lines`: lines of several episodes. The body is, for each, this head on a line of its own, and then
/// the lines. The answer is a list with a [`PieceStored`] for each, in the same order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PieceHead {
    /// Which episode.
    pub episode: EpisodeKey,
    /// The number of the first line, from 0.
    pub from: u64,
    /// How many lines follow.
    pub lines: u64,
}

/// What became of a piece of [`PieceHead`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum PieceStored {
    /// The server has so many lines of the episode now.
    Stored(Stored),
    /// It has not taken them.
    Refused {
        /// Why.
        error: ApiError,
    },
}

/// `POST /api/runs/{run}/state`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetState {
    /// The state wanted.
    pub state: RunState,
    /// The lease of the driver who says so. Without one it is the owner's word, and whoever drives the run has to follow it.
    #[serde(default, skip_serializing_if = "Epoch::is_none")]
    pub epoch: Epoch,
}

/// `POST /api/probe`: one small call to try a provider or a search engine. Answered with a [`Probed`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "probe", rename_all = "snake_case")]
pub enum Probe {
    /// Asks a model to say "ready".
    Model {
        /// The endpoint.
        provider: String,
        /// The model.
        model: String,
    },
    /// Searches for a text.
    Search {
        /// The engine.
        engine: String,
        /// The text.
        text: String,
    },
}

/// What a probe found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Probed {
    /// What came back.
    pub reply: Reply,
    /// What it took.
    pub timing: Timing,
}

/// Every error of the service, in one shape. `message` says what went wrong, `mend` what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct ApiError {
    /// A stable word for programs, e.g. `not_found`, `too_large`, `bad_request`.
    pub code: String,
    /// One sentence for people.
    pub message: String,
    /// What to do about it, if anything can be done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mend: Option<String>,
}

/// One stored transcript of a run, in the list that `GET /api/runs/{run}/episodes` returns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EpisodeHead {
    /// Which episode.
    pub episode: EpisodeKey,
    /// Lines stored.
    pub lines: u64,
    /// The chain value after the last of them.
    pub chain: Digest,
    /// How it ended; absent while it is under way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ending: Option<String>,
}

/// What one call took, in the side file that `GET /api/runs/{run}/timing` returns.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CallTiming {
    /// The episode.
    pub episode: EpisodeKey,
    /// The call within it.
    pub call: CallId,
    /// What it took.
    pub timing: Timing,
    /// How many times it was sent.
    pub sent: u32,
    /// Of these, how many were lost: nobody knows what came back, because the server stopped in between.
    #[serde(default)]
    pub lost: u32,
}
