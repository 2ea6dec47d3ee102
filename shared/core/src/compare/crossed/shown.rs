//! A grid for people and programs.

use serde_json::json;

use super::{Crossed, CrossedCell, Places};
use crate::metrics::number::{counted, shown};
use crate::metrics::report::{Column, Figure, Matrix, Ranking, RankingRow, Report, Unit};

/// The form of the record that `turnwise grid --json` prints.
const SCHEMA: &str = "turnwise-grid/1";

impl Crossed {
    /// The grid as a report: heat maps, means, agreement, and what changes places in sentences.
    pub fn report(&self) -> Report {
        let turns = |cell: &CrossedCell| Some(cell.turns);
        let mut report = Report {
            matrices: vec![
                self.matrix(&self.number.label, &self.number.about, self.number.unit, |cell| {
                    cell.number.value
                }),
                self.matrix(
                    "Turns",
                    "Turns of the player in an episode, a mean over tasks.",
                    Unit::Count,
                    turns,
                ),
            ],
            rankings: vec![self.ranked()],
            verdicts: self.flips.iter().map(|flip| self.sentence(flip)).collect(),
            remarks: self.remarks.clone(),
            record: json!({ "schema": SCHEMA, "grid": self }),
            ..Report::default()
        };
        if self.columns.names.len() < 2 || self.rows.names.len() < 2 {
            return report;
        }
        report.headline.push(Figure {
            key: "tau".to_owned(),
            label: "Kendall's tau".to_owned(),
            value: self.tau.value,
            interval: self.tau.interval,
            known: None,
            unit: Unit::Number,
            about: TAU.to_owned(),
        });
        if self.flips.is_empty() {
            report.verdicts.push("No two rows change places between columns.".to_owned());
        }
        report
    }

    fn matrix(
        &self,
        title: &str,
        about: &str,
        unit: Unit,
        number: impl Fn(&CrossedCell) -> Option<f64>,
    ) -> Matrix {
        let title = match [self.rows.by.as_str(), self.columns.by.as_str()] {
            [rows, ""] => format!("{title}: {rows}"),
            [rows, columns] => format!("{title}: {rows} by {columns}"),
        };
        let names = [self.rows.names.clone(), self.columns.names.clone()];
        Matrix::new(title, about, unit, names, |row, column| {
            number(self.cells[row][column].as_ref()?)
        })
    }

    /// The rows by their mean over the columns, best first.
    fn ranked(&self) -> Ranking {
        let rows = self.rows.names.iter().zip(&self.means).zip(&self.cells);
        let mut rows: Vec<RankingRow> = rows
            .map(|((name, mean), cells)| {
                let turns: Option<f64> = cells.iter().map(|cell| Some(cell.as_ref()?.turns)).sum();
                RankingRow {
                    value: mean.value,
                    interval: mean.interval,
                    cells: vec![turns.map(|turns| turns / cells.len() as f64)],
                    ..RankingRow::of(name, "", self.tasks)
                }
            })
            .collect();
        rows.sort_by(|one, other| {
            let value = |row: &RankingRow| row.value.unwrap_or(f64::NEG_INFINITY);
            value(other).total_cmp(&value(one))
        });
        Ranking {
            title: "Mean over the columns".to_owned(),
            about: "Every column weighs the same; the interval is over tasks. n counts tasks."
                .to_owned(),
            value: self.number.clone(),
            columns: vec![Column::new("turns", Unit::Count, "The mean of the row's turns.")],
            rows,
        }
    }

    /// Who is ahead of whom where, and whether the change is more than chance.
    fn sentence(&self, flip: &Places) -> String {
        let unit = match self.number.unit {
            Unit::Fraction => Unit::Points,
            other => other,
        };
        let text = |value: f64, interval| shown(Some(value), interval, unit);
        let [one, other] = flip.rows.map(|row| &self.rows.names[row]);
        let [here, there] = flip.columns.map(|column| &self.columns.names[column]);
        let [first, second] =
            flip.differences.map(|gap| text(gap.abs(), None).value.replace('+', ""));
        let change = text(flip.change.value.unwrap_or_default(), flip.change.interval);
        let chance = match flip.change.interval {
            Some((low, high)) if low > 0.0 || high < 0.0 => "more than chance",
            _ => "perhaps by chance",
        };
        let range = change.range.map_or(String::new(), |range| format!(" (95 % interval {range})"));
        format!(
            "{one} and {other} change places, {chance}: {one} is ahead by {first} with {here}, {other} by {second} with {there}; the \
             difference changes by {} {}{range}.",
            change.value, change.unit
        )
    }

    /// What a reader must know.
    pub(super) fn said(&self, unscored: u32) -> Vec<String> {
        let missing = self.cells.iter().flatten().filter(|cell| cell.is_none()).count() as u64;
        let tasks = "that only some of the runs ended with a score";
        [
            (missing, ["cell", "cells"], "without a run that has a score"),
            (self.left_out.into(), ["task", "tasks"], tasks),
            (unscored.into(), ["episode", "episodes"], "without a score"),
        ]
        .into_iter()
        .filter(|(count, ..)| *count > 0)
        .map(|(count, [one, many], what)| {
            format!("Left out: {} {what}.", counted(count, one, many))
        })
        .collect()
    }
}

const TAU: &str = "How far columns agree on the order of the rows: 1 the same order, -1 the opposite (tau-b, a mean over every two columns; the interval is over tasks).";
