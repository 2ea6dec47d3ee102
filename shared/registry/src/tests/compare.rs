//! Comparisons of runs that are made up by hand.

use crate::benchmark::default_spec;
use crate::compare::*;
use crate::examples::{DIALOGUE, GAME, QUESTIONS, WORLDS, example};
use crate::metrics::figures::Figures;
use crate::metrics::paired::Needed;
use crate::prelude::*;
use crate::wire::naming::default_title;
use std::collections::BTreeMap;

use serde_json::json;

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

/// One episode a task, right where the text has a 1.
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
        .map(|(name, spec, episodes)| Entrant { name, benchmark: super::of(spec), spec, episodes })
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
    let [subject] = found.subjects.as_slice() else { panic!("{found:?}") };
    assert_eq!((subject.tasks, subject.left_out), (10, 2));
    let [pair] = subject.pairs.as_slice() else { panic!("{found:?}") };
    assert_eq!((pair.paired.more, pair.paired.less, pair.paired.binary), (2, 1, true));
    assert!((pair.paired.difference - 0.1).abs() < 1e-12);
    assert_eq!((pair.paired.p, pair.p_holm, pair.apart), (1.0, 1.0, false));
    let flips: Vec<_> = pair.flips.iter().map(|flip| (flip.task.0.as_str(), flip.one)).collect();
    assert_eq!(flips, [("2", 1.0), ("10", 1.0), ("3", 0.0)]);
    assert_eq!(pair.flips[0].other_play.as_str(), "2.r1.play");
    assert_eq!(subject.groups, [vec![0, 1]]);
    // Six of the ten right in one, five in the other; Wilson's interval of 6 in 10 is 0.3127 to 0.8318.
    let (low, high) = subject.sides[0].interval.unwrap();
    assert!((low - 0.3127).abs() < 0.0001 && (high - 0.8318).abs() < 0.0001, "{low} {high}");
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
    for ((spec, plays), side) in
        [(&good, &once), (&bad, &twice)].into_iter().zip(&found.subjects[0].sides)
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
    let ((low, high), (back_low, back_high)) =
        (there.paired.interval.unwrap(), back.paired.interval.unwrap());
    assert!((low + back_high).abs() < 1e-12 && (high + back_low).abs() < 1e-12);
    assert!(low > 0.0);
}

/// Of three runs the first and the last are told apart; the one between is like both.
#[test]
fn of_three_runs_the_middle_one_is_in_two_groups() {
    let specs = ["a", "b", "c"].map(|name| spec(QUESTIONS, name));
    let scores = ["111111111111", "111111000000", "000000000000"];
    let episodes: Vec<Vec<Summary>> =
        specs.iter().zip(scores).map(|(spec, scores)| plays(spec, scores)).collect();
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
    let specs = ["a", "b"].map(|name| Spec { repeats: 2, ..spec(QUESTIONS, name) });
    let plays = |spec: &Spec, scores: [[f64; 2]; 3]| -> Vec<Summary> {
        (1..)
            .zip(scores)
            .flat_map(|(task, scores)| {
                (1..).zip(scores).map(move |(repeat, score)| (task, repeat, score))
            })
            .map(|(task, repeat, score)| play(spec, task, repeat, Some(score)))
            .collect()
    };
    let one = plays(&specs[0], [[1.0, 1.0], [0.0, 1.0], [0.0, 0.0]]);
    let other = plays(&specs[1], [[0.0, 1.0], [0.0, 1.0], [1.0, 0.0]]);
    let found = of(&[("a", &specs[0], &one), ("b", &specs[1], &other)]).unwrap();
    let pair = &found.subjects[0].pairs[0];
    assert_eq!((pair.paired.more, pair.paired.less, pair.paired.binary), (1, 1, false));
    assert_eq!(pair.paired.difference, 0.0);
    assert_eq!((pair.paired.needed, pair.more_tasks), (Needed::CannotBeSaid, None));
    // The episode that shows the difference: the one that the other lost.
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
    assert_eq!(refused(&[("a", &one, &plays_of_one), ("b", &other, &[])]).field, "benchmark");
    let empty = refused(&[("a", &one, &plays_of_one), ("b", &one, &[])]);
    assert!(empty.problem.contains("no episode of b"), "{empty}");
    let elsewhere = [play(&one, 7, 1, Some(1.0))];
    let apart = refused(&[("a", &one, &plays_of_one), ("b", &one, &elsewhere)]);
    assert!(apart.problem.contains("no task in common"), "{apart}");
    let game = default_spec(example(GAME));
    let dealt_otherwise = Spec { seed: 2, ..game.clone() };
    assert_eq!(refused(&[("a", &game, &[]), ("b", &dealt_otherwise, &[])]).field, "seed");
}

