//! What a report needs of one episode, counted once.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::flows;
use super::tally::Tally;
use crate::protocol::event;
use crate::record::HandRecord;
use turnwise_core::prelude::*;

/// The numbers of one episode: a hand, or all hands of a table. Chips are in units of the hands.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Numbers {
    /// How many units make a chip.
    pub units_per_chip: u64,
    /// The big blind, in units.
    pub big_blind: u64,
    /// Who took part, in the order in which they were first dealt in.
    pub seats: Vec<Seat>,
    /// What each did, in the same order.
    pub tallies: Vec<Tally>,
    pub hands: Vec<HandResult>,
    /// What the one of the row won from the one of the column, net.
    pub won_from: Vec<Vec<f64>>,
    /// In how many hands both were dealt in.
    pub met: Vec<Vec<u32>>,
    /// Records of hands that could not be read; none, unless the transcript was changed.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unread: u32,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// Whether the form of a reply had to be forgiven: something was put right before the rules were asked.
fn is_eased(reading: &Reading) -> bool {
    let by_rules = reading.applied.pointer("/happened/repairs");
    let by_rules = by_rules.and_then(Value::as_array).map_or(0, Vec::len);
    reading.repaired.len() > by_rules
}

/// How a hand ended for everybody.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HandResult {
    /// Its number at the table.
    pub hand: u32,
    /// What each won, in the order of [`Numbers::seats`]; `None` for those who were not dealt in.
    pub won: Vec<Option<i64>>,
    /// What each would have won on average over the boards that could still come when betting ended; absent where nothing
    /// was left to chance then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adjusted: Option<Vec<Option<f64>>>,
}

impl Numbers {
    /// The numbers of an episode, from its notes: records of hands, and how replies were read.
    pub fn of_notes<'a>(notes: impl Iterator<Item = &'a Note>) -> Self {
        let mut hands: Vec<HandRecord> = Vec::new();
        let mut unread = 0;
        let mut readings: BTreeMap<Seat, (u32, u32)> = BTreeMap::new();
        for note in notes {
            match note {
                Note::Event { name, detail } if name == event::HAND => {
                    match HandRecord::deserialize(detail) {
                        Ok(hand) => hands.push(hand),
                        Err(_) => unread += 1,
                    }
                }
                Note::Turn(turn) => {
                    let (invalid, eased) = readings.entry(turn.seat.clone()).or_default();
                    *invalid += u32::from(turn.kind == TurnKind::Invalid);
                    *eased += u32::from(is_eased(&turn.reading));
                }
                _ => {}
            }
        }
        let mut numbers = Numbers::of_hands(&hands);
        numbers.unread = unread;
        for (seat, tally) in numbers.seats.iter().zip(&mut numbers.tallies) {
            (tally.invalid, tally.eased) = readings.get(seat).copied().unwrap_or_default();
        }
        numbers
    }

    /// The numbers of hands; how replies were read is not in them.
    pub fn of_hands(hands: &[HandRecord]) -> Self {
        let mut numbers = Numbers::default();
        for hand in hands {
            numbers.units_per_chip = hand.unit.per_chip();
            numbers.big_blind = hand.blinds.big.units();
            for place in &hand.places {
                if !numbers.seats.contains(&place.seat) {
                    numbers.seats.push(place.seat.clone());
                }
            }
        }
        let count = numbers.seats.len();
        numbers.tallies = vec![Tally::default(); count];
        numbers.won_from = vec![vec![0.0; count]; count];
        numbers.met = vec![vec![0; count]; count];
        for hand in hands {
            numbers.count(hand);
        }
        numbers
    }

    fn count(&mut self, hand: &HandRecord) {
        // Where each of the seats sat.
        let places: Vec<Option<usize>> =
            self.seats.iter().map(|seat| hand.place_of(seat)).collect();
        let flows = flows::won_from(hand);
        for (seat, place) in places.iter().enumerate() {
            let Some(place) = *place else { continue };
            self.tallies[seat].count(hand, place);
            for (other, other_place) in places.iter().enumerate() {
                if let Some(other_place) = *other_place
                    && other != seat
                {
                    self.won_from[seat][other] += flows[place][other_place];
                    self.met[seat][other] += 1;
                }
            }
        }
        let adjusted = flows::all_in_adjusted(hand);
        let by_seat = |place: &Option<usize>| place.map(|place| hand.deltas[place]);
        self.hands.push(HandResult {
            hand: hand.hand,
            won: places.iter().map(by_seat).collect(),
            adjusted: adjusted.map(|adjusted| {
                let by_seat = |place: &Option<usize>| place.map(|place| adjusted[place]);
                places.iter().map(by_seat).collect()
            }),
        });
    }

    pub fn chips(&self, units: f64) -> f64 {
        units / self.units_per_chip.max(1) as f64
    }
}
