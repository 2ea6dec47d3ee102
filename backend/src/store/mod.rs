//! What survives a restart: runs, transcripts, the ledger of calls, summaries. One file of SQLite's, or a database of PostgreSQL's
//! that several servers share.
//!
//! Both are spoken to through the driver of sqlx that finds out at run time which it is, with the same SQL: placeholders `$1`;
//! columns `TEXT`, `BIGINT`, `DOUBLE PRECISION`; sums `CAST(… AS BIGINT)`; truth as `CASE WHEN … THEN 1 ELSE 0 END`; a parameter that
//! is compared with NULL has a `CAST`. How types are stored is declared in [`statement`]. Texts are ordered by their bytes on both. Decisions (who may write what) are made elsewhere; here things are kept and found.

mod before;
mod blobs;
mod boards;
mod budgets;
mod copies;
mod driving;
mod entries;
mod episodes;
mod file;
mod fixed;
mod happened;
mod health;
mod kind;
mod ledger;
mod live;
mod lock;
mod log;
mod lots;
mod naming;
mod open;
mod others;
mod packing;
mod parts;
mod pictures;
mod publishing;
mod receipts;
mod response_cache;
mod runs;
mod sealed;
mod servers;
mod sharing;
mod statement;
mod summaries;
mod thinking;
mod together;
mod write_pool;

use std::sync::Arc;

use sqlx::any::AnyRow;
use sqlx::migrate::MigrateError;
use sqlx::{AnyConnection, AnyPool};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

pub use before::{Earlier, End, Past};
pub use boards::BoardsVersion;
pub use budgets::{BudgetUse, Limit, RunCaps};
pub use copies::Copied;
pub use driving::{Hold, Taking, ThenLease};
pub use entries::KeptEntry;
pub use episodes::{Change, Changed, Texts, TextsIter};
pub use ledger::{Answered, Elsewhere, Intended, under_way};
pub use live::OpenTable;
pub use log::Logging;
pub use parts::{Extent, Head};
pub use publishing::Placed;
pub use receipts::KeptReceipt;
pub use runs::{Listing, NewRun, Reader, Reading, RunHead};
pub use summaries::{Source, StoredSummary};

use file::DatabaseFile;
use kind::Kind;
use lock::Lock;
use servers::Server;
use together::Together;
use write_pool::WritePool;

/// Connections to the database, whichever it is.
type Pool = AnyPool;
type Connection = AnyConnection;
type Row = AnyRow;

/// Whether the server in a row is there, as a term of SQL, by the time in another one. One that would be there for longer than twice
/// its life said so while its clock was ahead.
macro_rules! is_there {
    ($ends:literal, $now:literal) => {
        concat!($ends, " > ", $now, " AND ", $ends, " <= ", $now, " + 20000")
    };
}
use is_there;

/// The most bytes of transcripts that may be in memory as a whole at once. What is read of them takes some times as much.
pub const ROOM: u64 = A_PLACE * PLACES as u64;

/// Room is given out in places of this many bytes.
const A_PLACE: u64 = 1 << 20;
const PLACES: u32 = 128;

/// The store. Cloning it gives another hand on the same one.
#[derive(Debug, Clone)]
pub struct Store {
    /// Over SQLite one connection, because it has one writer at a time: they queue here instead of polling a lock.
    write: WritePool,
    read: Pool,
    kind: Kind,
    server: Server,
    /// Writes calls into the ledger, over the connections that write.
    together: Together,
    file: Option<Arc<DatabaseFile>>,
    /// Keeps other servers from it.
    lock: Option<Arc<Lock>>,
    /// Room for transcripts that are in memory as a whole.
    room: Arc<Semaphore>,
}

