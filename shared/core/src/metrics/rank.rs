//! How far two orders of the same things agree.

use std::cmp::Ordering;

/// Numbers that are closer than this are tied: sums of the same numbers in another order are.
const TIE: f64 = 1e-9;

/// The order of two numbers; equal if they are tied.
pub fn order(one: f64, other: f64) -> Ordering {
    match (one - other).abs() < TIE {
        true => Ordering::Equal,
        false => one.total_cmp(&other),
    }
}

/// Kendall's tau-b of two numbers that each of several things has: 1 where both put them into the same order, -1 into the opposite
/// one. Ties are neither and shorten the scale. `None` where one of the numbers is the same for all.
pub fn kendall(things: &[(f64, f64)]) -> Option<f64> {
    let (mut score, mut ones, mut others) = (0_i64, 0_i64, 0_i64);
    for (at, thing) in things.iter().enumerate() {
        for before in &things[..at] {
            let one = order(thing.0, before.0) as i64;
            let other = order(thing.1, before.1) as i64;
            score += one * other;
            ones += one * one;
            others += other * other;
        }
    }
    let scale = (ones as f64 * others as f64).sqrt();
    (scale > 0.0).then(|| score as f64 / scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tau<const N: usize>(one: [f64; N], other: [f64; N]) -> Option<f64> {
        kendall(&std::array::from_fn::<_, N, _>(|at| (one[at], other[at])))
    }

    /// The first is the example in the documentation of `scipy.stats.kendalltau`, the others are counted by hand.
    #[test]
    fn tau_b_has_the_known_values() {
        let near = |found: Option<f64>, known: f64| {
            assert!((found.expect("it is defined") - known).abs() < 1e-12, "{found:?} {known}");
        };
        near(tau([12., 2., 1., 12., 2.], [1., 4., 7., 1., 0.]), -0.471_404_520_791_031_6);
        // 4 concordant, 0 discordant, one tie in each: 4 / sqrt(5 · 5).
        near(tau([1., 2., 2., 3.], [1., 1., 2., 3.]), 0.8);
        near(tau([1., 2., 3., 4.], [1., 3., 2., 4.]), 2.0 / 3.0);
        near(tau([0.1, 0.2, 0.3], [30., 20., 10.]), -1.0);
        // What differs by rounding alone is tied.
        assert_eq!(tau([0.1 + 0.2, 0.3], [1., 2.]), None);
        assert_eq!(tau([1., 2.], [5., 5.]), None);
        assert_eq!(kendall(&[(1.0, 1.0)]), None);
    }
}
