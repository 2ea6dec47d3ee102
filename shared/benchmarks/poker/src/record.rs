//! A hand that was played, as it stands in transcripts: the border between the engine and everybody who reads hands
//! (statistics, hand histories, screens). Readers need no rules: what was paid to whom stands here.
//!
//! Amounts count units of [`HandRecord::unit`]. Empty and zero fields are left out of files.

use serde::{Deserialize, Serialize};

use super::action::{Action, By, Happened, Street};
use super::card::Card;
use super::chips::{Chips, Unit};
use turnwise_core::prelude::*;

/// A place at the table during one hand: an index into [`HandRecord::places`], clockwise.
pub type Place = usize;

/// One hand, from the deal to the payment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HandRecord {
    /// The number of the hand at its table, from 1.
    pub hand: u32,
    pub profile: Profile,
    /// What the amounts count; in files, how many units make a chip.
    #[serde(rename = "units_per_chip")]
    pub unit: Unit,
    /// The place with the button.
    pub button: Place,
    /// The blinds that were due. What was really posted stands with each place.
    pub blinds: Blinds,
    /// Everybody who was dealt in, clockwise.
    pub places: Vec<PlaceRecord>,
    /// Every action in order. Blinds are no actions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub actions: Vec<ActionRecord>,
    /// The open cards that were dealt: 0, 3, 4 or 5.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub board: Vec<Card>,
    /// The cards that were burnt, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub burnt: Vec<Card>,
    /// The street on which betting ended because at most one of those in the hand had chips to bet with; what was
    /// missing of the board was then dealt at once (on the river, nothing).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_out: Option<Street>,
    /// The uncalled chips that went back before the pots were paid; never under `reference`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub returned: Option<Share>,
    /// The pots, the main pot first, and who was paid what from each. `reference` has one pot only.
    pub pots: Vec<PotRecord>,
    /// Who had not folded at a showdown, in the order of places. Empty if all but one folded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shown: Vec<Place>,
    /// Chips that were paid to no player; always zero under `strict`.
    #[serde(default, skip_serializing_if = "Chips::is_zero")]
    pub lost: Chips,
    /// The stack of each place after the hand.
    pub stacks: Vec<Chips>,
    /// What each place won (positive) or lost (negative). They add up to minus `lost`.
    pub deltas: Vec<i64>,
}

/// The small and the big blind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Blinds {
    pub small: Chips,
    /// The big blind, also the smallest bet.
    pub big: Chips,
}

/// A player who was dealt in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlaceRecord {
    pub seat: Seat,
    /// The stack before the blinds.
    pub opening: Chips,
    pub hole: [Card; 2],
    /// The blind that was posted; less than was due if the stack was smaller.
    #[serde(default, skip_serializing_if = "Chips::is_zero")]
    pub blind: Chips,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActionRecord {
    pub street: Street,
    pub place: Place,
    /// Whether the player took it or a rule took it for the player.
    #[serde(default, skip_serializing_if = "By::is_player")]
    pub by: By,
    pub asked: Action,
    /// The current bet less the player's own bet, before the action; may be more than the player has.
    #[serde(default, skip_serializing_if = "Chips::is_zero")]
    pub to_call: Chips,
    pub happened: Happened,
    /// All chips that were put in during the hand, after the action.
    pub pot: Chips,
}

/// A pot and what became of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PotRecord {
    /// How much is in it.
    pub amount: Chips,
    /// Who could win it, in the order of places.
    pub eligible: Vec<Place>,
    /// Who was paid how much from it, in the order of places.
    pub winners: Vec<Share>,
}

/// Chips that go to a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Share {
    pub place: Place,
    pub chips: Chips,
}

impl HandRecord {
    /// The place of the small blind: left of the button, or the button itself if two play by `strict` rules.
    pub fn small_blind(&self) -> Place {
        small_blind(self.profile, self.button, self.places.len())
    }

    /// The place of the big blind: left of the small blind.
    pub fn big_blind(&self) -> Place {
        (self.small_blind() + 1) % self.places.len()
    }

    /// The place where a participant sat, if it was dealt in.
    pub fn place_of(&self, seat: &Seat) -> Option<Place> {
        self.places.iter().position(|place| place.seat == *seat)
    }

    /// The open cards on a street, as far as they were dealt.
    pub fn board_on(&self, street: Street) -> &[Card] {
        &self.board[..street.cards().min(self.board.len())]
    }

    /// Did the hand end with a showdown?
    pub fn is_showdown(&self) -> bool {
        !self.shown.is_empty()
    }

    /// What a place was paid from all pots, without what went back to it.
    pub fn paid(&self, place: Place) -> Chips {
        self.pots
            .iter()
            .flat_map(|pot| &pot.winners)
            .filter(|share| share.place == place)
            .map(|share| share.chips)
            .sum()
    }

    /// The action with which a place folded, if it did.
    pub fn fold_of(&self, place: Place) -> Option<&ActionRecord> {
        self.actions.iter().find(|action| action.place == place && action.is_fold())
    }
}

impl ActionRecord {
    /// Did it give up the hand?
    pub fn is_fold(&self) -> bool {
        self.happened.kind == super::action::Kind::Fold
    }

    /// A fold where checking was free (flag `fold_when_free` of the specification, 4.b.3).
    pub fn is_needless_fold(&self) -> bool {
        self.is_fold() && self.to_call.is_zero()
    }

    /// A bet or a raise, under whatever name.
    pub fn is_raise(&self) -> bool {
        !self.happened.raised.is_zero()
    }
}

/// The place of the small blind (specification 4.b.2).
pub(super) fn small_blind(profile: Profile, button: Place, places: usize) -> Place {
    match (profile, places) {
        (Profile::Strict, 2) => button,
        _ => (button + 1) % places,
    }
}
