//! How long people thought, in runs that a page drives.

use turnwise_shared::prelude::*;
use turnwise_shared::wire::thinking::Thought;

use super::statement::sql;
use super::{Store, StoreError};

impl Store {
    /// Keeps how long people thought; what is said again of a call replaces what was said before.
    pub async fn add_thoughts(&self, run: &RunId, thoughts: &[Thought]) -> Result<(), StoreError> {
        let mut transaction = self.write.begin().await?;
        for thought in thoughts {
            sql!(
                "INSERT INTO thinking (run, episode, call, started, took) VALUES ($1, $2, $3, $4, $5) \
                 ON CONFLICT (run, episode, call) DO UPDATE SET started = $4, took = $5",
                run,
                thought.episode,
                thought.call,
                thought.started,
                thought.took
            )
            .run(&mut *transaction)
            .await?;
        }
        transaction.commit().await
    }

    /// How long people thought, by episode and call; in one episode if one is named.
    pub async fn thoughts(
        &self,
        run: &RunId,
        episode: Option<&EpisodeKey>,
    ) -> Result<Vec<CallTiming>, StoreError> {
        let thoughts: Vec<(EpisodeKey, CallId, u64, u64)> = sql!(
            "SELECT episode, call, started, took FROM thinking \
             WHERE run = $1 AND (CAST($2 AS TEXT) IS NULL OR episode = $2) ORDER BY episode, call",
            run,
            episode
        )
        .all(&self.read)
        .await?;
        let timings = thoughts.into_iter().map(|(episode, call, started, took)| CallTiming {
            episode,
            call,
            timing: Timing { started, took, attempts: 1, ..Timing::default() },
            sent: 1,
            lost: 0,
        });
        Ok(timings.collect())
    }
}
