//! Proportions with an interval (ARCHITECTURE.md, rule 29).

use crate::saturated;
use std::collections::BTreeMap;
use std::ops::AddAssign;

use serde::Serialize;

use super::HALF_95;
use super::report::{Breakdown, BreakdownRow, Point};
use super::spread::ratio;

/// Both ends of a 95 % interval, the lower one first.
pub type Interval = (f64, f64);

/// The share of trials that succeeded. It is serialised as `{n, value, interval}`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Share {
    pub n: u32,
    /// Successes by trials, 0 to 1; `None` without trials.
    pub value: Option<f64>,
    /// Its interval over clusters ([`clustered`]).
    pub interval: Option<Interval>,
    #[serde(skip)]
    pub successes: u64,
}

impl Share {
    /// Of trials, each with the name of its cluster: trials of one cluster (the repeats of a task) are alike and count
    /// together in the interval. A trial is a `bool`, or a [`Cluster`] of several.
    pub fn of<K: Ord, T: Into<Cluster>>(trials: impl IntoIterator<Item = (K, T)>) -> Self {
        let mut clusters: BTreeMap<K, Cluster> = BTreeMap::new();
        let mut all = Cluster::default();
        for (name, trial) in trials {
            let trial = trial.into();
            all += trial;
            *clusters.entry(name).or_default() += trial;
        }
        Share {
            n: saturated(all.n),
            value: ratio(all.successes, all.n),
            interval: clustered(&clusters.into_values().collect::<Vec<_>>()),
            successes: all.successes,
        }
    }

    /// The share of `all` trials if each of those that are missing here failed, and if each succeeded; `None` of none.
    pub fn bounds(&self, all: u32) -> Option<(f64, f64)> {
        let missing = u64::from(all.saturating_sub(self.n));
        ratio(self.successes, all).zip(ratio(self.successes + missing, all))
    }

    /// As a point of a curve; `None` without trials.
    pub fn point(&self, x: u32) -> Option<Point> {
        let at = Point::at(x.into(), self.value?);
        Some(Point { interval: self.interval, n: Some(self.n), ..at })
    }

    /// As the row of a breakdown.
    pub fn row(&self, value: String) -> BreakdownRow {
        BreakdownRow { value, n: self.n, score: self.value, interval: self.interval }
    }
}

/// Wilson's interval of `successes` out of `n` independent trials; `None` for no trials.
///
/// # Panics
/// If there are more successes than trials.
pub fn wilson(successes: u64, n: u64) -> Option<Interval> {
    assert!(successes <= n, "{successes} successes in {n} trials");
    (n > 0).then(|| wilson_of(successes as f64 / n as f64, n as f64))
}

/// Wilson's interval of a proportion that was seen in a number of trials, which need not be whole.
fn wilson_of(proportion: f64, n: f64) -> Interval {
    let spread = HALF_95 * HALF_95 / n;
    let middle = (proportion + spread / 2.0) / (1.0 + spread);
    let half = HALF_95 * (proportion * (1.0 - proportion) / n + spread / (4.0 * n)).sqrt()
        / (1.0 + spread);
    // At the ends the bounds are exact; computed, they miss by a last bit.
    (
        if proportion == 0.0 { 0.0 } else { (middle - half).max(0.0) },
        if proportion == 1.0 { 1.0 } else { (middle + half).min(1.0) },
    )
}

/// What one task brought over its repeats.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Cluster {
    pub successes: u64,
    pub n: u64,
}

impl From<bool> for Cluster {
    fn from(succeeded: bool) -> Self {
        Cluster { successes: succeeded.into(), n: 1 }
    }
}

impl AddAssign for Cluster {
    fn add_assign(&mut self, other: Cluster) {
        self.successes += other.successes;
        self.n += other.n;
    }
}

/// The interval of a proportion over tasks that were each tried several times. Repeats of one task are alike, so the
/// tasks, not the trials, are what the interval counts. `None` without trials.
///
/// The variance is that of a ratio over clusters, with the correction k / (k - 1) for k tasks. It is turned into the
/// number of independent trials that would have the same variance, at least the number of tasks where it is unknown
/// (all alike, or one task), at most the number of trials; Wilson's interval is taken with that number. With one trial a
/// task it is [`wilson`]'s.
///
/// # Panics
/// If a task has more successes than trials.
pub fn clustered(tasks: &[Cluster]) -> Option<Interval> {
    for task in tasks {
        assert!(task.successes <= task.n, "{} successes in {} trials", task.successes, task.n);
    }
    let tasks: Vec<&Cluster> = tasks.iter().filter(|task| task.n > 0).collect();
    let count = tasks.len() as f64;
    let trials = tasks.iter().map(|task| task.n).sum::<u64>() as f64;
    if tasks.is_empty() {
        return None;
    }
    let successes = tasks.iter().map(|task| task.successes).sum::<u64>();
    if tasks.iter().all(|task| task.n == 1) {
        return wilson(successes, tasks.len() as u64);
    }
    let proportion = successes as f64 / trials;
    let residual = |task: &&Cluster| (task.successes as f64 - proportion * task.n as f64).powi(2);
    let residuals: f64 = tasks.iter().map(residual).sum();
    let variance = residuals / (trials * trials) * count / (count - 1.0);
    let alone = proportion * (1.0 - proportion);
    let effective = if tasks.len() > 1 && variance > 0.0 && alone > 0.0 {
        (alone / variance).clamp(1.0, trials)
    } else {
        count
    };
    Some(wilson_of(proportion, effective))
}

