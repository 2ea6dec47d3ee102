//! Situation Puzzle on the command line: its flags, and the check of new puzzles.

use std::fs;

use crate::common::*;

/// Two made-up puzzles; only the first has a bank.
fn puzzles(folder: &Folder) {
    let puzzle = |id: &str, bank: bool| {
        let mut puzzle = json!({
            "id": id, "title": "The lamp", "setup": "A keeper switches off a lamp and is arrested.",
            "solution": "The lamp was that of a lighthouse, and a ship was lost.", "notes": "",
        });
        if bank {
            puzzle["questions"] = json!([
                ["Was it a lighthouse?", "YES"],
                ["Did the keeper steal?", "NO"],
                ["Was the keeper tall?", "IRRELEVANT"],
                ["Was the lamp near and far?", "BOTH"],
            ]);
            puzzle["finals"] = json!([
                ["It was a lighthouse, and without light a ship was lost.", "CORRECT"],
                ["The keeper forgot to pay.", "INCORRECT"],
            ]);
        }
        puzzle.to_string()
    };
    let rows = [puzzle("lamp", true), puzzle("bare", false)];
    fs::write(folder.at("new.jsonl"), rows.join("\n")).unwrap();
}

#[test]
fn a_new_puzzle_is_accepted_by_recorded_runs_in_two_modes() {
    let folder = folder();
    puzzles(&folder);
    // Without runs the file is checked, and it is said what is missing.
    let said = folder.run("puzzles check @new.jsonl", 1);
    for part in [
        "lamp: undecided",
        "direct: not tried",
        "0 of the 2",
        "bare: rejected",
        "no bank",
        "2 puzzles: 0 accepted, 1 rejected, 1 undecided",
    ] {
        said.out_has(part);
    }
    let run = "run --benchmark situation_puzzle --tasks @new.jsonl --subset ids=lamp";
    folder.run(&format!("{run} --mode direct --out @direct"), 0);
    for judge in ["one", "two"] {
        folder.run(&format!("{run} --mode hearing --out @{judge}"), 0);
    }
    folder.run("replay @one", 0);
    let one = folder.transcripts("one");
    assert!(one.values().all(|text| text.contains("\"heard\"")));
    // No player could solve anything.
    let record = folder.json("metrics @one --json");
    assert_eq!(record["accuracy"], Value::Null);
    assert_eq!(record["rankable"], json!(false));

    let said = folder.say("puzzles check @new.jsonl @direct @one @two --json");
    let record: Value = serde_json::from_str(&expect(said, 1).out).unwrap();
    assert_eq!(record["puzzles"][1]["verdict"], "rejected");
    let lamp = &record["puzzles"][0];
    assert_eq!(lamp["puzzle"], "lamp");
    // Bots answer from the bank, so they show nothing about it.
    assert_eq!(
        (&lamp["verdict"], &lamp["judges_agree"]),
        (&json!("undecided"), &json!("undecided")),
        "{lamp}"
    );
    assert!(lamp["findings"].to_string().contains("no evidence"), "{lamp}");
    // Runs over another version of the puzzle are no evidence.
    let text = fs::read_to_string(folder.at("new.jsonl")).unwrap();
    fs::write(folder.at("new.jsonl"), text.replace("a ship was lost", "two ships were lost"))
        .unwrap();
    let said = folder.run("puzzles check @new.jsonl @direct @one @two", 1);
    said.out_has("note: 3 transcripts are of other");
    said.out_has("lamp: undecided");
}

#[test]
fn what_is_no_puzzle_is_named_with_row_and_field() {
    let folder = folder();
    for (text, parts) in [
        (
            r#"{"id": 1, "title": "t", "setup": "s", "notes": ""}"#,
            ["bad.jsonl", "row 1", "solution"],
        ),
        ("[]", ["bad.jsonl", "", ""]),
        (
            r#"{"id": 1, "title": "t", "setup": ["s"], "solution": "x", "notes": ""}"#,
            ["row 1", "setup", ""],
        ),
    ] {
        fs::write(folder.at("bad.jsonl"), text).unwrap();
        let said = folder.run("puzzles check @bad.jsonl", 1);
        for part in parts {
            said.err_has(part);
        }
    }
    puzzles(&folder);
    folder.run("puzzles check @nothing.jsonl", 1).err_has("nothing.jsonl");
    folder.run("run --benchmark trust --repeats 1 --out @other", 0);
    folder.run("puzzles check @new.jsonl @other", 1).err_has("transcript of trust");
    folder.run("puzzles check", 2);
}

#[test]
fn settings_have_flags_without_a_line_in_the_command_line() {
    let folder = folder();
    let run = "run --benchmark situation_puzzle --limit 1";
    folder.run(&format!("{run} --rounds 5,10 --judge-memory running --out @sweep"), 0);
    let text = fs::read_to_string(folder.at("sweep/run.json")).unwrap();
    let file: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(file["spec"]["settings"]["rounds"], json!([5, 10]));
    assert_eq!(file["spec"]["settings"]["judge_memory"], "running");
    refused(
        &folder,
        &[
            ("--benchmark situation_puzzle --rounds 101", "settings.rounds: expected"),
            ("--benchmark situation_puzzle --mode guess", "settings"),
            ("--benchmark situation_puzzle --mode hearing --profile reference", "settings.mode"),
            (
                "--benchmark situation_puzzle --min-asks 2",
                "--min-asks is a setting of interactcomp, not of situation_puzzle",
            ),
        ],
    );
    folder.run(&format!("{run} --rounds five --out @no"), 2).err_has("--rounds");
}
