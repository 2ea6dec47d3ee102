//! A synthetic file, made by our own `reference` run, must be read as what was played; every kind of mistake is named with
//! its path.

mod write;

use serde_json::{Value, json};

use super::{Results, record};
use crate::Trust;
use crate::tests::{runs::played, spec_of};
use turnwise_core::benchmark::Benchmark;
use turnwise_core::metrics::report::MeasureOptions;
use turnwise_core::metrics::summary::Summary;
use turnwise_core::spec::{Profile, Spec};
use write::write;

fn baseline() -> (Spec, Vec<Summary>) {
    let mut spec = spec_of("grim,random:0.5,tft");
    spec.profile = Profile::Reference;
    spec.seed = 1234;
    let mut matches = played(&spec);
    // The order of the plan: matches of bots end in it, and `played` turns it round.
    matches.reverse();
    (spec, matches)
}

fn read(file: &Value) -> Result<Results, String> {
    Results::read("made-up.json", &file.to_string()).map_err(|error| error.to_string())
}

#[test]
fn a_synthetic_file_is_read_as_what_was_played() {
    let (spec, matches) = baseline();
    let file = write(&spec, &matches);
    let imported = record(&[read(&file).expect("it is sound")]);
    let own = Trust
        .report(
            &spec,
            &matches.iter().collect::<Vec<_>>(),
            &MeasureOptions::default(),
        )
        .record;
    assert_eq!(imported["n"], 30);
    for position in 0..3 {
        let mut player = own["players"][position].clone();
        for ours in ["seat", "who"] {
            player.as_object_mut().expect("an object").remove(ours);
        }
        assert_eq!(imported["players"][position], player);
    }
    assert_eq!(
        imported["players"][0]["score_low"],
        json!(1.239_520_958_083_832_2)
    );
    assert_eq!(imported["files"][0]["pairs"], own["pairs"]);
    let checks = &imported["files"][0]["checks"];
    assert_eq!(checks["differences"], json!([]));
    let rules = checks["rules"].as_array().expect("a list");
    assert_eq!(rules.len(), 11);
    for rule in rules {
        assert_eq!(rule["compared"], rule["equal"], "{rule}");
        assert!(rule["compared"].as_u64() > Some(0));
    }
    // Seeds beyond 2^53 keep their last digit.
    assert!(file["game_results"][0]["match_seed"].as_u64() > Some(1 << 53));
}

/// The file that lies in the repository for tests of the command line; a wanted change is made with
/// `cargo test -p turnwise-shared synthetic -- --nocapture`, which shows the new one.
#[test]
fn the_synthetic_file_of_the_repository_is_this_one() {
    let (spec, matches) = baseline();
    let file = write(&spec, &matches);
    let kept: Value = serde_json::from_str(include_str!("synthetic.json")).expect("JSON");
    assert!(kept == file, "{file}");
}

#[test]
fn what_does_not_agree_is_named_and_counted() {
    let (spec, matches) = baseline();
    let mut file = write(&spec, &matches);
    file["game_results"][4]["match_seed"] = json!(17_484_455_392_485_295_538_u64);
    file["game_results"][7]["result"]["agent1_total_payoff"] = json!(99.0);
    file["per_agent"]["TFT-1"]["avg_score_per_round"] = json!(1.782);
    file["total_games"] = json!(31);
    let imported = record(&[read(&file).expect("it can be read")]);
    let differences = imported["files"][0]["checks"]["differences"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|text| text.as_str().expect("a text"))
        .collect::<Vec<_>>();
    assert_eq!(differences.len(), 4, "{differences:?}");
    assert_eq!(differences[0], "total_games is 31, and there are 30");
    assert!(
        differences[1]
            .starts_with("game_results[4]: match_seed is 17484455392485295538, by the rule ")
    );
    assert!(differences[2].starts_with("game_results[7]: the totals are [99.0, "));
    assert!(
        differences[3]
            .starts_with("per_agent.TFT-1: avg_score_per_round is 1.782, and we measure 1.356")
    );
}

#[test]
fn mistakes_are_named_with_their_path() {
    let (spec, matches) = baseline();
    let file = write(&spec, &matches[..2]);
    let with = |change: &dyn Fn(&mut Value)| {
        let mut file = file.clone();
        change(&mut file);
        read(&file).expect_err("it cannot be read")
    };
    let round = |file: &mut Value, member: &str, value: Value| {
        file["game_results"][1]["result"]["history"][2][member] = value;
    };
    for (error, expected) in [
        (
            with(&|file| round(file, "agent1_action", json!("betray"))),
            "made-up.json, game_results[1].result.history[2].agent1_action: unknown variant `betray`",
        ),
        (
            with(&|file| round(file, "agent2_payoff", json!(0.5))),
            "made-up.json, game_results[1].result.history[2].agent2_payoff: a payoff is a whole number within a million of zero",
        ),
        (
            with(&|file| file["config"]["seed"] = json!(-1)),
            "made-up.json, config.seed: invalid value: integer `-1`, expected u64",
        ),
        (
            with(&|file| file["game_results"][0]["result"]["agent2_name"] = json!("TFT-1")),
            "made-up.json, game_results[0].result.agent2_name: nobody of this pair has that name",
        ),
        (
            with(&|file| file["game_results"][0]["result"]["history"] = json!([])),
            "made-up.json, game_results[0].result.history: a match has at least one round",
        ),
        (
            with(&|file| file["config"] = json!({})),
            "made-up.json, config: missing field `delta`",
        ),
        (
            with(&|file| file["config"]["delta"] = json!(1.5)),
            "made-up.json, config.delta: 1.5 is no probability; 0 to 1 is one",
        ),
        (
            with(&|file| file["config"]["ci_alpha"] = json!(-0.1)),
            "made-up.json, config.ci_alpha: -0.1 is no probability",
        ),
        (
            with(&|file| {
                file["config"]["delta"] = json!(1.0);
                file["config"]["max_rounds"] = json!(u32::MAX);
            }),
            "made-up.json, config.max_rounds: 4294967295 is not possible; 1 to 10000 is",
        ),
        (
            with(&|file| file["config"]["bootstrap_samples"] = json!(u32::MAX)),
            "made-up.json, config.bootstrap_samples: 4294967295 is not possible; 1 to 100000 is",
        ),
    ] {
        assert!(error.starts_with(expected), "{error}");
    }
    let error = Results::read("a.json", "7").unwrap_err();
    assert_eq!(error.path, ".");
}

#[test]
fn several_files_are_pooled() {
    let (spec, matches) = baseline();
    let file = read(&write(&spec, &matches)).expect("it is sound");
    let both = record(&[file.clone(), file]);
    assert_eq!(both["n"], 60);
    assert_eq!(both["players"][0]["total"], 390);
    assert_eq!(both["players"][0]["score"], 1.5);
    assert_eq!(both["players"][0]["games"], 40);
    assert_eq!(both["files"].as_array().map(Vec::len), Some(2));
}
