//! `bot:tight-aggressive`: a chart before the flop, simple rules about made hands and draws after it.

use super::Move;
use super::view::View;
use crate::card::{Card, Rank};
use crate::rank::{Class, Strength};

pub fn decide(view: &View) -> Move {
    if view.board.is_empty() { before_the_flop(view) } else { after_the_flop(view) }
}

/// The Chen formula in half points (Bill Chen, *The Mathematics of Poker*): a well-known score of two cards; aces have 40,
/// seven-deuce has -2.
fn chen(hole: &[Card; 2]) -> i32 {
    let value = |card: &Card| i32::from(card.rank().value());
    let (high, low) = (value(&hole[0]).max(value(&hole[1])), value(&hole[0]).min(value(&hole[1])));
    let points = match high {
        14 => 20,
        13 => 16,
        12 => 14,
        11 => 12,
        other => other,
    };
    if high == low {
        return (points * 2).max(10);
    }
    let gap = high - low - 1;
    let for_gap = match gap {
        0 => 0,
        1 => 2,
        2 => 4,
        3 => 8,
        _ => 10,
    };
    let for_suits = if hole[0].suit() == hole[1].suit() { 4 } else { 0 };
    let for_straights = if gap <= 1 && high < 12 { 2 } else { 0 };
    points + for_suits - for_gap + for_straights
}

fn before_the_flop(view: &View) -> Move {
    let score = chen(&view.hole);
    let to_open = match view.position.as_str() {
        "BTN" | "SB" => 13,
        "CO" | "HJ" => 15,
        "BB" => 16,
        _ => 18,
    } - if view.players == 2 { 6 } else { 0 };
    let bet = view.bet + view.to_call;
    if bet <= view.big_blind {
        return if score >= to_open {
            view.raise_to(view.big_blind * 3)
        } else {
            view.check_or_fold()
        };
    }
    // There was a raise: the best hands raise again, good ones see the flop if it is not dear.
    if score >= 24 {
        view.raise_to(bet * 3)
    } else if score >= 18 && view.to_call * 10 <= view.stack {
        view.check_or_call()
    } else {
        view.check_or_fold()
    }
}

fn after_the_flop(view: &View) -> Move {
    let cards: Vec<Card> = view.hole.iter().chain(&view.board).copied().collect();
    let class = Strength::of_cards(&cards).class();
    let strength = match class {
        Class::HighCard => 0,
        Class::Pair => pair(view),
        // A pair on the board that everybody has makes two pairs cheap.
        Class::TwoPair if has_pair(&view.board) => pair(view),
        Class::TwoPair => 3,
        Class::Trips if view.hole[0].rank() != view.hole[1].rank() && has_trips(&view.board) => 1,
        _ => 4,
    };
    let facing = view.to_call > 0;
    match (strength, facing) {
        (4, true) => view.raise_to(view.bet + view.to_call * 3),
        (3, true) => view.check_or_call(),
        (2, true) if view.to_call * 2 <= view.pot => view.check_or_call(),
        (3 | 4, false) => view.raise_to(view.bet + view.pot * 2 / 3),
        (2, false) => view.raise_to(view.bet + view.pot / 2),
        (_, true) if view.board.len() < 5 && draws(&cards) && view.to_call * 4 <= view.pot => {
            view.check_or_call()
        }
        _ => view.check_or_fold(),
    }
}

/// 2 for the top pair or an overpair, 1 for another pair with a card of one's own, 0 for one that lies on the board.
fn pair(view: &View) -> u8 {
    let top = view.board.iter().map(|card| card.rank()).max().unwrap_or(Rank::TWO);
    let own = [view.hole[0].rank(), view.hole[1].rank()];
    if own[0] == own[1] {
        return if own[0] > top { 2 } else { 1 };
    }
    match own.iter().filter(|rank| view.board.iter().any(|card| card.rank() == **rank)).max() {
        Some(rank) if *rank == top => 2,
        Some(_) => 1,
        None => 0,
    }
}

fn count(cards: &[Card], rank: Rank) -> usize {
    cards.iter().filter(|card| card.rank() == rank).count()
}

fn has_pair(cards: &[Card]) -> bool {
    cards.iter().any(|card| count(cards, card.rank()) >= 2)
}

fn has_trips(cards: &[Card]) -> bool {
    cards.iter().any(|card| count(cards, card.rank()) >= 3)
}

/// Four of a suit, or four of five ranks in a row.
fn draws(cards: &[Card]) -> bool {
    let suited = cards
        .iter()
        .any(|card| cards.iter().filter(|other| other.suit() == card.suit()).count() >= 4);
    let ranks: std::collections::BTreeSet<u8> =
        cards.iter().map(|card| card.rank().value()).collect();
    let connected =
        (2_u8..=10).any(|low| (low..low + 5).filter(|rank| ranks.contains(rank)).count() >= 4);
    suited || connected
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chen_formula() {
        let score = |text: &str| {
            let cards = crate::card::cards(text).expect("two cards");
            chen(&[cards[0], cards[1]])
        };
        // In half points: aces 20, ace-king suited 12, ten-nine suited 8 (5 + 2 + 1), fives 5, seven-deuce -1.5.
        assert_eq!(score("As Ah"), 40);
        assert_eq!(score("As Ks"), 24);
        assert_eq!(score("Ts 9s"), 16);
        assert_eq!(score("5s 5h"), 10);
        assert_eq!(score("7s 2h"), -3);
    }
}
