//! Which tasks of a set a run plays.

use crate::dice;
use crate::spec::{BadSpec, Subset};
use crate::task::{Task, TaskSet, label_values};

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
