//! Caps, what was spent of budgets, and how services were held back.

use std::collections::BTreeSet;

use sqlx::Executor;
use sqlx::any::Any;
use turnwise_shared::prelude::*;
use turnwise_shared::wire::budgets::PaceChange;

use super::driving::driven_until;
use super::statement::{FromRow, Parameter as _, ReadRow as _, rows, sql};
use super::{Connection, Row, Store, StoreError, WritePool, is_there};
use crate::clock::now;

/// What a run may spend, and how long it went on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RunCaps {
    pub caps: Caps,
    /// Whether a visitor opened it: a branch in which nothing is paid.
    pub is_visitors: bool,
    /// The access token with which it was opened.
    pub access: Option<String>,
    /// Milliseconds since 1970 at which it was opened.
    pub opened: u64,
    /// Milliseconds for which it has been driven under a lease.
    pub driven: u64,
    /// Whether its lease was ever taken.
    pub is_leased: bool,
    /// What the call could come to that its budget did not let out last, since it was last taken up.
    pub refused: Option<Spent>,
}

/// What was spent of a budget.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BudgetUse {
    pub spent: Spent,
    /// What of it calls on their way hold, at whichever server; some of it may come back.
    pub aside: Spent,
    /// For how many milliseconds its calls were under way, where its time is capped: those in which at least one was sent and had not
    /// come back, at whichever server.
    pub milliseconds: u64,
}

impl BudgetUse {
    /// What is spent for good.
    pub fn settled(&self) -> Spent {
        self.spent.less(self.aside)
    }
}

/// A budget by its key, and the most that may be in what was spent of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limit {
    pub budget: String,
    /// Caps on money, tokens, calls, and the time in which calls are under way.
    pub caps: Caps,
}

/// What changes a budget by the amounts `$2`, `$3` and `$4`: it has at least nothing and at most the largest number.
macro_rules! changed_by {
    (@ $column:literal, $by:literal) => {
        concat!(
            $column, " = CASE WHEN ", $by, " > 0 AND ", $column, " > 9223372036854775807 - ", $by,
            " THEN 9223372036854775807 WHEN ", $column, " + ", $by, " < 0 THEN 0 ELSE ", $column, " + ", $by, " END"
        )
    };
    () => {
        concat!(
            changed_by!(@ "money", "$2"), ", ",
            changed_by!(@ "tokens", "$3"), ", ",
            changed_by!(@ "calls", "$4")
        )
    };
}

impl Store {
    /// Keeps what a run may spend; it takes the place of what it had.
    pub async fn set_caps(
        &self,
        run: &RunId,
        caps: &Caps,
        access: Option<&str>,
    ) -> Result<(), StoreError> {
        sql!(
            "INSERT INTO caps (run, caps, access) VALUES ($1, $2, $3) \
             ON CONFLICT (run) DO UPDATE SET caps = excluded.caps, access = COALESCE(caps.access, excluded.access)",
            run,
            caps,
            access
        )
        .run(&self.write)
        .await
    }

    /// What a run may spend; `None` if the server has no such run.
    pub async fn caps(&self, run: &RunId) -> Result<Option<RunCaps>, StoreError> {
        sql!(
            concat!(
                "SELECT r.opened, r.visitor, c.caps, c.access, l.refused, CASE WHEN l.run IS NULL THEN 0 ELSE 1 END AS leased, ",
                driven_until!("$2"),
                " AS driven FROM runs r LEFT JOIN caps c ON c.run = r.id LEFT JOIN leases l ON l.run = r.id WHERE r.id = $1"
            ),
            run,
            now()
        )
        .first(&self.read)
        .await
    }

    /// Takes an amount from all of these budgets, or from none, under an id that is used once. The other part says which one has not
    /// enough left. Time is not taken: it passes as long as the call is under way, and only where none is left it is refused.
    ///
    /// # Errors
    /// [`StoreError`]; nothing was taken then.
    pub async fn reserve(
        &self,
        id: &str,
        limits: &[Limit],
        amount: Spent,
    ) -> Result<Result<(), usize>, StoreError> {
        let mut transaction = self.write.begin().await?;
        for (at, limit) in limits.iter().enumerate() {
            let Limit { budget, caps } = limit;
            let most = |cap: Option<u64>| cap.unwrap_or(u64::MAX);
            if caps.seconds.is_some() {
                let passed = count_time(&mut transaction, budget).await?;
                if !limit.has_time(passed) {
                    return transaction.rolled_back(Err(at)).await;
                }
            } else {
                sql!(
                    "INSERT INTO purses (purse, money, tokens, calls) VALUES ($1, 0, 0, 0) \
                     ON CONFLICT (purse) DO NOTHING",
                    budget
                )
                .run(&mut *transaction)
                .await?;
            }
            let done = sql!(concat!(
                    "UPDATE purses SET ",
                    changed_by!(),
                    // What is not capped binds nothing, whatever was counted of it.
                    " WHERE purse = $1 AND ($5 = 9223372036854775807 OR money <= $5 - $2) \
                     AND ($6 = 9223372036854775807 OR tokens <= $6 - $3) AND ($7 = 9223372036854775807 OR calls <= $7 - $4)"
                ), budget, amount.money, amount.tokens, amount.calls, most(caps.money), most(caps.tokens), most(caps.calls)).changed(&mut *transaction).await?;
            if done == 0 {
                return transaction.rolled_back(Err(at)).await;
            }
            sql!(
                "INSERT INTO reservations (id, purse, server, money, tokens, timed) VALUES ($1, $2, $3, $4, $5, $6)",
                id,
                budget,
                self.server.id(),
                amount.money,
                amount.tokens,
                caps.seconds.is_some()
            )
            .run(&mut *transaction)
            .await?;
        }
        transaction.commit().await?;
        Ok(Ok(()))
    }

