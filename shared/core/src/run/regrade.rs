//! Grading finished episodes again, with another grader: a run of grading episodes alone (ARCHITECTURE.md, rule 4).

use crate::key::EpisodeKey;
use crate::run::{Ingredients, Run};
use crate::spec::{BadSpec, Spec};
use crate::transcript::{Origin, Transcript};

impl Run {
    /// Plans gradings of these episodes and nothing else. The spec is that of the episodes but for the seats that grade. Plays that
    /// are not complete, and those that need no grading under it, are left out: they keep what they have.
    ///
    /// # Errors
    /// If the spec cannot be run, an episode was played under a spec that differs in more than the seats that grade, or its task
    /// is not at hand.
    pub fn regrading(
        ingredients: Ingredients,
        plays: impl IntoIterator<Item = Transcript>,
    ) -> Result<Self, BadSpec> {
        let mut run = Run::without_episodes(ingredients)?;
        for play in plays {
            run.plan_grading(play)?;
        }
        Ok(run)
    }

    fn plan_grading(&mut self, play: Transcript) -> Result<(), BadSpec> {
        let key = EpisodeKey::play(&play.header.task.id, play.header.repeat);
        let seats = self.table.benchmark.grading_seats();
        if !grades_alike(&self.table.spec, &play.header.spec, seats) {
            let problem = format!(
                "{key} was played under a spec that differs in more than the seat {}",
                seats.join(" or ")
            );
            return Err(BadSpec::new("spec", problem));
        }
        let task = self
            .tasks
            .iter()
            .position(|task| {
                task.id == play.header.task.id && task.digest == play.header.task.digest
            })
            .ok_or_else(|| {
                BadSpec::new(
                    "tasks",
                    format!("the task of {key} is not in this set, or is another one"),
                )
            })?;
        let Some(outcome) = play.outcome().filter(|outcome| outcome.is_complete()) else {
            return Ok(());
        };
        if play.header.origin == Origin::Imported || !self.needs_grading(task, outcome) {
            return Ok(());
        }
        let slot = self.add(key.grading(), task, play.header.repeat);
        self.plays.insert(slot, play);
        self.scheduler.add(slot);
        self.progress.planned += 1;
        Ok(())
    }
}

/// Whether two specs differ in the seats that grade at most.
pub fn grades_alike(one: &Spec, other: &Spec, seats: &[&str]) -> bool {
    without_seats(one, seats) == without_seats(other, seats)
}

/// A spec without players in these seats.
pub fn without_seats(spec: &Spec, seats: &[&str]) -> Spec {
    let mut spec = spec.clone();
    spec.seats.retain(|seat, _| !seats.contains(&seat.as_str()));
    spec
}
