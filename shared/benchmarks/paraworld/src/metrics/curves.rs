//! Curves over the k-th call (specification 8.4).

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{Episode, Log, Status, mean};
use turnwise_core::metrics::bootstrap::quantile;
use turnwise_core::prelude::*;

/// The most calls that the curves of the reference look at.
const CALLS: usize = 32;

/// Below this many members a point is drawn faint.
pub const FAINT: u32 = 50;

/// What happened call by call in one episode.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// Facts found for the first time at each call.
    pub new: Vec<u32>,
    /// Coverage after each call.
    pub fcr: Vec<f64>,
    /// Whether each call was a hit.
    pub hit: Vec<bool>,
}

impl Series {
    pub fn len(&self) -> usize {
        self.new.len()
    }

    pub fn is_empty(&self) -> bool {
        self.new.is_empty()
    }

    /// Of an episode; `None` where it does not belong to the curves: not played to an end, no facts, or no usable call.
    ///
    /// `reference` takes the logs, as many as there are messages with a call and 32 at most. `strict` takes the calls in
    /// their true order without those that the engine failed; what was not logged or is not valid brings nothing.
    pub fn of(episode: &Episode, profile: Profile) -> Option<Series> {
        let fits = match profile {
            Profile::Reference => {
                matches!(episode.status, Status::Finished | Status::MaxTurnsReached)
            }
            Profile::Strict => episode.status.is_played(),
        };
        if !fits || episode.facts == 0 {
            return None;
        }
        let steps: Vec<(Vec<u32>, bool)> = match profile {
            Profile::Reference => {
                let effective = (episode.calling_messages as usize).min(CALLS);
                let keys = |log: &Log| log.keys.iter().map(|key| key.spelling).collect();
                let logs = episode.logs.iter().take(effective);
                logs.map(|log| (keys(log), log.hit)).collect()
            }
            Profile::Strict => {
                let calls = episode.calls.iter().map(|call| episode.log(call));
                let counted = calls.filter(|log| !log.is_some_and(|log| log.engine_fault));
                counted
                    .map(|log| log.and_then(Log::valid))
                    .map(|fact| (Vec::from_iter(fact), fact.is_some()))
                    .collect()
            }
        };
        let mut found = BTreeSet::new();
        let mut series = Series { new: Vec::new(), fcr: Vec::new(), hit: Vec::new() };
        for (keys, hit) in steps {
            let before = found.len();
            found.extend(keys);
            series.new.push((found.len() - before) as u32);
            series.fcr.push(found.len() as f64 / f64::from(episode.facts));
            series.hit.push(hit);
        }
        (!series.is_empty()).then_some(series)
    }
}

/// A point of a curve.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// The call's number, from 1.
    pub k: u32,
    /// How many episodes made this many calls.
    pub n: u32,
    /// New facts at this call, on average.
    pub gain: f64,
    /// Coverage after it, on average.
    pub fcr: f64,
    /// Coverage of the lower quarter's edge.
    pub fcr_p25: f64,
    /// Coverage of the upper quarter's edge.
    pub fcr_p75: f64,
    /// Hits up to this call by its number, on average.
    pub hit_precision: f64,
}

/// The curves of the episodes with at least `cohort` calls: each point is over those that made as many calls.
pub fn curve(all: &[Series], cohort: u32) -> Vec<Point> {
    let members: Vec<&Series> =
        all.iter().filter(|series| series.len() >= cohort as usize).collect();
    let longest = members.iter().map(|series| series.len()).max().unwrap_or(0);
    (1..=longest).filter_map(|k| point(&members, k)).collect()
}

/// The curves up to call `calls` of the episodes that made at least that many: the same members at every point.
pub fn truncated(all: &[Series], calls: u32) -> Vec<Point> {
    let mut points = curve(all, calls.max(1));
    points.truncate(calls as usize);
    points
}

fn point(members: &[&Series], k: usize) -> Option<Point> {
    let there: Vec<&&Series> = members.iter().filter(|series| series.len() >= k).collect();
    let mut fcr: Vec<f64> = there.iter().map(|series| series.fcr[k - 1]).collect();
    let average = mean(fcr.iter().copied())?;
    fcr.sort_by(f64::total_cmp);
    let precision =
        |series: &&&Series| series.hit[..k].iter().filter(|hit| **hit).count() as f64 / k as f64;
    Some(Point {
        k: k as u32,
        n: there.len() as u32,
        gain: mean(there.iter().map(|series| f64::from(series.new[k - 1])))?,
        fcr: average,
        fcr_p25: quantile(&fcr, 1, 4)?,
        fcr_p75: quantile(&fcr, 3, 4)?,
        hit_precision: mean(there.iter().map(precision))?,
    })
}

/// How many episodes made at least k calls, for k from 1 to 32.
pub fn members(all: &[Series]) -> [u32; CALLS] {
    std::array::from_fn(|at| all.iter().filter(|series| series.len() > at).count() as u32)
}

/// The largest number of calls that at least `least` episodes made, up to 32; 0 if there is none.
pub fn reached_by(all: &[Series], least: u32) -> u32 {
    members(all).iter().filter(|count| **count >= least).count() as u32
}

/// A tick of some calls.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Tick {
    /// Its number, from 1.
    pub tick: u32,
    /// How many episodes have a call in it.
    pub n: u32,
    /// Their coverage after their last call in it, on average.
    pub fcr: f64,
    pub deviation: f64,
}

/// Coverage by ticks of this many calls.
pub fn ticks(all: &[Series], calls: usize) -> Vec<Tick> {
    let width = calls.max(1);
    let longest = all.iter().map(Series::len).max().unwrap_or(0);
    (0..longest.div_ceil(width))
        .filter_map(|tick| {
            let from = tick * width;
            let values: Vec<f64> = all
                .iter()
                .filter_map(|series| {
                    let to = (from + width).min(series.len());
                    series.fcr.get(from..to)?.last().copied()
                })
                .collect();
            let fcr = mean(values.iter().copied())?;
            let variance = mean(values.iter().map(|value| (value - fcr).powi(2)))?;
            Some(Tick {
                tick: tick as u32 + 1,
                n: values.len() as u32,
                fcr,
                deviation: variance.sqrt(),
            })
        })
        .collect()
}

/// The first tick that grows by less than a hundredth of the one before (of 1, where that is 0).
pub fn saturation(ticks: &[Tick]) -> Option<u32> {
    let mut pairs = ticks.windows(2);
    pairs.find_map(|pair| {
        let growth = pair[1].fcr - pair[0].fcr;
        let relative = if pair[0].fcr == 0.0 { growth } else { growth / pair[0].fcr };
        (relative < 0.01).then_some(pair[1].tick)
    })
}
