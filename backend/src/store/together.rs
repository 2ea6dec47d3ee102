//! Writes into the ledger, many in one transaction: what comes while a transaction is written goes into the next one. A
//! transaction costs several times what a row costs, and nobody waits for longer than for two of them.

use sqlx::sqlite::{SqliteConnection, SqlitePool};
use tokio::sync::{mpsc, oneshot};
use turnwise_shared::hash::Digest;
use turnwise_shared::wire::CallKey;

use super::{StoreError, to_db};

/// The most rows of one transaction.
const MOST: usize = 256;

/// What is written.
#[derive(Debug)]
pub enum Entry {
    /// A call is about to be sent. Nothing is written if it has its answer already.
    Intent {
        /// Which call.
        key: CallKey,
        /// The digest of what is sent.
        request: Digest,
        /// When, in milliseconds since 1970.
        at: u64,
    },
    /// What came back. Nothing is written over an answer.
    Answer {
        /// Of which call.
        key: CallKey,
        /// The reply as JSON, if there is one.
        reply: Option<String>,
        /// The failure as JSON, if that is what came back.
        failure: Option<String>,
        /// What it took, as JSON.
        timing: String,
    },
}

/// A hand on the one task that writes. Cloning it gives another; the task ends with the last of them.
#[derive(Debug, Clone)]
pub struct Together(mpsc::Sender<Job>);

/// An entry, and who waits until it is written.
#[derive(Debug)]
struct Job {
    entry: Entry,
    written: oneshot::Sender<Result<u64, StoreError>>,
}

impl Together {
    /// Starts the task over the connection that writes.
    pub fn start(write: SqlitePool) -> Self {
        let (sender, jobs) = mpsc::channel(MOST);
        tokio::spawn(write_all(write, jobs));
        Together(sender)
    }

    /// Writes an entry; gives how many rows it changed, once that cannot be lost any more by the program's end.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn write(&self, entry: Entry) -> Result<u64, StoreError> {
        let (written, answer) = oneshot::channel();
        let job = Job { entry, written };
        self.0.send(job).await.map_err(|_| StoreError::Closed)?;
        answer.await.unwrap_or(Err(StoreError::Closed))
    }
}

async fn write_all(write: SqlitePool, mut jobs: mpsc::Receiver<Job>) {
    let mut batch = Vec::new();
    while jobs.recv_many(&mut batch, MOST).await > 0 {
        let outcome = transact(&write, &batch).await;
        let mut rows = match outcome {
            Ok(rows) => rows.into_iter(),
            Err(error) => {
                let words = error.to_string();
                for job in batch.drain(..) {
                    // Who does not wait any more need not hear of it.
                    let _ = job.written.send(Err(StoreError::Together(words.clone())));
                }
                continue;
            }
        };
        for job in batch.drain(..) {
            let row = rows.next().unwrap_or(Err(sqlx::Error::RowNotFound));
            let _ = job.written.send(row.map_err(StoreError::from));
        }
    }
}

/// Writes a batch; an entry that cannot be written keeps no other from being written.
async fn transact(
    write: &SqlitePool,
    batch: &[Job],
) -> Result<Vec<Result<u64, sqlx::Error>>, sqlx::Error> {
    if let [job] = batch {
        let mut connection = write.acquire().await?;
        return Ok(vec![row(&mut connection, &job.entry).await]);
    }
    let mut transaction = write.begin().await?;
    let mut rows = Vec::with_capacity(batch.len());
    for job in batch {
        rows.push(row(&mut transaction, &job.entry).await);
    }
    transaction.commit().await?;
    Ok(rows)
}

async fn row(connection: &mut SqliteConnection, entry: &Entry) -> Result<u64, sqlx::Error> {
    let done = match entry {
        Entry::Intent { key, request, at } => {
            sqlx::query(
                "INSERT INTO ledger (run, episode, call, digest, request, sent_at, sent, lost) \
                 VALUES ($1, $2, $3, $4, $5, $6, 1, 0) \
                 ON CONFLICT (run, episode, call, digest) DO UPDATE SET \
                 request = $5, sent_at = $6, sent = ledger.sent + 1, failure = NULL, timing = NULL, \
                 lost = ledger.lost + CASE WHEN ledger.failure IS NULL THEN 1 ELSE 0 END \
                 WHERE ledger.reply IS NULL",
            )
            .bind(key.run.as_str())
            .bind(key.episode.as_str())
            .bind(i64::from(key.call.0))
            .bind(key.digest.to_string())
            .bind(request.to_string())
            .bind(to_db(*at))
            .execute(connection)
            .await
        }
        Entry::Answer {
            key,
            reply,
            failure,
            timing,
        } => {
            sqlx::query(
                "UPDATE ledger SET reply = $5, failure = $6, timing = $7 \
                 WHERE run = $1 AND episode = $2 AND call = $3 AND digest = $4 AND reply IS NULL",
            )
            .bind(key.run.as_str())
            .bind(key.episode.as_str())
            .bind(i64::from(key.call.0))
            .bind(key.digest.to_string())
            .bind(reply.as_deref())
            .bind(failure.as_deref())
            .bind(timing.as_str())
            .execute(connection)
            .await
        }
    };
    done.map(|done| done.rows_affected())
}
