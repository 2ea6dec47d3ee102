//! Writes into the ledger, many in one transaction: what comes while a transaction is written goes into the next one. A
//! transaction costs several times what a row costs, and nobody waits for longer than for two of them. SQLite has one writer;
//! PostgreSQL gets several, each over a connection of its own.

use std::sync::Arc;

use tokio::sync::{Mutex, mpsc, oneshot};
use turnwise_shared::hash::Digest;
use turnwise_shared::wire::CallKey;

use super::open::Kind;
use super::servers::Server;
use super::{Connection, Pool, StoreError, to_db};

/// The most rows of one transaction.
const MOST: usize = 256;

/// Transactions at once, and the most rows of each, over PostgreSQL: a row costs a way there and back.
const WRITERS: usize = 4;
const MOST_OF_A_WRITER: usize = 64;

/// What is written.
#[derive(Debug)]
pub enum Entry {
    /// A call is about to be sent. Nothing is written if it has its answer already, or another server that is there sends it.
    Intent {
        /// Which call.
        key: CallKey,
        /// The digest of what is sent.
        request: Digest,
        /// When, in milliseconds since 1970.
        at: u64,
    },
    /// What came back. Nothing is written over an answer, and no failure over what another server is about to hear.
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

impl Entry {
    fn key(&self) -> &CallKey {
        match self {
            Entry::Intent { key, .. } | Entry::Answer { key, .. } => key,
        }
    }
}

/// A hand on the tasks that write. Cloning it gives another; the tasks end with the last of them.
#[derive(Debug, Clone)]
pub struct Together(mpsc::Sender<Job>);

/// Over what one of the tasks writes, and in whose name.
#[derive(Debug, Clone)]
struct Writer {
    write: Pool,
    server: Server,
}

/// An entry, and who waits until it is written.
#[derive(Debug)]
struct Job {
    entry: Entry,
    written: oneshot::Sender<Result<u64, StoreError>>,
}

impl Together {
    /// Starts the tasks over the connections that write.
    pub fn start(write: Pool, kind: Kind, server: Server) -> Self {
        let (sender, jobs) = mpsc::channel(MOST);
        let jobs = Arc::new(Mutex::new(jobs));
        let (writers, most) = match kind {
            Kind::Sqlite => (1, MOST),
            Kind::Postgres => (WRITERS, MOST_OF_A_WRITER),
        };
        let writer = Writer { write, server };
        for _ in 0..writers {
            tokio::spawn(write_all(writer.clone(), Arc::clone(&jobs), most));
        }
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

async fn write_all(writer: Writer, jobs: Arc<Mutex<mpsc::Receiver<Job>>>, most: usize) {
    let mut batch = Vec::new();
    loop {
        if jobs.lock().await.recv_many(&mut batch, most).await == 0 {
            return;
        }
        // Everybody takes rows in the same order, so that no two transactions wait for each other.
        batch.sort_by(|one, other| one.entry.key().cmp(other.entry.key()));
        match writer.transact(&batch).await {
            Ok(rows) => {
                for (job, rows) in batch.drain(..).zip(rows) {
                    // Who does not wait any more need not hear of it.
                    let _ = job.written.send(Ok(rows));
                }
            }
            // One entry that cannot be written takes the transaction with it, and keeps no other from being written.
            Err(_) => {
                for job in batch.drain(..) {
                    let _ = job.written.send(writer.alone(&job.entry).await);
                }
            }
        }
    }
}

impl Writer {
    async fn alone(&self, entry: &Entry) -> Result<u64, StoreError> {
        let mut connection = self.write.acquire().await?;
        Ok(self.row(&mut connection, entry).await?)
    }

    /// Writes a batch, all of it or nothing.
    async fn transact(&self, batch: &[Job]) -> Result<Vec<u64>, sqlx::Error> {
        if let [job] = batch {
            let mut connection = self.write.acquire().await?;
            return Ok(vec![self.row(&mut connection, &job.entry).await?]);
        }
        let mut transaction = self.write.begin().await?;
        let mut rows = Vec::with_capacity(batch.len());
        for job in batch {
            rows.push(self.row(&mut transaction, &job.entry).await?);
        }
        transaction.commit().await?;
        Ok(rows)
    }

    async fn row(&self, connection: &mut Connection, entry: &Entry) -> Result<u64, sqlx::Error> {
        let done = match entry {
        Entry::Intent { key, request, at } => {
            sqlx::query(
                "INSERT INTO ledger (run, episode, call, digest, request, sent_at, sent, lost, owner) \
                 VALUES ($1, $2, $3, $4, $5, $6, 1, 0, $7) \
                 ON CONFLICT (run, episode, call, digest) DO UPDATE SET \
                 request = $5, sent_at = $6, sent = ledger.sent + 1, owner = $7, failure = NULL, timing = NULL, \
                 lost = ledger.lost + CASE WHEN ledger.failure IS NULL THEN 1 ELSE 0 END \
                 WHERE ledger.reply IS NULL AND (ledger.owner IS NULL OR ledger.owner = $7 \
                 OR NOT EXISTS (SELECT 1 FROM servers s WHERE s.id = ledger.owner AND s.ends > $6))",
            )
            .bind(key.run.as_str())
            .bind(key.episode.as_str())
            .bind(i64::from(key.call.0))
            .bind(key.digest.to_string())
            .bind(request.to_string())
            .bind(to_db(*at))
            .bind(self.server.id())
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
                "UPDATE ledger SET reply = $5, failure = $6, timing = $7, owner = NULL \
                 WHERE run = $1 AND episode = $2 AND call = $3 AND digest = $4 AND reply IS NULL \
                 AND (CAST($5 AS TEXT) IS NOT NULL OR owner = $8)",
            )
            .bind(key.run.as_str())
            .bind(key.episode.as_str())
            .bind(i64::from(key.call.0))
            .bind(key.digest.to_string())
            .bind(reply.as_deref())
            .bind(failure.as_deref())
            .bind(timing.as_str())
            .bind(self.server.id())
            .execute(connection)
            .await
        }
    };
        done.map(|done| done.rows_affected())
    }
}
