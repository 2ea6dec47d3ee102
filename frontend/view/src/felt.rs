//! A table with cards and chips, made ready for drawing: where places lie, what amounts and cards are called, what a call costs.

use std::f64::consts::TAU;

use turnwise_shared::scene::{CardTable, PlaceState, TablePlace};

use super::number::{fixed, signed};
use crate::strings::game as words;

/// A card as it is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Face {
    /// The rank as it stands on the card, e.g. `10`.
    pub rank: &'static str,
    pub suit: Suit,
}

/// A suit. All four have a colour and a shape of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Suit {
    Spades,
    Hearts,
    Diamonds,
    Clubs,
}

impl Suit {
    /// The class of its colour.
    pub fn class(self) -> &'static str {
        match self {
            Suit::Spades => "s-spades",
            Suit::Hearts => "s-hearts",
            Suit::Diamonds => "s-diamonds",
            Suit::Clubs => "s-clubs",
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Suit::Spades => "spades",
            Suit::Hearts => "hearts",
            Suit::Diamonds => "diamonds",
            Suit::Clubs => "clubs",
        }
    }

    /// Its shape in a square of 32.
    pub fn path(self) -> &'static str {
        match self {
            Suit::Spades => {
                "M16 1C16 1 28 11 28 18.5C28 22.6 25.2 25 22 25C20 25 18.3 24.2 17.2 22.8C17.4 26.4 18.6 28.8 20.6 31H11.4C13.4 28.8 14.6 26.4 14.8 22.8C13.7 24.2 12 25 10 25C6.8 25 4 22.6 4 18.5C4 11 16 1 16 1Z"
            }
            Suit::Hearts => {
                "M16 30C16 30 3 20 3 11C3 6.6 6.2 3.5 9.8 3.5C12.6 3.5 14.8 5 16 7.6C17.2 5 19.4 3.5 22.2 3.5C25.8 3.5 29 6.6 29 11C29 20 16 30 16 30Z"
            }
            Suit::Diamonds => "M16 1L27.5 16L16 31L4.5 16Z",
            Suit::Clubs => {
                "M16 1.5C19.6 1.5 22.4 4.3 22.4 7.8C22.4 9.7 21.6 11.4 20.3 12.6C21.2 12.2 22.2 11.9 23.2 11.9C26.7 11.9 29.5 14.7 29.5 18.2C29.5 21.7 26.7 24.5 23.2 24.5C20.8 24.5 18.6 23.2 17.4 21.2C17.5 25.3 18.6 28.5 20.8 31H11.2C13.4 28.5 14.5 25.3 14.6 21.2C13.4 23.2 11.2 24.5 8.8 24.5C5.3 24.5 2.5 21.7 2.5 18.2C2.5 14.7 5.3 11.9 8.8 11.9C9.8 11.9 10.8 12.2 11.7 12.6C10.4 11.4 9.6 9.7 9.6 7.8C9.6 4.3 12.4 1.5 16 1.5Z"
            }
        }
    }
}

/// A card from its short name, e.g. `Th`; `None` if it is none.
pub fn face(short: &str) -> Option<Face> {
    let mut signs = short.chars();
    let (rank, suit) = (signs.next()?, signs.next()?);
    let rank = match rank {
        'A' => "A",
        'K' => "K",
        'Q' => "Q",
        'J' => "J",
        'T' => "10",
        '9' => "9",
        '8' => "8",
        '7' => "7",
        '6' => "6",
        '5' => "5",
        '4' => "4",
        '3' => "3",
        '2' => "2",
        _ => return None,
    };
    let suit = match suit {
        's' => Suit::Spades,
        'h' => Suit::Hearts,
        'd' => Suit::Diamonds,
        'c' => Suit::Clubs,
        _ => return None,
    };
    signs.next().is_none().then_some(Face { rank, suit })
}