/// A sweep meets another sweep value by value, and a task at several values is one cluster.
#[test]
fn sweeps_meet_at_their_values() {
    let swept =
        Spec { settings: json!({ "mode": "full", "rounds": [5, 10] }), ..spec(QUESTIONS, "a") };
    let at = |spec: &Spec, scores: [[f64; 2]; 2]| -> Vec<Summary> {
        let mut all = Vec::new();
        for (task, scores) in (1..).zip(scores) {
            for (value, score) in [5, 10].into_iter().zip(scores) {
                let mut summary = play(spec, task, 1, Some(score));
                summary.task.id = TaskId(format!("{task}-k{value}"));
                summary.task.labels.insert("rounds".to_owned(), value.to_string());
                all.push(summary);
            }
        }
        all
    };
    let one = at(&swept, [[0.0, 1.0], [0.0, 1.0]]);
    let other = at(&swept, [[0.0, 0.0], [1.0, 1.0]]);
    let found = of(&[("a", &swept, &one), ("b", &swept, &other)]).unwrap();
    assert_eq!((found.subjects[0].tasks, found.subjects[0].clusters), (4, 2));
    assert_eq!(found.subjects[0].pairs[0].flips[0].one_play.as_str(), "1-k10.r1.play");
    let single = spec(QUESTIONS, "b");
    let plain = [play(&single, 1, 1, Some(1.0))];
    let refused = of(&[("a", &swept, &one), ("b", &single, &plain)]).unwrap_err();
    assert!(refused.problem.contains("as a sweep"), "{refused}");
}

/// Whatever came of the tasks: a run that is called better has an interval above 0, unless the sentence says why it has not.
#[test]
fn the_verdict_agrees_with_the_interval_and_the_test() {
    let (a, b) = (spec(QUESTIONS, "a"), spec(QUESTIONS, "b"));
    let (mut better, mut open) = (0, 0);
    for more in 0..9_usize {
        for less in 0..9_usize {
            let scores =
                |won: &str, lost: &str| format!("{}{}1100", won.repeat(more), lost.repeat(less));
            let (one, other) = (scores("1", "0"), scores("0", "1"));
            let (one, other) = (plays(&a, &one), plays(&b, &other));
            let found = of(&[("A", &a, &one), ("B", &b, &other)]).unwrap();
            let pair = &found.subjects[0].pairs[0];
            let verdict = &pair.verdict;
            let Some((low, high)) = pair.paired.interval else {
                assert!(verdict.contains("alike"), "{verdict}");
                continue;
            };
            let excludes = low > 0.0 || high < 0.0;
            assert_eq!(excludes, pair.apart, "{pair:?}");
            assert_eq!(excludes, verdict.contains(" is better than "), "{verdict}");
            assert_eq!(!excludes, verdict.starts_with("Cannot be told apart"), "{verdict}");
            let first = if more > less { "A" } else { "B" };
            if more != less {
                let second = if more > less { "B" } else { "A" };
                let order = (verdict.find(first), verdict.rfind(second));
                assert!(order.0 < order.1, "{verdict}");
                assert!(!verdict.contains('−') || !excludes, "{verdict}");
            }
            match excludes {
                true => better += 1,
                false => open += 1,
            }
        }
    }
    assert!(better > 5 && open > 20, "{better} {open}");
}

#[test]
fn a_correction_for_several_pairs_is_explained() {
    let specs = ["a", "b", "c"].map(|name| spec(QUESTIONS, name));
    let scores = ["1111111111110000", "1111110000000000", "1111111111110000"];
    let episodes: Vec<Vec<Summary>> =
        specs.iter().zip(scores).map(|(spec, scores)| plays(spec, scores)).collect();
    let found = of(&[
        ("a", &specs[0], &episodes[0]),
        ("b", &specs[1], &episodes[1]),
        ("c", &specs[2], &episodes[2]),
    ])
    .unwrap();
    let [first, same, last] = found.subjects[0].pairs.as_slice() else { panic!("{found:?}") };
    // 6 : 0 has p = 1/32, three times that is more than 5 %.
    assert!(first.paired.p < 0.05 && !first.apart);
    assert!(first.verdict.contains("probably better than b by 38 points"), "{}", first.verdict);
    assert!(first.verdict.contains("3 pairs are compared at once"), "{}", first.verdict);
    assert_eq!(same.verdict, "a and c ended all 16 tasks alike.");
    assert!(last.verdict.starts_with("c is probably better"), "{}", last.verdict);
    let report = found.report();
    assert!(report.remarks.contains(&first.verdict));
}

