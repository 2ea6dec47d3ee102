//! Made-up hands: players who choose at random at tables of all sizes, stacks and policies.
//!
//! Chance comes from a number that the caller gives; the same number makes the same hands.

use turnwise_shared::benchmarks::poker::action::{Action, Kind};
use turnwise_shared::benchmarks::poker::card::{CARDS, Deck};
use turnwise_shared::benchmarks::poker::chance::Chance;
use turnwise_shared::benchmarks::poker::chips::Chips;
use turnwise_shared::benchmarks::poker::hand::{Hand, Legal, Setup, unit_of};
use turnwise_shared::benchmarks::poker::policy::{Deal, Policy, Table};
use turnwise_shared::benchmarks::poker::record::{Blinds, HandRecord};
use turnwise_shared::prelude::*;

/// After how many hands a table is left.
const HANDS_AT_A_TABLE: u32 = 25;

#[derive(Debug, Clone)]
pub struct Samples {
    chance: Chance,
    profile: Profile,
    most_places: usize,
    table: Option<At>,
}

#[derive(Debug, Clone)]
enum At {
    /// A table under a policy.
    Table(Table),
    /// Hands that have nothing to do with each other: everybody has some stack.
    Anywhere { left: u32 },
}

impl Samples {
    /// Hands of 2 to `most_places` players (at most 10).
    pub fn new(profile: Profile, most_places: usize, seed: u64) -> Self {
        Samples {
            chance: Chance::new(seed),
            profile,
            most_places: most_places.clamp(2, 10),
            table: None,
        }
    }

    /// Deals the next hand, leaves it to be played, and takes the stacks at its end to the next.
    pub fn play(&mut self, mut play: impl FnMut(&mut Hand, &mut Chance)) -> HandRecord {
        loop {
            let mut at = match self.table.take() {
                Some(at) => at,
                None => self.sit_down(),
            };
            let Some((setup, settle)) = self.set_up(&mut at) else {
                continue;
            };
            let mut hand = Hand::deal(setup, &shuffled(&mut self.chance))
                .expect("a table deals to those who have chips");
            play(&mut hand, &mut self.chance);
            let record = hand.into_record();
            if let (At::Table(table), Some(deal)) = (&mut at, settle) {
                table.settle(&deal, &record.stacks);
            }
            self.table = Some(at);
            return record;
        }
    }

    fn sit_down(&mut self) -> At {
        let places = 2 + self.chance.below(self.most_places as u64 - 1) as usize;
        let opening = 150 + self.chance.below(4_000);
        let opening = self.chips(opening);
        match self.chance.below(8) {
            choice @ 0..4 => {
                At::Table(Table::new(self.profile, Policy::ALL[choice as usize], places, opening))
            }
            _ => At::Anywhere { left: HANDS_AT_A_TABLE },
        }
    }

    /// The next hand at a table; none if one goes to another.
    fn set_up(&mut self, at: &mut At) -> Option<(Setup, Option<Deal>)> {
        let seat = |place: usize| Seat::new((place + 1).to_string());
        let blinds = Blinds { small: self.chips(50), big: self.chips(100) };
        match at {
            At::Table(table) => {
                let deal = table
                    .deal()
                    .filter(|deal| deal.hand + 1000 * (deal.game - 1) <= HANDS_AT_A_TABLE)?;
                let names = deal.dealt_in.iter().map(|place| seat(*place));
                let setup = Setup {
                    hand: deal.hand,
                    profile: self.profile,
                    button: deal.button,
                    blinds,
                    seated: names.zip(deal.stacks.iter().copied()).collect(),
                };
                Some((setup, Some(deal)))
            }
            At::Anywhere { left } => {
                *left = left.checked_sub(1)?;
                let places = 2 + self.chance.below(self.most_places as u64 - 1) as usize;
                let most = [120, 600, 3_000, 20_000][self.chance.below(4) as usize];
                let setup = Setup {
                    hand: HANDS_AT_A_TABLE - *left,
                    profile: self.profile,
                    button: self.chance.below(places as u64) as usize,
                    blinds,
                    seated: (0..places)
                        .map(|place| {
                            let stack = 1 + self.chance.below(most);
                            (seat(place), self.chips(stack))
                        })
                        .collect(),
                };
                Some((setup, None))
            }
        }
    }

