//! Two runs over the same tasks: their paired difference, whether it can be told from chance, and how many tasks it would
//! take; and several runs: which of them cannot be told apart.
//!
//! - The **difference** is the mean over tasks of one run's number less the other's; a task's number is the mean of its
//!   repeats.
//! - The **test** turns the signs of clusters of tasks round (R. A. Fisher's paired randomization test): were both runs equally
//!   good, each cluster's difference could as well have been the opposite one. Where every task is right or wrong and alone in
//!   its cluster this is **McNemar's exact test** (Q. McNemar, 1947), and is computed exactly; else all ways are counted where
//!   there are few, and drawn where there are many, seeded from the numbers themselves.
//! - The **interval** is the same test turned round: every difference that it would not reject at [`ALPHA`]. These are the means
//!   over random subsets of clusters between two quantiles (J. A. Hartigan, 1969). So the interval excludes 0 if and only if
//!   the p-value is below [`ALPHA`], and the opposite comparison has the opposite interval.
//! - **Several runs** are compared two by two, with p-values corrected by Holm's method (S. Holm, 1979).
//! - **How many tasks**: those with which a two-sided test at [`ALPHA`] finds a difference as large as the one seen with
//!   probability [`POWER`], if further tasks are like these. For right and wrong: R. J. Connor, 1987, from the share of tasks
//!   in which the runs differ; else from the deviation of the tasks' differences.

/// What is compared of one episode.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// What tells its task from others, the same in every run that plays it.
    pub task: String,
    /// What tasks that are alike share; its own task where there are none.
    pub cluster: String,
    /// The number of each seat that is compared.
    pub numbers: BTreeMap<Seat, f64>,
}

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde::Serialize;

use crate::hash::Digest;
use crate::metrics::HALF_95;
use crate::metrics::bootstrap::Cluster;
use crate::metrics::spread::mean;
use crate::saturated;
use crate::seat::Seat;

/// How unlikely a difference must be by chance alone before two runs count as told apart; of several runs all together.
pub const ALPHA: f64 = 0.05;

/// With which probability the tasks that [`Needed`] counts would tell two runs apart.
pub const POWER: f64 = 0.8;

/// The point of the normal distribution below which [`POWER`] lies.
const Z_POWER: f64 = 0.841_621_233_572_914_3;

/// How many subsets of clusters are drawn.
const DRAWN: u32 = 10_000;

/// Up to this many clusters all subsets are counted.
const COUNTED: usize = 13;

/// Probabilities below this are left out of exact sums.
const NEGLIGIBLE: f64 = 1e-13;

/// The most tasks that are counted as needed; beyond this a difference is too small for any number of tasks to matter.
const MOST_NEEDED: f64 = 1e9;

/// One task that both runs have.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Task<'a> {
    /// With which other tasks it is drawn; alone, its own name.
    pub cluster: &'a str,
    /// The first run's number.
    pub one: f64,
    pub other: f64,
}

/// How two runs differ over the same tasks.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Paired {
    pub tasks: u32,
    /// Clusters of tasks; as many as tasks where each is alone.
    pub clusters: u32,
    /// The mean of the first run's number less the other's.
    pub difference: f64,
    /// Its 95 % interval, of the same test as `p`; `None` where all tasks have the same difference, which says nothing of how it
    /// would vary, or where there are too few clusters for any difference to be rejected.
    pub interval: Option<(f64, f64)>,
    /// Tasks in which the first has the larger number: McNemar's b.
    pub more: u32,
    /// Tasks in which the other has: McNemar's c.
    pub less: u32,
    /// Whether every number is 0 or 1.
    pub binary: bool,
    /// The two-sided p-value of no difference: McNemar's exact test, or the paired randomization test.
    pub p: f64,
    /// How many tasks it would take to tell them apart.
    pub needed: Needed,
}

impl Paired {
    /// Whether `p` is that of McNemar's exact test.
    pub fn is_mcnemar(&self) -> bool {
        self.binary && self.clusters == self.tasks
    }
}

/// How many tasks it would take to tell two runs apart, if further ones are like these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Needed {
    Tasks(u32),
    /// It cannot be said: no difference was seen, or one that no number of tasks would show.
    CannotBeSaid,
}

