//! Whole runs with the population in all seats, through the same `Run` that every driver holds.

use serde_json::{Value, json};

use super::spec_of;
use crate::Trust;
use turnwise_core::prelude::*;
use turnwise_core::run::{Action, Run};
use turnwise_core::testing::{self, assert_has, cases, ingredients};

/// Plays every match of a spec whose players are bots; the newest first, so that the order of ends is not that of the plan.
pub fn played(spec: &Spec) -> Vec<Summary> {
    let mut run = Run::new(ingredients(&Trust, spec.clone())).expect("the spec can be run");
    let mut summaries = Vec::new();
    loop {
        match run.poll() {
            Action::Ended { summary, .. } => summaries.push(*summary),
            Action::Over => break,
            Action::Lines { .. } => {}
            other => panic!("bots need nobody: {}", std::any::type_name_of_val(&other)),
        }
    }
    summaries.reverse();
    summaries
}

pub fn report(spec: &Spec) -> Report {
    testing::report(&Trust, spec, &played(spec))
}

fn baseline() -> Spec {
    let mut spec = spec_of("grim,random:0.5,tft");
    spec.profile = Profile::Reference;
    spec.seed = 1234;
    spec
}

/// The command of the issue: `--players grim,random:0.5,tft --delta 0.8 --cap 35 --repeats 5 --swap --seed 1234
/// --profile reference`, against specification 5.e.
#[test]
fn the_baseline_tournament_through_protocol_and_transcripts() {
    let report = report(&baseline());
    let record = &report.record;
    assert_has(record, &json!({ "n": 30, "incomplete": 0 }));
    let rate = |part: f64, whole: f64| json!(part / whole);
    let expected = [
        ("Grim Trigger-1", 195, 130, (81., 130.), (72., 92.), (32., 32.), (17., 78.)),
        ("Random-1", 110, 138, (61., 138.), (23., 57.), (41., 68.), (27., 50.)),
        ("TFT-1", 179, 132, (100., 132.), (75., 93.), (32., 32.), (0., 80.)),
    ];
    let intervals = [
        (1.239_520_958_083_832_2, 1.759_689_922_480_620_2),
        (0.532_163_742_690_058_5, 1.072_164_948_453_608_2),
        (1.045_801_526_717_557_3, 1.65),
    ];
    for (position, (name, total, rounds, coop, reciprocity, retaliation, betrayal)) in
        expected.into_iter().enumerate()
    {
        let player = &record["players"][position];
        assert_eq!(player["name"], name);
        assert_eq!(player["games"], 20);
        assert_eq!(player["total"], total);
        assert_eq!(player["rounds"], rounds);
        assert_eq!(player["score"], rate(f64::from(total), f64::from(rounds)));
        assert_eq!(player["cooperation"], rate(coop.0, coop.1));
        assert_eq!(player["reciprocity"], rate(reciprocity.0, reciprocity.1));
        assert_eq!(player["retaliation"], rate(retaliation.0, retaliation.1));
        assert_eq!(player["betrayal"], rate(betrayal.0, betrayal.1));
        assert_eq!(player["score_low"], json!(intervals[position].0), "{name}");
        assert_eq!(player["score_high"], json!(intervals[position].1), "{name}");
        assert_eq!(player["score_clean"], player["score"]);
    }
    let against = &record["players"][2]["by_class"]["random"];
    assert_has(against, &json!({ "total": 55, "rounds": 70 }));
    let names: Vec<&str> = report.rankings[0].rows.iter().map(|row| row.name.as_str()).collect();
    assert_eq!(names, ["Grim Trigger-1", "TFT-1", "Random-1"]);
    assert_eq!(report.matrices[0].cells[2][1], Some(55.0 / 70.0));
    assert_eq!(report.matrices[0].cells[1][1], None);
    assert!(report.plots.is_empty());
}

#[test]
fn the_single_match_of_the_specification() {
    let mut spec = spec_of("tft,random:0.6");
    spec.profile = Profile::Reference;
    spec.seed = 1234;
    spec.settings = json!({ "form": "single", "delta": 0.9, "cap": 25 });
    let matches = played(&spec);
    assert_eq!(matches.len(), 1);
    assert_eq!(matches[0].measured.numbers.value()["actions"], json!(["CCCC", "CCCC"]));
    assert_eq!(matches[0].measured.answer.as_deref(), Some("8 : 8"));
    let task = &Trust.plan(&spec).expect("as before").tasks[0];
    assert_eq!(task.field("stop"), Some("stopped_by_delta"));
    assert_eq!(task.id.0, "d0_9-p1v2-r1-ab");
}

