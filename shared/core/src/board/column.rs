//! Columns of boards. A benchmark lists its own: those of its paper, then cost and time.

use crate::metrics::report::{RankingRow, Unit};
use crate::seat::Seat;
use crate::wire::boards::{Better, BoardColumn, Cell, Shown};
use crate::wire::budgets::dollars;
use crate::wire::publishing::{Entry, Measure};

/// Where a number of a run comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// The measure with this label.
    Measure(&'static str),
    /// The number by which participants are ranked.
    Value,
    /// A further number of the ranking, by its label.
    Ranking(&'static str),
    /// What the seats under evaluation cost, in US dollars, for one pass over the tasks.
    Cost,
    /// How long one of their calls took, the middle one of all, in seconds; of a participant one of its own.
    Latency,
    /// Nothing but papers have it.
    Paper,
}

/// A column, and where it comes from.
#[derive(Debug, Clone, Copy)]
pub struct Column {
    /// Its name in addresses and files.
    pub key: &'static str,
    label: &'static str,
    unit: Unit,
    about: &'static str,
    better: Better,
    shown: Shown,
    from: Source,
}

/// A participant of a run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Participant<'a> {
    /// Its row of the ranking.
    pub(super) row: &'a RankingRow,
    /// What the further numbers of the row are.
    pub(super) columns: &'a [crate::metrics::report::Column],
    /// Where it sat, where that is certain.
    pub(super) seat: Option<&'a Seat>,
}

/// Key, label, unit, which is better, when it is shown, where it comes from, and what it is.
pub type Short = (
    &'static str,
    &'static str,
    Unit,
    Better,
    Shown,
    Source,
    &'static str,
);

/// A column in one line.
pub const fn column((key, label, unit, better, shown, from, about): Short) -> Column {
    Column {
        key,
        label,
        unit,
        about,
        better,
        shown,
        from,
    }
}

use Better::Less;
use Shown::{First, OnWish};
use Source::{Cost, Latency, Measure as Of, Paper, Ranking, Value};
use Unit::{Dollars, Number};

/// What the player cost.
pub const COST: Column = column((
    "cost",
    "Cost",
    Dollars,
    Less,
    First,
    Cost,
    "What the seats under evaluation cost for one pass over the tasks; of a paper what it prints.",
));

/// How fast the player is.
pub const LATENCY: Column = column((
    "latency",
    "Latency, s",
    Number,
    Less,
    First,
    Latency,
    "How long a call of the seats under evaluation took, the middle one of all; of a paper the mean.",
));

/// In games each participant has a row of its own.
pub const OWN_LATENCY: Column = Column {
    about: "How long a call of this participant took, the middle one of all; built-in players take no time. Of a paper the mean.",
    ..LATENCY
};

/// In games all participants sit at one table.
pub const TABLE_COST: Column = column((
    "cost",
    "Cost",
    Dollars,
    Less,
    OnWish,
    Cost,
    "What all participants of the run cost together.",
));

impl Column {
    /// As it goes out.
    pub(super) fn told(&self) -> BoardColumn {
        BoardColumn {
            key: self.key.to_owned(),
            label: self.label.to_owned(),
            unit: self.unit,
            about: self.about.to_owned(),
            better: self.better,
            shown: self.shown,
        }
    }

    /// The number of a run, or of one of its participants.
    pub(super) fn of(&self, entry: &Entry, ranked: Option<Participant<'_>>) -> Option<Cell> {
        let numbers = &entry.numbers;
        let plain = |value: f64| value.is_finite().then_some(Cell::computed(value, None));
        match self.from {
            Of(label) => numbers.measure(label).and_then(cell),
            Value => {
                let row = ranked?.row;
                let value = row.value.filter(|value| value.is_finite())?;
                Some(Cell::computed(value, row.interval))
            }
            Ranking(label) => {
                let Participant { row, columns, .. } = ranked?;
                let place = columns.iter().position(|column| column.label == label)?;
                row.cells.get(place).copied().flatten().and_then(plain)
            }
            Cost => {
                let cost = dollars(numbers.player_cost?);
                // A pass over the tasks is one play of each.
                let plays = f64::from(numbers.plays.max(1));
                let passes = (plays / f64::from(numbers.tasks.max(1))).max(1.0);
                plain(cost / passes)
            }
            Latency => {
                let latency = match ranked {
                    Some(Participant { seat, .. }) => numbers.latencies.get(seat?).copied(),
                    None => numbers.latency,
                };
                plain(latency? as f64 / 1000.0)
            }
            Paper => None,
        }
    }
}

fn cell(measure: &Measure) -> Option<Cell> {
    let value = measure.value.filter(|value| value.is_finite())?;
    Some(Cell::computed(value, measure.interval))
}
