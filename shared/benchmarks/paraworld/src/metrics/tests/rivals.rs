//! Other definitions in the authors' repository (specification 8.3), so that their numbers can be recognised. The published
//! tables are made by none of them.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::super::{Episode, Status, mean, share};

/// What `calculate_metrics.py` makes of an episode, where it finds the facts: keys trimmed and known ones only, calls with
/// a log only, 0 without calls.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Calculated {
    /// How many facts the world has.
    pub facts: u32,
    /// Coverage, at most 1. Keys are normalised here a little further than by trimming.
    pub fcr: f64,
    /// Hits by valid calls; 0 without any.
    pub precision: f64,
    /// Calls, those with a wrong format included.
    pub calls: u32,
    pub valid: u32,
    pub format_errors: u32,
    pub hits: u32,
}

impl Calculated {
    pub fn of(episode: &Episode) -> Self {
        let keys = episode.logs.iter().flat_map(|log| &log.keys);
        let known: BTreeSet<u32> = keys.filter_map(|key| key.fact).collect();
        let calls = episode.calls.len() as u32;
        let valid = episode.logs.len() as u32;
        let hits = episode.logs.iter().filter(|log| log.hit).count() as u32;
        Calculated {
            facts: episode.facts,
            fcr: share(known.len() as u32, episode.facts).unwrap_or(0.0),
            precision: share(hits, valid).unwrap_or(0.0),
            calls,
            valid,
            format_errors: calls.saturating_sub(valid),
            hits,
        }
    }

    /// Of an episode as the authors' engines export it: that program looks for the facts where those lines do not have
    /// them, and counts one fact that was not found.
    pub fn of_exported(episode: &Episode) -> Self {
        Calculated { facts: 1, fcr: 0.0, ..Calculated::of(episode) }
    }
}

/// The precision of a category: all its hits by all its valid calls.
pub fn category_precision(episodes: &[Calculated]) -> Option<f64> {
    let sum = |count: fn(&Calculated) -> u32| episodes.iter().map(count).sum::<u32>();
    share(sum(|one| one.hits), sum(|one| one.valid))
}

/// What `metrics_calculator.py` makes of those: means over what is above 0 only.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct AboveZero {
    /// Mean coverage over episodes with some.
    pub fcr: Option<f64>,
    /// Mean precision over episodes with some.
    pub hit_rate: Option<f64>,
    /// All hits by all valid calls.
    pub hit_rate_micro: Option<f64>,
    /// Share of episodes with the status `finished`.
    pub success: Option<f64>,
    /// Mean number of turns: 0, because it is read from a field that nothing writes.
    pub turns: f64,
}

impl AboveZero {
    pub fn of(episodes: &[Episode]) -> Self {
        let each: Vec<Calculated> = episodes.iter().map(Calculated::of).collect();
        let finished = |episode: &&Episode| episode.status == Status::Finished;
        let success = episodes.iter().filter(finished).count() as u32;
        let above = |value: fn(&Calculated) -> f64| {
            mean(each.iter().map(value).filter(|value| *value > 0.0))
        };
        AboveZero {
            fcr: above(|one| one.fcr),
            hit_rate: above(|one| one.precision),
            hit_rate_micro: category_precision(&each),
            success: share(success, episodes.len() as u32),
            turns: 0.0,
        }
    }
}