impl Needed {
    /// How many more than there are; `None` where it cannot be said.
    pub fn beyond(self, tasks: u32) -> Option<u32> {
        match self {
            Needed::Tasks(needed) => Some(needed.saturating_sub(tasks)),
            Needed::CannotBeSaid => None,
        }
    }
}

/// Compares two runs. Clusters are taken in the order of their names, so that of tasks does not matter. `None` without tasks.
pub fn paired(tasks: &[Task<'_>]) -> Option<Paired> {
    let n = u32::try_from(tasks.len()).ok()?;
    let gains: Vec<f64> = tasks.iter().map(|task| task.one - task.other).collect();
    let difference = mean(gains.iter().copied())?;
    let mut clusters: BTreeMap<&str, Cluster> = BTreeMap::new();
    for (task, gain) in tasks.iter().zip(&gains) {
        clusters.entry(task.cluster).or_default().add(*gain);
    }
    let groups: Vec<Cluster> = clusters.into_values().collect();
    let varies = gains.iter().any(|gain| *gain != gains[0]);
    let (more, less) =
        (count(tasks, |task| task.one > task.other), count(tasks, |task| task.one < task.other));
    let is_binary = |number: f64| number == 0.0 || number == 1.0;
    let binary = tasks.iter().all(|task| is_binary(task.one) && is_binary(task.other));
    let (p, interval) = match binary && groups.len() == tasks.len() {
        true => of_answers(more, less, n - more - less),
        false => of_clusters(&groups, || seed(tasks)),
    };
    Some(Paired {
        tasks: n,
        clusters: saturated(groups.len()),
        difference,
        interval: interval.filter(|_| varies),
        more,
        less,
        binary,
        p,
        needed: match binary {
            true => needed_for_shares(more, less, n),
            false => needed_for_means(&gains),
        },
    })
}

/// The two-sided p-value and the interval of answers that are right or wrong, each task for itself: won by the first run, by the
/// other, by neither.
fn of_answers(more: u32, less: u32, none: u32) -> (f64, Option<(f64, f64)>) {
    let p = sign_test(u64::from(more), u64::from(less));
    let is_told = p < ALPHA;
    let low = least(more, less, none, is_told && more > less);
    let high = -least(less, more, none, is_told && less > more);
    // No −0.
    (p, Some((low + 0.0, high + 0.0)))
}

/// The least difference that is not rejected from below. A random subset of the tasks has a mean at most as large with a
/// probability that grows with the difference; the least one is where it reaches half of [`ALPHA`].
fn least(more: u32, less: u32, none: u32, is_above: bool) -> f64 {
    let (won, lost, even) = (halves(more), halves(less), halves(none));
    let even: Vec<f64> = even
        .iter()
        .scan(0.0, |sum, one| {
            *sum += one;
            Some(*sum)
        })
        .collect();
    let likely = |all: &[f64]| {
        let kept = all.iter().copied().enumerate();
        kept.filter(|(_, one)| *one > NEGLIGIBLE)
            .map(|(at, one)| (at as f64, one))
            .collect::<Vec<_>>()
    };
    let (won, lost) = (likely(&won), likely(&lost));
    // How many tasks of no difference are at most, or at least, in a subset.
    let up_to = |most: f64| match most < 0.0 {
        true => 0.0,
        false => even[(most.floor() as usize).min(even.len() - 1)],
    };
    let at_most = |difference: f64| -> f64 {
        let mut sum = 0.0;
        for (won, one) in &won {
            for (lost, other) in &lost {
                let (gain, size) = (won - lost, won + lost);
                // gain <= difference * (size + even), and a subset of nothing always counts.
                let share = match difference {
                    0.0 => f64::from(u8::from(gain <= 0.0)),
                    above if above > 0.0 => 1.0 - up_to((gain / above - size - 1e-9).ceil() - 1.0),
                    below => up_to(gain / below - size + 1e-9),
                };
                sum += one * other * share;
            }
        }
        sum
    };
    let (mut rejected, mut kept) = match is_above {
        true => (0.0, 1.0),
        false => (-1.0, 0.0),
    };
    if !is_above && at_most(-1.0) >= ALPHA / 2.0 {
        return -1.0;
    }
    for _ in 0..40 {
        let middle = f64::midpoint(rejected, kept);
        match at_most(middle) >= ALPHA / 2.0 {
            true => kept = middle,
            false => rejected = middle,
        }
    }
    kept
}

/// The probabilities of 0 to `n` heads in as many tosses of a fair coin.
fn halves(n: u32) -> Vec<f64> {
    let middle = n / 2;
    let mut all = vec![0.0; n as usize + 1];
    all[middle as usize] = 1.0;
    for at in middle..n {
        all[at as usize + 1] = all[at as usize] * f64::from(n - at) / f64::from(at + 1);
    }
    for at in (0..middle).rev() {
        all[at as usize] = all[at as usize + 1] * f64::from(at + 1) / f64::from(n - at);
    }
    let sum: f64 = all.iter().sum();
    all.iter().map(|one| one / sum).collect()
}

/// The two-sided p-value and the interval of the means over subsets of clusters.
fn of_clusters(groups: &[Cluster], seed: impl FnOnce() -> u64) -> (f64, Option<(f64, f64)>) {
    let mut means: Vec<f64> = match groups.len() <= COUNTED {
        true => (1..1_u32 << groups.len())
            .filter_map(|chosen| subset(groups, |at| chosen >> at & 1 == 1))
            .collect(),
        false => {
            let label = b"turnwise paired subsets 1\0".as_slice();
            let key = Digest::of_parts([label, &seed().to_le_bytes()]);
            let mut source = ChaCha20Rng::from_seed(*key.bytes());
            let mut draw = || {
                let mut bits = 0;
                subset(groups, |at| {
                    if at % 64 == 0 {
                        bits = source.next_u64();
                    }
                    bits >> (at % 64) & 1 == 1
                })
            };
            (0..DRAWN).filter_map(|_| draw()).collect()
        }
    };
    means.sort_by(f64::total_cmp);
    // The subset of nothing is as small and as large as every other.
    let all = means.len() as f64 + 1.0;
    let share = |count: usize| (count as f64 + 1.0) / all;
    let tail = share(means.partition_point(|mean| *mean <= 0.0))
        .min(share(means.len() - means.partition_point(|mean| *mean < 0.0)));
    // The first mean at which a tail reaches half of what is rejected.
    let reached = (1..=means.len()).find(|count| share(*count) >= ALPHA / 2.0);
    let is_bounded = share(0) < ALPHA / 2.0;
    let interval =
        reached.filter(|_| is_bounded).map(|count| (means[count - 1], means[means.len() - count]));
    ((2.0 * tail).min(1.0), interval)
}

/// The mean over the clusters of a subset; `None` of nothing.
fn subset(groups: &[Cluster], mut is_in: impl FnMut(usize) -> bool) -> Option<f64> {
    let mut all = Cluster::default();
    for (at, group) in groups.iter().enumerate() {
        if is_in(at) {
            all.sum += group.sum;
            all.n += group.n;
        }
    }
    // What adds up to nothing but for rounding is nothing.
    let mean = all.mean()?;
    Some(if mean.abs() < 1e-12 { 0.0 } else { mean })
}

/// The exact two-sided p-value of this many wins against this many losses, if each were as likely: twice the binomial
/// tail, at most 1. Of right and wrong answers it is McNemar's exact test.
pub fn sign_test(wins: u64, losses: u64) -> f64 {
    let n = wins + losses;
    // The tail is the sum of n over k, divided by two n times; halved on the way, so that nothing overflows.
    let (mut term, mut sum, mut halvings) = (1.0_f64, 0.0_f64, n);
    for k in 0..=wins.min(losses) {
        if k > 0 {
            term *= (n - k + 1) as f64 / k as f64;
        }
        sum += term;
        while sum > 1e200 && halvings > 0 {
            let step = halvings.min(600);
            let factor = 0.5_f64.powi(step as i32);
            term *= factor;
            sum *= factor;
            halvings -= step;
        }
    }
    while halvings > 0 {
        let step = halvings.min(600);
        sum *= 0.5_f64.powi(step as i32);
        halvings -= step;
    }
    (2.0 * sum).min(1.0)
}

/// Holm's corrected p-values, in the order of those given: the smallest is multiplied by how many there are, the next by one
/// less, and so on; none is smaller than one before it, none above 1.
pub fn holm(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|one, other| values[*one].total_cmp(&values[*other]));
    let mut corrected = vec![1.0; values.len()];
    let mut highest = 0.0_f64;
    for (place, at) in order.iter().enumerate() {
        let factor = (values.len() - place) as f64;
        highest = highest.max((values[*at] * factor).min(1.0));
        corrected[*at] = highest;
    }
    corrected
}

