//! Leaderboards, and what the paper printed: Tables 2, 3, 4 and A2.

use std::sync::LazyLock;

use crate::mode::Mode;
use crate::numbers::{ACCURACY, ASKS, CALIBRATION_ERROR, DEVIATION, INTERACTION_RATE, ROUNDS};
use turnwise_core::board::column::{COST, Column, LATENCY};
use turnwise_core::board::published::{Condition, Paper};
use turnwise_core::board::{self, Boards};
use turnwise_core::metrics::proportion::wilson;
use turnwise_core::prelude::*;

pub(super) const BOARDS: Boards = Boards {
    columns: COLUMNS,
    condition,
    paper: Some(Paper {
        title: "INTERACTCOMP: Evaluating Search Agents With Ambiguous Queries",
        authors: "Mingyi Deng, Lijun Huang, Yani Fan et al.",
        year: 2025,
        address: "https://arxiv.org/abs/2510.24668",
    }),
    published: || CONDITIONS.clone(),
    beside: name,
    by_part: board::no_parts,
};

const COLUMNS: &[Column] = &[
    Column::of(&ACCURACY),
    Column::of(&DEVIATION).at("deviation").called("Deviation").on_wish(),
    Column::of(&CALIBRATION_ERROR),
    Column::of(&ROUNDS).at("rounds"),
    Column::of(&INTERACTION_RATE).at("interaction_rate"),
    Column::of(&ASKS).at("asks").on_wish(),
    COST,
    LATENCY,
];

fn condition(spec: &Spec) -> Vec<String> {
    let setting = |name: &str, default: &str| {
        board::setting(spec, name).unwrap_or_else(|| default.to_owned())
    };
    let mode = setting("mode", "full");
    let mut parts = vec![mode.replace('_', " ")];
    if !mode.starts_with("answer") {
        parts.push(format!("{} rounds", setting("rounds", "10")));
    }
    if mode == "forced_ask" {
        parts.push(format!("at least {} asks", setting("min_asks", "5")));
    }
    parts
}

/// What the paper prints: Tables 2, 3, 4 and A2.
pub(crate) const PUBLISHED: &str = include_str!("../published/tables.toml");

static CONDITIONS: LazyLock<Vec<Condition>> = LazyLock::new(|| {
    Condition::read_all(PUBLISHED, |row, numbers| {
        let Some(n) = row.n else { return };
        // Which tasks were right is not known, so runs are taken as independent.
        let runs = ["run_1", "run_2", "run_3"].iter().filter_map(|run| numbers.get(run));
        let right = runs.copied().reduce(|sum, run| sum + run);
        let right = right.unwrap_or_else(|| (numbers["accuracy"] / 100.0 * f64::from(n)).round());
        if let Some(accuracy) = row.cells.get_mut("accuracy") {
            accuracy.interval = wilson(right as u64, u64::from(n));
        }
    })
});

/// The condition with the mode and, where it has a board of its own, the limit of a spec. The middle limit of the scaling study has
/// the condition of Table 2 over fewer questions: one run over fifty does not compete with three over 210, so it stands on a board of
/// its own.
fn name(spec: &Spec) -> Option<String> {
    let number = |key: &str, default: u64| match spec.settings.get(key) {
        None => Some(default),
        // A sweep is over several values at once.
        Some(value) => value.as_u64(),
    };
    let mode = match spec.settings.get("mode") {
        None => Mode::Full,
        Some(_) => Mode::of(&spec.settings)?,
    };
    let (rounds, least) = (number("rounds", 10)?, number("min_asks", 5)?);
    let name = match mode {
        Mode::Full if rounds != 10 => format!("interactcomp-full-{rounds}"),
        Mode::ForcedAsk => format!("interactcomp-forced-{least}"),
        mode if rounds == 10 || mode.has_one_round() => {
            format!("interactcomp-{}", mode.name().replace('_', "-"))
        }
        _ => return None,
    };
    CONDITIONS.iter().any(|condition| condition.name == name).then_some(name)
}

#[cfg(test)]
mod tests;
