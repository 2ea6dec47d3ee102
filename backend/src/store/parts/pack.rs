//! Packing of the parts that came: as soon as there is a part's worth of them, and what is left once the episode has ended. So every
//! byte is packed once, in however many pieces it is uploaded.

use sqlx::Row as _;
use turnwise_shared::prelude::*;

use super::super::blobs::{Blob, Blobs as _};
use super::super::{Connection, Pool, StoreError, WritePool, from_db, packing, to_db};
use super::{LOT, PART, hold};

/// Parts that follow each other and become one.
#[derive(Debug, Default)]
pub(in super::super) struct Group {
    at: u64,
    bytes: u64,
    line: u64,
    parts: u64,
    failed: Option<u64>,
    text: String,
    /// How often the transcript was cut when the group was read.
    cuts: u64,
}

/// Packs what has come of a transcript; unless the episode is over, what makes no whole part yet stays as it is. Nothing happens to what
/// changes in the meantime.
///
/// # Errors
/// [`StoreError`]; what was not packed yet stays as it was.
pub async fn pack(
    read: &Pool,
    write: &WritePool,
    (run, episode): (&RunId, &EpisodeKey),
    is_over: bool,
) -> Result<(), StoreError> {
    loop {
        let (group, is_whole) = next(read, run, episode).await?;
        if group.parts == 0 || !(is_whole || is_over) {
            return Ok(());
        }
        if !keep(write, run, episode, group).await? {
            return Ok(());
        }
    }
}

/// The first parts that are not packed, and whether no other fits to them.
pub(in super::super) async fn next(
    read: &Pool,
    run: &RunId,
    episode: &EpisodeKey,
) -> Result<(Group, bool), StoreError> {
    // First of all: what is cut while the rest is read is then noticed as well.
    let cuts = cuts_of(&mut *read.acquire().await?, run, episode).await?;
    let mut group = Group { cuts, ..Group::default() };
    loop {
        let rows = sqlx::query(
            "SELECT at, bytes, line, failed, text FROM parts \
             WHERE run = $1 AND episode = $2 AND recipe IS NULL AND at >= $3 ORDER BY at LIMIT $4",
        )
        .bind(run.as_str())
        .bind(episode.as_str())
        .bind(to_db(group.at + group.bytes))
        .bind(LOT)
        .fetch_all(read)
        .await?;
        if rows.is_empty() {
            return Ok((group, false));
        }
        for row in rows {
            let at = from_db(row.try_get("at")?);
            let bytes = from_db(row.try_get("bytes")?);
            match group.parts {
                0 => {
                    group.at = at;
                    group.line = from_db(row.try_get("line")?);
                }
                _ if at != group.at + group.bytes => return Ok((group, true)),
                _ if group.bytes + bytes > PART as u64 => return Ok((group, true)),
                _ => {}
            }
            group.bytes += bytes;
            group.parts += 1;
            let failed: Option<i64> = row.try_get("failed")?;
            group.failed = failed.map(from_db).or(group.failed);
            group.text.push_str(row.try_get("text")?);
        }
    }
}

/// How often a transcript was cut; 0 if there is none.
async fn cuts_of(
    connection: &mut Connection,
    run: &RunId,
    episode: &EpisodeKey,
) -> Result<u64, StoreError> {
    let row = sqlx::query("SELECT cuts FROM episodes WHERE run = $1 AND episode = $2")
        .bind(run.as_str())
        .bind(episode.as_str())
        .fetch_optional(connection)
        .await?;
    let cuts = row.map(|row| row.try_get("cuts")).transpose()?;
    Ok(cuts.map_or(0, from_db))
}

/// Keeps a group as one packed part; says whether it was still there.
pub(in super::super) async fn keep(
    write: &WritePool,
    run: &RunId,
    episode: &EpisodeKey,
    group: Group,
) -> Result<bool, StoreError> {
    let Group { at, bytes, line, parts, failed, text, cuts } = group;
    // Compressing takes its time: not on a thread that serves others, and not while no other transaction can write.
    let packing = tokio::task::spawn_blocking(move || {
        let packed = packing::pack(&text);
        let blobs = packed.blobs.iter().map(|(hash, text)| Blob::of(*hash, text));
        let blobs: Vec<Blob> = blobs.collect();
        serde_json::to_string(&packed.recipe).map(|recipe| (recipe, blobs))
    });
    let broken = || StoreError::Unreadable("a packed transcript");
    let (recipe, blobs) = packing.await.map_err(|_| broken())?.map_err(|_| broken())?;
    let mut transaction = write.begin().await?;
    // What lies at a place changes by a cut alone; there is none from here on, and there must not have been one since it was
    // read.
    hold(&mut transaction, (run, episode)).await?;
    if cuts_of(&mut transaction, run, episode).await? != cuts {
        transaction.rollback().await?;
        return Ok(false);
    }
    let gone = sqlx::query(
        "DELETE FROM parts WHERE run = $1 AND episode = $2 AND recipe IS NULL AND at >= $3 AND at < $4",
    )
    .bind(run.as_str())
    .bind(episode.as_str())
    .bind(to_db(at))
    .bind(to_db(at + bytes))
    .execute(&mut *transaction)
    .await?;
    if gone.rows_affected() != parts {
        transaction.rollback().await?;
        return Ok(false);
    }
    transaction.keep(blobs).await?;
    sqlx::query(
        "INSERT INTO parts (run, episode, at, bytes, line, failed, recipe) VALUES ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(run.as_str())
    .bind(episode.as_str())
    .bind(to_db(at))
    .bind(to_db(bytes))
    .bind(to_db(line))
    .bind(failed.map(to_db))
    .bind(recipe)
    .execute(&mut *transaction)
    .await?;
    transaction.commit().await?;
    Ok(true)
}
