//! The numbers of Mind-ParaWorld (specification 8), over plain records of episodes. Shares are fractions, 0 to 1.
//!
//! [`table`] is what reports show, in both profiles. [`curves`], [`bins`], [`stops`] and [`errors`] are the figures;
//! the other definitions of the authors' repository are in the tests, kept so that their numbers can be recognised.

pub mod bins;
pub mod curves;
pub mod errors;
pub mod gap;
pub mod stops;
pub mod table;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::reading::judge::Verdict;
use super::task::Tier;
use turnwise_core::metrics::spread::{mean, ratio as share};
use turnwise_core::prelude::*;

/// One episode as metrics see it. It holds no text of its task: facts are numbers in their order, keys are numbered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Episode {
    /// How many facts its world has.
    pub facts: u32,
    /// Which of them are rules or scopes, not data; by number, from 0.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub rules: BTreeSet<u32>,
    /// The tool calls in order, those with a wrong format included.
    pub calls: Vec<Call>,
    /// What the engine said of the calls that reached it, in order.
    pub logs: Vec<Log>,
    /// Messages of the player with a call in them; fewer than calls where several are made side by side.
    pub calling_messages: u32,
    /// Calls or messages with a wrong format.
    pub format_errors: u32,
    pub turns: u32,
    /// Turns that were allowed; 0 = not known.
    pub max_turns: u32,
    pub status: Status,
    /// Whether a final answer was given.
    pub answered: bool,
    /// The judge's verdict; `None` where there is none (not judged, or the judge failed).
    pub verdict: Option<Verdict>,
}

#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// Whether it is counted as a hit.
    pub hit: bool,
    /// Which of the logs is its own; `None` where it never reached the engine.
    pub log: Option<u32>,
}

/// What the engine said of one call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Log {
    /// Whether it is a hit.
    pub hit: bool,
    /// Whether the query was taken for compound or too bare.
    pub compound: bool,
    /// The keys; one at most, unless an imported file has more.
    pub keys: Vec<Key>,
    /// Whether the engine failed, so that the call says nothing about the player.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub engine_fault: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Key {
    /// Its number among the different spellings of the episode, letter by letter.
    pub spelling: u32,
    /// The fact that it means after normalisation; `None` for an unknown key.
    pub fact: Option<u32>,
}

choices! {
    /// How an episode ended (specification 5.4 and 5.5).
    pub enum Status {
        /// With an answer, or under `reference` with a call that cannot be run.
        Finished = "finished",
        MaxTurnsReached = "max_turns_reached",
        /// The player's service failed for good.
        ApiError = "api_error",
        /// The player's conversation outgrew the context window of its model.
        Context = "context",
        EmptyResponse = "empty_response",
        /// `strict`: too many wrong formats one after the other.
        FormatFailure = "format_failure",
        /// Setting A of the reference: anything failed.
        Error = "error",
    }
}

impl Status {
    /// Whether the player came to an end by the rules, whatever the end was.
    pub fn is_played(self) -> bool {
        matches!(self, Status::Finished | Status::MaxTurnsReached | Status::FormatFailure)
    }
}

impl Log {
    /// The fact that counts under `strict` (specification 8.9): a hit, not compound, no engine fault, a known key.
    pub fn valid(&self) -> Option<u32> {
        let counts = self.hit && !self.compound && !self.engine_fault;
        counts.then(|| self.keys.first()?.fact).flatten()
    }
}

impl Episode {
    pub fn tier(&self) -> Tier {
        Tier::of(self.facts as usize)
    }

    /// Whether the answer is right; a missing verdict counts as wrong here and is counted apart.
    pub fn is_correct(&self) -> bool {
        self.verdict == Some(Verdict::Correct)
    }

    /// Facts that were found.
    ///
    /// `reference`: different spellings of keys over all logs, whatever the hit flag, unknown ones included. `strict`: facts
    /// of [valid](Log::valid) logs.
    pub fn covered(&self, profile: Profile) -> u32 {
        match profile {
            Profile::Reference => {
                let keys = self.logs.iter().flat_map(|log| &log.keys);
                distinct(keys.map(|key| key.spelling))
            }
            Profile::Strict => distinct(self.logs.iter().filter_map(Log::valid)),
        }
    }

    /// Coverage: found facts by all facts, 0 for a world without facts. Under `reference` it can exceed 1.
    pub fn fcr(&self, profile: Profile) -> f64 {
        share(self.covered(profile), self.facts).unwrap_or(0.0)
    }

    /// Coverage of data facts, and of rules and scopes, under `strict`; `None` where a world has none of the kind.
    pub fn fcr_by_kind(&self) -> (Option<f64>, Option<f64>) {
        let valid = || self.logs.iter().filter_map(Log::valid);
        let rules = distinct(valid().filter(|fact| self.rules.contains(fact)));
        let all_rules = self.rules.len() as u32;
        let data = distinct(valid()) - rules;
        (share(data, self.facts.saturating_sub(all_rules)), share(rules, all_rules))
    }

    /// Calls that count: all of them under `reference`; under `strict` all but those that the engine failed.
    pub fn tool_calls(&self, profile: Profile) -> u32 {
        let counts = |call: &&Call| profile == Profile::Reference || !self.is_fault(call);
        self.calls.iter().filter(counts).count() as u32
    }

    /// Hits among the calls that count: flagged ones under `reference`, [valid](Log::valid) ones under `strict`.
    pub fn hits(&self, profile: Profile) -> u32 {
        let is_hit = |call: &&Call| match profile {
            Profile::Reference => call.hit,
            Profile::Strict => self.log(call).is_some_and(|log| log.valid().is_some()),
        };
        self.calls.iter().filter(is_hit).count() as u32
    }

    /// Hits by calls; `None` without calls.
    pub fn hit_rate(&self, profile: Profile) -> Option<f64> {
        share(self.hits(profile), self.tool_calls(profile))
    }

    /// Calls by found facts, at least 1: 1 = no call was in vain.
    pub fn redundancy(&self, profile: Profile) -> f64 {
        f64::from(self.tool_calls(profile)) / f64::from(self.covered(profile).max(1))
    }

    /// The log of a call.
    pub fn log(&self, call: &Call) -> Option<&Log> {
        self.logs.get(call.log? as usize)
    }

    fn is_fault(&self, call: &Call) -> bool {
        self.log(call).is_some_and(|log| log.engine_fault)
    }
}

/// How many different numbers there are. Reports ask this of every episode many times, so small ones, which nearly all
/// are, are counted without a set.
fn distinct(numbers: impl Iterator<Item = u32>) -> u32 {
    let mut small = 0_u128;
    let mut large = BTreeSet::new();
    for number in numbers {
        if number < u128::BITS {
            small |= 1 << number;
        } else {
            large.insert(number);
        }
    }
    small.count_ones() + large.len() as u32
}
