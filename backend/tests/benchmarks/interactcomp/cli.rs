//! Studies and comparisons on the command line: a sweep is one run, can be resumed, replays, and is measured value by value;
//! runs are compared over the same tasks. Built-in players only.

use std::fs;

use crate::common::*;

fn remove_some(folder: &Path) -> usize {
    let mut removed = 0;
    for name in transcripts(folder).keys().filter(|name| name.contains("-k20.")) {
        fs::remove_file(folder.join(name)).unwrap();
        removed += 1;
    }
    removed
}

#[test]
fn a_scaling_study_is_one_run_that_can_be_taken_up() {
    let folder = folder();
    let run = "run --benchmark interactcomp --sweep scaling --limit 3";
    folder.run(&format!("{run} --out @study"), 0);
    let whole = folder.transcripts("study");
    let plays = whole.keys().filter(|name| name.ends_with(".play.jsonl")).count();
    assert_eq!(plays, 9, "three tasks at three values");
    // Every value has the same tasks.
    let tasks_at = |value: &str| -> Vec<String> {
        let ending = format!("-k{value}.r1.play.jsonl");
        whole.keys().filter_map(|name| name.strip_suffix(&ending)).map(str::to_owned).collect()
    };
    assert_eq!(tasks_at("5"), tasks_at("10"));
    assert_eq!(tasks_at("5"), tasks_at("20"));
    let found = folder.json("metrics @study --json");
    assert_eq!((&found["n"], &found["swept"]), (&json!(9), &json!("rounds")));
    let sweep = found["sweep"].as_array().unwrap();
    let values: Vec<_> = sweep.iter().map(|one| one["rounds"].as_u64().unwrap()).collect();
    assert_eq!(values, [5, 10, 20]);
    for one in sweep {
        assert_eq!(one["n"], 3);
        assert!(one["accuracy"].is_number() && one["accuracy_interval"].is_array(), "{one}");
        assert!(one["iround"].is_number() && one["calibration_error"].is_number(), "{one}");
    }
    folder.run("metrics @study", 0).out_has("Scaling study");
    folder.run("replay @study", 0);
    // Taken up where plays are missing, it is the same run, byte for byte.
    assert!(remove_some(&folder.at("study")) > 0);
    folder.run("run --resume --out @study", 0);
    assert_eq!(folder.transcripts("study"), whole);
    folder.run("run --resume --out @study --rounds 5", 1).err_has("--resume with --rounds");
}

#[test]
fn a_forced_study_and_lists_of_values() {
    let folder = folder();
    folder.run("run --benchmark interactcomp --sweep forced --limit 2 --out @forced", 0);
    let found = folder.json("metrics @forced --json");
    assert_eq!((&found["mode"], &found["swept"]), (&json!("forced_ask"), &json!("min_asks")));
    let values: Vec<_> =
        found["sweep"].as_array().unwrap().iter().map(|one| one["min_asks"].clone()).collect();
    assert_eq!(values, [2, 4, 6, 8, 10]);
    // The bot asks what it knows to ask, which is less than six; where it may answer, the minimum was met.
    for one in &found["sweep"].as_array().unwrap()[..2] {
        assert!(one["iround"].as_f64() >= one["min_asks"].as_f64(), "{one}");
    }
    folder.run("run --benchmark interactcomp --rounds 2,4 --limit 2 --out @list", 0);
    assert_eq!(folder.json("metrics @list --json")["sweep"].as_array().unwrap().len(), 2);
    for (wrong, why) in [
        ("--rounds 5,5", "listed twice"),
        ("--mode answer_only --rounds 5,10", "no effect"),
        ("--min-asks 2,4", "no effect"),
        ("--sweep forced --rounds 5", "do not fit"),
        ("--sweep forced --rounds 20,30", "sweeps over one setting"),
    ] {
        let said = folder.say(&format!("run --benchmark interactcomp {wrong} --out @no"));
        assert!(expect(said, 1).err.contains(why), "{wrong}");
    }
}

#[test]
fn runs_are_compared_over_the_same_tasks() {
    let folder = folder();
    for (bot, name) in [("asks-by-rule", "asks"), ("answer-only", "guesses")] {
        folder
            .run(&format!("run --benchmark interactcomp --seat player=bot:{bot} --out @{name}"), 0);
    }
    let there = folder.json("metrics --compare @asks @guesses --json");
    let back = folder.json("metrics --compare @guesses @asks --json");
    assert_eq!(there["schema"], "turnwise-compare/1");
    let pair = |record: &Value| record["comparison"]["subjects"][0]["pairs"][0].clone();
    let (one, other) = (pair(&there), pair(&back));
    let number = |pair: &Value, key: &str| pair[key].as_f64().unwrap();
    assert_eq!(number(&one, "difference"), -number(&other, "difference"));
    assert_eq!((&one["more"], &one["less"]), (&other["less"], &other["more"]));
    assert_eq!((&one["p"], &one["binary"]), (&other["p"], &json!(true)));
    let ends = |pair: &Value| {
        let ends = pair["interval"].as_array().unwrap().clone();
        (ends[0].as_f64().unwrap(), ends[1].as_f64().unwrap())
    };
    let ((low, high), (back_low, back_high)) = (ends(&one), ends(&other));
    assert!((low + back_high).abs() < 1e-9 && (high + back_low).abs() < 1e-9);
    let flips = one["flips"].as_array().unwrap();
    assert_eq!(flips.len() as f64, number(&one, "more") + number(&one, "less"));
    assert!(!flips.is_empty());
    let again = folder.json("metrics --compare @asks @guesses --json");
    assert_eq!(again, there, "the same runs have the same interval every time");
    let said = folder.run("metrics --compare @asks @guesses", 0);
    said.out_has("differ in Player");
    // The sentence of the record is printed, and agrees with the interval beside it.
    let verdict = one["verdict"].as_str().unwrap();
    said.out_has(verdict);
    let excludes = low > 0.0 || high < 0.0;
    assert_eq!(excludes, verdict.contains(" is better than "), "{verdict}");
    assert_eq!(one["apart"], json!(excludes));
    folder.run("metrics --compare @asks", 1).err_has("2 to 20 runs");
}

#[test]
fn tasks_are_imported_and_a_bad_row_is_named() {
    let folder = folder();
    // "Widget 42" under the canary of the authors, by the vectors of the specification.
    let row = |id: u32, text: &str| {
        format!(
            r#"{{"id": {id}, "domain": "{text}", "answer": "{text}", "question": "{text}", "context": "{text}", "canary": "InteractComp"}}"#
        )
    };
    let good = format!("{}\n{}\n", row(1, "pdrWnkrlsJm3"), row(2, "FAY5EYAEsEsQ3kB6Ew=="));
    folder.write("good.jsonl", &good);
    let import = "import --format interactcomp-tasks";
    folder.run(&format!("{import} @good.jsonl --out @plain.jsonl"), 0);
    let plain = folder.read("plain.jsonl");
    let rows: Vec<Value> = plain.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 2);
    assert_eq!(rows[0]["answer"], "Widget 42");
    assert_eq!(rows[1]["question"], "测试 数据");
    assert_eq!(rows[0]["id"], 1);
    folder.write("bad.jsonl", format!("{}\n{}\n", row(1, "pdrWnkrlsJm3"), row(2, "%%")));
    folder.run(&format!("{import} @bad.jsonl --out @x.jsonl"), 1).err_has("row 2");
    assert!(!folder.at("x.jsonl").exists());
}
