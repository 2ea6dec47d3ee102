//! The strict column of README.md ("The two profiles"): what the paper leaves open, closed.

use super::{Given, Played, World, answer, ask, play, ribbon, search, spec};
use crate::mode::Mode::{self, *};
use turnwise_core::prelude::*;

fn run(mode: Mode, k: u32, m: u32, player: &[&str], responder: &[&str]) -> Played {
    let world = World {
        player: player
            .iter()
            .map(|text| match *text {
                "NULL" => Given::Null,
                "ERROR" => Given::Error,
                text => Given::Text(text),
            })
            .collect(),
        responder: responder
            .iter()
            .map(|text| match *text {
                "ERROR" => Given::Error,
                text => Given::Text(text),
            })
            .collect(),
        searches: Vec::new(),
    };
    play(&spec(Profile::Strict, mode, k, m), world)
}

#[test]
fn wrong_arguments_are_an_invalid_turn_not_a_restart() {
    let wrong = r#"{"action":"search","params":{"q":"x"}}"#;
    let played = run(Full, 4, 5, &[wrong, &search("s"), &answer("Foo", "80")], &[]);
    assert_eq!((played.prediction.as_str(), played.calls, played.counts.invalid), ("Foo", 3, 1));
    assert_eq!(ribbon(&played), "?S=");
}

#[test]
fn the_fourth_invalid_reply_in_a_row_ends_the_play() {
    let played = run(Full, 4, 5, &[&search("s"), "x", "NULL", "", "{}"], &[]);
    assert_eq!((played.ending.as_str(), played.prediction.as_str()), ("skipped", ""));
    assert_eq!(played.rounds, ["1/4", "2/4", "2/4", "2/4", "2/4"]);
}

#[test]
fn the_last_round_is_repaired_once() {
    let played = run(AnswerOnly, 10, 5, &["prose", &answer("Foo", "80")], &[]);
    assert_eq!((played.ending.as_str(), played.prediction.as_str()), ("answered", "Foo"));
    assert_eq!(
        (played.flags.as_slice(), played.rounds.len()),
        (&["repaired_final".to_owned()][..], 2)
    );
    let played = run(AnswerOnly, 10, 5, &["prose", "more prose"], &[]);
    assert_eq!(
        (played.ending.as_str(), played.prediction.as_str(), played.calls),
        ("fallback", "", 2)
    );
    let played = run(Full, 2, 5, &[&search("a"), &search("b"), &answer("Foo", "80")], &[]);
    assert_eq!((played.ending.as_str(), played.searches), ("answered", 1));
}

#[test]
fn early_answers_are_refused_also_with_blanks_in_the_name() {
    let blank = r#"{"action":"answer ","params":{"answer":"Foo","confidence":"1"}}"#;
    let played = run(ForcedAsk, 4, 1, &[blank, &ask("k"), blank], &["no"]);
    assert_eq!(
        (played.ending.as_str(), played.counts.ask, played.counts.invalid),
        ("answered", 1, 1)
    );
    assert!(played.shown[1].contains("at least 1 questions first"), "{}", played.shown[1]);
    assert!(played.flags.is_empty());
}

#[test]
fn the_last_round_accepts_an_early_answer_and_says_so() {
    let played = run(ForcedAsk, 3, 2, &[&search("a"), &search("b"), &answer("Foo", "80")], &[]);
    assert_eq!(
        (played.ending.as_str(), played.flags.as_slice()),
        ("answered", &["min_not_met".to_owned()][..])
    );
}

#[test]
fn an_unreadable_responder_is_asked_twice_more() {
    let first = ask("k");
    let last = answer("Foo", "80");
    let played = run(Full, 4, 5, &[&first, &last], &["hm", "I don't know."]);
    assert_eq!((played.shown[1].as_str(), played.flags.len()), ("i don't know", 1));
    let played = run(Full, 4, 5, &[&first, &last], &["hm", "well", "perhaps"]);
    assert_eq!((played.shown[1].as_str(), played.flags.len()), ("i don't know", 3));
    assert_eq!(played.counts.ask, 1);
}

#[test]
fn a_failed_call_leaves_the_episode_incomplete() {
    let played = run(Full, 4, 5, &[&search("s"), "ERROR"], &[]);
    assert_eq!((played.ending.as_str(), played.calls), ("incomplete", 2));
    let played = run(Full, 4, 5, &[&ask("s")], &["ERROR"]);
    assert_eq!(played.ending, "incomplete");
}

#[test]
fn context_stands_before_the_question_in_two_modes() {
    for mode in [FullWithContext, AnswerOnlyWithContext] {
        let last = answer("Foo", "80");
        let played = run(mode, 4, 5, &[&last], &[]);
        assert!(
            played.memory[0].starts_with("[Round 1]\nUser: CONTEXT:\nCTX\n\nQUESTION:\nQ?\n"),
            "{}",
            played.memory[0]
        );
    }
}
