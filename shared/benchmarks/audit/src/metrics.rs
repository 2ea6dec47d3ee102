//! The numbers of one rater: how it agrees with itself and with what was recorded, and what would change.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use turnwise_core::kit::judge::majority;
use turnwise_core::metrics::agreement::{Agreement, interval_alpha, nominal_alpha};
use turnwise_core::metrics::bootstrap::resampled;
use turnwise_core::metrics::proportion::Cluster;
use turnwise_core::metrics::scored::extended;
use turnwise_core::prelude::*;

use crate::JUDGE;
use crate::protocol::RECORDED;
use crate::tasks::label;

turnwise_core::captions! { "report.toml" }

/// How often clusters are drawn anew for an interval, and from which seed.
const RESAMPLES: u32 = 1_000;
const SEED: u64 = 1;

turnwise_core::numbers! { "numbers.tsv": PERCENT = "agreement.percent" }

/// What is counted in an episode.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct Numbers {
    verdict: Option<String>,
    recorded: Option<String>,
    /// Which call it is of.
    from: Value,
}

/// The score of an episode: 1 for the recorded verdict, 0 for another; none without either.
pub fn measure(play: &Transcript) -> Measured {
    let Some(outcome) = play.outcome().filter(|outcome| outcome.is_complete()) else {
        return Measured::default();
    };
    let mut numbers =
        Numbers { verdict: outcome.text("verdict").map(str::to_owned), ..Numbers::default() };
    if let Some(recorded) = play.noted::<Value>(RECORDED).next() {
        numbers.recorded = recorded["verdict"].as_str().map(str::to_owned);
        numbers.from = recorded["from"].clone();
    }
    let both = numbers.verdict.as_ref().zip(numbers.recorded.as_ref());
    let score = both.map(|(verdict, recorded)| f64::from(u8::from(verdict == recorded)));
    Measured::of(score, numbers.verdict.clone(), &numbers)
}

/// A call and what a rater said of it.
#[derive(Debug, Clone, Default)]
pub struct Call {
    /// The hash of the task that was played: its calls are drawn together.
    pub task: String,
    pub run: String,
    pub from: Value,
    pub recorded: Option<String>,
    /// Those of the repeats that could be read.
    pub verdicts: Vec<String>,
    pub repeats: usize,
}

impl Call {
    /// What most repeats say.
    pub fn decided(&self) -> Option<&str> {
        majority(self.verdicts.iter().map(String::as_str), self.repeats)
    }

    /// The recorded verdict and what most repeats say instead.
    fn change(&self) -> Option<(&str, &str)> {
        let (recorded, now) = (self.recorded.as_deref()?, self.decided()?);
        (recorded != now).then_some((recorded, now))
    }
}

/// The calls of a run by task.
pub fn calls<'a>(episodes: impl IntoIterator<Item = &'a Summary>) -> BTreeMap<TaskId, Call> {
    let mut calls: BTreeMap<TaskId, Call> = BTreeMap::new();
    for summary in episodes {
        if summary.ending.is_none() {
            continue;
        }
        let numbers: Numbers = summary.measured.numbers.read().unwrap_or_default();
        let call = calls.entry(summary.task.id.clone()).or_default();
        let label = |name| summary.task.labels.get(name).cloned().unwrap_or_default();
        (call.task, call.run) = (label(label::TASK), label(label::RUN));
        if numbers.recorded.is_some() {
            (call.recorded, call.from) = (numbers.recorded, numbers.from);
        }
        call.repeats += 1;
        call.verdicts.extend(numbers.verdict);
    }
    calls
}

fn clusters<T: Clone>(units: &[(&str, T)]) -> Vec<Vec<T>> {
    let mut clusters: BTreeMap<&str, Vec<T>> = BTreeMap::new();
    for (task, unit) in units {
        clusters.entry(task).or_default().push(unit.clone());
    }
    clusters.into_values().collect()
}

/// Percent and kappa of pairs of verdicts, with intervals.
pub fn agreement(pairs: &[(&str, (&str, &str))]) -> Value {
    let same = pairs.iter().map(|(task, (one, other))| (*task, one == other));
    let percent = Share::of(same);
    let kappa = |pairs: &[(&str, &str)]| Agreement::of(pairs.iter().copied()).kappa();
    let all: Vec<_> = pairs.iter().map(|(_, pair)| *pair).collect();
    let [interval] = resampled(&clusters(pairs), RESAMPLES, SEED, |drawn| {
        [kappa(&drawn.iter().flat_map(|one| one.iter().copied()).collect::<Vec<_>>())]
    });
    json!({
        "n": percent.n,
        "percent": percent.value,
        "percent_interval": percent.interval,
        "kappa": kappa(&all),
        "kappa_interval": interval,
    })
}

