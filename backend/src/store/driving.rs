//! Who drives a run: the newest lease of each, how a run stands, and what another server needs to go on with one.

use turnwise_shared::prelude::*;
use turnwise_shared::wire::driving::{CLOCKS, CallCount, Epoch, Holder, SERVER_LEASE};

use super::log::once_more;
use super::publishing::withdrawn;
use super::runs::RunHead;
use super::statement::{Statement, rows, sql};
use super::{Connection, Store, StoreError};
use crate::clock::now;

/// A lease as a driver takes it.
#[derive(Debug, Clone, Copy)]
pub struct Taking {
    pub holder: Holder,
    /// Until when it is theirs, in milliseconds since 1970, unless something more is heard of them.
    pub until: u64,
    /// How the server drives the run; absent where a page does.
    pub drive: Option<Drive>,
}

/// In whose name something is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hold {
    /// The lease; the write is refused if it is not the newest.
    pub epoch: Epoch,
    /// Until when it lives on because of this, in milliseconds since 1970.
    pub until: u64,
}

/// What becomes of a run's lease when the run comes to stand otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ThenLease {
    /// The driver keeps it until this time.
    Lives(u64),
    /// The driver lets go at this time.
    Ends(u64),
    /// The driver is refused from now on.
    Revoked,
}

/// What is counted of the time since a lease was last heard of, as a term of SQL; the parameter in braces is the time now. It counts
/// until the lease ran out at most, so a driver that was killed is not counted for longer than its lease.
macro_rules! driven_until {
    ($now:literal) => {
        concat!(
            "driven + CASE WHEN since > 0 AND ends > since AND ",
            $now,
            " > since THEN CASE WHEN ends < ",
            $now,
            " THEN ends ELSE ",
            $now,
            " END - since ELSE 0 END"
        )
    };
}
pub(super) use driven_until;

impl Store {
    /// Takes a run's lease: the next epoch is the caller's, and the run is running. `None` if another writer changed lease or
    /// state since `head` was read; then look again.
    ///
    /// # Errors
    /// [`StoreError`]; nothing is taken then.
    pub async fn take_lease(
        &self,
        head: &RunHead,
        taking: &Taking,
    ) -> Result<Option<Lease>, StoreError> {
        // Before its first lease a script may have driven it, which counts as well.
        let driven = match head.lease {
            None => self.under_way(&head.run).await?,
            Some(_) => 0,
        };
        let mut transaction = self.write.begin().await?;
        if !stands(&mut transaction, head, RunState::Running).await? {
            return transaction.rolled_back(None).await;
        }
        let before = head.lease.map_or(Epoch(0), |lease| lease.epoch);
        let epoch = Epoch(before.0 + 1);
        let drive = taking.drive.unwrap_or(Drive { in_flight: 0, pause_after: 0 });
        let sql = match before {
            Epoch(0) => {
                "INSERT INTO leases (run, epoch, holder, ends, in_flight, pause_after, since, driven) \
                 VALUES ($1, $2 + 1, $3, $4, $5, $6, $7, $8) ON CONFLICT (run) DO NOTHING"
            }
            _ => concat!(
                "UPDATE leases SET epoch = epoch + 1, holder = $3, ends = $4, in_flight = $5, pause_after = $6, \
                 trouble = NULL, refused = NULL, since = $7, driven = $8 + ",
                driven_until!("$7"),
                " WHERE run = $1 AND epoch = $2"
            ),
        };
        let done = sql!(
            sql,
            head.run,
            before,
            taking.holder,
            taking.until,
            drive.in_flight,
            drive.pause_after,
            now(),
            driven
        )
        .changed(&mut *transaction)
        .await?;
        if done != 1 {
            return transaction.rolled_back(None).await;
        }
        transaction.commit().await?;
        Ok(Some(Lease { epoch, holder: taking.holder, until: taking.until }))
    }

    /// Something was heard of a driver: its lease lives on. Returns whether it still is the newest.
    pub async fn renew_lease(&self, run: &RunId, hold: Hold) -> Result<bool, StoreError> {
        Ok(renewal(run, hold).changed(&self.write).await? == 1)
    }

    /// A driver may have gone: its lease ends at this time if nothing more is heard of it, and its time is counted no longer.
    pub async fn shorten_lease(
        &self,
        run: &RunId,
        epoch: Epoch,
        ends: u64,
    ) -> Result<(), StoreError> {
        sql!(
            concat!(
                "UPDATE leases SET driven = ",
                driven_until!("$4"),
                ", since = CASE WHEN since IS NULL THEN since ELSE 0 END, ends = $3 WHERE run = $1 AND epoch = $2 AND ends > $3"
            ),
            run,
            epoch,
            ends,
            now()
        )
        .run(&self.write)
        .await
    }

    /// A run comes to stand otherwise, and with it its lease; one that is withdrawn leaves its board. Returns whether that was done:
    /// not if another writer changed either since `head` was read; then look again.
    ///
    /// # Errors
    /// [`StoreError`]; nothing is changed then.
    pub async fn move_run(
        &self,
        head: &RunHead,
        to: RunState,
        lease: ThenLease,
        trouble: Option<&ApiError>,
    ) -> Result<bool, StoreError> {
        let mut tried = 0;
        loop {
            let mut transaction = self.write.begin().await?;
            if !moved(&mut transaction, head, to, lease).await? {
                return transaction.rolled_back(false).await;
            }
            if matches!(lease, ThenLease::Lives(_)) {
                set_trouble(&mut transaction, head, trouble).await?;
            }
            if to != RunState::Withdrawn || withdrawn(&mut transaction, &head.run).await? {
                transaction.commit().await?;
                return Ok(true);
            }
            transaction.rollback().await?;
            tried = once_more(tried).await?;
        }
    }

