use serde_json::{Value, json};
use turnwise_core::board::published::Condition;
use turnwise_core::prelude::*;
use turnwise_core::spec::Profile::{self, Reference, Strict};
use turnwise_core::testing;

use super::{Played, drive, play, rounds, spec, task};
use crate::SituationPuzzle;
use crate::boards::PUBLISHED;
use crate::settings::Settings;

/// An episode in which the final answer of turn `at` is the first correct one.
fn solved_at(spec: &Spec, task: &turnwise_core::task::Task, at: usize) -> Played {
    drive(spec, task, |ask, before| {
        let is_player = ask.seat.as_str() == Seat::PLAYER;
        Reply::Said(Said::text(match (is_player, before + 1 == at) {
            (true, _) => "FINAL: x",
            (false, true) => "CORRECT",
            (false, false) => "INCORRECT",
        }))
    })
}

fn named(mut summary: Summary, id: &str) -> Summary {
    summary.task.id = TaskId::from(id);
    summary
}

fn report(spec: &Spec, summaries: &[Summary]) -> Report {
    testing::report(&SituationPuzzle, spec, summaries)
}

fn number(record: &Value, key: &str) -> f64 {
    record[key].as_f64().unwrap_or_else(|| panic!("{key}: {}", record[key]))
}

fn is_close(number: f64, wanted: f64) -> bool {
    (number - wanted).abs() < 0.0005
}

/// Outcomes solved@2, solved@21, unsolved, solved@20 (specification 1.e).
fn four(profile: Profile) -> Report {
    let spec = rounds(profile, 20);
    let summaries: Vec<Summary> = [("a", 2), ("b", 21), ("c", 99), ("d", 20)]
        .map(|(id, at)| named(solved_at(&spec, &task(), at).summary(), id))
        .into();
    report(&spec, &summaries)
}

#[test]
fn metrics_are_those_of_the_specification() {
    for (profile, accuracy, turns) in [(Reference, 0.75, 14.333), (Strict, 0.5, 11.0)] {
        let record = four(profile).record;
        assert!(is_close(number(&record, "accuracy"), accuracy));
        assert!(is_close(number(&record, "average_turns"), turns));
        // Both readings stand in the record of either profile.
        assert!(is_close(number(&record, "accuracy_with_final"), 0.75));
        assert!(is_close(number(&record, "average_turns_with_final"), 14.333));
        assert!(is_close(number(&record, "accuracy_within_budget"), 0.5));
        assert!(is_close(number(&record, "average_turns_within_budget"), 11.0));
        assert_eq!(record["rankable"], json!(true));
    }
    // Wilson for 2 of 4.
    let interval: (f64, f64) =
        serde_json::from_value(four(Strict).record["accuracy_interval"].clone()).expect("a pair");
    assert!(is_close(interval.0, 0.1500) && is_close(interval.1, 0.8500), "{interval:?}");
}

#[test]
fn the_headline_names_what_stands_beside_it() {
    let labels =
        |report: Report| report.headline.into_iter().map(|figure| figure.label).collect::<Vec<_>>();
    assert_eq!(labels(four(Strict))[..3], ["Accuracy", "With forced final", "Turns of solved"]);
    assert_eq!(labels(four(Reference))[..3], ["Accuracy", "Within budget", "Turns of solved"]);
    let direct = spec(Strict, json!({ "mode": "direct" }));
    let summary = play(&direct, &["FINAL: x"], &["CORRECT"]).summary();
    let report = report(&direct, &[summary]);
    assert!(report.plots.is_empty() && !labels(report).contains(&"With forced final".to_owned()));
}

#[test]
fn without_a_solved_puzzle_there_are_no_average_turns() {
    let spec = rounds(Strict, 2);
    let unsolved = named(solved_at(&spec, &task(), 99).summary(), "a");
    let record = report(&spec, &[unsolved]).record;
    assert_eq!((record["average_turns"].clone(), number(&record, "accuracy")), (Value::Null, 0.0));
    let record = report(&spec, &[]).record;
    assert_eq!(
        (record["accuracy"].clone(), record["rankable"].clone()),
        (Value::Null, json!(false))
    );
}

