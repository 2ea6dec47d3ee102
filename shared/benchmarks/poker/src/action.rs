//! What a player asks for and what happens then: two types, and a name for every difference between them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::chips::Chips;

/// A betting round.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Street {
    /// Before the first three cards of the board.
    #[default]
    Preflop,
    /// Three cards lie open.
    Flop,
    /// Four cards lie open.
    Turn,
    /// All five cards lie open.
    River,
}

/// The kind of an action. `BET` is a [`Kind::Raise`] when nothing was bet before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Kind {
    /// Give up the hand.
    Fold,
    /// Stay in for nothing.
    Check,
    /// Put in what is missing to the current bet, or all chips if they are fewer.
    Call,
    /// Raise (or bet) to a total for this street.
    Raise,
    /// Put in all chips.
    AllIn,
}

/// What a player asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Action {
    /// What kind of action.
    pub kind: Kind,
    /// For a raise: the player's total on this street afterwards ("raise to"). Other kinds do not need it; only the
    /// `reference` rules look at that of a check, which then bets (specification 4.b.3, rule 5).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<Chips>,
}

/// Whose action it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// The player's own.
    #[default]
    Player,
    /// Taken for a player who said nothing that could be used.
    Default,
}

/// What an action did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Happened {
    /// The action as it was applied. A `strict` call that takes the last chip stays a call with `all_in`; under
    /// `reference` it is relabelled as all-in.
    pub kind: Kind,
    /// Chips that were put in by it.
    #[serde(default, skip_serializing_if = "Chips::is_zero")]
    pub put: Chips,
    /// The player's total on this street afterwards.
    #[serde(default, skip_serializing_if = "Chips::is_zero")]
    pub total: Chips,
    /// By how much the current bet rose; zero if it was no bet and no raise.
    #[serde(default, skip_serializing_if = "Chips::is_zero")]
    pub raised: Chips,
    /// Has the player put in the last chip?
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub all_in: bool,
    /// Where it differs from what was asked, in the order in which it was put right.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repairs: Vec<Repair>,
}

/// Why something else happened than was asked (specification 4.b.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Repair {
    /// A check against a bet of less than a twentieth of the player's stack calls it.
    CheckCalls,
    /// A check against a larger bet folds.
    CheckFolds,
    /// `reference` only: a check with an amount, where checking is free, bets that amount.
    CheckBets,
    /// A call where nothing is to be called checks.
    CallChecks,
    /// A raise to less than the minimum, or without an amount, is lifted to the minimum.
    RaiseLifted,
    /// A raise to all that the player has, or more, is all-in.
    RaiseIsAllIn,
    /// A raise where the player may not raise calls.
    RaiseCalls,
    /// A raise where the player may not raise and nothing is to be called checks.
    RaiseChecks,
    /// All-in beyond a call, where the player may not raise, calls.
    AllInCalls,
    /// All-in beyond a call, where the player may not raise and nothing is to be called, checks.
    AllInChecks,
}

impl Street {
    /// All four in order.
    pub const ALL: [Street; 4] = [Street::Preflop, Street::Flop, Street::Turn, Street::River];

    /// How many cards of the board lie open: 0, 3, 4 or 5.
    pub const fn cards(self) -> usize {
        match self {
            Street::Preflop => 0,
            Street::Flop => 3,
            Street::Turn => 4,
            Street::River => 5,
        }
    }

    /// The street after this one, if there is one.
    pub const fn next(self) -> Option<Street> {
        match self {
            Street::Preflop => Some(Street::Flop),
            Street::Flop => Some(Street::Turn),
            Street::Turn => Some(Street::River),
            Street::River => None,
        }
    }

    /// `PREFLOP`, `FLOP`, `TURN` or `RIVER`, as observations name it.
    pub const fn name(self) -> &'static str {
        match self {
            Street::Preflop => "PREFLOP",
            Street::Flop => "FLOP",
            Street::Turn => "TURN",
            Street::River => "RIVER",
        }
    }
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 5] = [Kind::Fold, Kind::Check, Kind::Call, Kind::Raise, Kind::AllIn];

    /// `FOLD`, `CHECK`, `CALL`, `RAISE` or `ALL_IN`.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Fold => "FOLD",
            Kind::Check => "CHECK",
            Kind::Call => "CALL",
            Kind::Raise => "RAISE",
            Kind::AllIn => "ALL_IN",
        }
    }
}

impl Repair {
    /// Its name in files and reports.
    pub const fn name(self) -> &'static str {
        match self {
            Repair::CheckCalls => "check_calls",
            Repair::CheckFolds => "check_folds",
            Repair::CheckBets => "check_bets",
            Repair::CallChecks => "call_checks",
            Repair::RaiseLifted => "raise_lifted",
            Repair::RaiseIsAllIn => "raise_is_all_in",
            Repair::RaiseCalls => "raise_calls",
            Repair::RaiseChecks => "raise_checks",
            Repair::AllInCalls => "all_in_calls",
            Repair::AllInChecks => "all_in_checks",
        }
    }
}

impl Action {
    /// Give up the hand.
    pub const FOLD: Action = Action::of(Kind::Fold);
    /// Stay in for nothing.
    pub const CHECK: Action = Action::of(Kind::Check);
    /// Put in what is missing.
    pub const CALL: Action = Action::of(Kind::Call);
    /// Put in everything.
    pub const ALL_IN: Action = Action::of(Kind::AllIn);

    /// Raise to a total for this street.
    pub const fn raise_to(total: Chips) -> Action {
        Action { kind: Kind::Raise, amount: Some(total) }
    }

    const fn of(kind: Kind) -> Action {
        Action { kind, amount: None }
    }
}

impl By {
    /// Is it the usual case, the player's own action?
    pub fn is_player(&self) -> bool {
        *self == By::Player
    }
}

impl fmt::Display for Street {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Exact names in capitals only; a reader that forgives more changes the text first.
impl FromStr for Kind {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Kind::ALL.into_iter().find(|kind| kind.name() == text).ok_or(())
    }
}
