//! The authors' result files, read as runs, and runs of ours in their form.

use proptest::prelude::*;
use serde_json::{Value, json};
use turnwise_core::formats::{BadFile, Export, ImportedRun};
use turnwise_core::prelude::*;

use super::files::{matched, numbers};
use super::*;
use crate::results::imported::read;
use turnwise_core::testing::{self, Episode, assert_has, cases, imported, result_file, summaries};

const NAME: &str = "puzzle_math__turtle__openrouter__x-ai_grok__judge=c_d.json";

fn import(file: &Value, name: &str) -> Result<ImportedRun, BadFile> {
    import_bytes(file.to_string().as_bytes(), name)
}

fn import_bytes(file: &[u8], name: &str) -> Result<ImportedRun, BadFile> {
    testing::import(&Math, name, file)
}

fn record(plays: &[Episode]) -> Value {
    testing::report(&Math, &plays[0].0.header.spec, &summaries(&Math, plays)).record
}

fn export(task: &Task, plays: &[Episode]) -> Result<Export, BadFile> {
    testing::export(&Math, None, task, plays)
}

/// What the authors' files tell of a run, and so must come back.
fn told(record: &Value) -> Value {
    let mut told = json!({ "characters": record["tokens_per_episode"]["characters_4"] });
    for key in [
        "mode",
        "n",
        "scored",
        "accuracy",
        "average_rounds",
        "solved_within_rounds",
        "with_final",
        "decided_by",
        "questions",
        "guesses",
        "format_errors",
        "pass_at_k",
    ] {
        told[key] = record[key].clone();
    }
    told
}

fn interactive(problem: &str, history: Value, used: u32, correct: u8) -> Value {
    json!({
        "problem": problem, "solution": "S", "exp_ans": "28", "gen_ans": "so #### 28", "extracted_gen_ans": "28",
        "judge_raw": "$$$$ 1", "extracted_judgement": "1", "correct": correct, "status": "ok", "turtle_history": history,
        "questions_used": used,
        "meta": { "player_model": "x-ai/grok", "judge_model": "c/d", "method": "turtle", "max_rounds": 3 },
    })
}

fn qa(round: u32) -> Value {
    json!({ "type": "qa", "round": round, "question": "a?", "judger_reply": "Yes", "player_raw": "hm QQQQ: a?" })
}

fn guess(round: u32, correct: u8) -> Value {
    json!({ "type": "guess", "round": round, "player_raw": "#### 28", "guess_answer": "28", "grader_judge_raw": "$$$$ 1",
            "grader_extracted": correct.to_string(), "grader_correct": correct, "grader_status": "ok" })
}

#[test]
fn an_interactive_file_has_its_numbers() {
    let last = json!({ "type": "final_answer", "round": 4, "player_raw": "well #### 28" });
    let file = json!([
        interactive("P", json!([qa(1), guess(2, 1)]), 2, 1),
        interactive("Q", json!([qa(1), guess(2, 0), qa(3), last]), 3, 1),
        // A flip in the second grading erases a right guess.
        interactive("R", json!([guess(1, 1)]), 1, 0),
        interactive("S", json!([qa(1), qa(2), guess(3, 0), last]), 3, 0),
    ]);
    let run = import(&file, NAME).expect("a file of the authors");
    assert_eq!(run.said, "4 episodes of x-ai/grok");
    assert!(run.remarks.is_empty() && run.is_kept, "{:?}", run.remarks);
    let plays = imported(&run);
    let found = record(&plays);
    let theirs = (found["accuracy"].as_f64(), found["average_rounds"].as_f64());
    assert_eq!(theirs, numbers(&file));
    assert_has(
        &found,
        &json!({ "average_rounds": 2.5, "questions": 5, "guesses": 4, "decided_by": { "grader": 8 }, "solved_within_rounds": { "value": 0.5 } }),
    );
    let bytes = file.to_string().into_bytes();
    let kept = result_file(NAME, &bytes);
    let back = testing::export(&Math, Some(kept), &task(), &[]).expect("it goes out as it came");
    assert_eq!((back.bytes, back.said.as_str()), (bytes, "4 records"));
    let spec = &plays[0].0.header.spec;
    assert_eq!((&spec.settings["rounds"], spec.tasks.name.as_str()), (&json!(3), "puzzle_math"));
    assert_eq!(spec.seats[&"judge".into()].player.to_string(), "model:imported/c/d");
}

