//! How many rounds a match has: geometric with a cap (specification 5.b), drawn as the reference code draws, or one list
//! that all pairs share.

use super::seeds::{PairSeed, Twister};
use turnwise_core::dice;

/// The most rounds that a match may have. A conversation is sent anew in every round, so requests grow with it.
pub const MOST_ROUNDS: u32 = 200;

/// The rounds of a match: one, and another one while numbers in `[0, 1)` stay below `delta`, up to `cap`.
pub fn geometric(delta: f64, cap: u32, mut unit: impl FnMut() -> f64) -> u32 {
    let mut rounds = 1;
    while rounds < cap && unit() < delta {
        rounds += 1;
    }
    rounds
}

/// The length of a match under the seeding of the reference code: every pair and repeat has its own.
pub fn reference(pair: &PairSeed<'_>) -> u32 {
    let mut twister = Twister::seeded(pair.of_match());
    geometric(pair.delta, pair.cap, || twister.unit())
}

/// The length of a repeat under our own seeding: the same for every pair, so that no player's score rests on a luckier
/// draw of lengths (specification 5.h.4). The same numbers are compared with every `delta`, so that a repeat of a sweep
/// only grows with it.
pub fn shared(seed: u64, repeat: u32, delta: f64, cap: u32) -> u32 {
    let mut round = 0;
    geometric(delta, cap, || {
        round += 1;
        unit(seed, &format!("trust length:{repeat}:{round}"))
    })
}

/// A number in `[0, 1)` from a stream of our dice, with 31 bits.
fn unit(seed: u64, stream: &str) -> f64 {
    dice::draw(seed, stream, UNITS, 1)
        .first()
        .map_or(0.0, |number| f64::from(*number) / f64::from(UNITS))
}

/// How finely our own numbers in `[0, 1)` are drawn.
pub const UNITS: u32 = 1 << 31;

/// The mean length: `(1 - delta^cap) / (1 - delta)`, and the cap where a match never ends of itself.
pub fn mean(delta: f64, cap: u32) -> f64 {
    if delta >= 1.0 {
        f64::from(cap)
    } else {
        (1.0 - delta.powi(i32::try_from(cap).unwrap_or(i32::MAX))) / (1.0 - delta)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The players of the published configuration, in its order (specification 5.a and 5.e).
    const PUBLISHED: [&str; 9] = [
        "LLM-x-ai-grok-4-1-fast",
        "LLM-google-gemini-3-flash-preview",
        "LLM-openai-gpt-5-mini",
        "LLM-moonshotai-kimi-k2-0905",
        "LLM-deepseek-deepseek-v3-2",
        "LLM-qwen-qwen3-max",
        "Grim Trigger-1",
        "Random-1",
        "TFT-1",
    ];

    /// Specification 5.e, by the reference code.
    const TABLE: &str = "0-1: 6 5 18 4 6; 1-3: 13 3 2 1 1; 2-6: 1 8 4 4 2; 4-6: 10 2 8 3 3;
        0-2: 21 1 2 8 3; 1-4: 6 12 5 2 8; 2-7: 10 1 4 3 2; 4-7: 3 5 4 7 1;
        0-3: 12 3 5 1 6; 1-5: 2 1 10 1 1; 2-8: 7 3 1 7 2; 4-8: 8 2 5 5 2;
        0-4: 1 10 1 3 5; 1-6: 7 3 1 3 5; 3-4: 1 5 4 9 14; 5-6: 2 11 2 5 4;
        0-5: 7 4 6 9 1; 1-7: 17 3 7 1 1; 3-5: 4 2 1 4 4; 5-7: 2 2 3 3 2;
        0-6: 1 8 1 3 7; 1-8: 4 1 4 3 1; 3-6: 2 4 8 4 1; 5-8: 2 1 4 3 3;
        0-7: 5 20 4 13 3; 2-3: 20 2 2 1 4; 3-7: 5 1 15 1 4; 6-7: 11 5 12 1 5;
        0-8: 5 1 6 5 1; 2-4: 1 6 20 3 1; 3-8: 1 3 2 11 1; 6-8: 8 6 8 1 8;
        1-2: 2 6 4 1 4; 2-5: 1 5 2 3 11; 4-5: 8 3 1 4 5; 7-8: 3 8 12 7 5";

    fn table() -> Vec<((usize, usize), Vec<u32>)> {
        TABLE
            .split(';')
            .map(|row| {
                let (pair, lengths) = row.split_once(':').expect("a pair and its lengths");
                let (a, b) = pair.trim().split_once('-').expect("two numbers");
                let lengths = lengths.split_whitespace();
                (
                    (a.parse().expect("a number"), b.parse().expect("a number")),
                    lengths.map(|text| text.parse().expect("a number")).collect(),
                )
            })
            .collect()
    }

    #[test]
    fn every_length_of_the_published_configuration() {
        let table = table();
        assert_eq!(table.len(), 36);
        let mut all = Vec::new();
        for ((a, b), expected) in table {
            let lengths: Vec<u32> = (1..=5)
                .map(|repeat| {
                    reference(&PairSeed {
                        seed: 1234,
                        names: [PUBLISHED[a], PUBLISHED[b]],
                        repeat,
                        delta: 0.8,
                        cap: 35,
                    })
                })
                .collect();
            assert_eq!(lengths, expected, "{a}-{b}");
            all.extend(lengths);
        }
        // Specification 5.h.4.
        assert_eq!(all.iter().filter(|length| **length == 1).count(), 39);
        assert_eq!(all.iter().filter(|length| **length <= 2).count(), 62);
        assert_eq!(all.iter().max(), Some(&21));
        assert_eq!(all.iter().sum::<u32>(), 867);
    }

    #[test]
    fn means_are_those_of_the_specification() {
        assert_eq!(format!("{:.3}", mean(0.8, 35)), "4.998");
        assert_eq!(format!("{:.2}", mean(0.95, 25)), "14.45");
        assert_eq!(mean(1.0, 7), 7.0);
    }

    #[test]
    fn a_shared_list_depends_on_seed_and_repeat_and_grows_with_delta() {
        let list = |seed, delta| {
            (1..=400).map(|repeat| shared(seed, repeat, delta, 35)).collect::<Vec<_>>()
        };
        assert_eq!(list(7, 0.8), list(7, 0.8));
        assert_ne!(list(7, 0.8), list(8, 0.8));
        let (short, long) = (list(7, 0.8), list(7, 0.9));
        assert!(short.iter().zip(&long).all(|(short, long)| short <= long));
        let mean_length = short.iter().sum::<u32>() as f64 / 400.0;
        assert!((4.4..5.6).contains(&mean_length), "{mean_length}");
        assert_eq!(shared(1, 1, 0.0, 35), 1);
        assert_eq!(shared(1, 1, 1.0, 35), 35);
        assert_eq!(geometric(1.0, 0, || 0.0), 1);
    }

    /// Old runs with an old seed should repeat.
    #[test]
    fn our_own_lengths_are_pinned() {
        let lengths: Vec<_> = (1..=10).map(|repeat| shared(1, repeat, 0.8, 35)).collect();
        assert_eq!(lengths, [11, 4, 6, 1, 1, 9, 12, 5, 3, 4]);
    }
}
