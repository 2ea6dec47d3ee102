//! Leaderboards, and what the paper printed (specification 1.f).

use std::collections::BTreeMap;

use turnwise_core::board::column::{COST, Column, LATENCY};
use turnwise_core::board::published::{Condition, Paper, percent};
use turnwise_core::board::{self, Boards};
use turnwise_core::metrics::number::Cell;
use turnwise_core::metrics::proportion::wilson;
use turnwise_core::prelude::*;

use crate::numbers::{ACCURACY, FORMAT_ERRORS, JUDGE_INVALID, QUESTIONS, TURNS, WITH_FINAL};
use crate::settings::{JudgeMemory, Mode, Settings, USUAL_ROUNDS};

pub(super) const BOARDS: Boards = Boards {
    columns: COLUMNS,
    condition,
    paper: Some(Paper {
        title: "Interactive Benchmarks",
        authors: "Baoqing Yue, Zihan Zhu, Yutong Han et al.",
        year: 2026,
        address: "https://arxiv.org/abs/2603.04737",
    }),
    published: printed,
    beside,
    by_part: board::no_parts,
};

const COLUMNS: &[Column] = &[
    Column::of(&ACCURACY),
    Column::of(&WITH_FINAL).at("with_final"),
    Column::of(&TURNS).at("turns"),
    Column::of(&QUESTIONS).on_wish(),
    Column::of(&FORMAT_ERRORS).at("format_errors").on_wish(),
    Column::of(&JUDGE_INVALID).at("judge_invalid").on_wish(),
    COST,
    LATENCY,
];

fn condition(spec: &Spec) -> Vec<String> {
    let Ok(settings) = Settings::of(spec) else {
        return Vec::new();
    };
    let budgets: Vec<String> = settings.iter().map(|one| one.rounds.to_string()).collect();
    match settings.first() {
        Some(one) if one.mode == Mode::Direct => vec!["direct".to_owned()],
        Some(one) if one.mode == Mode::Hearing => vec!["hearing".to_owned()],
        Some(one) => {
            let running = one.judge_memory == JudgeMemory::Running;
            let memory = running.then(|| "judge with memory".to_owned());
            let turns = format!("{} turns", budgets.join(", "));
            std::iter::once(turns).chain(memory).collect()
        }
        None => Vec::new(),
    }
}

pub(crate) const PUBLISHED: &str = include_str!("../published/accuracy.toml");

fn name(mode: Mode) -> Option<&'static str> {
    match mode {
        Mode::Interactive => Some("situation-puzzle-20"),
        Mode::Direct => Some("situation-puzzle-direct"),
        Mode::Hearing => None,
    }
}

fn beside(spec: &Spec) -> Option<String> {
    match Settings::of(spec).ok()?.as_slice() {
        [one] if one.mode == Mode::Direct || one.rounds == USUAL_ROUNDS => {
            name(one.mode).map(str::to_owned)
        }
        _ => None,
    }
}

fn printed() -> Vec<Condition> {
    let interactive = Condition::read(PUBLISHED, |row, numbers| {
        // Wilson's, of the count that reproduces the printed share.
        let interval = wilson(numbers["solved"] as u64, row.n.unwrap_or_default().into());
        row.cells.insert("accuracy", Cell { interval, ..percent(numbers["accuracy"], 1) });
    });
    let direct = Condition::read(PUBLISHED, |row, numbers| {
        row.cells = BTreeMap::from([("accuracy", percent(numbers["direct"], 0))]);
    });
    let (name, title) = ("situation-puzzle-direct".to_owned(), "without interaction".to_owned());
    vec![interactive, Condition { name, title, ..direct }]
}
