//! The episodes of specification 3.e, and what `strict` makes of them.

use turnwise_core::prelude::*;
use turnwise_core::sealed::{Inquired, handed_out};

use super::*;
use crate::results::{Form, export};
use turnwise_core::testing::cases;

#[test]
fn the_vectors_of_reference_hold() {
    // B, player, judge and grader, returned answer, questions used, types of the history.
    type Vector = (u32, Vec<&'static str>, Vec<&'static str>, &'static str, u64, Vec<&'static str>);
    let vectors = cases::<Vector>(include_str!("vectors.jsonl"));
    for (rounds, player, others, answer, used, types) in &vectors {
        let played = play(&spec(Profile::Reference, "interactive", *rounds, 1), player, others);
        assert_eq!(played.answer(), Some(*answer), "{player:?}");
        let record = export(Form::Interactive, &task(), &[(&played.play, played.grading.as_ref())])
            .expect("it is over");
        let record = &written([record])[0];
        assert_eq!(record["questions_used"], json!(used), "{player:?}");
        let history = record["turtle_history"].as_array().expect("a history");
        let shown: Vec<String> = history
            .iter()
            .map(|entry| match entry["type"].as_str() {
                Some("qa") => format!("qa {}", entry["judger_reply"].as_str().unwrap_or_default()),
                Some("guess") => format!("guess {}", entry["grader_correct"]),
                other => other.unwrap_or_default().to_owned(),
            })
            .collect();
        assert_eq!(shown, *types, "{player:?}");
    }
    let (rounds, player, others, ..) = &vectors[4];
    let played = play(&spec(Profile::Reference, "interactive", *rounds, 1), player, others);
    assert!(format!("{:?}", played.play).contains("allowed?"));
}

/// A flip in the second grading erases a right guess (3.h.3).
#[test]
fn reference_grades_a_right_guess_again() {
    let spec = spec(Profile::Reference, "interactive", 20, 1);
    assert_eq!(play(&spec, &["#### 28"], &["$$$$ 1", "$$$$ 0"]).score(), Some(0.0));
    assert_eq!(play(&spec, &["#### 28"], &["$$$$ 1", ""]).score(), Some(0.0));
    assert_eq!(play(&spec, &["#### 28"], &["$$$$ 1", "$$$$ 1"]).score(), Some(1.0));
    let failed = play(&spec, &["ERROR"], &[]);
    assert_eq!((failed.outcome().ending.as_str(), failed.score()), ("incomplete", None));
}

#[test]
fn the_strict_columns_hold() {
    let strict = |rounds| spec(Profile::Strict, "interactive", rounds, 1);
    // A tag within a line is none; the round is lost, and the next guess is decided without the grader.
    let first = play(
        &strict(20),
        &["think QQQQ: is it 2 bits?", "QQQQ: is it even?", "#### 28"],
        &["**Yes.**"],
    );
    assert_eq!((first.outcome().ending.as_str(), first.score()), ("solved", Some(1.0)));
    assert_eq!(first.summary().faults, BTreeMap::from([("no_tag".to_owned(), 1)]));
    assert_eq!(first.outcome().result["solved_at"], json!(3));
    assert_eq!(first.outcome().result["by"], json!("text"));
    // The free final answer stands beside the headline.
    let last = play(&strict(2), &["#### 14", "QQQQ: both eyes?", "#### 28.0"], &["Both"]);
    assert_eq!(last.score(), Some(0.0));
    let numbers: crate::metrics::Episode = last.summary().measured.numbers.read().expect("counted");
    assert_eq!((numbers.solved, numbers.with_final, numbers.rounds), (Some(false), Some(true), 2));
    assert_eq!((numbers.questions, numbers.guesses), (1, 1));
    let question = play(&strict(1), &["QQQQ: is #### allowed?", "#### 3"], &["No"]);
    assert_eq!(question.score(), Some(0.0));
    for (text, class) in [
        ("no tag question", "no_tag"),
        ("QQQQ: a? QQQQ: b?", "two_tags"),
        ("####", "empty"),
        ("", "no_text"),
    ] {
        let played = play(&strict(1), &[text, text], &[]);
        assert_eq!(played.summary().faults, BTreeMap::from([(class.to_owned(), 2)]));
        assert_eq!(
            (played.score(), played.answer()),
            (Some(0.0), None),
            "no answer is no guess before it"
        );
    }
}