/// A card in words, e.g. `ten of hearts`.
pub fn card_name(short: &str) -> String {
    let Some(Face { rank, suit }) = face(short) else {
        return short.to_owned();
    };
    let rank = match rank {
        "A" => "ace",
        "K" => "king",
        "Q" => "queen",
        "J" => "jack",
        "10" => "ten",
        "9" => "nine",
        "8" => "eight",
        "7" => "seven",
        "6" => "six",
        "5" => "five",
        "4" => "four",
        "3" => "three",
        _ => "two",
    };
    format!("{rank} of {}", suit.name())
}

/// Where a place lies on the edge of the table, as offsets from its middle in percent of width and height.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spot {
    /// To the right, on a table that is wider than high.
    pub x: f64,
    pub y: f64,
    /// To the right, on a table that is higher than wide.
    pub tall_x: f64,
    pub tall_y: f64,
}

/// Where the given number of places lie, clockwise; `front` is the index of the place that lies below, nearest to the viewer.
pub fn spots(places: usize, front: usize) -> Vec<Spot> {
    (0..places)
        .map(|place| {
            let turn = (place + places - front % places) % places;
            // From below, clockwise; a table is a stadium rather than an ellipse, so that places stay apart at its ends.
            let angle = TAU * turn as f64 / places as f64;
            let (across, down) = (-angle.sin(), angle.cos());
            let squarer = |value: f64, by: f64| value.signum() * value.abs().powf(by);
            let round = |value: f64| (value * 10.0).round() / 10.0;
            Spot {
                x: round(41.0 * squarer(across, 0.8)),
                y: round(37.0 * squarer(down, 0.8)),
                tall_x: round(34.0 * squarer(across, 0.6)),
                tall_y: round(40.0 * squarer(down, 0.85)),
            }
        })
        .collect()
}

/// The place that is drawn nearest to the viewer: the viewer's own, else the first.
pub fn front(table: &CardTable) -> usize {
    table.places.iter().position(|place| place.own).unwrap_or(0)
}

/// An amount in chips, e.g. `1,250`; fractions of a chip with at most two decimals.
pub fn chips(amount: u64, units_per_chip: u64) -> String {
    let (value, decimals) = in_chips(amount as f64, units_per_chip);
    fixed(value, decimals)
}

/// What was won or lost, in chips with its sign.
pub fn delta(amount: i64, units_per_chip: u64) -> String {
    let (value, decimals) = in_chips(amount as f64, units_per_chip);
    match amount {
        0 => "±0".to_owned(),
        _ => signed(value, decimals),
    }
}

/// Stacks are far below the largest exact integer.
fn in_chips(amount: f64, units_per_chip: u64) -> (f64, usize) {
    let value = amount / units_per_chip.max(1) as f64;
    let decimals = if value.fract().abs() < 0.005 { 0 } else { 2 };
    (value, decimals)
}

/// The text on the plate of a place, for screen readers.
pub fn spoken(place: &TablePlace, name: &str, table: &CardTable) -> String {
    let amount = |units| chips(units, table.units_per_chip);
    let mut parts = vec![name.to_owned()];
    if !place.position.is_empty() {
        parts.push(place.position.clone());
    }
    let cards: Vec<String> = place.cards.iter().flatten().map(|card| card_name(card)).collect();
    match (place.state, cards.is_empty(), place.cards.is_empty()) {
        (PlaceState::Out, ..) => parts.push(words::OUT.to_owned()),
        (_, false, _) => parts.push(words::cards(&cards)),
        (_, true, false) => parts.push("cards face down".to_owned()),
        (_, true, true) => {}
    }
    parts.push(format!("{} behind", amount(place.stack)));
    if place.bet > 0 {
        parts.push(words::bet(amount(place.bet)));
    }
    match place.state {
        PlaceState::Folded => parts.push(words::FOLDED.to_owned()),
        PlaceState::AllIn => parts.push(words::ALL_IN.to_owned()),
        PlaceState::Live | PlaceState::Out => {}
    }
    if place.to_act {
        parts.push(words::TO_ACT.to_owned());
    }
    if let Some(won) = place.delta {
        parts.push(format!("result {}", delta(won, table.units_per_chip)));
    }
    parts.join(", ")
}

