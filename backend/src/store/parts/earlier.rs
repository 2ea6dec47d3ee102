//! Transcripts as earlier versions of the program kept them (tables `pieces` and `packed`) become parts when it starts.

use std::collections::BTreeMap;

use sqlx::Row as _;
use turnwise_shared::run::EpisodeKey;
use turnwise_shared::wire::RunId;

use super::super::blobs::Blobs as _;
use super::super::packing::Recipe;
use super::super::{Connection, Pool, StoreError, episode, run_id, to_db};
use super::{add, failures, pack, utf8};

/// Makes parts of everything that is kept otherwise. What is done stays done if it is broken off.
///
/// # Errors
/// [`StoreError`]
pub async fn into_parts(write: &Pool) -> Result<(), StoreError> {
    loop {
        let row = sqlx::query(
            "SELECT run, episode FROM packed UNION SELECT run, episode FROM pieces LIMIT 1",
        )
        .fetch_optional(write)
        .await?;
        let Some(row) = row else {
            return Ok(());
        };
        let (run, episode) = (run_id(&row, "run")?, episode(&row, "episode")?);
        let mut transaction = write.begin().await?;
        // The row is locked by this: another server may start at the same time.
        sqlx::query("UPDATE episodes SET cuts = cuts WHERE run = $1 AND episode = $2")
            .bind(run.as_str())
            .bind(episode.as_str())
            .execute(&mut *transaction)
            .await?;
        let text = take(&mut transaction, &run, &episode).await?;
        if let Some(text) = text {
            let failed = failures(&text, 0);
            add(&mut transaction, (&run, &episode), (0, 0), &text, &failed).await?;
            sqlx::query("UPDATE episodes SET bytes = $3 WHERE run = $1 AND episode = $2")
                .bind(run.as_str())
                .bind(episode.as_str())
                .bind(to_db(text.len() as u64))
                .execute(&mut *transaction)
                .await?;
        }
        transaction.commit().await?;
        pack::pack([write, write], (&run, &episode), true).await?;
    }
}

/// Takes a transcript out of the old tables; `None` if somebody else has.
async fn take(
    connection: &mut Connection,
    run: &RunId,
    episode: &EpisodeKey,
) -> Result<Option<String>, StoreError> {
    let rows = sqlx::query(
        "SELECT k.recipe, p.text FROM episodes e \
         LEFT JOIN packed k ON k.run = e.run AND k.episode = e.episode \
         LEFT JOIN pieces p ON p.run = e.run AND p.episode = e.episode \
         WHERE e.run = $1 AND e.episode = $2 ORDER BY p.line",
    )
    .bind(run.as_str())
    .bind(episode.as_str())
    .fetch_all(&mut *connection)
    .await?;
    let mut text = Vec::new();
    if let Some(first) = rows.first()
        && let Some(recipe) = first.try_get::<Option<&str>, _>("recipe")?
    {
        let recipe: Recipe = serde_json::from_str(recipe)
            .map_err(|_| StoreError::Unreadable("a packed transcript"))?;
        let needs = recipe.needs();
        let blobs = match needs.is_empty() {
            true => BTreeMap::new(),
            false => connection.fetch(&needs).await?,
        };
        text = recipe.text(&blobs)?;
    }
    for row in &rows {
        let piece = row.try_get::<Option<&str>, _>("text")?;
        text.extend_from_slice(piece.unwrap_or_default().as_bytes());
    }
    let mut gone = 0;
    for delete in [
        "DELETE FROM packed WHERE run = $1 AND episode = $2",
        "DELETE FROM pieces WHERE run = $1 AND episode = $2",
    ] {
        gone += sqlx::query(delete)
            .bind(run.as_str())
            .bind(episode.as_str())
            .execute(&mut *connection)
            .await?
            .rows_affected();
    }
    match gone {
        0 => Ok(None),
        _ => utf8(text).map(Some),
    }
}
