//! Transcripts in parts. Each says at which byte and with which line it begins, so that a reader of some bytes or some lines reads
//! those parts alone. A part is at most [`PART`] long, or one line; it comes as text and is packed once there is enough of it.

pub(super) mod earlier;
pub(super) mod pack;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use turnwise_shared::prelude::*;
use turnwise_shared::transcript::event_of;

use super::blobs::Blobs as _;
use super::packing::Recipe;
use super::statement::{FromRow, ReadRow as _, rows, sql};
use super::{Connection, Row, Store, StoreError};

/// The most bytes of a part, unless it is one line.
pub(super) const PART: usize = 256 * 1024;

/// How many parts are read in one go.
const LOT: i64 = 64;

/// How often a whole transcript is read anew because it was cut meanwhile.
const TRIES: u32 = 5;

/// Where a stored transcript ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    pub lines: u64,
    /// The chain value after the last.
    pub chain: Digest,
}

/// How far a transcript goes at a moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extent {
    pub head: Head,
    /// How many bytes it has.
    pub bytes: u64,
    /// How the episode ended; `None` while it is under way.
    pub ending: Option<String>,
    /// How often it was taken up again at an earlier line. Until that happens once more, none of its bytes changes.
    pub cuts: u64,
}

impl Store {
    /// How far a transcript goes; `None` if there is none.
    pub async fn extent(
        &self,
        run: &RunId,
        episode: &EpisodeKey,
    ) -> Result<Option<Extent>, StoreError> {
        sql!(
            "SELECT lines, bytes, chain, ending, cuts FROM episodes WHERE run = $1 AND episode = $2",
            run,
            episode
        )
        .first(&self.read)
        .await
    }

    /// The first of these bytes of a transcript, at least one and as many as are read in one go; `None` if it was cut after
    /// its number of cuts was `cuts`. The bytes must be there, and not be none.
    pub async fn some_bytes(
        &self,
        run: &RunId,
        episode: &EpisodeKey,
        cuts: u64,
        wanted: Range<u64>,
    ) -> Result<Option<Vec<u8>>, StoreError> {
        let end = wanted.end.min(wanted.start.saturating_add(PART as u64));
        let rows: Vec<Row> = sql!(
            "SELECT p.at, p.text, p.recipe FROM episodes e \
             JOIN parts p ON p.run = e.run AND p.episode = e.episode \
             WHERE e.run = $1 AND e.episode = $2 AND e.cuts = $3 AND p.at < $5 AND p.at >= \
             (SELECT MAX(f.at) FROM parts f WHERE f.run = $1 AND f.episode = $2 AND f.at <= $4) \
             ORDER BY p.at LIMIT $6",
            run,
            episode,
            cuts,
            wanted.start,
            end,
            LOT
        )
        .all(&self.read)
        .await?;
        let Some(first) = rows.first() else {
            return Ok(None);
        };
        let before = wanted.start - first.read::<u64>("at")?;
        let bytes = self.texts_of(&rows).await?.concat();
        let from = usize::try_from(before).unwrap_or(usize::MAX);
        let most = usize::try_from(wanted.end - wanted.start).unwrap_or(usize::MAX);
        let to = bytes.len().min(from.saturating_add(most));
        match bytes.get(from..to) {
            Some(found) if !found.is_empty() => Ok(Some(found.to_vec())),
            _ => Err(StoreError::Unreadable("a transcript with a gap")),
        }
    }

    /// A line of a transcript, counted from 0, and the byte with which it begins; `None` if it is not there, or the transcript was
    /// cut after its number of cuts was `cuts`.
    pub async fn line(
        &self,
        run: &RunId,
        episode: &EpisodeKey,
        cuts: u64,
        line: u64,
    ) -> Result<Option<(u64, Vec<u8>)>, StoreError> {
        let rows: Vec<Row> = sql!(
            "SELECT p.at, p.line, p.text, p.recipe FROM episodes e \
             JOIN parts p ON p.run = e.run AND p.episode = e.episode \
             WHERE e.run = $1 AND e.episode = $2 AND e.cuts = $3 AND p.line <= $4 \
             ORDER BY p.line DESC LIMIT 1",
            run,
            episode,
            cuts,
            line
        )
        .all(&self.read)
        .await?;
        let (Some(row), Some(text)) = (rows.first(), self.texts_of(&rows).await?.pop()) else {
            return Ok(None);
        };
        let skip = usize::try_from(line - row.read::<u64>("line")?).unwrap_or(usize::MAX);
        let mut lines = text.split_inclusive(|byte| *byte == b'\n');
        let before: usize = lines.by_ref().take(skip).map(<[u8]>::len).sum();
        let at = row.read::<u64>("at")?.saturating_add(before as u64);
        Ok(lines.next().map(|line| (at, line.to_vec())))
    }

