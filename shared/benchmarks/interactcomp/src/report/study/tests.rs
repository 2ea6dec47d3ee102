//! Studies from summaries made up by hand.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::InteractComp;
use crate::report::Numbers;
use crate::report::report;
use turnwise_core::benchmark::default_spec;
use turnwise_core::metrics::figures::Figures;
use turnwise_core::metrics::proportion::wilson;
use turnwise_core::prelude::*;

fn spec(settings: Value) -> Spec {
    Spec { settings, ..default_spec(&InteractComp) }
}

fn play(spec: &Spec, label: &str, task: u32, value: u32, right: bool, asks: u32) -> Summary {
    let mark = if label == "rounds" { 'k' } else { 'm' };
    let score = Some(if right { 1.0 } else { 0.0 });
    Summary {
        task: TaskRef {
            id: format!("{task}-{mark}{value}").as_str().into(),
            digest: Digest::of(task.to_string()),
            labels: BTreeMap::from([(label.to_owned(), value.to_string())]),
        },
        spec: spec.digest(),
        ending: Some("answered".to_owned()),
        score,
        measured: Measured {
            score,
            answer: None,
            numbers: Figures::of(&Numbers {
                answers: 1,
                asks,
                confidence: Some("80".to_owned()),
                grading: Some("graded".to_owned()),
                ..Numbers::default()
            }),
            ..Measured::default()
        },
        ..Summary::bare()
    }
}

fn taken(spec: &Spec, plays: &[Summary]) -> Report {
    report(spec, &plays.iter().collect::<Vec<_>>(), &MeasureOptions::default())
}

/// Four tasks: one right at 5 rounds, three at 20. Confidence is always 80 %: errors 0.55 and 0.05.
#[test]
fn every_value_has_its_numbers() {
    let spec = spec(json!({ "mode": "full", "rounds": [20, 5] }));
    let plays: Vec<Summary> = (1..=4)
        .flat_map(|task| {
            [
                play(&spec, "rounds", task, 20, task <= 3, task),
                play(&spec, "rounds", task, 5, task == 1, 0),
            ]
        })
        .collect();
    let report = taken(&spec, &plays);
    let sweep = &report.record["sweep"];
    assert_eq!((&sweep[0]["rounds"], &sweep[0]["accuracy"]), (&json!(20), &json!(0.75)));
    assert_eq!((&sweep[1]["rounds"], &sweep[1]["accuracy"]), (&json!(5), &json!(0.25)));
    assert_eq!((&sweep[0]["iround"], &sweep[1]["iround"]), (&json!(2.5), &json!(0.0)));
    let error = |at: usize| sweep[at]["calibration_error"].as_f64().unwrap();
    assert!((error(0) - 0.05).abs() < 1e-12 && (error(1) - 0.55).abs() < 1e-12);
    let study = report.study.unwrap();
    // From left to right, however they were written.
    let xs: Vec<f64> = study.plots[0].curves[0].points.iter().map(|point| point.x).collect();
    assert_eq!(xs, [5.0, 20.0]);
    for plot in &study.plots {
        for point in &plot.curves[0].points {
            let (low, high) = point.interval.unwrap();
            assert!(low <= point.y && point.y <= high, "{plot:?}");
        }
    }
    assert_eq!(study.table.rows[1].cells[0], Some(0.75));
    let titles: Vec<&str> = study.plots.iter().map(|plot| plot.title.as_str()).collect();
    assert_eq!(titles[0], "Accuracy against round limit");
    // Specification 8, Table 4: GPT-5 at K = 20.
    let published = &study.published[0].curves[0];
    assert_eq!((published.name.as_str(), published.points[2].y), ("GPT-5", 0.2));
    // Four tasks at two values are four tasks: half of them right, as wide as Wilson's for four.
    let (low, high) = report.headline[0].interval.unwrap();
    assert!(high - low > 0.55, "{low} {high}");
}

/// Four tasks at five values are four tasks in every part, too.
#[test]
fn values_of_a_sweep_do_not_narrow_the_intervals_of_parts() {
    let spec = spec(json!({ "mode": "full", "rounds": [5, 10, 15, 20, 25] }));
    let plays: Vec<Summary> = (1..=4)
        .flat_map(|task| [5, 10, 15, 20, 25].map(|value| (task, value)))
        .map(|(task, value)| play(&spec, "rounds", task, value, task == 1, 0))
        .collect();
    let report = taken(&spec, &plays);
    let of_four = wilson(1, 4).unwrap();
    let asks = &report.breakdowns[2].rows[0];
    assert_eq!((asks.value.as_str(), asks.n), ("0", 20));
    let (low, high) = asks.interval.unwrap();
    assert!(high - low > 0.9 * (of_four.1 - of_four.0), "{low} {high}");
}

/// An episode that ended in an error has no asks that could be counted, neither in the mean nor in its interval.
#[test]
fn asks_and_their_interval_are_over_the_same_plays() {
    let spec =
        Spec { profile: Profile::Reference, ..spec(json!({ "mode": "full", "rounds": [5, 10] })) };
    let plays: Vec<Summary> = (1..=8)
        .map(|task| {
            let is_error = task > 2;
            Summary {
                ending: Some(if is_error { "error" } else { "answered" }.to_owned()),
                complete: true,
                ..play(&spec, "rounds", task, 5, false, if is_error { 0 } else { 9 })
            }
        })
        .collect();
    let report = taken(&spec, &plays);
    let at_five = &report.record["sweep"][0];
    assert_eq!(at_five["iround"], 9.0);
    assert_eq!(at_five["iround_interval"], json!([9.0, 9.0]));
}

/// Specification 8, Table A2: mean asks and accuracy of Claude-Sonnet-4 at M = 6.
#[test]
fn the_forced_study_has_its_own_points() {
    let spec = spec(json!({ "mode": "forced_ask", "rounds": 20, "min_asks": [2, 6] }));
    let plays = [play(&spec, "min_asks", 1, 2, false, 2), play(&spec, "min_asks", 1, 6, true, 6)];
    let study = taken(&spec, &plays).study.unwrap();
    assert_eq!(study.title, "Forced-asking study");
    let sonnet = |plot: usize| &study.published[plot].curves[2].points[2];
    assert_eq!((sonnet(0).x, sonnet(0).y, sonnet(2).y), (6.0, 0.1, 6.1));
}

#[test]
fn a_run_that_does_not_sweep_has_no_study() {
    let spec = spec(json!({ "mode": "full", "rounds": 5 }));
    let report = taken(&spec, &[play(&spec, "rounds", 1, 5, true, 0)]);
    assert!(report.study.is_none() && report.record.get("sweep").is_none());
    // Nothing played yet: a study without points.
    let spec = Spec { settings: json!({ "mode": "full", "rounds": [5, 10] }), ..spec };
    let report = taken(&spec, &[]);
    assert!(report.study.unwrap().plots[0].curves[0].points.is_empty());
}
