//! Chips as the app counts them: it accepts fractions of a chip and keeps them (specification 4.b.3), so that amounts of its
//! logs are whole millionths here (ARCHITECTURE.md, rule 33).

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Neg, Sub};

use serde::{Serialize, Serializer};
use turnwise_core::kit::rows::Field;
use turnwise_core::prelude::*;

/// Chips in millionths. Printed and serialized as a whole number of chips where it is one, else as a fraction.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Amount(i64);

impl Amount {
    /// Millionths in a chip.
    pub const SCALE: i64 = 1_000_000;

    pub const ZERO: Amount = Amount(0);

    /// More than any table holds; a sum needs close to a million of them to overflow: ten million chips.
    const LARGEST: i64 = 10_000_000;

    pub const fn chips(chips: i64) -> Self {
        Amount(chips * Amount::SCALE)
    }

    /// This many millionths of a chip.
    pub const fn millionths(millionths: i64) -> Self {
        Amount(millionths)
    }

    /// In millionths of a chip.
    pub const fn in_millionths(self) -> i64 {
        self.0
    }

    /// In chips, as near as a binary fraction comes.
    pub fn to_f64(self) -> f64 {
        self.0 as f64 / Amount::SCALE as f64
    }
}

/// Rounded to the nearest millionth.
impl Field<'_> for Amount {
    const WANTED: &'static str = "a number of at most ten million chips";

    fn read(value: &Json) -> Option<Self> {
        let fits = |chips: &f64| chips.abs() <= Amount::LARGEST as f64;
        let chips = f64::read(value).filter(fits)?;
        Some(Amount((chips * Amount::SCALE as f64).round() as i64))
    }
}

impl Add for Amount {
    type Output = Amount;
    fn add(self, other: Amount) -> Amount {
        Amount(self.0 + other.0)
    }
}

impl AddAssign for Amount {
    fn add_assign(&mut self, other: Amount) {
        self.0 += other.0;
    }
}

impl Sub for Amount {
    type Output = Amount;
    fn sub(self, other: Amount) -> Amount {
        Amount(self.0 - other.0)
    }
}

impl Neg for Amount {
    type Output = Amount;
    fn neg(self) -> Amount {
        Amount(-self.0)
    }
}

impl Sum for Amount {
    fn sum<I: Iterator<Item = Amount>>(amounts: I) -> Amount {
        amounts.fold(Amount::ZERO, Add::add)
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 % Amount::SCALE == 0 {
            f.pad(&(self.0 / Amount::SCALE).to_string())
        } else {
            f.pad(&self.to_f64().to_string())
        }
    }
}

impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0 % Amount::SCALE == 0 {
            serializer.serialize_i64(self.0 / Amount::SCALE)
        } else {
            serializer.serialize_f64(self.to_f64())
        }
    }
}

#[cfg(test)]
mod tests {
    use turnwise_core::json::{self, Dialect};

    use super::*;

    fn read(text: &str) -> Option<Amount> {
        Amount::read(&json::parse(text, Dialect::Strict).expect("a number"))
    }

    #[test]
    fn whole_chips_stay_whole() {
        let amount = read("-9950").expect("whole chips");
        assert_eq!(amount, Amount::chips(-9950));
        assert_eq!(serde_json::to_string(&amount).expect("it is a number"), "-9950");
        assert_eq!(amount.to_string(), "-9950");
        assert_eq!(read("350.0"), Some(Amount::chips(350)));
    }

    #[test]
    fn fractions_are_kept_to_the_millionth() {
        let amount = read("350.5").expect("half a chip");
        assert_eq!(amount.in_millionths(), 350_500_000);
        assert_eq!(serde_json::to_string(&amount).expect("it is a number"), "350.5");
        assert_eq!(amount, Amount::millionths(350_500_000));
        // 0.1 + 0.2 of the app is 0.30000000000000004.
        assert_eq!(read("0.30000000000000004"), read("0.3"));
    }

    #[test]
    fn nothing_overflows() {
        assert_eq!(read("1e300"), None);
        assert_eq!(read("9223372036854775807"), None);
        assert_eq!(read("-9223372036854775808"), None);
        assert_eq!(read("10000001"), None);
        assert_eq!(read("10000000.5"), None);
        // As many lines as all published logs have together, and all of them as large as can be.
        let largest = read("-1e7").expect("it is read");
        let sum: Amount = std::iter::repeat_n(largest, 10_000).sum();
        assert_eq!(sum.in_millionths(), -100_000_000_000_000_000);
    }
}