#[test]
fn under_our_own_seeding_every_pair_plays_the_same_lengths() {
    let mut spec = spec_of("tft,grim,random,always-d,always-c,wsls,gtft");
    spec.seed = 9;
    let matches = played(&spec);
    assert_eq!(matches.len(), 21 * 5 * 2);
    let mut lengths = std::collections::BTreeMap::new();
    for summary in &matches {
        let length =
            summary.measured.numbers.value()["actions"][0].as_str().expect("letters").len();
        let known = *lengths.entry(summary.task.labels["repeat"].clone()).or_insert(length);
        assert_eq!(known, length, "{}", summary.task.id);
    }
    assert_eq!(lengths.len(), 5);
    let report = testing::report(&Trust, &spec, &matches);
    let rounds: Vec<&Value> = (0..7).map(|at| &report.record["players"][at]["rounds"]).collect();
    assert!(rounds.iter().all(|other| *other == rounds[0]));
    let names: Vec<&str> =
        (0..7).filter_map(|at| report.record["players"][at]["name"].as_str()).collect();
    assert_eq!(
        names,
        [
            "TFT-1",
            "Grim Trigger-1",
            "Random-1",
            "Always D-1",
            "Always C-1",
            "Win-Stay Lose-Shift-1",
            "Generous TFT-1"
        ]
    );
    // TFT never defects first, always-d always does.
    assert_eq!(report.record["players"][0]["unprovoked_defection"], json!(0.0));
    assert_has(
        &report.record["players"][3],
        &json!({ "unprovoked_defection": 1.0, "cooperation": 0.0 }),
    );
    assert_eq!(report.matrices[2].columns.len(), 7);
    // The bots' randomness is their own, and the same in a replay.
    assert_eq!(played(&spec), matches);
    let mut other = spec.clone();
    other.seed = 10;
    assert_ne!(played(&other), matches);
}

#[test]
fn a_sweep_is_one_run() {
    let mut spec = spec_of("tft,always-d");
    spec.settings = json!({ "delta": [0.9, 0.5], "repeats": 3 });
    let report = report(&spec);
    assert_eq!(report.record["n"], 2 * 3 * 2);
    assert_eq!(report.record["sweep"][0]["delta"], 0.9);
    assert_eq!(report.record["sweep"][1]["players"][1]["name"], "Always D-1");
    let total = |at: usize| report.record["sweep"][at]["players"][0]["rounds"].as_u64();
    assert!(total(0) > total(1), "matches are longer at 0.9 than at 0.5");
    assert_eq!(report.plots.len(), 2);
    let curve = &report.plots[1].curves[1];
    let points: Vec<(f64, f64)> = curve.points.iter().map(|point| (point.x, point.y)).collect();
    assert_eq!(points, [(0.5, 0.0), (0.9, 0.0)]);
    assert_eq!(
        report.record["players"][0]["rounds"].as_u64(),
        Some(total(0).unwrap_or(0) + total(1).unwrap_or(0))
    );
}

#[test]
fn settings_that_cannot_be_played_are_named() {
    let problem = |players: &str, profile, settings: Value| {
        let mut spec = spec_of(players);
        spec.profile = profile;
        spec.settings = settings;
        <dyn Benchmark>::check_spec(&Trust, &spec).unwrap_err().to_string()
    };
    let strict = |settings| problem("tft,grim", Profile::Strict, settings);
    for (settings, said) in cases::<(Value, &str)>(include_str!("bad_settings.jsonl")) {
        assert_eq!(strict(settings), said);
    }
    assert!(strict(json!({ "detla": 0.8 })).contains("unknown field `detla`"));
    assert!(strict(json!({ "form": "single" })).starts_with("settings.form: "));
    let reference = |players, settings| problem(players, Profile::Reference, settings);
    assert!(
        reference("tft,grim", json!({ "fallback": "defect" })).starts_with("settings.fallback: ")
    );
    assert!(reference("tft,grim,wsls", json!({ "form": "single" })).contains("two players"));
    let mut spec = spec_of("tft,grim");
    spec.repeats = 2;
    assert!(
        <dyn Benchmark>::check_spec(&Trust, &spec)
            .unwrap_err()
            .to_string()
            .starts_with("repeats: ")
    );
    spec.repeats = 1;
    spec.settings = json!({});
    assert_eq!(<dyn Benchmark>::check_spec(&Trust, &spec), Ok(()));
}

/// One task a match: pair by pair, ids that can be file names, and nothing of the length in ids or labels.
#[test]
fn tasks_of_a_plan() {
    let tasks = Trust.plan(&baseline()).expect("it can be planned").tasks;
    let ids: Vec<&str> = tasks.iter().map(|task| task.id.0.as_str()).collect();
    assert_eq!(ids[..3], ["d0_8-p1v2-r1-ab", "d0_8-p1v2-r1-ba", "d0_8-p1v2-r2-ab"]);
    let swapped = &tasks[1];
    assert_eq!(
        json!(swapped.labels),
        json!({
            "class": "grim+random", "delta": "0.8", "direction": "ba", "first": "2", "pair": "1v2", "repeat": "1",
            "second": "1"
        })
    );
    assert_eq!(swapped.field("rounds"), Some("11"));
    assert_eq!(swapped.field("stop"), Some("fixed_rounds_reached"));
    assert!(swapped.field("chance_1").is_some_and(|seed| seed.parse::<u64>().is_ok()));
    let mut strict = baseline();
    strict.profile = Profile::Strict;
    let task = &Trust.plan(&strict).expect("it can be planned").tasks[0];
    assert_eq!(task.field("chance_1"), None);
    assert_eq!(task.field("stop"), Some("stopped_by_delta"));
    let samples = Trust.samples().tasks;
    assert_eq!(samples.len(), 30);
}

/// One repeat of one pair says nothing of how sure a payoff is.
#[test]
fn a_single_repeat_of_a_pair_has_no_interval() {
    let record = |repeats: u32| {
        let mut spec = spec_of("tft,random:0.5");
        spec.settings["repeats"] = json!(repeats);
        report(&spec).record
    };
    let once = record(1);
    for player in [&once["players"][0], &once["players"][1]] {
        assert!(player["score"].is_number(), "{player}");
        assert_has(player, &json!({ "score_low": null, "score_high": null }));
    }
    assert!(record(5)["players"][0]["score_low"].is_number());
}
