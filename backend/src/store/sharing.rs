//! Who may see a run, and the runs that branch from its episodes.

use std::collections::BTreeMap;

use turnwise_shared::prelude::*;
use turnwise_shared::wire::sharing::Branch;

use super::fixed::is_fixed;
use super::statement::{IfReadable, sql};
use super::{Reader, RunHead, Store, StoreError};

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
        let seen = sql!(
            "SELECT r.id FROM runs r WHERE r.id = $1 AND (r.token = $2 OR (r.visibility <> 'private' \
             AND NOT EXISTS (SELECT 1 FROM runs p WHERE p.id = r.regrades AND p.visibility = 'private')))",
            run,
            reader.word()
        );
        match seen.exists(&self.read).await? {
            true => self.run_head(run).await,
            false => Ok(None),
        }
    }

    /// How many branches were opened without an access token.
    pub async fn visitor_branches(&self) -> Result<u64, StoreError> {
        sql!("SELECT COUNT(*) AS branches FROM runs WHERE visitor = 1").one(&self.read).await
    }

    /// Says who may see a run from now on. Returns whether that is so: what a board is made of stays public.
    pub async fn set_visibility(
        &self,
        run: &RunId,
        visibility: Visibility,
    ) -> Result<bool, StoreError> {
        let mut transaction = self.write.begin().await?;
        // A transaction that puts it on a board takes the run's row first, too.
        sql!("UPDATE runs SET bytes = bytes WHERE id = $1", run).run(&mut *transaction).await?;
        if visibility != Visibility::Public && is_fixed(&mut transaction, run).await? {
            return transaction.rolled_back(false).await;
        }
        sql!("UPDATE runs SET visibility = $2 WHERE id = $1", run, visibility)
            .run(&mut *transaction)
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
        let summaries: Vec<(RunId, IfReadable<Summary>)> = sql!(
            "SELECT s.run, s.summary FROM summaries s WHERE s.run IN \
             (SELECT id FROM runs WHERE parent = $1 AND parent_episode = $2 AND visibility = 'public' \
             AND state <> 'withdrawn' ORDER BY opened, id LIMIT $3)",
            run,
            play,
            BRANCHES
        )
        .all(&self.read)
        .await?;
        let summaries = summaries.into_iter();
        let mut summaries: BTreeMap<RunId, Summary> =
            summaries.filter_map(|(run, summary)| Some((run, summary.0?))).collect();
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
        let summaries: Vec<(EpisodeKey, IfReadable<Summary>)> = sql!(
            "SELECT play, summary FROM summaries WHERE run = $1 ORDER BY play LIMIT $2",
            run,
            most
        )
        .all(&self.read)
        .await?;
        let summaries = summaries.into_iter();
        Ok(summaries.filter_map(|(play, summary)| Some((play, summary.0?))).collect())
    }
}
