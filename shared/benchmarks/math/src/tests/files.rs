//! Problems and result files.

use super::*;
use crate::answer::{KINDS, kind};
use crate::results::{Form, Results, export, file_name, match_files, player_of};

#[test]
fn samples_have_two_problems_for_each_kind() {
    let samples = Math.samples();
    assert!(samples.tasks.len() >= 24);
    for (_, name) in KINDS {
        let count = samples
            .tasks
            .iter()
            .filter(|task| task.labels["answer"] == name)
            .count();
        assert!(count >= 2, "{count} of {name}");
    }
    for task in &samples.tasks {
        assert!(
            task.fields["solution"].len() > 60,
            "{} has no derivation",
            task.id
        );
    }
}

#[test]
fn official_problems_load_as_they_are() {
    let Some(bytes) = official() else {
        return;
    };
    let tasks = Math
        .read_tasks("puzzle_math.json", &bytes)
        .expect("it loads as it is");
    assert_eq!(tasks.tasks.len(), 52);
    let rows: Vec<serde_json::Value> = serde_json::from_slice(&bytes).expect("JSON");
    for (task, row) in tasks.tasks.iter().zip(&rows) {
        assert_eq!(task.field("answer"), row["exp_ans"].as_str().map(str::trim));
        assert_eq!(task.labels["answer"], kind(&task.fields["answer"]).name());
    }
}

#[test]
fn bad_problems_are_refused_with_row_and_field() {
    let row = r#"{"problem":"P","solution":"S","exp_ans":"1"}"#;
    let long = format!(
        r#"{{"problem":"P","solution":"S","exp_ans":"{}"}}"#,
        "1".repeat(1 << 20)
    );
    for (file, wanted) in [
        (
            format!("[{row},{row}]"),
            "row 2, problem: the same problem or id stands in row 1",
        ),
        (
            format!("{row}\n{{\"problem\":\"Q\",\"exp_ans\":\"1\"}}"),
            "row 2, solution: it is missing or empty",
        ),
        (
            r#"[{"problem":" ","solution":"S","exp_ans":"1"}]"#.to_owned(),
            "row 1, problem: it is missing or empty",
        ),
        (
            r#"[{"problem":"P","solution":"S"}]"#.to_owned(),
            "row 1, exp_ans: it is missing or empty",
        ),
        (
            r#"[{"problem":"P","solution":"S","exp_ans":1}]"#.to_owned(),
            "row 1, exp_ans: expected text, got the number 1",
        ),
        (
            r#"[{"problem":["P"],"solution":"S","exp_ans":"1"}]"#.to_owned(),
            "row 1, problem: expected text",
        ),
        (long, "row 1, exp_ans: it has 1048576 bytes"),
        ("[1]".to_owned(), "row 1, row: expected an object"),
        ("[".to_owned(), "not a JSON array"),
        ("{".to_owned(), "row 1: not JSON"),
        ("[".repeat(100_000), "not a JSON array"),
        ("[]".to_owned(), "there is no problem in it"),
        (String::new(), "there is no problem in it"),
    ] {
        let error = Math
            .read_tasks("f.json", file.as_bytes())
            .expect_err(wanted);
        assert!(
            error.message.starts_with("f.json: ") && error.message.contains(wanted),
            "{}",
            error.message
        );
    }
    let wins = r#"[{"problem":"P","solution":"S","exp_ans":"1","final_answer":"2"}]"#;
    assert_eq!(
        Math.read_tasks("f", wins.as_bytes()).expect("fine").tasks[0].fields["answer"],
        "2"
    );
}

fn naive(problem: &str, answer: &str, correct: u8) -> serde_json::Value {
    json!({
        "problem": problem, "solution": "S", "exp_ans": "28", "gen_ans": answer, "extracted_gen_ans": "28",
        "judge_raw": "$$$$ 1", "extracted_judgement": "1", "correct": correct, "status": "ok",
        "meta": { "provider": "openrouter", "player_model": "a/b", "judge_model": "c/d", "ts": 1.5e9 },
        "later": [null, { "key": "kept" }],
    })
}

