//! Writes into the ledger, many in one transaction: what comes while a transaction is written goes into the next one. A
//! transaction costs several times what a row costs, and so does a statement; no entry waits for longer than two transactions.
//! SQLite has one writer; PostgreSQL gets several, each over a connection of its own.
//!
//! The price: one entry that changes no row, as when a run that was taken up asks its answered calls again, makes its whole batch be
//! written one by one.

use std::sync::{Arc, LazyLock};

use sqlx::Executor;
use sqlx::any::Any;
use tokio::sync::{Mutex, mpsc, oneshot};
use tokio::task::yield_now;
use turnwise_shared::prelude::*;

use super::kind::Kind;
use super::lots::Lots;
use super::servers::Server;
use super::statement::sql;
use super::{StoreError, WritePool, is_there};

/// The most rows of one transaction.
const MOST: usize = 256;

/// Transactions at once, and the most rows of each, over PostgreSQL: a statement costs a way there and back.
const WRITERS: usize = 4;
const MOST_OF_A_WRITER: usize = 64;

static INTENTS: LazyLock<Lots> = LazyLock::new(|| {
    Lots::new(
        "INSERT INTO ledger (run, episode, call, digest, request, sent_at, sent, lost, owner) VALUES ",
        "($, $, $, $, $, $, 1, 0, $)",
        concat!(
            " ON CONFLICT (run, episode, call, digest) DO UPDATE SET \
         request = excluded.request, sent_at = excluded.sent_at, sent = ledger.sent + 1, owner = excluded.owner, \
         failure = NULL, timing = NULL, \
         lost = ledger.lost + CASE WHEN ledger.failure IS NULL THEN 1 ELSE 0 END \
         WHERE ledger.reply IS NULL AND (ledger.owner IS NULL OR ledger.owner = excluded.owner OR NOT EXISTS \
         (SELECT 1 FROM servers s WHERE s.id = ledger.owner AND ",
            is_there!("s.ends", "excluded.sent_at"),
            "))",
        ),
    )
});

/// The row is there, because the intent was written first; so this only updates it, and finds it by its key, whatever a planner
/// knows of the table.
static ANSWERS: LazyLock<Lots> = LazyLock::new(|| {
    Lots::new(
        "INSERT INTO ledger \
         (run, episode, call, digest, request, sent_at, sent, lost, reply, failure, timing, endpoint, owner) VALUES ",
        "($, $, $, $, $, 0, $, 0, $, $, $, $, $)",
        " ON CONFLICT (run, episode, call, digest) DO UPDATE SET \
         request = excluded.request, sent = ledger.sent - 1 + excluded.sent, reply = excluded.reply, failure = excluded.failure, timing = excluded.timing, \
         endpoint = excluded.endpoint, owner = NULL \
         WHERE ledger.reply IS NULL AND (excluded.reply IS NOT NULL OR ledger.owner = excluded.owner)",
    )
});

#[derive(Debug)]
pub enum Entry {
    /// A call is about to be sent. Nothing is written if it has its answer already, or another server that is there sends it.
    Intent {
        key: CallKey,
        /// The digest of what is sent.
        request: Digest,
        /// When, in milliseconds since 1970.
        at: u64,
    },
    /// What came back. Nothing is written over an answer, and no failure over what another server is about to hear.
    Answer {
        key: CallKey,
        /// The digest of what was sent, to which this is the answer.
        request: Digest,
        /// Whether it went out after all: what a budget holds back, or a caller calls off before its turn, did not.
        was_sent: bool,
        /// The reply as JSON, if there is one.
        reply: Option<String>,
        /// The failure as JSON, if that is what came back.
        failure: Option<String>,
        /// What it took, as JSON.
        timing: String,
        /// Where it went, as JSON, if it went somewhere.
        endpoint: Option<String>,
    },
}

impl Entry {
    /// Intents come first; and everybody takes rows in the same order, so that two transactions hardly ever wait for each other. Of
    /// two that do, the database ends one, and its entries are written one by one.
    fn place(&self) -> (bool, &CallKey) {
        match self {
            Entry::Intent { key, .. } => (false, key),
            Entry::Answer { key, .. } => (true, key),
        }
    }

