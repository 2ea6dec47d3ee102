use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};
use turnwise_core::prelude::*;
use turnwise_core::prompt::Content;
use turnwise_core::sealed::{Inquired, Inquiry, Verdict};
use turnwise_core::spec::Profile::{self, Reference, Strict};

use super::{drive, failed, play, rounds, spec, task, vectors};
use crate::SituationPuzzle;
use crate::settings::Settings;
use crate::tasks::{LANGUAGE, puzzle};

#[derive(Deserialize)]
struct Vector {
    profile: Profile,
    settings: Value,
    player: Vec<String>,
    judge: Vec<String>,
    ending: String,
    score: Option<f64>,
    turns: String,
    calls: Option<String>,
    #[serde(default)]
    faults: BTreeMap<String, u32>,
    #[serde(default)]
    flags: BTreeMap<String, u32>,
}

/// Specification 1.e, its strict column, and what both leave open: format errors, unreadable judges, direct mode, memory.
#[test]
fn episodes_go_as_the_specification_says() {
    for vector in vectors::<Vec<Vector>>("episodes") {
        let spec = spec(vector.profile, vector.settings);
        let texts =
            |texts: &[String]| texts.iter().map(String::as_str).collect::<Vec<_>>().join(" | ");
        let name = format!("{}: {}", spec.settings, texts(&vector.player));
        let played = play(&spec, &vector.player, &vector.judge);
        let summary = played.summary();
        assert_eq!(
            (played.turns(), &played.outcome.ending),
            (vector.turns, &vector.ending),
            "{name}"
        );
        assert_eq!(
            (summary.score, summary.faults, summary.flags),
            (vector.score, vector.faults, vector.flags),
            "{name}"
        );
        if let Some(calls) = vector.calls {
            assert_eq!(played.calls, calls, "{name}");
        }
        // What a judge says beyond its token reaches no player.
        let to_player = played.shown.iter().filter(|(ask, _)| ask.seat.as_str() == Seat::PLAYER);
        assert!(!to_player.map(|(_, text)| text).any(|text| text.contains("check")), "{name}");
    }
}

#[test]
fn a_judge_with_memory_sees_its_tokens_and_not_its_words() {
    let spec = spec(Strict, json!({ "rounds": 3, "judge_memory": "running" }));
    let played =
        play(&spec, &["Q: a?", "prose", "Q: b?", "FINAL: y"], &["huh", "no.", "YES", "CORRECT"]);
    let last = &played.shown.last().expect("the judge was asked").0;
    let said = last.messages.iter().filter_map(|message| match &message.content {
        Content::Text(text) => Some(text.as_str()),
        Content::Template { .. } => None,
    });
    assert_eq!(said.collect::<Vec<_>>(), ["NO", "YES"]);
}

#[test]
fn prompts_say_what_the_mode_needs() {
    let direct = play(&spec(Strict, json!({ "mode": "direct" })), &["FINAL: x"], &["CORRECT"]);
    assert!(direct.shown[0].1.contains("You cannot ask anything"));
    let error = play(&rounds(Strict, 1), &["prose", "FINAL: x"], &["CORRECT"]);
    assert!(error.shown[1].1.contains("FORMAT_ERROR\nThis turn is used up"));
    assert!(error.shown[1].1.ends_with("FINAL: your answer"));
    let reference = play(&rounds(Reference, 1), &["FINAL: x\nmore"], &["CORRECT"]);
    assert!(reference.shown[1].1.ends_with("\n\nFINAL: x"));
}

/// A person fills in forms, and what they write goes through the same reader.
#[test]
fn people_fill_in_what_models_write() {
    let typed = ["Is he alive?", "He died\nat sea."];
    let mut forms = Vec::new();
    let played = drive(&rounds(Strict, 2), &task(), |ask, _| {
        let text = match &ask.expect {
            Expect::Actions(offered) => {
                forms.push(offered.len());
                offered.last().expect("a form").text(&[typed[1].to_owned()])
            }
            Expect::Choice(words) => words.last().expect("a word").clone(),
            other => panic!("{other:?}"),
        };
        Reply::Said(Said::text(text))
    });
    assert_eq!(forms, [2, 2, 1], "after the last turn only a final answer is offered");
    assert_eq!(played.outcome.result["answer"], json!("He died at sea."));
    assert!(played.faults().is_empty());
    let asked = drive(&rounds(Strict, 1), &task(), |ask, _| match &ask.expect {
        Expect::Actions(offered) => {
            Reply::Said(Said::text(offered[0].text(&[typed[0].to_owned()])))
        }
        _ => Reply::Said(Said::text("NO")),
    });
    assert!(asked.turns().starts_with("question NO"), "{}", asked.turns());
}

#[test]
fn a_failed_call_leaves_the_episode_incomplete() {
    for profile in [Strict, Reference] {
        for failing in [Seat::PLAYER, "judge"] {
            let played = drive(&rounds(profile, 3), &task(), |ask, _| match ask.seat.as_str() {
                seat if seat == failing => failed(),
                _ => Reply::Said(Said::text("Q: a?")),
            });
            assert_eq!(played.outcome.ending, Outcome::INCOMPLETE);
            assert_eq!(played.summary().score, None);
        }
    }
}

#[test]
fn megabytes_do_not_pile_up_in_the_conversation() {
    let long = format!("Q: {}", "x".repeat(1_000_000));
    let essay = "A story. ".repeat(120_000);
    let player: Vec<&str> =
        (0..6).map(|at| if at % 2 == 0 { long.as_str() } else { essay.as_str() }).collect();
    let played = play(&rounds(Strict, 5), &player, &[]);
    assert_eq!(played.turns(), "too_long; no_tag; too_long; no_tag; too_long; no_tag");
    let largest = played.shown.iter().map(|(_, text)| text.len()).max();
    assert!(largest < Some(70_000), "{largest:?}");
}