/// The store failed, or holds what it cannot hold.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("the database failed: {0}")]
    Database(#[from] sqlx::Error),
    /// No server answers where the database should be, or it does not let us in.
    #[error("{what} To mend it: {mend}")]
    Unreachable {
        what: String,
        /// What can be done about it.
        mend: String,
    },
    /// A pooler in between gives every transaction another connection, which prepared statements do not survive.
    #[error(
        "its connections change hands between two statements: this looks like a pooler that shares connections by transaction; \
         give the direct address, or a pool by session"
    )]
    Pooler,
    /// The database cannot be brought to this program's form.
    #[error("the database cannot be used: {0}")]
    Migration(#[from] MigrateError),
    /// A row cannot be read.
    #[error("the database has a row that cannot be read: {0}")]
    Unreadable(&'static str),
    /// Others wrote into the public log in the same moments, whenever it was tried.
    #[error(
        "other servers wrote into the public log at the same time, as often as it was tried; nothing of this was kept"
    )]
    Contended,
    /// A transcript was taken up anew at an earlier line, whenever it was read.
    #[error("the transcript changed while it was read, as often as it was tried; ask again")]
    Changing,
    /// A transaction of several writes failed as a whole.
    #[error("the database failed: {0}")]
    Together(String),
    #[error("the database is closed")]
    Closed,
}

/// An error that may mean that the database cannot be used at the moment, whatever is asked of it.
pub trait MayBeOutage {
    fn is_outage(&self) -> bool;
}

impl MayBeOutage for StoreError {
    fn is_outage(&self) -> bool {
        self.outage().is_some()
    }
}

impl StoreError {
    /// Why the database cannot be used, if that is what this means.
    pub fn outage(&self) -> Option<String> {
        match self {
            StoreError::Database(error) => health::outage(error),
            StoreError::Migration(MigrateError::Execute(error)) => health::outage(error),
            _ => None,
        }
    }
}

impl Store {
    /// Closes every connection; what was written is in the file then.
    pub async fn close(&self) {
        self.write.health().close();
        if let Err(error) = self.server.end(&self.write).await {
            tracing::warn!(%error, "this server could not say that it goes");
        }
        self.read.close().await;
        self.write.close().await;
        if let Some(lock) = &self.lock {
            lock.release();
        }
    }

    /// Waits until there is room for transcripts of `bytes` bytes that are read as a whole: [`ROOM`] bytes are in memory at once, or one
    /// that is longer. A caller that needs several asks once for all of them, and lets go of the room with them.
    pub async fn room_for(&self, bytes: u64) -> Result<OwnedSemaphorePermit, StoreError> {
        let wanted = bytes.div_ceil(A_PLACE).clamp(1, u64::from(PLACES));
        let wanted = u32::try_from(wanted).unwrap_or(PLACES);
        let room = Arc::clone(&self.room).acquire_many_owned(wanted).await;
        room.map_err(|_| StoreError::Closed)
    }

    /// Why the database cannot be used now, if it cannot. That SQLite's file is not there any more is seen at once.
    pub fn outage(&self) -> Option<Arc<str>> {
        let health = self.write.health();
        if let Some(trouble) = self.file.as_ref().and_then(|file| file.trouble()) {
            health.fails(&trouble);
        }
        health.outage()
    }

    /// Waits until a call may be paid for: what was written last could be read back, and every answer that was paid for is stored.
    pub async fn until_payable(&self) -> Result<(), StoreError> {
        self.write.health().until_payable().await
    }

    /// Waits until the database works.
    pub async fn until_sound(&self) -> Result<(), StoreError> {
        self.write.health().until_sound().await
    }

    /// Does something again and again as long as an outage of the database keeps it from being done. What is done twice because
    /// the outcome of the first time is unknown must come to the same.
    ///
    /// # Errors
    /// Whatever else keeps it from being done.
    pub async fn insist<T, E, F>(&self, mut once: impl FnMut() -> F) -> Result<T, E>
    where
        E: MayBeOutage,
        F: Future<Output = Result<T, E>>,
    {
        loop {
            match once().await {
                Err(error) if error.is_outage() => {
                    if self.write.health().recovered().await.is_err() {
                        return Err(error);
                    }
                }
                done => return done,
            }
        }
    }

    /// Does so with what stores a paid answer. As long as it is not stored, no further call is paid for.
    ///
    /// # Errors
    /// Whatever else keeps it from being stored.
    pub async fn insist_on_paid<T, E, F>(&self, mut once: impl FnMut() -> F) -> Result<T, E>
    where
        E: MayBeOutage,
        F: Future<Output = Result<T, E>>,
    {
        match once().await {
            Err(error) if error.is_outage() => {
                let _unsaved = self.write.health().unsaved();
                self.insist(once).await
            }
            done => done,
        }
    }

    pub fn is_closed(&self) -> bool {
        self.write.is_closed()
    }
}

#[cfg(test)]
pub(crate) mod tests;
