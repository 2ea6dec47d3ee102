//! Many episodes together.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::*;
use crate::stats::report::report;
use turnwise_core::key::EpisodeKey;
use turnwise_core::metrics::figures::Figures;
use turnwise_core::metrics::times::Collected;
use turnwise_core::prelude::*;
use turnwise_core::seat::Sitting;
use turnwise_core::spec::{Named, Subset};
use turnwise_core::testing::assert_has;

/// An episode of two in which the first won so much in each hand, with a big blind of 2 chips.
fn played(table: u32, deck: Option<&str>, won: &[i64]) -> Played {
    let hands = (1..).zip(won).map(|(hand, won)| HandResult {
        hand,
        won: vec![Some(*won), Some(-won)],
        adjusted: None,
    });
    let count = u32::try_from(won.len()).unwrap();
    let tally = Tally { hands: count, ..Tally::default() };
    let total = won.iter().sum::<i64>() as f64;
    Played {
        table,
        repeat: 1,
        deck: deck.map(str::to_owned),
        numbers: Numbers {
            units_per_chip: 1,
            big_blind: 2,
            seats: vec!["1".into(), "2".into()],
            tallies: vec![tally.clone(), tally],
            hands: hands.collect(),
            won_from: vec![vec![0.0, total], vec![-total, 0.0]],
            met: vec![vec![0, count], vec![count, 0]],
            unread: 0,
        },
    }
}

fn near(number: Option<f64>, wanted: f64) {
    let number = number.unwrap();
    assert!((number - wanted).abs() < 1e-4, "{number}, not {wanted}");
}

#[test]
fn tables_are_averaged_whatever_their_length() {
    let run = standings(&[played(1, None, &[100, -50]), played(2, None, &[30])], &BTreeMap::new());
    assert_eq!((run.over, run.units, run.tables, run.hands), (Over::Tables, 2, 2, 3));
    let first = &run.players[0];
    // 25 and 30: mean 27.5, deviation √12.5, standard error 2.5.
    let per_hand = first.per_hand.unwrap();
    assert_eq!(per_hand.mean, 27.5);
    near(per_hand.sd, 12.5_f64.sqrt());
    near(per_hand.se, 2.5);
    let bb100 = first.bb100.unwrap();
    assert_eq!(bb100.mean, 1375.0);
    near(bb100.interval.map(|(low, _)| low), 1375.0 - 12.706_204_736_174_705 * 125.0);
    assert_eq!((first.total, first.extremes_of_run), (80.0, Extremes { win: 100.0, loss: -50.0 }));
    assert_eq!((first.trimmed, first.variance), (None, None));
    assert_eq!(run.players[1].extremes_of_run.loss, -100.0);
    assert_eq!((run.won_from[0][1], run.met[1][0]), (80.0, 3));
}

/// 4.d: extremes are of a table. Where one table has a win of 100 and the other of 300 the mean is 200, and the run's own is
/// 300; a table without a loss counts as nothing lost.
#[test]
fn extremes_are_taken_by_table() {
    let tables = [played(1, None, &[100, 40, -60]), played(2, None, &[20, 300])];
    let first = &standings(&tables, &BTreeMap::new()).players[0];
    let extremes = |win, loss| Extremes { win, loss };
    assert_eq!(first.extremes, Some(extremes(200.0, -30.0)));
    assert_eq!(first.extremes_of_run, extremes(300.0, -60.0));
}

#[test]
fn trimmed_winnings_drop_two_tables_at_each_end() {
    let tables: Vec<Played> = [900, -700, 4, 3, 5, -800, 800]
        .into_iter()
        .zip(1..)
        .map(|(won, table)| played(table, None, &[won]))
        .collect();
    let run = standings(&tables, &BTreeMap::new());
    let trimmed = run.players[0].trimmed.unwrap();
    assert_eq!((trimmed.n, trimmed.mean), (3, 4.0));
    near(Some(trimmed.sd_population), (2.0_f64 / 3.0).sqrt());
}

