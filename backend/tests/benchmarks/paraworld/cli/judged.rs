//! Judged lines of the reference code: measured as its tool does, and given back unchanged.

use super::near;
use crate::common::*;

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
    let facts: serde_json::Map<String, Value> =
        (1..=facts).map(|fact| (format!("k{fact}"), json!(format!("value {fact}")))).collect();
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
        line(0, 4, &[hit("k1"), hit("k1"), miss, hit("k2")], 0, None, "finished", right),
        line(1, 5, &[], 0, None, "finished", wrong),
        line(2, 6, &[hit("k1"), hit("k2")], 1, None, "finished", right),
        line(3, 10, &[hit("zz"), hit(" k1 "), hit("k2")], 0, None, "finished", wrong),
        line(4, 11, &five, 0, Some(2), "finished", right),
        line(5, 12, &[hit("k1")], 0, None, "api_error", wrong),
        line(6, 2, &[hit("k1"), hit("k2"), hit("zz")], 0, None, "finished", right),
        line(7, 8, &s7, 0, None, "max_turns_reached", wrong),
    ]
}

pub fn lines_of(all: &[Value]) -> String {
    all.iter().map(|line| format!("{line}\n")).collect()
}

#[test]
fn judged_lines_are_measured_as_the_published_tool_does_and_come_back_unchanged() {
    let folder = folder();
    folder.write("judged.jsonl", lines_of(&golden()));
    folder
        .run("import --format mpw-results @judged.jsonl --out @imported --model made-up", 1)
        .err_has("--setting");
    folder.run(
        "import --format mpw-results @judged.jsonl --out @imported --model made-up --setting C",
        0,
    );
    // Plays and gradings.
    assert_eq!(folder.transcripts("imported").len(), 16);
    // G2 and G3.
    let record = folder.json("metrics @imported --profile reference --json");
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
    let strict = folder.json("metrics @imported --profile strict --json");
    let fcr = (0.5 + 1.0 / 3.0 + 0.2 + 5.0 / 11.0 + 1.0 / 12.0 + 1.0) / 8.0;
    near(&strict, &[("/fcr", fcr), ("/pass_at_1", 0.5), ("/zero_call_share", 0.125)]);
    assert_eq!((&strict["profile"], &strict["played_in"]), (&json!("strict"), &json!("reference")));
    folder.run("export --format mpw-results @imported --out @back.jsonl", 0);
    assert_eq!(folder.lines("back.jsonl"), golden());
    folder.run("metrics @imported", 0).out_has("as published");
    // Imported transcripts cannot be replayed.
    folder.run("replay @imported", 2);
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
    folder.write("settingB_results/guidance/some-model/evaluated_results.jsonl", &text);
    let said = folder.run("import --format mpw-results @settingB_results/guidance/some-model/evaluated_results.jsonl --out @b", 0);
    said.err_has("2 lines repeat");
    said.err_has("cut off");
    said.out_has("4 episodes of some-model");
    let record = folder.json("metrics @b --json");
    assert_eq!(record["setting"], json!("B-guidance"));
    near(&record, &[("/n", 4.0), ("/pass_at_1", 0.75), ("/incomplete", 0.0)]);
    // Under strict a judge that failed gave no verdict.
    let record = folder.json("metrics @b --profile strict --json");
    near(&record, &[("/pass_at_1", 1.0), ("/incomplete", 1.0), ("/judge/error", 1.0)]);
    folder.run("export --format mpw-results @b --out @back.jsonl", 0);
    assert_eq!(folder.lines("back.jsonl"), lines);
}
