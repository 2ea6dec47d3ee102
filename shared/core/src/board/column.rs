//! Columns of boards. A benchmark lists its own: those of its paper, then cost and time.

use serde::{Deserialize, Serialize};

use super::published::Condition;
use crate::metrics::metric::{Better, Metric, metric};
use crate::metrics::report::Unit;

/// Whether a column is shown by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shown {
    First,
    /// Only if it is chosen.
    OnWish,
}

/// Where a number of a run comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    /// From the numbers of its report.
    Report,
    /// From the row of a participant in the report's ranking.
    Ranking,
    /// What the seats under evaluation cost, in US dollars, for one pass over the tasks.
    Cost,
    /// How long one of their calls took, the middle one of all, in seconds; of a participant one of its own.
    Latency,
    /// Nothing but papers have it.
    Paper,
}

/// A number of a board, and where it comes from.
#[derive(Debug, Clone, Copy)]
pub struct Column {
    /// Its name in addresses and files.
    pub key: &'static str,
    pub metric: &'static Metric,
    pub(crate) label: &'static str,
    pub(crate) shown: Shown,
    pub(crate) from: Source,
}

use Better::Less;
use Unit::{Dollars, Number};

#[rustfmt::skip]
pub const COST: Column = Column::from(
    Source::Cost,
    &metric("cost", "Cost", Dollars, Less, "What the seats under evaluation cost for one pass over the tasks; of a paper what it prints."),
);

/// How fast the player is.
#[rustfmt::skip]
pub const LATENCY: Column = Column::from(
    Source::Latency,
    &metric("latency", "Latency, s", Number, Less, "How long a call of the seats under evaluation took, the middle one of all; of a paper the mean."),
);

/// In games each participant has a row of its own.
#[rustfmt::skip]
pub const OWN_LATENCY: Column = Column::from(
    Source::Latency,
    &metric("latency", "Latency, s", Number, Less, "How long a call of this participant took, the middle one of all; built-in players take no time. Of a paper the mean."),
);

/// In games all participants sit at one table.
#[rustfmt::skip]
pub const TABLE_COST: Column = Column::from(
    Source::Cost,
    &metric("cost", "Cost", Dollars, Less, "What all participants of the run cost together."),
)
.on_wish();

impl Column {
    const fn from(from: Source, metric: &'static Metric) -> Self {
        Column { key: metric.key, metric, label: metric.label, shown: Shown::First, from }
    }

    /// A number of the whole run.
    pub const fn of(metric: &'static Metric) -> Self {
        Column::from(Source::Report, metric)
    }

    /// A number of each participant, in games.
    pub const fn of_each(metric: &'static Metric) -> Self {
        Column::from(Source::Ranking, metric)
    }

    /// A number that only papers have.
    pub const fn of_papers(metric: &'static Metric) -> Self {
        Column::from(Source::Paper, metric)
    }

    /// The same under another name in addresses and files.
    pub const fn at(self, key: &'static str) -> Self {
        Column { key, ..self }
    }

    /// The same with other words in its head, where those of reports are too long or only make sense beside others.
    pub const fn called(self, label: &'static str) -> Self {
        Column { label, ..self }
    }

    /// The same, but only shown where it is chosen.
    pub const fn on_wish(self) -> Self {
        Column { shown: Shown::OnWish, ..self }
    }

    /// The columns of a table of a paper: all, or where it lacks the main one those that it has.
    pub(crate) fn of_table(all: &[Column], table: &Condition) -> Vec<Column> {
        let has =
            |column: &&Column| table.rows.iter().any(|row| row.cells.contains_key(column.key));
        if all.first().is_some_and(|main| has(&main)) {
            return all.to_vec();
        }
        let own = all.iter().filter(has);
        own.map(|column| Column { shown: Shown::First, ..*column }).collect()
    }

    /// Whether a report of a run has it: its numbers, or its ranking.
    pub fn is_reported(&self) -> bool {
        matches!(self.from, Source::Report | Source::Ranking)
    }
}
