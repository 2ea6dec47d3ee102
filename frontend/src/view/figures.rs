//! Counts over a run's episodes: faults, flags, failed calls, calls and tokens by seat.

use std::collections::BTreeMap;

use serde_json::Value;
use turnwise_shared::effect::FailureClass;

use super::snapshot::Snapshot;

/// Something that happened so many times in so many episodes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Happened {
    /// What, as transcripts name it.
    pub name: String,
    /// How many times.
    pub times: u64,
    /// In how many episodes.
    pub episodes: u64,
}

/// Faults by class, the most frequent first.
pub fn faults(snapshot: &Snapshot) -> Vec<Happened> {
    happened(snapshot, |place| {
        let faults = &snapshot.summaries[place].faults;
        faults.iter().map(|(name, times)| (name.clone(), *times))
    })
}

/// Flags by name, the most frequent first.
pub fn flags(snapshot: &Snapshot) -> Vec<Happened> {
    happened(snapshot, |place| {
        let flags = &snapshot.summaries[place].flags;
        flags.iter().map(|(name, times)| (name.clone(), *times))
    })
}

/// Failed calls by class, the most frequent first.
pub fn failures(snapshot: &Snapshot) -> Vec<Happened> {
    happened(snapshot, |place| {
        let failures = &snapshot.summaries[place].failures;
        failures
            .iter()
            .map(|(class, times)| (failure_name(*class), *times))
    })
}

fn happened<I: Iterator<Item = (String, u32)>>(
    snapshot: &Snapshot,
    of: impl Fn(usize) -> I,
) -> Vec<Happened> {
    let mut all: BTreeMap<String, Happened> = BTreeMap::new();
    for place in 0..snapshot.len() {
        for (name, times) in of(place) {
            let entry = all.entry(name.clone()).or_insert(Happened {
                name,
                times: 0,
                episodes: 0,
            });
            entry.times += u64::from(times);
            entry.episodes += 1;
        }
    }
    let mut all: Vec<Happened> = all.into_values().collect();
    all.sort_by(|a, b| b.times.cmp(&a.times).then_with(|| a.name.cmp(&b.name)));
    all
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
    /// The seat.
    pub seat: String,
    /// The parameter.
    pub parameter: String,
    /// In how many calls.
    pub calls: u64,
    /// How many calls the seat made.
    pub of: u64,
}

/// What was not sent as chosen over a whole run, by seat and parameter.
pub fn departures(snapshot: &Snapshot) -> Vec<Departure> {
    let mut made: BTreeMap<&str, u64> = BTreeMap::new();
    let mut departed: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    for summary in &snapshot.summaries {
        for (seat, usage) in &summary.usage {
            *made.entry(seat).or_default() += u64::from(usage.calls);
            for (parameter, calls) in &usage.departures {
                *departed.entry((seat, parameter)).or_default() += u64::from(*calls);
            }
        }
    }
    departed
        .into_iter()
        .map(|((seat, parameter), calls)| Departure {
            seat: seat.to_owned(),
            parameter: parameter.to_owned(),
            calls,
            of: made.get(seat).copied().unwrap_or(0),
        })
        .collect()
}

/// Calls of models that did not tell their tokens, over a whole run.
pub fn uncounted(snapshot: &Snapshot) -> u64 {
    let usages = snapshot.summaries.iter().flat_map(|one| one.usage.values());
    usages
        .map(|usage| u64::from(usage.model_calls.saturating_sub(usage.counted)))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::snapshot::tests::snapshot;
    use turnwise_shared::metrics::summary::SeatUsage;
    use turnwise_shared::screen::sample::summary;

    #[test]
    fn what_happened_most_comes_first() {
        let snapshot = snapshot(vec![
            summary("1", "??="),
            summary("2", "?="),
            summary("3", "="),
        ]);
        assert_eq!(
            faults(&snapshot),
            [Happened {
                name: "no_object".into(),
                times: 3,
                episodes: 2
            }]
        );
        assert!(flags(&snapshot).is_empty());
        let mut failed = summary("4", "=");
        failed.failures.insert(FailureClass::RateLimited, 2);
        failed.failures.insert(FailureClass::Timeout, 2);
        failed.failures.insert(FailureClass::Server, 3);
        let names: Vec<_> = failures(&self::snapshot(vec![failed]))
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
        let all = snapshot(vec![one, other]);
        let departed: Vec<_> = departures(&all)
            .into_iter()
            .map(|one| (one.seat, one.parameter, one.calls, one.of))
            .collect();
        let row = |seat: &str, calls| (seat.to_owned(), "top_p".to_owned(), calls, calls);
        assert_eq!(
            departed,
            [row("grader", 2), row("player", 4), row("search", 2)]
        );
        assert_eq!(uncounted(&all), 1);
    }
}