impl Breakdown {
    /// Of parts in their order, each with its share.
    pub fn of<P: ToString>(by: &str, parts: impl IntoIterator<Item = (P, Share)>) -> Self {
        let rows = parts.into_iter().map(|(value, share)| share.row(value.to_string()));
        Breakdown { by: by.to_owned(), rows: rows.collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(interval: Option<Interval>) -> String {
        let (low, high) = interval.expect("there are trials");
        format!("{low:.4} {high:.4}")
    }

    fn clusters(successes: &[u64], n: u64) -> Vec<Cluster> {
        successes.iter().map(|successes| Cluster { successes: *successes, n }).collect()
    }

    /// Checked against an independent program.
    #[test]
    fn wilson_s_interval() {
        assert_eq!(wilson(0, 0), None);
        assert_eq!(shown(wilson(15, 210)), "0.0438 0.1145");
        assert_eq!(shown(wilson(0, 10)), "0.0000 0.2775");
        assert_eq!(shown(wilson(10, 10)), "0.7225 1.0000");
        assert_eq!(shown(wilson(1, 2)), "0.0945 0.9055");
    }

    #[test]
    fn repeats_that_agree_count_as_one() {
        let once = shown(wilson(20, 100));
        let agreeing: Vec<Cluster> = (0..100)
            .map(|task| Cluster { successes: if task < 20 { 4 } else { 0 }, n: 4 })
            .collect();
        let clustered_text = shown(clustered(&agreeing));
        let width = |text: &str| {
            let (low, high) = text.split_once(' ').expect("two numbers, as `shown` writes them");
            let number = |text: &str| text.parse::<f64>().expect("a number, as `shown` writes it");
            number(high) - number(low)
        };
        assert!(
            (width(&clustered_text) - width(&once)).abs() < 0.002,
            "{clustered_text} against {once}"
        );
        assert!(width(&shown(wilson(80, 400))) < 0.6 * width(&clustered_text));
    }

    #[test]
    fn one_trial_a_task_is_wilson() {
        let single: Vec<Cluster> =
            (0..210).map(|task| Cluster { successes: u64::from(task < 15), n: 1 }).collect();
        assert_eq!(clustered(&single), wilson(15, 210));
    }

    #[test]
    fn a_share_counts_clusters_and_what_is_missing() {
        let share = Share::of([("a", true), ("b", false), ("a", true)]);
        assert_eq!((share.n, share.value), (3, Some(2.0 / 3.0)));
        let tasks = [Cluster { successes: 2, n: 2 }, Cluster { successes: 0, n: 1 }];
        assert_eq!(share.interval, clustered(&tasks));
        assert_eq!(Share::of([("a", tasks[0]), ("b", tasks[1])]), share);
        assert_eq!(share.bounds(4), Some((0.5, 0.75)));
        let none = Share::of::<&str, bool>([]);
        assert_eq!(
            (none, none.bounds(0), none.bounds(2)),
            (Share::default(), None, Some((0.0, 1.0)))
        );
    }

    #[test]
    fn edges() {
        assert_eq!(clustered(&[]), None);
        assert_eq!(clustered(&clusters(&[0], 0)), None);
        // All alike: as many independent trials as tasks.
        assert_eq!(shown(clustered(&clusters(&[0; 10], 3))), shown(wilson(0, 10)));
        assert_eq!(shown(clustered(&clusters(&[3; 10], 3))), shown(wilson(10, 10)));
        assert_eq!(shown(clustered(&clusters(&[1; 10], 2))), shown(wilson(5, 10)));
        assert_eq!(shown(clustered(&clusters(&[1], 2))), "0.0546 0.9454");
    }

    /// 95 % intervals should cover: 40 tasks of different difficulty, three repeats, by the core's own dice.
    #[test]
    fn the_clustered_interval_covers() {
        let (mut covered, runs) = (0, 400);
        for run in 0..runs {
            let tasks: Vec<Cluster> = (0..40)
                .map(|task| {
                    let chance = |label: &str| {
                        crate::dice::draw(run, &format!("{label} {task}"), 1000, 1)[0]
                    };
                    let difficulty = chance("difficulty");
                    let successes = (0..3)
                        .filter(|repeat| chance(&format!("try {repeat}")) < difficulty)
                        .count() as u64;
                    Cluster { successes, n: 3 }
                })
                .collect();
            let (low, high) = clustered(&tasks).expect("there are tasks");
            covered += u32::from(low <= 0.5 && 0.5 <= high);
        }
        let share = f64::from(covered) / runs as f64;
        assert!((0.92..=0.98).contains(&share), "{share}");
    }

    proptest::proptest! {
        #[test]
        fn an_interval_holds_its_proportion(tasks in proptest::collection::vec((0..5_u64, 0..5_u64), 0..30)) {
            let tasks: Vec<Cluster> = tasks.into_iter().map(|(one, other)| Cluster { successes: one.min(other), n: one.max(other) }).collect();
            let n: u64 = tasks.iter().map(|task| task.n).sum();
            let successes: u64 = tasks.iter().map(|task| task.successes).sum();
            match clustered(&tasks) {
                None => proptest::prop_assert_eq!(n, 0),
                Some((low, high)) => {
                    let proportion = successes as f64 / n as f64;
                    proptest::prop_assert!(0.0 <= low && low <= proportion + 1e-12);
                    proptest::prop_assert!(proportion <= high + 1e-12 && high <= 1.0);
                }
            }
        }
    }
}
