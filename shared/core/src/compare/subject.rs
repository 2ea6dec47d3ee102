//! One seat over the tasks that all runs have: each run's number, every two runs, and which of them are tied.

use std::collections::{BTreeMap, BTreeSet};

use super::{Flip, Pair, Side, Subject};
use crate::benchmark::Benchmark;
use crate::key::EpisodeKey;
use crate::metrics::bootstrap::{clusters, interval};
use crate::metrics::paired::{ALPHA, Sample, Task, holm, paired, tie_groups};
use crate::metrics::proportion::{Cluster, Share};
use crate::metrics::summary::Summary;
use crate::saturated;
use crate::screen::natural::natural;
use crate::seat::Seat;
use crate::spec::Spec;

/// How often clusters are drawn anew for the interval of one run's own number.
const RESAMPLES: u32 = 2000;

/// The episodes of one task in one run.
#[derive(Default)]
pub(super) struct Plays<'a> {
    pub(super) cluster: &'a str,
    pub(super) plays: Vec<(f64, &'a Summary)>,
}

/// The episodes of a run by task.
pub(super) type Tasks<'a> = BTreeMap<&'a str, Plays<'a>>;

impl Plays<'_> {
    pub(super) fn mean(&self) -> f64 {
        let sum: f64 = self.plays.iter().map(|(number, _)| number).sum();
        sum / self.plays.len().max(1) as f64
    }

    /// The play with the largest number, or the smallest; of equal ones the first repeat.
    fn extreme(&self, largest: bool) -> Option<&Summary> {
        let better = |one: f64, other: f64| if largest { one > other } else { one < other };
        let mut found: Option<(f64, &Summary)> = None;
        for (number, summary) in &self.plays {
            if found.is_none_or(|(best, before)| {
                better(*number, best) || (*number == best && summary.repeat < before.repeat)
            }) {
                found = Some((*number, summary));
            }
        }
        found.map(|(_, summary)| summary)
    }
}

