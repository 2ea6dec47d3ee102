//! What stands on a board once: a row itself, and the evidence of which it is made.

use sqlx::Row as _;
use turnwise_shared::prelude::*;
use turnwise_shared::wire::publishing::Entry;

use super::{Connection, KeptEntry, Row, Store, StoreError, from_db, run_id};

/// How a run is what another one is already.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Copied {
    /// This number of its episodes are, to the letter, those of the other.
    Plays(u64, RunId),
    /// The same built-in players play the same in it, from the same seed.
    Players(RunId),
}

impl Store {
    /// The run on a board whose evidence a row would count once more, if there is one.
    pub async fn copied(&self, kept: &KeptEntry) -> Result<Option<Copied>, StoreError> {
        copied(&mut *self.read.acquire().await?, kept).await
    }
}

/// Whether a row stands on its board over these transcripts.
pub(super) async fn stands_over(
    connection: &mut Connection,
    run: &RunId,
    transcripts: &Digest,
) -> Result<bool, StoreError> {
    let row = sqlx::query(
        "SELECT run FROM entries WHERE run = $1 AND left_at IS NULL AND transcripts = $2",
    )
    .bind(run.as_str())
    .bind(transcripts.to_string())
    .fetch_optional(connection)
    .await?;
    Ok(row.is_some())
}

/// The run on a board whose evidence a row would count once more, if there is one.
pub(super) async fn copied(
    connection: &mut Connection,
    kept: &KeptEntry,
) -> Result<Option<Copied>, StoreError> {
    let Entry { run, board, .. } = &kept.entry;
    let own = sqlx::query("SELECT spec FROM runs WHERE id = $1")
        .bind(run.as_str())
        .fetch_one(&mut *connection)
        .await?;
    let own = deed(&own)?;
    let is_bot = |sitting: &Sitting| matches!(sitting.player, Player::Bot(_));
    if own.seats.values().all(is_bot) {
        let baselines = sqlx::query(
            "SELECT r.id, r.spec FROM entries e JOIN runs r ON r.id = e.run \
             WHERE e.board = $1 AND e.left_at IS NULL AND e.standing = $2 AND e.run <> $3 ORDER BY r.id",
        )
        .bind(board.to_string())
        .bind(EvidenceTier::Baseline.name())
        .bind(run.as_str())
        .fetch_all(&mut *connection)
        .await?;
        for row in &baselines {
            if deed(row)? == own {
                return Ok(Some(Copied::Players(run_id(row, "id")?)));
            }
        }
    } else if kept.is_its_own() {
        // A model that was asked anew may say the same.
        return Ok(None);
    }
    let row = sqlx::query(
        "SELECT other.run AS of, COUNT(*) AS plays FROM summaries own \
         JOIN summaries other ON other.play_chain = own.play_chain AND other.run <> own.run \
         JOIN entries e ON e.run = other.run AND e.left_at IS NULL AND e.board = $2 \
         WHERE own.run = $1 GROUP BY other.run ORDER BY COUNT(*) DESC, other.run LIMIT 1",
    )
    .bind(run.as_str())
    .bind(board.to_string())
    .fetch_optional(connection)
    .await?;
    row.map(|row| {
        let count = from_db(row.try_get("plays")?);
        Ok(Copied::Plays(count, run_id(&row, "of")?))
    })
    .transpose()
}

/// The deed of the run in a row.
fn deed(row: &Row) -> Result<Spec, StoreError> {
    let spec = serde_json::from_str(row.try_get("spec")?);
    spec.map(deed_of).map_err(|_| StoreError::Unreadable("a run's spec"))
}

/// What built-in players do in a run follows from its spec, but not from what things are called there, nor from how models would be
/// sampled in their seats; and how often they do it makes it no other evidence.
fn deed_of(mut spec: Spec) -> Spec {
    spec.repeats = 1;
    spec.tasks.name.clear();
    spec.pack.name.clear();
    for sitting in spec.seats.values_mut() {
        sitting.sampling = Sampling::default();
    }
    // The reference code draws from names, too.
    if let (Profile::Strict, Some(settings)) = (spec.profile, spec.settings.as_object_mut()) {
        settings.remove("names");
    }
    spec
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use turnwise_shared::benchmark::default_spec;
    use turnwise_shared::{examples, registry};

    use super::*;

    #[test]
    fn other_names_and_samplings_make_no_other_deed() {
        let game = registry::find(examples::GAME).expect("it is one of ours");
        let spec = default_spec(game);
        let mut renamed = spec.clone();
        renamed.repeats = 3;
        renamed.tasks.name = "others".to_owned();
        renamed.pack.name = "others".to_owned();
        renamed.settings["names"] = json!({ "1": "Somebody else" });
        for sitting in renamed.seats.values_mut() {
            sitting.sampling.temperature = Some(0.5);
        }
        assert_eq!(deed_of(renamed), deed_of(spec.clone()));
        let mut other = spec.clone();
        other.seed += 1;
        assert_ne!(deed_of(other), deed_of(spec));
    }
}
