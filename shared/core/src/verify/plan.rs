//! Which episodes a run has by its spec.

use std::collections::BTreeMap;

use super::{Check, Material, Verifier, Wrong};
use crate::benchmark::Benchmark;
use crate::episode::Outcome;
use crate::key::{EpisodeKey, PartKey};
use crate::spec::Spec;
use crate::sweep;
use crate::task::TaskId;

/// The episodes of a spec, if the material is what it names.
pub(super) fn plan(
    benchmark: &dyn Benchmark,
    spec: &Spec,
    material: Material<'_>,
) -> Result<BTreeMap<EpisodeKey, TaskId>, Wrong> {
    let wrong = |why: &str| Wrong::whole(Check::Material, why);
    if material.tasks.digest != spec.tasks.digest {
        return Err(wrong("its tasks are others than those that are here"));
    }
    if material.pack.digest() != spec.pack.digest {
        return Err(wrong("its prompt pack is another one than that which is here"));
    }
    let played =
        sweep::tasks(benchmark, spec, material.tasks).map_err(|bad| wrong(&bad.to_string()))?;
    let mut planned = BTreeMap::new();
    for repeat in 1..=spec.repeats {
        for task in &played {
            planned.insert(EpisodeKey::play(&task.id, repeat), task.id.clone());
        }
    }
    Ok(planned)
}

impl Verifier<'_> {
    /// Every planned episode is there, complete, and where it is graded it has a verdict: one without a verdict would else
    /// be left out of the numbers.
    ///
    /// # Errors
    /// The first that is not.
    pub(super) fn all_are_there(&self) -> Result<(), Wrong> {
        let ended: BTreeMap<&EpisodeKey, &Outcome> =
            self.plays.values().map(|(key, outcome)| (key, outcome)).collect();
        for key in self.planned.keys() {
            let wrong = |why: &str| Wrong::at(Check::Plan, key, None, why);
            let outcome = ended.get(key).ok_or_else(|| wrong("this episode is missing"))?;
            if !outcome.is_complete() {
                return Err(wrong("this episode is incomplete; take the run up again"));
            }
            if !self.needs_grading(key, outcome) {
                continue;
            }
            let grading =
                self.gradings.get(&key.grading()).ok_or_else(|| wrong("its grading is missing"))?;
            if grading.verdict().is_none() {
                let why =
                    format!("its grading brought no verdict ({}); grade it again", grading.ending);
                return Err(Wrong::at(Check::Plan, &key.grading(), None, why));
            }
        }
        Ok(())
    }

    fn needs_grading(&self, key: &EpisodeKey, outcome: &Outcome) -> bool {
        let Some(Material { tasks, pack }) = self.material else {
            return false;
        };
        let benchmark = self.benchmark;
        let Some(task) = self.planned.get(key) else {
            return false;
        };
        // Where no grading is there, it is not recorded yet for whom a recording speaks; who grades does not depend on it.
        let table = self.tables.get(&self.table_of(PartKey::Grading));
        let spec = table.map_or(self.spec, |table| &table.spec);
        let task = sweep::task(benchmark, spec, tasks, task);
        task.is_some_and(|task| matches!(benchmark.grade(spec, &task, pack, outcome), Ok(Some(_))))
    }
}
