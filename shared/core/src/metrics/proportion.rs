//! Proportions with an interval (ARCHITECTURE.md, rule 29).

use serde::{Deserialize, Serialize};

use super::HALF_95;

/// A 95 % interval of a proportion.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// At least 0.
    pub low: f64,
    /// At most 1.
    pub high: f64,
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
    Interval {
        low: if proportion == 0.0 { 0.0 } else { (middle - half).max(0.0) },
        high: if proportion == 1.0 { 1.0 } else { (middle + half).min(1.0) },
    }
}

/// What one task brought over its repeats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cluster {
    /// Successes.
    pub successes: u64,
    /// Trials.
    pub n: u64,
}

/// The interval of a proportion over tasks that were each tried several times. Repeats of one task are alike, so the
/// tasks, not the trials, are what the interval counts. `None` without trials.
///
/// The variance is that of a ratio over clusters, with the correction k / (k - 1) for k tasks. It is turned into the
/// number of independent trials that would have the same variance, at least the number of tasks where it cannot be told
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

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(interval: Option<Interval>) -> String {
        let interval = interval.expect("there are trials");
        format!("{:.4} {:.4}", interval.low, interval.high)
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
            let interval = clustered(&tasks).expect("there are tasks");
            covered += u32::from(interval.low <= 0.5 && 0.5 <= interval.high);
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
                Some(interval) => {
                    let proportion = successes as f64 / n as f64;
                    proptest::prop_assert!(0.0 <= interval.low && interval.low <= proportion + 1e-12);
                    proptest::prop_assert!(proportion <= interval.high + 1e-12 && interval.high <= 1.0);
                }
            }
        }
    }
}
