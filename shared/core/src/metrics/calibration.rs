//! Does a player know how sure it may be? Confidences as players write them, and the calibration error.
//!
//! Everything is computed in percent, where the edges 20, 40, 60 and 80 are exact; errors are returned as fractions.

use serde::{Deserialize, Serialize};

/// How many bins there are.
pub const BINS: usize = 5;

/// A confidence as it counts, and what was odd about the text.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Confidence {
    /// 0 to 100.
    pub percent: f64,
    pub flag: Option<ConfidenceFlag>,
}

/// What can be odd about a confidence. Every report counts these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConfidenceFlag {
    /// There is no text; it counts as 0.
    Missing,
    /// The text is no number; it counts as 0.
    Unreadable,
    /// The number lies outside of 0 to 100; the nearer end counts.
    Clamped,
    /// The number lies between 0 and 1, so that it may be meant as a fraction.
    Fraction,
}

impl Confidence {
    /// Reads a text: blanks and one trailing `%` aside it must be a finite decimal number.
    pub fn read(text: Option<&str>) -> Self {
        let Some(text) = text else {
            return Confidence { percent: 0.0, flag: Some(ConfidenceFlag::Missing) };
        };
        let text = text.trim();
        let number = decimal(text.strip_suffix('%').unwrap_or(text).trim_end());
        let (percent, flag) = match number {
            None => (0.0, Some(ConfidenceFlag::Unreadable)),
            Some(number) if !(0.0..=100.0).contains(&number) => {
                (number.clamp(0.0, 100.0), Some(ConfidenceFlag::Clamped))
            }
            Some(number) if number > 0.0 && number < 1.0 => {
                (number, Some(ConfidenceFlag::Fraction))
            }
            // `-0` is 0.
            Some(number) => (number + 0.0, None),
        };
        Confidence { percent, flag }
    }

    /// The same confidence, if it was written on this scale.
    pub fn on(self, scale: Scale) -> Self {
        match scale {
            Scale::Percent => self,
            Scale::Fractions => Confidence {
                percent: (100.0 * self.percent).min(100.0),
                flag: self.flag.filter(|flag| *flag != ConfidenceFlag::Fraction),
            },
        }
    }

    /// Whether the player stated a confidence at all.
    pub fn is_stated(&self) -> bool {
        !matches!(self.flag, Some(ConfidenceFlag::Missing | ConfidenceFlag::Unreadable))
    }
}

/// A finite decimal number: digits, perhaps a sign, a point and an exponent.
fn decimal(text: &str) -> Option<f64> {
    let plain =
        text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E'));
    let number: f64 = text.parse().ok().filter(|_| plain)?;
    number.is_finite().then_some(number)
}

/// Whether the confidences of a run look like fractions: at least one is above 0, and none is above 1.
pub fn look_like_fractions(confidences: &[Confidence]) -> bool {
    let largest = confidences.iter().map(|confidence| confidence.percent).fold(0.0, f64::max);
    largest > 0.0 && largest <= 1.0
}

/// On which scale a run's confidences were written; a switch of the whole run, for runs that
/// [look like fractions](look_like_fractions).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scale {
    /// 0 to 100, as players are asked for.
    #[default]
    Percent,
    /// 0 to 1.
    Fractions,
}

/// How rows are put into bins. The paper does not say; every number says which was used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Binning {
    /// [0,20) [20,40) [40,60) [60,80) [80,100].
    #[default]
    LeftClosed,
    /// [0,20] (20,40] (40,60] (60,80] (80,100].
    RightClosed,
    /// As many rows in each bin, in the order of confidence; rows of equal confidence keep theirs.
    EqualCount,
}

/// A row: a confidence in percent, and whether the answer was right.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ConfidenceRow {
    /// 0 to 100.
    pub percent: f64,
    /// Whether the answer was right.
    pub correct: bool,
}

/// What fell into one bin. Empty bins are not listed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bin {
    /// Which bin, from 0.
    pub index: usize,
    pub rows: usize,
    /// Their mean confidence, 0 to 100.
    pub mean_percent: f64,
    /// How many of their answers were right, 0 to 100.
    pub percent_correct: f64,
}

