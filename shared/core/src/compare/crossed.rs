//! Runs as a grid: the players by whatever else differs (judges, engines, languages), all over the same tasks, each combination played
//! for itself (ARCHITECTURE.md, rule 53: *matrix*). Whether the order of the players depends on the columns is said by Kendall's tau
//! and by the pairs that change places; intervals draw clusters of tasks anew, the same in all cells.

mod axis;
mod shown;

use std::cmp::Ordering;
use std::collections::BTreeMap;

use serde::Serialize;

pub use axis::Axis;
use axis::axes;

use super::subject::{Tasks, by_task, in_common, side_of};
use super::{Entrant, nothing_in_common, same_benchmark, sampled};
use crate::benchmark::Benchmark;
use crate::metrics::bootstrap::{Cluster, bounds, draws};
use crate::metrics::rank::{kendall, order};
use crate::metrics::report::Column;
use crate::metrics::summary::Summary;
use crate::saturated;
use crate::seat::Seat;
use crate::spec::{BadSpec, Spec};

/// The most runs of a grid.
pub const MOST_CELLS: usize = 100;

/// How often clusters of tasks are drawn anew.
const RESAMPLES: u32 = 2000;

/// Runs by rows and columns.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Crossed {
    pub benchmark: String,
    /// The number in the cells.
    pub number: Column,
    /// What the runs are called, in the order in which they were given; cells name them by their place here.
    pub runs: Vec<String>,
    /// The players; the first part that differs where there is one player alone.
    pub rows: Axis,
    pub columns: Axis,
    /// Tasks that all runs with a score have.
    pub tasks: u32,
    /// Tasks that only some of them have.
    pub left_out: u32,
    /// Row by row; `None` where there is no run with a score.
    pub cells: Vec<Vec<Option<CrossedCell>>>,
    /// The mean of each row over all columns; without a value where a cell is missing.
    pub means: Vec<Estimated>,
    /// Kendall's tau-b between the rows' numbers in two columns, -1 to 1: the mean over every two columns for which it is defined.
    pub tau: Estimated,
    /// Rows that change places between two columns.
    pub flips: Vec<Places>,
    /// What a reader must know, each in a sentence.
    pub remarks: Vec<String>,
}

/// A run over the common tasks.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CrossedCell {
    pub run: usize,
    /// Its number, with the interval that a comparison gives it.
    #[serde(flatten)]
    pub number: Estimated,
    /// Turns of the seat under evaluation, a mean over tasks.
    pub turns: f64,
    pub episodes: u32,
}

/// A number; without a value where it is not defined.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Estimated {
    pub value: Option<f64>,
    /// Its 95 % interval, where there is more than one cluster of tasks.
    pub interval: Option<(f64, f64)>,
}

/// Two rows that change places between two columns.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Places {
    /// Which rows; the first is ahead in the first column.
    pub rows: [usize; 2],
    pub columns: [usize; 2],
    /// The first row's number less the second's, in each of the two columns.
    pub differences: [f64; 2],
    /// The first difference less the second.
    pub change: Estimated,
}

/// The seat under evaluation.
///
/// # Errors
/// If all seats are.
pub fn evaluated(benchmark: &dyn Benchmark) -> Result<Seat, BadSpec> {
    match (benchmark.participants(), benchmark.seats().first()) {
        (None, Some(info)) => Ok(Seat::new(info.seat)),
        _ => {
            let problem = format!(
                "a grid has one seat under evaluation, and in {} all seats are; compare its runs instead",
                benchmark.name()
            );
            Err(BadSpec::new("benchmark", problem))
        }
    }
}

