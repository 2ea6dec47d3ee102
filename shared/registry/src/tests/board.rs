//! Boards of a few runs, looked at from several sides.

mod games;
mod keys;

use super::published::conditions as published;
use super::{board_of, of};
use crate::benchmark::default_spec;
use crate::board::column::Shown;
use crate::examples::QUESTIONS;
use crate::leaderboard::*;
use crate::metrics::report::{Ranking, RankingRow};
use crate::prelude::*;
use crate::wire::publishing::{Entry, Measure, Numbers, Owner};
use std::collections::BTreeMap;

use serde_json::json;

fn spec(benchmark: &str) -> Spec {
    default_spec(registry::find(benchmark).unwrap())
}

fn player(name: &str) -> Player {
    name.parse().unwrap()
}

/// As an older version stored it: without a key.
fn measure(label: &str, value: Option<f64>, interval: Option<(f64, f64)>) -> Measure {
    Measure { key: String::new(), label: label.to_owned(), value, interval, unit: Unit::Fraction }
}

/// A run in which the given number of 210 answers were right.
/// The board of these runs of one spec, with no other runs opened.
fn whole_of(spec: &Spec, entries: &[Entry]) -> Whole {
    let board = BoardId::Key(board_of(spec));
    Whole::of_runs(board, of(spec), spec, entries, &BTreeMap::new())
        .expect("a benchmark with boards")
}

fn entry(number: u8, name: &str, right: u32, tier: EvidenceTier) -> Entry {
    let share = f64::from(right) / 210.0;
    let half = 1.96 * (share * (1.0 - share) / 210.0).sqrt();
    Entry {
        run: RunId::new([number; 16]),
        board: board_of(&spec(QUESTIONS)),
        benchmark: QUESTIONS.to_owned(),
        title: String::new(),
        players: BTreeMap::from([(Seat::new(Seat::PLAYER), player(name))]),
        tier,
        owner: Some(Owner::of_key(if number < 3 { "a" } else { "b" })),
        opened: 1_790_000_000_000,
        published: 1_790_000_000_000 + u64::from(number) * 86_400_000,
        numbers: Numbers {
            plays: 420,
            tasks: 210,
            measures: vec![
                measure("Accuracy", Some(share), Some((share - half, share + half))),
                measure("Interaction rate", Some(0.25), None),
                measure("Calibration error", None, None),
            ],
            player_cost: Some(3_000_000),
            latency: Some(1500),
            ..Numbers::default()
        },
    }
}

fn entries() -> Vec<Entry> {
    vec![
        entry(1, "model:house/small", 20, EvidenceTier::Verified),
        entry(2, "model:house/large", 90, EvidenceTier::Verified),
        entry(3, "bot:always", 21, EvidenceTier::Baseline),
        entry(4, "person", 88, EvidenceTier::HumanUnattended),
    ]
}

fn board() -> Whole {
    let spec = spec(QUESTIONS);
    let opened = BTreeMap::from([(Owner::of_key("a"), 9), (Owner::of_key("b"), 1)]);
    Whole::of_runs(BoardId::Key(board_of(&spec)), of(&spec), &spec, &entries(), &opened).unwrap()
}

fn names(board: &Board) -> Vec<&str> {
    let rows = board.rows.iter().filter(|row| row.run.is_some());
    rows.map(|row| row.name.as_str()).collect()
}

fn view(query: &str) -> View {
    let parts = query.split('&').filter_map(|part| part.split_once('='));
    View::of(parts).unwrap()
}

#[test]
fn rows_of_papers_are_apart_until_a_view_asks_for_them() {
    let whole = board();
    let runs = whole.board(&View::default());
    assert!(runs.rows.iter().all(|row| row.run.is_some()));
    assert_eq!((runs.total, runs.matching, runs.printed.len()), (4, 4, 17));
    assert!(runs.printed.iter().all(|row| row.run.is_none()));
    assert_eq!(whole.csv(&View::default()).lines().count(), 5);
    assert_eq!(whole.csv(&view("paper=1")).lines().count(), 22);
    for query in ["paper=0", "paper=", "q=gpt"] {
        let rows = whole.board(&view(query)).rows;
        assert!(rows.iter().all(|row| row.run.is_some()), "{query}");
    }
    // The best run and the paper's best row are told apart, and the paper is cited.
    let head = whole.head();
    let printed = head.printed.as_ref().unwrap();
    assert_eq!(printed.tier, EvidenceTier::Published);
    assert_ne!(head.best.as_ref().unwrap().name, printed.name);
    let paper = head.paper.as_ref().unwrap();
    assert!(paper.address.starts_with("https://arxiv.org/abs/"));
    let beside = head.beside.as_ref().unwrap();
    let papers = papers(BENCHMARKS);
    let own = papers.iter().find(|whole| whole.head().id == *beside);
    let own = own.unwrap().board(&View::default());
    assert_eq!((own.rows.len(), own.printed.len()), (17, 0));
    assert_eq!(own.head.paper, head.paper);
}