/// Which of `count` runs cannot be told apart: every largest set in which no two were. A run may be in several, and is in at
/// least one, perhaps alone. In the order of their first members.
///
/// `apart` says whether two runs, the one with the lower number first, were told apart.
pub fn tie_groups(count: usize, apart: impl Fn(usize, usize) -> bool) -> Vec<Vec<usize>> {
    let tied = |one: usize, other: usize| !apart(one.min(other), one.max(other));
    let mut found = Vec::new();
    extend(&mut Vec::new(), (0..count).collect(), Vec::new(), &tied, &mut found);
    found.sort();
    found
}

/// Bron and Kerbosch's search for the largest sets: `group` holds who is in, `open` who may still come in, `done` who was in
/// a set that was found already.
fn extend(
    group: &mut Vec<usize>,
    mut open: Vec<usize>,
    mut done: Vec<usize>,
    tied: &impl Fn(usize, usize) -> bool,
    found: &mut Vec<Vec<usize>>,
) {
    if open.is_empty() && done.is_empty() {
        if !group.is_empty() {
            found.push(group.clone());
        }
        return;
    }
    while !open.is_empty() {
        let next = open.remove(0);
        let with_next = |others: &[usize]| {
            let with = others.iter().copied().filter(|other| tied(next, *other));
            with.collect::<Vec<_>>()
        };
        group.push(next);
        extend(group, with_next(&open), with_next(&done), tied, found);
        group.pop();
        done.push(next);
    }
}

