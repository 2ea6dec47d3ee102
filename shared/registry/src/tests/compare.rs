//! Comparisons of runs that are made up by hand.

use crate::examples::{GAME, QUESTIONS, WORLDS, example};
use crate::metrics::summary::Summary;
use crate::registry;
use crate::seat::Seat;
use crate::spec::BadSpec;
use crate::spec::Spec;
use crate::task::TaskId;
use std::collections::BTreeMap;

use serde_json::json;

use crate::benchmark::default_spec;
use crate::compare::*;
use crate::hash::Digest;
use crate::metrics::figures::Figures;
use crate::metrics::paired::Needed;
use crate::metrics::summary::Measured;
use crate::seat::Player;
use crate::transcript::TaskRef;

fn spec(name: &str, player: &str) -> Spec {
    let benchmark = registry::find(name).unwrap();
    let mut spec = default_spec(benchmark);
    let seat = Seat::new(Seat::PLAYER);
    if let Some(sitting) = spec.seats.get_mut(&seat) {
        sitting.player = Player::Bot(player.to_owned());
    }
    spec
}

fn play(spec: &Spec, task: u32, repeat: u32, score: Option<f64>) -> Summary {
    Summary {
        task: TaskRef {
            id: TaskId(task.to_string()),
            digest: Digest::of(task.to_string()),
            labels: BTreeMap::new(),
        },
        repeat,
        spec: spec.digest(),
        ending: Some("answered".to_owned()),
        score,
        measured: Measured {
            score,
            answer: None,
            numbers: Figures::default(),
            ..Measured::default()
        },
        ..Summary::bare()
    }
}

/// One play a task, right where the text has a 1.
fn plays(spec: &Spec, scores: &str) -> Vec<Summary> {
    scores
        .chars()
        .zip(1..)
        .filter(|(sign, _)| *sign != ' ')
        .map(|(sign, task)| {
            let score = (sign != '?').then_some(if sign == '1' { 1.0 } else { 0.0 });
            play(spec, task, 1, score)
        })
        .collect()
}

fn of(runs: &[(&str, &Spec, &[Summary])]) -> Result<Comparison, BadSpec> {
    let runs: Vec<Entrant<'_>> = runs
        .iter()
        .map(|(name, spec, episodes)| Entrant {
            name,
            benchmark: super::of(spec),
            spec,
            episodes,
        })
        .collect();
    compare(&runs)
}

/// The first wins tasks 2 and 10, the other task 3; 4 has no score in one, 12 is in one only.
#[test]
fn two_runs_over_what_both_have() {
    let (good, bad) = (spec(QUESTIONS, "good"), spec(QUESTIONS, "bad"));
    let one = plays(&good, "110011000111");
    let other = plays(&bad, "101?11000010");
    let found = of(&[("good", &good, &one), ("bad", &bad, &other[..11])]).unwrap();
    assert_eq!(found.unscored, [0, 1]);
    let [subject] = found.subjects.as_slice() else {
        panic!("{found:?}")
    };
    assert_eq!((subject.tasks, subject.left_out), (10, 2));
    let [pair] = subject.pairs.as_slice() else {
        panic!("{found:?}")
    };
    assert_eq!(
        (pair.paired.more, pair.paired.less, pair.paired.binary),
        (2, 1, true)
    );
    assert!((pair.paired.difference - 0.1).abs() < 1e-12);
    assert_eq!((pair.paired.p, pair.p_holm, pair.apart), (1.0, 1.0, false));
    let flips: Vec<_> = pair
        .flips
        .iter()
        .map(|flip| (flip.task.0.as_str(), flip.one))
        .collect();
    assert_eq!(flips, [("2", 1.0), ("10", 1.0), ("3", 0.0)]);
    assert_eq!(pair.flips[0].other_play.as_str(), "2.r1.play");
    assert_eq!(subject.groups, [vec![0, 1]]);
    // Six of the ten right in one, five in the other; Wilson's interval of 6 in 10 is 0.3127 to 0.8318.
    let (low, high) = subject.sides[0].interval.unwrap();
    assert!(
        (low - 0.3127).abs() < 0.0001 && (high - 0.8318).abs() < 0.0001,
        "{low} {high}"
    );
    let parts: Vec<_> = found.differs.iter().map(|one| one.part.as_str()).collect();
    assert_eq!(parts, ["seats.player.player"]);
    assert_eq!(found.differs[0].values[0].as_deref(), Some("bot:good"));
    assert_eq!(found.remarks.len(), 2, "{:?}", found.remarks);
    let record = found.report().record;
    assert_eq!(record["comparison"]["subjects"][0]["pairs"][0]["more"], 2);
}

