//! Episodes from given replies. The tests of all benchmarks (contract, properties, drivers) play it, too.

use serde_json::json;
use turnwise_core::prelude::*;
use turnwise_core::testing::{Case, FAILED_CALL, Played, play, spec};

use crate::GuessNumber;

/// The registry reads a benchmark's facts when it is compiled.
const _: &str = GuessNumber::FACTS.name;

/// Plays the first sample, 7 of 1 to 10, in three guesses.
fn three(player: &[&str], judge: &[&str]) -> Played {
    play(&GuessNumber, json!({ "guesses": 3 }), &[("player", player), ("judge", judge)])
}

#[test]
fn the_judges_words_lead_to_the_number() {
    let found = three(&["GUESS: 5", "<think>5</think>\nGUESS: 7"], &["HIGHER", "**Equal.**"]);
    assert_eq!((found.outcome().ending.as_str(), found.summary.score), ("found", Some(1.0)));
    assert_eq!(found.outcome().result, json!({ "answer": 7, "guesses": 2 }));
    let lost = three(&["GUESS: 5", "GUESS: 6", "GUESS: 8"], &["HIGHER", "HIGHER", "LOWER"]);
    assert_eq!((lost.outcome().ending.as_str(), lost.summary.score), ("not_found", Some(0.0)));
}

#[test]
fn an_invalid_reply_costs_a_guess_and_is_told() {
    let played = three(&["seven?", "GUESS: 99", "GUESS: 7"], &["EQUAL"]);
    assert_eq!(played.summary.score, Some(1.0));
    let faults = [("no_guess".to_owned(), 1), ("not_in_range".to_owned(), 1)];
    assert_eq!(played.summary.faults, faults.into());
    assert!(played.shown_to("player")[1].contains("INVALID"));
}

#[test]
fn a_judge_that_cannot_be_read_is_asked_once_more() {
    let read = three(&["GUESS: 7"], &["Well.", "EQUAL"]);
    assert_eq!((read.summary.score, read.summary.flags.len()), (Some(1.0), 0));
    let unread = three(&["GUESS: 7", "GUESS: 7"], &["Well.", "higher or lower", "EQUAL"]);
    assert_eq!(unread.summary.flags["judge_invalid"], 1);
}

#[test]
fn a_failed_call_leaves_the_episode_without_a_score() {
    let played = three(&[FAILED_CALL], &[]);
    assert_eq!((played.outcome().is_complete(), played.summary.score), (false, None));
}

#[test]
fn only_the_judge_sees_the_number() {
    let played = three(&["GUESS: 5", "GUESS: 6", "GUESS: 8"], &["HIGHER", "HIGHER", "LOWER"]);
    assert!(played.shown_to("judge")[0].contains("number is 7"));
    assert!(!played.shown_to("player").concat().contains('7'));
}

#[test]
fn bots_play_the_samples_and_the_better_one_finds_more() {
    let found = |player: &str| -> usize {
        let mut spec = spec(&GuessNumber, Profile::Strict, json!({}));
        let seat = spec.seats.get_mut(&"player".into()).expect("there is a player");
        seat.player = player.parse().expect("a bot");
        let samples = GuessNumber.samples().tasks;
        let is_found = |task| {
            let case = Case::new(&GuessNumber, &spec, task);
            case.play_by(|call, effect| case.answer(call, effect)).summary.score == Some(1.0)
        };
        samples.iter().filter(|task| is_found(task)).count()
    };
    assert_eq!((found("bot:halves"), found("bot:counts")), (6, 3));
}

#[test]
fn a_bad_task_file_is_refused_with_row_and_field() {
    for (file, problem) in [
        (
            r#"{"id": 1, "most": 10, "number": 11}"#,
            "f: row 1, field number: expected a number from 1 to 10, got 11",
        ),
        (r#"{"id": 1, "number": 11}"#, "f: row 1, field most: it is missing"),
    ] {
        let refused = GuessNumber.read_tasks("f", file.as_bytes()).expect_err(file);
        assert!(refused.message.starts_with(problem), "{}", refused.message);
    }
}
