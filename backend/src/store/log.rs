//! The public log: entries are added and never changed, and each names the one before by its hash.

use std::time::Duration;

use turnwise_shared::prelude::*;
use turnwise_shared::wire::publishing::{Change, Entry, Subject, log_beginning};

use super::statement::sql;
use super::{Connection, Store, StoreError};

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
        sql!("SELECT entry FROM log WHERE number > $1 ORDER BY number LIMIT $2", after, most)
            .all(&self.read)
            .await
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
    sql!("SELECT entry FROM log WHERE run = $1 ORDER BY number DESC LIMIT 1", subject)
        .first(connection)
        .await
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
    let last: Option<(u64, Digest)> =
        sql!("SELECT number, hash FROM log ORDER BY number DESC LIMIT 1")
            .first(&mut *connection)
            .await?;
    let (number, previous) = last.unwrap_or_else(|| (0, log_beginning()));
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
    let added = sql!(
        "INSERT INTO log (number, run, entry, hash) VALUES ($1, $2, $3, $4) \
         ON CONFLICT (number) DO NOTHING",
        logged.number,
        logged.subject.key(),
        logged,
        logged.hash
    )
    .changed(&mut *connection)
    .await?;
    Ok((added == 1).then_some(logged))
}