#[test]
fn what_differs_is_named_in_the_benchmarks_own_words() {
    let plain = spec(QUESTIONS, "a");
    let mut other = plain.clone();
    other.settings["rounds"] = json!(20);
    let seat = Seat::new(Seat::PLAYER);
    other.seats.get_mut(&seat).unwrap().sampling.temperature = Some(0.5);
    other.tasks.name = "others".to_owned();
    let benchmark = example(QUESTIONS);
    let found = differs(benchmark, &[&plain, &other]);
    let labels: Vec<_> = found.iter().map(|one| one.label.as_str()).collect();
    let schema = benchmark.schema();
    let rounds = schema.settings.iter().find(|one| one.name == "rounds");
    let rounds = rounds.unwrap().label;
    assert_eq!(labels, ["Temperature", rounds, "Tasks"]);
    assert!(found.iter().all(|one| one.part.contains('.')), "{found:?}");
    // A name says what differs and nothing that is common to all.
    let good = spec(QUESTIONS, "good");
    let players = names(benchmark, &[&plain, &good]);
    assert_eq!(players, ["bot:a", "bot:good"]);
    let mut longer = plain.clone();
    longer.settings["rounds"] = json!(20);
    let lengths = names(benchmark, &[&plain, &longer]);
    assert!(lengths[1].ends_with("20") && !lengths[1].contains("bot"), "{lengths:?}");
    let both = names(benchmark, &[&good, &longer]);
    assert_eq!(both, ["bot:good", "bot:a"], "the player alone tells them apart");
    // Nothing distinguishes all three, so each has its default name.
    let three = names(benchmark, &[&plain, &good, &longer]);
    let titles = [&plain, &good, &longer].map(|spec| default_title(benchmark, spec));
    assert_eq!(three, titles);
    assert!(three[2].ends_with("rounds 20"), "{three:?}");
    assert_eq!(names(benchmark, &[&plain, &plain]), ["bot:a", "bot:a"]);
}

#[test]
fn what_a_mode_makes_meaningless_is_no_difference() {
    let benchmark = example(DIALOGUE);
    let mut asks = default_spec(benchmark);
    asks.settings = json!({ "mode": "interactive", "rounds": 10 });
    let mut direct = asks.clone();
    direct.settings = json!({ "mode": "direct", "rounds": 20 });
    direct.repeats = 5;
    let judge = direct.seats.get_mut(&Seat::new("judge")).unwrap();
    judge.player = Player::Bot("other".to_owned());
    let parts = |specs: &[&Spec]| -> Vec<String> {
        let found = differs(benchmark, specs);
        found.into_iter().map(|one| one.part).collect()
    };
    assert_eq!(parts(&[&asks, &direct]), ["repeats", "settings.mode"]);
    assert_eq!(names(benchmark, &[&asks, &direct]), ["interactive", "direct"]);
    // Of two that both ask, rounds and judge differ; of two that do not, neither.
    let mut longer = asks.clone();
    longer.settings = json!({ "rounds": 30 });
    longer.seats.clone_from(&direct.seats);
    assert_eq!(parts(&[&asks, &longer]), ["seats.judge.player", "settings.rounds"]);
    assert_eq!(names(benchmark, &[&asks, &longer]), ["rounds 10", "rounds 30"]);
    let mut again = direct.clone();
    again.settings["rounds"] = json!(7);
    again.seats.clone_from(&asks.seats);
    assert!(parts(&[&direct, &again]).is_empty());
    // A third run beside them: the run without questions has no judge.
    let all = differs(benchmark, &[&asks, &longer, &direct]);
    let judge = all.iter().find(|one| one.part == "seats.judge.player").unwrap();
    assert_eq!(judge.values[2], None);
}

