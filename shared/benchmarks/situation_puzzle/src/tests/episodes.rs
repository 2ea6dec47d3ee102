use serde_json::json;
use turnwise_shared::benchmark::Benchmark;
use turnwise_shared::effect::Reply;
use turnwise_shared::episode::Outcome;
use turnwise_shared::prompt::{Content, Expect, Said};
use turnwise_shared::sealed::{Inquired, Inquiry, Verdict};
use turnwise_shared::seat::Seat;
use turnwise_shared::spec::Profile::{self, Reference, Strict};

use super::{drive, failed, play, rounds, spec, task};
use crate::SituationPuzzle;
use crate::protocol::{ANSWERS_FOR_JUDGE, EMPTY_ATTEMPTS, JUDGE_INVALID, JUDGE_UNREADABLE, ending};
use crate::settings::Settings;
use crate::tasks::{LANGUAGE, puzzle};

#[test]
fn the_episodes_of_the_specification_in_reference() {
    let long = "P2 J2 P4 J4 P7 J6";
    type Row<'a> = (u32, &'a [&'a str], &'a [&'a str], bool, &'a str, &'a str);
    let rows: [Row<'_>; 5] = [
        (
            20,
            &["Q: a?", "FINAL: x"],
            &["YES", "CORRECT"],
            true,
            "question YES; final CORRECT",
            "P2 J2 P4 J4",
        ),
        (
            2,
            &["Q: a?", "FINAL: x", "FINAL: y"],
            &["yes.", "INCORRECT", "CORRECT"],
            true,
            "question IRRELEVANT; final INCORRECT; forced_final CORRECT",
            long,
        ),
        (
            2,
            &["Q: a?", "Q: b?", "just prose"],
            &["BOTH", "huh", "INCORRECT"],
            false,
            "question BOTH; question IRRELEVANT; forced_final INCORRECT",
            long,
        ),
        (
            2,
            &["Q: a?", "FINAL: x", "Q: more?"],
            &["NO", "INCORRECT", "CORRECT"],
            true,
            "question NO; final INCORRECT; forced_final CORRECT",
            long,
        ),
        (
            20,
            &["FINAL:"],
            &["CORRECT"],
            true,
            "final CORRECT",
            "P2 J2",
        ),
    ];
    for (budget, player, judge, success, turns, calls) in rows {
        let played = play(&rounds(Reference, budget), player, judge);
        assert_eq!(
            played.outcome.ending == ending::SOLVED,
            success,
            "{player:?}"
        );
        assert_eq!(
            (played.turns().as_str(), played.calls.as_str()),
            (turns, calls),
            "{player:?}"
        );
        let asked = &played.shown.last().expect("the judge was asked").1;
        let content = player
            .last()
            .expect("a message")
            .trim_start_matches("FINAL:")
            .trim();
        assert!(
            asked.ends_with(format!("FINAL: {content}").as_str()),
            "{asked}"
        );
    }
}

#[test]
fn the_episodes_of_the_specification_in_strict() {
    let spec = rounds(Strict, 2);
    let played = play(
        &spec,
        &["Q: a?", "FINAL: x", "FINAL: y"],
        &["yes.", "INCORRECT", "CORRECT"],
    );
    assert_eq!(
        played.turns(),
        "question YES; final INCORRECT; forced_final CORRECT"
    );
    assert_eq!(played.outcome.ending, ending::SOLVED_BY_FORCED_FINAL);
    assert_eq!(played.summary().score, Some(0.0));
    // The judge is stateless: a system message and one user message.
    assert_eq!(played.calls, "P2 J2 P4 J2 P7 J2");

    let played = play(&spec, &["Q: a?", "Q: b?", "just prose"], &["BOTH", "NO"]);
    assert_eq!(played.turns(), "question BOTH; question NO; no_tag");
    assert_eq!(played.outcome.ending, ending::UNSOLVED);

    let played = play(
        &spec,
        &["Q: a?", "FINAL: x", "Q: more?"],
        &["NO", "INCORRECT"],
    );
    assert_eq!(played.turns(), "question NO; final INCORRECT; not_final");

    let played = play(
        &rounds(Strict, 20),
        &["Q: a?", "FINAL: x"],
        &["YES", "CORRECT"],
    );
    assert_eq!(played.summary().score, Some(1.0));
}

#[test]
fn a_format_error_costs_a_turn_and_is_counted_by_class() {
    let player = ["Q: a?\nQ: b?", "prose", "FINAL:", "FINAL: x\nCORRECT"];
    let played = play(&rounds(Strict, 3), &player, &["INCORRECT"]);
    assert_eq!(
        played.turns(),
        "two_questions; no_tag; empty; forced_final INCORRECT"
    );
    let counted = played.faults().into_iter().collect::<Vec<_>>();
    assert_eq!(
        counted,
        [
            ("empty".into(), 1),
            ("no_tag".into(), 1),
            ("two_questions".into(), 1)
        ]
    );
    assert_eq!(played.flags(ANSWERS_FOR_JUDGE), 1);
    assert!(
        played.shown[1]
            .1
            .contains("FORMAT_ERROR\nThis turn is used up")
    );
}

#[test]
fn an_unreadable_judge_is_asked_once_more() {
    let spec = rounds(Strict, 2);
    let essay = "Let me think about this. The man may be alive, but the story does not say so. Tell him to look at the check.";
    let played = play(
        &spec,
        &["Q: a?", "FINAL: x"],
        &[essay, "NO", "NOT CORRECT", "Correct."],
    );
    assert_eq!(played.turns(), "question NO; final CORRECT");
    assert_eq!(played.flags(JUDGE_UNREADABLE), 2);
    assert!(played.faults().is_empty());
    // Nothing of the essay reaches the player.
    assert!(
        !played
            .shown
            .iter()
            .any(|(ask, text)| ask.seat.as_str() == Seat::PLAYER && text.contains("check"))
    );

    let played = play(
        &spec,
        &["Q: a?", "Q: b?", "FINAL: y"],
        &["huh", essay, "YES", "CORRECT"],
    );
    assert_eq!(
        played.turns(),
        "question NO_ANSWER; question YES; forced_final CORRECT"
    );
    assert_eq!(played.faults()[JUDGE_INVALID], 1);
    assert_eq!(played.summary().score, Some(0.0));
}

#[test]
fn a_final_answer_that_nobody_judged_leaves_no_score() {
    let open = play(
        &rounds(Strict, 1),
        &["FINAL: x", "FINAL: y"],
        &["perhaps", "YES", "INCORRECT"],
    );
    assert_eq!(open.outcome.ending, ending::JUDGE_INVALID);
    assert_eq!(open.summary().score, None);
    let with_final = play(
        &rounds(Strict, 1),
        &["FINAL: x", "FINAL: y"],
        &["perhaps", "YES", "CORRECT"],
    );
    assert_eq!(
        (
            with_final.outcome.ending.as_str(),
            with_final.summary().score
        ),
        (ending::JUDGE_INVALID, None)
    );
    // Solved later, within the turns: the open verdict no longer matters.
    let solved = play(
        &rounds(Strict, 2),
        &["FINAL: x", "FINAL: y"],
        &["perhaps", "YES", "CORRECT"],
    );
    assert_eq!(
        (solved.outcome.ending.as_str(), solved.summary().score),
        (ending::SOLVED, Some(1.0))
    );
    // The forced final stands beside the headline and cannot leave it open.
    let forced = play(
        &rounds(Strict, 1),
        &["Q: a?", "FINAL: y"],
        &["NO", "perhaps", "YES"],
    );
    assert_eq!(
        (forced.outcome.ending.as_str(), forced.summary().score),
        (ending::UNSOLVED, Some(0.0))
    );
}

#[test]
fn direct_mode_asks_for_one_answer() {
    let direct = |profile: Profile| spec(profile, json!({ "mode": "direct" }));
    let strict = play(&direct(Strict), &["I think.\nFINAL: x"], &["CORRECT"]);
    assert_eq!(
        (strict.calls.as_str(), strict.turns().as_str()),
        ("P1 J2", "forced_final CORRECT")
    );
    assert_eq!(strict.summary().score, Some(1.0));
    assert!(strict.shown[0].1.contains("You cannot ask anything"));
    let refused = play(&direct(Strict), &["Q: may I ask?"], &[]);
    assert_eq!(
        (refused.turns().as_str(), refused.summary().score),
        ("not_final", Some(0.0))
    );
    let open = play(&direct(Strict), &["FINAL: x"], &["", "hm"]);
    assert_eq!(open.summary().score, None);
    // The authors' program with a budget of 0: system, story, forced final.
    let reference = play(&direct(Reference), &["some prose"], &["CORRECT"]);
    assert_eq!(
        (reference.calls.as_str(), reference.turns().as_str()),
        ("P3 J2", "forced_final CORRECT")
    );
    assert_eq!(reference.summary().score, Some(1.0));
}

#[test]
fn a_running_judge_sees_its_earlier_tokens() {
    let spec = spec(Strict, json!({ "rounds": 3, "judge_memory": "running" }));
    let played = play(
        &spec,
        &["Q: a?", "prose", "Q: b?", "FINAL: y"],
        &["huh", "no.", "YES", "CORRECT"],
    );
    assert_eq!(played.calls, "P2 J2 J2 P4 P6 J4 P9 J6");
    let texts = |content: &Content| match content {
        Content::Text(text) => Some(text.clone()),
        Content::Template { .. } => None,
    };
    let last = &played.shown.last().expect("the judge was asked").0;
    let said: Vec<String> = last
        .messages
        .iter()
        .filter_map(|message| texts(&message.content))
        .collect();
    assert_eq!(said, ["NO", "YES"]);
}

#[test]
fn the_reference_asks_again_after_empty_text_and_then_gives_up() {
    let played = play(
        &rounds(Reference, 1),
        &["", "", "FINAL: x"],
        &["", "correct"],
    );
    assert_eq!(
        (played.calls.as_str(), played.flags("empty_reply")),
        ("P2 P2 P2 J2 J2", 3)
    );
    assert_eq!(played.outcome.ending, ending::SOLVED);
    let silent = vec![""; EMPTY_ATTEMPTS as usize];
    let played = play(&rounds(Reference, 5), &silent, &[]);
    assert_eq!(
        (played.outcome.ending.as_str(), played.summary().score),
        (ending::ERROR, Some(0.0))
    );
    // Blanks are text, and are judged.
    let played = play(&rounds(Reference, 1), &["   ", "x"], &["NO", "INCORRECT"]);
    assert_eq!(played.turns(), "question NO; forced_final INCORRECT");
}

#[test]
fn a_failed_call_leaves_the_episode_incomplete() {
    for profile in [Strict, Reference] {
        for failing in [Seat::PLAYER, "judge"] {
            let played = drive(&rounds(profile, 3), &task(), |ask, _| {
                match ask.seat.as_str() {
                    seat if seat == failing => failed(),
                    _ => Reply::Said(Said::text("Q: a?")),
                }
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
    let player: Vec<&str> = (0..6)
        .map(|at| {
            if at % 2 == 0 {
                long.as_str()
            } else {
                essay.as_str()
            }
        })
        .collect();
    let played = play(&rounds(Strict, 5), &player, &[]);
    assert_eq!(
        played.turns(),
        "too_long; no_tag; too_long; no_tag; too_long; no_tag"
    );
    let largest = played.shown.iter().map(|(_, text)| text.len()).max();
    assert!(largest < Some(70_000), "{largest:?}");
}

#[test]
fn the_player_sees_nothing_hidden_and_the_judge_chooses_a_word() {
    let texts = [
        "TITLE-mark",
        "SETUP-mark",
        "SOLUTION-mark",
        "NOTES-mark",
        "BANK-mark",
    ]
    .map(str::to_owned);
    for language in ["en", "zh"] {
        let mut task = puzzle("one", texts.clone());
        task.labels.insert(LANGUAGE.to_owned(), language.to_owned());
        let sealed = turnwise_shared::task::Task {
            fields: SituationPuzzle
                .sealing()
                .expect("it can be sealed")
                .told(&task),
            ..task.clone()
        };
        for profile in [Strict, Reference] {
            let reply = |ask: &turnwise_shared::prompt::Ask, before: usize| {
                Reply::Said(Said::text(match &ask.expect {
                    Expect::Choice(words) => words[before % words.len()].clone(),
                    _ if before.is_multiple_of(2) => "Q: a?".to_owned(),
                    _ => "FINAL: b".to_owned(),
                }))
            };
            let played = drive(&rounds(profile, 4), &task, reply);
            let again = drive(&rounds(profile, 4), &sealed, reply);
            assert_eq!(
                played.turns(),
                again.turns(),
                "a sealed task is played alike"
            );
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
    let sealing = SituationPuzzle.sealing().expect("it can be sealed");
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
                let mut inquiry: Box<dyn Inquiry> = sealing
                    .inquire(&spec, &task(), ask.clone())
                    .expect("it can be asked");
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
    let problem = |profile, settings| {
        let spec = spec(profile, settings);
        SituationPuzzle
            .check(&spec)
            .expect_err("it cannot be run")
            .to_string()
    };
    let cases = [
        (
            Strict,
            json!({ "rounds": 0 }),
            "settings.rounds: expected an integer from 1 to 100, got 0",
        ),
        (
            Strict,
            json!({ "rounds": [5, 10, 5] }),
            "settings.rounds: 5 is listed twice",
        ),
        (
            Strict,
            json!({ "rounds": [] }),
            "settings.rounds: a sweep has 1 to 20 values, got 0",
        ),
        (
            Strict,
            json!({ "rounds": 1.5 }),
            "settings: rounds must be an integer from 1 to 100, or a list of them",
        ),
        (
            Strict,
            json!({ "mode": "direct", "rounds": [5, 10] }),
            "settings.rounds: in direct mode there are no turns to sweep over; write one number",
        ),
        (
            Reference,
            json!({ "judge_memory": "running" }),
            "settings.judge_memory: in the reference profile the judge always remembers; leave the setting out",
        ),
    ];
    for (profile, settings, wanted) in cases {
        assert_eq!(problem(profile, settings), wanted);
    }
    assert!(problem(Strict, json!({ "turns": 5 })).contains("unknown field `turns`"));
    let mut empty = rounds(Strict, 5);
    empty.seats.remove(&Seat::new("judge"));
    let problem = SituationPuzzle
        .check(&empty)
        .expect_err("nobody judges")
        .to_string();
    assert_eq!(
        problem,
        "seats.judge: the seat is empty; choose a player for it, e.g. bot:bank"
    );
}

#[test]
fn settings_without_effect_divide_no_boards() {
    let binding = crate::settings::binding;
    let usual = json!(Settings::default());
    assert_eq!(binding(&json!({})), usual);
    assert_eq!(binding(&json!({ "rounds": 20 })), usual);
    let direct = binding(&json!({ "mode": "direct", "rounds": 5, "judge_memory": "running" }));
    assert_eq!(direct, binding(&json!({ "mode": "direct" })));
    assert_ne!(binding(&json!({ "rounds": 5 })), usual);
}
