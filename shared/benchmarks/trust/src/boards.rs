//! Leaderboards, and what the paper printed.

use std::collections::BTreeMap;

use super::published;
use turnwise_core::board::column::{Column, OWN_LATENCY, Source, TABLE_COST, column};
use turnwise_core::board::published::{Condition, Paper, PaperRow, plain};
use turnwise_core::board::{self, Boards};
use turnwise_core::metrics::report::Unit::{Fraction, Number};
use turnwise_core::spec::Spec;
use turnwise_core::wire::boards::Better::{More, Neither};
use turnwise_core::wire::boards::Shown::{First, OnWish};

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
    published: || vec![tournament()],
    beside: |_| Some(CONDITION.to_owned()),
    by_part: board::no_parts,
};

/// The condition of the paper's figures.
const CONDITION: &str = "trust-tournament";

#[rustfmt::skip]
const COLUMNS: &[Column] = &[
    column(("payoff", "Payoff per round", Number, More, First, Source::Value, "All that was earned, by all rounds played.")),
    column(("cooperation", "Cooperation", Fraction, Neither, First, Source::Ranking("cooperation"), "The share of rounds with cooperation.")),
    column(("betrayal", "Betrayal", Fraction, Neither, First, Source::Ranking("betrayal"), "Defection after the other cooperated; punishment that goes on counts as well.")),
    column(("unprovoked", "Unprovoked", Fraction, Neither, First, Source::Ranking("unprovoked"), "Defection while the other had never defected.")),
    column(("retaliation", "Retaliation", Fraction, Neither, OnWish, Source::Ranking("retaliation"), "Defection after the other defected.")),
    column(("reciprocity", "Reciprocity", Fraction, Neither, OnWish, Source::Ranking("reciprocity"), "Cooperation in rounds in which the other cooperates.")),
    column(("clean", "Without flagged", Number, More, OnWish, Source::Ranking("without flagged"), "Payoff per round over matches in which every move was a player's own.")),
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