    /// The last line of a transcript, counted from 0, that tells of a call that failed.
    pub async fn last_failure(
        &self,
        run: &RunId,
        episode: &EpisodeKey,
    ) -> Result<Option<u64>, StoreError> {
        sql!(
            "SELECT MAX(failed) AS failed FROM parts \
             WHERE run = $1 AND episode = $2 AND failed IS NOT NULL",
            run,
            episode
        )
        .one(&self.read)
        .await
    }

    /// A transcript's whole text and head; `None` if there is none.
    pub async fn transcript(
        &self,
        run: &RunId,
        episode: &EpisodeKey,
    ) -> Result<Option<(String, Head)>, StoreError> {
        'tries: for _ in 0..TRIES {
            let Some(extent) = self.extent(run, episode).await? else {
                return Ok(None);
            };
            let mut text = Vec::with_capacity(usize::try_from(extent.bytes).unwrap_or_default());
            let mut at = 0;
            while at < extent.bytes {
                let wanted = at..extent.bytes;
                let Some(some) = self.some_bytes(run, episode, extent.cuts, wanted).await? else {
                    continue 'tries;
                };
                at += some.len() as u64;
                text.extend(some);
            }
            return Ok(Some((utf8(text)?, extent.head)));
        }
        Err(StoreError::Changing)
    }

    /// The texts of parts, from rows with text and recipe.
    pub(super) async fn texts_of(&self, rows: &[Row]) -> Result<Vec<Vec<u8>>, StoreError> {
        texts_of(&mut *self.read.acquire().await?, rows).await
    }
}

rows! {
    EpisodeHead { episode, lines, chain, ending }
    Head { lines, chain }
}

impl FromRow for Extent {
    fn from_row(row: &Row) -> Result<Self, StoreError> {
        Ok(Extent {
            head: Head::from_row(row)?,
            bytes: row.read("bytes")?,
            ending: row.read("ending")?,
            cuts: row.read("cuts")?,
        })
    }
}

/// The heads of a run's transcripts, by name.
pub(super) async fn heads(
    connection: &mut Connection,
    run: &RunId,
) -> Result<Vec<EpisodeHead>, StoreError> {
    sql!("SELECT episode, lines, chain, ending FROM episodes WHERE run = $1 ORDER BY episode", run)
        .all(connection)
        .await
}

/// The texts of parts, from rows with text and recipe; of rows that have neither there is none.
async fn texts_of(connection: &mut Connection, rows: &[Row]) -> Result<Vec<Vec<u8>>, StoreError> {
    let mut recipes = BTreeMap::new();
    for (at, row) in rows.iter().enumerate() {
        if let Some(recipe) = row.read::<Option<Recipe>>("recipe")? {
            recipes.insert(at, recipe);
        }
    }
    let needs: BTreeSet<_> = recipes.values().flat_map(Recipe::needs).collect();
    let blobs = match needs.is_empty() {
        true => BTreeMap::new(),
        false => connection.fetch(&needs).await?,
    };
    rows.iter()
        .enumerate()
        .map(|(at, row)| match recipes.get(&at) {
            Some(recipe) => recipe.text(&blobs),
            None => Ok(row.read::<Option<String>>("text")?.unwrap_or_default().into_bytes()),
        })
        .collect()
}

/// Locks a transcript's row until the transaction ends: no other transaction adds to it, cuts or packs it.
async fn hold(
    connection: &mut Connection,
    (run, episode): (&RunId, &EpisodeKey),
) -> Result<(), StoreError> {
    sql!("UPDATE episodes SET cuts = cuts WHERE run = $1 AND episode = $2", run, episode)
        .run(connection)
        .await
}

pub(super) fn utf8(text: Vec<u8>) -> Result<String, StoreError> {
    String::from_utf8(text).map_err(|_| StoreError::Unreadable("a transcript that is no text"))
}