/// Connor's number of pairs: from the share of tasks in which the runs differ, and by how much.
fn needed_for_shares(more: u32, less: u32, n: u32) -> Needed {
    let n = f64::from(n);
    let (differ, gain) =
        ((f64::from(more) + f64::from(less)) / n, (f64::from(more) - f64::from(less)) / n);
    if gain == 0.0 {
        return Needed::CannotBeSaid;
    }
    let spread = HALF_95 * differ.sqrt() + Z_POWER * (differ - gain * gain).max(0.0).sqrt();
    whole((spread / gain).powi(2))
}

/// The number of pairs by the deviation of their differences.
fn needed_for_means(gains: &[f64]) -> Needed {
    let Some(gain) = mean(gains.iter().copied()).filter(|gain| *gain != 0.0) else {
        return Needed::CannotBeSaid;
    };
    if gains.len() < 2 {
        return Needed::CannotBeSaid;
    }
    let squares: f64 = gains.iter().map(|one| (one - gain).powi(2)).sum();
    let variance = squares / (gains.len() as f64 - 1.0);
    whole((HALF_95 + Z_POWER).powi(2) * variance / (gain * gain))
}

fn whole(tasks: f64) -> Needed {
    // At least as many as the exact test needs to say anything: six wins and no loss have p = 0.03.
    let tasks = tasks.ceil().max(6.0);
    if tasks <= MOST_NEEDED { Needed::Tasks(tasks as u32) } else { Needed::CannotBeSaid }
}

fn count(tasks: &[Task<'_>], wanted: impl Fn(&Task<'_>) -> bool) -> u32 {
    let count = tasks.iter().filter(|task| wanted(task)).count();
    saturated(count)
}

/// A seed from the numbers of both runs, the same whichever is named first.
fn seed(tasks: &[Task<'_>]) -> u64 {
    let digest = |number: &dyn Fn(&Task<'_>) -> f64| {
        let mut bytes = Vec::new();
        for task in tasks {
            bytes.extend_from_slice(task.cluster.as_bytes());
            bytes.push(0);
            bytes.extend_from_slice(&number(task).to_bits().to_le_bytes());
        }
        Digest::of(bytes)
    };
    let mut sides = [digest(&|task| task.one), digest(&|task| task.other)];
    sides.sort();
    let both = Digest::of_parts(
        std::iter::once(b"turnwise paired 2\0".as_slice())
            .chain(sides.iter().map(|side| side.bytes().as_slice())),
    );
    let mut first = [0; 8];
    first.copy_from_slice(&both.bytes()[..8]);
    u64::from_le_bytes(first)
}
