//! The main table: pass@1, coverage, hit rates and calls, by tier and over all.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Episode, mean, share};
use crate::task::Tier;
use turnwise_core::metrics::spread::Spread;
use turnwise_core::prelude::*;

/// Numbers of some episodes. Where there are no episodes everything is 0 or `None`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct EpisodeNumbers {
    pub n: u32,
    /// Share of episodes judged correct. Episodes without a verdict count as wrong under `reference`; under `strict` they
    /// are left out and counted in [`EpisodeNumbers::incomplete`].
    pub pass_at_1: Option<f64>,
    pub incomplete: u32,
    /// Mean coverage over all episodes.
    pub fcr: f64,
    /// Its sample deviation; 0 for a single episode.
    pub fcr_sd: f64,
    /// Mean over episodes with calls of their hits by calls: what the paper prints. `None` if no episode made a call.
    pub hit_rate_macro_callers: Option<f64>,
    /// The same over all episodes, 0 for those without calls.
    pub hit_rate_macro_zero: f64,
    /// All hits by all calls.
    pub hit_rate_micro: Option<f64>,
    /// Mean number of calls over all episodes.
    pub tool_calls: f64,
    pub tool_calls_sd: f64,
    /// Share of episodes without a call.
    #[serde(rename = "zero_call_share")]
    pub zero_calls: f64,
    /// Wrong formats. Under `reference` by messages with a call, as in the authors' analysis; under `strict` by attempts: calls
    /// that reached the engine and wrong formats.
    pub format_error_rate: f64,
    /// Share of the engine's verdicts that are compound; under `strict` of those that are no faults of the engine.
    pub compound_rate: f64,
    /// Share of the engine's verdicts that are faults of the engine.
    pub engine_fault_rate: f64,
    /// Mean coverage of data facts; `None` without any.
    pub fcr_data: Option<f64>,
    /// Mean coverage of rules and scopes; `None` without any.
    pub fcr_rules: Option<f64>,
}

/// Overall as the paper has it: tiers weighted by their sizes, the hit rate, too.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Weighted {
    /// Share of episodes judged correct.
    pub pass_at_1: f64,
    pub fcr: f64,
    /// Hit rate over episodes with calls; a tier without calls counts as 0.
    pub hit_rate: f64,
    pub tool_calls: f64,
}

/// The table of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Table {
    pub all: EpisodeNumbers,
    /// By tier; only those that occur.
    pub by_tier: BTreeMap<Tier, EpisodeNumbers>,
    /// As published; `None` without episodes.
    pub overall_published: Option<Weighted>,
}

impl EpisodeNumbers {
    pub fn of<'a>(episodes: impl IntoIterator<Item = &'a Episode>, profile: Profile) -> Self {
        let episodes: Vec<&Episode> = episodes.into_iter().collect();
        let n = episodes.len() as u32;
        let sum = |count: &dyn Fn(&Episode) -> u32| -> u32 {
            episodes.iter().map(|episode| count(episode)).sum()
        };
        let fcr: Vec<f64> = episodes.iter().map(|episode| episode.fcr(profile)).collect();
        let calls: Vec<f64> =
            episodes.iter().map(|episode| f64::from(episode.tool_calls(profile))).collect();
        let rates: Vec<Option<f64>> =
            episodes.iter().map(|episode| episode.hit_rate(profile)).collect();
        let (fcr, fcr_sd) = spread(&fcr);
        let (tool_calls, tool_calls_sd) = spread(&calls);
        let correct = sum(&|episode| u32::from(episode.is_correct()));
        let incomplete = sum(&|episode| u32::from(episode.verdict.is_none()));
        let judged = match profile {
            Profile::Reference => n,
            Profile::Strict => n - incomplete,
        };
        let all_calls = sum(&|episode| episode.tool_calls(profile));
        let wrong = sum(&|episode| episode.format_errors);
        let logs = sum(&|episode| episode.logs.len() as u32);
        let flagged = |flag: fn(&super::Log) -> bool| {
            sum(&|episode| episode.logs.iter().filter(|log| flag(log)).count() as u32)
        };
        let reached = sum(&|episode| {
            let logged = episode.calls.iter().filter(|call| call.log.is_some());
            logged.count() as u32
        });
        let kinds: Vec<_> = episodes.iter().map(|episode| episode.fcr_by_kind()).collect();
        EpisodeNumbers {
            n,
            pass_at_1: share(correct, judged),
            incomplete,
            fcr,
            fcr_sd,
            hit_rate_macro_callers: mean(rates.iter().copied().flatten()),
            hit_rate_macro_zero: mean(rates.iter().map(|rate| rate.unwrap_or(0.0))).unwrap_or(0.0),
            hit_rate_micro: share(sum(&|episode| episode.hits(profile)), all_calls),
            tool_calls,
            tool_calls_sd,
            zero_calls: share(sum(&|episode| u32::from(episode.calls.is_empty())), n)
                .unwrap_or(0.0),
            format_error_rate: match profile {
                Profile::Reference => share(wrong, sum(&|episode| episode.calling_messages)),
                Profile::Strict => share(wrong, reached + wrong),
            }
            .unwrap_or(0.0),
            compound_rate: match profile {
                Profile::Reference => share(flagged(|log| log.compound), logs),
                Profile::Strict => share(
                    flagged(|log| log.compound && !log.engine_fault),
                    flagged(|log| !log.engine_fault),
                ),
            }
            .unwrap_or(0.0),
            engine_fault_rate: share(flagged(|log| log.engine_fault), logs).unwrap_or(0.0),
            fcr_data: mean(kinds.iter().filter_map(|(data, _)| *data)),
            fcr_rules: mean(kinds.iter().filter_map(|(_, rules)| *rules)),
        }
    }
}

fn spread(numbers: &[f64]) -> (f64, f64) {
    Spread::of(numbers).map_or((0.0, 0.0), |spread| (spread.mean, spread.deviation.unwrap_or(0.0)))
}

impl Table {
    /// Of the episodes of a run.
    pub fn of(episodes: &[Episode], profile: Profile) -> Self {
        let mut tiers: BTreeMap<Tier, Vec<&Episode>> = BTreeMap::new();
        for episode in episodes {
            tiers.entry(episode.tier()).or_default().push(episode);
        }
        let by_tier: BTreeMap<Tier, EpisodeNumbers> = tiers
            .into_iter()
            .map(|(tier, episodes)| (tier, EpisodeNumbers::of(episodes, profile)))
            .collect();
        Table {
            all: EpisodeNumbers::of(episodes, profile),
            overall_published: weighted(&by_tier),
            by_tier,
        }
    }
}

fn weighted(by_tier: &BTreeMap<Tier, EpisodeNumbers>) -> Option<Weighted> {
    let sizes: u32 = by_tier.values().map(|row| row.n).sum();
    let of = |value: fn(&EpisodeNumbers) -> f64| {
        let sum: f64 = by_tier.values().map(|row| value(row) * f64::from(row.n)).sum();
        sum / f64::from(sizes)
    };
    (sizes > 0).then(|| Weighted {
        pass_at_1: of(|row| row.pass_at_1.unwrap_or(0.0)),
        fcr: of(|row| row.fcr),
        hit_rate: of(|row| row.hit_rate_macro_callers.unwrap_or(0.0)),
        tool_calls: of(|row| row.tool_calls),
    })
}
