//! Poker on the command line: played, replayed, driven again, measured, compared, exported.

use crate::common::*;

#[test]
fn poker_is_played_replayed_measured_and_exported() {
    let folder = folder();
    let words = "run --benchmark poker --tables 2 --hands 5 --seat 1=bot:equity --seat 2=bot:tight-aggressive \
                 --seat 3=bot:random-legal --policy reset-every-hand --permute-seats --stack 5000 --blinds 25/50 --seed 7 \
                 --profile strict --out @hands";
    folder.run(words, 0);
    is_sound(&folder, "hands", 10);
    let record = folder.json("metrics @hands --json");
    let players = record["players"].as_array().unwrap();
    assert_eq!(players.len(), 3);
    let names: Vec<_> = players.iter().map(|player| player["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["equity", "tight-aggressive", "random-legal"]);
    let won: f64 = players.iter().map(|player| player["winnings_per_hand"].as_f64().unwrap()).sum();
    assert!(won.abs() < 1e-6, "what one wins another loses: {won}");
    for player in players {
        assert_eq!(player["hands"], 10);
        for key in ["bb100", "vpip", "pfr", "fold_rate"] {
            assert!(player[key].is_number(), "{key} of {player}");
        }
    }
    folder.run("export --format phh @hands --out @phh", 0).out_has("10 hands");
    let files: Vec<_> = std::fs::read_dir(folder.at("phh")).unwrap().collect();
    assert_eq!(files.len(), 10);
    let text = std::fs::read_to_string(files[0].as_ref().unwrap().path()).unwrap();
    assert!(text.contains("variant = \"NT\""), "{text}");

    // Two runs have episodes of the same names.
    folder.run(&words.replace("@hands", "@others"), 0);
    let said = folder.run("export --format phh @hands @others --out @both", 1);
    for part in ["others", "another transcript of the same episode", "a folder of its own"] {
        said.err_has(part);
    }
    folder
        .run("export --format phh @hands --tasks @x --out @phh", 1)
        .err_has("--tasks belongs to the other formats");
}

#[test]
fn duplicate_decks_and_tables_that_go_on() {
    let folder = folder();
    let three = "--players equity,calling-station,tight-aggressive";
    folder.run(
        &format!("run --benchmark poker --tables 1 --hands 3 --duplicate {three} --out @decks"),
        0,
    );
    is_sound(&folder, "decks", 9);
    assert_eq!(folder.json("metrics @decks --json")["interval_over"], "deck_sets");
    folder.run(&format!(
                "run --benchmark poker --tables 2 --hands 8 --policy rebuy-busted --memory table {three} --out @tables"
            ), 0);
    is_sound(&folder, "tables", 2);
    folder
        .run("run --benchmark poker --tables 1 --hands 6 --profile reference --out @published", 0);
    is_sound(&folder, "published", 1);
}

#[test]
fn games_are_compared_by_the_seat_that_changed() {
    let folder = folder();
    let poker = "run --benchmark poker --tables 1 --hands 40 --players";
    folder.run(&format!("{poker} equity,random-legal,equity --out @one"), 0);
    folder.run(&format!("{poker} random-legal,random-legal,equity --out @other"), 0);
    folder.run(&format!("{poker} equity,random-legal,equity --seed 2 --out @dealt"), 0);
    let found = folder.json("metrics --compare @one @other --json");
    let subjects = found["comparison"]["subjects"].as_array().unwrap();
    assert_eq!(subjects.len(), 1);
    assert_eq!((&subjects[0]["seat"], &subjects[0]["tasks"]), (&json!("1"), &json!(40)));
    folder.run("metrics --compare @one @dealt", 1).err_has("other cards");
}

#[test]
fn players_have_the_names_that_are_given() {
    let folder = folder();
    let run = "run --benchmark poker --tables 1 --hands 4 --players";
    folder
        .run(&format!("{run} Ann=calling-station,always-fold,Cy=calling-station --out @named"), 0);
    let said = folder.run("metrics @named", 0);
    for name in ["Ann", "Cy", "always-fold"] {
        said.out_has(name);
    }
    assert!(!said.out.contains("calling-station (1)"), "{}", said.out);
    for (players, problem) in [
        ("Ann=always-fold,Ann=equity", "\"Ann\" is the name of two players"),
        ("=always-fold,equity", "settings.names.1: a name has 1 to 60 characters"),
        ("Ann=nobody,equity", "nobody"),
    ] {
        folder.run(&format!("{run} {players} --out @bad"), 1).err_has(problem);
    }
    folder
        .run("run --benchmark poker --set names={\"7\":\"Ann\"} --out @bad", 1)
        .err_has("settings.names.7: there is no such seat");
}

#[test]
fn what_cannot_be_played_is_said() {
    let wrong = [
        ("--benchmark poker --tables 0", "settings.tables"),
        ("--benchmark poker --mode full", "interactcomp"),
        ("--benchmark poker --seat 7=bot:nobody", "bot:equity"),
        ("--benchmark poker --seat 12=bot:equity", "1 to 10"),
        ("--benchmark poker --duplicate --policy freezeout", "reset-every-hand"),
        ("--benchmark poker --seat 1=person", "browser"),
        ("--benchmark poker --tasks @x", "no task file"),
    ];
    refused(&folder(), &wrong);
    for (words, why) in [
        ("--blinds 100", "SMALL/BIG"),
        ("--hands many", "a whole number from 1 to 100000"),
        ("--duplicate=maybe", "true or false"),
    ] {
        folder().run(&format!("run --benchmark poker {words} --out @no"), 2).err_has(why);
    }
}
