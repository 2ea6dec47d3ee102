//! Transcripts: a head each, and their text in the pieces in which it came; packed once the episode has ended.

use std::collections::{BTreeMap, BTreeSet};

use sqlx::Row as _;
use turnwise_shared::hash::Digest;
use turnwise_shared::run::EpisodeKey;
use turnwise_shared::wire::{EpisodeHead, RunId};

use super::blobs::{Blob, Blobs as _};
use super::driving::{self, Hold};
use super::packing::{self, Recipe};
use super::publishing::is_fixed;
use super::{Connection, Row, Store, StoreError, digest, episode, from_db, to_db};

/// Where a stored transcript ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    /// Lines stored.
    pub lines: u64,
    /// The chain value after the last.
    pub chain: Digest,
}

/// A transcript goes on.
#[derive(Debug)]
pub struct Change<'a> {
    /// Where it ended when this was decided; `None` = it was not there.
    pub before: Option<Head>,
    /// The number of the first new line.
    pub from: u64,
    /// The text before `from`, and the text that stood after it until now; only where `from` lies before the end.
    pub cut: Option<(&'a str, &'a str)>,
    /// The new lines, each with its line break.
    pub added: &'a str,
    /// Where it ends now.
    pub after: Head,
    /// The size of the whole text now.
    pub bytes: u64,
    /// How the episode ended, if it has.
    pub ending: Option<&'a str>,
    /// Milliseconds since 1970.
    pub now: u64,
}

/// What became of a [`Change`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Changed {
    /// It is kept.
    Kept,
    /// The transcript has gone on otherwise in the meantime; nothing is kept.
    Meanwhile,
    /// Somebody else drives the run; nothing is kept.
    DrivenElsewhere,
    /// A row stands on a board that says what the transcripts are; nothing is kept.
    Published,
}