#[test]
fn rates_are_counted_over_messages_and_judged_turns() {
    let spec = rounds(Strict, 3);
    let played = play(
        &spec,
        &["prose", "Q: a?", "FINAL: x", "FINAL: y"],
        &["huh", "huh", "INCORRECT", "INCORRECT"],
    );
    let record = report(&spec, &[played.summary()]).record;
    assert!(is_close(number(&record, "format_error_rate"), 0.25));
    assert!(is_close(number(&record, "judge_invalid_rate"), 1.0 / 3.0));
    assert!(is_close(number(&record, "wrong_finals"), 1.0));
    assert_eq!(record["format_errors"], json!({ "no_tag": 1 }));
    assert_eq!(
        (record["flags"]["judge_unreadable"].clone(), record["outcomes"].clone()),
        (json!(2), json!({ "unsolved": 1 }))
    );
}

#[test]
fn an_open_verdict_gives_bounds() {
    let spec = rounds(Strict, 1);
    let open =
        named(play(&spec, &["FINAL: x", "FINAL: y"], &["?", "?", "INCORRECT"]).summary(), "a");
    let solved = named(play(&spec, &["FINAL: x"], &["CORRECT"]).summary(), "b");
    let report = report(&spec, &[open, solved]);
    assert_eq!(report.record["accuracy_bounds"], json!([0.5, 1.0]));
    assert_eq!(report.record["rankable"], json!(false));
    assert!(
        report.remarks[0].contains("accuracy lies between 50.0 % and 100.0 %"),
        "{:?}",
        report.remarks
    );
}

/// A sweep over two puzzles that are solved in turns 3 and 7.
fn swept(spec: &Spec) -> Report {
    let points = Settings::SCHEMA.points(&spec.settings);
    let mut summaries = Vec::new();
    for (id, at) in [("a", 3), ("b", 7)] {
        let mut original = task();
        original.id = TaskId::from(id);
        for point in &points {
            summaries.push(solved_at(spec, &point.place(&original), at).summary());
        }
    }
    report(spec, &summaries)
}

#[test]
fn a_sweep_is_runs_of_their_own_and_the_prefix_curve_is_named() {
    let spec = spec(Strict, json!({ "rounds": [5, 10] }));
    let report = swept(&spec);
    let study = report.study.expect("a sweep has a study");
    let curves: Vec<(String, Vec<(f64, f64)>)> = study.plots[0]
        .curves
        .iter()
        .map(|curve| {
            (curve.name.clone(), curve.points.iter().map(|point| (point.x, point.y)).collect())
        })
        .collect();
    assert_eq!(curves[0], ("runs at each budget".to_owned(), vec![(5.0, 0.5), (10.0, 1.0)]));
    assert!(curves[1].0.contains("10-turn episodes (prefix, not runs of their own)"));
    let solved: Vec<f64> = curves[1].1.iter().map(|point| point.1).collect();
    assert_eq!(solved, [0.0, 0.0, 0.5, 0.5, 0.5, 0.5, 1.0, 1.0, 1.0, 1.0]);
    assert_eq!(report.record["sweep"][0]["rounds"], json!(5));
    assert!(is_close(number(&report.record["sweep"][1], "accuracy"), 1.0));
    // Four episodes of two puzzles: the interval counts puzzles.
    assert_eq!(report.record["scored"], json!(4));
    assert_eq!(crate::settings::SWEEP, [5, 10, 15, 20]);
}

#[test]
fn the_implied_integers_reproduce_the_published_rows() {
    let table = Condition::read(PUBLISHED, |row, numbers| {
        let accuracy = 100.0 * numbers["solved"] / f64::from(row.n.expect("it has puzzles"));
        let turns = numbers["implied_turns"] / numbers["solved"];
        assert_eq!(format!("{accuracy:.1}"), format!("{:.1}", numbers["accuracy"]), "{}", row.name);
        assert_eq!(format!("{turns:.1}"), format!("{:.1}", numbers["turns"]), "{}", row.name);
    });
    assert_eq!((table.rows[0].n, table.rows.len()), (Some(46), 6));
}

