//! Leaderboards, and what the paper printed.

use std::collections::BTreeMap;

use super::published;
use crate::numbers::{
    ADJUSTED, BB100, CORRECTED, FOLDED, INVALID, PER_HAND, PFR, TRIMMED, VPIP, WTSD,
};
use turnwise_core::board::column::{Column, OWN_LATENCY, TABLE_COST};
use turnwise_core::board::published::{Condition, Paper, PaperRow, percent, plain};
use turnwise_core::board::{self, Boards};
use turnwise_core::metrics::number::Cell;
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

/// Hands at the ten tables.
const HANDS: u32 = 5005;

/// The point of Student's distribution with nine degrees of freedom above which 2.5 % lie: ten tables.
const T_9: f64 = 2.262_157;

/// The paper's big blind, in chips.
const BIG_BLIND: f64 = 100.0;

const WRONGLY_PAID: &str = "The program had one pot and returned no uncalled chips: of 203 hands that ended in a bust and can be recovered, 54 paid \
     the winner more from an opponent than the winner had, at least 282,928 chips. With the uncalled part alone returned \
     the mean is that of the column Corrected, a lower bound of the correction; the order of the first three changes.";
const NOT_ASKED: &str = "Whoever was last to act against a shove was never asked: the board was run out and the hand shown for free.";
const FORMAT: &str = "Replies in a code fence, in lower case or with BET did not count: 681 of this model's were refused (594 only for a code \
     fence), and 57 decisions were folds by rule.";
const FORMAT_KIMI: &str =
    "531 replies of this model were refused (90 said BET), and 41 decisions were folds by rule.";
const ONE_IN_SIX: &str =
    "Of six means only this one differs from zero at the 5 % level without correction.";

fn tables() -> Condition {
    let rows = published::MODELS.iter().zip(published::SLUGS).zip(published::ROWS).map(
        |((model, slug), row)| {
            let around = |(mean, deviation): (f64, f64)| {
                let half = T_9 * deviation / 10.0_f64.sqrt();
                Cell { interval: Some((mean - half, mean + half)), ..plain(mean, 1) }
            };
            let winnings = around(row.winnings);
            let to_bb = 100.0 / BIG_BLIND;
            let mut notes = vec![WRONGLY_PAID, NOT_ASKED];
            notes.extend(match *model {
                "DeepSeek" => Some(FORMAT),
                "Kimi" => Some(FORMAT_KIMI),
                "Gemini" => Some(ONE_IN_SIX),
                _ => None,
            });
            PaperRow {
                name: (*model).to_owned(),
                source: format!("Figures and text on Texas Hold'em, {slug}"),
                n: Some(HANDS),
                cells: BTreeMap::from([
                    (
                        "bb100",
                        Cell {
                            interval: winnings
                                .interval
                                .map(|(low, high)| (low * to_bb, high * to_bb)),
                            ..plain(winnings.value * to_bb, 1)
                        },
                    ),
                    ("per_hand", winnings),
                    ("corrected", around(row.corrected)),
                    ("trimmed", plain(row.trimmed.0, 1)),
                    ("vpip", percent(row.vpip, 1)),
                    ("folded", percent(row.folded, 1)),
                    ("latency", plain(row.latency / 1000.0, 3)),
                ]),
                notes,
            }
        },
    );
    Condition {
        name: CONDITION.to_owned(),
        title: "ten tables, six models".to_owned(),
        fixed: vec![
            ("profile", "the authors' program".to_owned()),
            ("tables", "10, about 500 hands each".to_owned()),
            ("seats", "the same six at every table, in the same seats".to_owned()),
            ("cards", "not shared, not seeded".to_owned()),
            ("stacks", "all reset as soon as one was broke, at least 220 times".to_owned()),
        ],
        remarks: vec![
            "Means over ten tables; intervals here are ours, by Student's distribution from the printed sample deviations.".to_owned(),
            "VPIP counts only hands that reached a flop, so it is lower than what the word usually means.".to_owned(),
            "All means and deviations were computed again from the published statistics files and agree.".to_owned(),
        ],
        rows: rows.collect(),
    }
}

#[cfg(test)]
mod tests;