impl Store {
    /// The heads of a run's transcripts, by name.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn heads(&self, run: &RunId) -> Result<Vec<EpisodeHead>, StoreError> {
        heads(&mut *self.read.acquire().await?, run).await
    }

    /// The value of the chain at the end of a transcript; `None` if there is none.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn chain(
        &self,
        run: &RunId,
        episode: &EpisodeKey,
    ) -> Result<Option<Digest>, StoreError> {
        let row = sqlx::query("SELECT chain FROM episodes WHERE run = $1 AND episode = $2")
            .bind(run.as_str())
            .bind(episode.as_str())
            .fetch_optional(&self.read)
            .await?;
        row.map(|row| digest(&row, "chain")).transpose()
    }

    /// A transcript's text and head; `None` if there is none.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn transcript(
        &self,
        run: &RunId,
        episode: &EpisodeKey,
    ) -> Result<Option<(String, Head)>, StoreError> {
        // One statement, so that text and head belong together; blobs never change.
        let rows = sqlx::query(
            "SELECT e.episode, e.lines, e.chain, k.recipe, p.text FROM episodes e \
             LEFT JOIN packed k ON k.run = e.run AND k.episode = e.episode \
             LEFT JOIN pieces p ON p.run = e.run AND p.episode = e.episode \
             WHERE e.run = $1 AND e.episode = $2 ORDER BY p.line",
        )
        .bind(run.as_str())
        .bind(episode.as_str())
        .fetch_all(&self.read)
        .await?;
        let Some(first) = rows.first() else {
            return Ok(None);
        };
        let head = Head {
            lines: from_db(first.try_get("lines")?),
            chain: digest(first, "chain")?,
        };
        let text = self.unpacked(&rows).await?.pop();
        Ok(Some((text.map(|(_, text)| text).unwrap_or_default(), head)))
    }

    /// The texts of the next transcripts of a run by name, after one of them: at most so many, none after the last.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn texts(
        &self,
        run: &RunId,
        after: Option<&EpisodeKey>,
        most: u32,
    ) -> Result<Vec<(EpisodeKey, String)>, StoreError> {
        let rows = sqlx::query(
            "SELECT e.episode, k.recipe, p.text FROM \
             (SELECT run, episode FROM episodes WHERE run = $1 AND episode > $2 ORDER BY episode LIMIT $3) e \
             LEFT JOIN packed k ON k.run = e.run AND k.episode = e.episode \
             LEFT JOIN pieces p ON p.run = e.run AND p.episode = e.episode \
             ORDER BY e.episode, p.line",
        )
        .bind(run.as_str())
        .bind(after.map_or("", EpisodeKey::as_str))
        .bind(i64::from(most))
        .fetch_all(&self.read)
        .await?;
        self.unpacked(&rows).await
    }

    /// The texts of episodes, from rows with name, recipe and pieces in order.
    async fn unpacked(&self, rows: &[Row]) -> Result<Vec<(EpisodeKey, String)>, StoreError> {
        let mut parts: Vec<(&str, Option<Recipe>, String)> = Vec::new();
        for row in rows {
            let episode: &str = row.try_get("episode")?;
            let piece: &str = row.try_get::<Option<&str>, _>("text")?.unwrap_or_default();
            match parts.last_mut() {
                Some((last, _, text)) if *last == episode => text.push_str(piece),
                _ => {
                    let recipe = row
                        .try_get::<Option<&str>, _>("recipe")?
                        .map(serde_json::from_str)
                        .transpose()
                        .map_err(|_| StoreError::Unreadable("a packed transcript"))?;
                    parts.push((episode, recipe, piece.to_owned()));
                }
            }
        }
        let recipes = parts.iter().filter_map(|(_, recipe, _)| recipe.as_ref());
        let needs: BTreeSet<_> = recipes.flat_map(Recipe::needs).collect();
        let blobs = match needs {
            needs if needs.is_empty() => BTreeMap::new(),
            needs => self.read.acquire().await?.fetch(&needs).await?,
        };
        parts
            .into_iter()
            .map(|(episode, recipe, since)| {
                let episode = episode
                    .parse()
                    .map_err(|_| StoreError::Unreadable("an episode's name"))?;
                let text = match recipe {
                    Some(recipe) => recipe.text(&blobs)? + &since,
                    None => since,
                };
                Ok((episode, text))
            })
            .collect()
    }

    /// Packs the transcript of an episode that has ended. Nothing happens if it has gone on in the meantime.
    ///
    /// # Errors
    /// [`StoreError`]; it stays as it was then.
    async fn pack(&self, run: &RunId, episode: &EpisodeKey) -> Result<(), StoreError> {
        let Some((text, head)) = self.transcript(run, episode).await? else {
            return Ok(());
        };
        // Compressing takes its time: not on a thread that serves others, and not while nobody else can write.
        let packing = tokio::task::spawn_blocking(move || {
            let packed = packing::pack(&text);
            let blobs = packed
                .blobs
                .iter()
                .map(|(hash, text)| Blob::of(*hash, text));
            let blobs: Vec<Blob> = blobs.collect();
            serde_json::to_string(&packed.recipe).map(|recipe| (recipe, blobs))
        });
        let broken = || StoreError::Unreadable("a packed transcript");
        let (recipe, blobs) = packing.await.map_err(|_| broken())?.map_err(|_| broken())?;
        let mut transaction = self.write.begin().await?;
        // The row is locked by this, so that nobody goes on with the transcript before it is packed.
        let stands = sqlx::query(
            "UPDATE episodes SET lines = $3 WHERE run = $1 AND episode = $2 AND lines = $3 AND chain = $4",
        )
        .bind(run.as_str())
        .bind(episode.as_str())
        .bind(to_db(head.lines))
        .bind(head.chain.to_string())
        .execute(&mut *transaction)
        .await?;
        if stands.rows_affected() != 1 {
            transaction.rollback().await?;
            return Ok(());
        }
        transaction.keep(blobs).await?;
        sqlx::query(
            "INSERT INTO packed (run, episode, recipe) VALUES ($1, $2, $3) \
             ON CONFLICT (run, episode) DO UPDATE SET recipe = $3",
        )
        .bind(run.as_str())
        .bind(episode.as_str())
        .bind(recipe)
        .execute(&mut *transaction)
        .await?;
        clear(&mut transaction, run, episode).await?;
        transaction.commit().await?;
        Ok(())
    }

    /// The size of all transcripts of a run.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn bytes(&self, run: &RunId) -> Result<u64, StoreError> {
        let row = sqlx::query(
            "SELECT CAST(COALESCE(SUM(bytes), 0) AS BIGINT) AS bytes FROM runs WHERE id = $1",
        )
        .bind(run.as_str())
        .fetch_one(&self.read)
        .await?;
        Ok(from_db(row.try_get("bytes")?))
    }

    /// Keeps what a transcript goes on with, in the name of whoever drives the run; of nobody, as long as nobody ever has.
    ///
    /// # Errors
    /// [`StoreError`]; nothing is kept then.
    pub async fn change(
        &self,
        run: &RunId,
        episode: &EpisodeKey,
        change: &Change<'_>,
        hold: Option<Hold>,
    ) -> Result<Changed, StoreError> {
        let mut transaction = self.write.begin().await?;
        // The run's row comes first, here and wherever its lease is taken, so that no two transactions wait for each other.
        sqlx::query("UPDATE runs SET bytes = bytes + $2 WHERE id = $1")
            .bind(run.as_str())
            .bind(size(change.added) - size(change.cut.map_or("", |(_, goes)| goes)))
            .execute(&mut *transaction)
            .await?;
        let is_theirs = match hold {
            Some(hold) => driving::renew(&mut transaction, run, hold).await?,
            None => !driving::is_leased(&mut transaction, run).await?,
        };
        if !is_theirs {
            transaction.rollback().await?;
            return Ok(Changed::DrivenElsewhere);
        }
        if is_fixed(&mut transaction, run).await? {
            transaction.rollback().await?;
            return Ok(Changed::Published);
        }
        let done = match &change.before {
            None => {
                sqlx::query(
                    "INSERT INTO episodes (run, episode, lines, bytes, chain, ending) \
                     VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING",
                )
                .bind(run.as_str())
                .bind(episode.as_str())
                .bind(to_db(change.after.lines))
                .bind(to_db(change.bytes))
                .bind(change.after.chain.to_string())
                .bind(change.ending)
                .execute(&mut *transaction)
                .await?
            }
            Some(before) => {
                sqlx::query(
                    "UPDATE episodes SET lines = $3, bytes = $4, chain = $5, ending = $6 \
                     WHERE run = $1 AND episode = $2 AND lines = $7 AND chain = $8",
                )
                .bind(run.as_str())
                .bind(episode.as_str())
                .bind(to_db(change.after.lines))
                .bind(to_db(change.bytes))
                .bind(change.after.chain.to_string())
                .bind(change.ending)
                .bind(to_db(before.lines))
                .bind(before.chain.to_string())
                .execute(&mut *transaction)
                .await?
            }
        };
        if done.rows_affected() != 1 {
            transaction.rollback().await?;
            return Ok(Changed::Meanwhile);
        }
        if let (Some((stays, goes)), Some(before)) = (change.cut, &change.before) {
            sqlx::query(
                "INSERT INTO branches (run, episode, line, chain, text, left_at) \
                 VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING",
            )
            .bind(run.as_str())
            .bind(episode.as_str())
            .bind(to_db(change.from))
            .bind(before.chain.to_string())
            .bind(goes)
            .bind(to_db(change.now))
            .execute(&mut *transaction)
            .await?;
            sqlx::query("DELETE FROM packed WHERE run = $1 AND episode = $2")
                .bind(run.as_str())
                .bind(episode.as_str())
                .execute(&mut *transaction)
                .await?;
            clear(&mut transaction, run, episode).await?;
            piece(&mut transaction, run, episode, 0, stays).await?;
        }
        piece(&mut transaction, run, episode, change.from, change.added).await?;
        transaction.commit().await?;
        if change.ending.is_some()
            && let Err(error) = self.pack(run, episode).await
        {
            // It is kept all the same, in pieces.
            tracing::warn!(%run, %episode, %error, "a transcript could not be packed");
        }
        Ok(Changed::Kept)
    }
}

