//! From the notes of an episode to its numbers.

use serde_json::json;

use super::*;
use crate::protocol::event;
use turnwise_core::prelude::*;

#[test]
fn readings_are_counted_from_notes() {
    let hand = play(Profile::Strict, &[10_000; 3], "", &[(0, to(150)), (1, FOLD), (2, FOLD)]);
    let turn = |seat: &str, kind: TurnKind, reading: Reading| {
        Note::Turn(Turn {
            index: 1,
            round: 1,
            seat: Seat::new(seat),
            call: CallId(1),
            kind,
            sentence: "made up".into(),
            reading,
        })
    };
    let bad = Reading {
        fault: Some(Fault { class: "no_object".into(), detail: "made up".into() }),
        ..Reading::default()
    };
    let read = |repaired: &[&str]| Reading {
        repaired: repaired.iter().map(|one| (*one).to_owned()).collect(),
        applied: json!({ "happened": hand.actions[0].happened }),
        ..Reading::default()
    };
    let notes = [
        turn("1", TurnKind::Invalid, bad.clone()),
        // The rules lifted the raise, and the fence was forgiven.
        turn("1", TurnKind::Move, read(&["a fenced block", "raise_lifted"])),
        turn("2", TurnKind::Move, read(&["raise_lifted"])),
        turn("2", TurnKind::Invalid, bad.clone()),
        turn("2", TurnKind::Invalid, bad),
        Note::Event { name: event::DEAL.into(), detail: json!({}) },
        Note::Event { name: event::HAND.into(), detail: serde_json::to_value(&hand).unwrap() },
        Note::Event { name: event::HAND.into(), detail: json!({ "hand": "no record" }) },
    ];
    let numbers = Numbers::of_notes(notes.iter());
    let counts: Vec<_> =
        numbers.tallies.iter().map(|one| (one.invalid, one.eased, one.repaired)).collect();
    assert_eq!(counts, [(1, 1, 1), (2, 0, 0), (0, 0, 0)]);
    assert_eq!((numbers.hands.len(), numbers.unread), (1, 1));
    assert_eq!(numbers.hands[0].won, [Some(150), Some(-50), Some(-100)]);
}