    /// Why the server's driver has stopped before the end of a run, if it has.
    pub async fn trouble(&self, run: &RunId) -> Result<Option<ApiError>, StoreError> {
        let trouble: Option<Option<ApiError>> =
            sql!("SELECT trouble FROM leases WHERE run = $1", run).first(&self.read).await?;
        Ok(trouble.flatten())
    }

    /// Keeps what a call could come to that the budget of its run did not let out, until a driver takes the run up again. Nothing
    /// for a run that has never been driven.
    pub async fn set_refused(&self, run: &RunId, most: Spent) -> Result<(), StoreError> {
        sql!("UPDATE leases SET refused = $2 WHERE run = $1", run, most).run(&self.write).await
    }

    /// Runs that a server drove and left, with how it drove them: their leases have run out, and they are not over.
    pub async fn left_by_servers(&self, now: u64) -> Result<Vec<(RunId, Drive)>, StoreError> {
        let left: Vec<(RunId, u32, u32)> = sql!(
            "SELECT l.run, l.in_flight, l.pause_after FROM leases l JOIN runs r ON r.id = l.run \
             WHERE l.holder = 'server' AND (l.ends <= $1 OR l.ends > $2) AND r.state = 'running' ORDER BY l.run",
            now,
            // Taken while the clock was ahead.
            now.saturating_add(SERVER_LEASE + CLOCKS)
        )
        .all(&self.read)
        .await?;
        let left = left.into_iter();
        Ok(left
            .map(|(run, in_flight, pause_after)| (run, Drive { in_flight, pause_after }))
            .collect())
    }

    /// The calls of a run in the ledger.
    pub async fn call_count(&self, run: &RunId) -> Result<CallCount, StoreError> {
        sql!(
            "SELECT COUNT(*) AS calls, CAST(COALESCE(SUM(sent), 0) AS BIGINT) AS sent, \
             CAST(COALESCE(SUM(lost), 0) AS BIGINT) AS lost, \
             CAST(COALESCE(SUM(CASE WHEN reply IS NULL THEN 1 ELSE 0 END), 0) AS BIGINT) AS unanswered \
             FROM ledger WHERE run = $1",
            run
        )
        .one(&self.read)
        .await
    }
}

rows! { CallCount { calls, sent, lost, unanswered } }

/// Writes how a run stands and what becomes of its lease, unless either is otherwise than when `head` was read.
async fn moved(
    connection: &mut Connection,
    head: &RunHead,
    to: RunState,
    lease: ThenLease,
) -> Result<bool, StoreError> {
    if !stands(connection, head, to).await? {
        return Ok(false);
    }
    let Some(before) = head.lease else {
        return Ok(true);
    };
    let (epoch, ends) = match lease {
        ThenLease::Lives(until) => (before.epoch, until),
        ThenLease::Ends(at) => (before.epoch, at),
        ThenLease::Revoked => (Epoch(before.epoch.0 + 1), 0),
    };
    let now = now();
    let since = match (to, lease) {
        (RunState::Running, ThenLease::Lives(_)) => Some(now),
        (RunState::Running, _) => Some(0),
        _ => None,
    };
    let changed = sql!(
        concat!(
            "UPDATE leases SET epoch = $3, ends = $4, since = $5, driven = ",
            driven_until!("$6"),
            " WHERE run = $1 AND epoch = $2"
        ),
        head.run,
        before.epoch,
        epoch,
        ends,
        since,
        now
    )
    .changed(connection)
    .await?;
    Ok(changed == 1)
}

/// Writes why a driver has paused the run by itself, or that nothing is wrong any more.
async fn set_trouble(
    connection: &mut Connection,
    head: &RunHead,
    trouble: Option<&ApiError>,
) -> Result<(), StoreError> {
    sql!("UPDATE leases SET trouble = $2 WHERE run = $1", head.run, trouble).run(connection).await
}

/// Writes how a run stands, unless it stands otherwise than when `head` was read.
async fn stands(
    connection: &mut Connection,
    head: &RunHead,
    to: RunState,
) -> Result<bool, StoreError> {
    let done =
        sql!("UPDATE runs SET state = $2 WHERE id = $1 AND state = $3", head.run, to, head.left)
            .changed(connection)
            .await?;
    Ok(done == 1)
}

/// A lease lives on, if it is the newest, and the time since it was last heard of counts as driven. A write in its name
/// begins the transaction with this: no driver takes the lease then before the transaction is over.
pub(super) async fn renew(
    connection: &mut Connection,
    run: &RunId,
    hold: Hold,
) -> Result<bool, StoreError> {
    Ok(renewal(run, hold).changed(connection).await? == 1)
}

fn renewal(run: &RunId, hold: Hold) -> Statement {
    sql!(
        concat!(
            "UPDATE leases SET ends = $3, since = CASE WHEN since IS NULL THEN since ELSE $4 END, driven = ",
            driven_until!("$4"),
            " WHERE run = $1 AND epoch = $2"
        ),
        run,
        hold.epoch,
        hold.until,
        now()
    )
}

/// Whether a run has ever been driven.
pub(super) async fn is_leased(
    connection: &mut Connection,
    run: &RunId,
) -> Result<bool, StoreError> {
    sql!("SELECT run FROM leases WHERE run = $1", run).exists(connection).await
}
