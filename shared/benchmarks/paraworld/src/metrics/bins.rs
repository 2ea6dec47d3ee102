//! Coverage against pass@1, and episodes in groups (specification 8.5).

use serde::{Deserialize, Serialize};

use super::{Episode, mean};
use turnwise_core::metrics::bootstrap::quantile;
use turnwise_core::prelude::*;

/// An episode as a point: its coverage, 0 to 1, and 1 or 0 for a right or wrong answer.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    pub fcr: f64,
    /// 1 if it was judged correct, else 0.
    pub pass: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Bin {
    pub fcr: f64,
    /// Their share of right answers.
    pub pass: f64,
    pub n: u32,
}

/// The points of some episodes. Those without a verdict are left out, and those with a coverage above 1, which only
/// `reference` has.
pub fn samples(episodes: &[Episode], profile: Profile) -> Vec<Sample> {
    let sample = |episode: &Episode| {
        let fcr = episode.fcr(profile);
        let fits = (0.0..=1.0).contains(&fcr);
        let pass = episode.verdict?.score();
        fits.then_some(Sample { fcr, pass })
    };
    episodes.iter().filter_map(sample).collect()
}

/// Bins between quantiles of coverage, closed on the right. Equal values are never parted, so bins differ in size and some
/// vanish. Fewer samples than bins: bins of fixed width.
pub fn by_quantile(samples: &[Sample], bins: u32) -> Vec<Bin> {
    let count = bins.max(1);
    if (samples.len() as u64) < u64::from(count) {
        return by_width(samples, 1.0 / f64::from(count));
    }
    let mut sorted: Vec<f64> = samples.iter().map(|sample| sample.fcr).collect();
    sorted.sort_by(f64::total_cmp);
    let uppers: Vec<f64> = (1..=count).filter_map(|part| quantile(&sorted, part, count)).collect();
    let last = count as usize - 1;
    gather(samples, count as usize, |sample| {
        let below = uppers.iter().filter(|upper| **upper < sample.fcr).count();
        below.min(last)
    })
}

/// Bins of fixed width. As in the authors' code the place is the whole part of a floating quotient, which puts 0.3 with a
/// width of 0.1 into the bin of 0.2.
pub fn by_width(samples: &[Sample], width: f64) -> Vec<Bin> {
    if width.is_nan() || width <= 0.0 {
        return Vec::new();
    }
    let count = (1.0 / width).round().clamp(1.0, 1000.0) as usize;
    gather(samples, count, |sample| ((sample.fcr / width) as usize).min(count - 1))
}

fn gather(samples: &[Sample], count: usize, place: impl Fn(&Sample) -> usize) -> Vec<Bin> {
    let mut groups: Vec<Vec<Sample>> = vec![Vec::new(); count];
    for sample in samples {
        groups[place(sample)].push(*sample);
    }
    groups
        .into_iter()
        .filter_map(|group| {
            Some(Bin {
                fcr: mean(group.iter().map(|sample| sample.fcr))?,
                pass: mean(group.iter().map(|sample| sample.pass))?,
                n: group.len() as u32,
            })
        })
        .collect()
}

/// Pearson's correlation of coverage and right answers; `None` if one of them does not vary.
pub fn correlation(samples: &[Sample]) -> Option<f64> {
    let fcr = mean(samples.iter().map(|sample| sample.fcr))?;
    let pass = mean(samples.iter().map(|sample| sample.pass))?;
    let sum = |term: &dyn Fn(&Sample) -> f64| -> f64 { samples.iter().map(term).sum() };
    let together = sum(&|sample| (sample.fcr - fcr) * (sample.pass - pass));
    let squares =
        sum(&|sample| (sample.fcr - fcr).powi(2)) * sum(&|sample| (sample.pass - pass).powi(2));
    (squares > 0.0).then(|| together / squares.sqrt())
}

/// Episodes that are alike in something.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Group {
    /// What they have in common, e.g. `3-5`.
    pub name: &'static str,
    pub n: u32,
    /// Share of right answers.
    pub pass: f64,
    pub fcr: f64,
    /// Mean hit rate over those with calls; `None` if there are none.
    pub hit_rate: Option<f64>,
    /// Mean of calls by found facts, over those with calls; `None` if there are none.
    pub redundancy: Option<f64>,
}

/// Names of the groups of [`by_calls`], with the most calls of each.
const CALLS: [(&str, u32); 5] = [("0", 0), ("1-2", 2), ("3-5", 5), ("6-10", 10), ("10+", u32::MAX)];

/// Names of the groups of [`by_turns`], with the most turns of each.
const TURNS: [(&str, u32); 5] =
    [("1-2", 2), ("3-5", 5), ("6-10", 10), ("11-20", 20), ("20+", u32::MAX)];

/// Episodes by number of calls; groups without any are left out.
pub fn by_calls(episodes: &[Episode], profile: Profile) -> Vec<Group> {
    groups(episodes, profile, &CALLS.map(|(name, _)| name), |episode| {
        let calls = episode.tool_calls(profile);
        CALLS.iter().position(|(_, most)| calls <= *most)
    })
}

/// Episodes by number of turns; as in the authors' code those without a turn count among the shortest.
pub fn by_turns(episodes: &[Episode], profile: Profile) -> Vec<Group> {
    groups(episodes, profile, &TURNS.map(|(name, _)| name), |episode| {
        TURNS.iter().position(|(_, most)| episode.turns <= *most)
    })
}

pub fn by_coverage(episodes: &[Episode], profile: Profile) -> Vec<Group> {
    let names = ["0", "0-0.3", "0.3-0.5", "0.5-0.7", "0.7-0.8", "0.8+"];
    groups(episodes, profile, &names, |episode| {
        let fcr = episode.fcr(profile);
        let edges = [0.3, 0.5, 0.7, 0.8];
        let above = edges.iter().filter(|edge| fcr >= **edge).count();
        Some(if fcr == 0.0 { 0 } else { 1 + above })
    })
}

fn groups(
    episodes: &[Episode],
    profile: Profile,
    names: &[&'static str],
    place: impl Fn(&Episode) -> Option<usize>,
) -> Vec<Group> {
    let of = |(position, name): (usize, &&'static str)| {
        let there: Vec<&Episode> =
            episodes.iter().filter(|episode| place(episode) == Some(position)).collect();
        let called = || there.iter().filter(|episode| episode.tool_calls(profile) > 0);
        Some(Group {
            name,
            n: there.len() as u32,
            pass: mean(there.iter().map(|episode| f64::from(u8::from(episode.is_correct()))))?,
            fcr: mean(there.iter().map(|episode| episode.fcr(profile)))?,
            hit_rate: mean(there.iter().filter_map(|episode| episode.hit_rate(profile))),
            redundancy: mean(called().map(|episode| episode.redundancy(profile))),
        })
    };
    names.iter().enumerate().filter_map(of).collect()
}
