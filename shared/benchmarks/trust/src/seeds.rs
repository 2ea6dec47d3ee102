//! The seeds of the reference code and its generator (specification 5.b): SHA-256 over named parts, and MT19937 seeded as
//! Python seeds it.

use rand_mt::Mt;

use turnwise_core::prelude::*;
use turnwise_core::python::float;

/// The hash of some parts: the first eight bytes, big endian, of SHA-256 over every part followed by `|`.
pub fn hash(parts: &[&str]) -> u64 {
    let text: String = parts.iter().flat_map(|part| [part, "|"]).collect();
    let digest = Digest::of(text);
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&digest.bytes()[..8]);
    u64::from_be_bytes(bytes)
}

/// One pair in one repeat of a tournament: everything from which its seeds follow.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairSeed<'a> {
    /// The seed of the run.
    pub seed: u64,
    /// The names of the pair, in the order of the list of players.
    pub names: [&'a str; 2],
    /// The repeat, from 1.
    pub repeat: u32,
    /// The probability that a match goes on.
    pub delta: f64,
    pub cap: u32,
}

impl PairSeed<'_> {
    /// The seed of the match, from which its length is drawn.
    pub fn of_match(&self) -> u64 {
        hash(&[
            "match_seed",
            &self.seed.to_string(),
            self.names[0],
            self.names[1],
            &self.repeat.to_string(),
            &float(self.delta),
            &self.cap.to_string(),
        ])
    }

    /// The seed of one player's own chance in one direction of the match: 0 for `A_vs_B`, 1 for `B_vs_A`.
    pub fn of_player(&self, direction: u32, name: &str) -> u64 {
        hash(&[
            "agent_game_seed",
            &self.seed.to_string(),
            &self.of_match().to_string(),
            &direction.to_string(),
            name,
        ])
    }
}

/// The seed of the length of a single match.
pub fn single_game(seed: u64, names: [&str; 2], delta: f64) -> u64 {
    hash(&["single_game", &seed.to_string(), names[0], names[1], &float(delta)])
}

/// The seed of a player's own chance in a single match; `index` is its place in the list.
pub fn single_player(seed: u64, index: u32, name: &str) -> u64 {
    hash(&["agent_seed", &seed.to_string(), &index.to_string(), name])
}

/// The seed from which the intervals of a tournament are drawn.
pub fn intervals(seed: u64, delta: f64) -> u64 {
    hash(&["ci_rng", &seed.to_string(), &float(delta)])
}

/// MT19937, seeded and read as Python does it.
#[derive(Debug, Clone)]
pub struct Twister(Mt);

impl Twister {
    /// The generator of a seed: the key is its little-endian 32-bit words without leading zeros, at least one word.
    pub fn seeded(seed: u64) -> Self {
        let words = [(seed & 0xffff_ffff) as u32, (seed >> 32) as u32];
        let used = if words[1] == 0 { 1 } else { 2 };
        Twister(Mt::new_with_key(words.into_iter().take(used)))
    }

    /// The next number in `[0, 1)`, with 53 bits.
    pub fn unit(&mut self) -> f64 {
        let high = f64::from(self.0.next_u32() >> 5);
        let low = f64::from(self.0.next_u32() >> 6);
        (high * 67_108_864.0 + low) / 9_007_199_254_740_992.0
    }

    /// The next whole number below `limit`: as many top bits as `limit` has, again until they fit. 0 for a limit of 0.
    pub fn below(&mut self, limit: u32) -> u32 {
        if limit == 0 {
            return 0;
        }
        loop {
            let number = self.0.next_u32() >> limit.leading_zeros();
            if number < limit {
                return number;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Specification 5.e, by the reference code.
    #[test]
    fn hashes_and_numbers_are_those_of_the_reference() {
        assert_eq!(hash(&[]), 16_406_829_232_824_261_652);
        assert_eq!(hash(&["a"]), 14_304_554_207_974_837_988);
        let mut twister = Twister::seeded(1234);
        let numbers = [(); 3].map(|()| twister.unit());
        assert_eq!(
            numbers,
            [0.966_453_535_692_138_8, 0.440_732_599_175_352_7, 0.007_491_470_058_587_191]
        );
        let mut twister = Twister::seeded(1234);
        let indices = [(); 8].map(|()| twister.below(20));
        assert_eq!(indices, [14, 3, 0, 2, 18, 1, 2, 3]);
        assert_eq!(twister.below(0), 0);
        assert_eq!(twister.below(1), 0);
    }

    #[test]
    fn the_seeds_of_the_published_pair() {
        let seed = |repeat| PairSeed {
            seed: 1234,
            names: ["LLM-google-gemini-3-flash-preview", "LLM-deepseek-deepseek-v3-2"],
            repeat,
            delta: 0.8,
            cap: 35,
        };
        assert_eq!(
            [1, 2, 3, 4, 5].map(|repeat| seed(repeat).of_match()),
            [
                17_484_455_392_485_295_538,
                12_831_081_762_878_892_109,
                11_056_408_187_435_897_036,
                9_824_948_761_278_902_167,
                9_579_186_505_231_609_849
            ]
        );
        let mut twister = Twister::seeded(seed(1).of_match());
        assert_eq!(
            [(); 6].map(|()| twister.unit()),
            [
                0.556_749_236_867_716_3,
                0.128_583_038_062_753_62,
                0.192_055_283_939_382_2,
                0.256_275_638_403_727_7,
                0.378_593_255_925_912_86,
                0.984_336_433_667_564_4
            ]
        );
    }
}
