//! Plays in a few numbers, as they were computed last.

use sqlx::Row as _;
use turnwise_shared::hash::Digest;
use turnwise_shared::metrics::summary::Summary;
use turnwise_shared::run::EpisodeKey;
use turnwise_shared::wire::RunId;

use super::{Real, Store, StoreError, digest, episode};

/// A summary, and from what it was computed.
#[derive(Debug, Clone)]
pub struct StoredSummary {
    /// The play.
    pub play: EpisodeKey,
    /// The end of the play's transcript.
    pub play_chain: Digest,
    /// The end of the grading's transcript, if one was stored.
    pub grading_chain: Option<Digest>,
    /// The program that computed it.
    pub maker: String,
    /// The numbers.
    pub summary: Summary,
}

impl Store {
    /// The summaries of a run. Those that this program cannot read are left out: they will be made anew.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn summaries(&self, run: &RunId) -> Result<Vec<StoredSummary>, StoreError> {
        let rows = sqlx::query(
            "SELECT play, play_chain, grading_chain, maker, summary FROM summaries WHERE run = $1 ORDER BY play",
        )
        .bind(run.as_str())
        .fetch_all(&self.read)
        .await?;
        let mut summaries = Vec::with_capacity(rows.len());
        for row in &rows {
            let Ok(summary) = serde_json::from_str(row.try_get("summary")?) else {
                continue;
            };
            summaries.push(StoredSummary {
                play: episode(row, "play")?,
                play_chain: digest(row, "play_chain")?,
                grading_chain: row
                    .try_get::<Option<&str>, _>("grading_chain")?
                    .map(|_| digest(row, "grading_chain"))
                    .transpose()?,
                maker: row.try_get("maker")?,
                summary,
            });
        }
        Ok(summaries)
    }

    /// Keeps a summary in the place of the one before.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn set_summary(
        &self,
        run: &RunId,
        summary: &StoredSummary,
    ) -> Result<(), StoreError> {
        let json = serde_json::to_string(&summary.summary)
            .map_err(|_| StoreError::Unreadable("a summary"))?;
        sqlx::query(
            "INSERT INTO summaries (run, play, play_chain, grading_chain, maker, score, summary) \
             VALUES ($1, $2, $3, $4, $5, $6, $7) \
             ON CONFLICT (run, play) DO UPDATE SET \
             play_chain = $3, grading_chain = $4, maker = $5, score = $6, summary = $7",
        )
        .bind(run.as_str())
        .bind(summary.play.as_str())
        .bind(summary.play_chain.to_string())
        .bind(summary.grading_chain.map(|chain| chain.to_string()))
        .bind(&summary.maker)
        .bind(Real(summary.summary.score))
        .bind(json)
        .execute(&self.write)
        .await?;
        Ok(())
    }
}
