//! Transcripts: a head each, and their text in [parts](super::parts).

use tokio::sync::OwnedSemaphorePermit;
use turnwise_shared::prelude::*;

use super::driving::{self, Hold};
use super::fixed::is_fixed;
use super::parts::{self, Head, heads, pack::pack};
use super::statement::{ReadRow as _, sql};
use super::{Row, Store, StoreError, pictures};

/// The most bytes of transcripts that are read in one go, besides the first of them.
const LOT: u64 = 8_000_000;

#[derive(Debug)]
pub struct Change<'a> {
    /// Where it ended when this was decided; `None` = it was not there.
    pub before: Option<Head>,
    /// The number of the first new line. What stood there and after it until now is put aside.
    pub from: u64,
    /// The byte of the text with which the first new line begins.
    pub at: u64,
    /// The new lines, each with its line break.
    pub added: &'a str,
    /// The numbers of those new lines that tell of a call that failed, in order. It may be taken up again at the last.
    pub failed: &'a [u64],
    pub after: Head,
    /// How the episode ended, if it has.
    pub ending: Option<&'a str>,
    /// Milliseconds since 1970.
    pub now: u64,
}

/// What became of a [`Change`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Changed {
    Kept,
    /// The transcript has gone on otherwise in the meantime; nothing is kept.
    Meanwhile,
    /// Another driver drives the run; nothing is kept.
    DrivenElsewhere,
    /// A row stands on a board that says what the transcripts are; nothing is kept.
    Published,
}

/// Names and texts of transcripts that were read in one go, in the order of the names; empty after the last.
#[derive(Debug, Default)]
pub struct Texts {
    texts: Vec<(EpisodeKey, String)>,
    /// What a long one takes of the room for whole transcripts.
    room: Option<OwnedSemaphorePermit>,
}

impl Texts {
    /// Whether it takes of the room for whole transcripts, for which others may wait.
    pub fn is_long(&self) -> bool {
        self.room.is_some()
    }
}

impl std::ops::Deref for Texts {
    type Target = [(EpisodeKey, String)];

    fn deref(&self) -> &Self::Target {
        &self.texts
    }
}

impl IntoIterator for Texts {
    type Item = (EpisodeKey, String);
    type IntoIter = TextsIter;

    fn into_iter(self) -> TextsIter {
        TextsIter { texts: self.texts.into_iter(), _room: self.room }
    }
}

/// Gives one text after the other, and keeps their room until the last is gone.
#[derive(Debug)]
pub struct TextsIter {
    texts: std::vec::IntoIter<(EpisodeKey, String)>,
    _room: Option<OwnedSemaphorePermit>,
}

impl Iterator for TextsIter {
    type Item = (EpisodeKey, String);

    fn next(&mut self) -> Option<Self::Item> {
        self.texts.next()
    }
}

impl Store {
    /// The heads of a run's transcripts, by name.
    pub async fn heads(&self, run: &RunId) -> Result<Vec<EpisodeHead>, StoreError> {
        heads(&mut *self.read.acquire().await?, run).await
    }

    /// The value of the chain at the end of a transcript; `None` if there is none.
    pub async fn chain(
        &self,
        run: &RunId,
        episode: &EpisodeKey,
    ) -> Result<Option<Digest>, StoreError> {
        sql!("SELECT chain FROM episodes WHERE run = $1 AND episode = $2", run, episode)
            .first(&self.read)
            .await
    }