/// The bins of a run, without the empty ones.
pub fn bins(rows: &[ConfidenceRow], binning: Binning) -> Vec<Bin> {
    let mut sorted = rows.to_vec();
    let parts: Vec<Vec<ConfidenceRow>> = match binning {
        Binning::EqualCount => {
            sorted.sort_by(|one, other| one.percent.total_cmp(&other.percent));
            let edge = |part: usize| part * sorted.len() / BINS;
            (0..BINS).map(|part| sorted[edge(part)..edge(part + 1)].to_vec()).collect()
        }
        Binning::LeftClosed | Binning::RightClosed => {
            let mut parts = vec![Vec::new(); BINS];
            for row in sorted {
                parts[place(row.percent, binning)].push(row);
            }
            parts
        }
    };
    let full = parts.into_iter().enumerate().filter(|(_, part)| !part.is_empty());
    full.map(|(index, part)| {
        let share = |sum: f64| sum / part.len() as f64;
        Bin {
            index,
            rows: part.len(),
            mean_percent: share(part.iter().map(|row| row.percent).sum()),
            percent_correct: share(100.0 * part.iter().filter(|row| row.correct).count() as f64),
        }
    })
    .collect()
}

/// The bin of equal width in which a confidence falls.
fn place(percent: f64, binning: Binning) -> usize {
    const WIDTH: f64 = 100.0 / BINS as f64;
    let place = match binning {
        Binning::RightClosed => (percent / WIDTH).ceil() - 1.0,
        _ => (percent / WIDTH).floor(),
    };
    // What lies outside of 0 to 100 belongs to the outermost bins.
    place.clamp(0.0, BINS as f64 - 1.0) as usize
}

