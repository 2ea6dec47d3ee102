//! What may be spent, and what has been: amounts and their caps (ARCHITECTURE.md, rule 20).

use serde::{Deserialize, Serialize};

/// What may be spent. A cap that is absent does not bind.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Caps {
    /// Money, in millionths of a US dollar. Under this cap models need a limit of tokens and a known price.
    pub money: Option<u64>,
    /// Tokens, read and written, as services count them. Under this cap models need a limit of tokens.
    pub tokens: Option<u64>,
    /// Calls sent, every attempt counted.
    pub calls: Option<u64>,
    /// Seconds for which the run is driven, by a page or by a server: neither pauses count nor the time without a driver.
    /// Of a day, those in which at least one call is under way.
    pub seconds: Option<u64>,
    /// Models (`PROVIDER/MODEL`) and search engines that may be called under a cap of money although their price is not known.
    /// What they cost is not counted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unpriced: Vec<String>,
}

impl Caps {
    pub fn is_nothing(&self) -> bool {
        *self == Caps::default()
    }

    pub fn is_open(&self) -> bool {
        self.money.is_none()
            && self.tokens.is_none()
            && self.calls.is_none()
            && self.seconds.is_none()
    }

    /// Whether calls have to have a limit of tokens.
    pub fn bounds_tokens(&self) -> bool {
        self.money.is_some() || self.tokens.is_some()
    }
}

/// The most money that a cap may name, in US dollars.
pub const MOST_DOLLARS: f64 = 1e9;

/// US dollars in millionths; `None` if they are not from 0 to [`MOST_DOLLARS`] or have more than six decimals.
pub fn millionths(dollars: f64) -> Option<u64> {
    let millionths = dollars * 1e6;
    let exact = (millionths - millionths.round()).abs() < 1e-3;
    ((0.0..=MOST_DOLLARS).contains(&dollars) && exact).then(|| millionths.round() as u64)
}

/// Millionths of a US dollar in US dollars, for showing: exact up to some billions of them.
pub fn dollars(millionths: u64) -> f64 {
    millionths as f64 / 1e6
}

/// An amount of what is capped. What is on its way counts with what it can come to at most.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spent {
    /// Money, in millionths of a US dollar.
    pub money: u64,
    /// Tokens, read and written.
    pub tokens: u64,
    pub calls: u64,
}

impl Spent {
    /// With more of it; at most the largest number.
    #[must_use]
    pub fn plus(self, more: Spent) -> Spent {
        Spent {
            money: self.money.saturating_add(more.money),
            tokens: self.tokens.saturating_add(more.tokens),
            calls: self.calls.saturating_add(more.calls),
        }
    }

    /// Without a part of it.
    #[must_use]
    pub fn less(self, part: Spent) -> Spent {
        Spent {
            money: self.money.saturating_sub(part.money),
            tokens: self.tokens.saturating_sub(part.tokens),
            calls: self.calls.saturating_sub(part.calls),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dollars_are_read_exactly() {
        assert_eq!(millionths(0.1), Some(100_000));
        assert_eq!(millionths(12.0), Some(12_000_000));
        for wrong in [-1.0, f64::NAN, f64::INFINITY, 1e12, 0.000_000_01] {
            assert_eq!(millionths(wrong), None, "{wrong}");
        }
    }
}
