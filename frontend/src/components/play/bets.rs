//! The amounts and the words of a decision at a card table. Pure.

use serde_json::json;
use turnwise_shared::prompt::Move;

use crate::prelude::*;
use crate::view::felt::{chips, price, total};
use crate::view::number::fixed;

/// What the decision is about for the place that is to act: the price of a call, the pot, and the share of it that the call is.
pub fn your_turn(table: &CardTable) -> String {
    let unit = table.units_per_chip;
    match price(table) {
        Some(price) => format!(
            "Your turn: {} to call into {}; you need {} % equity.",
            chips(price.to_call, unit),
            chips(price.pot, unit),
            fixed(price.share * 100.0, 0)
        ),
        None => "Your turn: checking is free.".to_owned(),
    }
}

/// Names of moves, as models write them.
pub mod name {
    pub const FOLD: &str = "FOLD";
    pub const CHECK: &str = "CHECK";
    pub const CALL: &str = "CALL";
    pub const RAISE: &str = "RAISE";
    pub const ALL_IN: &str = "ALL_IN";
}

/// What may be done now. Amounts are whole chips.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// Whether the hand may be given up.
    pub fold: bool,
    /// Whether staying in is free.
    pub check: bool,
    pub call: Option<u64>,
    /// The smallest and the largest raise, each as the total of this betting round afterwards.
    pub raise: Option<(u64, u64)>,
    /// What going all-in comes to, as such a total.
    pub all_in: Option<u64>,
    pub bet: u64,
    pub blind: u64,
    /// All chips that were put in so far.
    pub pot: u64,
}

impl Options {
    /// What is expected of the person at this table; `None` if it is no move.
    pub fn of(expect: &Expect, table: &CardTable) -> Option<Self> {
        let Expect::Move(moves) = expect else {
            return None;
        };
        let unit = table.units_per_chip.max(1);
        let find = |name: &str| moves.iter().find(|one: &&Move| one.name == name);
        let own = table.places.iter().find(|place| place.own);
        let bet = table.places.iter().map(|place| place.bet).max();
        Some(Options {
            fold: find(name::FOLD).is_some(),
            check: find(name::CHECK).is_some(),
            call: find(name::CALL).map(|_| price(table).map_or(0, |price| price.to_call) / unit),
            raise: find(name::RAISE).and_then(|one| one.amount),
            all_in: find(name::ALL_IN)
                .map(|_| own.map_or(0, |place| place.bet + place.stack) / unit),
            bet: bet.unwrap_or(0) / unit,
            blind: (table.big_blind / unit).max(1),
            pot: total(table) / unit,
        })
    }

    /// An amount brought between the smallest and the largest raise.
    pub fn within(&self, amount: u64) -> u64 {
        match self.raise {
            Some((least, most)) => amount.clamp(least, most.max(least)),
            None => amount,
        }
    }

    /// A raise of a share of the pot, in halves of it: the pot is counted as it is after a call.
    pub fn of_pot(&self, halves: u64) -> u64 {
        let after_call = self.pot + self.call.unwrap_or(0);
        self.within(self.bet + after_call * halves / 2)
    }

    /// One step up or down from an amount: a big blind, and always a possible raise.
    pub fn step(&self, amount: u64, up: bool) -> u64 {
        self.within(match up {
            true => amount.saturating_add(self.blind),
            false => amount.saturating_sub(self.blind),
        })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    Fold,
    Check,
    /// Puts in what is missing.
    Call,
    /// Bets or raises to this total.
    Raise(u64),
    AllIn,
}

/// The text of a decision, exactly as a model must write it.
pub fn text(decision: Decision, options: &Options) -> String {
    let (action, amount) = match decision {
        Decision::Fold => (name::FOLD, 0),
        Decision::Check => (name::CHECK, 0),
        // A call's amount is the bet that stands.
        Decision::Call => (name::CALL, options.bet),
        Decision::Raise(amount) => (name::RAISE, amount),
        Decision::AllIn => (name::ALL_IN, options.all_in.unwrap_or(0)),
    };
    json!({ "action": action, "amount": amount }).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::testing::table;

    fn expect() -> Expect {
        let plain = |name: &str, amount| Move { name: name.to_owned(), amount };
        Expect::Move(vec![
            plain(name::FOLD, None),
            plain(name::CALL, None),
            plain(name::RAISE, Some((500, 9_800))),
            plain(name::ALL_IN, None),
        ])
    }

    fn options() -> Options {
        let mut table = table(3);
        table.places[1].own = true;
        Options::of(&expect(), &table).expect("a move is expected")
    }

    #[test]
    fn options_are_what_is_expected() {
        let options = options();
        assert!(options.fold && !options.check);
        assert_eq!((options.call, options.raise), (Some(200), Some((500, 9_800))));
        assert_eq!((options.all_in, options.bet, options.pot), (Some(9_800), 300, 900));
        assert_eq!(Options::of(&Expect::Text, &table(2)), None);
    }

    #[test]
    fn amounts_stay_within_the_range() {
        let options = options();
        assert_eq!(options.of_pot(1), 850, "the bet and half of 1,100");
        assert_eq!(options.of_pot(2), 1_400);
        assert_eq!(options.step(500, false), 500);
        assert_eq!(options.step(500, true), 600);
        assert_eq!(options.within(1_000_000), 9_800);
    }

    #[test]
    fn decisions_are_written_as_models_write_them() {
        let options = options();
        let written = |decision| text(decision, &options);
        assert_eq!(written(Decision::Raise(850)), r#"{"action":"RAISE","amount":850}"#);
        assert_eq!(written(Decision::Call), r#"{"action":"CALL","amount":300}"#);
        assert_eq!(written(Decision::Fold), r#"{"action":"FOLD","amount":0}"#);
        assert_eq!(written(Decision::AllIn), r#"{"action":"ALL_IN","amount":9800}"#);
    }
}
