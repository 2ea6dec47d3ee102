//! Exact rational numbers: what the solver counts with.

use std::cmp::Ordering;
use std::ops::{Add, Mul, Sub};

/// A rational number in lowest terms; the lower part is positive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fraction {
    top: i128,
    bottom: i128,
}

impl Fraction {
    pub const ZERO: Fraction = Fraction { top: 0, bottom: 1 };

    /// `None` where the lower part is zero.
    pub fn new(top: i128, bottom: i128) -> Option<Self> {
        if bottom == 0 {
            return None;
        }
        let common = gcd(top.abs(), bottom.abs()).max(1);
        let sign = bottom.signum();
        Some(Fraction {
            top: sign * top / common,
            bottom: sign * bottom / common,
        })
    }

    pub fn whole(number: i128) -> Self {
        Fraction {
            top: number,
            bottom: 1,
        }
    }

    /// Digits, perhaps with commas between thousands and with decimals; up to 18 digits. The rest of the text comes
    /// back, too.
    pub fn read(text: &str) -> Option<(Self, &str)> {
        let text = text.trim_start();
        let is_number = |c: char| c.is_ascii_digit() || c == ',' || c == '.';
        let end = text.find(|c| !is_number(c)).unwrap_or(text.len());
        let (digits, rest) = text.split_at(end);
        let digits = digits.replace(',', "");
        let (before, after) = digits.split_once('.').unwrap_or((&digits, ""));
        if before.is_empty() || before.len() + after.len() > 18 {
            return None;
        }
        let top = format!("{before}{after}").parse().ok()?;
        let scale = 10_i128.pow(u32::try_from(after.len()).ok()?);
        Some((Fraction::new(top, scale)?, rest))
    }

    pub fn over(self, other: Fraction) -> Option<Self> {
        Fraction::new(self.top * other.bottom, self.bottom * other.top)
    }

    /// The number if it is whole.
    pub fn as_whole(self) -> Option<i128> {
        (self.bottom == 1).then_some(self.top)
    }

    /// The greatest whole number that is not above.
    pub fn floor(self) -> i128 {
        self.top.div_euclid(self.bottom)
    }

    pub fn size(self) -> Self {
        Fraction {
            top: self.top.abs(),
            bottom: self.bottom,
        }
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

impl Add for Fraction {
    type Output = Fraction;

    fn add(self, other: Fraction) -> Fraction {
        let top = self.top * other.bottom + other.top * self.bottom;
        Fraction::new(top, self.bottom * other.bottom).unwrap_or(Fraction::ZERO)
    }
}

impl Sub for Fraction {
    type Output = Fraction;

    fn sub(self, other: Fraction) -> Fraction {
        self + Fraction {
            top: -other.top,
            bottom: other.bottom,
        }
    }
}

impl Mul for Fraction {
    type Output = Fraction;

    fn mul(self, other: Fraction) -> Fraction {
        Fraction::new(self.top * other.top, self.bottom * other.bottom).unwrap_or(Fraction::ZERO)
    }
}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Fraction) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Fraction {
    fn cmp(&self, other: &Fraction) -> Ordering {
        (self.top * other.bottom).cmp(&(other.top * self.bottom))
    }
}