#[test]
fn a_pass_at_k_file_has_its_numbers() {
    let attempt = |correct: u8| json!({ "idx": 0, "gen_ans": "x #### 1", "extracted_gen_ans": "1", "judge_raw": "$$$$ 0", "correct": correct, "status": "ok" });
    let lost = json!({ "idx": 1, "gen_ans": "", "correct": 0, "status": "player_api_error" });
    let problem = |problem: &str, attempts: Value| {
        json!({ "problem": problem, "solution": "S", "exp_ans": "28", "pass_k_correct": 1, "k": 2, "temperature": 0.8,
                "attempts": attempts })
    };
    let file = json!([
        problem("P", json!([attempt(0), attempt(1)])),
        problem("Q", json!([attempt(0), lost])),
    ]);
    let run = import(&file, "theirs.json").expect("a file of the authors");
    assert_eq!(run.said, "4 episodes of here");
    let plays = imported(&run);
    let found = record(&plays);
    assert_eq!(found["pass_at_k"][1]["first"].as_f64(), numbers(&file).0);
    assert_eq!(found["accuracy"], json!(0.25));
    let spec = &plays[0].0.header.spec;
    assert_eq!(spec.repeats, 2);
    assert_eq!(spec.seats[&"player".into()].sampling.temperature, Some(0.8));
}

/// The budget that the authors match, by their estimate of tokens, from imported runs.
#[test]
fn budgets_match_as_in_the_files() {
    let text = |length: usize| "x".repeat(length);
    let naive = |problem: &str, length: usize| {
        json!({ "problem": problem, "solution": "S", "exp_ans": "28", "gen_ans": text(length), "extracted_gen_ans": "28", "correct": 1,
                "status": "ok" })
    };
    let said = |length: usize| json!({ "type": "qa", "question": "?", "judger_reply": "No", "player_raw": text(length) });
    let first = json!([naive("A", 40), naive("B", 41)]);
    let mut long = interactive("B", json!([]), 0, 1);
    long["gen_ans"] = json!(text(100));
    let second = json!([interactive("A", json!([said(60), said(9)]), 2, 1), long]);
    let mean = |file: &Value| {
        let run = import(file, "f.json").expect("a file");
        record(&imported(&run))["tokens_per_episode"]["characters_4"].as_f64()
    };
    let matched = matched(&first, &second);
    assert_eq!((mean(&first), mean(&second)), (matched.0, matched.1));
    assert_eq!((mean(&first), mean(&second)), (Some(10.5), Some(21.5)));
}

#[test]
fn imported_problems_are_the_official_ones() {
    let Some(bytes) = official() else {
        return;
    };
    let rows: Vec<Value> = serde_json::from_slice(&bytes).expect("JSON");
    let answered = |row: &Value| {
        let mut row = row.clone();
        row["gen_ans"] = row["exp_ans"].clone();
        row["correct"] = json!(1);
        row["status"] = json!("ok_exact_match");
        row
    };
    let file: Value = rows.iter().map(answered).collect();
    let name = "puzzle_math__openrouter__a_b__judge=c_d.json";
    let run = import(&file, name).expect("a file");
    assert_eq!(run.said, "52 episodes of a/b");
    let official = Math.read_tasks("puzzle_math.json", &bytes).expect("it loads");
    let plays = imported(&run);
    for ((play, _), task) in plays.iter().zip(&official.tasks) {
        assert_eq!((&play.header.task.id, play.header.task.digest), (&task.id, task.digest));
    }
    assert_eq!(record(&plays)["decided_by"]["text"], json!(52));
}

#[test]
fn what_contradicts_itself_is_refused_or_named() {
    let refused = |file: Value, wanted: &str| {
        let error = import(&file, "f.json").expect_err(wanted).to_string();
        assert!(error.starts_with("f.json: ") && error.contains(wanted), "{error}");
    };
    let good = || interactive("P", json!([qa(1), guess(2, 1)]), 2, 1);
    let with = |pointer: &str, value: Value| {
        let mut record = good();
        *record.pointer_mut(pointer).expect("it has the member") = value;
        json!([record])
    };
    for (pointer, value, wanted) in
        cases::<(&str, Value, &str)>(include_str!("contradictions.jsonl"))
    {
        refused(with(pointer, value), wanted);
    }
    let empty = r#"[{ "problem": "P", "solution": "S", "exp_ans": "1", "k": 0, "attempts": [] }]"#;
    let found = read(empty.as_bytes()).expect_err("no attempt").to_string();
    assert_eq!(found, "row 1, field attempts: it is empty; expected at least one attempt");
    let mut other = interactive("Q", json!([guess(1, 1)]), 1, 1);
    other["meta"]["player_model"] = json!("another/one");
    refused(json!([good(), other]), "row 2, field meta.player_model: it differs");
    for (file, wanted) in [
        (
            with("/questions_used", json!(7)),
            "row 1, questions_used: it is 7, and its history has 2 rounds",
        ),
        (json!([good(), good()]), "row 2 has the problem of row 1, and counts as further repeats"),
        (
            json!([{ "problem": "P", "solution": "S", "exp_ans": "1", "k": 3,
                     "attempts": [{ "gen_ans": "1", "correct": 1 }] }]),
            "row 1, k: it is 3, and there are 1 attempts",
        ),
    ] {
        let run = import(&file, "f.json").expect("it can be read");
        assert!(run.remarks[0].contains(wanted), "{:?}", run.remarks);
    }
}

