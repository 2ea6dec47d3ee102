//! Boards of games and of built-in players.

use super::*;
use crate::examples::{GAME, QUESTIONS, WORLDS};

fn game(number: u8, results: &[(&str, f64)]) -> Entry {
    let row = |(who, value): &(&str, f64)| RankingRow {
        name: who.split('/').next_back().unwrap().to_owned(),
        who: (*who).to_owned(),
        n: 100,
        value: Some(*value),
        interval: Some((value - 20.0, value + 20.0)),
        cells: vec![Some(value / 2.0), Some(0.3)],
    };
    let column = |label: &str| Column::new(label, Unit::Number, "");
    let seats = (1..).map(|seat: u32| Seat::new(seat.to_string()));
    Entry {
        benchmark: GAME.to_owned(),
        players: seats.zip(results.iter().map(|(who, _)| player(who))).collect(),
        numbers: Numbers {
            plays: 100,
            tasks: 100,
            rankings: vec![Ranking {
                title: "Players".to_owned(),
                about: String::new(),
                value: column("bb/100"),
                columns: vec![column("per hand"), column("VPIP")],
                rows: results.iter().map(row).collect(),
            }],
            ..Numbers::default()
        },
        ..entry(number, "person", 1, EvidenceTier::Verified)
    }
}

#[test]
fn games_have_a_row_for_each_participant_and_ratings_over_runs() {
    let spec = spec(GAME);
    let entries = [
        game(1, &[("model:h/a", 50.0), ("model:h/b", -50.0)]),
        game(2, &[("model:h/b", 10.0), ("model:h/c", -10.0)]),
    ];
    let whole = whole_of(&spec, &entries);
    let board = whole.board(&view("standing=verified"));
    assert_eq!(names(&board), ["a", "b", "c", "b"]);
    assert_eq!(board.rows[0].seat, Some(Seat::new("1")));
    let vpip = board.columns.iter().position(|column| column.key == "vpip").unwrap();
    assert_eq!(board.rows[0].cells[vpip].unwrap().value, 0.3);
    let rated: Vec<(&str, i64)> = board
        .ratings
        .iter()
        .map(|rated| (rated.name.as_str(), rated.rating.unwrap().value.round() as i64))
        .collect();
    // a beat b by 100, b beat c by 20; c never met a.
    assert_eq!(rated, [("a", 73), ("b", -27), ("c", -47)]);
    assert_eq!(board.ratings[1].runs, 2);
    assert_eq!(board.ratings[0].place, Some((1, 1)));
    let forged = Entry {
        tier: EvidenceTier::SelfReported,
        ..game(3, &[("model:h/c", 900.0), ("model:h/a", -900.0)])
    };
    let entries = [entries.as_slice(), &[forged]].concat();
    let whole = whole_of(&spec, &entries);
    assert_eq!(whole.board(&View::default()).ratings, board.ratings);
}

/// Heads up, 9 big blinds apart with an error of 3 each: one has lost what the other has won, so the difference is uncertain by
/// 6, in the rows of the run as in the ratings.
#[test]
fn what_one_wins_and_the_other_loses_is_one_number() {
    let spec = spec(GAME);
    let mut close = game(1, &[("model:h/a", 4.5), ("model:h/b", -4.5)]);
    for row in &mut close.numbers.rankings[0].rows {
        row.interval = row.value.map(|value| (value - 1.96 * 3.0, value + 1.96 * 3.0));
    }
    let board = whole_of(&spec, &[close.clone()]).board(&view("standing=verified"));
    let places = |board: &Board| board.rows.iter().map(|row| row.place).collect::<Vec<_>>();
    assert_eq!(places(&board), [Some((1, 2)), Some((1, 2))]);
    assert_eq!(board.ties[0].places, [1, 2]);
    assert_eq!(board.ratings[0].place, Some((1, 2)));
    // The same numbers of two runs do not depend on each other.
    let alone = |number, at: usize| {
        let mut entry = Entry { run: RunId::new([number; 16]), ..close.clone() };
        entry.numbers.rankings[0].rows = vec![close.numbers.rankings[0].rows[at].clone()];
        entry
    };
    let board = whole_of(&spec, &[alone(1, 0), alone(2, 1)]).board(&view("standing=verified"));
    assert_eq!(places(&board), [Some((1, 1)), Some((2, 2))]);
}

