//! Names and tags of runs.

use turnwise_shared::key::RunId;

use super::statement::sql;
use super::{Store, StoreError};

impl Store {
    /// Keeps another name or other tags of a run; what is `None` stays.
    pub async fn name_run(
        &self,
        run: &RunId,
        title: Option<&str>,
        tags: Option<&[String]>,
    ) -> Result<(), StoreError> {
        sql!(
            "UPDATE runs SET title = COALESCE($2, title), tags = COALESCE($3, tags), \
             named = named + CASE WHEN $2 IS NULL THEN 0 ELSE 1 END WHERE id = $1",
            run,
            title,
            tags
        )
        .run(&self.write)
        .await
    }
}
