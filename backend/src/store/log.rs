//! The public log: entries are added and never changed, and each names the one before by its hash.

use sqlx::Row as _;
use turnwise_shared::hash::Digest;
use turnwise_shared::wire::RunId;
use turnwise_shared::wire::publishing::{Change, Entry, LogEntry, log_beginning};

use super::entries::json;
use super::publishing::Logging;
use super::{Connection, Row, Store, StoreError, digest, from_db, to_db};

impl Store {
    /// Entries of the log after a number, the oldest first.
    ///
    /// # Errors
    /// [`StoreError`]
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
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn last_said(&self, run: &RunId) -> Result<Option<LogEntry>, StoreError> {
        last_said(&mut *self.read.acquire().await?, run).await
    }
}

/// The last thing that the log says of a run, as this connection sees it.
pub(super) async fn last_said(
    connection: &mut Connection,
    run: &RunId,
) -> Result<Option<LogEntry>, StoreError> {
    sqlx::query("SELECT entry FROM log WHERE run = $1 ORDER BY number DESC LIMIT 1")
        .bind(run.as_str())
        .fetch_optional(connection)
        .await?
        .map(|row| logged(&row))
        .transpose()
}

/// Adds what is said of a row after the last entry; `None` if somebody else added one in between.
pub(super) async fn append(
    connection: &mut Connection,
    logging: &Logging,
    entry: &Entry,
) -> Result<Option<LogEntry>, StoreError> {
    let last = sqlx::query("SELECT number, hash FROM log ORDER BY number DESC LIMIT 1")
        .fetch_optional(&mut *connection)
        .await?;
    let (number, previous) = match last {
        Some(row) => (from_db(row.try_get("number")?), digest(&row, "hash")?),
        None => (0, log_beginning()),
    };
    let is_told = matches!(logging.change, Change::Admitted | Change::Rescored);
    let mut logged = LogEntry {
        number: number + 1,
        time: logging.now,
        change: logging.change,
        run: entry.run.clone(),
        board: entry.board,
        standing: entry.standing,
        headline: entry.numbers.headline().filter(|_| is_told).cloned(),
        numbers: Digest::of_value(&entry.numbers),
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
    .bind(logged.run.as_str())
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
