//! Mind-ParaWorld on the command line: worlds built and checked, runs measured, compared, exported and imported. All texts
//! here are made up.

#[path = "common/program.rs"]
mod program;

use std::path::Path;

use program::{expect, folder, say, transcripts};
use serde_json::{Value, json};
use tempfile::TempDir;

fn json_of(folder: &TempDir, words: &str) -> Value {
    let said = expect(say(folder, words), 0);
    serde_json::from_str(&said.out).unwrap()
}

fn write(folder: &TempDir, name: &str, text: &str) {
    std::fs::write(folder.path().join(name), text).unwrap();
}

fn values(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[track_caller]
fn near(record: &Value, wanted: &[(&str, f64)]) {
    for (path, wanted) in wanted {
        let found = record.pointer(path).and_then(Value::as_f64);
        let fits = found.is_some_and(|found| (found - wanted).abs() < 6e-7);
        assert!(fits, "{path}: {found:?} against {wanted}");
    }
}

#[test]
fn worlds_are_built_and_checked() {
    let folder = folder();
    let words = "worlds build --seed 1 --tier hard --count 5 --lang en --out @worlds.jsonl";
    let said = expect(say(&folder, words), 0);
    assert!(
        said.out.contains("5 worlds; tier hard 5; language en 5"),
        "{}",
        said.out
    );
    let path = folder.path().join("worlds.jsonl");
    let first = std::fs::read(&path).unwrap();
    let manifest: Value =
        serde_json::from_slice(&std::fs::read(folder.path().join("worlds.manifest.json")).unwrap())
            .unwrap();
    assert_eq!(manifest["per_tier"], json!({ "hard": 5 }));
    assert_eq!(manifest["seeds"], json!({ "worlds": 1 }));
    // Not overwritten, unless that is asked for; the same words build the same bytes.
    let said = expect(say(&folder, words), 1);
    assert!(said.err.contains("--force"), "{}", said.err);
    expect(say(&folder, &format!("{words} --force")), 0);
    assert_eq!(std::fs::read(&path).unwrap(), first);
    let record = json_of(&folder, "worlds check @worlds.jsonl --json");
    assert_eq!(
        [
            &record["worlds"],
            &record["errors"],
            &record["warnings"],
            &record["manifest"]
        ],
        [&json!(5), &json!(0), &json!(0), &json!("agrees")]
    );
    let said = expect(
        say(
            &folder,
            "worlds build --seed 2 --tier all --count 6 --lang both --family ratio --category Band --out @both.jsonl",
        ),
        0,
    );
    assert!(
        said.out
            .contains("tier easy 2, mid 2, hard 2; language en 3, zh 3; category Band 6"),
        "{}",
        said.out
    );
    let said = expect(
        say(
            &folder,
            "worlds build --seed 2 --category Submarine --out @none.jsonl",
        ),
        1,
    );
    assert!(
        said.err.contains("Submarine") && said.err.contains("Band"),
        "{}",
        said.err
    );
    assert!(!folder.path().join("none.jsonl").exists());
}

#[test]
fn broken_rows_are_named_and_the_others_checked() {
    let folder = folder();
    expect(
        say(
            &folder,
            "worlds build --seed 1 --tier easy --count 3 --out @good.jsonl",
        ),
        0,
    );
    let good = std::fs::read_to_string(folder.path().join("good.jsonl")).unwrap();
    let mut lines: Vec<String> = good.lines().map(str::to_owned).collect();
    let mut no_answer: Value = serde_json::from_str(&lines[1]).unwrap();
    no_answer.as_object_mut().unwrap().remove("answer");
    lines[1] = no_answer.to_string();
    let mut other_answer: Value = serde_json::from_str(&lines[2]).unwrap();
    other_answer["answer"] = json!("something else");
    lines[2] = other_answer.to_string();
    lines.push("{ not json".to_owned());
    // An official row: no notes of ours, a key that says nothing of the question.
    let official = json!({
        "index": 77, "prompt": [{ "role": "user", "content": "How tall are Ada and Bert together?" }],
        "answer": "7 metres",
        "extra_info": { "world_truth_info": { "atomic_facts": { "first height": "3 metres", "second height": "4 metres" } } },
    });
    lines.push(official.to_string());
    write(&folder, "mixed.jsonl", &lines.join("\n"));
    let said = expect(say(&folder, "worlds check @mixed.jsonl"), 1);
    for wanted in [
        "row 2, field \"answer\": missing",
        "row 3 (id 2): error: the facts give another answer",
        "row 4, not JSON",
        "row 5 (id 77): warning: the key \"first height\" is bare",
        "3 worlds; tier easy 3",
    ] {
        assert!(said.out.contains(wanted), "{wanted}: {}", said.out);
    }
    write(&folder, "official.jsonl", &official.to_string());
    let record = json_of(&folder, "worlds check @official.jsonl --json");
    assert_eq!(
        (&record["errors"], &record["manifest"]),
        (&json!(0), &json!("none"))
    );
    assert!(record["warnings"].as_u64().unwrap() >= 2, "{record}");
    write(&folder, "empty.jsonl", "\n");
    let said = expect(say(&folder, "worlds check @empty.jsonl"), 1);
    assert!(said.err.contains("no rows"), "{}", said.err);
    // A manifest of another file.
    std::fs::copy(
        folder.path().join("good.manifest.json"),
        folder.path().join("official.manifest.json"),
    )
    .unwrap();
    let said = expect(say(&folder, "worlds check @official.jsonl"), 1);
    assert!(
        said.out.contains("does not hold the worlds"),
        "{}",
        said.out
    );
    // As tasks.
    expect(
        say(
            &folder,
            "import --format mpw-tasks @good.jsonl --out @copy.jsonl",
        ),
        0,
    );
    assert_eq!(
        values(&folder.path().join("copy.jsonl")),
        values(&folder.path().join("good.jsonl"))
    );
    let said = expect(
        say(
            &folder,
            "import --format mpw-tasks @mixed.jsonl --out @no.jsonl",
        ),
        1,
    );
    assert!(said.err.contains("row 2"), "{}", said.err);
}

#[test]
fn worlds_of_given_names() {
    let folder = folder();
    let names = [
        "Ada Choir",
        "Brick Lane Five",
        "Copper Owls",
        "Dune Radio",
        "Elmtown",
        "Foxglove",
        "Glass Harbour",
        "Hollow Kites",
        "Ivory Tram",
        "Jade Wolves",
        "Kettle Drummers",
        "Lanternfish",
    ];
    let pool = json!({ "domain": "Band", "entities": names });
    write(&folder, "pool.jsonl", &format!("{pool}\n"));
    let words = "worlds build --seed 5 --count 4 --pool @pool.jsonl";
    expect(say(&folder, &format!("{words} --out @named.jsonl")), 0);
    let record = json_of(&folder, "worlds check @named.jsonl --json");
    assert_eq!(
        [
            &record["errors"],
            &record["warnings"],
            &record["per_category"]
        ],
        [&json!(0), &json!(0), &json!({ "Band": 4 })]
    );
    for world in values(&folder.path().join("named.jsonl")) {
        let text = world.to_string();
        assert!(names.iter().any(|name| text.contains(name)), "{text}");
    }
    let said = expect(
        say(&folder, &format!("{words} --lang zh --out @zh.jsonl")),
        1,
    );
    assert!(said.err.contains("0 names in zh"), "{}", said.err);
    let said = expect(
        say(
            &folder,
            &format!("{words} --category Club --out @club.jsonl"),
        ),
        1,
    );
    assert!(said.err.contains("Club"), "{}", said.err);
}

/// A judged line of the reference over made-up facts; each log is hit, compound, key.
fn line(
    index: u32,
    facts: u32,
    logs: &[(bool, bool, Option<&str>)],
    unlogged: u32,
    messages: Option<u32>,
    status: &str,
    answer: &str,
) -> Value {
    let facts: serde_json::Map<String, Value> = (1..=facts)
        .map(|fact| (format!("k{fact}"), json!(format!("value {fact}"))))
        .collect();
    let mut calls = Vec::new();
    let mut hit_logs = Vec::new();
    for (at, (hit, compound, key)) in logs.iter().enumerate() {
        let query = format!("query {at}");
        calls.push(json!({ "tool_name": "web_search", "query": query, "hit": u8::from(*hit) }));
        let keys: Vec<&str> = key.iter().copied().collect();
        hit_logs.push(json!({
            "query": query, "is_compound_query": compound, "hit": u8::from(*hit), "matched_fact_keys": keys, "reason": "",
        }));
    }
    for at in 0..unlogged {
        calls.push(json!({ "tool_name": "web_search", "query": format!("broken {at}"), "hit": 0 }));
    }
    let question = format!("Question {index}?");
    let mut track = vec![json!({ "role": "user", "content": question })];
    for _ in 0..messages.unwrap_or(calls.len() as u32) {
        track.push(json!({ "role": "assistant", "content": "<tool_call>{}</tool_call>" }));
        track.push(json!({ "role": "user", "content": "a page" }));
    }
    json!({
        "index": index, "category": "Band", "messages": track, "ground_truth": format!("truth {index}"),
        "prediction": if status == "finished" { "text" } else { "" }, "full_response": "", "status": status,
        "trajectory_log": {
            "tool_calls": calls, "hit_logs": hit_logs, "full_history": null,
            "world_truth_info": { "atomic_facts": facts },
        },
        "actual_turns": calls.len() + 1, "max_turns": 32, "answer": answer, "judge_status": "success",
        "a field of somebody's own": [1.5, null, { "kept": true }],
    })
}

/// S0 to S7 of specification 8.8.
fn golden() -> Vec<Value> {
    let hit = |key| (true, false, Some(key));
    let miss = (false, false, None);
    let (right, wrong) = ("Correct", "Incorrect");
    let five = ["k1", "k2", "k3", "k4", "k5"].map(hit);
    let s7 = [(false, false, Some("k1")), (true, true, Some("k2"))];
    vec![
        line(
            0,
            4,
            &[hit("k1"), hit("k1"), miss, hit("k2")],
            0,
            None,
            "finished",
            right,
        ),
        line(1, 5, &[], 0, None, "finished", wrong),
        line(2, 6, &[hit("k1"), hit("k2")], 1, None, "finished", right),
        line(
            3,
            10,
            &[hit("zz"), hit(" k1 "), hit("k2")],
            0,
            None,
            "finished",
            wrong,
        ),
        line(4, 11, &five, 0, Some(2), "finished", right),
        line(5, 12, &[hit("k1")], 0, None, "api_error", wrong),
        line(
            6,
            2,
            &[hit("k1"), hit("k2"), hit("zz")],
            0,
            None,
            "finished",
            right,
        ),
        line(7, 8, &s7, 0, None, "max_turns_reached", wrong),
    ]
}

fn lines_of(all: &[Value]) -> String {
    all.iter().map(|line| format!("{line}\n")).collect()
}

#[test]
fn judged_lines_are_measured_as_the_published_tool_does_and_come_back_unchanged() {
    let folder = folder();
    write(&folder, "judged.jsonl", &lines_of(&golden()));
    let said = expect(
        say(
            &folder,
            "import --format mpw-results @judged.jsonl --out @imported --model made-up",
        ),
        1,
    );
    assert!(said.err.contains("--setting"), "{}", said.err);
    expect(
        say(
            &folder,
            "import --format mpw-results @judged.jsonl --out @imported --model made-up --setting C",
        ),
        0,
    );
    // Plays and gradings.
    assert_eq!(transcripts(&folder.path().join("imported")).len(), 16);
    // G2 and G3.
    let record = json_of(&folder, "metrics @imported --profile reference --json");
    near(
        &record,
        &[
            ("/n", 8.0),
            ("/pass_at_1", 0.5),
            ("/fcr", 0.427652),
            ("/hit_rate_macro_callers", 0.845238),
            ("/hit_rate_macro_zero", 0.739583),
            ("/hit_rate_micro", 0.857143),
            ("/tool_calls", 2.625),
            ("/by_tier/easy/n", 3.0),
            ("/by_tier/easy/pass_at_1", 2.0 / 3.0),
            ("/by_tier/easy/fcr", 0.666667),
            ("/by_tier/easy/fcr_sd", 0.763763),
            ("/by_tier/easy/hit_rate", 0.875),
            ("/by_tier/mid/fcr", 0.294444),
            ("/by_tier/mid/tool_calls", 2.666667),
            ("/by_tier/hard/fcr_sd", 0.262487),
            ("/by_tier/hard/hit_rate", 1.0),
            ("/overall_published/hit_rate", 0.848958),
            ("/overall_published/fcr", 0.427652),
            // G6: S4 is cut to two logs.
            ("/curve/0/n", 6.0),
            ("/curve/1/n", 6.0),
            ("/curve/2/n", 3.0),
            ("/by_category/Band/n", 8.0),
        ],
    );
    // Specification 8.9.
    let strict = json_of(&folder, "metrics @imported --profile strict --json");
    let fcr = (0.5 + 1.0 / 3.0 + 0.2 + 5.0 / 11.0 + 1.0 / 12.0 + 1.0) / 8.0;
    near(
        &strict,
        &[
            ("/fcr", fcr),
            ("/pass_at_1", 0.5),
            ("/zero_call_share", 0.125),
        ],
    );
    assert_eq!(
        (&strict["profile"], &strict["played_in"]),
        (&json!("strict"), &json!("reference"))
    );
    expect(
        say(
            &folder,
            "export --format mpw-results @imported --out @back.jsonl",
        ),
        0,
    );
    assert_eq!(values(&folder.path().join("back.jsonl")), golden());
    let said = expect(say(&folder, "metrics @imported"), 0);
    assert!(said.out.contains("as published"), "{}", said.out);
    // Imported transcripts cannot be replayed.
    expect(say(&folder, "replay @imported"), 2);
}

#[test]
fn repeated_and_cut_lines_and_judges_that_failed() {
    let folder = folder();
    let mut lines = golden();
    lines.truncate(3);
    // A later line of index 0 that a judge failed on does not go before the earlier one; one of index 1 does.
    let mut failed = lines[0].clone();
    failed["judge_status"] = json!("error");
    failed["answer"] = json!("Incorrect");
    let mut again = lines[1].clone();
    again["answer"] = json!("Correct");
    let mut unjudged = lines[2].clone();
    unjudged["index"] = json!(9);
    unjudged["judge_status"] = json!("error");
    unjudged["answer"] = json!("Incorrect");
    lines.extend([failed, again, unjudged]);
    let text = format!("{}{{\"index\": 10, \"cat", lines_of(&lines));
    std::fs::create_dir_all(folder.path().join("settingB_results/guidance/some-model")).unwrap();
    write(
        &folder,
        "settingB_results/guidance/some-model/evaluated_results.jsonl",
        &text,
    );
    let said = expect(
        say(
            &folder,
            "import --format mpw-results @settingB_results/guidance/some-model/evaluated_results.jsonl --out @b",
        ),
        0,
    );
    assert!(
        said.err.contains("2 lines repeat") && said.err.contains("cut off"),
        "{}",
        said.err
    );
    assert!(
        said.out.contains("4 episodes of some-model"),
        "{}",
        said.out
    );
    let record = json_of(&folder, "metrics @b --json");
    assert_eq!(record["setting"], json!("B-guidance"));
    near(
        &record,
        &[("/n", 4.0), ("/pass_at_1", 0.75), ("/incomplete", 0.0)],
    );
    // Under strict a judge that failed gave no verdict.
    let record = json_of(&folder, "metrics @b --profile strict --json");
    near(
        &record,
        &[
            ("/pass_at_1", 1.0),
            ("/incomplete", 1.0),
            ("/judge/error", 1.0),
        ],
    );
    expect(
        say(&folder, "export --format mpw-results @b --out @back.jsonl"),
        0,
    );
    assert_eq!(values(&folder.path().join("back.jsonl")), lines);
}

#[test]
fn setting_a_and_the_way_to_worlds() {
    let folder = folder();
    expect(
        say(
            &folder,
            "worlds build --seed 3 --tier mid --count 2 --out @worlds.jsonl",
        ),
        0,
    );
    let worlds = values(&folder.path().join("worlds.jsonl"));
    let lines: Vec<Value> = worlds
        .iter()
        .map(|world| {
            json!({
                "index": world["index"], "category": "unknown", "question": world["prompt"][0]["content"],
                "ground_truth": world["answer"], "prediction": world["answer"], "status": "finished", "messages": [],
                "metrics": { "total_facts": 8, "actual_turns": 1, "tool_calls": 0, "format_errors": 0, "retry_count": 0 },
                "answer": "Correct",
            })
        })
        .collect();
    write(&folder, "a.jsonl", &lines_of(&lines));
    expect(
        say(
            &folder,
            "import --format mpw-results @a.jsonl --out @a --model m --tasks @worlds.jsonl",
        ),
        0,
    );
    let record = json_of(&folder, "metrics @a --json");
    assert_eq!(record["setting"], json!("A"));
    near(&record, &[("/pass_at_1", 1.0), ("/by_tier/mid/n", 2.0)]);
    assert!(record["by_category"].get("unknown").is_none(), "{record}");
    let said = expect(
        say(
            &folder,
            "import --format mpw-results @a.jsonl --out @c --setting C",
        ),
        1,
    );
    assert!(said.err.contains("line 1"), "{}", said.err);
}

/// Recorded runs of built-in players: measured in both profiles, exported and imported again, compared.
#[test]
fn recorded_runs() {
    let folder = folder();
    expect(
        say(
            &folder,
            "worlds build --seed 4 --tier all --count 6 --lang both --out @worlds.jsonl",
        ),
        0,
    );
    let run = |player: &str, setting: &str, out: &str| {
        let words = format!(
            "run --benchmark paraworld --tasks @worlds.jsonl --setting {setting} --seat player=bot:{player} \
             --seat engine=bot:facts --seat judge=bot:exact --out @{out}"
        );
        expect(say(&folder, &words), 0);
    };
    run("per-fact", "C", "c");
    let record = json_of(&folder, "metrics @c --json");
    near(
        &record,
        &[
            ("/n", 6.0),
            ("/pass_at_1", 1.0),
            ("/fcr", 1.0),
            ("/hit_rate_micro", 1.0),
            ("/incomplete", 0.0),
            ("/by_tier/easy/n", 2.0),
            ("/by_tier/hard/fcr", 1.0),
            ("/stops/fcr_at_answer", 1.0),
            ("/stops/redundancy", 1.0),
            ("/zero_call_share", 0.0),
            ("/by_status/finished/n", 6.0),
        ],
    );
    run("monolithic", "C", "one");
    near(
        &json_of(&folder, "metrics @one --json"),
        &[("/pass_at_1", 0.0), ("/fcr", 0.0), ("/hit_rate_micro", 0.0)],
    );
    // There and back.
    expect(
        say(&folder, "export --format mpw-results @c --out @c.jsonl"),
        0,
    );
    let lines = values(&folder.path().join("c.jsonl"));
    assert_eq!(lines.len(), 6);
    for (at, line) in lines.iter().enumerate() {
        assert_eq!(line["index"], json!(at));
        assert_eq!(
            (&line["status"], &line["answer"]),
            (&json!("finished"), &json!("Correct"))
        );
        let log = &line["trajectory_log"];
        let facts = log["world_truth_info"]["atomic_facts"].as_object().unwrap();
        for logged in log["hit_logs"].as_array().unwrap() {
            assert!(facts.contains_key(logged["matched_fact_keys"][0].as_str().unwrap()));
        }
        let messages = line["messages"].as_array().unwrap();
        let calls = log["tool_calls"].as_array().unwrap().len();
        // System, question, a call and a page each, the answer.
        assert_eq!(messages.len(), 2 + 2 * calls + 1, "{line}");
        assert_eq!(messages.last().unwrap()["role"], json!("assistant"));
    }
    expect(
        say(
            &folder,
            "import --format mpw-results @c.jsonl --out @again --setting C --model m --tasks @worlds.jsonl",
        ),
        0,
    );
    let ours = json_of(&folder, "metrics @c --profile reference --json");
    let theirs = json_of(&folder, "metrics @again --profile reference --json");
    for key in [
        "n",
        "pass_at_1",
        "fcr",
        "fcr_sd",
        "hit_rate_macro_callers",
        "hit_rate_macro_zero",
        "hit_rate_micro",
        "tool_calls",
        "by_tier",
        "overall_published",
        "by_status",
        "by_category",
        "by_language",
        "curve",
        "fcr_rules",
    ] {
        assert_eq!(ours[key], theirs[key], "{key}");
    }
    // Settings side by side.
    run("per-fact", "A", "a");
    run("per-fact", "control", "control");
    expect(
        say(&folder, "export --format mpw-results @a --out @a.jsonl"),
        0,
    );
    let first = &values(&folder.path().join("a.jsonl"))[0];
    assert!(
        first["metrics"]["total_facts"].as_u64().unwrap() > 0
            && first.get("trajectory_log").is_none()
    );
    let gap = json_of(&folder, "metrics --compare @a @c @control --json");
    assert_eq!(gap["worlds"], json!(6));
    let level = |setting: &str| gap["settings"][setting]["pass_at_1"].as_f64().unwrap();
    near(
        &gap,
        &[
            ("/settings/C/pass_at_1", 1.0),
            ("/search_gap", level("A") - level("C")),
        ],
    );
    near(&gap, &[("/search_gain", level("C") - level("control"))]);
    let said = expect(say(&folder, "metrics --compare @a @c @control"), 0);
    assert!(said.out.contains("search gap"), "{}", said.out);
    // Different players are compared over the same worlds; where the setting differs as well, no gap is theirs.
    let said = expect(say(&folder, "metrics --compare @c @one"), 0);
    assert!(said.out.contains("differ in seats.player"), "{}", said.out);
    let said = expect(say(&folder, "metrics --compare @a @one"), 0);
    assert!(said.out.contains("different players"), "{}", said.out);
    // Another benchmark reads its replies anew, and is compared in its own number.
    expect(
        say(&folder, "run --benchmark trust --repeats 1 --out @trust"),
        0,
    );
    let said = expect(say(&folder, "metrics @trust --profile reference"), 0);
    assert!(said.out.contains("read again in reference"), "{}", said.out);
    let same = json_of(&folder, "metrics --compare @trust @trust --json");
    let pairs = &same["comparison"]["subjects"][0]["pairs"];
    near(&pairs[0], &[("/difference", 0.0), ("/p", 1.0)]);
    assert_eq!(pairs[0]["needed"], "cannot_be_said");
    let said = expect(say(&folder, "metrics --compare @trust @a"), 1);
    assert!(said.err.contains("runs of one benchmark"), "{}", said.err);
    let said = expect(
        say(
            &folder,
            "export --format mpw-results @trust --out @no.jsonl",
        ),
        1,
    );
    assert!(said.err.contains("transcript of trust"), "{}", said.err);
}
