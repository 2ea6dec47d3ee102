//! Texas Hold'em and the Trust Game.

use std::collections::BTreeMap;

use super::{Condition, PaperRow, percent, plain};
use crate::benchmarks::{poker, trust};
use crate::wire::boards::Cell;

/// The condition of poker.
pub(super) const POKER: &str = "poker-ten-tables";

/// The condition of the Trust Game.
pub(super) const TRUST: &str = "trust-tournament";

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
const SELF_MADE: &str =
    "Rates are read off a vector figure. The text says 2 % betrayal where the figure has 0.4 %.";
const OFF_FIGURE: &str = "Rates are read off a vector figure.";
const TFT: &str = "Tit for tat never earns more than its opponent; with the shipped lengths it would need 2.05 a round from the models for \
     this mean, more than the 2.00 that is possible. The shipped configuration cannot have made these numbers.";

pub(super) fn conditions() -> Vec<Condition> {
    vec![poker(), trust()]
}

fn poker() -> Condition {
    let rows = poker::published::MODELS
        .iter()
        .zip(poker::published::SLUGS)
        .zip(poker::published::ROWS)
        .map(|((model, slug), row)| {
            let around = |(mean, deviation): (f64, f64)| {
                let half = T_9 * deviation / 10.0_f64.sqrt();
                Cell {
                    interval: Some((mean - half, mean + half)),
                    ..plain(mean, 1)
                }
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
                source: format!("figures and text on Texas Hold'em, {slug}"),
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
        });
    Condition {
        name: POKER.to_owned(),
        benchmark: "poker",
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

fn trust() -> Condition {
    let rows = trust::published::ROWS.iter().map(|row| {
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
            source: format!("figure on the Trust Game, {}", row.name),
            n: None,
            cells,
            notes,
        }
    });
    Condition {
        name: TRUST.to_owned(),
        benchmark: "trust",
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