    fn chips(&self, whole: u64) -> Chips {
        unit_of(self.profile).chips(whole)
    }
}

pub fn shuffled(chance: &mut Chance) -> Deck {
    let mut numbers: Vec<u32> = (0..CARDS).collect();
    for last in (1..numbers.len()).rev() {
        let other = chance.below(last as u64 + 1) as usize;
        numbers.swap(last, other);
    }
    Deck::new(&numbers).expect("a shuffled deck is a deck")
}

/// Plays a hand to its end: mostly something legal, now and then whatever comes to mind.
pub fn at_random(hand: &mut Hand, chance: &mut Chance) {
    while let (Some(place), Some(legal)) = (hand.to_act(), hand.legal()) {
        let action = match chance.below(12) {
            0 => anything(hand, chance),
            _ => something_legal(hand, legal, chance),
        };
        hand.act(place, action).expect("the one who is to act has acted");
    }
}

/// What is wrong with a hand that is over, if anything: chips that came or went, payments that do not add up, a board that
/// does not fit. Every hand must pass, whatever its players did.
pub fn broken(record: &HandRecord) -> Option<&'static str> {
    let sum = |chips: &mut dyn Iterator<Item = Chips>| chips.sum::<Chips>();
    let opened = sum(&mut record.places.iter().map(|place| place.opening));
    let closed = sum(&mut record.stacks.iter().copied());
    let blinds = sum(&mut record.places.iter().map(|place| place.blind));
    let put = blinds + sum(&mut record.actions.iter().map(|action| action.happened.put));
    let returned = record.returned.map_or(Chips::ZERO, |share| share.chips);
    let in_pots = sum(&mut record.pots.iter().map(|pot| pot.amount));
    let shares = record.pots.iter().flat_map(|pot| &pot.winners);
    let paid = sum(&mut shares.map(|share| share.chips));
    let is_strict = record.profile == Profile::Strict;
    let deltas = record.deltas.iter().sum::<i64>();
    let ways = [
        ("chips came or went", closed + record.lost != opened),
        ("chips were lost", is_strict && !record.lost.is_zero()),
        ("deltas do not add up", deltas != -record.lost.units().cast_signed()),
        ("not everything that was put in is in a pot", in_pots + returned != put),
        ("not everything in the pots was paid", paid + record.lost != in_pots),
        (
            "somebody was paid who could not win",
            record.pots.iter().any(|pot| {
                pot.winners.is_empty()
                    || pot.winners.iter().any(|share| !pot.eligible.contains(&share.place))
            }),
        ),
        (
            "somebody was paid who had folded",
            record
                .pots
                .iter()
                .flat_map(|pot| &pot.eligible)
                .any(|place| record.fold_of(*place).is_some()),
        ),
        ("hands were shown before the river", record.is_showdown() && record.board.len() != 5),
        (
            "the last action says another pot",
            record.actions.last().is_some_and(|action| action.pot != put),
        ),
    ];
    ways.into_iter().find(|(_, is_so)| *is_so).map(|(name, _)| name)
}

fn something_legal(hand: &Hand, legal: Legal, chance: &mut Chance) -> Action {
    match (chance.below(20), legal) {
        (0..2, _) => Action::FOLD,
        (2..4, Legal { all_in: Some(_), .. }) => Action::ALL_IN,
        (4..9, Legal { raise: Some(raise), .. }) => {
            let room = raise.max - raise.min;
            let above = match chance.below(3) {
                0 => Chips::ZERO,
                1 => room.min(hand.pot()),
                _ => room,
            };
            // Whole chips or parts of one, as the unit allows.
            let above = Chips::new(chance.below(above.units() + 1));
            Action::raise_to(raise.min + above)
        }
        (_, Legal { check: true, .. }) => Action::CHECK,
        _ => Action::CALL,
    }
}

fn anything(hand: &Hand, chance: &mut Chance) -> Action {
    let kind = Kind::ALL[chance.below(5) as usize];
    let most = 2 * hand.pot().units() + 2;
    let amount = (chance.below(4) > 0).then(|| Chips::new(chance.below(most)));
    Action { kind, amount }
}

#[cfg(test)]
mod tests;
