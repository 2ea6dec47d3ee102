//! Plays in a few numbers, as they were computed last.

use turnwise_shared::prelude::*;

use super::statement::{FromRow as _, IfReadable, ReadRow as _, rows, sql};
use super::{Row, Store, StoreError, WritePool};

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
        sql!(
            "SELECT play, play_chain, grading_chain, maker FROM summaries WHERE run = $1 ORDER BY play",
            run
        )
        .all(&self.read)
        .await
    }

    /// The next summaries of a run by the names of their episodes, after one of them, as JSON: some, none after the last.
    pub async fn summaries(
        &self,
        run: &RunId,
        after: Option<&EpisodeKey>,
    ) -> Result<Vec<(EpisodeKey, String)>, StoreError> {
        sql!(
            "SELECT play, summary FROM summaries WHERE run = $1 AND play > $2 ORDER BY play LIMIT $3",
            run,
            after.map_or("", EpisodeKey::as_str),
            CHUNK
        )
        .all(&self.read)
        .await
    }

    /// The summary of one episode; `None` if it has none that this program can read.
    pub async fn summary(
        &self,
        run: &RunId,
        play: &EpisodeKey,
    ) -> Result<Option<StoredSummary>, StoreError> {
        let found: Option<Row> = sql!(
            "SELECT play, play_chain, grading_chain, maker, summary FROM summaries WHERE run = $1 AND play = $2",
            run,
            play
        )
        .first(&self.read)
        .await?;
        let Some(row) = found else {
            return Ok(None);
        };
        let IfReadable(summary) = row.read("summary")?;
        let source = Source::from_row(&row)?;
        Ok(summary.map(|summary| StoredSummary { source, summary }))
    }

    /// Keeps a summary in the place of the one before.
    pub async fn set_summary(
        &self,
        run: &RunId,
        StoredSummary { source, summary }: &StoredSummary,
    ) -> Result<(), StoreError> {
        sql!(
            "INSERT INTO summaries (run, play, play_chain, grading_chain, maker, score, summary, task) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8) \
             ON CONFLICT (run, play) DO UPDATE SET \
             play_chain = $3, grading_chain = $4, maker = $5, score = $6, summary = $7, task = $8",
            run,
            source.play,
            source.play_chain,
            source.grading_chain,
            source.maker,
            summary.score,
            summary,
            summary.task.digest
        )
        .run(&self.write)
        .await
    }
}

rows! { Source { play, play_chain, grading_chain, maker } }

/// Says in every summary that an older program kept of which task it is.
pub(super) async fn name_tasks(write: &WritePool) -> Result<(), StoreError> {
    loop {
        let rows: Vec<(RunId, EpisodeKey, IfReadable<Summary>)> =
            sql!("SELECT run, play, summary FROM summaries WHERE task IS NULL LIMIT $1", CHUNK)
                .all(write)
                .await?;
        if rows.is_empty() {
            return Ok(());
        }
        let mut transaction = write.begin().await?;
        for (run, play, summary) in rows {
            // A summary that cannot be read belongs to no task; it is made anew, and then it belongs to one.
            let task = summary.0.map(|summary| summary.task.digest.to_string()).unwrap_or_default();
            sql!("UPDATE summaries SET task = $3 WHERE run = $1 AND play = $2", run, play, task)
                .run(&mut *transaction)
                .await?;
        }
        transaction.commit().await?;
    }
}
