//! How everybody else did on the same task.

use turnwise_shared::prelude::*;

use super::statement::{IfReadable, sql};
use super::{Store, StoreError};

/// The most runs that are looked through, newest first.
const RUNS: i64 = 300;

/// Benchmark, run that is left out, how many runs, task.
pub(super) const PLAYS: &str = "SELECT r.spec, s.summary FROM summaries s JOIN \
     (SELECT id, spec FROM runs WHERE benchmark = $1 AND id <> $2 AND regrades IS NULL AND parent IS NULL \
      AND visibility <> 'private' AND state = 'closed' AND refused IS NULL \
      AND NOT EXISTS (SELECT 1 FROM live l WHERE l.run = runs.id AND l.ended IS NULL) \
      ORDER BY opened DESC LIMIT $3) r ON r.id = s.run \
     WHERE s.score IS NOT NULL AND s.task = $4";

impl Store {
    /// The scored episodes of a task in other runs of its benchmark that are over and not private, branches, gradings of
    /// others and runs that contradict themselves left out: each with its run's spec. What this program cannot read is passed over.
    pub async fn plays_of_task(
        &self,
        benchmark: &str,
        task: &Digest,
        beside: &RunId,
    ) -> Result<Vec<(Spec, Summary)>, StoreError> {
        let plays: Vec<(IfReadable<Spec>, IfReadable<Summary>)> =
            sql!(PLAYS, benchmark, beside, RUNS, task).all(&self.read).await?;
        Ok(plays.into_iter().filter_map(|(spec, summary)| spec.0.zip(summary.0)).collect())
    }
}
