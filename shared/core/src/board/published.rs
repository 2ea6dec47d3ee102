//! The papers' tables as rows of boards, with where they are printed and what the specifications found about them. Nothing
//! here is measured by us, and nothing of it is ranked with runs: questions, engines, graders and prompts were others.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::metrics::number::Cell;

/// The paper that a benchmark comes from, as it is cited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Paper {
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
    pub name: String,
    pub source: String,
    /// How many episodes, hands or matches stand behind it, where that is known.
    pub n: Option<u32>,
    /// Its numbers by the keys of columns; fractions are 0 to 1.
    pub cells: BTreeMap<&'static str, Cell>,
    /// What was found about it.
    pub notes: Vec<&'static str>,
}

/// What a file says of a row in numbers: those that are printed, and what else is known.
pub type Numbers = BTreeMap<&'static str, f64>;

/// Several conditions as a file has them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, bound(deserialize = "'de: 'static"))]
struct WrittenConditions {
    /// Remarks and notes that stand at several places, where their name stands for them.
    texts: BTreeMap<&'static str, &'static str>,
    conditions: Vec<Written>,
}

/// A condition as a file of a benchmark's folder `published` has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    name: String,
    title: String,
    /// Where a row is printed; `{row}` is its name.
    source: &'static str,
    n: Option<u32>,
    fixed: Vec<(&'static str, String)>,
    remarks: Vec<&'static str>,
    /// What holds of every row, before its own notes.
    #[serde(default)]
    notes: Vec<&'static str>,
    /// The decimals of each number that is shown.
    decimals: BTreeMap<&'static str, u8>,
    /// Which of these are percentages.
    #[serde(default)]
    percent: Vec<&'static str>,
    rows: Vec<WrittenRow>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, bound(deserialize = "'de: 'static"))]
struct WrittenRow {
    name: String,
    source: Option<String>,
    /// Where it is not that of all rows.
    n: Option<u32>,
    #[serde(default)]
    notes: Vec<&'static str>,
    numbers: Numbers,
}

impl Condition {
    /// Reads a file of a benchmark's folder `published`; `finish` adds to a row what follows from its numbers.
    ///
    /// # Panics
    /// If it is no such file.
    pub fn read(text: &'static str, mut finish: impl FnMut(&mut PaperRow, &Numbers)) -> Self {
        let written: Written = toml::from_str(text).expect("a test reads each of them");
        written.condition(&BTreeMap::new(), &mut finish)
    }

    /// The same of a file with several conditions.
    ///
    /// # Panics
    /// If it is no such file.
    pub fn read_all(
        text: &'static str,
        mut finish: impl FnMut(&mut PaperRow, &Numbers),
    ) -> Vec<Self> {
        let WrittenConditions { texts, conditions } =
            toml::from_str(text).expect("a test reads each of them");
        let conditions = conditions.into_iter();
        conditions.map(|written| written.condition(&texts, &mut finish)).collect()
    }
}

impl Written {
    fn condition(
        self,
        texts: &BTreeMap<&'static str, &'static str>,
        finish: &mut impl FnMut(&mut PaperRow, &Numbers),
    ) -> Condition {
        let spelt = |text: &&'static str| *texts.get(text).unwrap_or(text);
        let row = |row: WrittenRow| {
            let shown = self.decimals.iter().filter_map(|(key, decimals)| {
                let cell = if self.percent.contains(key) { percent } else { plain };
                Some((*key, cell(*row.numbers.get(key)?, *decimals)))
            });
            let source = row.source.unwrap_or_else(|| self.source.replace("{row}", &row.name));
            let mut made = PaperRow {
                cells: shown.collect(),
                name: row.name,
                source,
                n: row.n.or(self.n),
                notes: self.notes.iter().chain(&row.notes).map(spelt).collect(),
            };
            finish(&mut made, &row.numbers);
            made
        };
        Condition {
            rows: self.rows.into_iter().map(row).collect(),
            name: self.name,
            title: self.title,
            fixed: self.fixed,
            remarks: self.remarks.iter().map(|remark| spelt(remark).to_owned()).collect(),
        }
    }
}

/// A number as printed, with the given number of decimals; without an interval.
pub fn plain(value: f64, decimals: u8) -> Cell {
    Cell { value, interval: None, printed: Some(decimals) }
}

/// A percentage as printed, with the given number of decimals, as a fraction without the last bits that a division leaves.
pub fn percent(value: f64, decimals: u8) -> Cell {
    plain((value * 100.0).round() / 1e4, decimals)
}
