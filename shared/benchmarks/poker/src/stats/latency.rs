//! How long decisions took. Times lie beside a transcript and never in it, so that they come in as an argument.

use serde::{Deserialize, Serialize};

/// Times of decisions in milliseconds, failures included.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Latency {
    pub n: usize,
    pub mean: f64,
    /// The middle one, or the mean of the middle two.
    pub median: f64,
    /// The smallest time that 95 % do not exceed.
    pub p95: f64,
}

impl Latency {
    /// Of these times; `None` if there are none.
    pub fn of(times: &[f64]) -> Option<Self> {
        let n = times.len();
        let mut sorted = times.to_vec();
        sorted.sort_by(f64::total_cmp);
        let median = (sorted.get((n.max(1) - 1) / 2)? + sorted.get(n / 2)?) / 2.0;
        Some(Latency {
            n,
            mean: times.iter().sum::<f64>() / n as f64,
            median,
            p95: *sorted.get((95 * n).div_ceil(100) - 1)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_and_p95() {
        let times: Vec<f64> = (1..=20).rev().map(f64::from).collect();
        let latency = Latency::of(&times).expect("there are times");
        assert_eq!((latency.n, latency.mean, latency.median, latency.p95), (20, 10.5, 10.5, 19.0));
        let odd = Latency::of(&[3.0, 100.0, 1.0]).expect("there are times");
        assert_eq!((odd.median, odd.p95), (3.0, 100.0));
        assert_eq!(Latency::of(&[]), None);
    }
}
