//! The record of a run, from summaries made up by hand.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{Numbers, report};
use crate::InteractComp;
use crate::mode::Mode;
use crate::tests::{spec, task};
use turnwise_core::benchmark::Benchmark as _;
use turnwise_core::metrics::calibration::Scale;
use turnwise_core::metrics::figures::Figures;
use turnwise_core::metrics::spread::Rounding;
use turnwise_core::prelude::*;
use turnwise_core::scene::Cell;
use turnwise_core::testing::{assert_has, cases};

fn summary(id: u32, repeat: u32, ending: &str, score: Option<f64>, numbers: Numbers) -> Summary {
    let task = task();
    Summary {
        task: TaskRef {
            id: id.to_string().as_str().into(),
            digest: task.digest,
            labels: BTreeMap::from([
                (
                    "domain".to_owned(),
                    if id.is_multiple_of(2) { "Sports" } else { "Humanities" }.to_owned(),
                ),
                ("language".to_owned(), "en".to_owned()),
            ]),
        },
        repeat,
        spec: the_spec().digest(),
        ending: Some(ending.to_owned()),
        complete: ending != "incomplete",
        score,
        measured: Measured {
            score,
            answer: None,
            numbers: Figures::of(&numbers),
            ..Measured::default()
        },
        ..Summary::bare()
    }
}

fn the_spec() -> Spec {
    spec(Profile::Strict, Mode::Full, 10, 5)
}

fn numbers(answers: u32, searches: u32, asks: u32, confidence: &str) -> Numbers {
    Numbers {
        answers,
        searches,
        asks,
        invalid: 0,
        confidence: Some(confidence.to_owned()),
        grading: Some("graded".to_owned()),
        cost_so_far: None,
    }
}

fn record(episodes: &[Summary], rounding: Rounding) -> Value {
    let options = MeasureOptions { rounding, ..MeasureOptions::default() };
    InteractComp.report(&the_spec(), &episodes.iter().collect::<Vec<_>>(), &options).record
}

/// A1 and its published row: 14, 15 and 16 right of 210, each rounded first.
#[test]
fn published_rounding_gives_the_rows_of_table_2() {
    for (counts, mean, deviation) in [
        ([14, 15, 16], 0.0714, 0.0048),
        ([10, 15, 16], 0.0651, 0.0153),
        ([20, 23, 31], 0.1174, 0.0271),
        ([13, 17, 21], 0.081, 0.0191),
        ([15, 17, 19], 0.081, 0.0096),
        ([17, 19, 20], 0.0889, 0.0072),
        ([14, 14, 19], 0.0746, 0.0137),
    ] {
        let episodes: Vec<_> = (1..=3)
            .zip(counts)
            .flat_map(|(repeat, right)| {
                (0..210).map(move |id| {
                    let score = if id < right { 1.0 } else { 0.0 };
                    summary(id, repeat, "answered", Some(score), numbers(1, 0, 0, "50"))
                })
            })
            .collect();
        let record = record(&episodes, Rounding::Published);
        assert_eq!(
            (&record["accuracy"], &record["accuracy_std"]),
            (&json!(mean), &json!(deviation)),
            "{counts:?}"
        );
        assert_eq!(record["n"], 630);
    }
}

#[test]
fn the_record_has_every_key_and_fractions() {
    let episodes = [
        summary(1, 1, "answered", Some(1.0), numbers(1, 3, 2, "80")),
        summary(2, 1, "answered", Some(0.0), numbers(1, 0, 0, "100")),
        summary(3, 1, "skipped", Some(0.0), Numbers { searches: 1, asks: 1, ..Numbers::default() }),
    ];
    let record = record(&episodes, Rounding::None);
    for key in cases::<&str>(include_str!("tests/keys.jsonl")) {
        assert!(record.get(key).is_some(), "{key}");
    }
    // I1 and C3.
    assert_has(&record, &json!({ "round": 3.0, "iround": 1.0 }));
    assert!((record["ir_micro"].as_f64().unwrap() - 1.0 / 3.0).abs() < 1e-12);
    assert_has(
        &record,
        &json!({ "calibration_error": 0.4, "calibration_error_right_closed": 0.6, "calibration_n": 2, "accuracy_std": null }),
    );
    assert_eq!(record["outcomes"], json!({ "answered": 2, "skipped": 1 }));
    assert_eq!(record["by_domain"]["Sports"]["n"], 1);
    assert_eq!(record["cost_usd"], 0.0, "no model played");
    assert_eq!(record["rankable"], true);
}

