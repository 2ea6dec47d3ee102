//! The public log: entries are added and never changed, and each names the one before by its hash.

use std::time::Duration;

use sqlx::Row as _;
use turnwise_shared::prelude::*;
use turnwise_shared::wire::publishing::{Change, Entry, Subject, log_beginning};

use super::entries::json;
use super::{Connection, Row, Store, StoreError, digest, from_db, to_db};

/// How often an entry is tried in all where other servers are faster.
const TRIES: u32 = 12;

/// A change as the public log is to say it.
#[derive(Debug, Clone)]
pub struct Logging {
    pub change: Change,
    pub reason: String,
    /// When, in milliseconds since 1970.
    pub now: u64,
}

impl Logging {
    /// What is done, why, and when, in milliseconds since 1970.
    pub fn new(change: Change, reason: impl Into<String>, now: u64) -> Self {
        Logging { change, reason: reason.into(), now }
    }
}

impl Store {
    /// Entries of the log after a number, the oldest first.
    pub async fn log(&self, after: u64, most: u32) -> Result<Vec<LogEntry>, StoreError> {
        sqlx::query("SELECT entry FROM log WHERE number > $1 ORDER BY number LIMIT $2")
            .bind(to_db(after))
            .bind(i64::from(most))
            .fetch_all(&self.read)
            .await?
            .iter()
            .map(logged)
            .collect()
    }

    /// The last thing that the log says of a run.
    pub async fn last_said(&self, run: &RunId) -> Result<Option<LogEntry>, StoreError> {
        last_said(&mut *self.read.acquire().await?, run.as_str()).await
    }
}

/// Waits before an entry is tried again, the longer the more often it was tried, and counts: of those who collide one is through
/// each time.
///
/// # Errors
/// [`StoreError::Contended`] if it was tried often enough.
pub(super) async fn once_more(tried: u32) -> Result<u32, StoreError> {
    if tried + 1 >= TRIES {
        return Err(StoreError::Contended);
    }
    tokio::time::sleep(Duration::from_millis(5 << tried.min(6))).await;
    Ok(tried + 1)
}

/// The last thing that the log says of a subject ([`Subject::key`]), as this connection sees it.
pub(super) async fn last_said(
    connection: &mut Connection,
    subject: &str,
) -> Result<Option<LogEntry>, StoreError> {
    sqlx::query("SELECT entry FROM log WHERE run = $1 ORDER BY number DESC LIMIT 1")
        .bind(subject)
        .fetch_optional(connection)
        .await?
        .map(|row| logged(&row))
        .transpose()
}

/// What the log says of a row at a change.
pub(super) fn row(entry: &Entry, change: Change) -> Subject {
    let is_told = matches!(change, Change::Admitted | Change::Rescored);
    Subject::Row {
        run: entry.run.clone(),
        board: entry.board,
        tier: entry.tier,
        headline: entry.numbers.headline().filter(|_| is_told).cloned(),
        numbers: Digest::of_value(&entry.numbers),
    }
}

/// Adds what is said of a subject after the last entry; `None` if another transaction added one in between.
pub(super) async fn append(
    connection: &mut Connection,
    logging: &Logging,
    subject: Subject,
) -> Result<Option<LogEntry>, StoreError> {
    let last = sqlx::query("SELECT number, hash FROM log ORDER BY number DESC LIMIT 1")
        .fetch_optional(&mut *connection)
        .await?;
    let (number, previous) = match last {
        Some(row) => (from_db(row.try_get("number")?), digest(&row, "hash")?),
        None => (0, log_beginning()),
    };
    let mut logged = LogEntry {
        number: number + 1,
        time: logging.now,
        change: logging.change,
        subject,
        reason: logging.reason.clone(),
        previous,
        hash: previous,
    };
    logged.hash = logged.expected();
    let added = sqlx::query(
        "INSERT INTO log (number, run, entry, hash) VALUES ($1, $2, $3, $4) \
         ON CONFLICT (number) DO NOTHING",
    )
    .bind(to_db(logged.number))
    .bind(logged.subject.key())
    .bind(json(&logged)?)
    .bind(logged.hash.to_string())
    .execute(&mut *connection)
    .await?;
    Ok((added.rows_affected() == 1).then_some(logged))
}

fn logged(row: &Row) -> Result<LogEntry, StoreError> {
    serde_json::from_str(row.try_get("entry")?)
        .map_err(|_| StoreError::Unreadable("an entry of the log"))
}