/// What the place that is to act must pay, and for how much: the price of a call.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Price {
    pub to_call: u64,
    /// What lies in the middle and before the seats.
    pub pot: u64,
    /// The share of the pot after the call that the call pays, 0 to 1: the equity from which on it earns.
    pub share: f64,
}

/// The price of a call for the place that is to act; `None` if no place is, or if checking is free.
pub fn price(table: &CardTable) -> Option<Price> {
    let acting = table.places.iter().find(|place| place.to_act)?;
    let highest = table.places.iter().map(|place| place.bet).max()?;
    let to_call = highest.saturating_sub(acting.bet).min(acting.stack);
    if to_call == 0 {
        return None;
    }
    let pot = total(table);
    Some(Price { to_call, pot, share: to_call as f64 / (pot + to_call) as f64 })
}

/// All chips that were put in so far.
pub fn total(table: &CardTable) -> u64 {
    table.pots.iter().sum::<u64>() + table.places.iter().map(|place| place.bet).sum::<u64>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::table;

    #[test]
    fn cards_are_read_by_their_short_names() {
        let ten = face("Th").expect("it is a card");
        assert_eq!((ten.rank, ten.suit), ("10", Suit::Hearts));
        assert_eq!(card_name("As"), "ace of spades");
        assert_eq!(card_name("2c"), "two of clubs");
        for bad in ["", "T", "1h", "Tx", "Thh"] {
            assert_eq!(face(bad), None, "{bad}");
        }
    }

    #[test]
    fn places_lie_around_the_table_and_apart() {
        for places in 2..=10 {
            let all = spots(places, 0);
            assert_eq!(all.len(), places);
            let below = all[0];
            assert_eq!((below.x.abs(), below.y), (0.0, 37.0), "nearest to the viewer");
            for (at, one) in all.iter().enumerate() {
                assert!(one.x.abs() <= 41.0 && one.tall_y.abs() <= 42.0);
                for other in &all[..at] {
                    let apart = (one.x - other.x).abs() > 12.0 || (one.y - other.y).abs() > 12.0;
                    assert!(apart, "{one:?} and {other:?} of {places}");
                }
            }
        }
        let turned = spots(6, 2);
        assert_eq!(turned[2].y, 37.0);
        assert!(turned[3].x < 0.0, "clockwise as seen from above: next to the left");
    }

    #[test]
    fn amounts_are_whole_chips_where_they_can_be() {
        assert_eq!(chips(12_500, 1), "12,500");
        assert_eq!(chips(1_500_000, 1_000_000), "1.50");
        assert_eq!(chips(2_000_000, 1_000_000), "2");
        assert_eq!(delta(-150, 1), "−150");
        assert_eq!(delta(150, 1), "+150");
        assert_eq!(delta(0, 1), "±0");
    }

    #[test]
    fn the_price_of_a_call() {
        let price = price(&table(3)).expect("something is to be called");
        assert_eq!((price.to_call, price.pot), (200, 900));
        assert!((price.share - 2.0 / 11.0).abs() < 1e-12);
        let mut free = table(3);
        free.places[0].bet = 100;
        assert_eq!(super::price(&free), None, "checking is free");
        let mut short = table(3);
        short.places[1].stack = 50;
        assert_eq!(
            super::price(&short).expect("something is to be called").to_call,
            50,
            "no more than there is"
        );
    }

    #[test]
    fn a_place_is_said_in_words() {
        let table = table(2);
        assert_eq!(
            spoken(&table.places[1], "P2", &table),
            "P2, UTG, ten of hearts, 9,700 behind, bet 100, to act"
        );
    }
}
