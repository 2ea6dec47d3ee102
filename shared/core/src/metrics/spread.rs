//! Mean and deviation over runs: unrounded, and with each run rounded first, as tables of papers are made.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

/// The mean; `None` of nothing.
pub fn mean(numbers: impl IntoIterator<Item = f64>) -> Option<f64> {
    let (mut sum, mut n) = (0.0, 0.0);
    for number in numbers {
        sum += number;
        n += 1.0;
    }
    (n > 0.0).then(|| sum / n)
}

/// A part of a whole; `None` of nothing.
pub fn ratio(part: impl Into<u64>, whole: impl Into<u64>) -> Option<f64> {
    let whole = whole.into();
    (whole > 0).then(|| part.into() as f64 / whole as f64)
}

/// Mean and sample deviation of some numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    pub mean: f64,
    /// The sample standard deviation (n - 1); `None` for a single number.
    pub deviation: Option<f64>,
}

impl Spread {
    /// Of these numbers; `None` if there are none.
    pub fn of(numbers: &[f64]) -> Option<Self> {
        let n = numbers.len() as f64;
        let mean = numbers.iter().sum::<f64>() / n;
        let squares: f64 = numbers.iter().map(|number| (number - mean).powi(2)).sum();
        (!numbers.is_empty()).then(|| Spread {
            mean,
            deviation: (numbers.len() > 1).then(|| (squares / (n - 1.0)).sqrt()),
        })
    }

    /// Of the accuracies of the repeats, 0 to 1, each rounded first where that is asked for; an answer comes with the number of its
    /// repeat. `None` without answers.
    pub fn of_repeats(
        answers: impl IntoIterator<Item = (u32, bool)>,
        rounding: Rounding,
    ) -> Option<Self> {
        let mut repeats: BTreeMap<u32, RunCount> = BTreeMap::new();
        for (repeat, is_right) in answers {
            let run = repeats.entry(repeat).or_default();
            run.correct += u64::from(is_right);
            run.rows += 1;
        }
        let runs: Vec<RunCount> = repeats.into_values().collect();
        if rounding == Rounding::None {
            let shares: Vec<f64> =
                runs.iter().filter_map(|run| ratio(run.correct, run.rows)).collect();
            return Spread::of(&shares);
        }
        // In decimal, so that 7.14 % is exactly the number 0.0714.
        let fraction =
            |percent: Decimal| Decimal { places: percent.places + 2, ..percent }.to_f64();
        let rounded = RoundedFirst::of(&runs)?;
        Some(Spread {
            mean: fraction(rounded.mean(2)),
            deviation: rounded.deviation(2).map(fraction),
        })
    }
}

/// A number with the given number of decimals, computed without a binary fraction in between.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decimal {
    units: u128,
    places: u32,
}

impl Decimal {
    /// The nearest binary fraction.
    pub fn to_f64(self) -> f64 {
        self.units as f64 / 10_f64.powi(self.places as i32)
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scale = 10_u128.pow(self.places);
        write!(f, "{}", self.units / scale)?;
        if self.places > 0 {
            write!(f, ".{:0width$}", self.units % scale, width = self.places as usize)?;
        }
        Ok(())
    }
}

/// The right answers of one run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RunCount {
    pub correct: u64,
    /// All rows, failed ones included; at least 1.
    pub rows: u64,
}

/// Accuracies of several runs, each rounded half up to two decimals of a percent before anything else is computed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoundedFirst {
    hundredths: Vec<u128>,
}

/// The most decimals that [`RoundedFirst`] computes.
const PLACES: u32 = 6;

impl RoundedFirst {
    /// Of these runs; `None` if there are none, or if one has no rows.
    pub fn of(runs: &[RunCount]) -> Option<Self> {
        let fits = !runs.is_empty() && runs.iter().all(|run| run.rows > 0);
        let percent =
            |run: &RunCount| half_up(10_000 * u128::from(run.correct), u128::from(run.rows));
        fits.then(|| RoundedFirst { hundredths: runs.iter().map(percent).collect() })
    }

