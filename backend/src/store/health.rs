//! Whether the database can be written. A task of the store writes this server's own row every few seconds, and at once after
//! something failed on a connection that writes, and reads the row back over another connection. As long as that fails, no paid call
//! goes out; neither does one while an answer that was paid for is not stored.

use std::sync::Arc;
use std::time::Duration;

use sqlx::Error;
use sqlx::postgres::PgDatabaseError;
use sqlx::sqlite::SqliteError;
use tokio::sync::{Notify, watch};

use super::StoreError;

/// Between two tries of something that an outage kept from being done.
const PAUSE: Duration = Duration::from_millis(500);

/// Cheap to clone; clones share the same state.
#[derive(Debug, Clone, Default)]
pub(super) struct Health(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    state: watch::Sender<State>,
    doubts: Notify,
}

#[derive(Debug, Clone, Default)]
struct State {
    condition: Condition,
    doubts: u64,
    /// Paid answers that are not stored.
    unsaved: usize,
    is_closed: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
enum Condition {
    #[default]
    Works,
    /// Something failed, and the next look tells whether the database still works.
    Doubtful,
    /// It cannot be used, for this reason.
    Fails(Arc<str>),
}

/// A paid answer that is not stored. As long as one exists, no further call is paid for.
#[derive(Debug)]
pub(super) struct Unsaved(Health);

impl Health {
    /// Something failed on a connection that writes. A look follows at once; until then nothing is paid for.
    pub fn doubt(&self) {
        self.0.state.send_if_modified(|state| {
            state.doubts += 1;
            let works = state.condition == Condition::Works;
            if works {
                state.condition = Condition::Doubtful;
            }
            works
        });
        self.0.doubts.notify_one();
    }

    /// Returns when there is reason to look.
    pub async fn doubted(&self) {
        self.0.doubts.notified().await;
    }

    /// How often something failed until now.
    pub fn doubts(&self) -> u64 {
        self.0.state.borrow().doubts
    }

    /// A row was written and read back, after `doubts` doubts. What failed meanwhile needs another look.
    pub fn works(&self, doubts: u64) {
        let mut before = Condition::Works;
        self.0.state.send_if_modified(|state| {
            if state.doubts != doubts {
                return false;
            }
            before = std::mem::take(&mut state.condition);
            before != Condition::Works
        });
        if let Condition::Fails(why) = before {
            tracing::warn!("the database works again; it did not, because {why}");
        }
    }

    /// A row could not be written or read back.
    pub fn fails(&self, why: &str) {
        let mut is_new = false;
        self.0.state.send_if_modified(|state| {
            is_new = !state.is_closed
                && !matches!(&state.condition, Condition::Fails(before) if **before == *why);
            if is_new {
                state.condition = Condition::Fails(why.into());
            }
            is_new
        });
        if is_new {
            tracing::error!(
                "the database cannot be used: {why}; nothing is stored and no call is paid for until it works again"
            );
        }
    }

    /// Whether the store was closed.
    pub fn is_closed(&self) -> bool {
        self.0.state.borrow().is_closed
    }

    /// Why it cannot be used, if it cannot.
    pub fn outage(&self) -> Option<Arc<str>> {
        match &self.0.state.borrow().condition {
            Condition::Fails(why) => Some(Arc::clone(why)),
            Condition::Works | Condition::Doubtful => None,
        }
    }

    /// Ends every wait: the store was closed.
    pub fn close(&self) {
        self.0.state.send_modify(|state| state.is_closed = true);
    }

    /// Waits until the database works.
    pub async fn until_sound(&self) -> Result<(), StoreError> {
        self.until(|state| state.condition == Condition::Works).await
    }

    /// Waits until the database works and every paid answer is stored.
    pub async fn until_payable(&self) -> Result<(), StoreError> {
        self.until(|state| state.condition == Condition::Works && state.unsaved == 0).await
    }