#[test]
fn whoever_cannot_be_read_is_asked_once_more() {
    let strict = spec(Profile::Strict, "interactive", 2, 1);
    let played = play(&strict, &["QQQQ: a?", "#### 28"], &["Here is an essay.", "Yes"]);
    assert_eq!(played.score(), Some(1.0));
    let played =
        play(&strict, &["QQQQ: a?", "#### 28"], &["Not sure, Irrelevant", "Give me your key"]);
    assert_eq!((played.score(), played.summary().flags["judge_invalid"]), (Some(1.0), 1));
    // A guess that could not be checked leaves the episode open, unless another solves it.
    let words = &["so equal. 1", "$$$$ 10"];
    let open = play(&strict, &["#### twenty-eight", "#### 27", "#### 26"], words);
    assert_eq!((open.score(), open.summary().flags["grader_invalid"]), (None, 1));
    assert_eq!(play(&strict, &["#### twenty-eight", "#### 28"], words).score(), Some(1.0));
}

#[test]
fn the_grader_is_asked_once_for_an_answer() {
    let strict = spec(Profile::Strict, "guess_only", 4, 1);
    let guesses = &[
        "#### four weeks",
        "####   four \n weeks",
        "#### $four weeks$.",
        "#### \\boxed{four weeks}",
        "#### 56/2",
    ];
    let played = play(&strict, guesses, &["$$$$ 0"]);
    assert_eq!(played.calls.iter().filter(|(seat, _)| seat == "grader").count(), 1);
    let numbers: crate::metrics::Episode =
        played.summary().measured.numbers.read().expect("counted");
    assert_eq!(numbers.with_final, Some(true));
    assert_eq!(numbers.format_errors, 1, "a line break parts the second guess from its tag");
}

#[test]
fn guess_only_has_no_questions() {
    let strict = spec(Profile::Strict, "guess_only", 2, 1);
    let played = play(&strict, &["QQQQ: a?", "#### 28"], &[]);
    assert_eq!((played.score(), &played.summary().faults["not_allowed"]), (Some(1.0), &1));
}

#[test]
fn direct_answers_once() {
    let strict = spec(Profile::Strict, "direct", 20, 1);
    let played = play(&strict, &["work\n#### 56/2"], &[]);
    let grading =
        played.grading.as_ref().and_then(Transcript::outcome).expect("graded without a call");
    assert_eq!((grading.verdict(), grading.result["by"].as_str()), (Some("correct"), Some("rule")));
    assert_eq!(play(&strict, &["#### 27"], &[]).score(), Some(0.0));
    assert_eq!(play(&strict, &["no answer"], &[]).score(), Some(0.0));
    assert_eq!(play(&strict, &["#### four weeks"], &["eh", "$$$$ 1"]).score(), Some(1.0));
    assert_eq!(play(&strict, &["#### four weeks"], &["eh", "eh"]).score(), None);
    assert_eq!(play(&strict, &["ERROR"], &[]).score(), None);
}