/// Keeps lines as parts, the first of them at byte `at` and with number `line`; `failed` are the numbers of those that tell of a call
/// that failed.
pub(super) async fn add(
    connection: &mut Connection,
    (run, episode): (&RunId, &EpisodeKey),
    (mut at, mut line): (u64, u64),
    text: &str,
    failed: &[u64],
) -> Result<(), StoreError> {
    for part in in_parts(text) {
        let lines = part.split_inclusive('\n').count() as u64;
        let failed = failed.iter().rfind(|failed| (line..line + lines).contains(failed));
        sql!(
            "INSERT INTO parts (run, episode, at, bytes, line, failed, text) VALUES ($1, $2, $3, $4, $5, $6, $7)",
            run,
            episode,
            at,
            part.len() as u64,
            line,
            failed,
            part
        )
        .run(&mut *connection)
        .await?;
        at += part.len() as u64;
        line += lines;
    }
    Ok(())
}

/// Whole lines together, as many as a part may have.
fn in_parts(mut text: &str) -> impl Iterator<Item = &str> {
    std::iter::from_fn(move || {
        let mut end = 0;
        for line in text.split_inclusive('\n') {
            if end > 0 && end + line.len() > PART {
                break;
            }
            end += line.len();
        }
        let (part, rest) = text.split_at(end);
        text = rest;
        (end > 0).then_some(part)
    })
}

/// The numbers of those lines that tell of a call that failed, if the first has this number.
fn failures(text: &str, first: u64) -> Vec<u64> {
    (first..)
        .zip(text.lines())
        .filter(|(_, line)| event_of(line).is_ok_and(|event| event.tells_of_failure()))
        .map(|(number, _)| number)
        .collect()
}

/// Puts everything from a line on aside, as what a transcript that ended with `chain` once went on with.
pub(super) async fn cut(
    connection: &mut Connection,
    (run, episode): (&RunId, &EpisodeKey),
    line: u64,
    chain: &Digest,
    now: u64,
) -> Result<(), StoreError> {
    let rows: Vec<Row> = sql!(
        "SELECT at, line, text, recipe FROM parts WHERE run = $1 AND episode = $2 AND line <= $3 \
         ORDER BY line DESC LIMIT 1",
        run,
        episode,
        line
    )
    .all(&mut *connection)
    .await?;
    // The line in whose middle the cut goes becomes two parts first.
    if let (Some(row), Some(text)) = (rows.first(), texts_of(connection, &rows).await?.pop()) {
        let (at, first): (u64, u64) = (row.read("at")?, row.read("line")?);
        let text = utf8(text)?;
        let stays = usize::try_from(line - first).unwrap_or(usize::MAX);
        let stays = text.split_inclusive('\n').take(stays).map(str::len).sum();
        if stays > 0 {
            sql!("DELETE FROM parts WHERE run = $1 AND episode = $2 AND at = $3", run, episode, at)
                .run(&mut *connection)
                .await?;
            let (stays, goes) = text.split_at(stays);
            let of = (run, episode);
            add(connection, of, (at, first), stays, &failures(stays, first)).await?;
            add(connection, of, (at + stays.len() as u64, line), goes, &[]).await?;
        }
    }
    sql!(
        "INSERT INTO left_parts (run, episode, chain, line, bytes, text, recipe, left_at) \
         SELECT run, episode, $4, line, bytes, text, recipe, $5 FROM parts \
         WHERE run = $1 AND episode = $2 AND line >= $3 ON CONFLICT DO NOTHING",
        run,
        episode,
        line,
        chain,
        now
    )
    .run(&mut *connection)
    .await?;
    sql!("DELETE FROM parts WHERE run = $1 AND episode = $2 AND line >= $3", run, episode, line)
        .run(connection)
        .await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_whole_lines_and_no_longer_than_they_may_be() {
        let long = format!("{}\n", "x".repeat(PART));
        let half = format!("{}\n", "y".repeat(PART / 2));
        let text = format!("a\n{long}b\n{half}{half}c");
        let parts: Vec<&str> = in_parts(&text).collect();
        assert_eq!(parts.concat(), text);
        let first = format!("b\n{half}");
        let second = format!("{half}c");
        assert!(parts == ["a\n", &long, &first, &second]);
        assert_eq!(in_parts("").count(), 0);
    }
}
