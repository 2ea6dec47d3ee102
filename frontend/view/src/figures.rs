//! Counts over a run's episodes: faults, flags, failed calls, calls and tokens by seat.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;
use turnwise_shared::metrics::report::Table;
use turnwise_shared::metrics::spending::Spending;
use turnwise_shared::prelude::*;

use super::snapshot::Snapshot;
use crate::survey::Survey;

/// An event, with how many times it happened in how many episodes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Happened {
    /// What, as transcripts name it.
    pub name: String,
    pub times: u64,
    pub episodes: u64,
}

/// What went wrong or was remarked, the most frequent first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Events {
    pub faults: Vec<Happened>,
    pub flags: Vec<Happened>,
    pub failures: Vec<Happened>,
}

/// The same as it is counted.
#[derive(Debug, Default)]
pub struct CountingEvents {
    faults: Counted<String>,
    flags: Counted<String>,
    failures: Counted<FailureClass>,
}

impl Survey for CountingEvents {
    type Found = Events;

    fn look(&mut self, all: &Snapshot, place: usize) {
        let summary = &all.summaries[place];
        self.faults.add(&summary.faults);
        self.flags.add(&summary.flags);
        self.failures.add(&summary.failures);
    }

    fn found(self, _: &Arc<Snapshot>) -> Events {
        Events {
            faults: self.faults.sorted(String::clone),
            flags: self.flags.sorted(String::clone),
            failures: self.failures.sorted(|class| failure_name(*class)),
        }
    }
}

/// How many times something happened, and in how many episodes.
#[derive(Debug)]
struct Counted<K>(BTreeMap<K, (u64, u64)>);

impl<K> Default for Counted<K> {
    fn default() -> Self {
        Counted(BTreeMap::new())
    }
}

impl<K: Ord + Clone> Counted<K> {
    /// Adds what happened in one more episode.
    fn add(&mut self, happened: &BTreeMap<K, u32>) {
        for (what, times) in happened {
            let (all, episodes) = match self.0.get_mut(what) {
                Some(counted) => counted,
                None => self.0.entry(what.clone()).or_default(),
            };
            *all += u64::from(*times);
            *episodes += 1;
        }
    }

    fn sorted(self, name: impl Fn(&K) -> String) -> Vec<Happened> {
        let counted = self.0.into_iter();
        let mut all: Vec<Happened> = counted
            .map(|(what, (times, episodes))| Happened { name: name(&what), times, episodes })
            .collect();
        all.sort_by(|a, b| b.times.cmp(&a.times).then_with(|| a.name.cmp(&b.name)));
        all
    }
}

/// The name of a class of failures, as transcripts have it.
pub fn failure_name(class: FailureClass) -> String {
    match serde_json::to_value(class) {
        Ok(Value::String(name)) => name,
        _ => format!("{class:?}"),
    }
}

/// Calls of a seat in which a parameter was not sent as chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Departure {
    pub seat: String,
    pub parameter: String,
    pub calls: u64,
    /// How many calls the seat made.
    pub of: u64,
}

/// Calls, tokens and cost of a whole run.
#[derive(Debug, Clone, PartialEq)]
pub struct Used {
    pub table: Table,
    /// Calls of models that did not tell their tokens.
    pub uncounted: u64,
    /// What was not sent as chosen, by seat and parameter.
    pub departures: Vec<Departure>,
}

/// The same as it is counted.
#[derive(Debug)]
pub struct CountingUse {
    spec: Spec,
    /// The table where a report has it, which knows prices; a run in which nothing can have cost money has none.
    told: Option<Table>,
    spending: Spending,
    uncounted: u64,
    made: BTreeMap<String, u64>,
    departed: BTreeMap<(String, String), u64>,
}

impl CountingUse {
    /// Nothing was looked at yet.
    pub fn of(spec: Spec, told: Option<Table>) -> Self {
        CountingUse {
            spec,
            told,
            spending: Spending::default(),
            uncounted: 0,
            made: BTreeMap::new(),
            departed: BTreeMap::new(),
        }
    }
}

