//! `turnwise import --format poker-stats`, as other programs call it. All files here are made up.

use std::path::PathBuf;

use crate::common::*;

fn turnwise(format: &str, files: &[&Path], flags: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_turnwise"))
        .args(["import", "--format", format])
        .args(files)
        .args(flags)
        .output()
        .expect("the program was built");
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn record(format: &str, files: &[&Path]) -> Value {
    let (status, out, err) = turnwise(format, files, &["--json"]);
    assert_eq!(status, Some(0), "{err}");
    serde_json::from_str(&out).unwrap()
}

fn written(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

fn stats_line(table: u32, hand: u32, winnings: [i64; 2]) -> String {
    let players: Vec<Value> = winnings
        .iter()
        .zip(1..)
        .map(|(won, id)| {
            json!({
                "id": id, "name": format!("Made up {id}"), "model": "made-up/model", "chips": 10_000 + won,
                "handWinnings": won, "handsPlayed": hand, "folds": 1, "vpipCount": 1, "avgThinkMs": 5,
                "biggestWin": 50, "biggestLoss": -50,
            })
        })
        .collect();
    let line = json!({
        "timestamp": table, "tableId": table, "gameNumber": 1, "handNumber": hand, "players": players,
    });
    format!("{line}\n")
}

#[test]
fn statistics_of_several_tables() {
    let folder = tempfile::tempdir().unwrap();
    let one = written(folder.path(), "stats-log-1.ndjson", &stats_line(1, 1, [50, -50]));
    let lines = stats_line(2, 1, [50, -50]) + &stats_line(2, 2, [-350, 350]);
    let two = written(folder.path(), "stats-log-2.ndjson", &lines);
    let record = record("poker-stats", &[&one, &two]);
    let table = &record["tables"][1];
    assert_eq!(
        (&table["table"], &table["lines"], &table["hands"]),
        (&json!(2), &json!(2), &json!(2))
    );
    assert_eq!(table["players"][0]["total"], json!(-300));
    let player = &record["players"][0];
    assert_eq!(player["name"], json!("Made up 1"));
    // 50 and −150.
    assert_eq!(player["winnings_per_hand_mean"], json!(-50.0));
    assert_eq!(player["vpip_mean"], json!(0.75));
    assert_eq!(record["missettled"]["hands"], json!(0));
    let (status, out, _) = turnwise("poker-stats", &[&one, &two], &[]);
    assert_eq!(status, Some(0));
    assert!(out.contains("table 2: 2 hands") && out.contains("paid wrongly"), "{out}");
}

#[test]
fn a_bad_line_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let lines = stats_line(1, 1, [50, -50]) + &stats_line(1, 2, [1, -1]).replace("folds", "fold");
    let path = written(folder.path(), "stats-log-1.ndjson", &lines);
    let (status, out, err) = turnwise("poker-stats", &[&path], &["--json"]);
    assert_eq!((status, out.as_str()), (Some(1), ""));
    assert!(
        err.contains("stats-log-1.ndjson: row 2, field players[0].folds: it is missing"),
        "{err}"
    );
}
