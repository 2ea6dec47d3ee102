//! Choices of a builder, from the dice of the core: the same seed and label choose the same for ever.

use turnwise_core::dice;

#[derive(Debug)]
pub(super) struct Chance {
    seed: u64,
    label: String,
    drawn: u32,
}

impl Chance {
    pub fn new(seed: u64, label: String) -> Self {
        Chance { seed, label, drawn: 0 }
    }

    /// `take` different numbers below a limit.
    pub fn some(&mut self, below: usize, take: usize) -> Vec<usize> {
        let stream = format!("{}:{}", self.label, self.drawn);
        self.drawn += 1;
        let (below, take) = (u32::try_from(below), u32::try_from(take));
        let (below, take) = (below.unwrap_or(u32::MAX), take.unwrap_or(u32::MAX));
        let drawn = dice::draw(self.seed, &stream, below, take);
        drawn.into_iter().map(|number| number as usize).collect()
    }

    /// One number below a limit; the limit is at least 1.
    pub fn below(&mut self, below: usize) -> usize {
        self.some(below, 1).first().copied().unwrap_or(0)
    }

    /// One of several; there is at least one.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    /// A whole number from a closed range.
    pub fn within(&mut self, (low, high): (i64, i64)) -> i64 {
        let width = usize::try_from(high - low + 1).unwrap_or(1);
        low + i64::try_from(self.below(width)).unwrap_or(0)
    }
}
