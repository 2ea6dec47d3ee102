//! The authors' result files by way of the format that the command line offers.

use serde_json::Value;
use turnwise_core::dice;
use turnwise_core::formats::{BadFile, Export, File, ImportedRun};
use turnwise_core::prelude::*;
use turnwise_core::spec::Profile::{Reference, Strict};
use turnwise_core::testing::{self, Episode, imported, result_file, summaries};

use super::{drive, play, rounds, task};
use crate::SituationPuzzle;

const THEIRS: &[u8] = include_bytes!("results.json");

fn file(bytes: &[u8]) -> File {
    result_file("f.json", bytes)
}

fn import(bytes: &[u8]) -> Result<ImportedRun, BadFile> {
    testing::import(&SituationPuzzle, "f.json", bytes)
}

fn export(kept: Option<File>, plays: &[Episode]) -> Result<Export, BadFile> {
    testing::export(&SituationPuzzle, kept, &task(), plays)
}

/// The numbers of episodes, less what the files do not tell.
fn record(plays: &[Episode]) -> Value {
    let summaries = summaries(&SituationPuzzle, plays);
    let summaries: Vec<&Summary> = summaries.iter().collect();
    crate::metrics::report(&plays[0].0.header.spec, &summaries).record
}

#[test]
fn a_file_of_the_authors_goes_out_as_it_came() {
    let run = import(THEIRS).expect("it can be read");
    assert!(run.said.starts_with("2 episodes of x-ai/grok"), "{}", run.said);
    let found = record(&imported(&run));
    let theirs: Value = serde_json::from_slice(THEIRS).expect("JSON");
    assert_eq!(found["accuracy"], theirs["summary"]["accuracy"], "{found}");
    assert!(run.is_kept);
    let back = export(Some(file(THEIRS)), &[]).expect("it can be written");
    assert_eq!(back.bytes, THEIRS);
    assert_eq!(back.said, "2 puzzles");
    for broken in [&b"[]"[..], b"{}", &THEIRS[..THEIRS.len() / 2]] {
        let bad = import(broken).expect_err("it is none").to_string();
        assert!(bad.starts_with("f.json: "), "{bad}");
        assert!(export(Some(file(broken)), &[]).is_err());
    }
}

const PLAYER: [&str; 5] = ["\n\nQ: a?\n", "FINAL: x", "prose ", "final", "\u{1c}Q"];
const JUDGE: [&str; 6] = ["YES", "yes.", "NO, YES", "CORRECT", "INCORRECT", "NOT CORRECT"];

#[test]
fn a_run_of_ours_comes_back_with_the_same_numbers() {
    for seed in 0..200 {
        let limit = 1 + u32::try_from(seed % 4).expect("it is small");
        let choices = dice::draw(seed, "replies", 10_000, 300);
        let mut choices = choices.into_iter();
        let played = drive(&rounds(Reference, limit), &task(), |ask, _| {
            let choice = choices.next().expect("there are more than calls") as usize;
            let text = match ask.seat.as_str() {
                Seat::PLAYER => PLAYER[choice % PLAYER.len()],
                _ => JUDGE[choice % JUDGE.len()],
            };
            Reply::Said(Said::text(text))
        });
        let ours = [(played.transcript, None)];
        if !ours[0].0.outcome().is_some_and(|outcome| outcome.is_complete()) {
            let refused = export(None, &ours).expect_err("it is not finished").to_string();
            assert!(refused.contains("not finished"), "{refused}");
            continue;
        }
        let written = export(None, &ours).expect("it can be written");
        let again = import(&written.bytes).expect("it can be read");
        assert_eq!(record(&imported(&again)), record(&ours), "seed {seed}");
    }
}

#[test]
fn what_the_files_cannot_hold_is_not_written() {
    let strict = play(&rounds(Strict, 1), &["FINAL: x"], &["CORRECT"]).transcript;
    let refused = export(None, &[(strict, None)]).expect_err("strict").to_string();
    assert!(refused.contains("profile reference"), "{refused}");
    let refused = export(None, &[]).expect_err("nothing").to_string();
    assert!(refused.contains("there is no episode in it"), "{refused}");
}

/// Unused members, and other spellings of those that are read.
#[test]
fn files_are_read_however_programs_write_them() {
    let theirs = std::str::from_utf8(THEIRS).expect("text");
    let wanted = import(THEIRS).expect("it can be read");
    let accuracy = theirs
        .split("\"accuracy\": ")
        .nth(1)
        .and_then(|rest| rest.split(['\n', '}']).next())
        .expect("it is there");
    let accuracy = format!("\"accuracy\": {accuracy}");
    for (from, to) in [
        (accuracy.as_str(), "\"accuracy\": NaN"),
        (accuracy.as_str(), "\"accuracy\": null"),
        ("\"summary\": {", "\"more\": \"half \\ud83d\", \"summary\": {"),
        ("\"summary\": {", "\"more\": [NaN, -Infinity, null], \"summary\": {"),
        ("\"turn\": 1,", "\"turn\": 1.0,"),
        ("\"turn\": 1,", "\"turn\": \"1\","),
        ("\"kind\": \"question\"", "\"kind\": \" question \""),
        ("\"judge_norm\": \"CORRECT\"", "\"judge_norm\": \"\u{201c}CORRECT\u{201d}\""),
    ] {
        assert!(theirs.contains(from), "{from}");
        let run = import(theirs.replace(from, to).as_bytes());
        assert_eq!(run.map(|run| run.episodes), Ok(wanted.episodes.clone()), "{to}");
    }
    let wide: Vec<u8> =
        format!("\u{feff}{theirs}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(import(&wide).map(|run| run.episodes), Ok(wanted.episodes));
    let bad = import(theirs.replace("\"turn\": 1,", "\"turn\": \"first\",").as_bytes());
    let bad = bad.expect_err("it is no number").to_string();
    assert!(bad.contains("history[0].turn"), "{bad}");
}

#[test]
fn a_number_is_the_same_id_however_it_is_written() {
    let mut theirs: Value = serde_json::from_slice(THEIRS).expect("JSON");
    let mut ids =
        [serde_json::json!(7), serde_json::json!(7.0), serde_json::json!("7")].map(|id| {
            theirs["results"][0]["puzzle"]["id"] = id;
            let run = import(theirs.to_string().as_bytes()).expect("it can be read");
            run.episodes[0].key.clone()
        });
    ids.sort();
    assert_eq!(ids[0], ids[2]);
    let row = |id: &str| {
        format!("{{\"id\": {id}, \"title\": \"t\", \"setup\": \"s\", \"solution\": \"x\"}}")
    };
    for id in ["7", "7.0", "\"7\""] {
        let set = crate::tasks::read("f.jsonl", row(id).as_bytes()).expect("it can be read");
        assert_eq!(set.tasks[0].id.0, "7", "{id}");
    }
}
