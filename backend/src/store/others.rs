//! How everybody else did on the same task.

use sqlx::Row as _;
use turnwise_shared::prelude::*;

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
        let rows = sqlx::query(PLAYS)
            .bind(benchmark)
            .bind(beside.as_str())
            .bind(RUNS)
            .bind(task.to_string())
            .fetch_all(&self.read)
            .await?;
        let mut plays = Vec::with_capacity(rows.len());
        for row in &rows {
            let spec = serde_json::from_str::<Spec>(row.try_get("spec")?);
            let summary = serde_json::from_str::<Summary>(row.try_get("summary")?);
            if let (Ok(spec), Ok(summary)) = (spec, summary) {
                plays.push((spec, summary));
            }
        }
        Ok(plays)
    }
}