/// Two sets of two hands, by which 3 and −1 … are won on average; and what that removes of the variance.
#[test]
fn deck_sets_are_the_unit_of_duplicate_mode() {
    let set = |deck: &str, hands: [i64; 2]| hands.map(|won| played(1, Some(deck), &[won]));
    let mut all = [set("t1-d1", [10, -4]), set("t1-d2", [-10, 12])].concat();
    // The third set has one rotation only: its luck does not cancel.
    all.push(played(1, Some("t1-d3"), &[500]));
    let run = standings(&all, &BTreeMap::new());
    assert_eq!((run.over, run.units, run.incomplete_sets), (Over::DeckSets, 2, 1));
    assert_eq!((run.hands, run.tables), (5, 1));
    let first = &run.players[0];
    // Means 3 and 1.
    let per_hand = first.per_hand.unwrap();
    assert_eq!(per_hand.mean, 2.0);
    near(per_hand.sd, 2.0_f64.sqrt());
    // Single hands: 64 + 36 + 144 + 100 over 3, in squared big blinds a quarter of it.
    let variance = first.variance.unwrap();
    near(Some(variance.per_hand), 344.0 / 3.0 / 4.0);
    near(Some(variance.of_set_means), 0.5);
    near(Some(variance.of_means_without), 344.0 / 3.0 / 8.0);
    near(variance.removed, 1.0 - 0.5 / (344.0 / 24.0));
    // What was won is said of all hands.
    assert_eq!((first.total, first.extremes_of_run.win, first.tally.hands), (508.0, 500.0, 5));
}

#[test]
fn one_table_has_hands_or_nothing() {
    let hands = [played(1, None, &[5]), played(1, None, &[7])];
    let run = standings(&hands, &BTreeMap::new());
    assert_eq!((run.over, run.units), (Over::Hands, 2));
    assert_eq!(run.players[0].per_hand.unwrap().mean, 6.0);
    let run = standings(&[played(1, None, &[5, 7])], &BTreeMap::new());
    assert_eq!(run.over, Over::Nothing);
    assert_eq!(run.players[0].per_hand.unwrap().interval, None);
    assert_eq!(run.players[0].per_hand.unwrap().mean, 6.0);
    let none = standings(&[], &BTreeMap::new());
    assert_eq!((none.players.len(), none.hands), (0, 0));
}

#[test]
fn times_come_from_outside() {
    let of_tables = BTreeMap::from([(Some((1, 1)), vec![100.0, 300.0]), (None, vec![200.0])]);
    let times = BTreeMap::from([(Seat::new("2"), of_tables)]);
    let run = standings(&[played(1, None, &[5, 7])], &times);
    assert_eq!(run.players[0].latency, None);
    assert_eq!(run.players[1].latency.unwrap().median, 200.0);
}

/// A decision whose first reply was invalid is one decision of two calls: its time is that of both.
#[test]
fn a_decision_takes_as_long_as_all_its_attempts() {
    let mut collected = Collected::default();
    let seat = Seat::new("2");
    let episode = EpisodeKey::play(&"t1-h1".into(), 1);
    for (run, took) in [(0, 4000), (0, 1000), (1, 500)] {
        collected.add(&seat, run, episode.clone(), Some(ThreadId(1)), took);
    }
    let (times, conversations) = collected.times().in_numbers();
    let options = MeasureOptions { times, conversations, ..MeasureOptions::default() };
    let record = report(&spec(), &[&summary("t1-h1", 1, &three())], &options).record;
    let player = &record["players"][1];
    assert_has(
        player,
        &json!({ "latency_ms": { "n": 2, "mean": 2750.0 }, "latency_ms_per_call": { "n": 3 } }),
    );
    assert_eq!(record["players"][0]["latency_ms"], Value::Null);
}