#[test]
fn what_has_no_score_gives_bounds_and_no_rank() {
    let episodes = [
        summary(1, 1, "answered", Some(1.0), numbers(1, 0, 0, "80")),
        summary(2, 1, "incomplete", None, Numbers::default()),
        summary(
            3,
            1,
            "answered",
            None,
            Numbers { grading: Some("grader_failed".into()), ..numbers(1, 0, 0, "80") },
        ),
        summary(4, 1, "answered", Some(0.0), numbers(1, 0, 0, "80")),
    ];
    let record = record(&episodes, Rounding::None);
    assert_has(
        &record,
        &json!({ "n": 4, "scored": 2, "rankable": false, "accuracy": 0.5, "accuracy_bounds": [0.25, 0.75] }),
    );
    assert_eq!(record["outcomes"], json!({ "answered": 2, "grader_failed": 1, "incomplete": 1 }));
}

/// Ten rows of two tasks say less than ten tasks.
#[test]
fn repeats_do_not_narrow_the_intervals_of_parts() {
    let width = |repeats: u32, tasks: u32| {
        let episodes: Vec<_> = (1..=repeats)
            .flat_map(|repeat| {
                (0..tasks).map(move |task| {
                    let score = if task % 4 == 0 { 1.0 } else { 0.0 };
                    summary(2 * task, repeat, "answered", Some(score), numbers(1, 0, 0, "50"))
                })
            })
            .collect();
        let record = record(&episodes, Rounding::None);
        let interval = &record["by_domain"]["Sports"]["accuracy_interval"];
        interval[1].as_f64().unwrap() - interval[0].as_f64().unwrap()
    };
    let (one, five) = (width(1, 8), width(5, 8));
    assert!((one - five).abs() < 0.06, "{one} {five}");
    assert!(width(1, 40) < 0.6 * one);
}

/// The same play with a turn for each fault, and for no fault where it is empty.
fn with(mut summary: Summary, faults: &[&str]) -> Summary {
    let faults = faults.iter().enumerate();
    summary.ribbon = faults
        .map(|(at, fault)| Cell {
            turn: at as u32 + 1,
            round: 1,
            seat: "player".into(),
            kind: TurnKind::Invalid,
            tone: None,
            fault: (!fault.is_empty()).then(|| (*fault).to_owned()),
            sentence: String::new(),
        })
        .collect();
    summary
}

/// An answer before the minimum of asks was understood; an episode that four of them ended was not ended by its format.
#[test]
fn an_answer_that_comes_too_early_is_no_fault_of_format() {
    let play = |id, ending| summary(id, 1, ending, Some(0.0), numbers(1, 0, 2, "80"));
    let early = with(play(1, "answered"), &["too_early", "", ""]);
    let all = with(play(2, "skipped"), &["no_object", "too_early", "too_early", "too_early"]);
    let format = |plays: &[Summary]| record(plays, Rounding::None)["format"].clone();
    let found = format(std::slice::from_ref(&early));
    assert_has(&found, &json!({ "episodes_with_fault": 0.0, "share_of_loss": 0.0 }));
    let found = format(&[early, all]);
    assert_has(&found, &json!({ "episodes_with_fault": 0.5, "share_of_loss_ended": 0.0 }));
}

