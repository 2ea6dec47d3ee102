//! What stands on a board once: a row itself, and the evidence of which it is made.

use turnwise_shared::prelude::*;
use turnwise_shared::wire::publishing::Entry;

use super::statement::sql;
use super::{Connection, KeptEntry, Store, StoreError};

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
    sql!(
        "SELECT run FROM entries WHERE run = $1 AND left_at IS NULL AND transcripts = $2",
        run,
        transcripts
    )
    .exists(connection)
    .await
}

/// The run on a board whose evidence a row would count once more, if there is one.
pub(super) async fn copied(
    connection: &mut Connection,
    kept: &KeptEntry,
) -> Result<Option<Copied>, StoreError> {
    let Entry { run, board, .. } = &kept.entry;
    let own = sql!("SELECT spec FROM runs WHERE id = $1", run).one(&mut *connection).await?;
    let own = deed_of(own);
    let is_bot = |sitting: &Sitting| matches!(sitting.player, Player::Bot(_));
    if own.seats.values().all(is_bot) {
        let baselines: Vec<(RunId, Spec)> = sql!(
            "SELECT r.id, r.spec FROM entries e JOIN runs r ON r.id = e.run \
             WHERE e.board = $1 AND e.left_at IS NULL AND e.standing = $2 AND e.run <> $3 ORDER BY r.id",
            board,
            EvidenceTier::Baseline,
            run
        )
        .all(&mut *connection)
        .await?;
        for (other, spec) in baselines {
            if deed_of(spec) == own {
                return Ok(Some(Copied::Players(other)));
            }
        }
    } else if kept.is_its_own() {
        // A model that was asked anew may say the same.
        return Ok(None);
    }
    let copied: Option<(u64, RunId)> = sql!(
        "SELECT COUNT(*) AS plays, other.run AS of FROM summaries own \
         JOIN summaries other ON other.play_chain = own.play_chain AND other.run <> own.run \
         JOIN entries e ON e.run = other.run AND e.left_at IS NULL AND e.board = $2 \
         WHERE own.run = $1 GROUP BY other.run ORDER BY COUNT(*) DESC, other.run LIMIT 1",
        run,
        board
    )
    .first(connection)
    .await?;
    Ok(copied.map(|(count, of)| Copied::Plays(count, of)))
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
