//! Problems and result files.

use turnwise_core::prelude::*;

use super::*;
use crate::answer::{Kind, kind};
use crate::metrics::{estimate, matched_k};
use crate::results::imported::{Results, read, recognise};
use crate::results::{Form, dataset_of, export, player_of};
use turnwise_core::testing::{assert_has, cases};

#[test]
fn samples_have_two_problems_for_each_kind() {
    let samples = Math.samples();
    assert!(samples.tasks.len() >= 24);
    for name in Kind::ALL.map(Kind::name) {
        let count = samples.tasks.iter().filter(|task| task.labels["answer"] == name).count();
        assert!(count >= 2, "{count} of {name}");
    }
    for task in &samples.tasks {
        assert!(task.fields["solution"].len() > 60, "{} has no derivation", task.id);
    }
}

#[test]
fn official_problems_load_as_they_are() {
    let Some(bytes) = official() else {
        return;
    };
    let tasks = Math.read_tasks("puzzle_math.json", &bytes).expect("it loads as it is");
    assert_eq!(tasks.tasks.len(), 52);
    let rows: Vec<serde_json::Value> = serde_json::from_slice(&bytes).expect("JSON");
    for (task, row) in tasks.tasks.iter().zip(&rows) {
        assert_eq!(task.field("answer"), row["exp_ans"].as_str().map(str::trim));
        assert_eq!(task.labels["answer"], kind(&task.fields["answer"]).name());
    }
}

#[test]
fn bad_problems_are_refused_with_row_and_field() {
    let refused = |file: &str, wanted: &str| {
        let message = Math.read_tasks("f.json", file.as_bytes()).expect_err(wanted).message;
        assert!(message.starts_with("f.json: ") && message.contains(wanted), "{message}");
    };
    for (file, wanted) in cases::<(&str, &str)>(include_str!("bad_problems.jsonl")) {
        refused(file, wanted);
    }
    let long = "1".repeat(200_000);
    let long = json!([{ "problem": "P", "solution": "S", "exp_ans": long }]).to_string();
    refused(&long, "row 1, field exp_ans: it has 200000 bytes");
    refused(&"[".repeat(100_000), "nested too deeply");
    let wins = r#"[{"problem":"P","solution":"S","exp_ans":"1","final_answer":"2"}]"#;
    assert_eq!(Math.read_tasks("f", wins.as_bytes()).expect("fine").tasks[0].fields["answer"], "2");
}

fn naive(problem: &str, answer: &str, correct: u8) -> serde_json::Value {
    json!({
        "problem": problem, "solution": "S", "exp_ans": "28", "gen_ans": answer, "extracted_gen_ans": "28",
        "judge_raw": "$$$$ 1", "extracted_judgement": "1", "correct": correct, "status": "ok",
        "meta": { "provider": "openrouter", "player_model": "a/b", "judge_model": "c/d", "ts": 1.5e9 },
        "later": [null, { "key": "kept" }],
    })
}

fn file_of(records: &Value) -> Results {
    assert!(recognise(records.to_string().as_bytes()));
    read(records.to_string().as_bytes()).expect("a file of the authors")
}

/// Accuracy and mean rounds of a file, as the authors take them.
pub fn numbers(file: &Value) -> (Option<f64>, Option<f64>) {
    let records = file.as_array().expect("a list");
    let is_correct = |record: &&Value| match record["attempts"].as_array() {
        Some(attempts) => attempts.iter().any(|attempt| attempt["correct"] == json!(1)),
        None => record["correct"] == json!(1),
    };
    let correct: Vec<&Value> = records.iter().filter(is_correct).collect();
    let rounds: Vec<f64> =
        correct.iter().filter_map(|record| record["questions_used"].as_f64()).collect();
    (mean(correct.len() as f64, records.len()), mean(rounds.iter().sum(), rounds.len()))
}

fn mean(sum: f64, n: usize) -> Option<f64> {
    (n > 0).then(|| sum / n as f64)
}

