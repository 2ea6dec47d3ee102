//! What survives a restart: runs, transcripts, the ledger of calls, summaries. One SQLite file.
//!
//! The SQL is plain and its placeholders are `$1`, so that it also fits PostgreSQL. Decisions (who may write what) are made
//! elsewhere; here things are kept and found.

mod episodes;
mod ledger;
mod live;
mod runs;
mod summaries;
mod together;

use std::path::Path;
use std::time::Duration;

use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};
use sqlx::{ConnectOptions as _, SqlSafeStr as _};

pub use episodes::{Change, Head};
pub use live::OpenTable;
pub use runs::{NewRun, Reading, RunHead};
pub use summaries::StoredSummary;

use together::Together;

/// The migrations, in order. One that was released is never changed.
const MIGRATIONS: [(i64, &str, &str); 3] = [
    (1, "runs", include_str!("../../migrations/0001_runs.sql")),
    (2, "live", include_str!("../../migrations/0002_live.sql")),
    (
        3,
        "regradings",
        include_str!("../../migrations/0003_regradings.sql"),
    ),
];

/// Connections that read.
const READERS: u32 = 4;

/// The store. Cloning it gives another hand on the same one.
#[derive(Debug, Clone)]
pub struct Store {
    /// One connection, because SQLite has one writer at a time: they queue here instead of polling a lock.
    write: SqlitePool,
    read: SqlitePool,
    /// Writes calls into the ledger, over the connection that writes.
    together: Together,
}

/// The store failed, or holds what it cannot hold.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database failed.
    #[error("the database failed: {0}")]
    Database(#[from] sqlx::Error),
    /// The database cannot be brought to this program's form.
    #[error("the database cannot be used: {0}")]
    Migration(#[from] sqlx::migrate::MigrateError),
    /// A row cannot be read.
    #[error("the database has a row that cannot be read: {0}")]
    Unreadable(&'static str),
    /// A transaction of several writes failed as a whole.
    #[error("the database failed: {0}")]
    Together(String),
    /// The store was closed.
    #[error("the database is closed")]
    Closed,
}

impl Store {
    /// Opens the database at `path`, makes it if it is not there, and brings it to this program's form.
    ///
    /// # Errors
    /// If the file cannot be used.
    pub async fn open(path: &Path) -> Result<Self, StoreError> {
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Normal)
            .busy_timeout(Duration::from_secs(10))
            .foreign_keys(true)
            .disable_statement_logging();
        let pool = |connections| {
            SqlitePoolOptions::new()
                .max_connections(connections)
                .acquire_timeout(Duration::from_secs(30))
        };
        let write = pool(1).connect_with(options.clone()).await?;
        let migrations = MIGRATIONS.map(|(version, name, sql)| {
            let kind = MigrationType::Simple;
            Migration::new(version, name.into(), kind, sql.into_sql_str(), false)
        });
        Migrator::with_migrations(migrations.to_vec())
            .run(&write)
            .await?;
        let read =
            pool(READERS).connect_lazy_with(options.read_only(true).create_if_missing(false));
        let together = Together::start(write.clone());
        Ok(Store {
            write,
            read,
            together,
        })
    }

    /// Closes every connection; what was written is in the file then.
    pub async fn close(&self) {
        self.read.close().await;
        self.write.close().await;
    }
}

/// A number of ours as the database keeps it.
fn to_db(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// A number of the database's as ours; it never stores a negative one.
fn from_db(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

#[cfg(test)]
mod tests;
