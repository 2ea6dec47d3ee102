//! How well the player knew what it knew.

use std::collections::BTreeMap;

use super::run::Played;
use turnwise_core::metrics::calibration::{self, Binning, ConfidenceFlag, Row};
use turnwise_core::metrics::report::Bin;
use turnwise_core::metrics::spread::Spread;
use turnwise_core::spec::Profile;

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
    pub(super) fn of(rows: &[Played<'_>], profile: Profile) -> Self {
        let mut runs: BTreeMap<u32, Vec<Row>> = BTreeMap::new();
        let mut flags: BTreeMap<String, u32> = BTreeMap::new();
        for row in rows {
            let Some(correct) = row.correct else { continue };
            if let Some(flag) = row.confidence.flag {
                *flags.entry(flag_name(flag).to_owned()).or_default() += 1;
            }
            if profile == Profile::Reference || row.confidence.is_stated() {
                runs.entry(row.summary.repeat)
                    .or_default()
                    .push(Row { percent: row.confidence.percent, correct });
            }
        }
        let mean = |binning: Binning| {
            let errors: Vec<f64> = runs
                .values()
                .filter_map(|rows| calibration::calibration_error(rows, binning))
                .collect();
            Spread::of(&errors).map(|spread| spread.mean)
        };
        let pooled: Vec<Row> = runs.values().flatten().copied().collect();
        Calibration {
            left_closed: mean(Binning::LeftClosed),
            right_closed: mean(Binning::RightClosed),
            equal_count: mean(Binning::EqualCount),
            n: pooled.len(),
            flags,
            bins: calibration::bins(&pooled, Binning::LeftClosed)
                .into_iter()
                .map(|bin| Bin {
                    from: bin.index as f64 / calibration::BINS as f64,
                    to: (bin.index + 1) as f64 / calibration::BINS as f64,
                    n: u32::try_from(bin.rows).unwrap_or(u32::MAX),
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