    /// Puts what was reserved right by what it came to.
    ///
    /// # Errors
    /// [`StoreError`]; what was reserved counts as spent then.
    pub async fn settle(
        &self,
        id: &str,
        limits: &[Limit],
        reserved: Spent,
        really: Spent,
    ) -> Result<(), StoreError> {
        let more = |really: u64, reserved: u64| really.stored().saturating_sub(reserved.stored());
        let mut transaction = self.write.begin().await?;
        for Limit { budget, caps } in limits {
            if caps.seconds.is_some() {
                count_time(&mut transaction, budget).await?;
            }
            sql!(
                concat!("UPDATE purses SET ", changed_by!(), " WHERE purse = $1"),
                budget,
                more(really.money, reserved.money),
                more(really.tokens, reserved.tokens),
                more(really.calls, reserved.calls)
            )
            .run(&mut *transaction)
            .await?;
        }
        sql!("DELETE FROM reservations WHERE id = $1", id).run(&mut *transaction).await?;
        transaction.commit().await
    }

    /// What was reserved stays spent: it will never be settled.
    pub async fn stays_spent(&self, id: &str) -> Result<(), StoreError> {
        let mut transaction = self.write.begin().await?;
        // In the order of their names, in which reserving locks them, too: the access token's, then the server's.
        let timed: Vec<String> =
            sql!("SELECT purse FROM reservations WHERE id = $1 AND timed = 1 ORDER BY purse", id)
                .all(&mut *transaction)
                .await?;
        for budget in timed {
            count_time(&mut transaction, &budget).await?;
        }
        sql!("DELETE FROM reservations WHERE id = $1", id).run(&mut *transaction).await?;
        transaction.commit().await
    }

    /// What was spent of a budget, and what of it calls on their way hold.
    pub async fn drawn(&self, budget: &str) -> Result<BudgetUse, StoreError> {
        drawn(&self.read, budget, now()).await
    }

    /// Keeps how a service was held back.
    pub async fn pace_changed(&self, change: &PaceChange) -> Result<(), StoreError> {
        sql!(
            "INSERT INTO paces (service, at, allowed, most, wait) VALUES ($1, $2, $3, $4, $5) \
             ON CONFLICT (service, at) DO UPDATE SET allowed = excluded.allowed, wait = excluded.wait",
            change.service,
            change.at,
            change.limit,
            change.most,
            change.wait
        )
        .run(&self.write)
        .await
    }

    /// How the services that a run's seats and its search use were held back while it went on, oldest first; of more than `most`
    /// changes of a service the newest.
    pub async fn paces(&self, run: &RunId, most: u32) -> Result<Vec<PaceChange>, StoreError> {
        let Some(info) = self.run(run).await? else {
            return Ok(Vec::new());
        };
        let until = self.went_on_until(&info).await?;
        let mut all = Vec::new();
        for service in services(&info) {
            all.extend(self.paces_of(service, info.opened, until, most).await?);
        }
        all.sort_by(|one, other| (one.at, &one.service).cmp(&(other.at, &other.service)));
        Ok(all)
    }

    /// When a run was last driven, in milliseconds since 1970: now, or the end of its last lease, or without one of its last call.
    async fn went_on_until(&self, info: &RunInfo) -> Result<u64, StoreError> {
        let rests = info.state != RunState::Running;
        match info.lease {
            Some(lease) if rests && lease.until > 0 => Ok(lease.until.min(now())),
            None if !info.state.is_over() => Ok(now()),
            _ if !rests => Ok(now()),
            _ => {
                let calls = self.timings(&info.run, None).await?;
                let ends =
                    calls.iter().map(|call| call.timing.started.saturating_add(call.timing.took));
                Ok(ends.max().unwrap_or(info.opened))
            }
        }
    }

    async fn paces_of(
        &self,
        service: &str,
        since: u64,
        until: u64,
        most: u32,
    ) -> Result<Vec<PaceChange>, StoreError> {
        sql!(
            "SELECT service, at, allowed, most, wait FROM paces WHERE service = $1 AND at >= $2 AND at <= $3 \
             ORDER BY at DESC LIMIT $4",
            service,
            since,
            until,
            most
        )
        .all(&self.read)
        .await
    }
}

