//! The transcripts of a live table on their way into the store: the same rows that a page's lines become.

use std::collections::BTreeMap;

use serde::Deserialize;
use turnwise_shared::prelude::*;

use crate::clock::now;
use crate::error::Problem;
use crate::store::{Change, Changed, Head, Store};

/// The number of lines not in the store yet at which they are written at the latest.
const MANY: usize = 2000;

#[derive(Debug, Default)]
pub struct Record {
    kept: BTreeMap<EpisodeKey, Kept>,
    waiting: BTreeMap<EpisodeKey, Waiting>,
    lines: usize,
    /// All bytes that were added.
    bytes: u64,
}

#[derive(Debug, Clone, Copy)]
struct Kept {
    head: Head,
    bytes: u64,
}

#[derive(Debug, Default)]
struct Waiting {
    from: u64,
    text: String,
    last: String,
    lines: u64,
    ending: Option<String>,
}

/// What is read of a line.
#[derive(Deserialize)]
struct Line {
    chain: Digest,
}

impl Record {
    /// Further lines of an episode.
    pub fn add(&mut self, episode: &EpisodeKey, from: u64, lines: Vec<String>) {
        self.lines += lines.len();
        let waiting = self.waiting.entry(episode.clone()).or_default();
        if waiting.lines == 0 {
            waiting.from = from;
        }
        for line in lines {
            waiting.text.push_str(&line);
            waiting.text.push('\n');
            self.bytes += line.len() as u64 + 1;
            waiting.lines += 1;
            waiting.last = line;
        }
    }

    /// An episode has ended with the lines that were added.
    pub fn ended(&mut self, episode: &EpisodeKey, ending: &str) {
        let waiting = self.waiting.entry(episode.clone()).or_default();
        waiting.ending = Some(ending.to_owned());
    }

    /// Whether it is time to write.
    pub fn is_full(&self) -> bool {
        self.lines >= MANY
    }

    /// The bytes of everything that was added, written or not.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Writes what waits.
    ///
    /// # Errors
    /// If the store fails, or another writer wrote there.
    pub async fn write(&mut self, store: &Store, run: &RunId) -> Result<(), Problem> {
        self.lines = 0;
        for (episode, waiting) in std::mem::take(&mut self.waiting) {
            if waiting.lines == 0 {
                continue;
            }
            let Line { chain } = serde_json::from_str(&waiting.last).map_err(Problem::internal)?;
            let before = self.kept.get(&episode).copied();
            let added = u64::try_from(waiting.text.len()).unwrap_or(u64::MAX);
            let now_kept = Kept {
                head: Head { lines: waiting.from + waiting.lines, chain },
                bytes: before.map_or(0, |kept| kept.bytes) + added,
            };
            let change = Change {
                before: before.map(|kept| kept.head),
                from: waiting.from,
                at: before.map_or(0, |kept| kept.bytes),
                added: &waiting.text,
                // What people played at a table is not taken up again.
                failed: &[],
                after: now_kept.head,
                ending: waiting.ending.as_deref(),
                now: now(),
            };
            // The lease of a room is never taken: its driver is here.
            let keep = || async { store.change(run, &episode, &change, None).await };
            if store.insist(keep).await? != Changed::Kept {
                return Err(Problem::internal(
                    "somebody else wrote the transcript of a live table",
                ));
            }
            match waiting.ending {
                Some(_) => self.kept.remove(&episode),
                None => self.kept.insert(episode, now_kept),
            };
        }
        Ok(())
    }
}
