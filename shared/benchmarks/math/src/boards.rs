//! Leaderboards, and what the paper printed (specification 3.f).

use turnwise_core::board::column::{COST, Column, LATENCY};
use turnwise_core::board::published::{Condition, Paper};
use turnwise_core::board::{self, Boards};
use turnwise_core::prelude::*;

use crate::numbers::{ACCURACY, ESTIMATE, K, PASS_AT_K, ROUNDS, SAMPLE_TOKENS, WITH_FINAL};
use crate::settings::{Mode, Settings};

pub(super) const BOARDS: Boards = Boards {
    columns: COLUMNS,
    condition,
    paper: Some(Paper {
        title: "Interactive Benchmarks",
        authors: "Baoqing Yue, Zihan Zhu, Yutong Han et al.",
        year: 2026,
        address: "https://arxiv.org/abs/2603.04737",
    }),
    published: || vec![Condition::read(PUBLISHED, |_, _| ())],
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

pub(crate) const PUBLISHED: &str = include_str!("../published/main.toml");
