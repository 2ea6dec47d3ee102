use super::super::action::Action;
use super::super::card::{Deck, cards};
use super::super::chips::Chips;
use super::super::hand::{Hand, Setup};
use super::super::record::Blinds;
use super::*;
use turnwise_core::prelude::*;

fn deal(button: Place, stacks: &[u64], first: &str) -> Hand {
    let setup = Setup {
        hand: 7,
        profile: Profile::Strict,
        button,
        blinds: Blinds { small: Chips::new(50), big: Chips::new(100) },
        seated: stacks
            .iter()
            .enumerate()
            .map(|(index, stack)| ((index + 1).to_string().as_str().into(), Chips::new(*stack)))
            .collect(),
    };
    let deck = Deck::starting_with(&cards(first).unwrap()).unwrap();
    Hand::deal(setup, &deck).unwrap()
}

#[test]
fn a_hand_from_the_small_blind_on() {
    let mut hand = deal(0, &[1_000, 1_000, 1_000], "AS KS 2D 7C 10D 9D 3H QH 4C 5S 6H 8S 9H 10C");
    for (place, action) in [
        (0, Action::raise_to(Chips::new(300))),
        (1, Action::FOLD),
        (2, Action::CALL),
        (2, Action::CHECK),
        (0, Action::ALL_IN),
        (2, Action::CALL),
    ] {
        hand.act(place, action).unwrap();
    }
    assert_eq!(write(hand.record()), include_str!("tests/hand.phh"));
}

#[test]
fn heads_up_the_big_blind_comes_first_and_a_short_one_is_said() {
    let mut hand = deal(0, &[1_000, 80], "AS KS 2D 7C");
    hand.act(0, Action::FOLD).unwrap();
    let text = write(hand.record());
    assert!(text.contains("blinds_or_straddles = [50, 100]\n"), "{text}");
    assert!(text.contains("starting_stacks = [80, 1000]\n"), "{text}");
    assert!(text.contains("\"d dh p1 2d7c\",\n  \"d dh p2 AsKs\",\n  \"p2 f\""), "{text}");
    assert!(text.contains("players = [\"2\", \"1\"]\n"), "{text}");
    assert!(text.contains("finishing_stacks = [130, 950]\n"), "{text}");
    assert!(text.ends_with("_short_big_blind = true\n"), "{text}");
    assert!(!text.contains(" sm "), "{text}");
}

#[test]
fn names_are_quoted() {
    assert_eq!(quoted("a\"b\\c\n"), r#""a\"b\\c\u000A""#);
}
