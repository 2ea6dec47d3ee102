//! `turnwise import` of logs of games, as other programs call it. All files here are made up.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use turnwise_shared::benchmarks::poker::action::Action;
use turnwise_shared::benchmarks::poker::card::Deck;
use turnwise_shared::benchmarks::poker::chips::Unit;
use turnwise_shared::benchmarks::poker::hand::{Hand, Setup};
use turnwise_shared::benchmarks::poker::imported::game_log::write::game_log;
use turnwise_shared::benchmarks::poker::record::Blinds;
use turnwise_shared::spec::Profile;

fn turnwise(format: &str, files: &[&Path], flags: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_turnwise"))
        .args(["import", "--format", format])
        .args(files)
        .args(flags)
        .output()
        .expect("the program was built");
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
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
    let one = written(
        folder.path(),
        "stats-log-1.ndjson",
        &stats_line(1, 1, [50, -50]),
    );
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
    assert!(
        out.contains("table 2: 2 hands") && out.contains("paid wrongly"),
        "{out}"
    );
}

#[test]
fn a_bad_line_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let lines = stats_line(1, 1, [50, -50]) + &stats_line(1, 2, [1, -1]).replace("folds", "fold");
    let path = written(folder.path(), "stats-log-1.ndjson", &lines);
    let (status, out, err) = turnwise("poker-stats", &[&path], &["--json"]);
    assert_eq!((status, out.as_str()), (Some(1), ""));
    assert!(
        err.contains("stats-log-1.ndjson, line 2, field players[0].folds: it is missing"),
        "{err}"
    );
}

#[test]
fn events_are_counted_and_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let unit = Unit::Millionth;
    let mut stacks = vec![unit.chips(10_000); 3];
    let mut hands = Vec::new();
    for number in 1..=4 {
        let setup = Setup {
            hand: number,
            profile: Profile::Reference,
            button: (number as usize - 1) % 3,
            blinds: Blinds {
                small: unit.chips(50),
                big: unit.chips(100),
            },
            seated: ["1", "2", "3"]
                .map(Into::into)
                .into_iter()
                .zip(stacks)
                .collect(),
        };
        let deck = Deck::new(&(0..52).collect::<Vec<_>>()).unwrap();
        let mut hand = Hand::deal(setup, &deck).unwrap();
        while let Some(place) = hand.to_act() {
            hand.act(place, Action::FOLD).unwrap();
        }
        stacks = hand.record().stacks.clone();
        hands.push(hand.record().clone());
    }
    let path = written(folder.path(), "game-log-1.ndjson", &game_log(1, &hands));
    let found = record("poker-game-log", &[&path]);
    assert_eq!(found["counts"]["hands"], json!(4));
    assert_eq!(found["counts"]["fold_wins"], json!(4));
    assert_eq!(found["counts"]["actions"], json!({ "FOLD": 8 }));
    assert_eq!(found["counts"]["replay_ok"], json!(4));
    assert_eq!(found["hands"][2]["button"], json!(3));
    assert_eq!(found["hands"][0]["replay"]["verdict"], json!("ok"));
    assert_eq!(found["players"].as_array().unwrap().len(), 3);
    let (status, out, _) = turnwise("poker-game-log", &[&path], &[]);
    assert_eq!(status, Some(0));
    assert!(
        out.contains("4 alike, 0 alike as far as the log tells, 0 differ"),
        "{out}"
    );
}

#[test]
fn trust_results_are_measured() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../shared/benchmarks/trust/src/results/synthetic.json");
    let found = record("trust-results", &[&file]);
    let names: Vec<&str> = found["players"]
        .as_array()
        .unwrap()
        .iter()
        .map(|player| player["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["Grim Trigger-1", "Random-1", "TFT-1"]);
    assert_eq!(found["files"][0]["checks"]["differences"], json!([]));
}

#[test]
fn flags_belong_to_formats() {
    let file = Path::new("nowhere.ndjson");
    let refused = |format: &str, files: &[&Path], flags: &[&str], message: &str| {
        let (status, _, err) = turnwise(format, files, flags);
        assert_eq!(status, Some(1), "{err}");
        assert!(err.contains(message), "{err}");
    };
    refused(
        "poker-stats",
        &[file],
        &["--out", "x"],
        "--out belongs to the formats of InteractComp",
    );
    refused(
        "poker-stats",
        &[file],
        &["--model", "x"],
        "--model belongs to --format interactcomp-results",
    );
    refused(
        "interactcomp-tasks",
        &[file],
        &["--json"],
        "--json belongs to the formats of games",
    );
    refused(
        "interactcomp-tasks",
        &[file],
        &[],
        "name where to write with --out",
    );
    refused(
        "interactcomp-tasks",
        &[file, file],
        &["--out", "x"],
        "one file at a time",
    );
    refused("poker-stats", &[file], &[], "nowhere.ndjson");
}