#[test]
fn numbers_are_told_by_their_keys_whatever_they_are_called() {
    let keyed = |key: &str, label: &str, value| Measure {
        key: key.to_owned(),
        ..measure(label, Some(value), None)
    };
    let mut run = entry(1, "model:house/small", 20, EvidenceTier::Verified);
    run.numbers.measures = vec![
        keyed("accuracy_of_others", "Accuracy", 0.25),
        keyed("accuracy", "Share of right answers", 0.75),
    ];
    let board = whole_of(&spec(QUESTIONS), &[run]).board(&View::default());
    let run = board.rows.iter().find(|row| row.run.is_some()).unwrap();
    assert_eq!(board.columns[0].key, "accuracy");
    assert_eq!(run.cells[0].unwrap().value, 0.75);
}

#[test]
fn runs_have_places_and_rows_of_papers_have_none() {
    let whole = board();
    let board = whole.board(&view("paper=1"));
    // In the order of the main number, the paper's rows among them.
    assert_eq!(names(&board), ["large", "person", "always", "small"]);
    let place = |name: &str| board.rows.iter().find(|row| row.name == name).unwrap().place;
    assert_eq!(place("large"), Some((1, 2)));
    assert_eq!(place("person"), Some((1, 2)));
    assert_eq!(place("small"), Some((3, 4)));
    let tied: Vec<Vec<u32>> = board.ties.iter().map(|tie| tie.places.clone()).collect();
    assert_eq!(tied, [[1, 2], [3, 4]]);
    assert_eq!(board.ties[0].runs, [RunId::new([2; 16]), RunId::new([4; 16])]);
    let papers: Vec<_> =
        board.rows.iter().filter(|row| row.tier == EvidenceTier::Published).collect();
    assert_eq!(papers.len(), 17);
    assert!(papers.iter().all(|row| row.place.is_none() && row.source.is_some()));
    assert!(
        papers.iter().all(|row| { row.notes.iter().all(|at| (*at as usize) < board.notes.len()) })
    );
    assert_eq!(board.head.best.as_ref().unwrap().name, "large");
    assert_eq!(board.head.rows[&EvidenceTier::Verified], 2);
    assert_eq!((board.total, board.matching), (21, 21));
    // Two passes over the tasks cost three dollars.
    let cost = board.columns.iter().position(|column| column.key == "cost").unwrap();
    assert_eq!(board.rows[0].cells[cost].unwrap().value, 1.5);
    let owned = board.rows[0].owner.unwrap();
    assert_eq!((owned.opened, owned.published), (9, 2));
    // More stand here than are known to have been opened, so the larger number counts.
    let owned = board.rows.iter().find(|row| row.name == "person").unwrap().owner.unwrap();
    assert_eq!((owned.opened, owned.published), (2, 2));
}

#[test]
fn what_is_self_reported_is_listed_and_moves_nobody() {
    let spec = spec(QUESTIONS);
    let of = |entries: &[Entry]| whole_of(&spec, entries).board(&View::default());
    let forged: Vec<Entry> = (10..40)
        .map(|number| entry(number, "model:mine/best", 209, EvidenceTier::SelfReported))
        .collect();
    let without = of(&entries());
    let with = of(&[entries(), forged.clone()].concat());
    assert_eq!(with.rows[0].name, "best");
    assert!(with.rows[0].place.is_none());
    let places = |board: &Board| -> Vec<_> {
        let runs = board.rows.iter().filter(|row| row.place.is_some());
        runs.map(|row| (row.run.clone(), row.place)).collect()
    };
    assert_eq!(places(&with), places(&without));
    assert_eq!(with.ties, without.ties);
    assert_eq!(with.head.best, without.head.best);
    assert_eq!(with.remarks.len(), without.remarks.len() + 1);
    // Where there is nothing else it is the best that is known.
    assert_eq!(of(&forged).head.best.unwrap().name, "best");
}