/// The expected calibration error as a fraction: over the bins, the mean distance between confidence and accuracy, by
/// the bins' shares of rows. `None` without rows.
///
/// Over several runs: one error per run, then the mean; runs are not pooled.
pub fn calibration_error(rows: &[ConfidenceRow], binning: Binning) -> Option<f64> {
    let distance = |bin: Bin| bin.rows as f64 * (bin.mean_percent - bin.percent_correct).abs();
    let sum: f64 = bins(rows, binning).into_iter().map(distance).sum();
    (!rows.is_empty()).then(|| sum / rows.len() as f64 / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(percents: &[f64], correct: &[u8]) -> Vec<ConfidenceRow> {
        assert_eq!(percents.len(), correct.len());
        let rows = percents.iter().zip(correct);
        rows.map(|(percent, correct)| ConfidenceRow { percent: *percent, correct: *correct == 1 })
            .collect()
    }

    /// C1 to C9: confidences, correctness, and the error in percent by default, right-closed and equal-count.
    #[test]
    fn the_c_vectors() {
        type Vector = (&'static str, &'static [f64], &'static [u8], [f64; 3]);
        let vectors: [Vector; 9] = [
            ("C1", &[90.0; 5], &[1, 0, 0, 0, 0], [70.0, 70.0, 74.0]),
            ("C2", &[10.0, 30.0, 50.0, 70.0, 90.0], &[0, 0, 1, 1, 1], [26.0, 26.0, 26.0]),
            ("C3", &[80.0, 100.0], &[1, 0], [40.0, 60.0, 60.0]),
            ("C4", &[0.0, 0.0, 100.0, 100.0], &[0, 0, 1, 1], [0.0, 0.0, 0.0]),
            ("C5", &[95.0, 85.0], &[0, 1], [40.0, 40.0, 55.0]),
            ("C6", &[20.0, 40.0, 60.0, 80.0], &[1, 0, 1, 0], [60.0, 60.0, 60.0]),
            (
                "C7",
                &[85.0, 92.0, 70.0, 95.0, 60.0, 88.0, 0.0, 0.0, 99.0, 75.0],
                &[0, 1, 0, 1, 1, 0, 0, 0, 1, 0],
                [26.4, 34.4, 27.6],
            ),
            ("C8", &[100.0; 4], &[0, 0, 0, 0], [100.0, 100.0, 100.0]),
            ("C9", &[19.9, 20.0, 39.99, 40.01], &[0, 1, 0, 1], [29.975, 40.02, 49.97]),
        ];
        for (id, percents, correct, errors) in vectors {
            let rows = rows(percents, correct);
            let binnings = [Binning::LeftClosed, Binning::RightClosed, Binning::EqualCount];
            for (binning, percent) in binnings.into_iter().zip(errors) {
                let error = calibration_error(&rows, binning).expect("there are rows");
                assert_eq!(
                    format!("{:.4}", 100.0 * error),
                    format!("{percent:.4}"),
                    "{id} {binning:?}"
                );
            }
        }
    }

    #[test]
    fn without_rows_there_is_no_error() {
        for binning in [Binning::LeftClosed, Binning::RightClosed, Binning::EqualCount] {
            assert_eq!(calibration_error(&[], binning), None);
            assert!(bins(&[], binning).is_empty());
        }
    }

    #[test]
    fn bins_hold_what_belongs_to_them() {
        let rows = rows(&[0.0, 20.0, 20.0, 100.0], &[0, 1, 0, 1]);
        let listed = |binning| {
            bins(&rows, binning).into_iter().map(|bin| (bin.index, bin.rows)).collect::<Vec<_>>()
        };
        assert_eq!(listed(Binning::LeftClosed), [(0, 1), (1, 2), (4, 1)]);
        assert_eq!(listed(Binning::RightClosed), [(0, 3), (4, 1)]);
        assert_eq!(listed(Binning::EqualCount), [(1, 1), (2, 1), (3, 1), (4, 1)]);
        let second = bins(&rows, Binning::LeftClosed)[1];
        assert_eq!((second.mean_percent, second.percent_correct), (20.0, 50.0));
    }

    #[test]
    fn confidences_are_read_and_flagged() {
        use ConfidenceFlag::{Clamped, Fraction, Missing, Unreadable};
        let vectors = [
            (Some("85"), 85.0, None),
            (Some(" 85% "), 85.0, None),
            (Some("85 %"), 85.0, None),
            (Some("0"), 0.0, None),
            (Some("-0"), 0.0, None),
            (Some("100.0"), 100.0, None),
            (Some("+7.5"), 7.5, None),
            (Some("1e2"), 100.0, None),
            (Some("1"), 1.0, None),
            (Some("0.85"), 0.85, Some(Fraction)),
            (Some("120"), 100.0, Some(Clamped)),
            (Some("-5"), 0.0, Some(Clamped)),
            (Some("85%%"), 0.0, Some(Unreadable)),
            (Some("high"), 0.0, Some(Unreadable)),
            (Some("None"), 0.0, Some(Unreadable)),
            (Some("[90]"), 0.0, Some(Unreadable)),
            (Some("inf"), 0.0, Some(Unreadable)),
            (Some("nan"), 0.0, Some(Unreadable)),
            (Some("1e999"), 0.0, Some(Unreadable)),
            (Some("8_5"), 0.0, Some(Unreadable)),
            (Some(""), 0.0, Some(Unreadable)),
            (Some("%"), 0.0, Some(Unreadable)),
            (None, 0.0, Some(Missing)),
        ];
        for (text, percent, flag) in vectors {
            let read = Confidence::read(text);
            assert_eq!(read, Confidence { percent, flag }, "{text:?}");
            assert!(read.percent.is_sign_positive(), "{text:?}");
            assert_eq!(read.is_stated(), !matches!(flag, Some(Missing | Unreadable)), "{text:?}");
        }
    }

    #[test]
    fn a_run_looks_like_fractions_as_a_whole_or_not() {
        let read = |texts: &[&str]| {
            texts.iter().map(|text| Confidence::read(Some(text))).collect::<Vec<_>>()
        };
        let fractions = read(&["0.9", "1", "0", "high"]);
        assert!(look_like_fractions(&fractions));
        let scaled: Vec<Confidence> =
            fractions.iter().map(|one| one.on(Scale::Fractions)).collect();
        assert_eq!(
            scaled.iter().map(|one| one.percent).collect::<Vec<_>>(),
            [90.0, 100.0, 0.0, 0.0]
        );
        assert_eq!(scaled[0].flag, None);
        assert_eq!(scaled[3].flag, Some(ConfidenceFlag::Unreadable));
        for texts in [&["0.9", "80"][..], &["0", "high"], &[]] {
            assert!(!look_like_fractions(&read(texts)));
        }
        assert_eq!(fractions[0].on(Scale::Percent), fractions[0]);
    }

    proptest::proptest! {
        #[test]
        fn an_error_is_a_fraction(percents in proptest::collection::vec(0.0..=100.0_f64, 1..40), seed in 0..u64::MAX) {
            let rows: Vec<ConfidenceRow> = percents.iter().enumerate().map(|(index, percent)| ConfidenceRow {
                percent: *percent,
                correct: seed >> (index % 64) & 1 == 1,
            }).collect();
            for binning in [Binning::LeftClosed, Binning::RightClosed, Binning::EqualCount] {
                let error = calibration_error(&rows, binning).expect("there are rows");
                proptest::prop_assert!((0.0..=1.0 + 1e-12).contains(&error));
                let rows_in_bins: usize = bins(&rows, binning).iter().map(|bin| bin.rows).sum();
                proptest::prop_assert_eq!(rows_in_bins, rows.len());
            }
        }

        #[test]
        fn any_confidence_can_be_read(text in "(?s).*") {
            let read = Confidence::read(Some(&text));
            proptest::prop_assert!((0.0..=100.0).contains(&read.percent));
        }
    }
}
