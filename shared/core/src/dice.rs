//! Reproducible randomness: the generator that answers [`Effect::Draw`](crate::effect::Effect::Draw).
//!
//! Numbers are a function of a seed and a stream label, so that every rotation of one deck shares its cards. They are
//! also written into the transcript: an old transcript replays even if this generator changes.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::hash::Digest;

/// Draws `take` different numbers from `0..below`, in the order of the draw.
///
/// ChaCha20, keyed with SHA-256 of `turnwise dice 1`, the seed and the stream; a partial Fisher-Yates shuffle with
/// rejection, so that every order is equally likely. `take` above `below` draws all of them.
pub fn draw(seed: u64, stream: &str, below: u32, take: u32) -> Vec<u32> {
    let mut source = source(seed, stream);
    let mut moved = std::collections::BTreeMap::new();
    (0..take.min(below))
        .map(|position| {
            let other = position + uniform(&mut source, below - position);
            let here = moved.get(&position).copied().unwrap_or(position);
            let there = moved.insert(other, here);
            if other == position { here } else { there.unwrap_or(other) }
        })
        .collect()
}

fn source(seed: u64, stream: &str) -> ChaCha20Rng {
    let key =
        Digest::of_parts([b"turnwise dice 1\0".as_slice(), &seed.to_le_bytes(), stream.as_bytes()]);
    ChaCha20Rng::from_seed(*key.bytes())
}

/// A number in `0..below`, every one equally likely; `below` is at least 1.
fn uniform(source: &mut ChaCha20Rng, below: u32) -> u32 {
    let limit = u32::MAX - u32::MAX % below;
    loop {
        let number = source.next_u32();
        if number < limit {
            return number % below;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn a_draw_is_without_replacement_and_repeatable() {
        let deck = draw(7, "deck:1", 52, 52);
        assert_eq!(deck.iter().collect::<BTreeSet<_>>().len(), 52);
        assert!(deck.iter().all(|card| *card < 52));
        assert_eq!(deck, draw(7, "deck:1", 52, 52));
        assert_eq!(deck[..5], draw(7, "deck:1", 52, 5));
        assert_ne!(deck, draw(7, "deck:2", 52, 52));
        assert_ne!(deck, draw(8, "deck:1", 52, 52));
    }

    #[test]
    fn edges() {
        assert!(draw(1, "x", 0, 3).is_empty());
        assert_eq!(draw(1, "x", 1, 5), [0]);
    }

    #[test]
    fn positions_are_uniform() {
        let mut counts = [0_u32; 6];
        for seed in 0..6000 {
            counts[draw(seed, "die", 6, 1)[0] as usize] += 1;
        }
        assert!(counts.iter().all(|count| (850..1150).contains(count)), "{counts:?}");
    }

    /// Old transcripts do not need this generator, but new runs with an old seed should repeat.
    #[test]
    fn the_generator_is_pinned() {
        assert_eq!(draw(1, "deck:1", 52, 7), [27, 1, 17, 11, 32, 30, 44]);
    }
}