/// The heads of a run's transcripts, by name.
pub(super) async fn heads(
    connection: &mut Connection,
    run: &RunId,
) -> Result<Vec<EpisodeHead>, StoreError> {
    sqlx::query(
        "SELECT episode, lines, chain, ending FROM episodes WHERE run = $1 ORDER BY episode",
    )
    .bind(run.as_str())
    .fetch_all(connection)
    .await?
    .iter()
    .map(|row| {
        Ok(EpisodeHead {
            episode: episode(row, "episode")?,
            lines: from_db(row.try_get("lines")?),
            chain: digest(row, "chain")?,
            ending: row.try_get("ending")?,
        })
    })
    .collect()
}

async fn piece(
    connection: &mut Connection,
    run: &RunId,
    episode: &EpisodeKey,
    line: u64,
    text: &str,
) -> Result<(), StoreError> {
    sqlx::query("INSERT INTO pieces (run, episode, line, text) VALUES ($1, $2, $3, $4)")
        .bind(run.as_str())
        .bind(episode.as_str())
        .bind(to_db(line))
        .bind(text)
        .execute(connection)
        .await?;
    Ok(())
}

async fn clear(
    connection: &mut Connection,
    run: &RunId,
    episode: &EpisodeKey,
) -> Result<(), StoreError> {
    sqlx::query("DELETE FROM pieces WHERE run = $1 AND episode = $2")
        .bind(run.as_str())
        .bind(episode.as_str())
        .execute(connection)
        .await?;
    Ok(())
}

fn size(text: &str) -> i64 {
    i64::try_from(text.len()).unwrap_or(i64::MAX)
}
