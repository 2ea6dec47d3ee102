//! A game in the words of who reads about it: what hands are called, who won, and what happened between decisions.

use serde_json::Value;
use turnwise_core::metrics::number::{count, signed};
use turnwise_core::prelude::*;

use super::card::Card;
use super::protocol::event;
use super::rank::{CardSet, Class, Strength};
use super::record::{HandRecord, Place};

/// The name of a task: `Hand 5, table 1`; `None` for an id of another kind.
pub fn task_name(task: &TaskRef) -> Option<String> {
    let mut parts = Vec::new();
    for part in task.id.0.split('-') {
        let (kind, number) = part.split_at_checked(1)?;
        let number: u32 = number.parse().ok()?;
        let kind = match kind {
            "t" => "table",
            "h" => "hand",
            "d" => "deck",
            "r" => "rotation",
            _ => return None,
        };
        parts.push(format!("{kind} {number}"));
    }
    // What is played comes before where it is played.
    if parts.len() > 1 {
        parts.swap(0, 1);
    }
    let name = parts.join(", ");
    Some(format!("{}{}", name[..1].to_ascii_uppercase(), &name[1..]))
}

/// What a place held at a showdown, e.g. `two pair, kings and nines`.
pub fn holds(record: &HandRecord, place: Place) -> Option<String> {
    if !record.is_showdown() || record.fold_of(place).is_some() || record.board.len() < 5 {
        return None;
    }
    let hole = &record.places.get(place)?.hole;
    let all: CardSet = record.board.iter().chain(hole).copied().collect();
    Some(class(all.strength()))
}

/// A hand by its class and the ranks that make it.
pub fn class(strength: Strength) -> String {
    let ranks = strength.tie_breaks();
    let one = |at: usize| ranks.get(at).map_or("", |value| rank(*value));
    let many = |at: usize| match one(at) {
        "six" => "sixes".to_owned(),
        one => format!("{one}s"),
    };
    match strength.class() {
        Class::HighCard => format!("{} high", one(0)),
        Class::Pair => format!("a pair of {}", many(0)),
        Class::TwoPair => format!("two pair, {} and {}", many(0), many(1)),
        Class::Trips => format!("three {}", many(0)),
        Class::Straight => format!("a straight to the {}", one(0)),
        Class::Flush => format!("a flush, {} high", one(0)),
        Class::FullHouse => format!("a full house, {} over {}", many(0), many(1)),
        Class::Quads => format!("four {}", many(0)),
        Class::StraightFlush if one(0) == "ace" => "a royal flush".to_owned(),
        Class::StraightFlush => format!("a straight flush to the {}", one(0)),
    }
}

fn rank(value: u8) -> &'static str {
    match value {
        14 => "ace",
        13 => "king",
        12 => "queen",
        11 => "jack",
        10 => "ten",
        9 => "nine",
        8 => "eight",
        7 => "seven",
        6 => "six",
        5 => "five",
        4 => "four",
        3 => "three",
        _ => "two",
    }
}

/// A card with the sign of its suit, e.g. `10♥`.
fn sign(card: Card) -> String {
    let short = card.short();
    let (rank, suit) = short.split_at(1);
    let suit = match suit {
        "s" => '♠',
        "h" => '♥',
        "d" => '♦',
        _ => '♣',
    };
    let rank = if rank == "T" { "10" } else { rank };
    format!("{rank}{suit}")
}

/// What an event says; empty for what the table shows anyway. `None` for one of another kind.
pub fn event(spec: &Spec, name: &str, detail: &Value) -> Option<String> {
    Some(match name {
        event::DEAL => format!("Hand {} is dealt", detail["hand"]),
        event::STREET => {
            let cards: Vec<Card> = serde_json::from_value(detail["board"].clone()).ok()?;
            let cards: Vec<_> = cards.into_iter().map(sign).collect();
            let street = detail["street"].as_str()?;
            format!("{}{}: {}", street.get(..1)?.to_uppercase(), street.get(1..)?, cards.join(" "))
        }
        event::GAME => format!("Game {} begins: one player had all chips", detail["game"]),
        event::REFILL => {
            let places: Vec<u32> = serde_json::from_value(detail["places"].clone()).ok()?;
            let places: Vec<_> = places.iter().map(ToString::to_string).collect();
            format!("New stacks at place {}", places.join(", "))
        }
        event::HAND => won(spec, &serde_json::from_value(detail.clone()).ok()?),
        _ => return None,
    })
}