    fn is_intent(&self) -> bool {
        matches!(self, Entry::Intent { .. })
    }
}

/// A hand on the tasks that write. Cloning it gives another; the tasks end with the last of them.
#[derive(Debug, Clone)]
pub struct Together(mpsc::Sender<Job>);

/// Over what one of the tasks writes, and in whose name.
#[derive(Debug, Clone)]
struct Writer {
    write: WritePool,
    kind: Kind,
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
    pub fn start(write: WritePool, kind: Kind, server: Server) -> Self {
        let (sender, jobs) = mpsc::channel(MOST);
        let jobs = Arc::new(Mutex::new(jobs));
        let (writers, most) = match kind {
            Kind::Sqlite => (1, MOST),
            Kind::Postgres => (WRITERS, MOST_OF_A_WRITER),
        };
        let writer = Writer { write, kind, server };
        for _ in 0..writers {
            tokio::spawn(write_all(writer.clone(), Arc::clone(&jobs), most));
        }
        Together(sender)
    }

    /// Writes an entry; gives how many rows it changed, once that cannot be lost any more by the program's end.
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
        {
            let mut jobs = jobs.lock().await;
            let Some(first) = jobs.recv().await else {
                return;
            };
            batch.push(first);
            // A task that is about to write has its turn first, and goes along, as long as any comes.
            let mut known = 0;
            while known < batch.len() && batch.len() < most {
                known = batch.len();
                yield_now().await;
                while batch.len() < most
                    && let Ok(job) = jobs.try_recv()
                {
                    batch.push(job);
                }
            }
        }
        batch.sort_by(|one, other| one.entry.place().cmp(&other.entry.place()));
        // What is alone needs no transaction.
        let is_written = batch.len() > 1 && writer.all(&batch).await.unwrap_or(false);
        for job in batch.drain(..) {
            let rows = match is_written {
                true => Ok(1),
                // One entry that cannot be written, or must not be, keeps no other from being written.
                false => writer.alone(&job).await,
            };
            // Who does not wait any more need not hear of it.
            let _ = job.written.send(rows);
        }
    }
}

/// A statement, and what it writes.
type Lot<'a> = (&'static str, &'a [Job]);

/// Entries in order as lots of one kind each.
fn lots(kind: Kind, batch: &[Job]) -> impl Iterator<Item = Lot<'_>> {
    let (intents, answers) = batch.split_at(batch.partition_point(|job| job.entry.is_intent()));
    INTENTS.cut(kind, intents).chain(ANSWERS.cut(kind, answers))
}

impl Writer {
    /// Writes an entry; gives how many rows it changed.
    async fn alone(&self, job: &Job) -> Result<u64, StoreError> {
        let mut rows = 0;
        for lot in lots(self.kind, std::slice::from_ref(job)) {
            rows += self.lot(&self.write, lot).await?;
        }
        Ok(rows)
    }

    /// Writes a batch, if each of its entries changes a row. If one does not, nothing is written, because it would be unknown
    /// which; gives whether it is.
    async fn all(&self, batch: &[Job]) -> Result<bool, StoreError> {
        let mut transaction = self.write.begin().await?;
        for lot in lots(self.kind, batch) {
            if self.lot(&mut *transaction, lot).await? != lot.1.len() as u64 {
                return transaction.rolled_back(false).await;
            }
        }
        transaction.commit().await?;
        Ok(true)
    }

    /// Writes entries of one kind; gives how many rows they changed.
    async fn lot(
        &self,
        connection: impl Executor<'_, Database = Any>,
        (statement, jobs): Lot<'_>,
    ) -> Result<u64, StoreError> {
        let mut insert = sql!(statement);
        for Job { entry, .. } in jobs {
            insert = match entry {
                Entry::Intent { key, request, at } => insert.with(key).with(request).with(at),
                Entry::Answer { key, request, was_sent, reply, failure, timing, endpoint } => {
                    insert
                        .with(key)
                        .with(request)
                        .with(was_sent)
                        .with(reply)
                        .with(failure)
                        .with(timing)
                        .with(endpoint)
                }
            }
            .with(self.server.id());
        }
        insert.changed(connection).await
    }
}