    /// The texts of the next transcripts of a run by name, after one of them: at most `most`, fewer where they are long, none after
    /// the last. A long one waits for room ([`Store::room_for`]); the caller lets go of it before asking for the next.
    pub async fn texts(
        &self,
        run: &RunId,
        after: Option<&EpisodeKey>,
        most: u32,
    ) -> Result<Texts, StoreError> {
        let after = after.map_or("", EpisodeKey::as_str);
        let sizes: Vec<(EpisodeKey, u64)> = sql!(
            "SELECT episode, bytes FROM episodes WHERE run = $1 AND episode > $2 ORDER BY episode LIMIT $3",
            run,
            after,
            most
        )
        .all(&self.read)
        .await?;
        let mut size = 0;
        let mut last = None;
        for (episode, bytes) in sizes {
            if last.is_some() && size + bytes > LOT {
                break;
            }
            size += bytes;
            last = Some(episode);
        }
        let Some(last) = last else {
            return Ok(Texts::default());
        };
        let room = match size > LOT {
            true => Some(self.room_for(size).await?),
            false => None,
        };
        // One statement, so that parts belong together; blobs never change.
        let rows: Vec<Row> = sql!(
            "SELECT e.episode, p.text, p.recipe FROM episodes e \
             LEFT JOIN parts p ON p.run = e.run AND p.episode = e.episode \
             WHERE e.run = $1 AND e.episode > $2 AND e.episode <= $3 ORDER BY e.episode, p.at",
            run,
            after,
            last
        )
        .all(&self.read)
        .await?;
        let mut found: Vec<(EpisodeKey, Vec<u8>)> = Vec::new();
        for (row, part) in rows.iter().zip(self.texts_of(&rows).await?) {
            let episode: EpisodeKey = row.read("episode")?;
            match found.last_mut() {
                Some((last, text)) if *last == episode => text.extend(part),
                _ => found.push((episode, part)),
            }
        }
        let texts = found
            .into_iter()
            .map(|(episode, text)| Ok((episode, parts::utf8(text)?)))
            .collect::<Result<_, StoreError>>()?;
        Ok(Texts { texts, room })
    }

    /// The size of all transcripts of a run as they are now, in bytes.
    pub async fn size(&self, run: &RunId) -> Result<u64, StoreError> {
        sql!(
            "SELECT CAST(COALESCE(SUM(bytes), 0) AS BIGINT) AS bytes FROM episodes WHERE run = $1",
            run
        )
        .one(&self.read)
        .await
    }

    /// The size of all transcripts of a run, with everything that they once went on with: nothing is thrown away.
    pub async fn bytes(&self, run: &RunId) -> Result<u64, StoreError> {
        sql!("SELECT CAST(COALESCE(SUM(bytes), 0) AS BIGINT) AS bytes FROM runs WHERE id = $1", run)
            .one(&self.read)
            .await
    }

    /// Keeps what a transcript goes on with, in the name of the driver of the run; without a name, as long as it has never been
    /// driven.
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
        let added = change.added.len() as u64;
        sql!("UPDATE runs SET bytes = bytes + $2 WHERE id = $1", run, added)
            .run(&mut *transaction)
            .await?;
        let is_theirs = match hold {
            Some(hold) => driving::renew(&mut transaction, run, hold).await?,
            None => !driving::is_leased(&mut transaction, run).await?,
        };
        if !is_theirs {
            return transaction.rolled_back(Changed::DrivenElsewhere).await;
        }
        if is_fixed(&mut transaction, run).await? {
            return transaction.rolled_back(Changed::Published).await;
        }
        let is_cut = change.before.is_some_and(|before| change.from < before.lines);
        let end = change.at + added;
        let changed = match &change.before {
            None => sql!(
                "INSERT INTO episodes (run, episode, lines, bytes, chain, ending) \
                 VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING",
                run,
                episode,
                change.after.lines,
                end,
                change.after.chain,
                change.ending
            ),
            Some(before) => sql!(
                "UPDATE episodes SET lines = $3, bytes = $4, chain = $5, ending = $6, cuts = cuts + $9 \
                 WHERE run = $1 AND episode = $2 AND lines = $7 AND chain = $8",
                run,
                episode,
                change.after.lines,
                end,
                change.after.chain,
                change.ending,
                before.lines,
                before.chain,
                is_cut
            ),
        };
        if changed.changed(&mut *transaction).await? != 1 {
            return transaction.rolled_back(Changed::Meanwhile).await;
        }
        let of = (run, episode);
        if let (true, Some(before)) = (is_cut, &change.before) {
            parts::cut(&mut transaction, of, change.from, &before.chain, change.now).await?;
        }
        let place = (change.at, change.from);
        parts::add(&mut transaction, of, place, change.added, change.failed).await?;
        pictures::note_shown(&mut transaction, run, change.added).await?;
        transaction.commit().await?;
        let part = parts::PART as u64;
        let is_full = change.at / part < end / part;
        if (is_full || change.ending.is_some())
            && let Err(error) = pack(&self.read, &self.write, of, change.ending.is_some()).await
        {
            // It is kept all the same, as it came.
            tracing::warn!(%run, %episode, %error, "a transcript could not be packed");
        }
        Ok(Changed::Kept)
    }
}