#[test]
fn what_the_files_cannot_hold_is_not_written() {
    let refused = |plays: &[Played], wanted: &str| {
        let plays: Vec<_> =
            plays.iter().map(|played| (played.play.clone(), played.grading.clone())).collect();
        let error = export(&task(), &plays).expect_err(wanted).to_string();
        assert!(error.contains(wanted), "{error}");
    };
    let strict = spec(Profile::Strict, "interactive", 2, 1);
    refused(&[play(&strict, &["#### 28"], &[])], "profile reference");
    let guesses = spec(Profile::Reference, "guess_only", 1, 1);
    refused(&[play(&guesses, &["#### 28"], &["$$$$ 1", "$$$$ 1"])], "guess_only");
    let twice = spec(Profile::Reference, "interactive", 2, 2);
    refused(&[play(&twice, &["#### 28"], &["$$$$ 1", "$$$$ 1"])], "one repeat");
    let reference = spec(Profile::Reference, "interactive", 2, 1);
    refused(&[play(&reference, &["ERROR"], &[])], "not finished");
    let mut ungraded = play(&reference, &["#### 28"], &["$$$$ 1", "$$$$ 1"]);
    ungraded.grading = None;
    refused(&[ungraded], "not graded");
    refused(&[], "there is no episode in it");
}

const PLAYER: [&str; 6] =
    ["hm QQQQ: is it even?", "no tag", "so #### 28", "#### 27", "", "两次 #### 14 then #### 28"];
const OTHERS: [&str; 6] = ["Yes", "No.", "well $$$$ 1", "$$$$ 0", "", "Irrelevant"];

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_run_of_ours_comes_back_with_the_same_numbers(
        choices in prop::collection::vec(0..6_usize, 40),
        (mode, repeats) in prop::sample::select(vec![("interactive", 1), ("direct", 1), ("direct", 3)]),
        rounds in 1..4_u32,
    ) {
        let spec = spec(Profile::Reference, mode, rounds, repeats);
        let mut choices = choices.into_iter().cycle();
        let played: Vec<Episode> = (1..=repeats)
            .map(|repeat| {
                let played = play_by(&spec, &task(), repeat, |seat| {
                    let texts = if seat == "player" { PLAYER } else { OTHERS };
                    texts[choices.next().expect("it goes round")].to_owned()
                });
                (played.play, played.grading)
            })
            .collect();
        let written = export(&task(), &played).expect("it can be written");
        let file: Value = serde_json::from_slice(&written.bytes).expect("JSON");
        let run = import(&file, "f.json").expect("it can be read");
        prop_assert!(run.remarks.is_empty(), "{:?}", run.remarks);
        prop_assert_eq!(told(&record(&imported(&run))), told(&record(&played)));
    }
}

#[test]
fn files_are_read_however_programs_write_them() {
    let file = json!([interactive("P", json!([qa(1), guess(2, 1)]), 2, 1)]);
    let plain = file.to_string();
    let wanted = import(&file, NAME).expect("a file of the authors").episodes;
    for (from, to) in cases::<(&str, &str)>(include_str!("spellings.jsonl")) {
        assert!(plain.contains(from), "{from}");
        let run = import_bytes(plain.replace(from, to).as_bytes(), NAME);
        assert_eq!(run.map(|run| run.episodes), Ok(wanted.clone()), "{to}");
    }
    let wide: Vec<u8> =
        format!("\u{feff}{plain}").encode_utf16().flat_map(u16::to_be_bytes).collect();
    assert_eq!(import_bytes(&wide, NAME).map(|run| run.episodes), Ok(wanted));
    for (from, to, field) in [
        ("\"questions_used\":2", "\"questions_used\":\"two\"", "row 1, field questions_used"),
        ("\"correct\":1", "\"correct\":NaN", "row 1, field correct"),
    ] {
        let bad = import_bytes(plain.replace(from, to).as_bytes(), NAME);
        let bad = bad.expect_err("it is no number").to_string();
        assert!(bad.contains(field), "{bad}");
    }
}
