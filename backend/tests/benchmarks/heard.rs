//! What seats say in the marks of templates, and what cannot be read at all, over the wire. A task's text tells the service what to
//! reply: `[NAME at SEAT]`.

use std::fs;

use axum::Json;
use axum::routing::post;

use crate::common::*;

/// Whom a request asks, by words of its prompt, and what would fit.
const SEATS: [(&str, &str, &str); 7] = [
    (
        "check whether an answer to a mathematical problem",
        "math-grader",
        "They are the same.\n$$$$1",
    ),
    ("You are the judge of a mathematical problem", "math-judge", "Yes"),
    ("You solve a mathematical problem", "math-player", "#### 7"),
    ("CORRECT or INCORRECT", "puzzle-final", "CORRECT"),
    ("You judge a situation puzzle", "puzzle-judge", "YES"),
    ("Write only yes or no", "ic-grader", "yes"),
    ("Write exactly one of these three lines", "ic-responder", "yes"),
];

/// What is said in place of a fitting reply, which is `@`.
const SAID: [(&str, &str); 16] = [
    ("square", "[THINK]no or yes or both[/THINK]@"),
    (
        "channel",
        "<|channel|>analysis<|message|>no or yes? both?<|end|><|start|>assistant<|channel|>final<|message|>@",
    ),
    ("colon", "<seed:think>no or yes or both</seed:think>@"),
    ("lozenge", "◁think▷no or yes or both◁/think▷@"),
    ("sentence", "Here is my thought process: no or yes. Here is my response: @"),
    ("control", "<think>no or yes or both</think>@"),
    ("control-end-only", "Hm, no. Not yes either. It may be both.\n</think>\n\n@"),
    ("start", "<|START_THINKING|>no or yes<|END_THINKING|><|START_RESPONSE|>@<|END_RESPONSE|>"),
    ("unused", "<unused94>thought\nno or yes or both<unused95>@<end_of_turn>"),
    (
        "begin",
        "<|begin_of_thought|>no<|end_of_thought|>\n\n<|begin_of_solution|>@<|end_of_solution|>",
    ),
    ("longcat", "<longcat_think>no or yes</longcat_think>\n@</s>"),
    ("plain-end", "@<|im_end|>\n<|im_start|>user\nAnd no?<|im_end|>"),
    ("flat", "analysisno or yes? both?assistantfinal@"),
    ("open", "[THINK]no or yes or both. @"),
    ("mumbles", "That is hard to say."),
    ("answers", "@"),
];
const UNREADABLE: [&str; 2] = ["open", "mumbles"];

fn strings(value: &Value, out: &mut String) {
    match value {
        Value::String(text) => out.push_str(text),
        Value::Array(all) => all.iter().for_each(|one| strings(one, out)),
        Value::Object(all) => all.values().for_each(|one| strings(one, out)),
        _ => {}
    }
}

fn reply(asked: &Value) -> String {
    let mut text = String::new();
    strings(&asked["messages"], &mut text);
    let seat = SEATS.iter().find(|(words, ..)| text.contains(words));
    let Some((_, seat, fitting)) = seat else {
        return "ready".to_owned();
    };
    let said = SAID.iter().find(|(name, _)| text.contains(&format!("[{name} at {seat}]")));
    said.map_or("@", |(_, said)| said).replace('@', fitting)
}

/// A data folder whose provider `odd` replies so, and a file of tasks, one for each of these names.
async fn prepared(names: &[&str], task: impl Fn(usize, &str) -> Value) -> Folder {
    let answers =
        post(|Json(asked): Json<Value>| async move { Json(completion(json!(reply(&asked)))) });
    let address = serve(answers).await;
    let folder = folder();
    let data = folder.at("data");
    fs::create_dir_all(&data).expect("a folder");
    let provider = format!(
        "[[provider]]\nname = \"odd\"\nformat = \"openai\"\nbase_url = \"{address}\"\nkey = \"not-a-key\"\nmodels = [\"m\"]\n"
    );
    fs::write(data.join("turnwise.toml"), provider).expect("a file");
    let rows: Vec<String> =
        names.iter().enumerate().map(|(at, name)| task(at, name).to_string()).collect();
    fs::write(folder.at("tasks.jsonl"), rows.join("\n")).expect("a file");
    folder
}

fn problem(seat: &str) -> impl Fn(usize, &str) -> Value {
    move |at, name| {
        json!({ "id": format!("{at}-{name}"), "problem": format!("Task {at}. Name the least prime number above 5. [{name} at {seat}]"),
            "solution": "6 is even, 7 is prime.", "exp_ans": "7" })
    }
}

fn question(seat: &str) -> impl Fn(usize, &str) -> Value {
    move |at, name| {
        json!({ "id": at + 1, "domain": "Case", "answer": "Harbour lamp", "question": format!("Which lamp? [{name} at {seat}]"),
            "context": format!("It stands in a harbour. [{name} at {seat}]"), "language": "en" })
    }
}

