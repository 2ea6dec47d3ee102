//! How long people thought, in runs that a page drives.

use sqlx::Row as _;
use turnwise_shared::prelude::*;
use turnwise_shared::wire::thinking::Thought;

use super::{Store, StoreError, episode, from_db, small, to_db};

impl Store {
    /// Keeps how long people thought; what is said again of a call replaces what was said before.
    pub async fn add_thoughts(&self, run: &RunId, thoughts: &[Thought]) -> Result<(), StoreError> {
        let mut transaction = self.write.begin().await?;
        for thought in thoughts {
            sqlx::query(
                "INSERT INTO thinking (run, episode, call, started, took) VALUES ($1, $2, $3, $4, $5) \
                 ON CONFLICT (run, episode, call) DO UPDATE SET started = $4, took = $5",
            )
            .bind(run.as_str())
            .bind(thought.episode.as_str())
            .bind(i64::from(thought.call.0))
            .bind(to_db(thought.started))
            .bind(to_db(thought.took))
            .execute(&mut *transaction)
            .await?;
        }
        transaction.commit().await?;
        Ok(())
    }

    /// How long people thought, by episode and call; in one episode if one is named.
    pub async fn thoughts(
        &self,
        run: &RunId,
        episode: Option<&EpisodeKey>,
    ) -> Result<Vec<CallTiming>, StoreError> {
        sqlx::query(
            "SELECT episode, call, started, took FROM thinking \
             WHERE run = $1 AND (CAST($2 AS TEXT) IS NULL OR episode = $2) ORDER BY episode, call",
        )
        .bind(run.as_str())
        .bind(episode.map(EpisodeKey::as_str))
        .fetch_all(&self.read)
        .await?
        .iter()
        .map(|row| {
            Ok(CallTiming {
                episode: self::episode(row, "episode")?,
                call: CallId(small(row, "call")?),
                timing: Timing {
                    started: from_db(row.try_get("started")?),
                    took: from_db(row.try_get("took")?),
                    attempts: 1,
                    ..Timing::default()
                },
                sent: 1,
                lost: 0,
            })
        })
        .collect()
    }
}
