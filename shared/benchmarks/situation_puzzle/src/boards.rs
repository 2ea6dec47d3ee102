//! Leaderboards, and what the paper printed (specification 1.f).

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;
use turnwise_core::board::column::{COST, Column, LATENCY};
use turnwise_core::board::published::{Condition, Paper, PaperRow, percent, plain};
use turnwise_core::board::{self, Boards};
use turnwise_core::metrics::number::Cell;
use turnwise_core::metrics::proportion::wilson;
use turnwise_core::spec::Spec;

use crate::numbers::{ACCURACY, FORMAT_ERRORS, JUDGE_INVALID, QUESTIONS, TURNS, WITH_FINAL};
use crate::settings::{JudgeMemory, Mode, Settings, USUAL_ROUNDS};

/// The leaderboards.
pub(super) const BOARDS: Boards = Boards {
    columns: COLUMNS,
    condition,
    paper: Some(Paper {
        title: "Interactive Benchmarks",
        authors: "Baoqing Yue, Zihan Zhu, Yutong Han et al.",
        year: 2026,
        address: "https://arxiv.org/abs/2603.04737",
    }),
    published: || vec![printed(Mode::Interactive), printed(Mode::Direct)],
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

/// The paper's table as `published/accuracy.toml` has it; percentages as printed.
#[derive(Deserialize)]
pub(crate) struct Published {
    pub puzzles: u32,
    judge: String,
    remarks: Vec<String>,
    pub rows: Vec<Row>,
}

#[derive(Deserialize)]
pub(crate) struct Row {
    pub model: String,
    pub accuracy: f64,
    pub average_turns: f64,
    direct_accuracy: f64,
    pub implied_solved: u32,
    note: Option<String>,
}

impl Row {
    /// Wilson's, of the count that reproduces the printed share.
    fn interval(&self) -> Option<(f64, f64)> {
        wilson(self.implied_solved.into(), PUBLISHED.puzzles.into())
    }
}

pub(crate) static PUBLISHED: LazyLock<Published> = LazyLock::new(|| {
    toml::from_str(include_str!("../published/accuracy.toml"))
        .expect("a test reads the published table")
});

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

fn printed(mode: Mode) -> Condition {
    let row = |row: &'static Row| PaperRow {
        name: row.model.clone(),
        source: format!("Main table of the first version, row {}", row.model),
        n: Some(PUBLISHED.puzzles),
        cells: match mode {
            Mode::Hearing => BTreeMap::new(),
            Mode::Direct => BTreeMap::from([("accuracy", percent(row.direct_accuracy, 0))]),
            Mode::Interactive => BTreeMap::from([
                ("accuracy", Cell { interval: row.interval(), ..percent(row.accuracy, 1) }),
                ("turns", plain(row.average_turns, 1)),
            ]),
        },
        notes: row.note.as_deref().into_iter().collect(),
    };
    Condition {
        name: name(mode).unwrap_or_default().to_owned(),
        title: match mode {
            Mode::Interactive => format!("{USUAL_ROUNDS} turns"),
            Mode::Direct => "without interaction".to_owned(),
            Mode::Hearing => "the judge alone".to_owned(),
        },
        fixed: vec![
            ("profile", "the authors' code".to_owned()),
            ("judge", PUBLISHED.judge.clone()),
            ("puzzles", PUBLISHED.puzzles.to_string()),
        ],
        remarks: PUBLISHED.remarks.clone(),
        rows: PUBLISHED.rows.iter().map(row).collect(),
    }
}