    /// Each run's percentage.
    pub fn percents(&self) -> Vec<Decimal> {
        let decimal = |units: &u128| Decimal { units: *units, places: 2 };
        self.hundredths.iter().map(decimal).collect()
    }

    /// The mean in percent, rounded half up to this many decimals (6 at most).
    pub fn mean(&self, places: u32) -> Decimal {
        let places = places.min(PLACES);
        let sum: u128 = self.hundredths.iter().sum();
        let units = half_up(sum * 10_u128.pow(places), 100 * self.hundredths.len() as u128);
        Decimal { units, places }
    }

    /// The sample deviation in percentage points, rounded half up to this many decimals (6 at most); `None` for one run.
    pub fn deviation(&self, places: u32) -> Option<Decimal> {
        let places = places.min(PLACES);
        let n = self.hundredths.len() as u128;
        if n < 2 {
            return None;
        }
        let sum: u128 = self.hundredths.iter().sum();
        let squares: u128 = self.hundredths.iter().map(|number| number * number).sum();
        // The variance in squared hundredths is numerator / denominator.
        let (numerator, denominator) = (n * squares - sum * sum, n * (n - 1));
        // u units, rounded half up, is the largest u with (2u - 1)² ≤ 4 · variance in squared units.
        let four_variances = 4 * numerator * 100_u128.pow(places) / (denominator * 10_000);
        let units = four_variances.isqrt().div_ceil(2);
        Some(Decimal { units, places })
    }
}

/// The quotient, rounded half up to a whole number.
fn half_up(numerator: u128, denominator: u128) -> u128 {
    (2 * numerator + denominator) / (2 * denominator)
}

