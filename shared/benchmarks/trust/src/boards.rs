//! Leaderboards, and what the paper printed.

use crate::numbers::{BETRAYAL, CLEAN, COOPERATION, PAYOFF, RECIPROCITY, RETALIATION, UNPROVOKED};
use turnwise_core::board::column::{Column, OWN_LATENCY, TABLE_COST};
use turnwise_core::board::published::{Condition, Paper};
use turnwise_core::board::{self, Boards};
use turnwise_core::prelude::*;

pub(super) const BOARDS: Boards = Boards {
    columns: COLUMNS,
    condition,
    paper: Some(Paper {
        title: "Interactive Benchmarks",
        authors: "Baoqing Yue, Zihan Zhu, Yutong Han et al.",
        year: 2026,
        address: "https://arxiv.org/abs/2603.04737",
    }),
    published: || vec![tournament()],
    beside: |_| Some(CONDITION.to_owned()),
    by_part: board::no_parts,
};

/// The condition of the paper's figures.
const CONDITION: &str = "trust-tournament";

const COLUMNS: &[Column] = &[
    Column::of_each(&PAYOFF).at("payoff").called("Payoff per round"),
    Column::of_each(&COOPERATION).called("Cooperation"),
    Column::of_each(&BETRAYAL).called("Betrayal"),
    Column::of_each(&UNPROVOKED).at("unprovoked").called("Unprovoked"),
    Column::of_each(&RETALIATION).called("Retaliation").on_wish(),
    Column::of_each(&RECIPROCITY).called("Reciprocity").on_wish(),
    Column::of_each(&CLEAN).at("clean").called("Without flagged").on_wish(),
    TABLE_COST,
    OWN_LATENCY,
];

fn condition(spec: &Spec) -> Vec<String> {
    let delta = board::setting(spec, "delta").map(|delta| format!("δ {delta}"));
    let repeats = board::setting(spec, "repeats").map(|repeats| format!("{repeats} repeats"));
    delta.into_iter().chain(repeats).collect()
}

fn tournament() -> Condition {
    Condition::read(include_str!("../published/figures.toml"), |_, _| ())
}

#[cfg(test)]
mod tests;
