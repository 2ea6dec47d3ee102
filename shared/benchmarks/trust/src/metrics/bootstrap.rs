//! The interval of a payoff per round, by resampling (specification 5.d).

use crate::seeds::Twister;

/// One thing that is resampled: a match, or both directions of one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sample {
    /// What was earned in it.
    pub earned: i64,
    pub rounds: u32,
}

/// How an interval is taken.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bootstrap {
    pub resamples: u32,
    /// The share outside of the interval, both sides together.
    pub alpha: f64,
}

impl Default for Bootstrap {
    fn default() -> Self {
        Bootstrap { resamples: 2000, alpha: 0.05 }
    }
}

impl Bootstrap {
    /// The interval of the ratio of all earnings to all rounds: as many samples as there are, with replacement, again and
    /// again; of the sorted ratios the ones at `floor(alpha / 2 · n)` and at `floor((1 - alpha / 2) · n) - 1`. `None`
    /// without samples or resamples.
    pub fn interval(&self, samples: &[Sample], chance: &mut Twister) -> Option<(f64, f64)> {
        let count = u32::try_from(samples.len()).ok().filter(|count| *count > 0)?;
        let mut ratios: Vec<f64> = (0..self.resamples)
            .map(|_| {
                let (mut earned, mut rounds) = (0_i64, 0_u64);
                for _ in 0..count {
                    let sample = samples[chance.below(count) as usize];
                    earned += sample.earned;
                    rounds += u64::from(sample.rounds);
                }
                earned as f64 / rounds.max(1) as f64
            })
            .collect();
        ratios.sort_by(f64::total_cmp);
        let resamples = f64::from(self.resamples);
        let low = (self.alpha / 2.0 * resamples).floor() as usize;
        let high = ((1.0 - self.alpha / 2.0) * resamples).floor() as usize;
        Some((*ratios.get(low)?, *ratios.get(high.checked_sub(1)?)?))
    }
}