#[test]
fn a_run_is_called_by_its_mode() {
    let title = |name: &str, settings: serde_json::Value| {
        let benchmark = example(name);
        let mut spec = default_spec(benchmark);
        spec.settings = settings;
        let title = default_title(benchmark, &spec);
        title.split_once(" · ").map(|(_, rest)| rest.to_owned())
    };
    let said = |text: &str| Some(text.to_owned());
    assert_eq!(title(DIALOGUE, json!({})), said("interactive"));
    assert_eq!(
        title(DIALOGUE, json!({ "mode": "interactive", "rounds": 8 })),
        said("interactive · rounds 8")
    );
    assert_eq!(title(DIALOGUE, json!({ "mode": "guess_only" })), said("guess only"));
    assert_eq!(
        title(DIALOGUE, json!({ "mode": "direct", "rounds": 8 })),
        said("direct"),
        "it has no rounds"
    );
    assert_eq!(
        title(QUESTIONS, json!({ "mode": "answer_only", "rounds": 5 })),
        said("answer only")
    );
}

/// Players by judges, who sit in two seats: the judges put the players into opposite orders.
#[test]
fn runs_are_crossed_by_player_and_by_what_else_differs() {
    let judged = |player: &str, judge: &str, scores: &str| {
        let mut spec = spec(QUESTIONS, player);
        for seat in [Seat::RESPONDER, Seat::GRADER] {
            let sitting = spec.seats.get_mut(&Seat::new(seat)).unwrap();
            sitting.player = Player::Bot(judge.to_owned());
        }
        let mut plays = plays(&spec, scores);
        for play in &mut plays {
            let cell = |seat: &str| Cell {
                turn: 1,
                round: 1,
                seat: Seat::new(seat),
                kind: TurnKind::Ask,
                tone: None,
                fault: None,
                sentence: String::new(),
            };
            play.ribbon = vec![cell(Seat::PLAYER), cell(Seat::GRADER)];
        }
        (spec, plays)
    };
    let runs = [
        judged("good", "mild", "111011"),
        judged("good", "hard", "000000"),
        judged("bad", "mild", "100000"),
        judged("bad", "hard", "110010"),
        judged("bad", "hard", "??????"),
    ];
    let of = |chosen: &[usize]| {
        let entrant = |at: &usize| {
            let (spec, episodes) = &runs[*at];
            Entrant { name: "run", benchmark: super::of(spec), spec, episodes }
        };
        crossed(&chosen.iter().map(entrant).collect::<Vec<_>>())
    };
    let found = of(&[0, 1, 2, 3]).unwrap();
    let axes = [&found.rows, &found.columns].map(|axis| (axis.by.as_str(), axis.names.clone()));
    assert_eq!(axes[0], ("player", vec!["bot:bad".to_owned(), "bot:good".to_owned()]));
    assert_eq!(axes[1].0, "grader and responder");
    assert_eq!(axes[1].1, ["bot:hard", "bot:mild"]);
    let near = |found: Option<f64>, known: f64| {
        assert!((found.unwrap() - known).abs() < 1e-12, "{found:?} {known}");
    };
    let cell = found.cells[0][0].as_ref().unwrap();
    assert_eq!((cell.run, cell.turns, cell.episodes), (3, 1.0, 6));
    near(cell.number.value, 0.5);
    near(found.means[0].value, 1.0 / 3.0);
    near(found.means[1].value, 5.0 / 12.0);
    near(found.tau.value, -1.0);
    let (low, high) = found.tau.interval.unwrap();
    assert!(low == -1.0 && high <= 1.0, "{low} {high}");
    let [flip] = found.flips.as_slice() else { panic!("{found:?}") };
    assert_eq!((flip.rows, flip.columns), ([0, 1], [0, 1]));
    near(flip.change.value, 7.0 / 6.0);
    let report = found.report();
    assert_eq!(report.matrices[0].cells[1], [Some(0.0), Some(5.0 / 6.0)]);
    assert_eq!(report.matrices[1].title, "Turns: player by grader and responder");
    assert_eq!(report.record["grid"]["flips"][0]["differences"][0], 0.5);
    let [verdict] = report.verdicts.as_slice() else { panic!("{report:?}") };
    assert!(
        verdict.starts_with("bot:bad and bot:good change places, more than chance"),
        "{verdict}"
    );

    // A cell that is missing leaves no mean of its row, and nothing to put into an order.
    let part = of(&[0, 1, 2]).unwrap();
    assert_eq!(
        (part.cells[0][0].is_none(), part.means[0].value, part.tau.value),
        (true, None, None)
    );
    assert_eq!(part.remarks, ["Left out: 1 cell without a run that has a score."]);
    let open = of(&[0, 1, 2, 4]).unwrap();
    assert_eq!((&open.cells, &open.means), (&part.cells, &part.means));
    assert_eq!(open.remarks[1], "Left out: 6 episodes without a score.");
    // Where the player is the same, rows are what else differs.
    let judges = of(&[0, 1]).unwrap();
    assert_eq!(
        (judges.rows.names.len(), judges.columns.names.as_slice()),
        (2, ["all".to_owned()].as_slice())
    );
    let twice = of(&[0, 1, 2, 3, 0]).unwrap_err();
    assert!(twice.problem.contains("one cell of the grid (bot:good, bot:mild)"), "{twice}");
    let game = spec(GAME, "any");
    let entrant = Entrant { name: "run", benchmark: super::of(&game), spec: &game, episodes: &[] };
    assert!(crossed(&[entrant, entrant]).unwrap_err().problem.contains("all seats"));
}

