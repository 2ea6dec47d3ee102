//! A call that an episode makes of the outside, and what it took.

use serde::{Deserialize, Serialize};

use crate::effect::{CallId, Failure, Query, SEARCH, Tool};
use crate::key::EpisodeKey;
use crate::prompt::Rendered;
use crate::seat::{Sampling, Seat};

/// A call that only the outside can answer, ready to be sent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "outgoing", rename_all = "snake_case")]
pub enum Outgoing {
    /// A model is to reply.
    Model(ModelCall),
    /// A search engine is to be asked.
    Search { engine: String, query: Query },
    /// A seat is to reply that may see fields which are sealed here. What it is asked follows from the transcript that the
    /// server has of the episode, so the page does not say it and cannot ask for anything else.
    Sealed { seat: Seat },
    /// Something is to be made or fetched.
    Use(Tool),
}

impl Outgoing {
    /// The lane in which it waits for a permit: that of its seat, of searches, or of its tool.
    pub fn lane(&self) -> &str {
        match self {
            Outgoing::Model(call) => call.seat.as_str(),
            Outgoing::Sealed { seat } => seat.as_str(),
            Outgoing::Search { .. } => SEARCH,
            Outgoing::Use(tool) => tool.name(),
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
    pub messages: Vec<Rendered>,
    pub sampling: Sampling,
}

/// What a call took: not part of the transcript, kept beside it (ARCHITECTURE.md, rule 1).
#[serde_with::skip_serializing_none]
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
    /// What the service itself said to a request that it refused: shortened, and without keys. It may repeat what was asked,
    /// so it stands here and in no transcript.
    pub words: Option<String>,
    /// Milliseconds since 1970 before which the service does not want to be asked again, where it said so and the call failed.
    pub until: Option<u64>,
}

/// What one call took, in the side file that `GET /api/runs/{run}/timing` returns.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CallTiming {
    pub episode: EpisodeKey,
    pub call: CallId,
    pub timing: Timing,
    /// How many times it was sent.
    pub sent: u32,
    /// Of these, how many were lost: the reply is unknown, because the server stopped in between.
    #[serde(default)]
    pub lost: u32,
}