/// Mean tokens of the problems in both files, naive and interactive, and how many samples pay for an interactive episode.
pub fn matched(naive: &Value, interactive: &Value) -> (Option<f64>, Option<f64>, u32) {
    let tokens = |file: &Value| -> BTreeMap<String, u64> {
        // The first record of a problem counts: the last that is collected.
        let records = file.as_array().expect("a list").iter().rev();
        let text = |value: &Value| estimate(value.as_str().unwrap_or_default());
        let tokens = records.map(|record| {
            let history = record["turtle_history"].as_array().filter(|turns| !turns.is_empty());
            let count = match history {
                Some(turns) => turns.iter().map(|turn| text(&turn["player_raw"])).sum(),
                None => text(&record["gen_ans"]),
            };
            (record["problem"].to_string(), count)
        });
        tokens.collect()
    };
    let (naive, interactive) = (tokens(naive), tokens(interactive));
    let both: Vec<(u64, u64)> = naive
        .iter()
        .filter_map(|(problem, tokens)| Some((*tokens, *interactive.get(problem)?)))
        .collect();
    let naive = mean(both.iter().map(|pair| pair.0 as f64).sum(), both.len());
    let interactive = mean(both.iter().map(|pair| pair.1 as f64).sum(), both.len());
    let ratio = interactive.zip(naive).map(|(interactive, naive)| interactive / naive);
    (naive, interactive, ratio.map_or(1, |ratio| matched_k(ratio, Profile::Reference)))
}