/// Who won a hand, by how much and with what.
fn won(spec: &Spec, record: &HandRecord) -> String {
    let winners = record.deltas.iter().enumerate().filter(|(_, delta)| **delta > 0);
    let winners: Vec<_> = winners
        .map(|(place, delta)| {
            let who = record.places.get(place).map(|place| spec.who(&place.seat));
            let amount = amount(*delta, record.unit.per_chip());
            let with = holds(record, place).map(|holds| format!(" with {holds}"));
            format!("{} wins {amount}{}", who.unwrap_or_default(), with.unwrap_or_default())
        })
        .collect();
    match winners.is_empty() {
        true => "Nobody wins anything".to_owned(),
        false => winners.join("; "),
    }
}

/// What an episode came to: the winner of its hand, or what all hands brought each player.
pub fn result(play: &Transcript) -> Option<String> {
    let spec = &play.header.spec;
    let hands = super::hands(play);
    if let [hand] = hands.as_slice() {
        return Some(won(spec, hand));
    }
    let outcome = play.outcome()?;
    let per_chip = outcome.result["units_per_chip"].as_u64()?;
    let mut all: Vec<(i64, String)> = outcome.result["won"]
        .as_object()?
        .iter()
        .filter_map(|(seat, won)| Some((won.as_i64()?, spec.who(&seat.as_str().into()))))
        .collect();
    all.sort_by_key(|(won, _)| std::cmp::Reverse(*won));
    let each: Vec<_> = all
        .into_iter()
        .map(|(won, who)| {
            let sign = if won > 0 { "+" } else { "" };
            format!("{who} {sign}{}", amount(won, per_chip))
        })
        .collect();
    Some(format!("{} hands: {}", count(hands.len()), each.join(", ")))
}

fn amount(units: i64, per_chip: u64) -> String {
    // Amounts of a table are far below the largest exact integer.
    let chips = units as f64 / per_chip.max(1) as f64;
    let decimals = if chips.fract() == 0.0 { 0 } else { 2 };
    signed(chips, decimals).trim_start_matches('+').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(cards: &str) -> String {
        let all: CardSet =
            super::super::card::cards(cards).expect("they are cards").into_iter().collect();
        class(all.strength())
    }

    #[test]
    fn hands_have_names() {
        for (cards, name) in [
            ("As Kd 9h 7c 4s 3d 2h", "ace high"),
            ("6s 6d 9h 7c Ks 3d 2h", "a pair of sixes"),
            ("Ks Kd 9h 9c 4s 3d 2h", "two pair, kings and nines"),
            ("Ks Kd Kh 9c 4s 3d 2h", "three kings"),
            ("As 2d 3h 4c 5s Kd Kh", "a straight to the five"),
            ("As 2s 9s 4s 5s Kd Kh", "a flush, ace high"),
            ("Ts Td Th 6c 6s Kd 2h", "a full house, tens over sixes"),
            ("Ts Td Th Tc 6s Kd 2h", "four tens"),
            ("9s Ts Js Qs Ks 2d 2h", "a straight flush to the king"),
            ("As Ts Js Qs Ks 2d 2h", "a royal flush"),
        ] {
            assert_eq!(held(cards), name, "{cards}");
        }
    }

    #[test]
    fn cards_have_the_signs_of_their_suits() {
        let all = super::super::card::cards("Th 9s Ad 2c").expect("they are cards");
        let all: Vec<_> = all.into_iter().map(sign).collect();
        assert_eq!(all, ["10♥", "9♠", "A♦", "2♣"]);
    }

    #[test]
    fn tasks_have_names() {
        let named = |id: &str| {
            task_name(&TaskRef {
                id: id.into(),
                digest: turnwise_core::hash::Digest::of_value(&id),
                labels: Default::default(),
            })
        };
        assert_eq!(named("t1-h5").as_deref(), Some("Hand 5, table 1"));
        assert_eq!(named("t2").as_deref(), Some("Table 2"));
        assert_eq!(named("t1-d3-r2").as_deref(), Some("Deck 3, table 1, rotation 2"));
        assert_eq!(named("x1"), None);
        assert_eq!(named(""), None);
    }
}
