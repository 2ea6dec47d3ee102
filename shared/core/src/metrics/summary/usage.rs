//! What one seat used.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Summary;
use crate::day::Day;
use crate::prompt::Stop;
use crate::serialised::is_usual;

/// Calls and tokens of one seat in one episode.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatUsage {
    pub calls: u32,
    /// Calls that were made to a model; others are free.
    pub model_calls: u32,
    /// Calls whose reply reported its tokens.
    pub counted: u32,
    #[serde(default, skip_serializing_if = "is_usual")]
    pub failed: u32,
    /// Of these, calls that a service may charge for all the same.
    #[serde(default, skip_serializing_if = "is_usual")]
    pub unsure: u32,
    /// Searches that brought fewer results than were asked for.
    #[serde(default, skip_serializing_if = "is_usual")]
    pub short: u32,
    /// Tokens read, cached ones included.
    pub input: u64,
    /// Of these, tokens read from a cache.
    pub cached: u64,
    /// Of those read, tokens written into a cache.
    #[serde(default, skip_serializing_if = "is_usual")]
    pub cache_written: u64,
    /// Tokens written, reasoning included.
    pub output: u64,
    /// Of these, tokens of reasoning.
    #[serde(default, skip_serializing_if = "is_usual")]
    pub reasoning: u64,
    /// Tokens that the call read which read most.
    #[serde(default, skip_serializing_if = "is_usual")]
    pub largest: u64,
    /// The endpoint as the lineup names it, if a model sat there.
    pub provider: Option<String>,
    /// The model as the lineup names it, if a model sat there.
    pub model: Option<String>,
    /// The days on which its first and its last call was made, where they are known: times are no part of transcripts.
    pub days: Option<(Day, Day)>,
    /// Calls in which a parameter was not sent as chosen, by parameter ([`Departure`](crate::prompt::Departure)).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub departures: BTreeMap<String, u32>,
    /// Replies that the service did not let come to their own end, by why: cut off at their limit, filtered, refused.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub stops: BTreeMap<Stop, u32>,
}

/// Calls and tokens of some episodes by seat; searches stand under `search`.
pub fn usage<'a>(episodes: impl IntoIterator<Item = &'a Summary>) -> BTreeMap<&'a str, SeatUsage> {
    let mut seats: BTreeMap<&str, SeatUsage> = BTreeMap::new();
    for (seat, usage) in episodes.into_iter().flat_map(|summary| &summary.usage) {
        seats.entry(seat).or_default().add(usage);
    }
    seats
}

impl SeatUsage {
    /// Tokens read and written.
    pub fn tokens(&self) -> u64 {
        self.input.saturating_add(self.output)
    }

    /// A sum of tokens, as far as anything of it is known: where replies did not tell their tokens, 0 is no count.
    pub fn known(&self, sum: u64) -> Option<u64> {
        let answered = self.model_calls.saturating_sub(self.failed);
        (sum > 0 || self.counted >= answered).then_some(sum)
    }

    /// Adds what another episode used. What imported logs tell may be anything, so sums end at the largest number.
    pub fn add(&mut self, other: &SeatUsage) {
        for (sum, more) in [
            (&mut self.calls, other.calls),
            (&mut self.model_calls, other.model_calls),
            (&mut self.counted, other.counted),
            (&mut self.failed, other.failed),
            (&mut self.unsure, other.unsure),
            (&mut self.short, other.short),
        ] {
            *sum = sum.saturating_add(more);
        }
        self.add_tokens([
            other.input,
            other.cached,
            other.cache_written,
            other.output,
            other.reasoning,
        ]);
        self.largest = self.largest.max(other.largest);
        for (parameter, calls) in &other.departures {
            let sum = self.departures.entry(parameter.clone()).or_default();
            *sum = sum.saturating_add(*calls);
        }
        for (stop, replies) in &other.stops {
            let sum = self.stops.entry(*stop).or_default();
            *sum = sum.saturating_add(*replies);
        }
        self.provider = self.provider.take().or_else(|| other.provider.clone());
        self.model = self.model.take().or_else(|| other.model.clone());
        if let Some((first, last)) = &other.days {
            self.called_on(first);
            self.called_on(last);
        }
    }

    /// Adds tokens read, of these cached, written into a cache, written, of these of reasoning.
    pub(super) fn add_tokens(&mut self, more: [u64; 5]) {
        let sums = [
            &mut self.input,
            &mut self.cached,
            &mut self.cache_written,
            &mut self.output,
            &mut self.reasoning,
        ];
        for (sum, more) in sums.into_iter().zip(more) {
            *sum = sum.saturating_add(more);
        }
    }

    /// A call was made on this day.
    pub(super) fn called_on(&mut self, day: &Day) {
        match &mut self.days {
            None => self.days = Some((day.clone(), day.clone())),
            Some((first, last)) => {
                if day < first {
                    *first = day.clone();
                }
                if day > last {
                    *last = day.clone();
                }
            }
        }
    }
}
