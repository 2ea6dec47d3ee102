//! Means over few tables: deviation, interval, and the authors' trimmed mean (specification 4.d).

use serde::{Deserialize, Serialize};
use turnwise_core::saturated;

use turnwise_core::metrics::spread::Spread;
use turnwise_core::metrics::student;

/// How many tables the trimmed mean drops at each end.
const TRIMMED: usize = 2;

/// A mean, and how sure it is.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Mean {
    pub n: usize,
    pub mean: f64,
    /// The sample deviation (n − 1); `None` for one number.
    pub sd: Option<f64>,
    /// The population deviation (n), as the authors' script prints it.
    pub sd_population: f64,
    /// The standard error; `None` for one number.
    pub se: Option<f64>,
    /// The 95 % interval by Student's t; `None` for one number.
    pub interval: Option<(f64, f64)>,
    /// The mean in standard errors; `None` for one number, or if all are equal.
    pub t: Option<f64>,
}

impl Mean {
    /// Of these numbers; `None` if there are none.
    pub fn of(numbers: &[f64]) -> Option<Self> {
        let n = numbers.len();
        let Spread { mean, deviation } = Spread::of(numbers)?;
        let se = deviation.map(|sd| sd / (n as f64).sqrt());
        let degrees = saturated(n - 1);
        let half = se.map(|se| se * student::half_95(degrees));
        let squares: f64 = numbers.iter().map(|number| (number - mean).powi(2)).sum();
        Some(Mean {
            n,
            mean,
            sd: deviation,
            sd_population: (squares / n as f64).sqrt(),
            se,
            interval: half.map(|half| (mean - half, mean + half)),
            t: se.filter(|se| *se > 0.0).map(|se| mean / se),
        })
    }

    /// The same numbers, each multiplied by `factor`, which is not negative.
    pub fn scaled(self, factor: f64) -> Self {
        Mean {
            mean: self.mean * factor,
            sd: self.sd.map(|sd| sd * factor),
            sd_population: self.sd_population * factor,
            se: self.se.map(|se| se * factor),
            interval: self.interval.map(|(low, high)| (low * factor, high * factor)),
            ..self
        }
    }
}

/// The mean of what is left when the two lowest and the two highest are dropped.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Trimmed {
    /// How many numbers are left.
    pub n: usize,
    pub mean: f64,
    pub sd_population: f64,
}

impl Trimmed {
    /// Of these numbers; `None` of fewer than five.
    pub fn of(numbers: &[f64]) -> Option<Self> {
        let mut sorted = numbers.to_vec();
        sorted.sort_by(f64::total_cmp);
        let kept = sorted.get(TRIMMED..sorted.len().saturating_sub(TRIMMED))?;
        let kept = Mean::of(kept)?;
        Some(Trimmed { n: kept.n, mean: kept.mean, sd_population: kept.sd_population })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_of_three_by_hand() {
        // Mean 2, squares 1 + 0 + 1: sample variance 1, population variance 2/3, standard error 1/√3.
        let mean = Mean::of(&[1.0, 2.0, 3.0]).expect("there are enough numbers");
        assert_eq!((mean.n, mean.mean, mean.sd), (3, 2.0, Some(1.0)));
        assert!((mean.sd_population - (2.0_f64 / 3.0).sqrt()).abs() < 1e-12);
        let se = 1.0 / 3.0_f64.sqrt();
        assert!((mean.se.expect("three numbers deviate") - se).abs() < 1e-12);
        assert!((mean.t.expect("three numbers deviate") - 2.0 / se).abs() < 1e-12);
        let (low, high) = mean.interval.expect("three numbers deviate");
        assert!((low - (2.0 - 4.302_652_729_749_464 * se)).abs() < 1e-12);
        assert!((high - (2.0 + 4.302_652_729_749_464 * se)).abs() < 1e-12);
        assert_eq!(mean.scaled(10.0).sd, Some(10.0));
        assert_eq!(mean.scaled(10.0).t, mean.t);
    }

    #[test]
    fn one_number_has_no_deviation() {
        let mean = Mean::of(&[7.0]).expect("there are enough numbers");
        assert_eq!((mean.mean, mean.sd, mean.se), (7.0, None, None));
        assert_eq!((mean.interval, mean.t), (None, None));
        assert_eq!(Mean::of(&[]), None);
        assert_eq!(Mean::of(&[4.0, 4.0]).expect("there are enough numbers").t, None);
    }

    #[test]
    fn trimming_needs_five() {
        assert_eq!(Trimmed::of(&[1.0, 2.0, 3.0, 4.0]), None);
        assert_eq!(Trimmed::of(&[]), None);
        let five = Trimmed::of(&[100.0, 3.0, -50.0, 1.0, 2.0]).expect("there are enough numbers");
        assert_eq!((five.n, five.mean, five.sd_population), (1, 2.0, 0.0));
        // Left are 2, 4: mean 3, population deviation 1.
        let six = Trimmed::of(&[9.0, 4.0, 0.0, 2.0, 8.0, 1.0]).expect("there are enough numbers");
        assert_eq!((six.n, six.mean, six.sd_population), (2, 3.0, 1.0));
    }
}
