//! Caps, what was spent of purses, and how services were held back.

use sqlx::Row as _;
use turnwise_shared::wire::RunId;
use turnwise_shared::wire::budgets::{Caps, PaceChange, Spent};

use super::driving::driven_until;
use super::{Store, StoreError, from_db, small, to_db};
use crate::egress::now;

/// What a run may spend, and how long it went on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RunCaps {
    /// Its own caps.
    pub caps: Caps,
    /// The access token with which it was opened.
    pub access: Option<String>,
    /// Milliseconds since 1970 at which it was opened.
    pub opened: u64,
    /// Milliseconds for which it has been driven under a lease.
    pub driven: u64,
    /// Whether somebody ever took its lease.
    pub is_leased: bool,
    /// What the call could come to that its budget did not let out last, since it was last taken up.
    pub refused: Option<Spent>,
}

/// What was spent of a purse.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Drawn {
    /// All of it.
    pub spent: Spent,
    /// What of it calls on their way hold, at whichever server; some of it may come back.
    pub aside: Spent,
}

impl Drawn {
    /// What is spent for good.
    pub fn settled(&self) -> Spent {
        self.spent.less(self.aside)
    }
}

/// A purse by its key, and the most that may be in what was spent of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limit {
    /// Its key.
    pub purse: String,
    /// Caps on money, tokens and calls.
    pub caps: Caps,
}

