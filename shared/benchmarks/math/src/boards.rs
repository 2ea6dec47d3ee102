//! Leaderboards, and what the paper printed (specification 3.f).

use std::collections::BTreeMap;

use serde::Deserialize;
use turnwise_core::board::column::{COST, Column, LATENCY};
use turnwise_core::board::published::{Condition, Paper, PaperRow, percent, plain};
use turnwise_core::board::{self, Boards};
use turnwise_core::spec::Spec;

use crate::numbers::{ACCURACY, ESTIMATE, K, PASS_AT_K, ROUNDS, SAMPLE_TOKENS, WITH_FINAL};
use crate::settings::{Mode, Settings};

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
    published: || vec![table_2()],
    beside,
    by_part: board::no_parts,
};

const COLUMNS: &[Column] = &[
    Column::of(&ACCURACY),
    Column::of(&WITH_FINAL),
    Column::of(&ROUNDS).at("rounds"),
    Column::of(&ESTIMATE).at("tokens").called("Characters / 4").on_wish(),
    Column::of_papers(&PASS_AT_K).on_wish(),
    Column::of_papers(&K).on_wish(),
    Column::of_papers(&SAMPLE_TOKENS).on_wish(),
    COST,
    LATENCY,
];

fn condition(spec: &Spec) -> Vec<String> {
    let Ok(Settings { mode, rounds }) = Settings::read(spec) else {
        return Vec::new();
    };
    let rounds = (mode != Mode::Direct).then(|| format!("{rounds} rounds"));
    [mode.name().replace('_', " ")].into_iter().chain(rounds).collect()
}

const TABLE_2: &str = "math-interactive";

fn beside(spec: &Spec) -> Option<String> {
    let settings = Settings::read(spec).ok()?;
    (settings == Settings::default()).then(|| TABLE_2.to_owned())
}

/// The paper's main table, as `published/main.toml` has it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Published {
    pub problems: u32,
    remarks: Vec<String>,
    pub row: Vec<Row>,
}

/// One player; percentages as printed.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Row {
    pub name: String,
    pub accuracy: f64,
    pub pass_at_k: f64,
    pub k: u32,
    pub rounds: f64,
    pub tokens: f64,
    pub sample_tokens: f64,
}

pub(crate) fn published() -> Published {
    toml::from_str(include_str!("../published/main.toml"))
        .expect("a test reads the published table")
}

fn table_2() -> Condition {
    let table = published();
    let row = |row: &Row| PaperRow {
        name: row.name.clone(),
        source: format!("Version 1, Figure 3 and Table 3, {}", row.name),
        n: Some(table.problems),
        cells: BTreeMap::from([
            ("accuracy", percent(row.accuracy, 1)),
            ("rounds", plain(row.rounds, 1)),
            ("tokens", plain(row.tokens, 2)),
            ("pass_at_k", percent(row.pass_at_k, 1)),
            ("k", plain(f64::from(row.k), 0)),
            ("sample_tokens", plain(row.sample_tokens, 2)),
        ]),
        notes: match row.name.as_str() {
            "Kimi" => vec![
                "The first version of the paper says Kimi-k2-thinking, its scripts kimi-k2-0905.",
            ],
            "Grok" => vec!["Judges and grades itself."],
            _ => Vec::new(),
        },
    };
    Condition {
        name: TABLE_2.to_owned(),
        title: "interactive, 20 rounds".to_owned(),
        fixed: vec![
            ("profile", "the authors' code".to_owned()),
            ("judge and grader", "Grok".to_owned()),
            ("problems", table.problems.to_string()),
        ],
        rows: table.row.iter().map(row).collect(),
        remarks: table.remarks,
    }
}