/// VPIP, folds and times are taken for each table and then averaged, with the sample deviation over tables.
#[test]
fn rates_and_times_deviate_over_tables() {
    let mut one = three();
    let mut other = three();
    // 2 of 4 against 2 of 8 hands played, 1 of 4 against 6 of 8 folded; walks do not count for the first.
    for (numbers, hands, walks, vpip, folded) in [(&mut one, 5, 1, 2, 1), (&mut other, 8, 0, 2, 6)]
    {
        let tally = &mut numbers.tallies[1];
        (tally.hands, tally.walks, tally.vpip, tally.folded) = (hands, walks, vpip, folded);
        tally.vpip_coded = vpip;
    }
    let episodes = [summary("t1-h1", 1, &one), summary("t2-h1", 2, &other)];
    let mut collected = Collected::default();
    let second = Seat::new("2");
    for (task, thread, took) in [
        ("t1-h1", 1, 1000),
        ("t1-h1", 2, 3000),
        ("t2-h1", 1, 5000),
        // Of no episode that is reported: it belongs to no table.
        ("t9-h1", 1, 90_000),
    ] {
        let episode = EpisodeKey::play(&task.into(), 1);
        collected.add(&second, 0, episode, Some(ThreadId(thread)), took);
    }
    let (times, conversations) = collected.times().in_numbers();
    let options = MeasureOptions { times, conversations, ..MeasureOptions::default() };
    let report = report(&spec(), &[&episodes[0], &episodes[1]], &options);
    let over = &report.record["players"][1]["over_tables"];
    let number = |name: &str, part: &str| over[name][part].as_f64();
    let sd = |low: f64, high: f64| (high - low) / 2.0_f64.sqrt();
    for (name, low, high) in [
        ("vpip", 0.25, 0.5),
        ("vpip_coded", 0.25, 0.4),
        ("fold_rate", 0.2, 0.75),
        ("latency_ms", 2000.0, 5000.0),
    ] {
        near(number(name, "mean"), f64::midpoint(low, high));
        near(number(name, "sd"), sd(low, high));
        near(number(name, "sd_population"), (high - low) / 2.0);
    }
    assert_eq!(report.record["players"][0]["over_tables"]["latency_ms"], Value::Null);
    let table = &report.tables[0];
    assert_eq!((table.title.as_str(), table.rows.len()), ("Over tables", 3));
    let cells = &table.rows[1].cells;
    near(cells[0], 0.375);
    near(cells[1], sd(0.25, 0.5));
    near(cells[7], sd(2.0, 5.0));
    // One table has nothing to deviate over.
    let alone = super::super::report::report(&spec(), &[&episodes[0]], &MeasureOptions::default());
    assert!(alone.tables.iter().all(|table| table.title != "Over tables"));
    assert_eq!(alone.record["players"][1]["over_tables"]["vpip"]["sd"], Value::Null);
}

/// A setting's default value is reported like a chosen value.
#[test]
fn settings_are_told_with_their_defaults() {
    let record = |profile: Profile, settings: Value| {
        let spec = Spec { profile, settings, ..spec() };
        report(&spec, &[], &MeasureOptions::default()).record
    };
    let bare = record(Profile::Strict, json!({}));
    assert_has(&bare, &json!({ "policy": "reset-every-hand", "duplicate": false }));
    let reference = record(Profile::Reference, json!({}));
    assert_eq!(reference["policy"], "reset-all-on-bust");
    let named = record(Profile::Reference, json!({ "policy": "rebuy-busted", "duplicate": true }));
    assert_has(&named, &json!({ "policy": "rebuy-busted", "duplicate": true }));
}

fn spec() -> Spec {
    let bot =
        |name: &str| Sitting { player: Player::Bot(name.to_owned()), sampling: Default::default() };
    let digest = Digest::of_parts([b"made up".as_slice()]);
    let named = Named { name: "made up".into(), digest };
    Spec {
        benchmark: "poker".into(),
        protocol: 1,
        profile: Profile::Strict,
        settings: json!({ "duplicate": false }),
        tasks: named.clone(),
        subset: Subset::default(),
        pack: named,
        seats: BTreeMap::from([
            ("1".into(), bot("calling-station")),
            ("2".into(), bot("equity")),
            ("3".into(), bot("equity")),
        ]),
        search: None,
        web: None,
        budget: Budget::default(),
        seed: 1,
        repeats: 1,
    }
}

