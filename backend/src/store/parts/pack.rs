//! Packing of the parts that came: as soon as there is a part's worth of them, and what is left once the episode has ended. So every
//! byte is packed once, in however many pieces it is uploaded.

use turnwise_shared::prelude::*;

use super::super::blobs::{Blob, Blobs as _};
use super::super::statement::sql;
use super::super::{Connection, Pool, StoreError, WritePool, packing};
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
        let rows: Vec<(u64, u64, u64, Option<u64>, String)> = sql!(
            "SELECT at, bytes, line, failed, text FROM parts \
             WHERE run = $1 AND episode = $2 AND recipe IS NULL AND at >= $3 ORDER BY at LIMIT $4",
            run,
            episode,
            group.at + group.bytes,
            LOT
        )
        .all(read)
        .await?;
        if rows.is_empty() {
            return Ok((group, false));
        }
        for (at, bytes, line, failed, text) in rows {
            match group.parts {
                0 => {
                    group.at = at;
                    group.line = line;
                }
                _ if at != group.at + group.bytes => return Ok((group, true)),
                _ if group.bytes + bytes > PART as u64 => return Ok((group, true)),
                _ => {}
            }
            group.bytes += bytes;
            group.parts += 1;
            group.failed = failed.or(group.failed);
            group.text.push_str(&text);
        }
    }
}

/// How often a transcript was cut; 0 if there is none.
async fn cuts_of(
    connection: &mut Connection,
    run: &RunId,
    episode: &EpisodeKey,
) -> Result<u64, StoreError> {
    let cuts = sql!("SELECT cuts FROM episodes WHERE run = $1 AND episode = $2", run, episode);
    Ok(cuts.first(connection).await?.unwrap_or(0))
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
        (packed.recipe, blobs)
    });
    let (recipe, blobs) =
        packing.await.map_err(|_| StoreError::Unreadable("a packed transcript"))?;
    let mut transaction = write.begin().await?;
    // What lies at a place changes by a cut alone; there is none from here on, and there must not have been one since it was
    // read.
    hold(&mut transaction, (run, episode)).await?;
    if cuts_of(&mut transaction, run, episode).await? != cuts {
        return transaction.rolled_back(false).await;
    }
    let gone = sql!(
        "DELETE FROM parts WHERE run = $1 AND episode = $2 AND recipe IS NULL AND at >= $3 AND at < $4",
        run,
        episode,
        at,
        at + bytes
    );
    if gone.changed(&mut *transaction).await? != parts {
        return transaction.rolled_back(false).await;
    }
    transaction.keep(blobs).await?;
    sql!(
        "INSERT INTO parts (run, episode, at, bytes, line, failed, recipe) VALUES ($1, $2, $3, $4, $5, $6, $7)",
        run,
        episode,
        at,
        bytes,
        line,
        failed,
        recipe
    )
    .run(&mut *transaction)
    .await?;
    transaction.commit().await?;
    Ok(true)
}