/// How long a table took says nothing of who was slow.
#[test]
fn each_participant_has_its_own_latency() {
    let spec = spec(GAME);
    let mut entry = game(1, &[("model:h/a", 30.0), ("bot:tight", 0.0), ("model:h/b", -30.0)]);
    entry.numbers.latency = Some(900);
    entry.numbers.latencies =
        [("1", 400), ("3", 7000)].map(|(seat, took)| (Seat::new(seat), took)).into();
    let board = whole_of(&spec, &[entry]).board(&View::default());
    let mut columns = board.columns.iter();
    let latency = columns.position(|column| column.key == "latency");
    let rows = board.rows.iter().filter(|row| row.run.is_some());
    let seconds: Vec<(&str, Option<f64>)> =
        rows.map(|row| (&*row.name, row.cells[latency.unwrap()].map(|cell| cell.value))).collect();
    assert_eq!(seconds, [("a", Some(0.4)), ("bot:tight", None), ("b", Some(7.0))]);
}

/// A model in two seats of a run has played one run, and is called by its own name; a person is not rated, because other
/// tables cannot recognise them.
#[test]
fn who_is_rated() {
    let spec = spec(GAME);
    let mut entry = game(
        1,
        &[("model:h/a", 30.0), ("model:h/a", 10.0), ("bot:tight", -20.0), ("person", -20.0)],
    );
    for (seat, row) in (1..).zip(&mut entry.numbers.rankings[0].rows) {
        row.name = format!("{} ({seat})", row.name);
    }
    let board = whole_of(&spec, &[entry]).board(&View::default());
    let rated: Vec<(&str, &str, u32, u32)> = board
        .ratings
        .iter()
        .map(|rated| (&*rated.name, &*rated.who, rated.runs, rated.n))
        .collect();
    assert_eq!(rated, [("a", "model:h/a", 1, 200), ("tight", "bot:tight", 1, 100)]);
    assert_eq!(board.remarks.iter().filter(|one| one.contains("People")).count(), 1);
}

#[test]
fn runs_fill_the_columns_of_printed_tables() {
    let spec = spec(WORLDS);
    let all = ["pass@1", "coverage (FCR)", "hit rate", "calls"];
    let of_tiers = |label: &str| ["easy", "mid", "hard"].map(|tier| format!("{label}, {tier}"));
    let labels: Vec<String> = all
        .iter()
        .flat_map(|label| of_tiers(label).into_iter().chain([(*label).to_owned()]))
        .collect();
    let numbers = labels.iter().map(|label| measure(label, Some(0.5), None));
    let mut run = entry(1, "model:h/a", 1, EvidenceTier::Verified);
    run.numbers.measures = numbers.collect();
    let whole = whole_of(&spec, &[run]);
    let board = whole.board(&View::default());
    let run = board.rows.iter().find(|row| row.run.is_some()).unwrap();
    let printed = board.printed.first().unwrap();
    for (at, column) in board.columns.iter().enumerate() {
        let is_printed = printed.cells[at].is_some();
        assert!(!is_printed || run.cells[at].is_some(), "{}", column.key);
    }
    assert_eq!(printed.cells.iter().flatten().count(), 16);
}

#[test]
fn built_in_players_are_baselines_in_every_run() {
    let spec = spec(GAME);
    let rows = |tier| {
        let met = [("model:h/a", 50.0), ("bot:tight", 10.0)];
        let entry = Entry { tier, ..game(1, &met) };
        let whole = whole_of(&spec, &[entry]);
        let rows = whole.board(&View::default()).rows.into_iter();
        rows.filter(|row| row.run.is_some())
            .map(|row| (row.tier, row.place.is_some()))
            .collect::<Vec<_>>()
    };
    for tier in [EvidenceTier::Verified, EvidenceTier::Human, EvidenceTier::Baseline] {
        assert_eq!(rows(tier), [(tier, true), (EvidenceTier::Baseline, true)]);
    }
    // What it won rests on the word of the submitter of the others' moves: it is listed as they are.
    assert_eq!(
        rows(EvidenceTier::SelfReported),
        [(EvidenceTier::SelfReported, false), (EvidenceTier::Baseline, false)]
    );
    // Where no players meet, the row is the run's, and what its grader said concerns it.
    let alone = entry(3, "bot:always", 21, EvidenceTier::SelfReported);
    let search = self::spec(QUESTIONS);
    let whole = whole_of(&search, &[alone]);
    assert_eq!(whole.head().rows[&EvidenceTier::SelfReported], 1);
}
