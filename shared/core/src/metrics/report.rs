//! The numbers of a run, as every benchmark reports them: a few headline numbers with intervals, breakdowns, a reliability
//! diagram where confidences were stated, and the benchmark's own record for programs.

mod caption;
mod plot;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use caption::Caption;
pub use plot::{BudgetPlot, Curve, EqualBudget, Plot, Point};

crate::captions! { "report/report.toml" }

/// The numbers of a run.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The numbers to be seen first.
    pub headline: Vec<Figure>,
    /// The same number for parts of the run.
    pub breakdowns: Vec<Breakdown>,
    /// Participants in the order of a number.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rankings: Vec<Ranking>,
    /// A number for pairs, e.g. of participants.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub matrices: Vec<Matrix>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub plots: Vec<Plot>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub budgets: Vec<BudgetPlot>,
    /// What came of comparing runs, each in a sentence, where the benchmark compares them by another number than the runs' own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub verdicts: Vec<String>,
    /// The run that this one is to be compared with.
    pub twin: Option<Twin>,
    /// Several numbers for parts of the run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<Table>,
    /// Further numbers of the whole run, by what they are about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<Group>,
    /// A study: the same tasks at several values of a setting.
    pub study: Option<Study>,
    /// Confidence against accuracy; empty where no confidences were stated.
    pub reliability: Vec<Bin>,
    /// What a reader must know about these numbers, each in a sentence.
    pub remarks: Vec<String>,
    /// What `turnwise metrics --json` prints.
    pub record: Value,
}

impl Report {
    /// Calls the participant that the first ranking knows as `who` by another name, wherever it is named.
    pub fn rename(&mut self, who: &str, name: &str) {
        let mut ranked = self.rankings.iter().flat_map(|ranking| &ranking.rows);
        let Some(old) = ranked.find(|row| row.who == who).map(|row| row.name.clone()) else {
            return;
        };
        let titles = self.matrices.iter_mut().map(|matrix| &mut matrix.title);
        for title in titles {
            if let Some(about) = title.strip_suffix(&old).filter(|about| about.ends_with(' ')) {
                *title = format!("{about}{name}");
            }
        }
        let rankings = self.rankings.iter_mut().flat_map(|ranking| &mut ranking.rows);
        let matrices = self.matrices.iter_mut();
        let tables = self.tables.iter_mut().flat_map(|table| &mut table.rows);
        let curves = self.plots.iter_mut().flat_map(|plot| &mut plot.curves);
        rankings
            .map(|row| &mut row.name)
            .chain(matrices.flat_map(|matrix| matrix.rows.iter_mut().chain(&mut matrix.columns)))
            .chain(tables.map(|row| &mut row.name))
            .chain(curves.map(|curve| &mut curve.name))
            .filter(|known| **known == old)
            .for_each(|known| name.clone_into(known));
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// Its name for programs: that of its [`Metric`](crate::metrics::metric::Metric), where it is declared.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub key: String,
    pub label: String,
    /// The number; `None` where it is not defined.
    pub value: Option<f64>,
    /// Its 95 % interval, where one is known.
    pub interval: Option<(f64, f64)>,
    /// What is known of it, where some episodes have no verdict: value and interval are those of the others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known: Option<Known>,
    pub unit: Unit,
    /// What it means, in a sentence.
    pub about: String,
}

/// What is known of a share where some episodes have no verdict.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Known {
    pub graded: u32,
    /// Episodes that ended or were broken off, these included; none of a game.
    pub of: u32,
    /// The share if every other one were wrong, and if every other one were right.
    pub bounds: (f64, f64),
}

impl Known {
    /// Of a mean score over the graded ones of `of` episodes; `None` where all are graded.
    pub fn of(mean: Option<f64>, graded: u32, of: u32) -> Option<Self> {
        let right = mean.unwrap_or(0.0) * f64::from(graded);
        let share = |right: f64| (right / f64::from(of)).clamp(0.0, 1.0);
        (graded < of).then(|| Known {
            graded,
            of,
            bounds: (share(right), share(right + f64::from(of - graded))),
        })
    }

