//! Sweeps: one run over several values of a setting, the same tasks at each.
//!
//! A setting that is written as a list makes a sweep. Every task is then played once for each value: as a task of its own,
//! with the value as a label and at the end of its id (`7` becomes `7-k5`, `7-k10`, `7-k20`). Its digest and its fields stay
//! those of the task, so plays of one task at several values can be recognised as such, and everything that goes by labels
//! (breakdowns, filters, walls) tells the values apart without knowing of sweeps.

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::benchmark::Benchmark;
use crate::run::choose;
use crate::spec::{BadSpec, Spec};
use crate::task::{Task, TaskId, TaskSet};

/// One value of the setting that a run sweeps over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Point {
    /// The setting, and the label of tasks that holds its value, e.g. `rounds`.
    pub setting: &'static str,
    /// What stands for it in ids, e.g. `k`.
    pub mark: char,
    /// The value.
    pub value: u32,
}

impl Point {
    /// The task at this value.
    pub fn place(&self, task: &Task) -> Task {
        let mut placed = task.clone();
        placed.id = TaskId(format!("{}{}", task.id, self.ending()));
        placed.labels.insert(self.setting.to_owned(), self.value.to_string());
        placed
    }

    /// The id of the task that was placed, if it was placed here.
    pub fn original<'a>(&self, id: &'a TaskId) -> Option<&'a str> {
        id.0.strip_suffix(&self.ending())
    }

    /// What stands at the end of the ids of tasks that are placed here.
    pub fn ending(&self) -> String {
        format!("-{}{}", self.mark, self.value)
    }
}

/// The tasks that a run plays: those that its subset names, each at every value of its sweep.
///
/// # Errors
/// If the subset names what is not there, two tasks would have the same id, or they are not plays of one run
/// ([`Spec::check_plays`]).
pub fn tasks(benchmark: &dyn Benchmark, spec: &Spec, set: &TaskSet) -> Result<Vec<Task>, BadSpec> {
    let chosen = choose(set, &spec.subset)?;
    let points = benchmark.points(spec);
    if points.is_empty() {
        spec.check_plays(chosen.len())?;
        return Ok(chosen);
    }
    spec.check_plays(chosen.len().saturating_mul(points.len()))?;
    let placed: Vec<Task> =
        chosen.iter().flat_map(|task| points.iter().map(|point| point.place(task))).collect();
    let mut ids = BTreeSet::new();
    if let Some(twice) = placed.iter().find(|task| !ids.insert(&task.id)) {
        return Err(BadSpec::new(
            format!("settings.{}", points[0].setting),
            format!("in a sweep two tasks would be called {}; rename one of them", twice.id),
        ));
    }
    Ok(placed)
}

/// The id in its set of the task that a transcript of this spec names.
pub fn original(points: &[Point], id: &TaskId) -> TaskId {
    let original = points.iter().find_map(|point| point.original(id));
    original.map_or_else(|| id.clone(), TaskId::from)
}

/// The task that a transcript of this spec names: one of the set, or one of them at a value of the sweep.
pub fn task<'a>(
    benchmark: &dyn Benchmark,
    spec: &Spec,
    set: &'a TaskSet,
    id: &TaskId,
) -> Option<Cow<'a, Task>> {
    let points = benchmark.points(spec);
    if points.is_empty() {
        return set.task(id).map(Cow::Borrowed);
    }
    points.iter().find_map(|point| {
        let original = set.task(&TaskId(point.original(id)?.to_owned()))?;
        Some(Cow::Owned(point.place(original)))
    })
}
