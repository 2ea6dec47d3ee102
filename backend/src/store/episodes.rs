//! Transcripts: a head each, and their text in the pieces in which it came.

use sqlx::Row as _;
use turnwise_shared::hash::Digest;
use turnwise_shared::run::EpisodeKey;
use turnwise_shared::wire::{EpisodeHead, RunId};

use super::{Store, StoreError, from_db, to_db};

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

impl Store {
    /// The heads of a run's transcripts, by name.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn heads(&self, run: &RunId) -> Result<Vec<EpisodeHead>, StoreError> {
        sqlx::query(
            "SELECT episode, lines, chain, ending FROM episodes WHERE run = $1 ORDER BY episode",
        )
        .bind(run.as_str())
        .fetch_all(&self.read)
        .await?
        .iter()
        .map(|row| {
            Ok(EpisodeHead {
                episode: row
                    .try_get::<String, _>("episode")?
                    .parse()
                    .map_err(|_| StoreError::Unreadable("an episode's name"))?,
                lines: from_db(row.try_get("lines")?),
                chain: digest(&row.try_get::<String, _>("chain")?)?,
                ending: row.try_get("ending")?,
            })
        })
        .collect()
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
        // One statement, so that text and head belong together.
        let rows = sqlx::query(
            "SELECT e.lines, e.chain, p.text FROM episodes e \
             JOIN pieces p ON p.run = e.run AND p.episode = e.episode \
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
            chain: digest(&first.try_get::<String, _>("chain")?)?,
        };
        let mut text = String::new();
        for row in &rows {
            text.push_str(row.try_get("text")?);
        }
        Ok(Some((text, head)))
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
            "SELECT episode, text FROM pieces WHERE run = $1 AND episode IN \
             (SELECT episode FROM episodes WHERE run = $1 AND episode > $2 ORDER BY episode LIMIT $3) \
             ORDER BY episode, line",
        )
        .bind(run.as_str())
        .bind(after.map_or("", EpisodeKey::as_str))
        .bind(i64::from(most))
        .fetch_all(&self.read)
        .await?;
        let mut texts: Vec<(EpisodeKey, String)> = Vec::new();
        for row in &rows {
            let (episode, piece): (&str, &str) = (row.try_get("episode")?, row.try_get("text")?);
            match texts.last_mut() {
                Some((last, text)) if last.as_str() == episode => text.push_str(piece),
                _ => {
                    let episode = episode
                        .parse()
                        .map_err(|_| StoreError::Unreadable("an episode's name"))?;
                    texts.push((episode, piece.to_owned()));
                }
            }
        }
        Ok(texts)
    }

    /// The size of all transcripts of a run.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn bytes(&self, run: &RunId) -> Result<u64, StoreError> {
        let row = sqlx::query(
            "SELECT CAST(COALESCE(SUM(bytes), 0) AS BIGINT) AS bytes FROM episodes WHERE run = $1",
        )
        .bind(run.as_str())
        .fetch_one(&self.read)
        .await?;
        Ok(from_db(row.try_get("bytes")?))
    }

    /// Keeps what a transcript goes on with. Returns whether that was done: not if the transcript has gone on otherwise in
    /// the meantime.
    ///
    /// # Errors
    /// [`StoreError`]; nothing is kept then.
    pub async fn change(
        &self,
        run: &RunId,
        episode: &EpisodeKey,
        change: &Change<'_>,
    ) -> Result<bool, StoreError> {
        let mut transaction = self.write.begin().await?;
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
            return Ok(false);
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
            sqlx::query("DELETE FROM pieces WHERE run = $1 AND episode = $2")
                .bind(run.as_str())
                .bind(episode.as_str())
                .execute(&mut *transaction)
                .await?;
            piece(&mut transaction, run, episode, 0, stays).await?;
        }
        piece(&mut transaction, run, episode, change.from, change.added).await?;
        transaction.commit().await?;
        Ok(true)
    }
}

async fn piece(
    connection: &mut super::Connection,
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

fn digest(text: &str) -> Result<Digest, StoreError> {
    text.parse().map_err(|_| StoreError::Unreadable("a digest"))
}