#[test]
fn a_grid_has_every_task_and_what_each_run_answered() {
    let (good, bad) = (spec(QUESTIONS, "good"), spec(QUESTIONS, "bad"));
    let mut one = plays(&good, "11 0?");
    let other = plays(&bad, "101 1");
    one[0].measured.answer = Some("Paris".to_owned());
    one[0].measured.asked = Some("Which town?".to_owned());
    one[0].measured.right = Some("Paris".to_owned());
    let entrants = [("good", &good, &one), ("bad", &bad, &other)]
        .map(|(name, spec, episodes)| Entrant { name, benchmark: super::of(spec), spec, episodes });
    let rows = grid(&entrants);
    let told: Vec<_> = rows
        .iter()
        .map(|row| {
            let scores: Vec<_> = row.cells.iter().map(|cell| Some(cell.as_ref()?.score)).collect();
            (row.task.0.as_str(), scores, row.differs)
        })
        .collect();
    let (right, wrong) = (Some(Some(1.0)), Some(Some(0.0)));
    assert_eq!(
        told,
        [
            ("1", vec![right, right], false),
            ("2", vec![right, wrong], true),
            ("3", vec![None, right], false),
            ("4", vec![wrong, None], false),
            ("5", vec![Some(None), right], false),
        ]
    );
    assert_eq!(rows[0].asked.as_deref(), Some("Which town?"));
    assert_eq!(rows[0].right.as_deref(), Some("Paris"));
    let cell = rows[0].cells[0].as_ref().unwrap();
    assert_eq!((cell.answer.as_deref(), cell.play.as_str()), (Some("Paris"), "1.r1.play"));
    assert_eq!(rows[2].asked, None);
}

/// With unequal repeats every task weighs the same, in the value and in its interval.
#[test]
fn value_and_interval_belong_to_one_number() {
    let (good, bad) = (spec(QUESTIONS, "good"), spec(QUESTIONS, "bad"));
    let mut uneven: Vec<Summary> =
        (1..=9).map(|repeat| play(&good, 1, repeat, Some(0.0))).collect();
    uneven.extend((2..=10).map(|task| play(&good, task, 1, Some(1.0))));
    let other = plays(&bad, "1010101010");
    let found = of(&[("good", &good, &uneven), ("bad", &bad, &other)]).unwrap();
    let side = &found.subjects[0].sides[0];
    assert_eq!((side.value, side.plays), (0.9, 18), "nine of ten tasks, and half of the plays");
    // Wilson's interval of a share of 0.9 whose tasks, as clusters, weigh as much as nine plays; of 9 in 18 plays it would be around a half.
    let (low, high) = side.interval.unwrap();
    assert!((low - 0.5773).abs() < 0.001 && (high - 0.9834).abs() < 0.001, "{low} {high}");
    // One of two, and one of three: five twelfths.
    let mut mixed = vec![play(&good, 1, 1, Some(1.0)), play(&good, 1, 2, Some(0.0))];
    mixed.extend(
        (1..=3).map(|repeat| play(&good, 2, repeat, Some(f64::from(u8::from(repeat == 2))))),
    );
    let two = plays(&bad, "10");
    let found = of(&[("good", &good, &mixed), ("bad", &bad, &two)]).unwrap();
    let side = &found.subjects[0].sides[0];
    let (low, high) = side.interval.unwrap();
    assert!((side.value - 5.0 / 12.0).abs() < 1e-12 && low < side.value && side.value < high);
}
