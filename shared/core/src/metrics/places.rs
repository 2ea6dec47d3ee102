//! Places in an order of numbers that are known only within their intervals: from the best to the worst place that each can
//! have, and which cannot be told apart.
//!
//! Two numbers are told apart if the difference is larger than its own standard error allows, where each interval is taken for
//! that of a normal distribution. The variance of a difference is the caller's to say, because numbers may depend on each
//! other: what one wins at a table others lose. Of n numbers all pairs are looked at, so the 5 % are
//! divided by their count (Bonferroni). Where the same tasks were played, comparing task by task
//! ([`paired`](super::paired)) tells more apart; this is for many runs at once.

use super::HALF_95;
use super::paired::{ALPHA, tie_groups};
use crate::saturated;

/// Among this many of the best, sets that cannot be told apart are looked for.
pub const TIED: usize = 12;

/// A number and its standard error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Known {
    /// The number; a larger one is better.
    pub value: f64,
    /// Its standard error; infinite where no interval is known, so that it is told apart from nothing.
    pub error: f64,
}

impl Known {
    /// A number with its 95 % interval, where one is known.
    pub fn of(value: f64, interval: Option<(f64, f64)>) -> Self {
        let error = interval.map_or(f64::INFINITY, |(low, high)| (high - low) / 2.0 / HALF_95);
        Known { value, error }
    }
}

/// How many standard errors lie between two of `count` numbers before they are told apart; infinite for fewer than two.
pub fn threshold(count: usize) -> f64 {
    if count < 2 {
        return f64::INFINITY;
    }
    let pairs = count as f64 * (count as f64 - 1.0) / 2.0;
    let wanted = ALPHA / pairs / 2.0;
    // The tail falls all the way, so halving finds the point.
    let (mut low, mut high) = (1.0_f64, 40.0_f64);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        match upper_tail(middle) > wanted {
            true => low = middle,
            false => high = middle,
        }
    }
    low
}

/// The share of the normal distribution above `z`, from 1 on: Laplace's continued fraction.
fn upper_tail(z: f64) -> f64 {
    let density = (-z * z / 2.0).exp() / std::f64::consts::TAU.sqrt();
    let fraction = (1..=200).rev().fold(z, |below, k| z + f64::from(k) / below);
    density / fraction
}

/// The variance of the difference of two numbers that do not depend on each other.
pub fn independent(numbers: &[Known]) -> impl Fn(usize, usize) -> f64 {
    |one, other| numbers[one].error.powi(2) + numbers[other].error.powi(2)
}

/// Whether two numbers with this gap are told apart.
fn apart(gap: f64, variance: f64, threshold: f64) -> bool {
    gap != 0.0 && variance.is_finite() && gap * gap > threshold * threshold * variance
}

/// From the best to the worst place that each number can have, from 1, in the order of the numbers. `variance` is that of the
/// difference of the numbers in two places of the slice; infinite where it is not known.
pub fn places(numbers: &[Known], variance: impl Fn(usize, usize) -> f64) -> Vec<(u32, u32)> {
    let threshold = threshold(numbers.len());
    let all = numbers.len();
    numbers
        .iter()
        .enumerate()
        .map(|(at, one)| {
            let told = |sign: f64| {
                let others = numbers.iter().enumerate();
                let told = others.filter(|(other, number)| {
                    let gap = sign * (number.value - one.value);
                    gap > 0.0 && apart(gap, variance(at, *other), threshold)
                });
                told.count()
            };
            let (better, worse) = (told(1.0), told(-1.0));
            (saturated(better + 1), saturated(all - worse))
        })
        .collect()
}

/// Which of the first [`TIED`] numbers cannot be told apart, each largest set by their places in the slice. Numbers stand best
/// first; `variance` is as for [`places`], and the threshold is that of all of them. Sets of one are left out.
pub fn ties(numbers: &[Known], variance: impl Fn(usize, usize) -> f64) -> Vec<Vec<usize>> {
    let threshold = threshold(numbers.len());
    let first = &numbers[..numbers.len().min(TIED)];
    let mut groups = tie_groups(first.len(), |one, other| {
        let gap = first[one].value - first[other].value;
        apart(gap, variance(one, other), threshold)
    });
    groups.retain(|group| group.len() > 1);
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(numbers: &[Known]) -> Vec<(u32, u32)> {
        super::places(numbers, independent(numbers))
    }

    fn ties(numbers: &[Known]) -> Vec<Vec<usize>> {
        super::ties(numbers, independent(numbers))
    }

    fn known(value: f64, half: f64) -> Known {
        Known::of(value, Some((value - half, value + half)))
    }

    /// Points of the normal distribution from tables: 0.025, 0.025 / 3, 0.025 / 45 lie above.
    #[test]
    fn thresholds_are_those_of_tables() {
        for (count, wanted) in [(2, "1.9600"), (3, "2.3940"), (10, "3.2608")] {
            assert_eq!(format!("{:.4}", threshold(count)), wanted, "{count}");
        }
        assert!(threshold(10_000) > 5.5 && threshold(10_000) < 6.5);
        assert_eq!(threshold(1), f64::INFINITY);
    }

    #[test]
    fn places_are_ranges() {
        // The first two are alike, the third is clearly behind, the fourth is known too badly.
        let numbers = [known(0.50, 0.02), known(0.49, 0.02), known(0.20, 0.02), known(0.10, 0.50)];
        assert_eq!(places(&numbers), [(1, 3), (1, 3), (3, 4), (1, 4)]);
        assert_eq!(ties(&numbers), [vec![0, 1, 3], vec![2, 3]]);
    }

    #[test]
    fn what_has_no_interval_has_no_place_of_its_own() {
        let numbers = [known(0.9, 0.001), Known::of(0.5, None), known(0.1, 0.001)];
        assert_eq!(places(&numbers), [(1, 2), (1, 3), (2, 3)]);
        assert_eq!(places(&[]), []);
        assert_eq!(places(&[known(1.0, 0.1)]), [(1, 1)]);
        assert_eq!(ties(&[known(1.0, 0.1)]), Vec::<Vec<usize>>::new());
    }

    /// Without any width the numbers themselves decide, and equal ones share.
    #[test]
    fn exact_numbers() {
        let numbers = [known(2.0, 0.0), known(2.0, 0.0), known(1.0, 0.0)];
        assert_eq!(places(&numbers), [(1, 2), (1, 2), (3, 3)]);
    }

    /// Heads up: one wins what the other loses, so the error of the difference is twice that of either number, and not only
    /// 1.4 times. 9 ± 6 tells nothing apart, 9 ± 4.2 does.
    #[test]
    fn numbers_may_depend_on_each_other() {
        let numbers = [4.5, -4.5].map(|value| Known { value, error: 3.0 });
        assert_eq!(places(&numbers), [(1, 1), (2, 2)]);
        assert_eq!(super::places(&numbers, |_, _| 36.0), [(1, 2), (1, 2)]);
        assert_eq!(super::ties(&numbers, |_, _| 36.0), [vec![0, 1]]);
    }
}
