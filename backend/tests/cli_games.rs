//! Games on the command line: played, replayed, driven again, measured, exported.

use serde_json::Value;
use tempfile::TempDir;

use crate::common::program::{expect, folder, say, transcripts};

fn metrics(folder: &TempDir, run: &str) -> Value {
    let said = expect(say(folder, &format!("metrics {run} --json")), 0);
    serde_json::from_str(&said.out).unwrap()
}

/// Everything that a run of a game must bear.
fn is_sound(folder: &TempDir, run: &str, episodes: usize) {
    let before = transcripts(&folder.path().join(run));
    assert_eq!(before.len(), episodes);
    let said = expect(say(folder, &format!("replay @{run}")), 0);
    assert_eq!(said.out.lines().count(), episodes);
    expect(
        say(folder, &format!("run --redrive @{run} --out @{run}-again")),
        0,
    );
    let again = folder.path().join(format!("{run}-again"));
    assert_eq!(transcripts(&again), before);
}

#[test]
fn poker_is_played_replayed_measured_and_exported() {
    let folder = folder();
    let words = "run --benchmark poker --tables 2 --hands 5 --seat 1=bot:equity --seat 2=bot:tight-aggressive \
                 --seat 3=bot:random-legal --policy reset-every-hand --permute-seats --stack 5000 --blinds 25/50 --seed 7 \
                 --profile strict --out @hands";
    expect(say(&folder, words), 0);
    is_sound(&folder, "hands", 10);
    let record = metrics(&folder, "@hands");
    let players = record["players"].as_array().unwrap();
    assert_eq!(players.len(), 3);
    let names: Vec<_> = players
        .iter()
        .map(|player| player["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["equity", "tight-aggressive", "random-legal"]);
    let won: f64 = players
        .iter()
        .map(|player| player["winnings_per_hand"].as_f64().unwrap())
        .sum();
    assert!(won.abs() < 1e-6, "what one wins another loses: {won}");
    for player in players {
        assert_eq!(player["hands"], 10);
        for key in ["bb100", "vpip", "pfr", "fold_rate"] {
            assert!(player[key].is_number(), "{key} of {player}");
        }
    }
    let said = expect(say(&folder, "export --format phh @hands --out @phh"), 0);
    assert!(said.out.contains("10 hands"), "{}", said.out);
    let files: Vec<_> = std::fs::read_dir(folder.path().join("phh"))
        .unwrap()
        .collect();
    assert_eq!(files.len(), 10);
    let text = std::fs::read_to_string(files[0].as_ref().unwrap().path()).unwrap();
    assert!(text.contains("variant = \"NT\""), "{text}");
}

#[test]
fn duplicate_decks_and_tables_that_go_on() {
    let folder = folder();
    let three = "--players equity,calling-station,tight-aggressive";
    expect(
        say(
            &folder,
            &format!("run --benchmark poker --tables 1 --hands 3 --duplicate {three} --out @decks"),
        ),
        0,
    );
    is_sound(&folder, "decks", 9);
    assert_eq!(metrics(&folder, "@decks")["interval_over"], "deck_sets");
    expect(
        say(
            &folder,
            &format!(
                "run --benchmark poker --tables 2 --hands 8 --policy rebuy-busted --memory table {three} --out @tables"
            ),
        ),
        0,
    );
    is_sound(&folder, "tables", 2);
    expect(
        say(
            &folder,
            "run --benchmark poker --tables 1 --hands 6 --profile reference --out @published",
        ),
        0,
    );
    is_sound(&folder, "published", 1);
}

#[test]
fn a_tournament_of_the_trust_game_comes_out_as_published_code_plays_it() {
    let folder = folder();
    let words = "run --benchmark trust --players grim,random:0.5,tft --delta 0.8 --cap 35 --repeats 5 --swap --seed 1234 \
                 --profile reference --out @trust";
    expect(say(&folder, words), 0);
    is_sound(&folder, "trust", 30);
    let record = metrics(&folder, "@trust");
    let totals: Vec<_> = record["players"]
        .as_array()
        .unwrap()
        .iter()
        .map(|player| {
            (
                player["name"].as_str().unwrap(),
                player["total"].as_i64(),
                player["rounds"].as_i64(),
            )
        })
        .collect();
    assert_eq!(
        totals,
        [
            ("Grim Trigger-1", Some(195), Some(130)),
            ("Random-1", Some(110), Some(138)),
            ("TFT-1", Some(179), Some(132)),
        ]
    );
    expect(
        say(
            &folder,
            "run --benchmark trust --players gtft,wsls --delta 0.5,0.9 --repeats 1 --out @sweep",
        ),
        0,
    );
    assert_eq!(
        metrics(&folder, "@sweep")["sweep"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
}

#[test]
fn what_cannot_be_played_is_said() {
    let folder = folder();
    for (words, why) in [
        ("--benchmark poker --tables 0", "settings.tables"),
        ("--benchmark poker --blinds 100", "SMALL/BIG"),
        ("--benchmark poker --mode full", "interactcomp"),
        ("--benchmark poker --seat 7=bot:nobody", "bot:equity"),
        ("--benchmark poker --seat 12=bot:equity", "1 to 10"),
        (
            "--benchmark poker --duplicate --policy freezeout",
            "reset-every-hand",
        ),
        ("--benchmark poker --seat 1=person", "browser"),
        ("--benchmark poker --tasks @x", "no task file"),
        ("--benchmark trust --players grim", "2 to"),
        ("--benchmark trust --players grim,nobody", "wsls"),
        ("--benchmark trust --delta 1.5", "settings.delta"),
        ("--benchmark trust --tables 3", "poker"),
        ("--benchmark interactcomp --players grim,tft", "--seat"),
    ] {
        let said = expect(say(&folder, &format!("run {words} --out @out")), 1);
        assert!(said.err.contains(why), "{words}: {}", said.err);
        assert!(!folder.path().join("out").exists(), "{words} left a folder");
    }
    let said = expect(
        say(&folder, "run --benchmark interactcomp --limit 1 --out @qa"),
        0,
    );
    drop(said);
    let said = expect(say(&folder, "export --format phh @qa --out @phh"), 1);
    assert!(said.err.contains("interactcomp"), "{}", said.err);
}
