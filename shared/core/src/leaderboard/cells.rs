//! The numbers of columns, from published runs.

use crate::board::column::{Column, Source};
use crate::caps::dollars;
use crate::metrics::number::Cell;
use crate::metrics::report::{Ranking, RankingRow};
use crate::seat::Seat;
use crate::wire::boards::BoardColumn;
use crate::wire::publishing::{Entry, Measure};

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

impl Column {
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
