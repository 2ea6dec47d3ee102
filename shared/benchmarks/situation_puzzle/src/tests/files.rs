//! Task files, the authors' result files, and the check of new puzzles.

use serde_json::{Value, json};
use turnwise_shared::benchmark::Benchmark;
use turnwise_shared::effect::Effect;
use turnwise_shared::effect::Reply;
use turnwise_shared::prompt::Said;
use turnwise_shared::run::header;
use turnwise_shared::session::{Next, Session};
use turnwise_shared::spec::Profile::{Reference, Strict};
use turnwise_shared::spec::Spec;
use turnwise_shared::task::{Task, TaskSet, TaskSetOrigin};
use turnwise_shared::transcript::{self, Part, SaltKey, Transcript};

use super::{play, rounds, spec, task};
use crate::SituationPuzzle;
use crate::check::{Direct, Heard, Hearing, Verdict, check, direct, heard};
use crate::reading::Token;
use crate::results::{self, ResultFile};
use crate::tasks::{LANGUAGE, field};

fn problem(file: &str) -> String {
    SituationPuzzle
        .read_tasks("puzzles.json", file.as_bytes())
        .expect_err(file)
        .message
}

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
    let read = |file: &str| {
        SituationPuzzle
            .read_tasks("f", file.as_bytes())
            .expect("it can be read")
    };
    let ids = |set: &TaskSet| {
        set.tasks
            .iter()
            .map(|task| task.id.0.clone())
            .collect::<Vec<_>>()
    };
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
    let twice = format!("{}\n{}", row(""), row(""));
    let missing = "row 1, field solution: it is missing or blank; every puzzle needs id, title, setup and solution";
    let long = format!("\"{}\"", "x".repeat(20_001));
    let cases = [
        (row("").replace(r#","solution":"X""#, ""), missing),
        (row("").replace("\"X\"", "\"  \""), missing),
        (row("").replace("\"X\"", "null"), missing),
        (
            row("").replace("\"X\"", "[]"),
            "row 1, field solution: expected text",
        ),
        (
            row("").replace("\"X\"", &long),
            "row 1, field solution: it has more than 20000 characters",
        ),
        (
            row("").replace("\"a\"", "\"a\\u0000\""),
            "row 1, field id: expected 1 to 100 characters",
        ),
        (
            twice,
            "row 2, field id: a is already used in row 1; ids must differ",
        ),
        (
            format!("[{}, 7]", row("")),
            "row 2: invalid type: integer `7`, expected an object with id, title, setup and solution",
        ),
        (
            "[{]".to_owned(),
            "the file begins with [ and is not a JSON list: ",
        ),
        (
            "[]".to_owned(),
            "the file has no puzzles; expected a JSON list of objects, or one object a line",
        ),
        ("\n \n".to_owned(), "the file has no puzzles"),
        (
            format!("{}\nhello", row("")),
            "row 2: the line is not JSON in UTF-8: ",
        ),
        (
            format!("{}", "[".repeat(100_000)),
            "the file begins with [ and is not a JSON list: recursion limit exceeded",
        ),
        (
            row(r#","language":"English""#),
            "row 1, field language: expected a code of two or three lower-case letters",
        ),
        (
            row(r#","questions":[["a?","MAYBE"]]"#),
            "row 1, field questions[0][1]: unknown variant `MAYBE`, expected one of `YES`",
        ),
        (
            row(r#","finals":[["y","YES"]]"#),
            "row 1, field finals: YES does not answer a final",
        ),
        (
            row(r#","finals":[[" ","CORRECT"]]"#),
            "row 1, field finals: it is missing or blank",
        ),
        (
            row(r#","finals":"x""#),
            "row 1, field finals: invalid type: string \"x\", expected a sequence",
        ),
    ];
    for (file, wanted) in cases {
        let found = problem(&file);
        assert!(
            found.starts_with(&format!("puzzles.json: {wanted}")),
            "{found}\nwanted {wanted}"
        );
    }
    let broken = [row("").as_bytes(), b"\n\"\xff\"\n"].concat();
    let found = SituationPuzzle
        .read_tasks("f", &broken)
        .expect_err("it is not UTF-8")
        .message;
    assert!(
        found.starts_with("f: row 2: the line is not JSON in UTF-8: "),
        "{found}"
    );
}

/// A file as the authors' program writes it; the second puzzle was not solved.
fn file() -> Value {
    let puzzle =
        |id: &str| json!({ "id": id, "title": "T", "setup": "S", "solution": "X", "notes": "" });
    let turn = |turn: u32, raw: &str, kind: &str, content: &str, judge: &str, token: &str| json!({ "turn": turn, "player_raw": raw, "kind": kind, "content": content, "judge_raw": judge, "judge_norm": token });
    let result = |id: &str, success: bool, answer: &str, verdict: &str, history: Vec<Value>| {
        json!({
            "puzzle": puzzle(id), "player_model": "x-ai/grok-4.1-fast", "judge_model": "openai/gpt-5-mini", "max_rounds": 2,
            "success": success, "turns_used": history.len(), "final_attempt": answer, "verdict": verdict, "history": history,
        })
    };
    json!({
        "player_model": "x-ai/grok-4.1-fast", "judge_model": "openai/gpt-5-mini", "puzzles_path": "data/puzzles_en.json",
        "max_rounds": 2, "player_temperature": 0.0,
        "results": [
            result("one", true, "x", "CORRECT", vec![
                turn(1, "Q: a?\nFINAL: no", "question", "a?", "yes.", "IRRELEVANT"),
                turn(2, "FINAL: x", "final", "x", " correct", "CORRECT"),
            ]),
            result("two", false, "just prose", "INCORRECT", vec![
                turn(1, "Q: a?", "question", "a?", "BOTH", "BOTH"),
                turn(2, "", "question", "?", "huh", "IRRELEVANT"),
                turn(3, " just prose", "forced_final", "just prose", "", "INCORRECT"),
            ]),
        ],
        "summary": { "num_done": 2, "accuracy": 0.5 },
    })
}

fn read_file(value: &Value) -> ResultFile {
    results::read(value.to_string().as_bytes()).expect("it can be read")
}

fn transcripts(file: &ResultFile) -> Vec<Transcript> {
    let imported = file.transcripts();
    let read = |lines: &[String]| {
        transcript::read(&(lines.join("\n") + "\n")).expect("it is a transcript")
    };
    imported
        .iter()
        .map(|episode| read(&episode.lines))
        .collect()
}

#[test]
fn result_files_come_and_go_without_loss() {
    let mut value = file();
    assert_eq!(json!(read_file(&value)), value);
    let read = read_file(&value);
    assert_eq!(
        read.file_name(),
        "x-ai_grok-4.1-fast__openai_gpt-5-mini.json"
    );
    // By way of transcripts, which can be measured.
    let plays = transcripts(&read);
    let scores: Vec<Option<f64>> = plays
        .iter()
        .map(|play| SituationPuzzle.measure_episode(play, None).score)
        .collect();
    assert_eq!(scores, [Some(1.0), Some(0.0)]);
    let written = results::export(&read.spec(), &read.tasks(), &plays).expect("it can be written");
    assert_eq!(json!(written), value);
    // No hidden story stands in a transcript.
    assert!(
        !read
            .transcripts()
            .iter()
            .any(|episode| episode.lines.join("").contains("\"X\""))
    );
    // Keys that nobody knows stay in the file.
    value["seed"] = json!(7);
    value["results"][0]["cost"] = json!({ "usd": 0.25 });
    assert_eq!(json!(read_file(&value)), value);
    // Without turns it is the authors' way to run direct mode.
    let mut direct_file = file();
    direct_file["max_rounds"] = json!(0);
    direct_file["results"] = json!([]);
    assert_eq!(
        read_file(&direct_file).spec().settings,
        json!({ "mode": "direct" })
    );
}

#[test]
fn a_recorded_reference_run_can_be_written_and_read_again() {
    let spec = rounds(Reference, 2);
    let played = play(
        &spec,
        &["Q: a?", "FINAL: x", "Q: more?"],
        &["yes.", "", "INCORRECT", "CORRECT"],
    );
    let tasks = TaskSet::new("mine", vec![task()], TaskSetOrigin::Plain);
    let written = results::export(&spec, &tasks, std::slice::from_ref(&played.transcript))
        .expect("it can be written");
    assert_eq!(written.results[0].history[0].judge_raw, "yes.");
    assert_eq!(
        written.results[0].final_attempt.as_deref(),
        Some("Q: more?")
    );
    let again = read_file(&json!(written));
    assert_eq!(again, written);
    let back = results::export(&again.spec(), &again.tasks(), &transcripts(&again))
        .expect("it can be written");
    assert_eq!(json!(back), json!(written));
    let refused = |spec: &Spec, plays: &[Transcript]| {
        results::export(spec, &tasks, plays)
            .expect_err("it is refused")
            .to_string()
    };
    assert!(
        refused(&rounds(Strict, 2), &[])
            .starts_with("profile: the format has neither format errors")
    );
    let twice = [played.transcript.clone(), played.transcript];
    assert_eq!(
        refused(&spec, &twice),
        "task one, repeat 1: the puzzle is there already; the format holds one repeat a file"
    );
}

#[test]
fn a_bad_result_file_is_refused_with_its_place() {
    let cases: [(&str, Value, &str); 9] = [
        (
            "/results/1/history/0/kind",
            json!("guess"),
            "results[1].history[0].kind: unknown variant `guess`",
        ),
        (
            "/results/0/history/1/judge_norm",
            json!("YES"),
            "results[0].history[1].judge_norm: YES does not answer a final",
        ),
        (
            "/results/0/history/1/turn",
            json!(3),
            "results[0].history[1].turn: expected 2, got 3",
        ),
        (
            "/results/0/success",
            json!(false),
            "results[0].success: it is false, and the history says true",
        ),
        (
            "/results/1/turns_used",
            json!(2),
            "results[1].turns_used: it is 2, and the history has 3 turns",
        ),
        (
            "/results/1/history/1/kind",
            json!("forced_final"),
            "results[1].history[1].kind: forced_final is the kind of turn 3 alone",
        ),
        (
            "/results/1/puzzle/id",
            json!("one"),
            "results[1].puzzle.id: one is already in results[0]",
        ),
        (
            "/results/0/judge_model",
            json!("m"),
            "results[0].puzzle: models or max_rounds differ from those of the file; split it",
        ),
        (
            "/max_rounds",
            json!(101),
            "max_rounds: expected an integer from 0 to 100, got 101",
        ),
    ];
    for (place, value, wanted) in cases {
        let mut file = file();
        *file.pointer_mut(place).expect("it is there") = value;
        let found = results::read(file.to_string().as_bytes())
            .expect_err(place)
            .to_string();
        assert!(found.starts_with(wanted), "{found}");
    }
    for text in ["", "[]", "{}", "{} {}"] {
        assert!(results::read(text.as_bytes()).is_err(), "{text:?}");
    }
}

fn hear(task: &Task, mut answer: impl FnMut(usize) -> &'static str, judge: &str) -> Option<Heard> {
    let spec = rounds(Strict, 20);
    let pack = SituationPuzzle.pack();
    let header = header(&spec, task, 1, Part::Play);
    let salts = SaltKey::open(&header);
    let episode = Hearing::open(task, &pack).expect("it has a bank");
    let mut session = Session::open(header, Box::new(episode), salts);
    let (mut open, mut asked) = (Vec::new(), 0);
    loop {
        match session.poll() {
            Next::Closed(_) => break,
            Next::Call(call, Effect::Ask(_)) => {
                open.push((call, answer(asked)));
                asked += 1;
            }
            Next::Call(_, other) => panic!("{other:?}"),
            Next::Wait => {
                // Replies may come in any order: here the last asked comes first.
                let (call, text) = open.pop().expect("a call is open");
                session
                    .tell(call, Reply::Said(Said::text(text)))
                    .expect("it fits");
            }
        }
    }
    let heard = heard(&session.transcript())?;
    Some(Heard {
        judge: judge.to_owned(),
        ..heard
    })
}

fn new_puzzle() -> Task {
    let bank = r#","questions":[["a?","YES"],["b?","NO"],["c?","BOTH"],["d?","IRRELEVANT"]],"finals":[["x","CORRECT"],["y","INCORRECT"]]"#;
    let set = SituationPuzzle
        .read_tasks("new", row(bank).as_bytes())
        .expect("it can be read");
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

    let guessed = Direct {
        solved: Some(true),
        ..failed.clone()
    };
    let rejected = check(&tasks, &[failed.clone(), guessed], &both);
    assert_eq!(rejected.0[0].needs_interaction, Verdict::Fails);
    assert!(
        rejected
            .to_string()
            .contains("direct: 1 of 2 answers correct (model:scripted/player)")
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
    let disputed = check(
        &tasks,
        std::slice::from_ref(&failed),
        &[both[0].clone(), other],
    );
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
    assert!(
        check(&bare, &[failed], &both)
            .to_string()
            .contains("the puzzle has no bank")
    );
    assert!(Hearing::open(&bare.tasks[0], &SituationPuzzle.pack()).is_err());
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
