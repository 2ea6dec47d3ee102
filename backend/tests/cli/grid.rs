//! Grids of runs: killed, resumed, and under one budget.

use std::time::Instant;

use super::models::endpoint;
use crate::common::*;

/// Two players and two judges, who sit in two seats each.
const FLAGS: &str = "--data @data --limit 4 --seat player=bot:asks-by-rule --seat player=bot:answer-only \
                     --seat responder+grader=model:made/two --seat responder+grader=model:made/three";

fn runs(grid: &Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(grid).into_iter().flatten().map(|entry| entry.unwrap().path());
    let mut runs: Vec<_> = entries.filter(|path| path.join("run.json").exists()).collect();
    runs.sort();
    runs
}

/// Calls that were sent, each attempt counted.
fn sent(grid: &Path) -> u64 {
    let calls = runs(grid).into_iter().flat_map(|run| {
        let timing = std::fs::read_to_string(run.join("timing.ndjson")).unwrap_or_default();
        let attempts = |line: &str| -> u64 {
            let call: Value = serde_json::from_str(line).unwrap();
            call["timing"]["attempts"].as_u64().unwrap()
        };
        timing.lines().map(attempts).collect::<Vec<_>>()
    });
    calls.sum()
}

#[cfg(unix)]
#[test]
fn a_grid_that_is_killed_goes_on_and_pays_for_nothing_twice() {
    let folder = folder();
    endpoint(&folder, 0.0, 1);
    let words = format!("grid --benchmark {QUESTIONS} {FLAGS} --json");
    let plan = folder.run(&format!("{words} --plan --out @whole"), 0).err;
    assert!(
        plan.contains("4 runs, 16 episodes, at most") && plan.contains("calls of grader"),
        "{plan}"
    );
    assert!(!folder.at("whole").exists());
    let report = folder.json(&format!("{words} --out @whole"));
    let grid = &report["grid"];
    assert_eq!(grid["columns"]["by"], "grader and responder");
    assert_eq!(grid["rows"]["names"].as_array().unwrap().len(), 2);
    assert!(grid["tau"].is_object() && grid["cells"][1][1]["turns"].is_number(), "{grid}");
    let whole = folder.at("whole");
    assert_eq!(runs(&whole).len(), 4);

    endpoint(&folder, 0.0, 60);
    let killed = folder.at("killed");
    let mut child = folder.begin(&format!("{words} --concurrency 2 --out @killed"));
    let begun = Instant::now();
    // The first run is over, and the second one is under way.
    while runs(&killed).len() < 2 || runs(&killed).iter().any(|run| transcripts(run).is_empty()) {
        assert!(begun.elapsed().as_secs() < 60, "the second run does not begin");
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let first = sent(&killed);
    endpoint(&folder, 0.0, 1);
    let again = format!("{words} --out @killed");
    folder.run(&again, 1).err_has("--resume goes on with it");
    // One budget for all runs, which holds until another is given.
    let cap = first + 5;
    folder.run(&format!("{again} --resume --cap-calls {cap}"), 3);
    assert!((first..=cap).contains(&sent(&killed)), "{} of {cap}", sent(&killed));
    folder.run(&format!("{again} --resume"), 3).err_has("go on with the same command and --resume");
    assert!(sent(&killed) <= cap);
    let resumed = folder.json(&format!("{again} --resume --cap-calls none"));
    assert_eq!(resumed, report);
    for (one, other) in runs(&whole).into_iter().zip(runs(&killed)) {
        assert_eq!(one.file_name(), other.file_name());
        assert_eq!(transcripts(&one), transcripts(&other), "{}", one.display());
    }
    let calls = sent(&killed);
    assert_eq!(folder.json(&format!("{again} --resume")), report);
    assert_eq!(sent(&killed), calls, "a whole grid asks nobody");
}

#[test]
fn flags_that_make_no_grid_are_named() {
    let folder = folder();
    let refused = |flags: &str, why: &str| {
        folder.run(&format!("grid --out @grid {flags}"), 1).err_has(why);
        assert!(!folder.at("grid").exists(), "{flags}");
    };
    let two = "--seat player=bot:answer-only --seat player=bot:search-only";
    refused(&format!("--benchmark {QUESTIONS}"), "make one run");
    refused(&format!("--benchmark {QUESTIONS} {two} {two}"), "give nothing twice");
    refused(&format!("--benchmark {QUESTIONS} {two} --set nothing=1,2"), "nothing");
    refused(
        &format!("--benchmark {GAME} --seat 1=bot:equity --seat 1=bot:calling-station"),
        "compare",
    );
    refused(&format!("--resume {two}"), "give --benchmark");
    assert_eq!(turnwise(["grid"]).status, 2);
}
