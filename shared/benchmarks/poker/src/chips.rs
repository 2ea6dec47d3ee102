//! Chips: whole numbers of a unit. Standard hands count whole chips, reference hands millionths of one, because the
//! authors' program accepts fractions (decisions: games).

use std::iter::Sum;
use std::ops::{Add, AddAssign, Sub, SubAssign};

use serde::{Deserialize, Serialize};

/// An amount of chips in the unit of its hand; never negative.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Chips(u64);

/// What one unit of [`Chips`] is. In files: how many of them make a chip.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "u64", try_from = "u64")]
pub enum Unit {
    Chip,
    /// The millionth part of a chip.
    Millionth,
}

/// A number of units to the chip that no profile has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a chip has 1 or 1000000 units, not {0}")]
pub struct BadUnit(u64);

impl Chips {
    pub const ZERO: Chips = Chips(0);

    pub const fn new(units: u64) -> Self {
        Chips(units)
    }

    pub const fn units(self) -> u64 {
        self.0
    }

    pub const fn is_zero(&self) -> bool {
        self.0 == 0
    }

    /// This without the other, nothing if the other is more.
    #[must_use]
    pub const fn less(self, other: Chips) -> Chips {
        Chips(self.0.saturating_sub(other.0))
    }

    /// What a player won (positive) or lost (negative) who has this now and had `before`.
    pub fn since(self, before: Chips) -> i64 {
        self.0.cast_signed() - before.0.cast_signed()
    }
}

impl Unit {
    /// How many units make a chip.
    pub const fn per_chip(self) -> u64 {
        match self {
            Unit::Chip => 1,
            Unit::Millionth => 1_000_000,
        }
    }

    /// This many whole chips; the most that can be counted if they are more.
    pub const fn chips(self, whole: u64) -> Chips {
        Chips(whole.saturating_mul(self.per_chip()))
    }

    /// Reads a number as JSON writes it (`350`, `350.5`, `1e3`), rounded down to the unit.
    ///
    /// A negative number is nothing, because no amount is below nothing; a number that is too large to count is the most
    /// that can be counted. `None` if the text is no number.
    pub fn read(self, text: &str) -> Option<Chips> {
        let (negative, text) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, read_exponent(exponent)?),
            None => (text, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || !is_digits(whole) || !is_digits(fraction) {
            return None;
        }
        if negative {
            return Some(Chips::ZERO);
        }
        // The first `whole + exponent + decimals` digits make the number of units; what is behind them is cut off.
        let decimals = i64::from(self.per_chip().ilog10());
        let digits = whole.bytes().chain(fraction.bytes()).skip_while(|d| *d == b'0');
        let leading_zeros = whole.len() + fraction.len() - digits.clone().count();
        let length = whole.len() as i64 + exponent + decimals - leading_zeros as i64;
        if length > 20 && digits.clone().next().is_some() {
            return Some(Chips(u64::MAX));
        }
        let length = usize::try_from(length).unwrap_or(0).min(20);
        let units =
            digits.chain(std::iter::repeat(b'0')).take(length).fold(0_u64, |units, digit| {
                units.saturating_mul(10).saturating_add(u64::from(digit - b'0'))
            });
        Some(Chips(units))
    }

    /// Writes an amount in chips, without zeros at the end: `350.5`.
    pub fn write(self, amount: Chips) -> String {
        self.write_signed(i64::try_from(amount.0).unwrap_or(i64::MAX))
    }

    /// Writes a difference in chips: `-350.5`.
    pub fn write_signed(self, units: i64) -> String {
        let per_chip = self.per_chip();
        let size = units.unsigned_abs();
        let sign = if units < 0 { "-" } else { "" };
        let whole = size / per_chip;
        match size % per_chip {
            0 => format!("{sign}{whole}"),
            rest => {
                let rest = format!("{rest:06}");
                format!("{sign}{whole}.{}", rest.trim_end_matches('0'))
            }
        }
    }
}

/// Exponents beyond a thousand are cut to it: no amount differs by that.
fn read_exponent(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let size = digits.parse::<i64>().map_or(1000, |size| size.min(1000));
    Some(if text.starts_with('-') { -size } else { size })
}

impl Add for Chips {
    type Output = Chips;

    fn add(self, other: Chips) -> Chips {
        Chips(self.0 + other.0)
    }
}

impl Sub for Chips {
    type Output = Chips;

    fn sub(self, other: Chips) -> Chips {
        Chips(self.0.checked_sub(other.0).expect("nobody takes more chips than there are"))
    }
}

impl AddAssign for Chips {
    fn add_assign(&mut self, other: Chips) {
        *self = *self + other;
    }
}

impl SubAssign for Chips {
    fn sub_assign(&mut self, other: Chips) {
        *self = *self - other;
    }
}

impl Sum for Chips {
    fn sum<I: Iterator<Item = Chips>>(amounts: I) -> Chips {
        amounts.fold(Chips::ZERO, Add::add)
    }
}

impl From<Unit> for u64 {
    fn from(unit: Unit) -> u64 {
        unit.per_chip()
    }
}

impl TryFrom<u64> for Unit {
    type Error = BadUnit;

    fn try_from(per_chip: u64) -> Result<Self, BadUnit> {
        [Unit::Chip, Unit::Millionth]
            .into_iter()
            .find(|unit| unit.per_chip() == per_chip)
            .ok_or(BadUnit(per_chip))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_without_rounding_errors() {
        let read = |unit: Unit, text: &str| unit.read(text).map(Chips::units);
        for (text, whole, millionths) in [
            ("0", 0, 0),
            ("350", 350, 350_000_000),
            ("350.5", 350, 350_500_000),
            ("350.0000019", 350, 350_000_001),
            ("1e3", 1000, 1_000_000_000),
            ("1.5E+2", 150, 150_000_000),
            ("2500e-1", 250, 250_000_000),
            ("0.05", 0, 50_000),
            ("0.00000009e8", 9, 9_000_000),
            ("1e-9999999999999999999", 0, 0),
            ("0e9999", 0, 0),
            ("-100", 0, 0),
            ("1e999", u64::MAX, u64::MAX),
            ("18446744073709551615", u64::MAX, u64::MAX),
            ("99999999999999999999", u64::MAX, u64::MAX),
        ] {
            assert_eq!(read(Unit::Chip, text), Some(whole), "{text}");
            assert_eq!(read(Unit::Millionth, text), Some(millionths), "{text}");
        }
        for text in ["", "-", ".5", "a", "1e", "1e+", "--1", "1,5", "NaN", "+1"] {
            assert_eq!(read(Unit::Chip, text), None, "{text}");
        }
    }

    #[test]
    fn amounts_are_written_in_chips() {
        assert_eq!(Unit::Chip.write(Chips::new(350)), "350");
        assert_eq!(Unit::Millionth.write(Chips::new(350_500_000)), "350.5");
        assert_eq!(Unit::Millionth.write_signed(-1), "-0.000001");
        assert_eq!(Unit::Millionth.write_signed(-2_000_000), "-2");
        assert_eq!(Chips::new(3).since(Chips::new(5)), -2);
        assert_eq!(Unit::try_from(7), Err(BadUnit(7)));
    }
}
