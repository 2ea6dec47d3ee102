//! Plays in a few numbers, as they were computed last.

use sqlx::Row as _;
use turnwise_shared::prelude::*;

use super::{Real, Row, Store, StoreError, WritePool, digest, episode};

/// Summaries that are looked at in one go.
const CHUNK: i64 = 500;

/// A summary, and from what it was computed.
#[derive(Debug, Clone)]
pub struct StoredSummary {
    pub source: Source,
    pub summary: Summary,
}

/// From what a summary was computed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    pub play: EpisodeKey,
    /// The end of the episode's transcript.
    pub play_chain: Digest,
    /// The end of the grading's transcript, if one was stored.
    pub grading_chain: Option<Digest>,
    /// The program that computed it.
    pub maker: String,
}

impl Store {
    /// From what the summaries of a run were computed, by the names of their episodes.
    pub async fn sources(&self, run: &RunId) -> Result<Vec<Source>, StoreError> {
        let rows = sqlx::query(
            "SELECT play, play_chain, grading_chain, maker FROM summaries WHERE run = $1 ORDER BY play",
        )
        .bind(run.as_str())
        .fetch_all(&self.read)
        .await?;
        rows.iter().map(source).collect()
    }

    /// The next summaries of a run by the names of their episodes, after one of them, as JSON: some, none after the last.
    pub async fn summaries(
        &self,
        run: &RunId,
        after: Option<&EpisodeKey>,
    ) -> Result<Vec<(EpisodeKey, String)>, StoreError> {
        let rows = sqlx::query(
            "SELECT play, summary FROM summaries WHERE run = $1 AND play > $2 ORDER BY play LIMIT $3",
        )
        .bind(run.as_str())
        .bind(after.map_or("", EpisodeKey::as_str))
        .bind(CHUNK)
        .fetch_all(&self.read)
        .await?;
        rows.iter().map(|row| Ok((episode(row, "play")?, row.try_get("summary")?))).collect()
    }

    /// The summary of one episode; `None` if it has none that this program can read.
    pub async fn summary(
        &self,
        run: &RunId,
        play: &EpisodeKey,
    ) -> Result<Option<StoredSummary>, StoreError> {
        let row = sqlx::query(
            "SELECT play, play_chain, grading_chain, maker, summary FROM summaries WHERE run = $1 AND play = $2",
        )
        .bind(run.as_str())
        .bind(play.as_str())
        .fetch_optional(&self.read)
        .await?;
        row.as_ref().map_or(Ok(None), read)
    }

    /// Keeps a summary in the place of the one before.
    pub async fn set_summary(
        &self,
        run: &RunId,
        StoredSummary { source, summary }: &StoredSummary,
    ) -> Result<(), StoreError> {
        let json =
            serde_json::to_string(summary).map_err(|_| StoreError::Unreadable("a summary"))?;
        sqlx::query(
            "INSERT INTO summaries (run, play, play_chain, grading_chain, maker, score, summary, task) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8) \
             ON CONFLICT (run, play) DO UPDATE SET \
             play_chain = $3, grading_chain = $4, maker = $5, score = $6, summary = $7, task = $8",
        )
        .bind(run.as_str())
        .bind(source.play.as_str())
        .bind(source.play_chain.to_string())
        .bind(source.grading_chain.map(|chain| chain.to_string()))
        .bind(&source.maker)
        .bind(Real(summary.score))
        .bind(json)
        .bind(summary.task.digest.to_string())
        .execute(&self.write)
        .await?;
        Ok(())
    }
}

/// A row; `None` if this program cannot read the numbers in it.
fn read(row: &Row) -> Result<Option<StoredSummary>, StoreError> {
    let Ok(summary) = serde_json::from_str(row.try_get("summary")?) else {
        return Ok(None);
    };
    Ok(Some(StoredSummary { source: source(row)?, summary }))
}

fn source(row: &Row) -> Result<Source, StoreError> {
    Ok(Source {
        play: episode(row, "play")?,
        play_chain: digest(row, "play_chain")?,
        grading_chain: row
            .try_get::<Option<&str>, _>("grading_chain")?
            .map(|_| digest(row, "grading_chain"))
            .transpose()?,
        maker: row.try_get("maker")?,
    })
}

/// Says in every summary that an older program kept of which task it is.
pub(super) async fn name_tasks(write: &WritePool) -> Result<(), StoreError> {
    loop {
        let rows =
            sqlx::query("SELECT run, play, summary FROM summaries WHERE task IS NULL LIMIT $1")
                .bind(CHUNK)
                .fetch_all(write)
                .await?;
        if rows.is_empty() {
            return Ok(());
        }
        let mut transaction = write.begin().await?;
        for row in &rows {
            // A summary that cannot be read belongs to no task; it is made anew, and then it belongs to one.
            let task = serde_json::from_str::<Summary>(row.try_get("summary")?)
                .map(|summary| summary.task.digest.to_string())
                .unwrap_or_default();
            sqlx::query("UPDATE summaries SET task = $3 WHERE run = $1 AND play = $2")
                .bind(row.try_get::<&str, _>("run")?)
                .bind(row.try_get::<&str, _>("play")?)
                .bind(task)
                .execute(&mut *transaction)
                .await?;
        }
        transaction.commit().await?;
    }
}
