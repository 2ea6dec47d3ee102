//! Sweeps: one run over several values of a setting, the same tasks at each.
//!
//! A setting that is written as a list makes a sweep. Every task is then played once for each value: as a task of its own,
//! with the value as a label and at the end of its id (`7` becomes `7-k5`, `7-k10`, `7-k20`). Its digest and its fields stay
//! those of the task, so plays of one task at several values can be recognised as such, and everything that goes by labels
//! (breakdowns, filters, walls) tells the values apart without knowing of sweeps.

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::benchmark::Benchmark;
use crate::dice;
use crate::spec::{BadSpec, Spec, Subset};
use crate::task::{Task, TaskId, TaskSet, label_values};

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

/// The tasks that a subset names, in the set's order.
///
/// # Errors
/// If an id is not in the set, a label has no such value, or nothing is left.
pub fn choose(tasks: &TaskSet, subset: &Subset) -> Result<Vec<Task>, BadSpec> {
    for id in &subset.ids {
        if tasks.task(id).is_none() {
            return Err(BadSpec::new(
                "subset.ids",
                format!("{} has no task with the id {id}", tasks.name),
            ));
        }
    }
    let mut chosen: Vec<&Task> = tasks
        .tasks
        .iter()
        .filter(|task| subset.ids.is_empty() || subset.ids.contains(&task.id))
        .filter(|task| {
            subset.labels.iter().all(|(label, values)| {
                values.is_empty()
                    || task.labels.get(label).is_some_and(|value| is_in(value, values))
            })
        })
        .collect();
    if let Some(random) = &subset.random {
        let below = u32::try_from(chosen.len()).unwrap_or(u32::MAX);
        let mut numbers = dice::draw(random.seed, "subset", below, random.count);
        numbers.sort_unstable();
        chosen = numbers
            .into_iter()
            .filter_map(|number| chosen.get(usize::try_from(number).ok()?).copied())
            .collect();
    }
    if let Some(first) = subset.first {
        chosen.truncate(usize::try_from(first).unwrap_or(usize::MAX));
    }
    if chosen.is_empty() {
        return Err(BadSpec::new(
            "subset",
            format!("no task of {} fits; widen the choice", tasks.name),
        ));
    }
    Ok(chosen.into_iter().cloned().collect())
}

/// Whether a label has one of these values, as a whole or among several.
fn is_in(label: &str, values: &[String]) -> bool {
    let is_wanted = |value: &str| values.iter().any(|wanted| wanted == value);
    is_wanted(label) || label_values(label).any(is_wanted)
}
