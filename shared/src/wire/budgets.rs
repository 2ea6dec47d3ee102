//! What may be spent, and what has been (`decisions.md` 20).

use std::fmt;

use serde::{Deserialize, Serialize};

/// What may be spent. A cap that is absent does not bind.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Caps {
    /// Money, in millionths of a US dollar. Under this cap models need a limit of tokens and a known price.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub money: Option<u64>,
    /// Tokens, read and written, as services count them. Under this cap models need a limit of tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// Calls sent, every attempt counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calls: Option<u64>,
    /// Seconds since the run was opened, pauses included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<u64>,
    /// Models (`PROVIDER/MODEL`) and search engines that may be called under a cap of money although their price is not known.
    /// What they cost is not counted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unpriced: Vec<String>,
}

impl Caps {
    /// Whether nothing was chosen.
    pub fn is_nothing(&self) -> bool {
        *self == Caps::default()
    }

    /// Whether nothing binds.
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
    /// Calls sent.
    pub calls: u64,
}

/// One of the purses from which a run's calls are paid.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Purse {
    /// Whose it is.
    pub of: Scope,
    /// What may be spent from it.
    pub caps: Caps,
    /// What has been.
    pub spent: Spent,
}

/// Whose purse it is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// The run's own, from its first call to its last.
    Run,
    /// That of everything which one access token opened, a day long (UTC).
    Access(String),
    /// The server's, a day long (UTC).
    Server,
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scope::Run => f.write_str("the run"),
            Scope::Access(name) => write!(f, "the access token {name:?} for today"),
            Scope::Server => f.write_str("the server for today"),
        }
    }
}

/// `GET /api/runs/{run}/budget`: from what a run is paid, and how fast its services let it go.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Budget {
    /// The purses that bind, the run's own first.
    pub purses: Vec<Purse>,
    /// How calls at once were held back since the run was opened, oldest first.
    pub paces: Vec<PaceChange>,
}

/// A service asked for fewer calls, or had enough of them again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaceChange {
    /// Which service: the operator's name of an endpoint or a search engine.
    pub service: String,
    /// Milliseconds since 1970.
    pub at: u64,
    /// Calls at once from then on.
    pub limit: u32,
    /// Calls at once that the operator allows.
    pub most: u32,
    /// Milliseconds for which it asked that nothing is sent, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wait: Option<u64>,
}

/// `POST /api/runs/{run}/caps`: other caps from now on. The answer is a [`Budget`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetCaps {
    /// They take the place of those that it had.
    pub caps: Caps,
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
