//! What happened to a run that no transcript of its shows: continuations that were left, and calls that were lost.

use turnwise_shared::key::{PartKey, RunId};

use super::statement::sql;
use super::{Store, StoreError};

impl Store {
    /// How many continuations of a run's transcripts were left.
    pub async fn left_continuations(&self, run: &RunId, part: PartKey) -> Result<u64, StoreError> {
        sql!(
            "SELECT COUNT(*) AS count FROM (SELECT DISTINCT episode, chain FROM left_parts WHERE run = $1 AND episode LIKE $2) l",
            run,
            of_part(part)
        )
        .one(&self.read)
        .await
    }

    /// How many calls of a part of a run were sent whose answer is unknown: a server went away in between, or they
    /// are on their way still.
    pub async fn lost_calls(&self, run: &RunId, part: PartKey) -> Result<u64, StoreError> {
        sql!(
            "SELECT CAST(COALESCE(SUM(lost + CASE WHEN timing IS NULL THEN 1 ELSE 0 END), 0) AS BIGINT) AS count \
             FROM ledger WHERE run = $1 AND episode LIKE $2",
            run,
            of_part(part)
        )
        .one(&self.read)
        .await
    }

    /// When the last call of a part of a run was sent to another, in milliseconds since 1970; `None` if none was.
    pub async fn last_sent(&self, run: &RunId, part: PartKey) -> Result<Option<u64>, StoreError> {
        sql!(
            "SELECT MAX(sent_at) AS last FROM ledger WHERE run = $1 AND episode LIKE $2",
            run,
            of_part(part)
        )
        .one(&self.read)
        .await
    }
}

/// Which episodes are of a part, for SQL.
fn of_part(part: PartKey) -> &'static str {
    match part {
        PartKey::Play => "%.play",
        PartKey::Grading => "%.grading",
    }
}