rows! { PaceChange { service, at, limit = "allowed", most, wait } }

impl FromRow for RunCaps {
    fn from_row(row: &Row) -> Result<Self, StoreError> {
        Ok(RunCaps {
            caps: row.read::<Option<Caps>>("caps")?.unwrap_or_default(),
            is_visitors: row.read("visitor")?,
            access: row.read("access")?,
            opened: row.read("opened")?,
            driven: row.read::<Option<u64>>("driven")?.unwrap_or(0),
            is_leased: row.read("leased")?,
            refused: row.read("refused")?,
        })
    }
}

/// The services that a run calls, each once.
fn services(info: &RunInfo) -> BTreeSet<&str> {
    let seats = info.spec.seats.values();
    let models = seats.filter_map(|sitting| match &sitting.player {
        Player::Model { provider, .. } => Some(provider.as_str()),
        _ => None,
    });
    let search = info.spec.search.iter().map(|search| search.engine.as_str());
    models.chain(search).collect()
}

/// Counts the time in which calls of a budget were under way until now, and gives all of it, in milliseconds. From here to the end of
/// the transaction no other transaction sends a call that the budget pays, and none comes back.
async fn count_time(connection: &mut Connection, budget: &str) -> Result<u64, StoreError> {
    sql!(
        "INSERT INTO purses (purse, money, tokens, calls) VALUES ($1, 0, 0, 0) \
         ON CONFLICT (purse) DO UPDATE SET purse = excluded.purse",
        budget
    )
    .run(&mut *connection)
    .await?;
    let now = now();
    let passed = drawn(&mut *connection, budget, now).await?.milliseconds;
    sql!(
        "UPDATE purses SET milliseconds = $2, counted = CASE WHEN counted > $3 THEN counted ELSE $3 END WHERE purse = $1",
        budget,
        passed,
        now
    )
    .run(&mut *connection)
    .await?;
    Ok(passed)
}

/// Counts the time of calls of servers that ended before a moment, as long as it is known when.
pub(super) async fn count_left(write: &WritePool, before: u64) -> Result<(), StoreError> {
    let budgets: Vec<String> = sql!(
        "SELECT DISTINCT r.purse FROM reservations r JOIN servers s ON s.id = r.server WHERE r.timed = 1 AND s.ends < $1",
        before
    )
    .all(write)
    .await?;
    for budget in budgets {
        let mut transaction = write.begin().await?;
        count_time(&mut transaction, &budget).await?;
        transaction.commit().await?;
    }
    Ok(())
}

/// What was spent of a budget until now. Calls that a server left on their way count as under way until it was known to be gone, so that
/// a kill makes no time shorter.
async fn drawn<'a>(
    executor: impl Executor<'a, Database = Any>,
    budget: &str,
    now: u64,
) -> Result<BudgetUse, StoreError> {
    let found = sql!(
        concat!(
            // SQLite made a fraction of a sum that was too large, before sums ended at the largest number.
            "SELECT CAST(p.money AS BIGINT) AS money, CAST(p.tokens AS BIGINT) AS tokens, CAST(p.calls AS BIGINT) AS calls, \
             p.milliseconds, p.counted, \
             CAST(COALESCE(SUM(CASE WHEN ",
            is_there!("h.ends", "$2"),
            " THEN h.money END), 0) AS BIGINT) AS held_money, CAST(COALESCE(SUM(CASE WHEN ",
            is_there!("h.ends", "$2"),
            " THEN h.tokens END), 0) AS BIGINT) AS held_tokens, \
             CAST(COALESCE(MAX(CASE WHEN h.timed = 1 THEN h.ends END), 0) AS BIGINT) AS ends \
             FROM purses p LEFT JOIN (SELECT r.purse, r.money, r.tokens, r.timed, s.ends FROM reservations r \
             JOIN servers s ON s.id = r.server) h ON h.purse = p.purse \
             WHERE p.purse = $1 GROUP BY p.purse, p.money, p.tokens, p.calls, p.milliseconds, p.counted",
        ),
        budget,
        now
    );
    let found: Option<Purse> = found.first(executor).await?;
    Ok(found.map_or_else(BudgetUse::default, |purse| BudgetUse {
        spent: Spent { money: purse.money, tokens: purse.tokens, calls: purse.calls },
        // A call that was sent is made, whatever comes of it.
        aside: Spent { money: purse.held_money, tokens: purse.held_tokens, calls: 0 },
        milliseconds: purse
            .milliseconds
            .saturating_add(purse.ends.min(now).saturating_sub(purse.counted)),
    }))
}

/// What was spent of a budget, what calls under way hold, and how long calls were under way until `counted`.
struct Purse {
    money: u64,
    tokens: u64,
    calls: u64,
    milliseconds: u64,
    counted: u64,
    held_money: u64,
    held_tokens: u64,
    ends: u64,
}

rows! { Purse { money, tokens, calls, milliseconds, counted, held_money, held_tokens, ends } }