fn summary(id: &str, table: u32, numbers: &Numbers) -> Summary {
    Summary {
        task: TaskRef {
            id: id.into(),
            digest: Digest::of_parts([id.as_bytes()]),
            labels: BTreeMap::from([("table".to_owned(), table.to_string())]),
        },
        spec: spec().digest(),
        ending: Some("played".into()),
        measured: Measured { numbers: Figures::of(&numbers), ..Measured::default() },
        ..Summary::bare()
    }
}

fn three() -> Numbers {
    let hand = play(
        Profile::Strict,
        &[10_000; 3],
        "AS KS 2D 7C QD QC",
        &[(0, to(300)), (1, FOLD), (2, CALL), (2, CHECK), (0, to(400)), (2, FOLD)],
    );
    Numbers::of_hands(&[hand])
}

#[test]
fn a_run_is_reported() {
    let mut third = summary("t2-h2", 2, &three());
    third.complete = false;
    let episodes = [summary("t2-h1", 2, &three()), summary("t1-h1", 1, &three()), third];
    let found = report(&spec(), &episodes.iter().collect::<Vec<_>>(), &MeasureOptions::default());
    let record = &found.record;
    assert_has(
        record,
        &json!({ "hands": 2, "incomplete": 1, "rankable": false, "interval_over": "tables" }),
    );
    let players = record["players"].as_array().unwrap();
    let names: Vec<&str> = players.iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["calling-station", "equity (2)", "equity (3)"]);
    let first = &players[0];
    // 300 of the big blind and 50 of the small one, in both hands; both tables alike.
    let wanted: Value = serde_json::from_str(include_str!("report.json")).expect("it is JSON");
    assert_has(first, &wanted);
    assert_eq!(players[1]["three_bet"], json!(0.0));
    assert_has(&players[2], &json!({ "aggression_factor": null, "aggression_frequency": 0.0 }));
    assert_eq!(record["pairwise"]["chips"][0], json!([0.0, 100.0, 600.0]));

    let ranking = &found.rankings[0];
    let order: Vec<&str> = ranking.rows.iter().map(|row| row.name.as_str()).collect();
    assert_eq!(order, ["calling-station", "equity (2)", "equity (3)"]);
    assert!(ranking.rows.iter().all(|row| row.cells.len() == ranking.columns.len()));
    assert_eq!(ranking.rows[1].value, Some(-50.0));
    // Who won from whom, positions, and a chart for each player.
    assert_eq!(found.matrices.len(), 5);
    assert_eq!(found.matrices[0].cells[2][0], Some(-300.0));
    assert_eq!(found.matrices[1].columns, ["BTN", "SB", "BB"]);
    assert_eq!(found.matrices[1].cells[0], [Some(350.0), None, None]);
    // Ace and king of one suit: first row, second column.
    assert_eq!(found.matrices[2].cells[0][1], Some(1.0));
    assert_eq!(found.matrices[2].cells.iter().flatten().flatten().count(), 1);
    let points: Vec<f64> = found.plots[0].curves[0].points.iter().map(|point| point.y).collect();
    assert_eq!(points, [0.0, 350.0, 700.0]);
    assert!(found.remarks[0].starts_with("1 episodes are not complete"));
}

#[test]
fn nothing_played_is_a_report_of_nothing() {
    let found = report(&spec(), &[], &MeasureOptions::default());
    assert_has(&found.record, &json!({ "players": [], "rankable": false }));
    assert!(found.matrices.is_empty() && found.plots.is_empty());
    assert_eq!(found.headline[0].value, Some(0.0));
}

#[test]
fn a_long_curve_is_thinned_and_keeps_its_end() {
    let hand = |number: u32| HandResult {
        hand: number,
        won: vec![Some(1), Some(-1), Some(0)],
        adjusted: None,
    };
    let mut numbers = three();
    numbers.hands = (1..=1001).map(hand).collect();
    let found = report(&spec(), &[&summary("t1", 1, &numbers)], &MeasureOptions::default());
    let points = &found.plots[0].curves[0].points;
    assert!((150..=202).contains(&points.len()), "{}", points.len());
    assert_eq!(points.last().map(|point| (point.x, point.y)), Some((1001.0, 1001.0)));
}
