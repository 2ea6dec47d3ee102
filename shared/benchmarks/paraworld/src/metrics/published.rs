//! Tables 3 to 6 of the paper as `published/*.json` have them (specification 9), in percent except calls, and the two splits into tiers
//! behind them.
//!
//! Turned back into fractions, every row of pass@1 fits exactly one of two splits of the 1,608 worlds: two revisions of the
//! facts were evaluated, and their rows stand side by side. So rows of different splits compare worlds that are not quite
//! the same.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::task::Tier;

/// The setting of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Setting {
    /// A: all facts given, no search. Only pass@1 is printed.
    Oracle,
    FewShot,
    Guidance,
    Unguided,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Split {
    /// 564, 623 and 421.
    A,
    /// 568, 619 and 421, as Table 1 prints it.
    B,
}

impl Split {
    pub const ALL: [Split; 2] = [Split::A, Split::B];

    /// How many worlds each tier has, from easy to hard; 1,608 in all.
    pub fn sizes(self) -> [u32; 3] {
        match self {
            Split::A => [564, 623, 421],
            Split::B => [568, 619, 421],
        }
    }

    /// How many worlds a tier has.
    pub fn size(self, tier: Tier) -> u32 {
        self.sizes()[tier as usize]
    }
}

/// One cell: what the paper prints of a tier, or of all.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// Percent of answers judged correct.
    pub pass_at_1: f64,
    /// Coverage, percent.
    pub fcr: f64,
    /// Hit rate over episodes with calls, percent.
    pub hit_rate: f64,
    pub tool_calls: f64,
}

/// One row: a model in a setting.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub struct Row {
    pub model: &'static str,
    pub setting: Setting,
    /// The split that its numbers fit.
    pub split: Split,
    /// Easy, mid, hard. In setting A only `pass_at_1` is printed; the rest is 0.
    pub tiers: [Cell; 3],
    pub overall: Cell,
}

impl Row {
    /// Correct answers by tier, from the printed percentages and the row's split.
    pub fn correct(&self) -> [u32; 3] {
        let sizes = self.split.sizes();
        std::array::from_fn(|at| {
            (self.tiers[at].pass_at_1 / 100.0 * f64::from(sizes[at])).round() as u32
        })
    }
}

fn table(text: &'static str) -> Vec<Row> {
    serde_json::from_str(text).expect("a test reads the published tables")
}

/// Table 3: setting A.
pub static TABLE_3: LazyLock<Vec<Row>> =
    LazyLock::new(|| table(include_str!("../../published/table_3.json")));

/// Table 4: setting B, few-shot and guidance.
pub static TABLE_4: LazyLock<Vec<Row>> =
    LazyLock::new(|| table(include_str!("../../published/table_4.json")));

/// Tables 5 and 6: setting C.
pub static TABLES_5_AND_6: LazyLock<Vec<Row>> =
    LazyLock::new(|| table(include_str!("../../published/tables_5_and_6.json")));

pub fn rows() -> impl Iterator<Item = &'static Row> {
    TABLE_3.iter().chain(TABLE_4.iter()).chain(TABLES_5_AND_6.iter())
}
