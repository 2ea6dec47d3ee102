//! Chance for estimates over random boards; what is dealt comes from elsewhere.

/// Numbers that look like chance (SplitMix64). Good enough to make up hands, not to deal them.
#[derive(Debug, Clone)]
pub struct Chance(u64);

impl Chance {
    /// Chance that begins with a number.
    pub fn new(seed: u64) -> Self {
        Chance(seed)
    }

    /// A number below `limit`, which is at least 1.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % limit
    }
}