/// One repeat or several: where runs have the same tasks, a comparison says of each what its own page says.
#[test]
fn a_run_has_the_interval_that_its_own_report_has() {
    let (good, bad) = (spec(QUESTIONS, "good"), spec(QUESTIONS, "bad"));
    let benchmark = example(QUESTIONS);
    let again = |spec: &Spec, scores: &str| {
        let second = scores.chars().zip(1..).map(|(sign, task)| {
            let score = if sign == '1' { 1.0 } else { 0.0 };
            play(spec, task, 2, Some(score))
        });
        second.collect::<Vec<_>>()
    };
    let once = plays(&good, "1100000000");
    let twice = [plays(&bad, "1010110000"), again(&bad, "1000110001")].concat();
    let found = of(&[("good", &good, &once), ("bad", &bad, &twice)]).unwrap();
    for ((spec, plays), side) in [(&good, &once), (&bad, &twice)]
        .into_iter()
        .zip(&found.subjects[0].sides)
    {
        let plays: Vec<&Summary> = plays.iter().collect();
        let report = benchmark.report(spec, &plays, &Default::default());
        let figure = report
            .headline
            .iter()
            .find(|figure| figure.value == Some(side.value))
            .unwrap_or_else(|| panic!("{:?} and {side:?}", report.headline));
        let ((low, high), (own_low, own_high)) = (figure.interval.unwrap(), side.interval.unwrap());
        // Tasks are added up in another order.
        assert!((low - own_low).abs() < 1e-12 && (high - own_high).abs() < 1e-12);
    }
}

#[test]
fn the_other_way_round_the_difference_is_the_opposite() {
    let (good, bad) = (spec(QUESTIONS, "good"), spec(QUESTIONS, "bad"));
    let one = plays(&good, "11111111100");
    let other = plays(&bad, "00000001100");
    let there = of(&[("good", &good, &one), ("bad", &bad, &other)]).unwrap();
    let back = of(&[("bad", &bad, &other), ("good", &good, &one)]).unwrap();
    let (there, back) = (&there.subjects[0].pairs[0], &back.subjects[0].pairs[0]);
    assert_eq!(there.paired.difference, -back.paired.difference);
    assert_eq!(there.paired.p, 2.0 / 128.0);
    assert!(there.apart && back.apart);
    let ((low, high), (back_low, back_high)) = (
        there.paired.interval.unwrap(),
        back.paired.interval.unwrap(),
    );
    assert!((low + back_high).abs() < 1e-12 && (high + back_low).abs() < 1e-12);
    assert!(low > 0.0);
}

/// Of three runs the first and the last are told apart; the one between is like both.
#[test]
fn of_three_runs_the_middle_one_is_in_two_groups() {
    let specs = ["a", "b", "c"].map(|name| spec(QUESTIONS, name));
    let scores = ["111111111111", "111111000000", "000000000000"];
    let episodes: Vec<Vec<Summary>> = specs
        .iter()
        .zip(scores)
        .map(|(spec, scores)| plays(spec, scores))
        .collect();
    let runs: Vec<_> = specs
        .iter()
        .zip(&episodes)
        .zip(["a", "b", "c"])
        .map(|((spec, episodes), name)| (name, spec, episodes.as_slice()))
        .collect();
    let found = of(&runs).unwrap();
    let subject = &found.subjects[0];
    // 6 : 0 has p = 1/32, doubled for the second of three pairs; 12 : 0 has 2/4096, times three.
    let values: Vec<f64> = subject.pairs.iter().map(|pair| pair.p_holm).collect();
    assert_eq!(values, [0.0625, 6.0 / 4096.0, 0.0625]);
    assert_eq!(subject.groups, [vec![0, 1], vec![1, 2]]);
    assert_eq!(Comparison::letters(subject, 1), "ab");
    assert_eq!(found.tied(subject), "Cannot be told apart: a, b; b, c.");
}

