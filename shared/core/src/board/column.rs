//! Columns of boards. A benchmark lists its own: those of its paper, then cost and time.

use super::published::Condition;
use crate::metrics::metric::{Better, Metric, metric};
use crate::metrics::report::{Ranking, RankingRow, Unit};
use crate::seat::Seat;
use crate::wire::boards::{BoardColumn, Cell, Shown};
use crate::wire::budgets::dollars;
use crate::wire::publishing::{Entry, Measure};

/// Where a number of a run comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
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
    /// The number.
    pub metric: &'static Metric,
    label: &'static str,
    shown: Shown,
    from: Source,
}

/// A participant of a run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Participant<'a> {
    /// Its row of the ranking.
    pub(super) row: &'a RankingRow,
    /// The ranking, which says what its numbers are.
    pub(super) ranking: &'a Ranking,
    /// Where it sat, where that is certain.
    pub(super) seat: Option<&'a Seat>,
}

use Better::Less;
use Unit::{Dollars, Number};

/// What the player cost.
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
    pub(super) fn of_table(all: &[Column], table: &Condition) -> Vec<Column> {
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

    /// As it goes out.
    pub(super) fn told(&self) -> BoardColumn {
        BoardColumn {
            key: self.key.to_owned(),
            label: self.label.to_owned(),
            unit: self.metric.unit,
            about: self.metric.about.to_owned(),
            better: self.metric.better,
            shown: self.shown,
        }
    }

    /// The number of a run, or of one of its participants.
    pub(super) fn cell(&self, entry: &Entry, ranked: Option<Participant<'_>>) -> Option<Cell> {
        let numbers = &entry.numbers;
        let plain = |value: f64| value.is_finite().then_some(Cell::computed(value, None));
        match self.from {
            Source::Report => numbers.measure(self.metric).and_then(of_measure),
            Source::Ranking => {
                let Participant { row, ranking, .. } = ranked?;
                if self.metric.is(&ranking.value.key, &ranking.value.label) {
                    let value = row.value.filter(|value| value.is_finite())?;
                    return Some(Cell::computed(value, row.interval));
                }
                let mut columns = ranking.columns.iter();
                let place = columns.position(|one| self.metric.is(&one.key, &one.label))?;
                row.cells.get(place).copied().flatten().and_then(plain)
            }
            Source::Cost => {
                let cost = dollars(numbers.player_cost?);
                // A pass over the tasks is one episode of each.
                let plays = f64::from(numbers.plays.max(1));
                let passes = (plays / f64::from(numbers.tasks.max(1))).max(1.0);
                plain(cost / passes)
            }
            Source::Latency => {
                let latency = match ranked {
                    Some(Participant { seat, .. }) => numbers.latencies.get(seat?).copied(),
                    None => numbers.latency,
                };
                plain(latency? as f64 / 1000.0)
            }
            Source::Paper => None,
        }
    }
}

fn of_measure(measure: &Measure) -> Option<Cell> {
    let value = measure.value.filter(|value| value.is_finite())?;
    Some(Cell::computed(value, measure.interval))
}
