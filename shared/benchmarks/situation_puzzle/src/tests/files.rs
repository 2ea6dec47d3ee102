//! Task files, the authors' result files, and the check of new puzzles.

use serde_json::{Value, json};
use turnwise_core::prelude::*;
use turnwise_core::run::header;
use turnwise_core::session::Session;
use turnwise_core::spec::Profile::{Reference, Strict};
use turnwise_core::testing::{drive_in_order, read};
use turnwise_core::transcript::{Part, SaltKey};

use super::{play, rounds, spec, task, vectors};
use crate::SituationPuzzle;
use crate::check::{Direct, Heard, Hearing, Verdict, check, direct, heard};
use crate::reading::Token;
use crate::results::{self, ResultFile};
use crate::tasks::{LANGUAGE, field};

fn row(more: &str) -> String {
    format!(r#"{{"id":"a","title":"T","setup":"S","solution":"X"{more}}}"#)
}

#[test]
fn both_forms_of_a_file_are_read() {
    let list = format!("\u{feff}[{}, {}]", row(""), row("").replace("\"a\"", "7"));
    let lines = format!(
        "{}\n\n{}\n",
        row(r#","notes":null"#),
        row(r#","language":"fr""#).replace("\"a\"", "\"b\"")
    );
    let read =
        |file: &str| SituationPuzzle.read_tasks("f", file.as_bytes()).expect("it can be read");
    let ids = |set: &TaskSet| set.tasks.iter().map(|task| task.id.0.clone()).collect::<Vec<_>>();
    assert_eq!(ids(&read(&list)), ["a", "7"]);
    let lines = read(&lines);
    assert_eq!(ids(&lines), ["a", "b"]);
    assert_eq!(lines.tasks[1].labels[LANGUAGE], "fr");
    assert_eq!(lines.tasks[0].digest, read(&list).tasks[0].digest);
    let padded = read(&row("").replace("\"S\"", "\"  他为什么哭？ \""));
    assert_eq!(padded.tasks[0].field(field::SETUP), Some("他为什么哭？"));
    assert_eq!(padded.tasks[0].labels[LANGUAGE], "zh");
}

#[test]
fn a_bad_file_is_refused_with_row_and_field() {
    let problem =
        |file: &[u8]| SituationPuzzle.read_tasks("f", file).expect_err("it is refused").message;
    let long = row("").replace("\"X\"", &format!("\"{}\"", "x".repeat(20_001)));
    let broken = [row("").as_bytes(), b"\n\"\xff\"\n"].concat();
    assert_eq!(
        problem(long.as_bytes()),
        "f: row 1, field solution: it has more than 20000 characters"
    );
    assert_eq!(problem(&broken), "f: row 2: it is not UTF-8; save the file as UTF-8");
    assert!(problem("[".repeat(100_000).as_bytes()).contains("nested too deeply"));
    for (file, wanted) in vectors::<Vec<(String, String)>>("bad_files") {
        let found = problem(file.as_bytes());
        assert!(found.starts_with(&format!("f: {wanted}")), "{found}\nwanted {wanted}");
    }
}

/// A file as the authors' program writes it; the second puzzle was not solved.
fn file() -> Value {
    serde_json::from_str(include_str!("results.json")).expect("it is JSON")
}

fn read_file(value: &Value) -> ResultFile {
    results::read(value.to_string().as_bytes()).expect("it can be read")
}

fn transcripts(file: &ResultFile) -> Vec<Transcript> {
    file.transcripts().iter().map(|episode| read(&episode.lines)).collect()
}

#[test]
fn result_files_come_and_go_without_loss() {
    let mut value = file();
    let read = read_file(&value);
    // By way of transcripts, which can be measured.
    let plays = transcripts(&read);
    let scores: Vec<Option<f64>> =
        plays.iter().map(|play| (SituationPuzzle::FACTS.measure)(play, None).score).collect();
    assert_eq!(scores, [Some(1.0), Some(0.0)]);
    let written = results::export(&read.spec(), &read.tasks(), &plays.iter().collect::<Vec<_>>())
        .expect("it can be written");
    assert_eq!(json!(written), value);
    // No hidden story stands in a transcript.
    assert!(!read.transcripts().iter().any(|episode| episode.lines.join("").contains("\"X\"")));
    // Unknown keys change nothing: the file itself goes out again.
    value["seed"] = json!(7);
    value["results"][0]["cost"] = json!({ "usd": 0.25 });
    assert_eq!(read_file(&value), read);
    // Without turns it is the authors' way to run direct mode.
    let mut direct_file = file();
    direct_file["max_rounds"] = json!(0);
    direct_file["results"] = json!([]);
    assert_eq!(read_file(&direct_file).spec().settings, json!({ "mode": "direct" }));
}

#[test]
fn a_recorded_reference_run_can_be_written_and_read_again() {
    let spec = rounds(Reference, 2);
    let played = play(
        &spec,
        &["\n\nQ: a? ", "FINAL: x", "Q: more?"],
        &[" yes.\u{1c}\n", "INCORRECT", "CORRECT"],
    );
    let tasks = TaskSet::new("mine", vec![task()], TaskSetOrigin::Plain);
    let written = results::export(&spec, &tasks, &[&played.transcript]).expect("it can be written");
    let first = &written.results[0].history[0];
    assert_eq!((first.player_raw.as_str(), first.judge_raw.as_str()), ("Q: a?", "yes."));
    // The conversation has what the authors' client hands on, too.
    assert!(played.shown[2].1.contains("\n\nQ: a?\n\nIRRELEVANT"), "{}", played.shown[2].1);
    assert_eq!(written.results[0].final_attempt.as_deref(), Some("Q: more?"));
    let again = read_file(&json!(written));
    assert_eq!(again.results, written.results);
    let back = results::export(
        &again.spec(),
        &again.tasks(),
        &transcripts(&again).iter().collect::<Vec<_>>(),
    )
    .expect("it can be written");
    assert_eq!(json!(back), json!(written));
    let refused = |spec: &Spec, plays: &[&Transcript]| {
        results::export(spec, &tasks, plays).expect_err("it is refused").to_string()
    };
    assert!(refused(&rounds(Strict, 2), &[]).starts_with("the format has neither format errors"));
    let twice = [&played.transcript, &played.transcript];
    assert_eq!(
        refused(&spec, &twice),
        "task one, repeat 1: the puzzle is there already; the format holds one repeat a file"
    );
}

#[test]
fn a_bad_result_file_is_refused_with_its_place() {
    for (place, value, wanted) in vectors::<Vec<(String, Value, String)>>("bad_results") {
        let mut file = file();
        *file.pointer_mut(&place).expect("it is there") = value;
        let found = results::read(file.to_string().as_bytes()).expect_err(&place).to_string();
        assert!(found.starts_with(&wanted), "{found}");
    }
    for text in ["", "[]", "{}", "{} {}"] {
        assert!(results::read(text.as_bytes()).is_err(), "{text:?}");
    }
}

fn hear(task: &Task, mut answer: impl FnMut(usize) -> &'static str, judge: &str) -> Option<Heard> {
    let spec = rounds(Strict, 20);
    let header = header(&spec, task, 1, Part::Play);
    let salts = SaltKey::open(&header);
    let episode = Hearing::open(task, &(SituationPuzzle::FACTS.pack)()).expect("it has a bank");
    let mut session = Session::open(header, Box::new(episode), salts);
    // Replies may come in any order: here the last asked comes first.
    drive_in_order(
        &mut session,
        |call| usize::MAX - call.0 as usize,
        |call, _| Reply::Said(Said::text(answer(call.0 as usize - 1))),
    );
    let heard = heard(&session.transcript())?;
    Some(Heard { judge: judge.to_owned(), ..heard })
}

fn new_puzzle() -> Task {
    let bank = r#","questions":[["a?","YES"],["b?","NO"],["c?","BOTH"],["d?","IRRELEVANT"]],"finals":[["x","CORRECT"],["y","INCORRECT"]]"#;
    let set = SituationPuzzle.read_tasks("new", row(bank).as_bytes()).expect("it can be read");
    set.tasks[0].clone()
}

#[test]
fn a_new_puzzle_is_accepted_if_it_needs_questions_and_judges_agree() {
    const RIGHT: [&str; 6] = ["YES", "No.", "BOTH", "IRRELEVANT", "CORRECT", "INCORRECT"];
    let task = new_puzzle();
    let tasks = TaskSet::new("new", vec![task.clone()], TaskSetOrigin::Plain);
    let direct_spec = spec(Strict, json!({ "mode": "direct" }));
    let mut failed = direct(&play(&direct_spec, &["FINAL: z"], &["INCORRECT"]).transcript)
        .expect("it is direct");
    failed.puzzle = task.id.clone();
    let agreeing = |judge| hear(&task, |at| RIGHT[at], judge).expect("it ended");
    let both = [agreeing("model:a/a"), agreeing("model:b/b")];

    let accepted = check(&tasks, std::slice::from_ref(&failed), &both);
    assert_eq!(
        accepted.to_string(),
        "a: accepted\n  direct: 0 of 1 answers correct\n  judges: 2 agree with the bank on 6 of 6 entries\n\
         1 puzzles: 1 accepted, 0 rejected, 0 undecided"
    );

    let guessed = Direct { solved: Some(true), ..failed.clone() };
    let rejected = check(&tasks, &[failed.clone(), guessed], &both);
    assert_eq!(rejected.0[0].needs_interaction, Verdict::Fails);
    assert!(
        rejected.to_string().contains("direct: 1 of 2 answers correct (model:scripted/player)")
    );

    // The first entry is asked again, because its first reply cannot be read, and then answered otherwise.
    let other = hear(
        &task,
        |at| {
            if at == 0 {
                "hm"
            } else if at == 6 {
                "NO"
            } else {
                RIGHT[at]
            }
        },
        "model:c/c",
    )
    .expect("it ended");
    assert_eq!(other.tokens[0], Some(Token::No));
    let disputed = check(&tasks, std::slice::from_ref(&failed), &[both[0].clone(), other]);
    assert_eq!(disputed.0[0].judges_agree, Verdict::Fails);
    assert!(
        disputed
            .to_string()
            .contains("entry 1 (question): the bank says YES; model:a/a YES, model:c/c NO")
    );

    let open = check(&tasks, &[], &both[..1]);
    assert_eq!(
        (open.0[0].needs_interaction, open.0[0].judges_agree),
        (Verdict::Open, Verdict::Open)
    );
    let mut bare = task.clone();
    bare.fields.insert(field::BANK.to_owned(), String::new());
    let bare = TaskSet::new("new", vec![bare], TaskSetOrigin::Plain);
    assert!(check(&bare, &[failed], &both).to_string().contains("the puzzle has no bank"));
    assert!(Hearing::open(&bare.tasks[0], &(SituationPuzzle::FACTS.pack)()).is_err());
}

#[test]
fn a_transcript_of_something_else_is_no_evidence() {
    let interactive = play(&rounds(Strict, 1), &["FINAL: x"], &["CORRECT"]);
    assert!(direct(&interactive.transcript).is_none());
    assert!(heard(&interactive.transcript).is_none());
    // A hearing tells no text of the hidden bank.
    let task = new_puzzle();
    let heard = hear(&task, |_| "essay", "bot:x").expect("it ended");
    assert_eq!(heard.tokens, vec![None; 6]);
}