#[test]
fn views_sort_and_filter() {
    let whole = board();
    let shown = |query: &str| {
        let board = whole.board(&view(query));
        names(&board).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(shown("order=up"), ["small", "always", "person", "large"]);
    assert_eq!(shown("sort=name"), ["always", "large", "person", "small"]);
    assert_eq!(shown("sort=published"), ["person", "always", "large", "small"]);
    assert_eq!(shown("standing=verified"), ["large", "small"]);
    assert_eq!(shown("q=HOUSE sm"), ["small"]);
    assert_eq!(shown(&format!("owner={}", Owner::of_key("b"))), ["person", "always"]);
    assert_eq!(shown("since=2026-09-24&standing=verified"), Vec::<String>::new());
    // No row has this number: the main order stays.
    assert_eq!(shown("sort=calibration_error&standing=verified"), ["large", "small"]);
    assert_eq!(shown("sort=nothing&standing=verified"), ["large", "small"]);
    let second = whole.board(&view("standing=verified&skip=1&limit=1"));
    assert_eq!((names(&second), second.matching, second.skip), (vec!["small"], 2, 1));
    assert_eq!(whole.all(&view("skip=1&limit=1")).rows.len(), 4);
    // A smaller calibration error is better, so it stands first, and rows without one last.
    let sorted = whole.board(&view("sort=calibration_error&paper=1"));
    assert_eq!(sorted.rows[0].name, "GPT-4o-mini");
    assert!(sorted.rows[20].run.is_some());
}

#[test]
fn addresses_come_back() {
    let queries = [
        "",
        "sort=cost&order=up&standing=verified,baseline&paper=1&q=gpt 5&since=2026-01-02&columns=accuracy,cost&plot=cost&linear=1&skip=200&limit=50",
    ];
    for query in queries {
        let read = view(query);
        let parts = read.parts();
        let again = View::of(parts.iter().map(|(key, value)| (key.as_str(), value.as_str())));
        assert_eq!(again, Ok(read));
    }
    assert_eq!(View::default().parts(), []);
    for (key, value) in [
        ("order", "left"),
        ("standing", "gold"),
        ("paper", "yes"),
        ("skip", "-1"),
        ("owner", "me"),
        ("since", "today"),
        ("x", "1"),
    ] {
        let bad = View::of([(key, value)]).unwrap_err();
        assert_eq!((bad.key.as_str(), bad.value.as_str()), (key, value));
    }
    assert!(View::of([("q", "x".repeat(201).as_str())]).is_err());
}

#[test]
fn a_view_as_a_table() {
    let mut entries = entries();
    entries[0].title = "=1+1".to_owned();
    entries[0].players = BTreeMap::from([(Seat::new(Seat::PLAYER), player("model:house/=cmd"))]);
    let spec = spec(QUESTIONS);
    let whole = whole_of(&spec, &entries);
    let table = whole.csv(&view("standing=verified&limit=1"));
    let lines: Vec<&str> = table.lines().collect();
    // All matching rows, whatever a page would show.
    assert_eq!(lines.len(), 3);
    assert!(lines[0].starts_with("\u{feff}place_from,place_to,name,who,standing,run,"));
    assert!(lines[0].contains(",accuracy,accuracy_low,accuracy_high,"));
    assert!(lines[1].starts_with("1,2,large,model:house/large,verified,0202"));
    assert!(lines[2].contains("'=cmd"), "{}", lines[2]);
    let papers = whole.csv(&view("standing=published&q=gpt-5"));
    assert!(papers.contains("\"Table 2, row GPT-5\"") && papers.contains("dropped rows"));
}

#[test]
fn every_paper_has_a_board() {
    let papers = papers(BENCHMARKS);
    assert_eq!(papers.len(), published().len());
    // The headline of the paper: Table 2 over 210 questions, not one run over fifty.
    let best = papers[0].head().best.as_ref().unwrap();
    assert_eq!((best.name.as_str(), best.cell.value), ("GPT-5", 0.1373));
    for whole in &papers {
        let board = whole.board(&View::default());
        assert_eq!(board.rows.len() as u32, board.total);
        let main = &board.columns[0];
        assert_eq!((&board.head.main, main.shown), (main, Shown::First), "{}", board.head.id);
        let best = board.head.best.as_ref().expect("a table has a number");
        assert_eq!(Some(best.cell), board.rows[0].cells[0], "{}", board.head.id);
        assert!(board.rows.iter().all(|row| row.cells.len() == board.columns.len()));
    }
}
