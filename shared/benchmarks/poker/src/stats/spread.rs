//! Means over few tables: deviation, interval, and the authors' trimmed mean (specification 4.d).

use serde::{Deserialize, Serialize};

use turnwise_core::metrics::HALF_95;
use turnwise_core::metrics::spread::Spread;

/// How many tables the trimmed mean drops at each end.
const TRIMMED: usize = 2;

/// A mean, and how sure it is.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Mean {
    /// How many numbers.
    pub n: usize,
    /// Their mean.
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
        let half = se.map(|se| se * student_t(n - 1));
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
            interval: self
                .interval
                .map(|(low, high)| (low * factor, high * factor)),
            ..self
        }
    }
}

/// The mean of what is left when the two lowest and the two highest are dropped.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Trimmed {
    /// How many numbers are left.
    pub n: usize,
    /// Their mean.
    pub mean: f64,
    /// Their population deviation.
    pub sd_population: f64,
}

impl Trimmed {
    /// Of these numbers; `None` of fewer than five.
    pub fn of(numbers: &[f64]) -> Option<Self> {
        let mut sorted = numbers.to_vec();
        sorted.sort_by(f64::total_cmp);
        let kept = sorted.get(TRIMMED..sorted.len().saturating_sub(TRIMMED))?;
        let kept = Mean::of(kept)?;
        Some(Trimmed {
            n: kept.n,
            mean: kept.mean,
            sd_population: kept.sd_population,
        })
    }
}

/// The 97.5 % quantile of Student's t with so many degrees of freedom, at least 1: from a table, and beyond it by the
/// expansion around the normal quantile, which is right to five digits there.
pub fn student_t(degrees: usize) -> f64 {
    const TABLE: [f64; 30] = [
        12.706_205, 4.302_653, 3.182_446, 2.776_445, 2.570_582, 2.446_912, 2.364_624, 2.306_004,
        2.262_157, 2.228_139, 2.200_985, 2.178_813, 2.160_369, 2.144_787, 2.131_450, 2.119_905,
        2.109_816, 2.100_922, 2.093_024, 2.085_963, 2.079_614, 2.073_873, 2.068_658, 2.063_899,
        2.059_539, 2.055_529, 2.051_831, 2.048_407, 2.045_230, 2.042_272,
    ];
    if let Some(quantile) = TABLE.get(degrees.max(1) - 1) {
        return *quantile;
    }
    let (z, v) = (HALF_95, degrees as f64);
    let first = (z.powi(3) + z) / 4.0;
    let second = (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0;
    let third = (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0;
    z + first / v + second / v.powi(2) + third / v.powi(3)
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
        assert!((low - (2.0 - 4.302_653 * se)).abs() < 1e-12);
        assert!((high - (2.0 + 4.302_653 * se)).abs() < 1e-12);
        assert_eq!(mean.scaled(10.0).sd, Some(10.0));
        assert_eq!(mean.scaled(10.0).t, mean.t);
    }

    #[test]
    fn one_number_has_no_deviation() {
        let mean = Mean::of(&[7.0]).expect("there are enough numbers");
        assert_eq!((mean.mean, mean.sd, mean.se), (7.0, None, None));
        assert_eq!((mean.interval, mean.t), (None, None));
        assert_eq!(Mean::of(&[]), None);
        assert_eq!(
            Mean::of(&[4.0, 4.0]).expect("there are enough numbers").t,
            None
        );
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

    #[test]
    fn quantiles_of_students_t() {
        // From the usual tables.
        for (degrees, quantile) in [
            (1, 12.706),
            (9, 2.262),
            (30, 2.042),
            (40, 2.021),
            (60, 2.000),
            (120, 1.980),
        ] {
            assert!((student_t(degrees) - quantile).abs() < 6e-4, "{degrees}");
        }
        assert!((student_t(31) - 2.039_513).abs() < 1e-5);
        assert!((student_t(1_000_000) - 1.959_966).abs() < 1e-5);
        assert!((1..200).all(|degrees| student_t(degrees) > student_t(degrees + 1)));
    }
}
