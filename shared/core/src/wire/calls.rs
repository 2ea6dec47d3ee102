//! Calls and the frames in which they travel over the socket.

use serde::{Deserialize, Serialize};

use super::Epoch;
use crate::call::{Outgoing, Timing};
use crate::effect::{CallId, Failure, Reply};
use crate::hash::Digest;
use crate::key::{EpisodeKey, RunId};
use crate::run::Ticket;

/// The version of socket frames.
pub const VERSION: u32 = 1;

/// What makes a call the same call, however often it is sent.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CallKey {
    pub run: RunId,
    pub episode: EpisodeKey,
    /// The call within the episode.
    pub call: CallId,
    /// [`request_digest`](crate::transcript::request_digest).
    pub digest: Digest,
}

impl CallKey {
    /// The key of a call of a run.
    pub fn of(run: &RunId, ticket: &Ticket) -> Self {
        CallKey {
            run: run.clone(),
            episode: ticket.episode.clone(),
            call: ticket.call,
            digest: ticket.digest,
        }
    }
}

/// One frame of the socket, in either direction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Frame {
    /// [`VERSION`].
    pub v: u32,
    /// The call's number on this connection, chosen by the page; 0 for frames that belong to no call.
    pub id: u64,
    #[serde(flatten)]
    pub body: FrameBody,
}

impl Frame {
    /// A frame of the current version.
    pub fn new(id: u64, body: FrameBody) -> Self {
        Frame { v: VERSION, id, body }
    }
}

#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum FrameBody {
    /// First frame of either side. From the page: which run, with its token. From the server: accepted.
    Hello {
        /// The run whose calls will be made; absent from the server's side.
        run: Option<RunId>,
        /// The run's token ([`Opened::token`](super::Opened::token)).
        token: Option<String>,
        /// The page's lease of the run; absent if it was never leased.
        #[serde(default, skip_serializing_if = "Epoch::is_none")]
        epoch: Epoch,
        /// The last call of which the page has the reply.
        #[serde(default)]
        acknowledged: u64,
    },
    /// The page wants this call made.
    Call {
        key: CallKey,
        /// What is to be sent.
        request: Outgoing,
        /// Whether pieces of the text are wanted as they come.
        #[serde(default)]
        stream: Stream,
    },
    /// The page no longer wants the call of that `id`.
    Cancel,
    /// From the page: this many calls of the run may be made at once from now on; the rest wait at the server. 0 makes all
    /// wait that have not gone out. Until this is said, none waits.
    Permits {
        /// How many, divided among the seats as [`limits`](crate::run::limits) does.
        calls: u32,
    },
    /// This many further calls may be sent.
    Credit {
        calls: u32,
    },
    /// Text as it comes; for the eye only.
    Piece {
        text: String,
    },
    Reply {
        reply: Reply,
        timing: Timing,
    },
    Failed {
        failure: Failure,
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

/// `POST /api/call`: one call, for scripts. The answer is a [`CallAnswer`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CallRequest {
    pub key: CallKey,
    /// The run's token.
    pub token: String,
    /// Under which lease the run is driven; 0 before the first lease.
    #[serde(default, skip_serializing_if = "Epoch::is_none")]
    pub epoch: Epoch,
    /// What is to be sent.
    pub request: Outgoing,
}

/// What came back for a call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CallAnswer {
    /// The reply, [`Reply::Failed`] included.
    pub reply: Reply,
    pub timing: Timing,
}