/// The episodes that have a number of the seat, by task.
pub(super) fn by_task<'a>(seat: &Seat, samples: &'a [(Sample, &'a Summary)]) -> Tasks<'a> {
    let mut tasks = Tasks::new();
    for (sample, summary) in samples {
        if let Some(number) = sample.numbers.get(seat) {
            let task = tasks.entry(&sample.task).or_default();
            task.cluster = &sample.cluster;
            task.plays.push((*number, summary));
        }
    }
    tasks
}

/// The tasks that all runs have, and how many only some have.
pub(super) fn in_common<'a, 'b: 'a>(
    runs: impl Iterator<Item = &'a Tasks<'b>> + Clone,
) -> (Vec<&'b str>, u32) {
    let all: BTreeSet<&str> = runs.clone().flat_map(|run| run.keys().copied()).collect();
    let count = all.len();
    let is_common = |task: &&str| runs.clone().all(|run| run.contains_key(task));
    let common: Vec<&str> = all.into_iter().filter(is_common).collect();
    let left_out = saturated(count - common.len());
    (common, left_out)
}

/// A run's number over these tasks; its profile is that by which numbers are taken.
pub(super) fn side_of(
    benchmark: &dyn Benchmark,
    spec: &Spec,
    run: &Tasks<'_>,
    common: &[&str],
) -> Side {
    let usual = side(run, common);
    let tasks = || common.iter().filter_map(|task| run.get(task));
    let plays: Vec<&Summary> =
        tasks().flat_map(|task| task.plays.iter().map(|(_, summary)| *summary)).collect();
    // The report's interval is that of all plays, and so of the mean over tasks where all were played equally often.
    let interval = match tasks().map(|task| task.plays.len()).collect::<BTreeSet<_>>().len() {
        1 => match benchmark.facts().compared_interval {
            Some(own) => own(spec, &plays),
            None => usual.interval,
        },
        _ => usual.interval,
    };
    Side { interval, ..usual }
}

/// One seat over the tasks that all runs have with a number of it; `None` if there are none.
pub(super) fn subject(
    benchmark: &dyn Benchmark,
    seat: &Seat,
    specs: &[&Spec],
    sampled: &[Vec<(Sample, &Summary)>],
) -> Option<Subject> {
    let runs: Vec<Tasks<'_>> = sampled.iter().map(|samples| by_task(seat, samples)).collect();
    let (common, left_out) = in_common(runs.iter());
    if common.is_empty() {
        return None;
    }
    let sides: Vec<Side> = runs
        .iter()
        .zip(specs)
        .map(|(run, spec)| {
            // Numbers were taken by the profile of the first.
            let spec = Spec { profile: specs[0].profile, ..(*spec).clone() };
            side_of(benchmark, &spec, run, &common)
        })
        .collect();
    let couples =
        (0..runs.len()).flat_map(|one| (one + 1..runs.len()).map(move |other| (one, other)));
    let mut pairs: Vec<Pair> = couples
        .filter_map(|(one, other)| pair((one, &runs[one]), (other, &runs[other]), &common))
        .collect();
    let values: Vec<f64> = pairs.iter().map(|pair| pair.paired.p).collect();
    for (pair, p) in pairs.iter_mut().zip(holm(&values)) {
        pair.p_holm = p;
        pair.apart = p < ALPHA;
    }
    let groups = tie_groups(runs.len(), |one, other| {
        pairs.iter().any(|pair| (pair.one, pair.other) == (one, other) && pair.apart)
    });
    Some(Subject {
        seat: seat.clone(),
        players: specs
            .iter()
            .map(|spec| {
                let sitting = spec.seats.get(seat);
                sitting.map_or_else(|| "nobody".to_owned(), |one| one.player.to_string())
            })
            .collect(),
        tasks: saturated(common.len()),
        clusters: pairs.first().map_or(0, |pair| pair.paired.clusters),
        left_out,
        sides,
        pairs,
        groups,
    })
}

fn side(run: &Tasks<'_>, common: &[&str]) -> Side {
    let of = || common.iter().filter_map(|task| run.get(task));
    let plays =
        || of().flat_map(|task| task.plays.iter().map(|(number, _)| (task.cluster, *number)));
    let numbers: Vec<(&str, f64)> = of().map(|task| (task.cluster, task.mean())).collect();
    let sum: f64 = numbers.iter().map(|(_, number)| number).sum();
    let groups = clusters(numbers.iter().copied());
    // Shares have the interval that they have everywhere; drawing anew would find none where all answers are wrong. Every task
    // weighs the same, as in the value, however often it was played.
    let is_share = plays().all(|(_, number)| number == 0.0 || number == 1.0);
    let interval = match common_multiple(of().map(|task| task.plays.len() as u64)) {
        Some(weight) if is_share => {
            let share = Share::of(of().map(|task| {
                let right = task.plays.iter().filter(|(number, _)| *number == 1.0).count() as u64;
                let successes = right * (weight / task.plays.len() as u64);
                (task.cluster, Cluster { successes, n: weight })
            }));
            share.interval
        }
        _ if groups.len() > 1 => interval(&groups, RESAMPLES, 1),
        _ => None,
    };
    Side { plays: saturated(plays().count()), value: sum / numbers.len().max(1) as f64, interval }
}

/// The least common multiple; `None` of numbers so different that shares cannot be counted in it.
fn common_multiple(mut numbers: impl Iterator<Item = u64>) -> Option<u64> {
    fn divisor(one: u64, other: u64) -> u64 {
        match other {
            0 => one,
            _ => divisor(other, one % other),
        }
    }
    const MOST: u64 = 1 << 40;
    let multiple = |one: u64, other: u64| one.checked_mul(other / divisor(one, other));
    numbers.try_fold(1, |one, other| multiple(one, other).filter(|found| *found <= MOST))
}

type Numbered<'a, 'b> = (usize, &'a Tasks<'b>);

fn pair(one: Numbered<'_, '_>, other: Numbered<'_, '_>, common: &[&str]) -> Option<Pair> {
    let both = || {
        let tasks = common.iter();
        tasks.filter_map(|task| Some((one.1.get(task)?, other.1.get(task)?)))
    };
    let tasks: Vec<Task<'_>> = both()
        .map(|(first, second)| Task {
            cluster: first.cluster,
            one: first.mean(),
            other: second.mean(),
        })
        .collect();
    let paired = paired(&tasks)?;
    let flip = |(first, second): (&Plays<'_>, &Plays<'_>)| {
        let (value, against) = (first.mean(), second.mean());
        let won = value > against;
        let (one, other) = (first.extreme(won)?, second.extreme(!won)?);
        let key = |summary: &Summary| EpisodeKey::play(&summary.task.id, summary.repeat);
        (value != against).then(|| Flip {
            task: one.task.id.clone(),
            one: value,
            other: against,
            one_play: key(one),
            other_play: key(other),
        })
    };
    let mut flips: Vec<Flip> = both().filter_map(flip).collect();
    flips.sort_by(|one, other| {
        let lost = |flip: &Flip| flip.one < flip.other;
        lost(one).cmp(&lost(other)).then_with(|| natural(&one.task.0, &other.task.0))
    });
    Some(Pair {
        one: one.0,
        other: other.0,
        more_tasks: paired.needed.beyond(paired.tasks),
        paired,
        p_holm: 1.0,
        apart: false,
        verdict: String::new(),
        flips,
    })
}
