//! The same tasks in several runs, with what each answered.

use std::collections::BTreeMap;

use super::Entrant;
use crate::key::EpisodeKey;
use crate::metrics::summary::Summary;
use crate::saturated;
use crate::screen::natural::natural;
use crate::task::TaskId;

/// A task in every run that played it.
#[derive(Debug, Clone, PartialEq)]
pub struct GridRow {
    /// What the first run that has it calls the task.
    pub task: TaskId,
    /// What it asks, in one line, where that may be shown.
    pub asked: Option<String>,
    /// What is right, in one line, where that may be shown.
    pub right: Option<String>,
    /// What came of it, by run.
    pub cells: Vec<Option<GridCell>>,
    /// Whether the runs that have a score have different ones.
    pub differs: bool,
}

/// What a run made of a task.
#[derive(Debug, Clone, PartialEq)]
pub struct GridCell {
    /// The first repeat's episode.
    pub play: EpisodeKey,
    pub answer: Option<String>,
    /// The mean score of the repeats; `None` while one has none.
    pub score: Option<f64>,
    pub repeats: u32,
}

/// Every task that some run played, in the order of ids. Tasks are the same where their texts are, and in a sweep the value.
pub fn grid(runs: &[Entrant<'_>]) -> Vec<GridRow> {
    let mut tasks: BTreeMap<String, Vec<Vec<&Summary>>> = BTreeMap::new();
    for (at, run) in runs.iter().enumerate() {
        let points = run.benchmark.points(run.spec);
        for summary in run.episodes {
            let value = points.first().and_then(|point| summary.task.labels.get(point.setting));
            let key = format!("{} {}", summary.task.digest, value.map_or("", |value| value));
            let row = tasks.entry(key).or_insert_with(|| vec![Vec::new(); runs.len()]);
            row[at].push(summary);
        }
    }
    let mut rows: Vec<GridRow> = tasks.into_values().filter_map(row).collect();
    rows.sort_by(|one, other| natural(&one.task.0, &other.task.0));
    rows
}

fn row(runs: Vec<Vec<&Summary>>) -> Option<GridRow> {
    let all = || runs.iter().flatten();
    let first = all().next()?;
    let cells: Vec<Option<GridCell>> = runs.iter().map(|plays| cell(plays)).collect();
    let scores: Vec<f64> = cells.iter().filter_map(|cell| cell.as_ref()?.score).collect();
    Some(GridRow {
        task: first.task.id.clone(),
        asked: all().find_map(|summary| summary.measured.asked.clone()),
        right: all().find_map(|summary| summary.measured.right.clone()),
        differs: scores.windows(2).any(|two| two[0] != two[1]),
        cells,
    })
}

fn cell(plays: &[&Summary]) -> Option<GridCell> {
    let first = plays.iter().min_by_key(|summary| summary.repeat)?;
    let scores: Option<Vec<f64>> = plays.iter().map(|summary| summary.score).collect();
    let count = saturated(plays.len());
    Some(GridCell {
        play: EpisodeKey::play(&first.task.id, first.repeat),
        answer: first.measured.answer.clone(),
        score: scores.map(|scores| scores.iter().sum::<f64>() / f64::from(count)),
        repeats: count,
    })
}
