//! A table between hands: who sits in which place, with how much, and what happened before.

use std::fmt::Write as _;

use super::action::{Kind, Street};
use super::card::Deck;
use super::chips::{Chips, Unit};
use super::hand::{self, BadSetup, Hand, Setup};
use super::policy::{self, Deal};
use super::record::{Blinds, HandRecord, Place};
use super::settings::{Memory, Settings};
use turnwise_core::prelude::*;

/// Hands whose results a player with a memory is shown one by one.
const LAST_RESULTS: usize = 5;

/// A table. Its places are those of the order of seats; a hand's places are only those that are dealt in.
#[derive(Debug, Clone)]
pub struct Table {
    profile: Profile,
    memory: Memory,
    blinds: Blinds,
    unit: Unit,
    order: Vec<Seat>,
    stacks: policy::Table,
    /// How the present or last hand was dealt.
    deal: Option<Deal>,
    hands: Vec<HandRecord>,
}

impl Table {
    /// A table before its hand number `first`, at which nothing was played yet.
    pub fn new(profile: Profile, settings: &Settings, order: Vec<Seat>, first: u32) -> Self {
        let unit = hand::unit_of(profile);
        let policy = settings.policy(profile);
        let opening = unit.chips(settings.stack);
        Table {
            profile,
            memory: settings.memory,
            blinds: Blinds {
                small: unit.chips(settings.small_blind),
                big: unit.chips(settings.big_blind),
            },
            unit,
            stacks: policy::Table::new(profile, policy, order.len(), opening).before_hand(first),
            order,
            deal: None,
            hands: Vec::new(),
        }
    }

    /// Deals the hand with this number of the table. Says which places of the table got a new stack because one had none;
    /// `None` if the table is over.
    ///
    /// # Errors
    /// If the settings make no hand; [`Settings::of`] has refused such settings.
    pub fn deal(
        &mut self,
        number: u32,
        deck: &Deck,
    ) -> Result<Option<(Hand, Vec<Place>)>, BadSetup> {
        let Some(deal) = self.stacks.deal() else {
            return Ok(None);
        };
        let seats = deal.dealt_in.iter().map(|place| self.order[*place].clone());
        let setup = Setup {
            hand: number,
            profile: self.profile,
            button: deal.button,
            blinds: self.blinds,
            seated: seats.zip(deal.stacks.iter().copied()).collect(),
        };
        let renewed = deal.renewed.clone();
        self.deal = Some(deal);
        Ok(Some((Hand::deal(setup, deck)?, renewed)))
    }

    /// The game of the present or last hand, and the number of the hand in it, both from 1. Only `reference` has a second game,
    /// which begins when one player has all chips (4.b.2); else the number is that of the table.
    pub fn game(&self) -> (u32, u32) {
        self.deal.as_ref().map_or((1, 1), |deal| (deal.game, deal.hand))
    }

    /// Takes up what a hand left.
    pub fn settle(&mut self, record: HandRecord) {
        if let Some(deal) = &self.deal {
            self.stacks.settle(deal, &record.stacks);
        }
        self.hands.push(record);
    }

    /// Whether there is no opponent left to play against.
    pub fn is_over(&self) -> bool {
        self.stacks.is_over()
    }

    /// The hands that were played.
    pub fn hands(&self) -> &[HandRecord] {
        &self.hands
    }

    /// Everybody who sits at the table, in the order of its places.
    pub fn order(&self) -> &[Seat] {
        &self.order
    }

    /// The stack of a place of the table between hands.
    pub fn stack(&self, place: Place) -> Chips {
        self.stacks.stacks()[place]
    }

    /// Which place of the table a place of the present hand is.
    pub fn place(&self, in_hand: Place) -> Place {
        self.deal.as_ref().and_then(|deal| deal.dealt_in.get(in_hand).copied()).unwrap_or(in_hand)
    }

    /// What a place of the present hand is called, e.g. `P3`: by the table's place, so that it stays the same.
    pub fn name(&self, in_hand: Place) -> String {
        format!("P{}", self.place(in_hand) + 1)
    }

    /// What a position is called, e.g. `BTN`; of a place of the present hand.
    pub fn position(&self, hand: &Hand, place: Place) -> &'static str {
        position(hand.record(), place)
    }

    /// What a player with a memory is shown of the hands before; empty for one without.
    pub fn memory(&self, in_hand: Place) -> String {
        if self.memory == Memory::None || self.hands.is_empty() {
            return String::new();
        }
        let own = &self.order[self.place(in_hand)];
        let mut text = String::from("\nEarlier hands at this table:");
        for (place, seat) in self.order.iter().enumerate() {
            let seen = Seen::of(seat, &self.hands);
            let who = if seat == own { " (you)" } else { "" };
            let _ = write!(
                text,
                "\n- P{}{who}: {} hands; before the flop put chips in {} times and raised {}; folded {}; won {} chips in all",
                place + 1,
                seen.hands,
                seen.entered,
                seen.raised,
                seen.folded,
                self.unit.write_signed(seen.won),
            );
        }
        let from = self.hands.len().saturating_sub(LAST_RESULTS);
        let results: Vec<_> = self.hands[from..]
            .iter()
            .filter_map(|hand| {
                let delta = hand.deltas.get(hand.place_of(own)?)?;
                Some(format!("hand {}: {}", hand.hand, self.unit.write_signed(*delta)))
            })
            .collect();
        let _ = write!(text, "\nYour last results: {}\n", results.join(", "));
        text
    }
}

/// What everybody at the table has seen of a participant.
#[derive(Default)]
struct Seen {
    hands: u32,
    entered: u32,
    raised: u32,
    folded: u32,
    won: i64,
}

impl Seen {
    fn of(seat: &Seat, hands: &[HandRecord]) -> Self {
        let mut seen = Seen::default();
        for hand in hands {
            let Some(place) = hand.place_of(seat) else {
                continue;
            };
            let own = || hand.actions.iter().filter(|action| action.place == place);
            let early = || own().filter(|action| action.street == Street::Preflop);
            seen.hands += 1;
            seen.entered += u32::from(early().any(|action| !action.happened.put.is_zero()));
            seen.raised += u32::from(early().any(super::record::ActionRecord::is_raise));
            seen.folded += u32::from(own().any(|action| action.happened.kind == Kind::Fold));
            seen.won += hand.deltas.get(place).copied().unwrap_or(0);
        }
        seen
    }
}

/// What a position is called: `BTN`, `SB`, `BB`, then from the left of the big blind `UTG`, `UTG+1` …, and before the button
/// `HJ` and `CO`. Where two play by `strict` rules the button is the small blind, and is called `BTN`.
pub fn position(record: &HandRecord, place: Place) -> &'static str {
    let places = record.places.len();
    let from_button = (place + places - record.button) % places;
    match (from_button, places) {
        (0, _) => "BTN",
        (1, 2) => "BB",
        (1, _) => "SB",
        (2, _) => "BB",
        (seat, _) => {
            let left = places - seat;
            match (seat, left) {
                (3, _) => "UTG",
                (_, 1) => "CO",
                (_, 2) => "HJ",
                (4, _) => "UTG+1",
                (5, _) => "UTG+2",
                (6, _) => "UTG+3",
                _ => "UTG+4",
            }
        }
    }
}