impl Survey for CountingUse {
    type Found = Used;

    fn look(&mut self, all: &Snapshot, place: usize) {
        let usages = &all.summaries[place].usage;
        if self.told.is_none() {
            self.spending.add(&self.spec, usages, &MeasureOptions::default());
        }
        for (seat, usage) in usages {
            self.uncounted += u64::from(usage.model_calls.saturating_sub(usage.counted));
            match self.made.get_mut(seat) {
                Some(calls) => *calls += u64::from(usage.calls),
                None => {
                    self.made.insert(seat.clone(), u64::from(usage.calls));
                }
            }
            for (parameter, calls) in &usage.departures {
                let departed = self.departed.entry((seat.clone(), parameter.clone()));
                *departed.or_default() += u64::from(*calls);
            }
        }
    }

    fn found(self, _: &Arc<Snapshot>) -> Used {
        let departed = self.departed.into_iter();
        Used {
            departures: departed
                .map(|((seat, parameter), calls)| Departure {
                    of: self.made.get(&seat).copied().unwrap_or(0),
                    seat,
                    parameter,
                    calls,
                })
                .collect(),
            table: self.told.unwrap_or_else(|| self.spending.table()),
            uncounted: self.uncounted,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{self, snapshot};
    use turnwise_shared::benchmark::default_spec;
    use turnwise_shared::examples::QUESTIONS;
    use turnwise_shared::metrics::summary::{SeatUsage, Summary};
    use turnwise_shared::registry;
    use turnwise_shared::screen::sample::summary;

    fn surveyed<S: Survey>(survey: S, summaries: Vec<Summary>) -> S::Found {
        testing::surveyed(survey, &Arc::new(snapshot(summaries)))
    }

    #[test]
    fn what_happened_most_comes_first() {
        let counting = CountingEvents::default;
        let happened =
            surveyed(counting(), vec![summary("1", "??="), summary("2", "?="), summary("3", "=")]);
        assert_eq!(happened.faults, [Happened { name: "no_object".into(), times: 3, episodes: 2 }]);
        assert!(happened.flags.is_empty());
        let mut failed = summary("4", "=");
        failed.failures.insert(FailureClass::RateLimited, 2);
        failed.failures.insert(FailureClass::Timeout, 2);
        failed.failures.insert(FailureClass::Server, 3);
        let names: Vec<_> = surveyed(counting(), vec![failed])
            .failures
            .into_iter()
            .map(|happened| happened.name)
            .collect();
        assert_eq!(names, ["server", "rate_limited", "timeout"]);
    }

    #[test]
    fn usage_adds_up_by_seat() {
        let used = |calls, input| SeatUsage {
            calls,
            model_calls: calls,
            counted: calls,
            input,
            cached: 1,
            output: 10,
            reasoning: 4,
            departures: BTreeMap::from([("top_p".to_owned(), calls)]),
            ..SeatUsage::default()
        };
        let mut one = summary("1", "=");
        one.usage.insert("player".into(), used(3, 100));
        one.usage.insert("search".into(), used(2, 0));
        let mut other = summary("2", "=");
        other.usage.insert("player".into(), used(1, 50));
        let mut silent = used(2, 0);
        silent.counted = 1;
        other.usage.insert("grader".into(), silent);
        let spec = default_spec(registry::find(QUESTIONS).expect("it is known"));
        let used = surveyed(CountingUse::of(spec, None), vec![one, other]);
        let departed: Vec<_> = used
            .departures
            .into_iter()
            .map(|one| (one.seat, one.parameter, one.calls, one.of))
            .collect();
        let row = |seat: &str, calls| (seat.to_owned(), "top_p".to_owned(), calls, calls);
        assert_eq!(departed, [row("grader", 2), row("player", 4), row("search", 2)]);
        assert_eq!(used.uncounted, 1);
        let rows = used.table.rows.iter();
        let rows: Vec<_> = rows.map(|row| row.name.as_str()).collect();
        assert_eq!(rows, ["grader (bot:exact)", "player (bot:asks-by-rule)", "search", "all"]);
    }
}
