//! Transcripts as earlier versions of the program kept them (tables `pieces` and `packed`) become parts when it starts.

use turnwise_shared::prelude::*;

use super::super::statement::sql;
use super::super::{Connection, Row, StoreError, WritePool};
use super::{add, failures, hold, pack, texts_of, utf8};

/// The number of transcripts after which the log says how far it is.
const TELLING: u64 = 1_000;

/// Makes parts of everything that is kept otherwise, and says so in the log where that takes long. What is done stays done if it is
/// broken off.
pub async fn into_parts(write: &WritePool) -> Result<(), StoreError> {
    let all: u64 = sql!(
        "SELECT COUNT(*) AS count FROM (SELECT run, episode FROM packed UNION SELECT run, episode FROM pieces) old"
    )
    .one(write)
    .await?;
    let mut done = 0_u64;
    loop {
        if done.is_multiple_of(TELLING) && done < all {
            tracing::info!("transcripts are brought to this version's form: {done} of {all}");
        }
        // Not sorted, which would take as long for each as there are transcripts.
        let next: Option<(RunId, EpisodeKey)> = sql!(
            "SELECT run, episode FROM packed UNION ALL SELECT run, episode FROM pieces LIMIT 1"
        )
        .first(write)
        .await?;
        let Some((run, episode)) = next else {
            return Ok(());
        };
        done += 1;
        let mut transaction = write.begin().await?;
        // Another server may start at the same time.
        hold(&mut transaction, (&run, &episode)).await?;
        let text = take(&mut transaction, &run, &episode).await?;
        if let Some(text) = text {
            let failed = failures(&text, 0);
            add(&mut transaction, (&run, &episode), (0, 0), &text, &failed).await?;
            sql!(
                "UPDATE episodes SET bytes = $3 WHERE run = $1 AND episode = $2",
                run,
                episode,
                text.len() as u64
            )
            .run(&mut *transaction)
            .await?;
        }
        transaction.commit().await?;
        pack::pack(write.pool(), write, (&run, &episode), true).await?;
    }
}

/// Takes a transcript out of the old tables; `None` if another server has.
async fn take(
    connection: &mut Connection,
    run: &RunId,
    episode: &EpisodeKey,
) -> Result<Option<String>, StoreError> {
    // What was packed comes first; pieces are what came after it.
    let rows: Vec<Row> = sql!(
        "SELECT recipe, CAST(NULL AS TEXT) AS text, CAST(-1 AS BIGINT) AS line FROM packed WHERE run = $1 AND episode = $2 \
         UNION ALL SELECT NULL, text, line FROM pieces WHERE run = $1 AND episode = $2 ORDER BY line",
        run,
        episode
    )
    .all(&mut *connection)
    .await?;
    let text = texts_of(connection, &rows).await?.concat();
    let mut gone = 0;
    for delete in [
        "DELETE FROM packed WHERE run = $1 AND episode = $2",
        "DELETE FROM pieces WHERE run = $1 AND episode = $2",
    ] {
        gone += sql!(delete, run, episode).changed(&mut *connection).await?;
    }
    match gone {
        0 => Ok(None),
        _ => utf8(text).map(Some),
    }
}