fn puzzle(seat: &str) -> impl Fn(usize, &str) -> Value {
    move |at, name| {
        json!({ "id": format!("{at}-{name}"), "title": format!("Lamp {at}"),
            "setup": format!("A woman puts out a lamp and a ship is lost. [{name} at {seat}]"),
            "solution": "She kept the lighthouse.",
            "questions": [["Was she at sea?", "NO"], ["Did she keep a lighthouse?", "YES"]],
            "finals": [["She kept the lighthouse.", "CORRECT"]] })
    }
}

const MATH_JUDGE: &str =
    "--benchmark math --rounds 2 --seat player=bot:bisects --seat judge=model:odd/m";
const MATH_PLAYER: &str = "--benchmark math --mode direct --seat player=model:odd/m";
const GRADER: &str =
    "--benchmark interactcomp --seat player=bot:answer-only --seat grader=model:odd/m";
const RESPONDER: &str =
    "--benchmark interactcomp --seat player=bot:asks-by-rule --seat responder=model:odd/m";
const PUZZLE_JUDGE: &str =
    "--benchmark situation_puzzle --seat player=bot:follows-bank --seat judge=model:odd/m";

fn run(folder: &Folder, flags: &str, status: i32) -> String {
    let words = format!("run {flags} --tasks @tasks.jsonl --pause-after 0 --out @run --data @data");
    folder.run(&words, status).out
}

fn marked() -> Vec<&'static str> {
    let names = SAID.iter().map(|(name, _)| *name);
    names.filter(|name| !UNREADABLE.contains(name)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_templates_leave_in_a_reply_is_no_reply_in_any_seat() {
    let names = marked();
    let count = names.len();
    let cases: [(Folder, &str); 5] = [
        (prepared(&names, problem("math-judge")).await, MATH_JUDGE),
        (prepared(&names, problem("math-player")).await, MATH_PLAYER),
        (prepared(&names, question("ic-grader")).await, GRADER),
        (prepared(&names, question("ic-responder")).await, RESPONDER),
        (prepared(&names, puzzle("puzzle-judge")).await, PUZZLE_JUDGE),
    ];
    for (folder, flags) in &cases {
        let out = run(folder, flags, 0);
        assert!(!out.contains("could not be read"), "{flags}: {out}");
        assert!(out.contains("Reasoning between marks"), "{flags}: {out}");
        let record = folder.json("metrics @run --json");
        assert_eq!(record["n"], count, "{flags}");
        assert_eq!(record["scored"], count, "{flags}: {out}");
        // Nothing was asked twice, and nothing has a fault.
        let faults = folder.transcripts("run");
        let faulty =
            faults.values().filter(|text| text.contains("_unreadable") || text.contains("no_tag"));
        assert_eq!(faulty.count(), 0, "{flags}");
    }
    let (direct, flags) = &cases[1];
    let record = direct.json("metrics @run --json");
    assert_eq!(
        (&record["accuracy"], &record["format_errors"]),
        (&json!(1.0), &json!(0)),
        "{flags}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_seat_that_cannot_be_read_is_told_of_everywhere() {
    let names =
        ["answers", "answers", "mumbles", "answers", "mumbles", "answers", "answers", "open"];
    for (folder, flags, seat, has_bounds) in [
        (prepared(&names, question("ic-grader")).await, GRADER, "grader", true),
        (prepared(&names, question("ic-responder")).await, RESPONDER, "responder", false),
        (prepared(&names, problem("math-judge")).await, MATH_JUDGE, "judge", false),
        (prepared(&names, puzzle("puzzle-judge")).await, PUZZLE_JUDGE, "judge", false),
    ] {
        let out = run(&folder, flags, if has_bounds { 3 } else { 0 });
        let note = format!("note: The {seat} could not be read on ");
        assert!(out.contains(&note), "{flags}: {out}");
        let record = folder.json("metrics @run --json");
        let heard = &record["heard"][seat];
        assert!(heard["unread"].as_u64() < heard["asked"].as_u64(), "{heard}");
        assert!(heard["unread"].as_u64() >= Some(3), "{heard}");
        let page = folder.at("run.html");
        folder.run("export @run --format html --out @run.html", 0);
        let page = fs::read_to_string(page).expect("the export");
        assert!(page.contains(note.trim_start_matches("note: ")), "{flags}");
        if has_bounds {
            assert!(out.contains("5 of 8 graded; 62.50 % to 100.00 % of all"), "{out}");
            assert!(out.contains("accuracy lies between 62.5 % and 100.0 %"), "{out}");
            assert!(page.contains("5 of 8 graded"), "{page}");
            assert_eq!(record["rankable"], json!(false));
        }
    }
}
