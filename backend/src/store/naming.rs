//! Names and tags of runs.

use turnwise_shared::key::RunId;

use super::{Store, StoreError};

impl Store {
    /// Keeps another name or other tags of a run; what is `None` stays.
    pub async fn name_run(
        &self,
        run: &RunId,
        title: Option<&str>,
        tags: Option<&[String]>,
    ) -> Result<(), StoreError> {
        sqlx::query(
            "UPDATE runs SET title = COALESCE($2, title), tags = COALESCE($3, tags), named = named + CASE WHEN $2 IS NULL THEN 0 ELSE 1 END WHERE id = $1",
        )
        .bind(run.as_str())
        .bind(title)
        .bind(tags.map(tags_json).transpose()?)
        .execute(&self.write)
        .await?;
        Ok(())
    }
}

/// Tags as they are stored.
pub(super) fn tags_json(tags: &[String]) -> Result<String, StoreError> {
    serde_json::to_string(tags).map_err(|_| StoreError::Unreadable("tags"))
}
