//! How players interact: rounds, and how many of them are asks (specification 7.3).

use serde::{Deserialize, Serialize};

use super::memory::Counts;

/// The interaction numbers of a run. Invalid outputs use no round and do not count.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Interaction {
    /// How many episodes were counted.
    pub n: usize,
    pub round: f64,
    pub iround: f64,
    /// Asks as a fraction of all rounds of all episodes; `None` if there was no round.
    pub ir_micro: Option<f64>,
    /// The mean, over episodes with rounds, of asks as a fraction of the episode's rounds; `None` if there are none.
    pub ir_macro: Option<f64>,
}

impl Interaction {
    /// Of the episodes that have counts; `None` if there are none. Leave out episodes that ended in an error, and skipped
    /// ones whose counts are lost.
    pub fn of(episodes: &[Counts]) -> Option<Self> {
        if episodes.is_empty() {
            return None;
        }
        let n = episodes.len() as f64;
        let rounds: f64 = episodes.iter().map(|counts| f64::from(counts.rounds())).sum();
        let asks: f64 = episodes.iter().map(|counts| f64::from(counts.ask)).sum();
        let shares: Vec<f64> = episodes
            .iter()
            .filter(|counts| counts.rounds() > 0)
            .map(|counts| f64::from(counts.ask) / f64::from(counts.rounds()))
            .collect();
        let has_rounds = !shares.is_empty();
        Some(Interaction {
            n: episodes.len(),
            round: rounds / n,
            iround: asks / n,
            ir_micro: has_rounds.then(|| asks / rounds),
            ir_macro: has_rounds.then(|| shares.iter().sum::<f64>() / shares.len() as f64),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(answer: u32, search: u32, ask: u32) -> Counts {
        Counts { answer, search, ask, invalid: 7 }
    }

    #[test]
    fn i1() {
        let numbers = Interaction::of(&[counts(1, 3, 2), counts(1, 0, 0), counts(0, 1, 1)])
            .expect("there are episodes");
        assert_eq!((numbers.n, numbers.round, numbers.iround), (3, 3.0, 1.0));
        let percent =
            |share: Option<f64>| format!("{:.4}", 100.0 * share.expect("there are actions"));
        assert_eq!(percent(numbers.ir_micro), "33.3333");
        assert_eq!(percent(numbers.ir_macro), "27.7778");
    }

    #[test]
    fn edges() {
        assert_eq!(Interaction::of(&[]), None);
        let empty = Interaction::of(&[counts(0, 0, 0)]).expect("there is a play");
        assert_eq!((empty.round, empty.ir_micro, empty.ir_macro), (0.0, None, None));
        let one_of_two =
            Interaction::of(&[counts(0, 0, 0), counts(0, 0, 2)]).expect("there are episodes");
        assert_eq!((one_of_two.iround, one_of_two.ir_macro), (1.0, Some(1.0)));
    }
}
