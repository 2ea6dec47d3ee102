//! Leaderboards, and what the paper printed.

use std::collections::BTreeMap;

use super::published;
use crate::numbers::{BETRAYAL, CLEAN, COOPERATION, PAYOFF, RECIPROCITY, RETALIATION, UNPROVOKED};
use turnwise_core::board::column::{Column, OWN_LATENCY, TABLE_COST};
use turnwise_core::board::published::{Condition, Paper, PaperRow, plain};
use turnwise_core::board::{self, Boards};
use turnwise_core::spec::Spec;

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

const SELF_MADE: &str =
    "Rates are read off a vector figure. The text says 2 % betrayal where the figure has 0.4 %.";
const OFF_FIGURE: &str = "Rates are read off a vector figure.";
const TFT: &str = "Tit for tat never earns more than its opponent; with the shipped lengths it would need 2.05 a round from the models for \
     this mean, more than the 2.00 that is possible. The shipped configuration cannot have made these numbers.";

fn tournament() -> Condition {
    let rows = published::ROWS.iter().map(|row| {
        let mut cells = BTreeMap::from([("payoff", plain(row.payoff, 3))]);
        cells.extend(row.cooperation.map(|rate| ("cooperation", plain(rate, 1))));
        cells.extend(row.betrayal.map(|rate| ("betrayal", plain(rate, 1))));
        let notes = match row.name {
            "Qwen3" => vec![SELF_MADE],
            "TFT" => vec![TFT],
            "Grim" => Vec::new(),
            _ => vec![OFF_FIGURE],
        };
        PaperRow {
            name: row.name.to_owned(),
            source: format!("Figure on the Trust Game, {}", row.name),
            n: None,
            cells,
            notes,
        }
    });
    Condition {
        name: CONDITION.to_owned(),
        title: "tournament, δ 0.8".to_owned(),
        fixed: vec![
            ("profile", "the authors' code".to_owned()),
            ("δ", "0.8".to_owned()),
            ("cap", "35 rounds".to_owned()),
            ("players", "six models and rules; which rules and how many repeats is not known".to_owned()),
        ],
        remarks: vec![
            "The printed means cannot come from the shipped configuration with all nine players; they indicate an order, no more.".to_owned(),
            "A reply without a move was counted as cooperation, which raises the rates that are measured.".to_owned(),
        ],
        rows: rows.collect(),
    }
}

#[cfg(test)]
mod tests;