impl Store {
    /// Keeps what a run may spend; it takes the place of what it had.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn set_caps(
        &self,
        run: &RunId,
        caps: &Caps,
        access: Option<&str>,
    ) -> Result<(), StoreError> {
        let caps = serde_json::to_string(caps).map_err(|_| StoreError::Unreadable("caps"))?;
        sqlx::query(
            "INSERT INTO caps (run, caps, access) VALUES ($1, $2, $3) \
             ON CONFLICT (run) DO UPDATE SET caps = excluded.caps, access = COALESCE(caps.access, excluded.access)",
        )
        .bind(run.as_str())
        .bind(caps)
        .bind(access)
        .execute(&self.write)
        .await?;
        Ok(())
    }

    /// What a run may spend; `None` if the server has no such run.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn caps(&self, run: &RunId) -> Result<Option<RunCaps>, StoreError> {
        let row = sqlx::query(concat!(
            "SELECT r.opened, c.caps, c.access, l.refused, CASE WHEN l.run IS NULL THEN 0 ELSE 1 END AS leased, ",
            driven_until!("$2"),
            " AS driven FROM runs r LEFT JOIN caps c ON c.run = r.id LEFT JOIN leases l ON l.run = r.id WHERE r.id = $1"
        ))
        .bind(run.as_str())
        .bind(to_db(now()))
        .fetch_optional(&self.read)
        .await?;
        row.map(|row| {
            let caps = match row.try_get::<Option<String>, _>("caps")? {
                Some(caps) => {
                    serde_json::from_str(&caps).map_err(|_| StoreError::Unreadable("caps"))?
                }
                None => Caps::default(),
            };
            Ok(RunCaps {
                caps,
                access: row.try_get("access")?,
                opened: from_db(row.try_get("opened")?),
                driven: row.try_get::<Option<i64>, _>("driven")?.map_or(0, from_db),
                is_leased: row.try_get::<i64, _>("leased")? == 1,
                refused: match row.try_get::<Option<String>, _>("refused")? {
                    Some(most) => Some(
                        serde_json::from_str(&most)
                            .map_err(|_| StoreError::Unreadable("a call"))?,
                    ),
                    None => None,
                },
            })
        })
        .transpose()
    }

    /// Takes an amount from all of these purses, or from none, under an id that is used once. The other part says which one has not
    /// enough left.
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
        for (at, Limit { purse, caps }) in limits.iter().enumerate() {
            let most = |cap: Option<u64>| cap.map_or(i64::MAX, to_db);
            sqlx::query(
                "INSERT INTO purses (purse, money, tokens, calls) VALUES ($1, 0, 0, 0) \
                 ON CONFLICT (purse) DO NOTHING",
            )
            .bind(purse)
            .execute(&mut *transaction)
            .await?;
            let done = sqlx::query(
                "UPDATE purses SET money = money + $2, tokens = tokens + $3, calls = calls + $4 \
                 WHERE purse = $1 AND money <= $5 - $2 AND tokens <= $6 - $3 AND calls <= $7 - $4",
            )
            .bind(purse)
            .bind(to_db(amount.money))
            .bind(to_db(amount.tokens))
            .bind(to_db(amount.calls))
            .bind(most(caps.money))
            .bind(most(caps.tokens))
            .bind(most(caps.calls))
            .execute(&mut *transaction)
            .await?;
            if done.rows_affected() == 0 {
                transaction.rollback().await?;
                return Ok(Err(at));
            }
            sqlx::query(
                "INSERT INTO reservations (id, purse, server, money, tokens) VALUES ($1, $2, $3, $4, $5)",
            )
            .bind(id)
            .bind(purse)
            .bind(self.server.id())
            .bind(to_db(amount.money))
            .bind(to_db(amount.tokens))
            .execute(&mut *transaction)
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
        let more = |really: u64, reserved: u64| to_db(really).saturating_sub(to_db(reserved));
        let mut transaction = self.write.begin().await?;
        for Limit { purse, .. } in limits {
            sqlx::query(
                "UPDATE purses SET money = money + $2, tokens = tokens + $3, calls = calls + $4 WHERE purse = $1",
            )
            .bind(purse)
            .bind(more(really.money, reserved.money))
            .bind(more(really.tokens, reserved.tokens))
            .bind(more(really.calls, reserved.calls))
            .execute(&mut *transaction)
            .await?;
        }
        sqlx::query("DELETE FROM reservations WHERE id = $1")
            .bind(id)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(())
    }

    /// What was reserved stays spent: nobody will put it right any more.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn stays_spent(&self, id: &str) -> Result<(), StoreError> {
        sqlx::query("DELETE FROM reservations WHERE id = $1")
            .bind(id)
            .execute(&self.write)
            .await?;
        Ok(())
    }

    /// What was spent of a purse, and what of it calls on their way hold.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn drawn(&self, purse: &str) -> Result<Drawn, StoreError> {
        let row = sqlx::query(
            "SELECT p.money, p.tokens, p.calls, \
             CAST(COALESCE(SUM(h.money), 0) AS BIGINT) AS held_money, CAST(COALESCE(SUM(h.tokens), 0) AS BIGINT) AS held_tokens \
             FROM purses p LEFT JOIN (SELECT r.purse, r.money, r.tokens FROM reservations r JOIN servers s ON s.id = r.server \
             WHERE s.ends > $2) h ON h.purse = p.purse \
             WHERE p.purse = $1 GROUP BY p.purse, p.money, p.tokens, p.calls",
        )
        .bind(purse)
        .bind(to_db(now()))
        .fetch_optional(&self.read)
        .await?;
        row.map_or(Ok(Drawn::default()), |row| {
            let number =
                |column: &str| -> Result<u64, StoreError> { Ok(from_db(row.try_get(column)?)) };
            Ok(Drawn {
                spent: Spent {
                    money: number("money")?,
                    tokens: number("tokens")?,
                    calls: number("calls")?,
                },
                aside: Spent {
                    money: number("held_money")?,
                    tokens: number("held_tokens")?,
                    // A call that was sent is made, whatever comes of it.
                    calls: 0,
                },
            })
        })
    }

    /// Keeps how a service was held back.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn pace_changed(&self, change: &PaceChange) -> Result<(), StoreError> {
        sqlx::query(
            "INSERT INTO paces (service, at, allowed, most, wait) VALUES ($1, $2, $3, $4, $5) \
             ON CONFLICT (service, at) DO UPDATE SET allowed = excluded.allowed, wait = excluded.wait",
        )
        .bind(&change.service)
        .bind(to_db(change.at))
        .bind(i64::from(change.limit))
        .bind(i64::from(change.most))
        .bind(change.wait.map(to_db))
        .execute(&self.write)
        .await?;
        Ok(())
    }

    /// How services were held back since a time, oldest first; of more than so many changes the newest.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn paces(&self, since: u64, most: u32) -> Result<Vec<PaceChange>, StoreError> {
        let rows = sqlx::query(
            "SELECT service, at, allowed, most, wait FROM (SELECT service, at, allowed, most, wait FROM paces WHERE at >= $1 \
             ORDER BY at DESC, service DESC LIMIT $2) newest ORDER BY at, service",
        )
        .bind(to_db(since))
        .bind(i64::from(most))
        .fetch_all(&self.read)
        .await?;
        rows.iter()
            .map(|row| {
                Ok(PaceChange {
                    service: row.try_get("service")?,
                    at: from_db(row.try_get("at")?),
                    limit: small(row, "allowed")?,
                    most: small(row, "most")?,
                    wait: row.try_get::<Option<i64>, _>("wait")?.map(from_db),
                })
            })
            .collect()
    }
}
