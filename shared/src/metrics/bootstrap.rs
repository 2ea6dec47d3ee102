//! Intervals by resampling pairs of entities: the questions of one pair are alike, so pairs are what is drawn anew
//! (specification 8.9).

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::hash::Digest;
use crate::metrics::proportion::Interval;

/// The episodes of one pair of entities, all repeats: the sum of what is averaged, and over how many.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Cluster {
    /// The sum.
    pub sum: f64,
    /// Of how many numbers.
    pub n: u32,
}

impl Cluster {
    /// Takes a number in.
    pub fn add(&mut self, number: f64) {
        self.sum += number;
        self.n += 1;
    }

    /// The mean of its numbers; `None` without any.
    pub fn mean(&self) -> Option<f64> {
        (self.n > 0).then(|| self.sum / f64::from(self.n))
    }
}

/// Adds up numbers by pair; where an episode has no pair, give its task.
pub fn clusters<'a>(numbers: impl IntoIterator<Item = (&'a str, f64)>) -> Vec<Cluster> {
    let mut by_pair = std::collections::BTreeMap::<&str, Cluster>::new();
    for (pair, number) in numbers {
        by_pair.entry(pair).or_default().add(number);
    }
    by_pair.into_values().collect()
}

/// The 95 % interval of the mean of all numbers: as many clusters as there are, drawn with replacement, `resamples` times;
/// the quantiles at 2.5 % and 97.5 % of the means, interpolated. The same seed gives the same interval. `None` without
/// numbers or resamples.
pub fn interval(clusters: &[Cluster], resamples: u32, seed: u64) -> Option<Interval> {
    let clusters: Vec<[Cluster; 1]> = clusters
        .iter()
        .filter(|cluster| cluster.n > 0)
        .map(|cluster| [*cluster])
        .collect();
    let [interval] = intervals(&clusters, resamples, seed, |[sum]| [sum.mean()]);
    interval
}

/// 95 % intervals of several numbers at once, each computed from the same draws of clusters that hold several sums: so
/// differences between sums are paired. A draw for which a number is not defined does not count for it.
pub fn intervals<const SUMS: usize, const NUMBERS: usize>(
    clusters: &[[Cluster; SUMS]],
    resamples: u32,
    seed: u64,
    numbers: impl Fn(&[Cluster; SUMS]) -> [Option<f64>; NUMBERS],
) -> [Option<Interval>; NUMBERS] {
    let mut drawn: [Vec<f64>; NUMBERS] = std::array::from_fn(|_| Vec::new());
    let count = u32::try_from(clusters.len()).unwrap_or(u32::MAX);
    if count == 0 {
        return [None; NUMBERS];
    }
    let key = Digest::of_parts([
        b"turnwise paraworld bootstrap 1\0".as_slice(),
        &seed.to_le_bytes(),
    ]);
    let mut source = ChaCha20Rng::from_seed(*key.bytes());
    for _ in 0..resamples {
        let mut sums = [Cluster::default(); SUMS];
        for _ in 0..count {
            let cluster = &clusters[below(&mut source, count) as usize];
            for (sum, one) in sums.iter_mut().zip(cluster) {
                sum.sum += one.sum;
                sum.n += one.n;
            }
        }
        for (drawn, number) in drawn.iter_mut().zip(numbers(&sums)) {
            drawn.extend(number);
        }
    }
    drawn.map(|mut drawn| {
        drawn.sort_by(f64::total_cmp);
        Some(Interval {
            low: super::quantile(&drawn, 25, 1000)?,
            high: super::quantile(&drawn, 975, 1000)?,
        })
    })
}

/// A number in `0..limit`, every one equally likely; `limit` is at least 1.
fn below(source: &mut ChaCha20Rng, limit: u32) -> u32 {
    let fair = u32::MAX - u32::MAX % limit;
    loop {
        let number = source.next_u32();
        if number < fair {
            return number % limit;
        }
    }
}