/// Whether numbers are rounded on the way (ARCHITECTURE.md, rule 29).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Rounding {
    /// Not at all.
    #[default]
    None,
    /// Each run's percentage to two decimals, half up, before mean and deviation are taken: as Table 2 was made.
    Published,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(counts: &[u64]) -> RoundedFirst {
        let runs: Vec<RunCount> =
            counts.iter().map(|correct| RunCount { correct: *correct, rows: 210 }).collect();
        RoundedFirst::of(&runs).expect("there is a run")
    }

    /// A1 to A6: counts of 210; unrounded mean, sample and population deviation; rounded-first mean and deviation with
    /// four decimals, and as published with two.
    #[test]
    fn the_a_vectors() {
        let vectors = [
            ("A1", [14, 15, 16], "7.1429 0.4762 0.3888", "7.1433 0.4750", "7.14 0.48"),
            ("A2", [10, 15, 16], "6.5079 1.5307 1.2498", "6.5067 1.5316", "6.51 1.53"),
            ("A3", [20, 23, 31], "11.7460 2.7077 2.2109", "11.7433 2.7086", "11.74 2.71"),
            ("A4", [13, 17, 21], "8.0952 1.9048 1.5552", "8.0967 1.9050", "8.10 1.91"),
            ("A5", [15, 17, 19], "8.0952 0.9524 0.7776", "8.0967 0.9550", "8.10 0.96"),
            ("A6", [17, 19, 20], "8.8889 0.7274 0.5939", "8.8900 0.7234", "8.89 0.72"),
        ];
        for (id, counts, unrounded, rounded_first, published) in vectors {
            let percents: Vec<f64> =
                counts.iter().map(|count| 100.0 * *count as f64 / 210.0).collect();
            let spread = Spread::of(&percents).expect("there is a run");
            let sample = spread.deviation.expect("there are two runs");
            let population = sample * (2.0_f64 / 3.0).sqrt();
            assert_eq!(
                format!("{:.4} {sample:.4} {population:.4}", spread.mean),
                unrounded,
                "{id}"
            );
            let runs = runs(&counts);
            let shown = |places| {
                format!(
                    "{} {}",
                    runs.mean(places),
                    runs.deviation(places).expect("there are two runs")
                )
            };
            assert_eq!(shown(4), rounded_first, "{id}");
            assert_eq!(shown(2), published, "{id}");
        }
    }

    #[test]
    fn each_run_is_rounded_half_up() {
        let shown = |counts: &[u64]| {
            runs(counts).percents().iter().map(Decimal::to_string).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(shown(&[14, 15, 16]), "6.67 7.14 7.62");
        assert_eq!(shown(&[10, 15, 16]), "4.76 7.14 7.62");
        assert_eq!(shown(&[20, 23, 31]), "9.52 10.95 14.76");
        assert_eq!(shown(&[13, 17, 21]), "6.19 8.10 10.00");
        assert_eq!(shown(&[15, 17, 19]), "7.14 8.10 9.05");
        assert_eq!(shown(&[17, 19, 20]), "8.10 9.05 9.52");
        // Exactly half: 1 of 16 is 6.25, 1 of 800 is 0.125.
        let halves =
            RoundedFirst::of(&[RunCount { correct: 1, rows: 800 }]).expect("there is a run");
        assert_eq!(halves.percents()[0].to_string(), "0.13");
    }

    /// The seven rows of Table 2 that three runs of 210 rows explain, by the counts of specification 7.1.
    #[test]
    fn table_2_comes_out_of_the_counts() {
        let rows = [
            ("GLM-4.5", [14, 15, 16], "7.14 0.48"),
            ("Kimi-K2", [10, 15, 16], "6.51 1.53"),
            ("DeepSeek-V3.1", [20, 23, 31], "11.74 2.71"),
            ("Qwen3-235B-A22B", [17, 19, 20], "8.89 0.72"),
            ("Claude-3.5-Sonnet", [13, 17, 21], "8.10 1.91"),
            ("Claude-Opus-4", [15, 17, 19], "8.10 0.96"),
            ("Claude-Sonnet-4", [14, 14, 19], "7.46 1.37"),
        ];
        for (model, counts, published) in rows {
            let runs = runs(&counts);
            assert_eq!(
                format!("{} {}", runs.mean(2), runs.deviation(2).expect("there are two runs")),
                published,
                "{model}"
            );
        }
    }

    #[test]
    fn repeats_are_rounded_where_asked() {
        let answers = || (1..=2).flat_map(|repeat| (0..3).map(move |at| (repeat, at < repeat)));
        let exact = Spread::of_repeats(answers(), Rounding::None);
        assert_eq!(exact, Spread::of(&[1.0 / 3.0, 2.0 / 3.0]));
        let rounded =
            Spread::of_repeats(answers(), Rounding::Published).expect("there are answers");
        assert_eq!((rounded.mean, rounded.deviation), (0.5, Some(0.2357)));
        assert_eq!(Spread::of_repeats([], Rounding::Published), None);
        assert_eq!((mean([]), mean([1.0, 2.0])), (None, Some(1.5)));
        assert_eq!((ratio(1_u32, 0_u32), ratio(1_u32, 4_u64)), (None, Some(0.25)));
    }

    #[test]
    fn edges() {
        assert_eq!(Spread::of(&[]), None);
        assert_eq!(Spread::of(&[3.0]), Some(Spread { mean: 3.0, deviation: None }));
        assert_eq!(RoundedFirst::of(&[]), None);
        assert_eq!(RoundedFirst::of(&[RunCount { correct: 0, rows: 0 }]), None);
        let one = runs(&[210]);
        assert_eq!((one.mean(0).to_string(), one.deviation(2)), ("100".to_owned(), None));
        let equal = runs(&[5, 5, 5]);
        assert_eq!(equal.deviation(4).expect("there are two runs").to_string(), "0.0000");
        assert_eq!(equal.mean(2).to_f64(), 2.38);
        // Decimals beyond six are not computed.
        assert_eq!(equal.mean(40).to_string(), "2.380000");
    }

    proptest::proptest! {
        #[test]
        fn decimals_are_near_the_unrounded_numbers(counts in proptest::collection::vec(0..=210_u64, 2..9)) {
            let rounded = runs(&counts);
            let percents: Vec<f64> = rounded.percents().iter().map(|percent| percent.to_f64()).collect();
            let spread = Spread::of(&percents).expect("there is a run");
            proptest::prop_assert!((rounded.mean(6).to_f64() - spread.mean).abs() < 1e-6);
            proptest::prop_assert!((rounded.deviation(6).expect("there are two runs").to_f64() - spread.deviation.expect("there are two runs")).abs() < 1e-6);
        }
    }
}