#[test]
fn a_confidence_that_is_missing_is_counted() {
    let silent = Numbers { confidence: None, ..numbers(0, 1, 0, "") };
    let plays = [
        summary(1, 1, "answered", Some(1.0), numbers(1, 0, 0, "high")),
        summary(2, 1, "skipped", Some(0.0), silent),
    ];
    let record = record(&plays, Rounding::None);
    assert_eq!(record["confidence_flags"], json!({ "missing": 1, "unreadable": 1 }));
}

/// One right answer of 0.9 and one wrong one of 0.5, read as fractions: errors 0.1 and 0.5.
#[test]
fn confidences_are_fractions_where_the_whole_run_states_them_so() {
    let taken = |confidences: &[(&str, f64)]| {
        let plays: Vec<Summary> = confidences
            .iter()
            .zip(1..)
            .map(|((text, score), id)| {
                summary(id, 1, "answered", Some(*score), numbers(1, 0, 0, text))
            })
            .collect();
        let options = MeasureOptions { confidences: Scale::Fractions, ..MeasureOptions::default() };
        report(&the_spec(), &plays.iter().collect::<Vec<_>>(), &options)
    };
    let found = taken(&[("0.9", 1.0), ("0.5", 0.0)]);
    let error = found.record["calibration_error"].as_f64().unwrap();
    assert!((error - 0.3).abs() < 1e-12, "{error}");
    assert_eq!(found.record["confidence_scale"], "fractions");
    assert!(found.remarks.iter().any(|one| one.contains("as fractions")));
    let found = taken(&[("0.9", 1.0), ("50", 0.0)]);
    assert_eq!(found.record["confidence_scale"], "percent");
    assert_eq!(found.record["confidence_flags"], json!({ "fraction": 1 }));
}

/// Six plays: two with faults of format, of which one was skipped for it and one was right; one that asked what the mode does
/// not allow, which is no fault of format.
#[test]
fn what_format_costs_is_counted_over_plays() {
    let play = |id, ending, score| summary(id, 1, ending, Some(score), numbers(1, 0, 0, "80"));
    let episodes = [
        with(play(1, "skipped", 0.0), &["no_object", "not_json", "empty"]),
        with(play(2, "answered", 1.0), &["", "no_object"]),
        with(play(3, "answered", 0.0), &["not_allowed", ""]),
        play(4, "answered", 0.0),
        play(5, "answered", 1.0),
        play(6, "fallback", 0.0),
    ];
    let record = record(&episodes, Rounding::None);
    let format = &record["format"];
    let close = |key: &str, wanted: f64| {
        let found = format[key].as_f64().unwrap();
        assert!((found - wanted).abs() < 1e-12, "{key}: {found}");
    };
    close("loss", 4.0 / 6.0);
    close("share_of_loss", 0.25);
    close("share_of_loss_ended", 0.25);
    close("episodes_with_fault", 2.0 / 6.0);
    close("accuracy_if_right", 0.5);
    assert_has(&record["by_length"], &json!({ "3 to 4": { "n": 1 }, "1 to 2": { "n": 5 } }));
}

#[test]
fn parts_by_asks_stand_in_their_order() {
    let episodes: Vec<Summary> = [0, 0, 1, 4, 12]
        .into_iter()
        .zip(1..)
        .map(|(asks, id)| summary(id, 1, "answered", Some(1.0), numbers(1, 0, asks, "80")))
        .collect();
    let all: Vec<&Summary> = episodes.iter().collect();
    let report = report(&the_spec(), &all, &MeasureOptions::default());
    let asks: Vec<_> =
        report.breakdowns[2].rows.iter().map(|row| (row.value.as_str(), row.n)).collect();
    assert_eq!(asks, [("0", 2), ("1", 1), ("3 to 4", 1), ("10 and more", 1)]);
}

#[test]
fn nothing_gives_no_numbers() {
    let record = record(&[], Rounding::None);
    assert_has(&record, &json!({ "n": 0, "accuracy": null, "calibration_error": null }));
}
