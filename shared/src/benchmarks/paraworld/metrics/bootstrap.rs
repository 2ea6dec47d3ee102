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

/// Adds up numbers by pair; where an episode has no pair, give its task.
pub fn clusters<'a>(numbers: impl IntoIterator<Item = (&'a str, f64)>) -> Vec<Cluster> {
    let mut by_pair = std::collections::BTreeMap::<&str, Cluster>::new();
    for (pair, number) in numbers {
        let cluster = by_pair.entry(pair).or_default();
        cluster.sum += number;
        cluster.n += 1;
    }
    by_pair.into_values().collect()
}

/// The 95 % interval of the mean of all numbers: as many clusters as there are, drawn with replacement, `resamples` times;
/// the quantiles at 2.5 % and 97.5 % of the means, interpolated. The same seed gives the same interval. `None` without
/// numbers or resamples.
pub fn interval(clusters: &[Cluster], resamples: u32, seed: u64) -> Option<Interval> {
    let clusters: Vec<&Cluster> = clusters.iter().filter(|cluster| cluster.n > 0).collect();
    let count = u32::try_from(clusters.len())
        .ok()
        .filter(|count| *count > 0)?;
    let key = Digest::of_parts([
        b"turnwise paraworld bootstrap 1\0".as_slice(),
        &seed.to_le_bytes(),
    ]);
    let mut source = ChaCha20Rng::from_seed(*key.bytes());
    let mut means: Vec<f64> = (0..resamples)
        .map(|_| {
            let (mut sum, mut n) = (0.0, 0_u64);
            for _ in 0..count {
                let cluster = clusters[below(&mut source, count) as usize];
                sum += cluster.sum;
                n += u64::from(cluster.n);
            }
            sum / n as f64
        })
        .collect();
    means.sort_by(f64::total_cmp);
    Some(Interval {
        low: super::quantile(&means, 25, 1000)?,
        high: super::quantile(&means, 975, 1000)?,
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