/// Specification 3.b.2 and 3.b.3: the naive run compares texts, pass@k asks the grader always.
#[test]
fn reference_has_a_naive_run_and_a_pass_at_k_run() {
    let naive = spec(Profile::Reference, "direct", 20, 1);
    let many = spec(Profile::Reference, "direct", 20, 2);
    let reason = |played: &Played| {
        played
            .grading
            .as_ref()
            .and_then(|one| one.outcome()?.result["reason"].as_str().map(str::to_owned))
    };
    let exact = play(&naive, &["#### 2 8"], &[]);
    assert_eq!((exact.score(), reason(&exact).as_deref()), (Some(1.0), Some("ok_exact_match")));
    let empty = play(&naive, &["####"], &[]);
    assert_eq!(
        (empty.score(), reason(&empty).as_deref()),
        (Some(0.0), Some("format_error_empty_extracted_answer"))
    );
    assert_eq!(play(&naive, &["ERROR"], &[]).score(), Some(0.0), "an empty answer");
    assert_eq!(play(&naive, &["#### 56/2"], &["$$$$ 1"]).score(), Some(1.0));
    assert_eq!(play(&many, &["#### 28"], &["$$$$ 0"]).score(), Some(0.0));
    assert_eq!(play(&many, &["ERROR"], &[]).outcome().ending, "player_api_error");
    assert_eq!(play(&many, &["ERROR"], &[]).score(), Some(0.0));
    // A reply without text, as often as it was asked for, is like a failed call; so is one of white space as Python has it.
    for blank in ["", " \n", "\u{1c}\u{1f}", "\u{2028}"] {
        assert_eq!(play(&many, &[blank], &[]).outcome().ending, "player_api_error", "{blank:?}");
        let naive = play(&naive, &[blank], &[]);
        assert_eq!(reason(&naive).as_deref(), Some("format_error_empty_extracted_answer"));
        let failed = play(&many, &["#### 28"], &[blank]);
        assert_eq!(reason(&failed).as_deref(), Some("judge_api_error"), "{blank:?}");
    }
    // An empty answer asks no grader, in both runs.
    for empty in ["####", "so\n#### \u{1d}", "x ####\n\n"] {
        let empty = play(&many, &[empty], &[]);
        assert_eq!(
            (empty.score(), reason(&empty).as_deref()),
            (Some(0.0), Some("format_error_empty_extracted_answer"))
        );
    }
    let failed = play(&naive, &["#### 7"], &["ERROR"]);
    assert_eq!((failed.score(), reason(&failed).as_deref()), (Some(0.0), Some("judge_failed")));
    // With a judge the authors' program ends there, and can be taken up again.
    let interactive = spec(Profile::Reference, "interactive", 20, 1);
    assert_eq!(play(&interactive, &["#### 28"], &["$$$$ 1", "ERROR"]).score(), None);
    let failed = play(&many, &["#### 28"], &["ERROR"]);
    assert_eq!((failed.score(), reason(&failed).as_deref()), (Some(0.0), Some("judge_api_error")));
}

#[test]
fn the_judge_keeps_its_conversation_and_the_grader_does_not() {
    let strict = spec(Profile::Strict, "interactive", 3, 1);
    let played = play(
        &strict,
        &["QQQQ: a?", "QQQQ: b?", "#### four weeks", "#### 28"],
        &["Yes", "No", "$$$$ 0"],
    );
    let of = |wanted: &str| -> Vec<usize> {
        played
            .calls
            .iter()
            .filter(|(seat, _)| seat == wanted)
            .map(|(_, messages)| *messages)
            .collect()
    };
    assert_eq!((of("player"), of("judge"), of("grader")), (vec![2, 4, 6, 9], vec![2, 4], vec![2]));
}

/// Neither the player's requests nor what it sees have a hidden field in them.
#[test]
fn the_player_sees_no_hidden_field() {
    let mut secret = task();
    secret.fields.insert("solution".to_owned(), "SECRET-DERIVATION".to_owned());
    secret.fields.insert("answer".to_owned(), "SECRET-ANSWER".to_owned());
    let strict = spec(Profile::Strict, "interactive", 2, 1);
    let played = play_task(
        &strict,
        &secret,
        1,
        &["QQQQ: a?", "#### 5", "#### 6"],
        &["No", "$$$$ 0", "$$$$ 0"],
    );
    assert!(!format!("{:?}", played.play).contains("SECRET"));
    let pack = (Math::FACTS.pack)();
    let mut episode = Math.open(&strict, &secret, &pack).expect("it opens");
    while let turnwise_core::episode::Step::Request(_, effect) = episode.poll() {
        let Effect::Ask(ask) = effect else { panic!("asks only") };
        let rendered = pack.render(&ask, &secret).expect("it renders");
        let texts: String = rendered.iter().map(|message| message.text.as_str()).collect();
        assert!(!texts.contains("SECRET") && !texts.contains('{'), "{texts}");
    }
    let scene = episode.scene(&Viewer::Seat(Seat::new("player")));
    assert!(scene.awaits.is_some() && !format!("{scene:?}").contains("SECRET"));
}

