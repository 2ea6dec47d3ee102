//! Leaderboards, and what the paper printed.

use crate::numbers::{
    ADJUSTED, BB100, CORRECTED, FOLDED, INVALID, PER_HAND, PFR, TRIMMED, VPIP, WTSD,
};
use turnwise_core::board::column::{Column, OWN_LATENCY, TABLE_COST};
use turnwise_core::board::published::{Condition, Paper, plain};
use turnwise_core::board::{self, Boards};
use turnwise_core::metrics::number::Cell;
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
    published: || vec![tables()],
    beside: |_| Some(CONDITION.to_owned()),
    by_part: board::no_parts,
};

/// The condition of the paper's figures.
const CONDITION: &str = "poker-ten-tables";

const COLUMNS: &[Column] = &[
    Column::of_each(&BB100),
    Column::of_each(&PER_HAND).at("per_hand").called("Winnings per hand"),
    Column::of_papers(&CORRECTED),
    Column::of_each(&VPIP),
    Column::of_each(&FOLDED).at("folded").called("Folded"),
    Column::of_each(&PFR).on_wish(),
    Column::of_each(&WTSD).on_wish(),
    Column::of_each(&ADJUSTED).at("adjusted").called("All-in adjusted").on_wish(),
    Column::of_papers(&TRIMMED).on_wish(),
    Column::of_each(&INVALID).called("Invalid").on_wish(),
    TABLE_COST,
    OWN_LATENCY,
];

fn condition(spec: &Spec) -> Vec<String> {
    let named = |words: &str, name: &str| {
        board::setting(spec, name).map(|value| format!("{words}: {value}"))
    };
    let mut parts: Vec<String> = named("tables", "tables").into_iter().collect();
    parts.extend(named("hands a table", "hands"));
    if spec.settings.get("duplicate") == Some(&true.into()) {
        parts.push("duplicate".to_owned());
    }
    parts
}

/// What the paper prints of ten tables.
pub(crate) const PUBLISHED: &str = include_str!("../published/tables.toml");

/// The point of Student's distribution with nine degrees of freedom above which 2.5 % lie: ten tables.
const T_9: f64 = 2.262_157;

fn tables() -> Condition {
    Condition::read(PUBLISHED, |row, numbers| {
        for (key, deviation) in [("per_hand", "per_hand_sd"), ("corrected", "corrected_sd")] {
            let half = T_9 * numbers[deviation] / 10.0_f64.sqrt();
            let (low, high) = (numbers[key] - half, numbers[key] + half);
            row.cells.insert(key, Cell { interval: Some((low, high)), ..plain(numbers[key], 1) });
        }
        // The big blind is a hundred chips.
        row.cells.insert("bb100", row.cells["per_hand"]);
    })
}

#[cfg(test)]
mod tests;
