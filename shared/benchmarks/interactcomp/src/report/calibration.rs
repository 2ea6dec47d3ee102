//! How well the player knew what it knew.

use std::collections::BTreeMap;

use super::Scored;
use super::run::confidence;
use turnwise_core::metrics::calibration::{self, Binning, ConfidenceFlag, ConfidenceRow, Scale};
use turnwise_core::metrics::report::Bin;
use turnwise_core::metrics::spread::mean;
use turnwise_core::prelude::*;

/// The calibration of a run.
pub(super) struct Calibration {
    pub(super) left_closed: Option<f64>,
    pub(super) right_closed: Option<f64>,
    pub(super) equal_count: Option<f64>,
    pub(super) n: usize,
    pub(super) flags: BTreeMap<String, u32>,
    pub(super) bins: Vec<Bin>,
}

impl Calibration {
    /// In `strict` over plays with a stated confidence; in `reference` over all, where a missing one counts as 0. Over
    /// repeats: each repeat by itself, then the mean.
    pub(super) fn of(scored: &Scored<'_>, profile: Profile, scale: Scale) -> Self {
        let mut runs: BTreeMap<u32, Vec<ConfidenceRow>> = BTreeMap::new();
        let mut flags: BTreeMap<String, u32> = BTreeMap::new();
        for play in &scored.plays {
            let Some(correct) = play.right() else { continue };
            let confidence = confidence(play, scale);
            if let Some(flag) = confidence.flag {
                *flags.entry(flag_name(flag).to_owned()).or_default() += 1;
            }
            if profile == Profile::Reference || confidence.is_stated() {
                let row = ConfidenceRow { percent: confidence.percent, correct };
                runs.entry(play.summary.repeat).or_default().push(row);
            }
        }
        let error = |binning: Binning| {
            mean(runs.values().filter_map(|rows| calibration::calibration_error(rows, binning)))
        };
        let pooled: Vec<ConfidenceRow> = runs.values().flatten().copied().collect();
        Calibration {
            left_closed: error(Binning::LeftClosed),
            right_closed: error(Binning::RightClosed),
            equal_count: error(Binning::EqualCount),
            n: pooled.len(),
            flags,
            bins: calibration::bins(&pooled, Binning::LeftClosed)
                .into_iter()
                .map(|bin| Bin {
                    from: bin.index as f64 / calibration::BINS as f64,
                    to: (bin.index + 1) as f64 / calibration::BINS as f64,
                    n: saturated(bin.rows),
                    confidence: bin.mean_percent / 100.0,
                    accuracy: bin.percent_correct / 100.0,
                })
                .collect(),
        }
    }
}

fn flag_name(flag: ConfidenceFlag) -> &'static str {
    match flag {
        ConfidenceFlag::Missing => "missing",
        ConfidenceFlag::Unreadable => "unreadable",
        ConfidenceFlag::Clamped => "clamped",
        ConfidenceFlag::Fraction => "fraction",
    }
}