/// Puts runs into a grid.
///
/// # Errors
/// Why they are none: fewer than two or too many runs, several benchmarks, numbered seats, two runs in a cell, or no task in common.
pub fn crossed(runs: &[Entrant<'_>]) -> Result<Crossed, BadSpec> {
    let benchmark = same_benchmark(runs, MOST_CELLS)?;
    let seat = evaluated(benchmark)?;
    let specs: Vec<&Spec> = runs.iter().map(|run| run.spec).collect();
    for other in &specs[1..] {
        benchmark.comparable(specs[0], other)?;
    }
    let (rows, columns) = axes(benchmark, &seat, &specs);
    let mut placed: Vec<Vec<Option<usize>>> =
        vec![vec![None; columns.names.len()]; rows.names.len()];
    for (run, entrant) in runs.iter().enumerate() {
        let (row, column) = (rows.of[run], columns.of[run]);
        if let Some(other) = placed[row][column].replace(run) {
            let problem = format!(
                "{} and {} are one cell of the grid ({}, {}); give one of them",
                runs[other].name, entrant.name, rows.names[row], columns.names[column]
            );
            return Err(BadSpec::new("runs", problem));
        }
    }
    let (samples, unscored) = sampled(benchmark, runs);
    let tasks: Vec<Tasks<'_>> = samples.iter().map(|samples| by_task(&seat, samples)).collect();
    let scored = || tasks.iter().filter(|run| !run.is_empty());
    let (common, left_out) = in_common(scored());
    if common.is_empty() {
        return Err(match scored().next() {
            Some(_) => nothing_in_common(runs),
            None => BadSpec::new("tasks", "no episode of these runs has a score yet"),
        });
    }
    let cell = |run: usize| {
        if tasks[run].is_empty() {
            return None;
        }
        // Numbers are taken by the profile of the first.
        let spec = Spec { profile: specs[0].profile, ..specs[run].clone() };
        let side = side_of(benchmark, &spec, &tasks[run], &common);
        let number = Estimated { value: Some(side.value), interval: side.interval };
        let turns = turns(&seat, &tasks[run], &common);
        Some(CrossedCell { run, number, turns, episodes: side.plays })
    };
    let cells: Vec<Vec<Option<CrossedCell>>> =
        placed.iter().map(|row| row.iter().map(|run| cell((*run)?)).collect()).collect();
    let [height, width] = [&rows, &columns].map(|axis| axis.names.len());
    let clusters = clusters(cells.iter().flatten(), &tasks, &common);
    let drawn = Drawn::of(&clusters, width);
    let mean = |row: usize| {
        let mean = drawn.estimated(|at| {
            average((0..width).map(|column| at(row, column)).collect::<Option<_>>()?)
        });
        // Drawn anew, tasks that are all right or all wrong say nothing of the spread.
        Estimated { interval: mean.interval.filter(|(low, high)| low < high), ..mean }
    };
    let mut found = Crossed {
        benchmark: benchmark.name().to_owned(),
        runs: runs.iter().map(|run| run.name.to_owned()).collect(),
        tasks: saturated(common.len()),
        left_out,
        means: (0..height).map(mean).collect(),
        tau: drawn.estimated(|at| {
            average(couples(width).filter_map(|two| tau(at, height, two)).collect())
        }),
        flips: drawn.flips(height),
        number: benchmark.compared_by().column(),
        cells,
        rows,
        columns,
        remarks: Vec::new(),
    };
    found.remarks = found.said(unscored.iter().sum());
    Ok(found)
}

/// Turns of a seat in an episode, a mean over tasks.
fn turns(seat: &Seat, run: &Tasks<'_>, common: &[&str]) -> f64 {
    let count = |summary: &Summary| summary.ribbon.iter().filter(|cell| cell.seat == *seat).count();
    let of_task = |task: &&str| {
        let plays = &run[*task].plays;
        plays.iter().map(|(_, summary)| count(summary)).sum::<usize>() as f64 / plays.len() as f64
    };
    common.iter().map(of_task).sum::<f64>() / common.len() as f64
}

/// Clusters of tasks, each with a sum for every cell.
fn clusters<'a>(
    cells: impl Iterator<Item = &'a Option<CrossedCell>>,
    tasks: &[Tasks<'_>],
    common: &[&str],
) -> Vec<Vec<Cluster>> {
    let cells: Vec<_> = cells.map(|cell| Some(&tasks[cell.as_ref()?.run])).collect();
    let mut found: BTreeMap<&str, Vec<Cluster>> = BTreeMap::new();
    for task in common {
        for (at, run) in cells.iter().enumerate() {
            let Some(plays) = run.map(|run| &run[task]) else { continue };
            let sums = found.entry(plays.cluster);
            sums.or_insert_with(|| vec![Cluster::default(); cells.len()])[at].add(plays.mean());
        }
    }
    found.into_values().collect()
}

/// All pairs of a number of items.
fn couples(count: usize) -> impl Iterator<Item = [usize; 2]> {
    (0..count).flat_map(move |one| (one + 1..count).map(move |other| [one, other]))
}

fn average(numbers: Vec<f64>) -> Option<f64> {
    (!numbers.is_empty()).then(|| numbers.iter().sum::<f64>() / numbers.len() as f64)
}

/// The number at a row and a column.
type At<'a> = &'a dyn Fn(usize, usize) -> Option<f64>;

fn tau(at: At<'_>, rows: usize, [one, other]: [usize; 2]) -> Option<f64> {
    let both = |row| Some((at(row, one)?, at(row, other)?));
    kendall(&(0..rows).filter_map(both).collect::<Vec<_>>())
}

/// How far a row is ahead of another in a column.
fn gap(at: At<'_>, [one, other]: [usize; 2], column: usize) -> Option<f64> {
    Some(at(one, column)? - at(other, column)?)
}

/// The number of every cell, row by row, as it is and as often as clusters were drawn anew.
struct Drawn {
    columns: usize,
    whole: Vec<Option<f64>>,
    again: Vec<Vec<Option<f64>>>,
}

impl Drawn {
    fn of(clusters: &[Vec<Cluster>], columns: usize) -> Self {
        let means = |drawn: Vec<&Vec<Cluster>>| -> Vec<Option<f64>> {
            let mut sums = vec![Cluster::default(); drawn.first().map_or(0, |one| one.len())];
            for (sum, one) in drawn.iter().flat_map(|one| (0..one.len()).zip(*one)) {
                sums[sum] = Cluster { sum: sums[sum].sum + one.sum, n: sums[sum].n + one.n };
            }
            sums.iter().map(Cluster::mean).collect()
        };
        // Of one cluster nothing can be drawn but itself.
        let resamples = if clusters.len() > 1 { RESAMPLES } else { 0 };
        let again = draws(clusters, resamples, 1).map(means).collect();
        Drawn { columns, whole: means(clusters.iter().collect()), again }
    }

    fn estimated(&self, number: impl Fn(At<'_>) -> Option<f64>) -> Estimated {
        let of =
            |means: &Vec<Option<f64>>| number(&|row, column| means[row * self.columns + column]);
        let value = of(&self.whole);
        let interval = value.and_then(|_| bounds(self.again.iter().filter_map(of).collect()));
        Estimated { value, interval }
    }

    fn flips(&self, rows: usize) -> Vec<Places> {
        let flip = |rows: [usize; 2], columns: [usize; 2]| {
            let whole = |row: usize, column: usize| self.whole[row * self.columns + column];
            let [one, other] = columns.map(|column| gap(&whole, rows, column));
            let differences = [one?, other?];
            let change = || {
                self.estimated(|at| Some(gap(at, rows, columns[0])? - gap(at, rows, columns[1])?))
            };
            match differences.map(|gap| order(gap, 0.0)) {
                [Ordering::Greater, Ordering::Less] => {
                    Some(Places { rows, columns, differences, change: change() })
                }
                _ => None,
            }
        };
        let pairs = couples(rows).flat_map(|[one, other]| [[one, other], [other, one]]);
        pairs
            .flat_map(|rows| couples(self.columns).filter_map(move |columns| flip(rows, columns)))
            .collect()
    }
}
