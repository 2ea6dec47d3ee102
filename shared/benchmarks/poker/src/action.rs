//! What a player asks for and what happens then: two types, and a name for every difference between them.

use serde::{Deserialize, Serialize};
use turnwise_core::prelude::*;

use super::chips::Chips;

choices! {
    #[derive(Default)]
    pub enum Street {
        /// Before the first three cards of the board.
        #[default]
        Preflop = "preflop" => "PREFLOP",
        Flop = "flop" => "FLOP",
        Turn = "turn" => "TURN",
        /// All five cards lie open.
        River = "river" => "RIVER",
    }
}

choices! {
    /// The kind of an action. `BET` is a [`Kind::Raise`] when nothing was bet before.
    pub enum Kind {
        Fold = "FOLD",
        Check = "CHECK",
        /// Put in what is missing to the current bet, or all chips if they are fewer.
        Call = "CALL",
        /// Raise (or bet) to a total for this street.
        Raise = "RAISE",
        AllIn = "ALL_IN",
    }
}

/// What a player asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Action {
    pub kind: Kind,
    /// For a raise: the player's total on this street afterwards ("raise to"). Other kinds do not need it; only the
    /// `reference` rules look at that of a check, which then bets (specification 4.b.3, rule 5).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<Chips>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum By {
    #[default]
    Player,
    /// Taken for a player who said nothing that could be used.
    Default,
}

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

choices! {
    /// Why something else happened than was asked (specification 4.b.3).
    pub enum Repair {
        /// A check against a bet of less than a twentieth of the player's stack calls it.
        CheckCalls = "check_calls",
        /// A check against a larger bet folds.
        CheckFolds = "check_folds",
        /// `reference` only: a check with an amount, where checking is free, bets that amount.
        CheckBets = "check_bets",
        /// A call where nothing is to be called checks.
        CallChecks = "call_checks",
        /// A raise to less than the minimum, or without an amount, is lifted to the minimum.
        RaiseLifted = "raise_lifted",
        /// A raise to all that the player has, or more, is all-in.
        RaiseIsAllIn = "raise_is_all_in",
        /// A raise where the player may not raise calls.
        RaiseCalls = "raise_calls",
        /// A raise where the player may not raise and nothing is to be called checks.
        RaiseChecks = "raise_checks",
        /// All-in beyond a call, where the player may not raise, calls.
        AllInCalls = "all_in_calls",
        /// All-in beyond a call, where the player may not raise and nothing is to be called, checks.
        AllInChecks = "all_in_checks",
    }
}

impl Street {
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
    pub fn next(self) -> Option<Street> {
        Street::ALL.get(self as usize + 1).copied()
    }
}

impl Action {
    pub const FOLD: Action = Action::of(Kind::Fold);
    pub const CHECK: Action = Action::of(Kind::Check);
    /// Put in what is missing.
    pub const CALL: Action = Action::of(Kind::Call);
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