    /// In a few words, e.g. `18 of 32 graded`.
    pub fn words(&self) -> String {
        format!("{} of {} graded", self.graded, self.of)
    }
}

/// How a number is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// A fraction from 0 to 1, shown as percent.
    Fraction,
    /// A count or a mean of counts.
    Count,
    /// US dollars.
    Dollars,
    /// Tokens.
    Tokens,
    Chips,
    /// A plain number, signed; the label says of what.
    Number,
    /// A difference of two fractions, -1 to 1, shown in percentage points, signed.
    Points,
    /// A p-value, 0 to 1, shown as it is.
    Chance,
}

/// Participants in the order of a number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ranking {
    pub title: String,
    /// What a reader must know, in a sentence.
    pub about: String,
    /// The number by which the rows are ordered.
    pub value: Column,
    pub columns: Vec<Column>,
    /// Best first.
    pub rows: Vec<RankingRow>,
}

/// A number that every row has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column {
    /// Its name for programs: that of its [`Metric`](crate::metrics::metric::Metric), where it is declared.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub key: String,
    /// What it is called, e.g. `bb/100`.
    pub label: String,
    pub unit: Unit,
    /// What it means, in a sentence.
    pub about: String,
}

impl Column {
    /// A number that only one table or plot has.
    pub fn new(label: impl Into<String>, unit: Unit, about: impl Into<String>) -> Self {
        Column { key: String::new(), label: label.into(), unit, about: about.into() }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RankingRow {
    pub name: String,
    /// Who it is, as the lineup writes it, e.g. `bot:equity`.
    pub who: String,
    /// How many episodes, hands or matches stand behind it.
    pub n: u32,
    /// The number; `None` where it is not defined.
    pub value: Option<f64>,
    /// Its 95 % interval, where one is known.
    pub interval: Option<(f64, f64)>,
    /// The further numbers, one for each column.
    pub cells: Vec<Option<f64>>,
}

impl RankingRow {
    /// A participant without its numbers: what it is called, who it is, and how much stands behind it.
    pub fn of(name: impl Into<String>, who: impl ToString, n: u32) -> Self {
        RankingRow {
            name: name.into(),
            who: who.to_string(),
            n,
            value: None,
            interval: None,
            cells: Vec::new(),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Matrix {
    pub title: String,
    /// What a reader must know, in a sentence.
    pub about: String,
    /// How a number is shown.
    pub unit: Unit,
    /// What the rows are called.
    pub rows: Vec<String>,
    /// What the columns are called.
    pub columns: Vec<String>,
    /// Row by row; `None` where there is no number.
    pub cells: Vec<Vec<Option<f64>>>,
    /// The value that is neither good nor bad, where there is one: colours part there.
    pub centre: Option<f64>,
}

impl Matrix {
    /// Of its title, what a reader must know, the unit, the names of rows and columns, and the number at a row and a column.
    pub fn new(
        title: impl Into<String>,
        about: impl Into<String>,
        unit: Unit,
        [rows, columns]: [Vec<String>; 2],
        cell: impl Fn(usize, usize) -> Option<f64>,
    ) -> Self {
        let row = |row: usize| (0..columns.len()).map(|column| cell(row, column)).collect();
        let cells = (0..rows.len()).map(row).collect();
        let (title, about) = (title.into(), about.into());
        Matrix { title, about, unit, rows, columns, cells, centre: None }
    }
}

/// A run over the same tasks with which another is to be compared.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Twin {
    /// What it is called, e.g. `direct twin`.
    pub name: String,
    /// What it is for, in a sentence.
    pub about: String,
    /// In which settings it differs.
    pub settings: serde_json::Map<String, Value>,
    /// How many times it plays each task.
    pub repeats: u32,
}

/// Several numbers for parts of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Table {
    pub title: String,
    /// What a reader must know, in a sentence.
    pub about: String,
    /// What the rows are, e.g. `tier`.
    pub by: String,
    /// The numbers that every row has.
    pub columns: Vec<Column>,
    pub rows: Vec<TableRow>,
}

impl Table {
    /// Of its title, what a reader must know, what the rows are, columns, and rows.
    pub fn new(
        title: impl Into<String>,
        about: impl Into<String>,
        by: impl Into<String>,
        columns: impl IntoIterator<Item = Column>,
        rows: impl IntoIterator<Item = TableRow>,
    ) -> Self {
        Table {
            title: title.into(),
            about: about.into(),
            by: by.into(),
            columns: columns.into_iter().collect(),
            rows: rows.into_iter().collect(),
        }
    }
}

/// One part of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TableRow {
    pub name: String,
    /// How many episodes stand behind it.
    pub n: u32,
    /// One for each column; `None` where it is not defined.
    pub cells: Vec<Option<f64>>,
}

impl TableRow {
    /// Of its name, how much stands behind it, and cells.
    pub fn new(
        name: impl Into<String>,
        n: impl TryInto<u32>,
        cells: impl IntoIterator<Item = Option<f64>>,
    ) -> Self {
        let n = n.try_into().unwrap_or(u32::MAX);
        TableRow { name: name.into(), n, cells: cells.into_iter().collect() }
    }
}

/// The same tasks at several values of a setting, as the paper that has the study draws it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Study {
    pub title: String,
    /// What it asks, in a sentence.
    pub about: String,
    pub plots: Vec<Plot>,
    /// What the paper prints, for those figures that have the same title: an optional layer.
    pub published: Vec<Plot>,
    /// What a reader must know about that layer.
    pub published_about: String,
    /// The same as numbers, a row a value.
    pub table: Table,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Group {
    pub title: String,
    pub figures: Vec<Figure>,
}

/// A number for parts of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Breakdown {
    pub by: String,
    pub rows: Vec<BreakdownRow>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BreakdownRow {
    pub value: String,
    pub n: u32,
    /// The mean score, 0 to 1.
    pub score: Option<f64>,
    /// Its 95 % interval.
    pub interval: Option<(f64, f64)>,
}

/// One bin of a reliability diagram.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Bin {
    /// Confidences from here, 0 to 1.
    pub from: f64,
    pub to: f64,
    pub n: u32,
    /// Their mean confidence, 0 to 1.
    pub confidence: f64,
    /// Their accuracy, 0 to 1.
    pub accuracy: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_participant_has_one_name_wherever_it_is_named() {
        let names = || vec!["person".to_owned(), "careful".to_owned()];
        let matrix = |title: &str| Matrix {
            title: title.to_owned(),
            about: String::new(),
            unit: Unit::Number,
            rows: names(),
            columns: names(),
            cells: Vec::new(),
            centre: None,
        };
        let column = || Column::new("hands", Unit::Count, "");
        let mut report = Report {
            rankings: vec![Ranking {
                title: String::new(),
                about: String::new(),
                value: column(),
                columns: Vec::new(),
                rows: vec![
                    RankingRow::of("person", "person", 3),
                    RankingRow::of("careful", "bot:careful", 3),
                ],
            }],
            matrices: vec![matrix("Who won from whom"), matrix("Hole cards of person")],
            plots: vec![Plot {
                title: String::new(),
                about: String::new(),
                x: column(),
                y: column(),
                curves: names().into_iter().map(|name| Curve { name, points: vec![] }).collect(),
            }],
            tables: vec![Table {
                title: String::new(),
                about: String::new(),
                by: "player".to_owned(),
                columns: Vec::new(),
                rows: names()
                    .into_iter()
                    .map(|name| TableRow { name, n: 1, cells: vec![] })
                    .collect(),
            }],
            remarks: vec!["A person played.".to_owned()],
            ..Report::default()
        };
        report.rename("person", "Ada");
        let text = serde_json::to_string(&report).expect("plain data");
        // In the ranking, on both sides of two matrices, in the title of one, on the curve and in the table.
        assert_eq!(text.matches("Ada").count(), 1 + 4 + 1 + 1 + 1);
        // Who it is, and sentences, stay.
        assert_eq!(text.matches("person").count(), 2);
        let before = text;
        report.rename("model:up/m", "Bob");
        assert_eq!(serde_json::to_string(&report).expect("plain data"), before);
    }
}
