//! Hands that are played card by card, with numbers that were computed by hand.

mod hands;
mod notes;
mod runs;

use super::*;
use crate::action::Action;
use crate::card::{Deck, cards};
use crate::chips::Chips;
use crate::hand::{Hand, Setup, unit_of};
use crate::record::{Blinds, HandRecord, Place};
use turnwise_core::prelude::*;

const FOLD: Action = Action::FOLD;
const CHECK: Action = Action::CHECK;
const CALL: Action = Action::CALL;
const ALL_IN: Action = Action::ALL_IN;

/// Raises to whole chips of the `strict` profile.
fn to(chips: u64) -> Action {
    Action::raise_to(Chips::new(chips))
}

/// Plays a hand with the button in the first place. `dealt` are the cards in the order in which they are dealt: two to each
/// place, then a card that is burnt before each street.
fn play(profile: Profile, stacks: &[u64], dealt: &str, actions: &[(Place, Action)]) -> HandRecord {
    let unit = unit_of(profile);
    let seated = stacks.iter().enumerate();
    let setup = Setup {
        hand: 1,
        profile,
        button: 0,
        blinds: Blinds { small: unit.chips(50), big: unit.chips(100) },
        seated: seated
            .map(|(place, stack)| (Seat::new((place + 1).to_string()), unit.chips(*stack)))
            .collect(),
    };
    let deck = Deck::starting_with(&cards(dealt).unwrap()).unwrap();
    let mut hand = Hand::deal(setup, &deck).unwrap();
    for (place, action) in actions {
        hand.act(*place, *action).unwrap();
    }
    assert!(hand.is_over());
    hand.record().clone()
}

/// What each place did in one hand.
fn tallies(hand: &HandRecord) -> Vec<Tally> {
    Numbers::of_hands(std::slice::from_ref(hand)).tallies
}