#[test]
fn the_player_sees_nothing_hidden_and_the_judge_chooses_a_word() {
    let texts =
        ["TITLE-mark", "SETUP-mark", "SOLUTION-mark", "NOTES-mark", "BANK-mark"].map(str::to_owned);
    for language in ["en", "zh"] {
        let mut task = puzzle("one", texts.clone());
        task.labels.insert(LANGUAGE.to_owned(), language.to_owned());
        let sealed = turnwise_core::task::Task {
            fields: SituationPuzzle::FACTS.sealing.expect("it can be sealed").told(&task),
            ..task.clone()
        };
        for profile in [Strict, Reference] {
            let reply = |ask: &turnwise_core::prompt::Ask, before: usize| {
                Reply::Said(Said::text(match &ask.expect {
                    Expect::Choice(words) => words[before % words.len()].clone(),
                    _ if before.is_multiple_of(2) => "Q: a?".to_owned(),
                    _ => "FINAL: b".to_owned(),
                }))
            };
            let played = drive(&rounds(profile, 4), &task, reply);
            let again = drive(&rounds(profile, 4), &sealed, reply);
            assert_eq!(played.turns(), again.turns(), "a sealed task is played alike");
            for (ask, text) in &played.shown {
                assert!(text.contains("SETUP-mark"));
                assert!(!text.contains("TITLE-mark") && !text.contains("BANK-mark"));
                let is_judge = ask.seat.as_str() == "judge";
                assert_eq!(text.contains("SOLUTION-mark"), is_judge);
                assert_eq!(text.contains("NOTES-mark"), is_judge);
                assert_eq!(matches!(&ask.expect, Expect::Choice(_)), is_judge);
                let is_chinese = text.contains("裁判");
                assert_eq!(is_chinese, language == "zh" && profile == Strict, "{text}");
            }
        }
    }
}

#[test]
fn what_is_told_of_a_sealed_judge_reads_as_the_same() {
    let sealing = SituationPuzzle::FACTS.sealing.expect("it can be sealed");
    for profile in [Strict, Reference] {
        let spec = rounds(profile, 2);
        let mut asks = Vec::new();
        drive(&spec, &task(), |ask, before| {
            asks.push(ask.clone());
            let is_player = ask.seat.as_str() == Seat::PLAYER;
            Reply::Said(Said::text(if is_player && before > 0 {
                "FINAL: b"
            } else if is_player {
                "Q: a?"
            } else {
                "INCORRECT"
            }))
        });
        for ask in asks.into_iter().filter(|ask| ask.seat.as_str() == "judge") {
            let hear = |text: &str| {
                let mut inquiry: Box<dyn Inquiry> =
                    sealing.inquire(&spec, &task(), ask.clone()).expect("it can be asked");
                assert!(matches!(inquiry.begin(), Inquired::Ask(_)));
                match inquiry.hear(Reply::Said(Said::text(text))) {
                    Inquired::Told(Verdict(told)) => told,
                    other => panic!("{other:?}"),
                }
            };
            for text in [
                "yes.",
                "No",
                "CORRECT",
                "**INCORRECT**",
                "NOT CORRECT",
                "",
                "SOLUTION is long",
                "BOTH",
            ] {
                let told = hear(text);
                assert_eq!(hear(&told), told, "{text:?} in {profile:?}");
                assert!(told.is_empty() || crate::reading::Token::named(&told).is_some());
            }
        }
    }
}

#[test]
fn settings_that_cannot_be_run_are_named() {
    let problem = |spec| {
        <dyn Benchmark>::check_spec(&SituationPuzzle, &spec)
            .expect_err("it cannot be run")
            .to_string()
    };
    for (profile, settings, wanted) in vectors::<Vec<(Profile, Value, String)>>("bad_settings") {
        let found = problem(spec(profile, settings));
        assert!(found.starts_with(&wanted), "{found}");
    }
    let mut empty = rounds(Strict, 5);
    empty.seats.remove(&Seat::new("judge"));
    assert_eq!(
        problem(empty),
        "seats.judge: the seat is empty; choose a player for it, e.g. bot:bank"
    );
}

#[test]
fn settings_without_effect_divide_no_boards() {
    let binding = |settings: &_| <dyn Benchmark>::binding_settings(&SituationPuzzle, settings);
    let usual = json!(Settings::default());
    assert_eq!(binding(&json!({})), usual);
    assert_eq!(binding(&json!({ "rounds": 20 })), usual);
    let direct = binding(&json!({ "mode": "direct", "rounds": 5, "judge_memory": "running" }));
    assert_eq!(direct, binding(&json!({ "mode": "direct" })));
    assert_ne!(binding(&json!({ "rounds": 5 })), usual);
}

/// Remarks stand in the authors' prompt of the judge only where there are some.
#[test]
fn remarks_for_the_judge_stand_only_where_there_are_some() {
    let told = |notes: &str| {
        let mut task = task();
        task.fields.insert("notes".to_owned(), notes.to_owned());
        let played = drive(&rounds(Reference, 1), &task, |ask, _| {
            let text = if ask.seat.as_str() == Seat::PLAYER { "FINAL: x" } else { "CORRECT" };
            Reply::Said(Said::text(text))
        });
        played.shown[1].1.clone()
    };
    assert!(told("only at night").contains("Remarks: only at night"));
    assert!(!told("").contains("Remarks"), "{}", told(""));
    assert!(!told("").contains("{?"));
}