    async fn until(&self, holds: impl Fn(&State) -> bool) -> Result<(), StoreError> {
        let mut states = self.0.state.subscribe();
        let state = states
            .wait_for(|state| state.is_closed || holds(state))
            .await
            .map_err(|_| StoreError::Closed)?;
        match state.is_closed {
            true => Err(StoreError::Closed),
            false => Ok(()),
        }
    }

    /// Waits after an outage kept something from being done, until it is worth trying again.
    pub async fn recovered(&self) -> Result<(), StoreError> {
        self.doubt();
        // A small write may succeed where a large one fails.
        tokio::time::sleep(PAUSE).await;
        self.until_sound().await
    }

    /// Counts a paid answer that is not stored.
    pub fn unsaved(&self) -> Unsaved {
        self.0.state.send_modify(|state| state.unsaved += 1);
        Unsaved(self.clone())
    }
}

impl Drop for Unsaved {
    fn drop(&mut self) {
        self.0.0.state.send_modify(|state| state.unsaved -= 1);
    }
}

/// Whether an error leaves the connection as it was: a constraint refused a row, or nothing was wrong with the database at all.
pub(super) fn is_harmless(error: &Error) -> bool {
    match error {
        Error::Database(error) => match error.try_downcast_ref::<SqliteError>() {
            Some(_) => sqlite_code(error.code().as_deref()) == Some(19),
            None => error.code().is_some_and(|code| code.starts_with("23")),
        },
        Error::RowNotFound | Error::PoolClosed => true,
        _ => false,
    }
}

/// Why the database cannot be used, if that is what an error means. Errors of statements and of rows mean something else.
pub(super) fn outage(error: &Error) -> Option<String> {
    match error {
        Error::Io(error) => Some(format!("the database cannot be reached ({error})")),
        Error::Tls(error) => Some(format!(
            "no secure connection to the database can be made ({error})"
        )),
        Error::Protocol(error) => {
            Some(format!("the connection to the database broke off ({error})"))
        }
        Error::WorkerCrashed => Some("the connection to the database broke off".to_owned()),
        Error::PoolTimedOut => Some(
            "no connection to the database was free in time: it does not answer, or has too few connections".to_owned(),
        ),
        Error::Database(error) => {
            let code = error.code();
            if error.try_downcast_ref::<SqliteError>().is_some() {
                return sqlite_outage(sqlite_code(code.as_deref())?, error.message());
            }
            error.try_downcast_ref::<PgDatabaseError>()?;
            postgres_outage(code.as_deref()?, error.message())
        }
        _ => None,
    }
}

fn sqlite_code(code: Option<&str>) -> Option<u32> {
    Some(code?.parse::<u32>().ok()? & 0xff)
}

fn sqlite_outage(code: u32, message: &str) -> Option<String> {
    let known = match code {
        // BUSY, LOCKED
        5 | 6 => "another program keeps the database locked",
        // NOMEM
        7 => "there is no memory left",
        // READONLY
        8 => "the database cannot be written",
        // IOERR
        10 => "the disk cannot be read or written",
        // CORRUPT, NOTADB
        11 | 26 => "the database is damaged",
        13 => return Some("the disk is full".to_owned()),
        // CANTOPEN
        14 => "the file of the database cannot be opened",
        // PROTOCOL, NOLFS
        15 | 22 => "the file of the database cannot be locked",
        _ => return None,
    };
    Some(format!("{known} ({message})"))
}

fn postgres_outage(code: &str, message: &str) -> Option<String> {
    match code {
        "53100" => Some("the disk of PostgreSQL is full".to_owned()),
        "25006" => Some(format!("PostgreSQL takes no writes ({message})")),
        // Operator intervention, but for a single statement that was cancelled.
        "57014" => None,
        _ if ["08", "53", "57", "58", "XX"].iter().any(|class| code.starts_with(class)) => {
            Some(format!("PostgreSQL cannot be used ({message})"))
        }
        _ => None,
    }
}