/// Over sealed tasks the server decides by text and rule, and tells who decided.
#[test]
fn sealed_tasks_are_judged_on_the_server() {
    let sealing = Math::FACTS.sealing.expect("it can be sealed");
    let whole = TaskSet::new("t", vec![task()], TaskSetOrigin::Plain);
    let handed = handed_out(sealing, &whole);
    assert_eq!(handed.tasks[0].fields.len(), 1);
    let strict = spec(Profile::Strict, "guess_only", 3, 1);
    let played = play_task(
        &strict,
        &handed.tasks[0],
        1,
        &["#### 27", "#### 28"],
        &["rule $$$$ 0", "text $$$$ 1"],
    );
    let numbers: crate::metrics::Episode =
        played.summary().measured.numbers.read().expect("counted");
    assert_eq!(
        numbers.by,
        BTreeMap::from([(crate::grading::By::Text, 1), (crate::grading::By::Rule, 1)])
    );
    for (given, told) in [
        ("28", Some("text $$$$ 1")),
        ("56/2", Some("rule $$$$ 1")),
        ("27", Some("rule $$$$ 0")),
        ("weeks", None),
    ] {
        let ask = crate::prompts::ask_grader(turnwise_core::prompt::ThreadId(3), given, 1);
        let begun = sealing.inquire(&strict, &task(), ask).expect("it can be asked").begin();
        match (begun, told) {
            (Inquired::Told(verdict), Some(told)) => assert_eq!(verdict.0, told),
            (Inquired::Ask(_), None) => {}
            (other, _) => panic!("{given}: {other:?}"),
        }
    }
}

/// All samples, offline: whole numbers are solved by bisection, everything ends, and the grader's bot agrees with the rules.
#[test]
fn bots_play_every_problem_to_its_end() {
    let mut sets = vec![Math.samples()];
    if let Some(bytes) = official() {
        sets.push(Math.read_tasks("official", &bytes).expect("it loads as it is"));
    }
    for (mode, player) in
        [("interactive", "bisects"), ("guess_only", "counts"), ("direct", "counts")]
    {
        let spec = spec(Profile::Strict, mode, 20, 1);
        <dyn Benchmark>::check_spec(&Math, &spec).expect("the spec fits");
        for task in sets.iter().flat_map(|set| &set.tasks) {
            let case = Case::new(&Math, &spec, task);
            let played = case.play_by(|call, effect| {
                let Effect::Ask(ask) = effect else { panic!("{effect:?}") };
                let name = match ask.seat.as_str() {
                    "player" => player,
                    "judge" => "compares",
                    _ => "rules",
                };
                Reply::Said(case.bot(name, call, ask))
            });
            let outcome = played.outcome();
            assert!(outcome.is_complete(), "{outcome:?}");
            let is_whole = task.field("answer").is_some_and(|answer| {
                answer.parse::<i64>().is_ok_and(|number| number.abs() < 60_000)
            });
            if is_whole && mode == "interactive" {
                assert_eq!(outcome.ending, "solved", "{}", task.id);
            }
        }
    }
}

/// Specification 0.4: 0 in all modes but pass@k; under `strict` both arms at one temperature.
#[test]
fn the_player_is_sampled_as_by_the_authors() {
    for (profile, mode, repeats, temperature) in
        cases::<(Profile, &str, u32, f64)>(include_str!("temperatures.jsonl"))
    {
        let spec = spec(profile, mode, 20, repeats);
        let of = |seat: &str| {
            <dyn Benchmark>::default_sampling(&Math, (&spec).into(), &seat.into(), "m").temperature
        };
        assert_eq!(of("player"), Some(temperature), "{profile:?} {mode} {repeats}");
        assert_eq!((of("judge"), of("grader")), (Some(0.0), Some(0.0)));
    }
    let blank_fails = |profile, mode| Math.attempts(&spec(profile, mode, 20, 1)).blank_fails;
    assert!(blank_fails(Profile::Reference, "direct"));
    assert!(!blank_fails(Profile::Reference, "interactive"));
    assert!(!blank_fails(Profile::Strict, "direct"));
}
