//! Intervals by resampling clusters: tasks that are alike (the questions of one pair of entities, the rotations of one
//! deck) are drawn anew together, because they do not say more than one of them alone.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::hash::Digest;
use crate::metrics::proportion::{Interval, wilson};
use crate::saturated;

/// What the draws follow from beside the seed. It never changes: with it would change every interval that was ever printed.
const LABEL: &[u8] = include_bytes!("bootstrap.label.txt").trim_ascii_end();

/// What is drawn together, e.g. the episodes of one pair of entities in all repeats: the sum of what is averaged, and over
/// how many.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Cluster {
    pub sum: f64,
    pub n: u32,
}

impl Cluster {
    pub fn add(&mut self, number: f64) {
        self.sum += number;
        self.n += 1;
    }

    /// The mean of its numbers; `None` without any.
    pub fn mean(&self) -> Option<f64> {
        (self.n > 0).then(|| self.sum / f64::from(self.n))
    }
}

/// Adds up numbers by the name of their cluster; what is alone has a cluster of its own.
pub fn clusters<'a>(numbers: impl IntoIterator<Item = (&'a str, f64)>) -> Vec<Cluster> {
    let mut by_name = std::collections::BTreeMap::<&str, Cluster>::new();
    for (name, number) in numbers {
        by_name.entry(name).or_default().add(number);
    }
    by_name.into_values().collect()
}

/// The 95 % interval of the mean of all numbers: as many clusters as there are, drawn with replacement, `resamples` times;
/// the quantiles at 2.5 % and 97.5 % of the means, interpolated. The same seed gives the same interval. `None` without
/// numbers or resamples.
pub fn interval(clusters: &[Cluster], resamples: u32, seed: u64) -> Option<Interval> {
    let clusters: Vec<[Cluster; 1]> =
        clusters.iter().filter(|cluster| cluster.n > 0).map(|cluster| [*cluster]).collect();
    let [interval] = intervals(&clusters, resamples, seed, |[sum]| [sum.mean()]);
    interval
}

/// The interval of a share that was found by resampling; Wilson's, with as many trials as there are clusters, where every
/// number is 0 or every number is 1: drawn again and again they stay so, which would say that nothing else can come.
pub fn of_share(
    found: Option<Interval>,
    clusters: impl Iterator<Item = Cluster>,
) -> Option<Interval> {
    let found = found?;
    let mut all = Cluster::default();
    let mut count = 0;
    for cluster in clusters.filter(|cluster| cluster.n > 0) {
        all.sum += cluster.sum;
        all.n += cluster.n;
        count += 1;
    }
    if all.sum == 0.0 {
        wilson(0, count)
    } else if all.sum == f64::from(all.n) {
        wilson(count, count)
    } else {
        Some(found)
    }
}

/// 95 % intervals of several numbers at once, each computed from the same draws of clusters that hold several sums: so
/// differences between sums are paired. A draw for which a number is not defined does not count for it.
pub fn intervals<const SUMS: usize, const NUMBERS: usize>(
    clusters: &[[Cluster; SUMS]],
    resamples: u32,
    seed: u64,
    numbers: impl Fn(&[Cluster; SUMS]) -> [Option<f64>; NUMBERS],
) -> [Option<Interval>; NUMBERS] {
    resampled(clusters, resamples, seed, |drawn| {
        let mut sums = [Cluster::default(); SUMS];
        for cluster in drawn {
            for (sum, one) in sums.iter_mut().zip(*cluster) {
                sum.sum += one.sum;
                sum.n += one.n;
            }
        }
        numbers(&sums)
    })
}

/// The same where a number does not follow from sums: each is computed from the clusters that were drawn.
pub fn resampled<C, const NUMBERS: usize>(
    clusters: &[C],
    resamples: u32,
    seed: u64,
    numbers: impl Fn(&[&C]) -> [Option<f64>; NUMBERS],
) -> [Option<Interval>; NUMBERS] {
    let mut found: [Vec<f64>; NUMBERS] = std::array::from_fn(|_| Vec::new());
    for drawn in draws(clusters, resamples, seed) {
        for (found, number) in found.iter_mut().zip(numbers(&drawn)) {
            found.extend(number);
        }
    }
    found.map(bounds)
}

/// As many clusters as there are, drawn with replacement, `resamples` times; the same seed gives the same draws. Nothing without
/// clusters.
pub fn draws<C>(clusters: &[C], resamples: u32, seed: u64) -> impl Iterator<Item = Vec<&C>> {
    let count = saturated(clusters.len());
    let label = [LABEL, b"\0"].concat();
    let key = Digest::of_parts([label.as_slice(), &seed.to_le_bytes()]);
    let mut source = ChaCha20Rng::from_seed(*key.bytes());
    (0..if count == 0 { 0 } else { resamples })
        .map(move |_| (0..count).map(|_| &clusters[below(&mut source, count) as usize]).collect())
}

/// The quantiles at 2.5 % and 97.5 % of numbers that were drawn, interpolated; `None` without any.
pub fn bounds(mut drawn: Vec<f64>) -> Option<Interval> {
    drawn.sort_by(f64::total_cmp);
    Some((quantile(&drawn, 25, 1000)?, quantile(&drawn, 975, 1000)?))
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

/// The quantile at `part / parts` of sorted numbers, with linear interpolation at position (n - 1) · part / parts; `None`
/// without numbers.
pub fn quantile(sorted: &[f64], part: u32, parts: u32) -> Option<f64> {
    let last = sorted.len().checked_sub(1)? as u64;
    let position = last * u64::from(part);
    let (below, rest) = (position / u64::from(parts), position % u64::from(parts));
    let low = *sorted.get(below as usize)?;
    let high = *sorted.get(below as usize + 1).unwrap_or(&low);
    Some(low + (high - low) * (rest as f64 / f64::from(parts)))
}