/// Both alphas of units, with intervals; that of numbers where all verdicts are numbers.
pub fn alphas(units: &[(&str, Vec<&str>)]) -> Value {
    let number = |verdict: &&str| verdict.parse::<f64>().ok();
    let numbers = units
        .iter()
        .map(|(task, unit)| Some((*task, unit.iter().map(number).collect::<Option<Vec<_>>>()?)));
    let numbers: Vec<_> = numbers.collect::<Option<_>>().unwrap_or_default();
    let (nominal, nominal_interval) = alpha(units, nominal_alpha);
    let (interval, interval_interval) = alpha(&numbers, interval_alpha);
    json!({
        "nominal_alpha": nominal,
        "nominal_alpha_interval": nominal_interval,
        "interval_alpha": interval,
        "interval_alpha_interval": interval_interval,
    })
}

fn alpha<V: Clone>(
    units: &[(&str, Vec<V>)],
    of: fn(&[&[V]]) -> Option<f64>,
) -> (Option<f64>, Option<(f64, f64)>) {
    let all: Vec<&[V]> = units.iter().map(|(_, unit)| unit.as_slice()).collect();
    let [interval] = resampled(&clusters(units), RESAMPLES, SEED, |drawn| {
        let units = drawn.iter().flat_map(|one| one.iter().map(Vec::as_slice));
        [of(&units.collect::<Vec<_>>())]
    });
    (of(&all), interval)
}

/// The numbers of a run.
pub fn report(spec: &Spec, episodes: &[&Summary]) -> Report {
    let by_task = calls(episodes.iter().copied());
    let calls: Vec<&Call> = by_task.values().collect();
    let pairs = calls.iter().flat_map(|call| {
        let said = call.verdicts.iter().map(String::as_str);
        said.filter_map(|verdict| Some((call.task.as_str(), (call.recorded.as_deref()?, verdict))))
    });
    let pairs: Vec<_> = pairs.collect();
    let both: Vec<_> =
        pairs.iter().map(|(task, (one, other))| (*task, vec![*one, *other])).collect();
    let repeats = calls.iter().map(|call| {
        (call.task.as_str(), call.verdicts.iter().map(String::as_str).collect::<Vec<_>>())
    });
    let repeats: Vec<_> = repeats.collect();
    let consistency = Share::of(repeats.iter().map(|(task, said)| (*task, same_pairs(said))));
    let readable = calls.iter().map(|call| {
        let (successes, n) = (call.verdicts.len() as u64, call.repeats as u64);
        (call.task.as_str(), Cluster { successes, n })
    });
    let changed = Share::of(calls.iter().filter_map(|call| {
        (call.recorded.as_ref().zip(call.decided())).map(|_| (&call.task, call.change().is_some()))
    }));
    let changed_calls = by_task.iter().filter_map(|(id, call)| {
        let (recorded, now) = call.change()?;
        Some(json!({ "id": id, "run": call.run, "call": call.from, "recorded": recorded, "now": now }))
    });
    let own = json!({
        "n": consistency.n, "percent": consistency.value, "percent_interval": consistency.interval,
    });
    let record = json!({
        "agreement": extended(agreement(&pairs), alphas(&both)),
        "consistency": extended(own, alphas(&repeats)),
        "readable": Share::of(readable),
        "changed": changed,
        "changes": changed_calls.collect::<Vec<_>>(),
    });
    let is_person =
        spec.seats.get(&Seat::new(JUDGE)).is_some_and(|one| one.player == Player::Person);
    let remark = "The rater is a person: agreement with the record is the accuracy of the recorded judges against people.";
    Report {
        tables: changes(&calls).into_iter().collect(),
        remarks: is_person.then(|| remark.to_owned()).into_iter().collect(),
        ..Report::of(METRICS, record)
    }
}

/// How many pairs of repeats say the same.
fn same_pairs(said: &[&str]) -> Cluster {
    let mut pairs = Cluster::default();
    for (at, one) in said.iter().enumerate() {
        said[at + 1..].iter().for_each(|other| pairs += Cluster::from(one == other));
    }
    pairs
}

/// What would change, by run and by verdict.
fn changes(calls: &[&Call]) -> Option<Table> {
    let mut counts: BTreeMap<(&str, &str, &str), u32> = BTreeMap::new();
    for call in calls {
        if let Some((recorded, now)) = call.change() {
            *counts.entry((&call.run, recorded, now)).or_default() += 1;
        }
    }
    let rows = counts.iter().map(|((run, recorded, now), count)| {
        let all = calls.iter().filter(|call| call.run == *run && call.recorded.is_some()).count();
        let share = f64::from(*count) / all as f64;
        TableRow::new(format!("{run}: {recorded} → {now}"), *count, [Some(share)])
    });
    let table = caption("changes").table(rows);
    (!table.rows.is_empty()).then_some(table)
}
