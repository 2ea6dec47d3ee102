//! What separates the settings: the same worlds with all facts given, with guidance, without, and without any search.
//!
//! With all facts given (A) a player only has to put them together, so its pass@1 there is the ceiling of search. What it
//! loses in C is the *search gap*; what guidance (B) brings back is the *guidance gap*; what C brings over the question
//! alone (control) is the *search gain*. Differences are taken over the same worlds, and their intervals are paired.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use turnwise_core::metrics::bootstrap::{Cluster, intervals, of_share};
use turnwise_core::metrics::proportion::Interval;
use turnwise_core::prelude::*;

choices! {
    /// A setting that can be compared, from the most help to the least.
    pub enum Side {
        Oracle = "A" => "A: all facts given",
        FewShot = "B-few-shot" => "B: examples",
        Guidance = "B-guidance" => "B: guidance",
        Unguided = "C" => "C: on its own",
        Control = "control" => "control: no search",
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Judged<'a> {
    pub side: Side,
    /// Its world; the same name in every setting.
    pub world: &'a str,
    /// The pair of entities of its world; the world itself where there is none.
    pub pair: &'a str,
    /// 1 for a right answer, 0 for a wrong one.
    pub score: f64,
}

/// pass@1 in one setting.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Level {
    pub side: Side,
    /// Episodes over the compared worlds.
    pub n: u32,
    /// Share of right answers.
    pub pass_at_1: f64,
    /// Its 95 % interval.
    pub interval: Option<Interval>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Difference {
    pub name: &'static str,
    /// The setting from which is subtracted.
    pub more: Side,
    pub less: Side,
    /// The difference of pass@1, -1 to 1.
    pub value: f64,
    /// Its paired 95 % interval.
    pub interval: Option<Interval>,
}

/// The settings side by side.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Gap {
    /// Worlds that were judged in every given setting.
    pub worlds: u32,
    /// Worlds that were judged in some of them only, and are left out.
    pub left_out: u32,
    /// The given settings, from the most help to the least.
    pub levels: Vec<Level>,
    /// Their differences, as far as both settings are given.
    pub differences: Vec<Difference>,
}

/// Which differences have a name.
const DIFFERENCES: [(&str, Side, Side); 4] = [
    ("search_gap", Side::Oracle, Side::Unguided),
    ("guidance_gap", Side::Guidance, Side::Unguided),
    ("few_shot_gap", Side::FewShot, Side::Unguided),
    ("search_gain", Side::Unguided, Side::Control),
];

/// Compares settings over the worlds that were judged in all of those that occur. `None` where fewer than two occur, or no
/// world was judged in all.
pub fn gap(episodes: &[Judged<'_>], resamples: u32, seed: u64) -> Option<Gap> {
    let sides: BTreeSet<usize> = episodes.iter().map(|one| one.side as usize).collect();
    let mut seen: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    for one in episodes {
        seen.entry(one.world).or_default().insert(one.side as usize);
    }
    let everywhere = |world: &str| seen.get(world).is_some_and(|there| *there == sides);
    let mut pairs: BTreeMap<&str, [Cluster; 5]> = BTreeMap::new();
    for one in episodes.iter().filter(|one| everywhere(one.world)) {
        pairs.entry(one.pair).or_default()[one.side as usize].add(one.score);
    }
    let worlds = seen.values().filter(|there| **there == sides).count() as u32;
    if sides.len() < 2 || worlds == 0 {
        return None;
    }
    let clusters: Vec<[Cluster; 5]> = pairs.into_values().collect();
    let mut sums = [Cluster::default(); 5];
    for cluster in &clusters {
        for (sum, one) in sums.iter_mut().zip(cluster) {
            sum.sum += one.sum;
            sum.n += one.n;
        }
    }
    let found = numbers(&sums);
    let ranges = match clusters.len() {
        // Drawn again and again, one pair is always the same: that says nothing of others.
        1 => [None; 9],
        _ => intervals(&clusters, resamples, seed, numbers),
    };
    let levels = Side::ALL.into_iter().filter_map(|side| {
        let at = side as usize;
        Some(Level {
            side,
            n: sums[at].n,
            pass_at_1: found[at]?,
            interval: of_share(ranges[at], clusters.iter().map(|sums| sums[at])),
        })
    });
    let differences = (5..).zip(DIFFERENCES).filter_map(|(at, (name, more, less))| {
        Some(Difference { name, more, less, value: found[at]?, interval: ranges[at] })
    });
    Some(Gap {
        worlds,
        left_out: seen.len() as u32 - worlds,
        levels: levels.collect(),
        differences: differences.collect(),
    })
}

/// The mean of every setting, then every difference.
fn numbers(sums: &[Cluster; 5]) -> [Option<f64>; 9] {
    let mut numbers = [None; 9];
    for (number, sum) in numbers.iter_mut().zip(sums) {
        *number = sum.mean();
    }
    for (at, (_, more, less)) in (5..).zip(DIFFERENCES) {
        let (more, less) = (sums[more as usize].mean(), sums[less as usize].mean());
        numbers[at] = more.zip(less).map(|(more, less)| more - less);
    }
    numbers
}
