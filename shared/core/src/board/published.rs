//! The papers' tables as rows of boards, with where they are printed and what the specifications found about them. Nothing
//! here is measured by us, and nothing of it is ranked with runs: questions, engines, graders and prompts were others.

use std::collections::BTreeMap;

use crate::metrics::number::Cell;

/// The paper that a benchmark comes from, as it is cited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Paper {
    /// Its title.
    pub title: &'static str,
    /// Its first authors.
    pub authors: &'static str,
    /// The year of its first version.
    pub year: u16,
    /// Where it can be read.
    pub address: &'static str,
}

/// What a paper printed under one condition.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    /// Its name in addresses, e.g. `ours-table-2`.
    pub name: String,
    /// The condition in a few words.
    pub title: String,
    /// What the paper held fixed, as far as it says.
    pub fixed: Vec<(&'static str, String)>,
    /// What holds of all rows.
    pub remarks: Vec<String>,
    /// The rows, in the paper's order.
    pub rows: Vec<PaperRow>,
}

/// A row of a paper.
#[derive(Debug, Clone, PartialEq)]
pub struct PaperRow {
    /// Who, as printed.
    pub name: String,
    /// Where: table and row.
    pub source: String,
    /// How many episodes, hands or matches stand behind it, where that is known.
    pub n: Option<u32>,
    /// Its numbers by the keys of columns; fractions are 0 to 1.
    pub cells: BTreeMap<&'static str, Cell>,
    /// What was found about it.
    pub notes: Vec<&'static str>,
}

/// A number as printed, with so many decimals; without an interval.
pub fn plain(value: f64, decimals: u8) -> Cell {
    Cell { value, interval: None, printed: Some(decimals) }
}

/// A percentage as printed, with so many decimals, as a fraction without the last bits that a division leaves.
pub fn percent(value: f64, decimals: u8) -> Cell {
    plain((value * 100.0).round() / 1e4, decimals)
}