#[test]
fn boards_name_their_condition_and_the_paper_beside_them() {
    let boards = SituationPuzzle::FACTS.boards.expect("it has boards");
    let conditions: Vec<String> = (boards.published)().into_iter().map(|one| one.name).collect();
    let cases = [
        (json!({}), "20 turns", Some(0)),
        (json!({ "rounds": 5 }), "5 turns", None),
        (
            json!({ "rounds": [5, 20], "judge_memory": "running" }),
            "5, 20 turns, judge with memory",
            None,
        ),
        (json!({ "mode": "direct", "rounds": 5 }), "direct", Some(1)),
    ];
    for (settings, condition, beside) in cases {
        let spec = spec(Strict, settings);
        assert_eq!((boards.condition)(&spec).join(", "), condition);
        assert_eq!((boards.beside)(&spec), beside.map(|at: usize| conditions[at].clone()));
    }
    // Every column that a run fills is a number of its report.
    let labels: Vec<String> =
        four(Strict).headline.into_iter().map(|figure| figure.label).collect();
    for wanted in [
        "Accuracy",
        "With forced final",
        "Turns of solved",
        "Questions",
        "Format errors",
        "Judge invalid",
    ] {
        assert!(labels.contains(&wanted.to_owned()), "{wanted}");
    }
}

/// A sweep is headed by a number for each number of turns; what is over all together stands apart.
#[test]
fn a_sweep_is_headed_by_its_values() {
    let spec = spec(Strict, json!({ "rounds": [10, 5] }));
    let report = swept(&spec);
    let head: Vec<_> =
        report.headline.iter().map(|figure| (figure.label.as_str(), figure.value)).collect();
    assert_eq!(head[..2], [("Accuracy, 5 turns", Some(0.5)), ("Accuracy, 10 turns", Some(1.0))]);
    assert_eq!(head[2].0, "Cost");
    assert!(head.len() == 3 && report.headline[0].interval.is_some());
    // The keys lead to the numbers in the record.
    for figure in &report.headline[..2] {
        let at = figure.key.split('.').collect::<Vec<_>>();
        let index: usize = at[1].parse().expect("a place");
        assert_eq!(
            report.record["sweep"][index]["accuracy"].as_f64(),
            figure.value,
            "{}",
            figure.key
        );
    }
    let together = &report.groups[0];
    assert_eq!(
        (together.title.as_str(), together.figures[0].value),
        ("All values together", Some(0.75))
    );
}

/// What a judge that could not be read leaves open: no final answer of the share, and not solved by then.
#[test]
fn an_unread_final_counts_as_its_number_says() {
    let spec = rounds(Strict, 3);
    let never = named(
        play(
            &spec,
            &["FINAL: x", "Q: a?", "Q: b?", "FINAL: y"],
            &["?", "?", "NO", "NO", "INCORRECT"],
        )
        .summary(),
        "a",
    );
    let later =
        named(play(&spec, &["FINAL: x", "FINAL: y"], &["?", "?", "CORRECT"]).summary(), "b");
    let wrong = named(
        play(&spec, &["FINAL: x", "Q: a?", "FINAL: y"], &["INCORRECT", "NO", "CORRECT"]).summary(),
        "c",
    );
    let record = report(&spec, &[never, later, wrong]).record;
    // Six final answers, of which two could not be read; two of the other four were wrong.
    assert!(is_close(number(&record, "wrong_finals"), 0.5), "{record}");
    let points: Vec<_> = record["prefix_curve"]
        .as_array()
        .expect("a curve")
        .iter()
        .map(|point| (point["n"].as_u64(), point["y"].as_f64()))
        .collect();
    let third = |solved: f64| (Some(3), Some(solved / 3.0));
    assert_eq!(points, [third(0.0), third(1.0), third(2.0)]);
}

#[test]
fn the_judge_of_reference_is_recorded_as_it_is() {
    let settings = |profile, chosen: Value| match chosen {
        Value::Object(chosen) => SituationPuzzle::FACTS.settings(profile, chosen),
        _ => panic!("an object"),
    };
    assert_eq!(settings(Reference, json!({}))["judge_memory"], json!("running"));
    assert_eq!(settings(Strict, json!({}))["judge_memory"], json!("stateless"));
    assert_eq!(
        settings(Strict, json!({ "judge_memory": "running", "rounds": 5 })),
        json!({ "mode": "interactive", "rounds": 5, "judge_memory": "running" })
    );
    assert!(!<dyn Benchmark>::is_offered(&SituationPuzzle, "judge_memory", &json!({}), Reference));
    let spec = spec(Reference, settings(Reference, json!({ "rounds": 1 })));
    assert_eq!(play(&spec, &["FINAL: x"], &["CORRECT"]).outcome.ending, "solved");
}
