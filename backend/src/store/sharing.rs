//! Who may see a run, and the runs that branch from its episodes.

use std::collections::BTreeMap;

use sqlx::Row as _;
use turnwise_shared::prelude::*;
use turnwise_shared::wire::sharing::Branch;

use super::fixed::is_fixed;
use super::{Reader, Row, RunHead, Store, StoreError, episode, from_db, run_id};

/// The most branches of one episode that are listed.
const BRANCHES: i64 = 200;

impl Store {
    /// A run's head as a reader may see it; `None` if there is none of that id or it is not for this reader. The database decides, so
    /// both take the same time.
    pub async fn run_head_for(
        &self,
        run: &RunId,
        reader: &Reader,
    ) -> Result<Option<RunHead>, StoreError> {
        // A run that grades private plays again would tell them.
        let seen = sqlx::query(
            "SELECT r.id FROM runs r WHERE r.id = $1 AND (r.token = $2 OR (r.visibility <> 'private' \
             AND NOT EXISTS (SELECT 1 FROM runs p WHERE p.id = r.regrades AND p.visibility = 'private')))",
        )
        .bind(run.as_str())
        .bind(reader.word())
        .fetch_optional(&self.read)
        .await?;
        match seen {
            Some(_) => self.run_head(run).await,
            None => Ok(None),
        }
    }

    /// How many branches were opened without an access token.
    pub async fn visitor_branches(&self) -> Result<u64, StoreError> {
        let row = sqlx::query("SELECT COUNT(*) AS branches FROM runs WHERE visitor = 1")
            .fetch_one(&self.read)
            .await?;
        Ok(from_db(row.try_get("branches")?))
    }

    /// Says who may see a run from now on. Returns whether that is so: what a board is made of stays public.
    pub async fn set_visibility(
        &self,
        run: &RunId,
        visibility: Visibility,
    ) -> Result<bool, StoreError> {
        let mut transaction = self.write.begin().await?;
        // A transaction that puts it on a board takes the run's row first, too.
        sqlx::query("UPDATE runs SET bytes = bytes WHERE id = $1")
            .bind(run.as_str())
            .execute(&mut *transaction)
            .await?;
        if visibility != Visibility::Public && is_fixed(&mut transaction, run).await? {
            transaction.rollback().await?;
            return Ok(false);
        }
        sqlx::query("UPDATE runs SET visibility = $2 WHERE id = $1")
            .bind(run.as_str())
            .bind(visibility.name())
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(true)
    }

    /// The public runs that go on from an episode, oldest first.
    pub async fn branches(
        &self,
        run: &RunId,
        play: &EpisodeKey,
    ) -> Result<Vec<Branch>, StoreError> {
        let infos = self.branched_from(run, play, BRANCHES).await?;
        // A branch has one episode.
        let rows = sqlx::query(
            "SELECT s.run, s.play, s.summary FROM summaries s WHERE s.run IN \
             (SELECT id FROM runs WHERE parent = $1 AND parent_episode = $2 AND visibility = 'public' \
             AND state <> 'withdrawn' ORDER BY opened, id LIMIT $3)",
        )
        .bind(run.as_str())
        .bind(play.as_str())
        .bind(BRANCHES)
        .fetch_all(&self.read)
        .await?;
        let mut summaries = BTreeMap::new();
        for row in &rows {
            if let Some((_, summary)) = summary(row) {
                summaries.insert(run_id(row, "run")?, summary);
            }
        }
        let branches = infos.into_iter().map(|info| {
            let (ending, score, answer) = match summaries.remove(&info.run) {
                Some(summary) => (summary.ending, summary.score, summary.measured.answer),
                None => (None, None, None),
            };
            Branch { info, ending, score, answer }
        });
        Ok(branches.collect())
    }

    /// The first summaries of a run by name; those that this program cannot read are left out.
    pub async fn first_summaries(
        &self,
        run: &RunId,
        most: u32,
    ) -> Result<Vec<(EpisodeKey, Summary)>, StoreError> {
        let rows = sqlx::query(
            "SELECT play, summary FROM summaries WHERE run = $1 ORDER BY play LIMIT $2",
        )
        .bind(run.as_str())
        .bind(i64::from(most))
        .fetch_all(&self.read)
        .await?;
        Ok(rows.iter().filter_map(summary).collect())
    }
}

fn summary(row: &Row) -> Option<(EpisodeKey, Summary)> {
    let play = episode(row, "play").ok()?;
    let summary = serde_json::from_str(row.try_get("summary").ok()?).ok()?;
    Some((play, summary))
}
