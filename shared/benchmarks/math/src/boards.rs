//! Leaderboards, and what the paper printed (specification 3.f).

use std::collections::BTreeMap;

use serde::Deserialize;
use turnwise_core::board::column::{COST, Column, LATENCY, Source, column};
use turnwise_core::board::published::{Condition, Paper, PaperRow, percent, plain};
use turnwise_core::board::{self, Boards};
use turnwise_core::metrics::report::Unit::{Count, Fraction, Tokens};
use turnwise_core::spec::Spec;
use turnwise_core::wire::boards::Better::{Less, More, Neither};
use turnwise_core::wire::boards::Shown::{First, OnWish};

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
        logs: None,
    }),
    published: || vec![table_2()],
    beside,
    by_part: board::no_parts,
};

#[rustfmt::skip]
const COLUMNS: &[Column] = &[
    column(("accuracy", "Accuracy", Fraction, More, First, Source::Measure("Accuracy"), "Share of episodes that are right.")),
    column(("with_final", "With the final answer", Fraction, More, First, Source::Measure("With the final answer"), "The same, with the free answer after the last round.")),
    column(("rounds", "Rounds when solved", Count, Less, First, Source::Measure("Rounds when solved"), "Mean rounds of the episodes that are right.")),
    column(("tokens", "Characters / 4", Tokens, Less, OnWish, Source::Measure("characters / 4"), "The authors' estimate of the player's tokens in an episode.")),
    column(("pass_at_k", "pass@k", Fraction, More, OnWish, Source::Paper, "Share of problems with a right answer among k samples of the same budget.")),
    column(("k", "k", Count, Neither, OnWish, Source::Paper, "Samples of the same budget.")),
    column(("sample_tokens", "Characters / 4 of a sample", Tokens, Less, OnWish, Source::Paper, "The authors' estimate of the player's tokens in a direct answer.")),
    COST,
    LATENCY,
];

fn condition(spec: &Spec) -> Vec<String> {
    match Settings::of(spec) {
        Ok(Settings {
            mode: Mode::Direct, ..
        }) => vec!["direct".to_owned()],
        Ok(Settings {
            mode: Mode::GuessOnly,
            rounds,
        }) => vec!["guess only".to_owned(), format!("{rounds} rounds")],
        Ok(Settings {
            mode: Mode::Interactive,
            rounds,
        }) => vec!["interactive".to_owned(), format!("{rounds} rounds")],
        Err(_) => Vec::new(),
    }
}

const TABLE_2: &str = "math-interactive";

fn beside(spec: &Spec) -> Option<String> {
    let settings = Settings::of(spec).ok()?;
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

const KIMI: &str =
    "The first version of the paper says Kimi-k2-thinking, its scripts kimi-k2-0905.";
const SELF_JUDGED: &str = "Judges and grades itself.";

fn table_2() -> Condition {
    let table = published();
    let row = |row: &Row| PaperRow {
        name: row.name.clone(),
        source: format!("Table 2, row {}", row.name),
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
            "Kimi" => vec![KIMI],
            "Grok" => vec![SELF_JUDGED],
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
