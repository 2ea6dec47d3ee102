//! Runs: one by one, and several compared.

use super::judged::lines_of;
use super::near;
use crate::common::*;

#[test]
fn setting_a_and_the_way_to_worlds() {
    let folder = folder();
    folder.run("worlds build --seed 3 --tier mid --count 2 --out @worlds.jsonl", 0);
    let worlds = folder.lines("worlds.jsonl");
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
    folder.write("a.jsonl", lines_of(&lines));
    folder.run("import --format mpw-results @a.jsonl --out @a --model m --tasks @worlds.jsonl", 0);
    let record = folder.json("metrics @a --json");
    assert_eq!(record["setting"], json!("A"));
    near(&record, &[("/pass_at_1", 1.0), ("/by_tier/mid/n", 2.0)]);
    assert!(record["by_category"].get("unknown").is_none(), "{record}");
    folder.run("import --format mpw-results @a.jsonl --out @c --setting C", 1).err_has("row 1");
}

/// Recorded runs of built-in players: measured in both profiles, exported and imported again, compared.
#[test]
fn recorded_runs() {
    let folder = folder();
    folder.run("worlds build --seed 4 --tier all --count 6 --lang both --out @worlds.jsonl", 0);
    let run = |player: &str, setting: &str, out: &str| {
        let words = format!(
            "run --benchmark paraworld --tasks @worlds.jsonl --setting {setting} --seat player=bot:{player} \
             --seat engine=bot:facts --seat judge=bot:exact --out @{out}"
        );
        folder.run(&words, 0);
    };
    run("per-fact", "C", "c");
    let record = folder.json("metrics @c --json");
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
        &folder.json("metrics @one --json"),
        &[("/pass_at_1", 0.0), ("/fcr", 0.0), ("/hit_rate_micro", 0.0)],
    );
    // There and back.
    folder.run("export --format mpw-results @c --out @c.jsonl", 0);
    let lines = folder.lines("c.jsonl");
    assert_eq!(lines.len(), 6);
    for (at, line) in lines.iter().enumerate() {
        assert_eq!(line["index"], json!(at));
        assert_eq!((&line["status"], &line["answer"]), (&json!("finished"), &json!("Correct")));
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
    folder.run("import --format mpw-results @c.jsonl --out @again --setting C --model m --tasks @worlds.jsonl", 0);
    let ours = folder.json("metrics @c --profile reference --json");
    let theirs = folder.json("metrics @again --profile reference --json");
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
    // Lines of ours tell setting and profile themselves, and then nothing of the numbers is lost.
    folder.run("import --format mpw-results @c.jsonl --out @told --model m", 0);
    let record = |run: &str| {
        let mut record = folder.json(&format!("metrics @{run} --json"));
        let members = record.as_object_mut().unwrap();
        // What no line holds (tokens, times, costs, the hash of the spec), and what an import adds.
        members.retain(|name, _| {
            let is_apart = matches!(
                name.as_str(),
                "usage"
                    | "spec_hash"
                    | "times"
                    | "searches_short"
                    | "engine_agreement"
                    | "rankable"
            );
            !is_apart && !name.starts_with("cost_")
        });
        record
    };
    assert_eq!(record("told"), record("c"));
    let rankable = |run: &str| folder.json(&format!("metrics @{run} --json"))["rankable"].clone();
    assert_eq!([rankable("c"), rankable("told")], [true, false]);
    // Settings side by side.
    run("per-fact", "A", "a");
    run("per-fact", "control", "control");
    folder.run("export --format mpw-results @a --out @a.jsonl", 0);
    let first = &folder.lines("a.jsonl")[0];
    assert!(
        first["metrics"]["total_facts"].as_u64().unwrap() > 0
            && first.get("trajectory_log").is_none()
    );
    let gap = folder.json("metrics --compare @a @c @control --json");
    assert_eq!(gap["worlds"], json!(6));
    let level = |setting: &str| gap["settings"][setting]["pass_at_1"].as_f64().unwrap();
    near(&gap, &[("/settings/C/pass_at_1", 1.0), ("/search_gap", level("A") - level("C"))]);
    near(&gap, &[("/search_gain", level("C") - level("control"))]);
    folder.run("metrics --compare @a @c @control", 0).out_has("search gap");
    // Different players are compared over the same worlds; where the setting differs as well, no gap is theirs.
    folder.run("metrics --compare @c @one", 0).out_has("differ in Player");
    folder.run("metrics --compare @a @one", 0).out_has("different players");
    // Another benchmark reads its replies anew, and is compared in its own number.
    folder.run("run --benchmark trust --repeats 1 --out @trust", 0);
    folder.run("metrics @trust --profile reference", 0).out_has("read again in reference");
    let same = folder.json("metrics --compare @trust @trust --json");
    let pairs = &same["comparison"]["subjects"][0]["pairs"];
    near(&pairs[0], &[("/difference", 0.0), ("/p", 1.0)]);
    assert_eq!(pairs[0]["needed"], "cannot_be_said");
    folder.run("metrics --compare @trust @a", 1).err_has("runs of one benchmark");
    folder
        .run("export --format mpw-results @trust --out @no.jsonl", 1)
        .err_has("transcript of trust");
}