#[test]
fn forms_of_result_files_are_told_apart() {
    let mut interactive = naive("P", "#### 28", 1);
    interactive["turtle_history"] = json!([]);
    interactive["questions_used"] = json!(0);
    let attempt =
        json!({ "idx": 0, "gen_ans": "x", "correct": 1, "token_usage": { "total_tokens": 3 } });
    let pass =
        json!({ "problem": "P", "solution": "S", "exp_ans": "28", "k": 1, "attempts": [attempt] });
    for (records, form) in [
        (json!([naive("P", "x", 1), naive("Q", "y", 0)]), Form::Naive),
        (json!([interactive]), Form::Interactive),
        (json!([pass]), Form::PassK),
    ] {
        assert_eq!(file_of(&records).form, form);
    }
    for (records, wanted) in [
        ("{}", "row 1, field problem: it is missing"),
        (r#"[{"problem":"P","solution":"S","exp_ans":"1","gen_ans":"x"}]"#, "row 1, field correct"),
        (r#"[{"exp_ans":"1","gen_ans":"x","correct":1}]"#, "row 1, field problem"),
        (
            &json!([interactive, pass]).to_string(),
            "row 2, field attempts: it differs from the rows before; split",
        ),
    ] {
        let error = read(records.as_bytes()).expect_err(wanted).to_string();
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
    let first = json!([
        naive("A", &text(40), 1),
        naive("B", &text(41), 1),
        naive("C", &text(999), 1),
        naive("A", "", 1)
    ]);
    let second = json!([
        interactive("A", 5, &[60, 9]),
        interactive("B", 100, &[]),
        interactive("D", 999, &[])
    ]);
    assert_eq!(matched(&first, &second), (Some(10.5), Some(21.5), 2));
    assert_eq!(matched(&json!([]), &second).2, 1);
}

#[test]
fn names_of_files_are_those_of_the_authors() {
    let name = "puzzle_math__turtle__openrouter__x-ai_grok-4.1-fast__judge=openai_gpt-5-mini.json";
    assert_eq!(player_of(name).as_deref(), Some("x-ai/grok-4.1-fast"));
    assert_eq!(dataset_of(name).as_deref(), Some("puzzle_math"));
    assert_eq!((player_of("x.json"), dataset_of("x.json")), (None, None));
}

/// Runs of ours in the authors' form are read as their files.
#[test]
fn our_runs_are_exported() {
    let reference = spec(Profile::Reference, "direct", 20, 2);
    let one = play_task(&reference, &task(), 1, &["#### 27"], &["$$$$ 0"]);
    let two = play_task(&reference, &task(), 2, &["#### 28"], &["$$$$ 1"]);
    let plays = [(&one.play, one.grading.as_ref()), (&two.play, two.grading.as_ref())];
    let file = written([export(Form::PassK, &task(), &plays).expect("over")]);
    let record = &file[0];
    assert_has(record, &json!({ "pass_k_correct": 1, "k": 2 }));
    assert_eq!(numbers(&file), (Some(1.0), None));
    let naive = &written([export(Form::Naive, &task(), &plays[..1]).expect("over")])[0];
    assert_has(naive, &json!({ "gen_ans": "#### 27", "judge_raw": "$$$$ 0", "correct": 0 }));
    assert!(export(Form::Naive, &task(), &[]).is_err());
    let interactive = play(
        &spec(Profile::Reference, "interactive", 2, 1),
        &["QQQQ: a?", "#### 28"],
        &["Yes", "$$$$ 1", "$$$$ 1"],
    );
    let record =
        export(Form::Interactive, &task(), &[(&interactive.play, interactive.grading.as_ref())])
            .expect("over");
    let written = written([record]);
    assert_eq!((file_of(&written).form, numbers(&written).1), (Form::Interactive, Some(2.0)));
}

/// The members of every form, in the order in which the authors' programs write them (all but `meta.ts`), and what they hold.
#[test]
fn records_are_those_of_the_authors() {
    let keys = |record: &Json| -> Vec<String> {
        let object = record.as_object().expect("an object");
        object.keys().map(str::to_owned).collect()
    };
    let of = |spec: &Spec, form: Form, plays: &[(&[&str], &[&str])]| {
        let plays: Vec<Played> = (1..)
            .zip(plays)
            .map(|(repeat, (player, others))| play_task(spec, &task(), repeat, player, others))
            .collect();
        let pairs: Vec<_> = plays.iter().map(|one| (&one.play, one.grading.as_ref())).collect();
        export(form, &task(), &pairs).expect("it is over")
    };
    let with_models = |mode: &str, repeats: u32| {
        let mut spec = spec(Profile::Reference, mode, 2, repeats);
        let models =
            [("player", "open", "x/p"), ("judge", "open", "y/j"), ("grader", "open", "y/j")];
        for (seat, provider, model) in models {
            let sitting = spec.seats.get_mut(&seat.into()).expect("somebody sits there");
            sitting.player =
                Player::Model { provider: provider.to_owned(), model: model.to_owned() };
        }
        spec.seats.get_mut(&"player".into()).expect("it is there").sampling.temperature = Some(0.8);
        spec
    };
    let naive = with_models("direct", 1);
    let record = of(&naive, Form::Naive, &[(&["well #### 56/2\n"], &[" so $$$$ 1/0 \n"])]);
    let answer = ["gen_ans", "extracted_gen_ans"];
    let verdict = ["judge_raw", "extracted_judgement", "correct", "status"];
    let head = ["problem", "solution", "exp_ans"];
    assert_eq!(keys(&record), [&head[..], &answer, &verdict, &["meta"]].concat());
    let told = &written([record])[0];
    assert_has(
        told,
        &json!({ "gen_ans": "well #### 56/2", "judge_raw": "so $$$$ 1/0", "extracted_judgement": "1/0", "status": "ok" }),
    );
    assert_eq!(
        told["meta"],
        json!({ "provider": "open", "player_model": "x/p", "judge_model": "y/j" })
    );
    for (player, grader, status, judgement, raw) in
        cases::<(&str, Option<&str>, &str, &str, &str)>(include_str!("judged.jsonl"))
    {
        let others: Vec<&str> = grader.into_iter().collect();
        let told = &written([of(&naive, Form::Naive, &[(&[player], &others)])])[0];
        let found = [&told["status"], &told["extracted_judgement"], &told["judge_raw"]];
        assert_eq!(found, [status, judgement, raw], "{player} {grader:?}");
    }
    let interactive = with_models("interactive", 1);
    let played: (&[&str], &[&str]) =
        (&["hm QQQQ: a?", "thus #### 1 and #### 28\n"], &["Yes", "**1** $$$$ **1**", "$$$$ 1"]);
    // `**1**` is no 1: the second of two rounds, so the final answer follows.
    let record = of(
        &interactive,
        Form::Interactive,
        &[(&[played.0[0], played.0[1], " #### 28 "], played.1)],
    );
    let history = ["turtle_history", "questions_used"];
    assert_eq!(keys(&record), [&head[..], &answer, &history, &verdict, &["meta"]].concat());
    let Some(Json::List(turns)) = record.as_object().and_then(|one| one.get("turtle_history"))
    else {
        panic!("there is a history");
    };
    assert_eq!(keys(&turns[0]), ["round", "type", "question", "judger_reply", "player_raw"]);
    let of_guess = [
        "round",
        "type",
        "player_raw",
        "guess_answer",
        "grader_judge_raw",
        "grader_extracted",
        "grader_correct",
        "grader_status",
    ];
    assert_eq!(keys(&turns[1]), of_guess);
    assert_eq!(keys(&turns[2]), ["round", "type", "player_raw"]);
    let told = &written([record])[0];
    assert_eq!(told["turtle_history"][1]["grader_extracted"], json!("**1**"));
    assert_has(told, &json!({ "gen_ans": "#### 28", "questions_used": 2 }));
    let meta = json!({ "method": "turtle", "provider": "open", "player_model": "x/p", "judge_model": "y/j", "max_rounds": 2 });
    assert_eq!(told["meta"], meta);
    let guessed =
        of(&interactive, Form::Interactive, &[(&["so #### 1 or #### 28\n"], &["$$$$ 1", ""])]);
    let told = &written([guessed])[0];
    assert_eq!(
        (&told["gen_ans"], &told["status"], &told["extracted_judgement"], &told["correct"]),
        (&json!("#### 28"), &json!("judge_failed"), &json!(""), &json!(0)),
        "of a right guess the block from the last marker"
    );
    let silent = of(
        &interactive,
        Form::Interactive,
        &[(&["#### 1", "#### 2", "#### 3"], &["", "$$$$ 0", "$$$$ 0"])],
    );
    assert_eq!(written([silent])[0]["turtle_history"][0]["grader_status"], json!("judge_failed"));
    let many = with_models("direct", 4);
    let record = of(
        &many,
        Form::PassK,
        &[
            (&["so #### 27"], &["$$$$ 0"]),
            (&["ERROR"], &[]),
            (&["#### 28"], &["ERROR"]),
            (&["####"], &[]),
        ],
    );
    let rest = ["pass_k_correct", "k", "temperature", "attempts", "token_usage", "meta"];
    assert_eq!(keys(&record), [&head[..], &rest].concat());
    let Some(Json::List(attempts)) = record.as_object().and_then(|one| one.get("attempts")) else {
        panic!("there are attempts");
    };
    for attempt in attempts {
        assert_eq!(keys(attempt), [&["idx"][..], &answer, &verdict, &["token_usage"]].concat());
    }
    let told = &written([record])[0];
    let of_attempts = |key: &str| -> Vec<Value> {
        let attempts = told["attempts"].as_array().expect("a list");
        attempts.iter().map(|attempt| attempt[key].clone()).collect()
    };
    assert_eq!(of_attempts("idx"), [1, 2, 3, 4]);
    assert_eq!(
        of_attempts("status"),
        ["ok", "player_api_error", "judge_api_error", "format_error_empty_extracted_answer"]
    );
    assert_eq!(
        of_attempts("judge_raw"),
        [
            "$$$$ 0",
            "PLAYER_API_ERROR: HTTP 500",
            "JUDGE_API_ERROR: HTTP 500",
            "SKIPPED_EMPTY_EXTRACTED_ANSWER"
        ]
    );
    assert_eq!(of_attempts("extracted_judgement"), ["0", "0", "0", "0"]);
    let usage = |player: u32, judge: u32| json!({ "player_total_tokens": player, "judge_total_tokens": judge, "total_tokens": player + judge });
    assert_eq!(of_attempts("token_usage"), [usage(3, 2), usage(0, 0), usage(2, 0), usage(1, 0)]);
    assert_eq!(
        told["token_usage"],
        json!({ "total_tokens_all_attempts": 8, "avg_tokens_per_attempt": 2.0 })
    );
    assert_has(told, &json!({ "temperature": 0.8, "meta": { "method": "passk" } }));
}

/// White space around texts is the authors' key, and stands in every prompt.
#[test]
fn texts_of_problems_stay_as_they_are() {
    let row = json!([{ "problem": " P?\n\n", "solution": "S \n", "exp_ans": "28 " }]);
    let set = Math.read_tasks("p", row.to_string().as_bytes()).expect("it loads");
    let task = &set.tasks[0];
    assert_eq!(
        ["question", "solution", "answer"].map(|name| task.field(name).unwrap_or_default()),
        [" P?\n\n", "S \n", "28 "]
    );
    let plain = json!([{ "problem": "P?", "solution": "S", "exp_ans": "28" }]);
    let plain = Math.read_tasks("p", plain.to_string().as_bytes()).expect("it loads");
    assert_eq!(task.id, plain.tasks[0].id, "it has the name that it always had");
    let blank = json!([{ "problem": " \n", "solution": "S", "exp_ans": "28" }]);
    let refused = Math.read_tasks("p", blank.to_string().as_bytes()).expect_err("blank");
    assert!(refused.message.contains("field problem: it is missing or blank"), "{refused:?}");
    let spec = spec(Profile::Reference, "direct", 20, 2);
    let played = play_task(&spec, task, 1, &["#### 28"], &["$$$$ 1"]);
    let record = export(Form::PassK, task, &[(&played.play, played.grading.as_ref())]);
    assert_eq!(written(record)[0]["problem"], json!(" P?\n\n"));
    // A strict rule does not mind.
    let strict = super::spec(Profile::Strict, "direct", 20, 1);
    assert_eq!(play_task(&strict, task, 1, &["#### 28"], &[]).score(), Some(1.0));
    if let Some(bytes) = official() {
        let rows: Vec<Value> = serde_json::from_slice(&bytes).expect("JSON");
        let set = Math.read_tasks("puzzle_math.json", &bytes).expect("it loads");
        for (row, task) in rows.iter().zip(&set.tasks) {
            assert_eq!(row["problem"].as_str(), task.field("question"));
        }
    }
}
