//! Publishing: what stands behind a run, what a submission is answered with, rows of boards, and the public log.
//!
//! `POST /api/runs/{run}/publish` (run token) is answered with an [`Admission`], or with status 422 and a [`Refusal`]. With the header
//! `prefer: respond-async` it is answered at once with status 202 and [`Checking`] while the check goes on; asked again, it says what
//! the check came to.
//! `POST /api/runs/{run}/withdraw` takes a run back. `GET /api/log?after=NUMBER` gives [`LogEntry`]s, oldest first.

mod log;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use log::{BadLog, Change, LOG_PAGE, LogEntry, Subject, log_beginning};

use super::ApiError;
use crate::evidence_tier::{Evidence, EvidenceTier};
use crate::hash::Digest;
use crate::key::{EpisodeKey, RunId};
use crate::metrics::metric::Metric;
use crate::metrics::report::{Ranking, Unit};
use crate::seat::{Player, Seat};

/// A check goes on: a client that wants its outcome asks again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checking {
    pub checking: bool,
}

/// The public name of the owner of a run: the digest of the owner key that a browser keeps. It names a key, not a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Owner(Digest);

shown_as_held!(Owner);

impl Owner {
    /// The name of an owner key.
    pub fn of_key(key: &str) -> Self {
        Owner(Digest::of_parts([b"turnwise owner 1\0".as_slice(), key.as_bytes()]))
    }

    pub fn digest(&self) -> Digest {
        self.0
    }
}

impl From<Digest> for Owner {
    fn from(digest: Digest) -> Self {
        Owner(digest)
    }
}

/// One number of a run, as it stands on a board.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Measure {
    /// Its name for programs ([`Metric`]); empty in rows of older versions, whose labels tell what they are.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub key: String,
    /// What it is called: the label that the benchmark's report gives it, e.g. `Accuracy`.
    pub label: String,
    /// The number, unrounded; `None` where it is not defined.
    pub value: Option<f64>,
    /// Its 95 % interval, where one is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<(f64, f64)>,
    /// How it is shown. Fractions are 0 to 1.
    pub unit: Unit,
}

/// The numbers with which a run stands on its board: recomputed by the server from the stored transcripts.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Numbers {
    pub plays: u32,
    pub tasks: u32,
    /// The report's headline, in its order, and then the figures of its groups; each number once.
    pub measures: Vec<Measure>,
    /// Participants of games in the order of a number.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rankings: Vec<Ranking>,
    /// What the run cost, in millionths of a US dollar, at the server's prices; `None` if some price is not known.
    pub cost: Option<u64>,
    /// Of [`Numbers::cost`], what the seats under evaluation cost.
    pub player_cost: Option<u64>,
    /// How long a call of the seats under evaluation took, in milliseconds, the middle one of all; `None` where the
    /// server did not forward them.
    pub latency: Option<u64>,
    /// The same for each participant of a game by itself, where its calls were forwarded: each has a row of its own.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub latencies: BTreeMap<Seat, u64>,
    /// Tokens that the seats under evaluation read and wrote, as services count them; `None` where a seat's are unknown.
    pub player_tokens: Option<u64>,
    /// What a reader must know of how its replies could be read, each in a sentence.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

impl Numbers {
    pub fn measure(&self, metric: &Metric) -> Option<&Measure> {
        let mut measures = self.measures.iter();
        measures.find(|measure| metric.is(&measure.key, &measure.label))
    }

    /// The number to be seen first.
    pub fn headline(&self) -> Option<&Measure> {
        self.measures.first()
    }
}

/// A published run: a row of a board.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    pub run: RunId,
    /// The board on which it stands (`Benchmark::board`).
    pub board: Digest,
    /// The benchmark's name in specs.
    pub benchmark: String,
    /// Its name for people; may be empty.
    pub title: String,
    /// Who sat in the seats under evaluation.
    pub players: BTreeMap<Seat, Player>,
    /// How far it can be believed.
    #[serde(rename = "standing")]
    pub tier: EvidenceTier,
    /// Whose it is, where an owner key was sent when it was opened.
    pub owner: Option<Owner>,
    /// Milliseconds since 1970 at which it was opened.
    pub opened: u64,
    /// Milliseconds since 1970 at which it was admitted.
    pub published: u64,
    pub numbers: Numbers,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Admission {
    /// The row as it stands on its board now.
    pub entry: Entry,
    /// How many replies have which evidence.
    pub evidence: BTreeMap<Evidence, u64>,
    /// What a reader must know, and why the evidence tier is not a better one.
    pub findings: Vec<Finding>,
    /// The number of its entry in the public log.
    pub log: u64,
}

/// Something that was found while a run was checked, and that is no reason to refuse it.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// What it is about, for programs.
    pub about: FindingAbout,
    pub count: u64,
    /// The first place at which it was found, where it has one.
    pub place: Option<Place>,
    /// In one sentence for people.
    pub words: String,
}

/// What a finding is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FindingAbout {
    /// Replies of models or search engines without a receipt.
    Unreceipted,
    /// Receipts that name an endpoint which is not at a service's own host.
    CustomEndpoint,
    /// Calls that were answered more than once, of which the transcript has one answer.
    Rerolled,
    /// Receipted calls that are in no transcript.
    Unused,
    /// Episodes that were left before their end and begun anew, or taken up at an earlier line.
    Branched,
    /// Calls that were written down and whose reply is unknown, whether they were sent again or not.
    Lost,
    /// Calls that were taken back before any of the answer was passed on: the run was stopped, or its driver left.
    Cancelled,
    /// A person sat in a seat under unknown circumstances.
    Unattended,
    /// A person sat in a seat who was invited and has agreed that their play counts as that of a person.
    Invited,
    /// A recorded run spoke again.
    #[serde(rename = "taped", alias = "recorded")]
    Recorded,
    /// A parameter was not sent to a model as it was chosen.
    Departed,
    /// Lines that were withheld from the one who checked.
    Withheld,
    /// Replies whose request could not be compared with a receipt's, because the checker has no tasks.
    Unseen,
}

/// A line of a transcript.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    pub episode: EpisodeKey,
    /// The line, from 1; `None` if it is about the whole episode.
    pub line: Option<u64>,
}

/// A run was not admitted. It reads as an [`ApiError`], too: `code` says which check failed, `message` where and why.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{error}")]
pub struct Refusal {
    /// What every error of the service has.
    #[serde(flatten)]
    pub error: ApiError,
    /// Where, if it is about a transcript.
    pub place: Option<Place>,
}

/// What speaks against believing a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "doubt", rename_all = "snake_case")]
pub enum Doubt {
    /// The server checked it, and its transcripts, receipts or replays contradict it.
    Refused {
        /// Milliseconds since 1970 at which that was found.
        at: u64,
        /// What was found, and where.
        refusal: Refusal,
    },
    /// The operator took it off its board.
    Removed(LogEntry),
}

/// `POST /api/runs/{run}/withdraw` and `turnwise admin remove`: why a run is taken off its board.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reason {
    /// In a sentence that everybody may read; may be empty if the owner takes back a run.
    #[serde(default)]
    pub reason: String,
}

#[cfg(test)]
mod tests;
