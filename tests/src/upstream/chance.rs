//! Chance that follows from bytes: the same label always decides the same.

use std::time::Duration;

use turnwise_shared::hash::Digest;

/// The sigma of the logarithm of latencies (ARCHITECTURE.md, rule 26).
const SIGMA: f64 = 0.5;

/// A source of chance.
#[derive(Debug, Clone, Copy)]
pub struct Chance(Digest);

impl Chance {
    pub fn new<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> Self {
        Chance(Digest::of_parts(parts))
    }

    /// A number from 0 up to, but not, `below`.
    pub fn number(&self, label: &str, below: u64) -> u64 {
        self.bits(label) % below.max(1)
    }

    /// Whether something happens that happens in this share of cases.
    pub fn happens(&self, label: &str, share: f64) -> bool {
        self.fraction(label) < share
    }

    pub fn one<T: Clone>(&self, label: &str, of: &[T]) -> T {
        let at = self.number(label, of.len() as u64);
        of[usize::try_from(at).expect("an index")].clone()
    }

    /// A log-normal time with this mean.
    pub fn latency(&self, mean: Duration) -> Duration {
        let radius = (-2.0 * (1.0 - self.fraction("radius")).ln()).sqrt();
        let normal = radius * (std::f64::consts::TAU * self.fraction("angle")).cos();
        mean.mul_f64((SIGMA * normal - SIGMA * SIGMA / 2.0).exp())
    }

    fn bits(&self, label: &str) -> u64 {
        let digest = Digest::of_parts([self.0.bytes().as_slice(), label.as_bytes()]);
        let mut first = [0; 8];
        first.copy_from_slice(&digest.bytes()[..8]);
        u64::from_le_bytes(first)
    }

    /// From 0 up to, but not, 1.
    fn fraction(&self, label: &str) -> f64 {
        (self.bits(label) >> 11) as f64 / (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latencies_have_the_mean_and_the_spread_that_they_should_have() {
        let mean = Duration::from_millis(100);
        let mut times: Vec<f64> = (0..4000_u32)
            .map(|number| Chance::new([number.to_le_bytes().as_slice()]).latency(mean))
            .map(|time| time.as_secs_f64() * 1000.0)
            .collect();
        times.sort_by(f64::total_cmp);
        let found = times.iter().sum::<f64>() / times.len() as f64;
        assert!((95.0..105.0).contains(&found), "the mean is {found} ms");
        let median = times[times.len() / 2];
        // exp(-sigma² / 2) = 0.8825
        assert!((84.0..93.0).contains(&median), "the median is {median} ms");
    }
}