/// What players of a run were shown, by world and query.
fn pages(folder: &Folder, run: &str) -> BTreeMap<(String, String), String> {
    let mut pages = BTreeMap::new();
    for name in folder.transcripts(run).into_keys() {
        let lines = folder.lines(&format!("{run}/{name}"));
        let shown = lines.iter().filter_map(|line| line["event"]["shown"].as_str());
        // What else is shown are remarks of the protocol.
        for inside in shown.filter_map(|shown| shown.strip_prefix("<tool_response>")) {
            let inside = inside.trim_end_matches("</tool_response>");
            let page: Value = serde_json::from_str(inside.trim()).unwrap();
            let world = name.split('.').next().unwrap().to_owned();
            let query = page["search_query"].as_str().unwrap().to_owned();
            pages.insert((world, query), page["search_result"].to_string());
        }
    }
    pages
}

/// I11 beyond a run, and the judge's cache: what a model said once stands for every run over the same database.
#[test]
fn a_model_engine_answers_the_same_query_alike_in_every_run() {
    let folder = folder();
    let endpoint = "[[provider]]\nname = \"made\"\nformat = \"scripted\"\nseed = 7\n";
    folder.write("data/turnwise.toml", endpoint);
    let run = |player: &str, model: &str, out: &str| {
        let words = format!(
            "run --benchmark paraworld --data @data --limit 3 --seat player=bot:{player} --seat engine=model:made/{model} \
             --seat judge=bot:exact --out @{out}"
        );
        folder.run(&words, 0);
    };
    let sent = |run: &str| {
        let calls = folder.lines(&format!("{run}/timing.ndjson"));
        let again = calls.iter().filter(|call| call["timing"]["from_ledger"] == true).count();
        (calls.len(), again)
    };
    run("per-fact", "one", "first");
    let (calls, again) = sent("first");
    assert!(calls > 0 && again == 0, "{calls} {again}");
    // Another player asks for some of the same: nothing is sent, nothing is paid, and the pages are those.
    run("random-facts", "one", "second");
    let (calls, again) = sent("second");
    assert!(calls > 0 && again == calls, "{calls} {again}");
    let (known, pages_again) = (pages(&folder, "first"), pages(&folder, "second"));
    assert!(!pages_again.is_empty());
    for (query, page) in &pages_again {
        assert_eq!(known.get(query), Some(page), "{query:?}");
    }
    // What is recorded needs no database to be replayed.
    std::fs::remove_dir_all(folder.at("data")).unwrap();
    folder.run("replay @second", 0);
    // Another model is asked for itself.
    folder.write("data/turnwise.toml", endpoint);
    run("random-facts", "two", "other");
    assert_eq!(sent("other").1, 0);
    // The folder of the database is made where there is none.
    let words = "run --benchmark paraworld --data @new/data --limit 1 --seat player=bot:per-fact \
                 --seat engine=model:scripted/trial --seat judge=bot:exact --out @new/run";
    folder.run(words, 0);
}
