//! What the two profiles do differently, as one trait: everything else of a hand is the same (`hand`).

use super::{Hand, Legal};
use crate::action::{Action, Kind, Repair};
use crate::chips::{Chips, Unit};
use crate::record::{Place, PotRecord, Share};
use turnwise_core::prelude::*;

/// The rules of a profile.
pub(super) trait Rules: Sync {
    fn unit(&self) -> Unit;

    /// What the player who is to act may do.
    fn legal(&self, hand: &Hand, place: Place) -> Legal;

    /// What becomes of what the player asks for.
    fn decide(&self, hand: &Hand, place: Place, action: Action) -> Decision;

    /// What an action is called once it has been applied.
    fn label(&self, kind: Kind, after: Pockets) -> Kind;

    /// What comes next, after the deal, after each action and after each new street.
    fn next(&self, hand: &Hand) -> Next;

    /// How many cards are burnt before each of the `missing` cards of a street.
    fn burns(&self, dealing: Dealing, missing: usize) -> Vec<usize>;

    /// Who is paid what. At least one player has not folded, and if more, the board is complete.
    fn settle(&self, hand: &Hand) -> Settlement;
}

/// What becomes of what a player asks for.
pub(super) struct Decision {
    pub(super) kind: Kind,
    /// The player's total on this street that is meant; more than the player has means all of it.
    pub(super) total: Chips,
    pub(super) repairs: Vec<Repair>,
}

/// Has a player chips behind after an action?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pockets {
    Filled,
    Empty,
}

/// Why cards of the board are dealt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dealing {
    Street,
    /// No further bets are possible.
    RunOut,
}

/// What comes next in a hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    Ask(Place),
    /// The street is over, the next one begins.
    Street,
    /// No further bets are possible: the rest of the board is dealt, and hands are shown.
    RunOut,
    /// The last street is over: hands are shown.
    Showdown,
    /// All but one have folded.
    LastOneLeft,
}

/// Who is paid what at the end of a hand.
pub(super) struct Settlement {
    pub(super) returned: Option<Share>,
    pub(super) pots: Vec<PotRecord>,
    pub(super) lost: Chips,
}

/// The rules of a profile.
pub(super) fn of(profile: Profile) -> &'static dyn Rules {
    match profile {
        Profile::Strict => &super::strict::Strict,
        Profile::Reference => &super::reference::Reference,
    }
}

impl Decision {
    /// As it was asked for, or as it always is for this kind.
    pub(super) fn plain(kind: Kind, total: Chips) -> Self {
        Decision { kind, total, repairs: Vec::new() }
    }

    /// Something else than what was asked for.
    pub(super) fn repaired(kind: Kind, total: Chips, repair: Repair) -> Self {
        Decision { kind, total, repairs: vec![repair] }
    }
}

/// A check against a bet: both profiles call a small one and fold to a larger one (specification 4.b.3, rule 1).
///
/// The twentieth is exact; so is the authors' product with 0.05 wherever the two sides are equal.
pub(super) fn check_against_a_bet(hand: &Hand, place: Place) -> Decision {
    let standing = &hand.standings()[place];
    if hand.to_call(place).units() * 20 < standing.stack.units() {
        Decision::repaired(Kind::Call, hand.current_bet(), Repair::CheckCalls)
    } else {
        Decision::repaired(Kind::Fold, standing.bet, Repair::CheckFolds)
    }
}

/// A raise that may be made: lifted to the minimum, and all-in if the player has no more than that.
pub(super) fn raise(hand: &Hand, place: Place, amount: Option<Chips>) -> Decision {
    let minimum = hand.current_bet() + hand.smallest_raise();
    let asked = amount.unwrap_or_default();
    let all = hand.standings()[place].all();
    let mut repairs = Vec::new();
    if asked < minimum {
        repairs.push(Repair::RaiseLifted);
    }
    let total = asked.max(minimum);
    if total < all {
        Decision { kind: Kind::Raise, total, repairs }
    } else {
        repairs.push(Repair::RaiseIsAllIn);
        Decision { kind: Kind::AllIn, total: all, repairs }
    }
}