#[test]
fn repeats_are_means_and_no_difference_needs_no_number() {
    let specs = ["a", "b"].map(|name| Spec {
        repeats: 2,
        ..spec(QUESTIONS, name)
    });
    let plays = |spec: &Spec, scores: [[f64; 2]; 3]| -> Vec<Summary> {
        (1..)
            .zip(scores)
            .flat_map(|(task, scores)| {
                (1..)
                    .zip(scores)
                    .map(move |(repeat, score)| (task, repeat, score))
            })
            .map(|(task, repeat, score)| play(spec, task, repeat, Some(score)))
            .collect()
    };
    let one = plays(&specs[0], [[1.0, 1.0], [0.0, 1.0], [0.0, 0.0]]);
    let other = plays(&specs[1], [[0.0, 1.0], [0.0, 1.0], [1.0, 0.0]]);
    let found = of(&[("a", &specs[0], &one), ("b", &specs[1], &other)]).unwrap();
    let pair = &found.subjects[0].pairs[0];
    assert_eq!(
        (pair.paired.more, pair.paired.less, pair.paired.binary),
        (1, 1, false)
    );
    assert_eq!(pair.paired.difference, 0.0);
    assert_eq!(
        (pair.paired.needed, pair.more_tasks),
        (Needed::CannotBeSaid, None)
    );
    // The play that shows the difference: the one that the other lost.
    assert_eq!(pair.flips[0].one_play.as_str(), "1.r1.play");
    assert_eq!(pair.flips[0].other_play.as_str(), "1.r1.play");
    assert_eq!(pair.flips[1].one_play.as_str(), "3.r1.play");
    assert_eq!(found.subjects[0].sides[0].plays, 6);
}

#[test]
fn what_cannot_be_compared_is_refused_with_its_reason() {
    let one = spec(QUESTIONS, "a");
    let plays_of_one = plays(&one, "10");
    let refused = |runs: &[(&str, &Spec, &[Summary])]| of(runs).unwrap_err();
    assert_eq!(refused(&[("a", &one, &plays_of_one)]).field, "runs");
    let other = spec(WORLDS, "b");
    assert_eq!(
        refused(&[("a", &one, &plays_of_one), ("b", &other, &[])]).field,
        "benchmark"
    );
    let empty = refused(&[("a", &one, &plays_of_one), ("b", &one, &[])]);
    assert!(empty.problem.contains("no play of b"), "{empty}");
    let elsewhere = [play(&one, 7, 1, Some(1.0))];
    let apart = refused(&[("a", &one, &plays_of_one), ("b", &one, &elsewhere)]);
    assert!(apart.problem.contains("no task in common"), "{apart}");
    let game = default_spec(example(GAME));
    let dealt_otherwise = Spec {
        seed: 2,
        ..game.clone()
    };
    assert_eq!(
        refused(&[("a", &game, &[]), ("b", &dealt_otherwise, &[])]).field,
        "seed"
    );
}

/// A sweep meets another sweep value by value, and a task at several values is one cluster.
#[test]
fn sweeps_meet_at_their_values() {
    let swept = Spec {
        settings: json!({ "mode": "full", "rounds": [5, 10] }),
        ..spec(QUESTIONS, "a")
    };
    let at = |spec: &Spec, scores: [[f64; 2]; 2]| -> Vec<Summary> {
        let mut all = Vec::new();
        for (task, scores) in (1..).zip(scores) {
            for (value, score) in [5, 10].into_iter().zip(scores) {
                let mut summary = play(spec, task, 1, Some(score));
                summary.task.id = TaskId(format!("{task}-k{value}"));
                summary
                    .task
                    .labels
                    .insert("rounds".to_owned(), value.to_string());
                all.push(summary);
            }
        }
        all
    };
    let one = at(&swept, [[0.0, 1.0], [0.0, 1.0]]);
    let other = at(&swept, [[0.0, 0.0], [1.0, 1.0]]);
    let found = of(&[("a", &swept, &one), ("b", &swept, &other)]).unwrap();
    assert_eq!(
        (found.subjects[0].tasks, found.subjects[0].clusters),
        (4, 2)
    );
    assert_eq!(
        found.subjects[0].pairs[0].flips[0].one_play.as_str(),
        "1-k10.r1.play"
    );
    let single = spec(QUESTIONS, "b");
    let plain = [play(&single, 1, 1, Some(1.0))];
    let refused = of(&[("a", &swept, &one), ("b", &single, &plain)]).unwrap_err();
    assert!(refused.problem.contains("as a sweep"), "{refused}");
}
