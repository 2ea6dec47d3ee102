//! Golden hands of the specification (4.e), and rules at their edges. Places are written as seats there: `P1` is place 0.

mod edges;
mod golden;

use super::super::action::Repair;
use super::super::card::cards;
use super::*;

/// Six players with 10,000 each, blinds 50 and 100.
pub(super) fn six(profile: Profile) -> Setup {
    table(profile, 0, &[10_000; 6])
}

/// Players with these stacks of whole chips, blinds 50 and 100.
pub(super) fn table(profile: Profile, button: Place, stacks: &[u64]) -> Setup {
    let unit = unit_of(profile);
    let seat = |index: usize| Seat::new((index + 1).to_string());
    Setup {
        hand: 1,
        profile,
        button,
        blinds: Blinds { small: unit.chips(50), big: unit.chips(100) },
        seated: stacks
            .iter()
            .enumerate()
            .map(|(index, stack)| (seat(index), unit.chips(*stack)))
            .collect(),
    }
}

/// Deals with these cards on top, hole cards first, then as they come: burn, flop, burn, turn, burn, river.
pub(super) fn deal(setup: Setup, first: &str) -> Hand {
    let deck = Deck::starting_with(&cards(first).unwrap()).unwrap();
    Hand::deal(setup, &deck).unwrap()
}

/// Plays `P4 CALL; P5 FOLD; P1 RAISE 300; P2 CHECK 250`, amounts in chips. Each must be the one that is to act.
pub(super) fn play(hand: &mut Hand, script: &str) -> Vec<Happened> {
    script
        .split(';')
        .map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let place: Place = words[0].strip_prefix('P').unwrap().parse().unwrap();
            let action = Action {
                kind: words[1].parse().unwrap(),
                amount: words.get(2).map(|text| hand.unit().read(text).unwrap()),
            };
            hand.act(place - 1, action).unwrap_or_else(|bad| panic!("{line}: {bad}"))
        })
        .collect()
}

/// What each won or lost, in chips.
pub(super) fn deltas(hand: &Hand) -> Vec<i64> {
    assert!(hand.is_over());
    let per_chip = hand.unit().per_chip().cast_signed();
    let deltas = &hand.record().deltas;
    assert!(deltas.iter().all(|delta| delta % per_chip == 0));
    deltas.iter().map(|delta| delta / per_chip).collect()
}

/// An amount as chips, as text.
pub(super) fn in_chips(hand: &Hand, amount: Chips) -> String {
    hand.unit().write(amount)
}
