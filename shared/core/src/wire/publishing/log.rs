//! The public log: what happened to rows of boards and to sealed tasks, each entry naming the one before by its hash.

use serde::{Deserialize, Serialize};

use super::Measure;
use crate::evidence_tier::EvidenceTier;
use crate::hash::Digest;
use crate::key::RunId;

/// One entry of the public log. Nothing in it is ever changed; each names the one before by its hash.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LogEntry {
    /// Its number, from 1, without gaps.
    pub number: u64,
    /// Milliseconds since 1970.
    pub time: u64,
    pub change: Change,
    #[serde(flatten)]
    pub subject: Subject,
    pub reason: String,
    /// The hash of the entry before; of the text `turnwise log 1` before the first.
    pub previous: Digest,
    /// [`LogEntry::expected`].
    pub hash: Digest,
}

/// To what something happened. Its fields stand beside the entry's own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Subject {
    Row {
        run: RunId,
        board: Digest,
        /// The run's evidence tier after it.
        #[serde(rename = "standing")]
        tier: EvidenceTier,
        /// The number to be seen first after it, where the run has one and is still shown.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        headline: Option<Measure>,
        /// The digest of all [`Numbers`](super::Numbers) after it.
        numbers: Digest,
    },
    /// A sealed set of tasks.
    Tasks {
        /// The digest under which the set is known.
        tasks: Digest,
        name: String,
    },
}

impl Subject {
    /// The run, if it is one.
    pub fn run(&self) -> Option<&RunId> {
        match self {
            Subject::Row { run, .. } => Some(run),
            Subject::Tasks { .. } => None,
        }
    }

    /// Its name among all subjects: a run's id, or the digest of a set.
    pub fn key(&self) -> String {
        match self {
            Subject::Row { run, .. } => run.to_string(),
            Subject::Tasks { tasks, .. } => tasks.to_string(),
        }
    }
}

crate::choices! {
    /// What happened to a published run or to a set of tasks.
    pub enum Change {
        /// It was checked and stands on its board.
        Admitted = "admitted",
        /// Its owner took it back.
        Withdrawn = "withdrawn",
        /// The operator took it off its board.
        Removed = "removed",
        /// Its numbers were computed anew because the program computes them otherwise.
        Rescored = "rescored",
        /// The operator made public what is hidden in it; said of sealed tasks alone.
        Opened = "opened",
    }
}

/// The most entries of the public log in one answer; an answer with fewer is the end.
pub const LOG_PAGE: u32 = 500;

/// The log's hash before its first entry.
pub fn log_beginning() -> Digest {
    Digest::of("turnwise log 1")
}

impl LogEntry {
    /// The hash that the entry must have: over everything in it but the hash itself, in canonical JSON, the hash of the
    /// entry before included.
    pub fn expected(&self) -> Digest {
        match &self.subject {
            Subject::Row { run, board, tier, headline, numbers } => Digest::of_value(&(
                self.number,
                self.time,
                self.change,
                run,
                board,
                tier,
                headline,
                numbers,
                &self.reason,
                &self.previous,
            )),
            Subject::Tasks { tasks, name } => Digest::of_value(&(
                self.number,
                self.time,
                self.change,
                tasks,
                name,
                &self.reason,
                &self.previous,
            )),
        }
    }

    /// Whether it can follow after what is known: its number is the next one, it names the hash of the one before, and its
    /// own hash is that of its content.
    ///
    /// # Errors
    /// What does not hold, in words.
    pub fn follows(&self, number: u64, hash: &Digest) -> Result<(), BadLog> {
        if self.number != number + 1 {
            return Err(BadLog::Gap { expected: number + 1, found: self.number });
        }
        if self.previous != *hash {
            return Err(BadLog::Parted(self.number));
        }
        if self.hash != self.expected() {
            return Err(BadLog::Changed(self.number));
        }
        Ok(())
    }
}

/// A public log that was changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadLog {
    #[error("entry {expected} is missing; {found} stands in its place")]
    Gap {
        /// The number that should be there.
        expected: u64,
        /// The number that is there.
        found: u64,
    },
    /// An entry does not name the one before.
    #[error("entry {0} does not continue the one before it")]
    Parted(u64),
    /// An entry's content does not have its hash.
    #[error("entry {0} was changed")]
    Changed(u64),
}