#[test]
fn result_files_come_back_as_they_were() {
    let mut interactive = naive("P", "#### 28", 1);
    interactive["turtle_history"] = json!([
        { "type": "qa", "round": 1, "question": "a?", "judger_reply": "Yes", "player_raw": "QQQQ: a?" },
        { "type": "guess", "round": 2, "player_raw": "#### 28", "guess_answer": "28", "grader_judge_raw": "$$$$ 1",
          "grader_extracted": "1", "grader_correct": 1, "grader_status": "ok" },
    ]);
    interactive["questions_used"] = json!(2);
    let attempt = |correct: u8| json!({ "idx": 0, "gen_ans": "x", "correct": correct, "token_usage": { "total_tokens": 3 } });
    let pass = json!({ "problem": "P", "solution": "S", "exp_ans": "28", "pass_k_correct": 1, "k": 2, "temperature": 0.8,
                       "attempts": [attempt(0), attempt(1)], "token_usage": { "total_tokens_all_attempts": 6 } });
    for (file, form, accuracy, rounds) in [
        (
            json!([naive("P", "x", 1), naive("Q", "y", 0)]),
            Form::Naive,
            0.5,
            None,
        ),
        (json!([interactive]), Form::Interactive, 1.0, Some(2.0)),
        (json!([pass]), Form::PassK, 1.0, None),
    ] {
        let read = Results::read(file.to_string().as_bytes()).expect("a file of the authors");
        assert_eq!(read.form, form);
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&read.write()).expect("JSON"),
            file
        );
        let numbers = read.numbers();
        assert_eq!(
            (numbers.accuracy, numbers.average_rounds),
            (Some(accuracy), rounds)
        );
    }
    for (file, wanted) in [
        ("{}", "expected a JSON array"),
        (
            r#"[{"problem":"P","exp_ans":"1","gen_ans":"x"}]"#,
            "row 1, correct",
        ),
        (
            r#"[{"exp_ans":"1","gen_ans":"x","correct":1}]"#,
            "row 1, problem",
        ),
        (r#"[{"turtle_history":[],"attempts":[]}]"#, "split it"),
    ] {
        let error = Results::read(file.as_bytes()).expect_err(wanted);
        assert!(error.contains(wanted), "{error}");
    }
}

/// The two-problem example of 3.e: outputs of 40 and 41 characters; histories of (60, 9) characters and none with an answer of 100.
#[test]
fn the_two_problem_example_holds() {
    let text = |length: usize| "x".repeat(length);
    let interactive = |problem: &str, answer: usize, history: &[usize]| {
        let mut record = naive(problem, &text(answer), 1);
        let entry = |length: &usize| json!({ "type": "qa", "player_raw": text(*length) });
        record["turtle_history"] = history.iter().map(entry).collect();
        record["questions_used"] = json!(1);
        record
    };
    let read =
        |file: serde_json::Value| Results::read(file.to_string().as_bytes()).expect("a file");
    let first = read(json!([
        naive("A", &text(40), 1),
        naive("B", &text(41), 1),
        naive("C", &text(999), 1),
        naive("A", "", 1)
    ]));
    let second = read(json!([
        interactive("A", 5, &[60, 9]),
        interactive("B", 100, &[]),
        interactive("D", 999, &[])
    ]));
    let matched = match_files(&first, &second);
    assert_eq!(
        (matched.naive_mean, matched.interactive_mean),
        (Some(10.5), Some(21.5))
    );
    assert!(
        matched
            .ratio
            .is_some_and(|ratio| (ratio - 2.047_619).abs() < 1e-6)
    );
    assert_eq!((matched.k, matched.overlap), (2, 2));
    assert_eq!(match_files(&read(json!([])), &second).k, 1);
}

#[test]
fn names_of_files_are_those_of_the_authors() {
    let name = file_name(
        Form::Interactive,
        "puzzle_math",
        "x-ai/grok-4.1-fast",
        "openai/gpt-5-mini",
    );
    assert_eq!(
        name,
        "puzzle_math__turtle__openrouter__x-ai_grok-4.1-fast__judge=openai_gpt-5-mini.json"
    );
    assert_eq!(player_of(&name).as_deref(), Some("x-ai/grok-4.1-fast"));
    assert_eq!(player_of("x.json"), None);
}

/// Runs of ours in the authors' form are read as their files.
#[test]
fn our_runs_are_exported() {
    let reference = spec(Profile::Reference, "direct", 20, 2);
    let one = play_task(&reference, &task(), 1, &["#### 27"], &["$$$$ 0"]);
    let two = play_task(&reference, &task(), 2, &["#### 28"], &["$$$$ 1"]);
    let plays = [
        (&one.play, one.grading.as_ref()),
        (&two.play, two.grading.as_ref()),
    ];
    let record = export(Form::PassK, &task(), &plays).expect("over");
    assert_eq!(
        (&record["pass_k_correct"], &record["k"]),
        (&json!(1), &json!(2))
    );
    let read = Results::read(json!([record]).to_string().as_bytes()).expect("a file");
    assert_eq!(read.numbers().accuracy, Some(1.0));
    let naive = export(Form::Naive, &task(), &plays[..1]).expect("over");
    assert_eq!(
        (&naive["gen_ans"], &naive["judge_raw"], &naive["correct"]),
        (&json!("#### 27"), &json!("$$$$ 0"), &json!(0))
    );
    assert!(export(Form::Naive, &task(), &[]).is_err());
    let interactive = play(
        &spec(Profile::Reference, "interactive", 2, 1),
        &["QQQQ: a?", "#### 28"],
        &["Yes", "$$$$ 1", "$$$$ 1"],
    );
    let record = export(
        Form::Interactive,
        &task(),
        &[(&interactive.play, interactive.grading.as_ref())],
    )
    .expect("over");
    let read = Results::read(json!([record]).to_string().as_bytes()).expect("a file");
    assert_eq!(
        (read.form, read.numbers().average_rounds),
        (Form::Interactive, Some(2.0))
    );
}
