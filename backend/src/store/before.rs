//! What the ledger has of a day or a run, for budgets whose caps came into being in the course of it.

use futures::Stream;
use turnwise_shared::prelude::*;
use turnwise_shared::wire::receipts::Endpoint;

use super::ledger::came;
use super::statement::{FromRow, ReadRow as _, sql};
use super::{Row, Store, StoreError};
use crate::clock::now;

/// A call of the ledger, as far as it matters for what it cost.
#[derive(Debug, Clone, PartialEq)]
pub struct Past {
    pub key: CallKey,
    /// The access token with which its run was opened.
    pub access: Option<String>,
    /// How often it was sent, as far as that is known: what failed and was asked anew later is not.
    pub sends: u64,
    /// How many of its attempts failed, before the last, in such a way that its service may ask for money all the same.
    pub charged: u64,
    /// From when to when, in milliseconds since 1970; as far as it is known.
    pub span: (u64, u64),
    /// The name of the service, where it was noted.
    pub service: Option<String>,
    pub end: End,
}

/// What came of a call.
#[derive(Debug, Clone, PartialEq)]
pub enum End {
    Said {
        /// What it used, as its service counted, as far as that can be true.
        usage: Box<Usage>,
        /// The model, as its service named it.
        model: Option<String>,
        /// Whether what was really said, and what it used, is withheld.
        is_withheld: bool,
    },
    Other,
    Failed(FailureClass),
    /// It was answered without being sent: the reply stood for all runs.
    Free,
    Unknown,
}

/// What was spent of a budget before its caps were there.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Earlier {
    /// What is known to the last token.
    pub known: Spent,
    /// The same with what calls can have cost of which that is not known.
    pub whole: Spent,
    /// For how many milliseconds its calls were under way; `None` where no time is capped.
    pub milliseconds: Option<u64>,
}

/// Calls of the ledger, with what a [`Past`] is read from.
macro_rules! sent {
    ($which:literal) => {
        concat!(
            "SELECT l.run, l.episode, l.call, l.digest, l.sent_at, l.lost, l.reply, l.failure, l.timing, l.endpoint, c.access \
             FROM ledger l JOIN runs r ON r.id = l.run LEFT JOIN caps c ON c.run = l.run WHERE ",
            $which
        )
    };
}

impl Store {
    /// The calls that were sent from a moment on, in milliseconds since 1970, to another, but for those of visitors.
    pub fn sent_between(
        &self,
        since: u64,
        until: u64,
    ) -> impl Stream<Item = Result<Past, StoreError>> + '_ {
        sql!(sent!("r.visitor = 0 AND l.sent_at >= $1 AND l.sent_at < $2"), since, until)
            .stream(&self.read)
    }

    /// The calls of a run that were sent.
    pub fn sent_of(&self, run: &RunId) -> impl Stream<Item = Result<Past, StoreError>> + '_ {
        sql!(sent!("l.run = $1"), run).stream(&self.read)
    }

    /// A budget has at least what was spent before its caps were there. One that is there already has counted for itself: it takes what
    /// is known, where that is more, and the time, if it did not count that until now.
    pub async fn spent_earlier(&self, budget: &str, earlier: &Earlier) -> Result<(), StoreError> {
        let Earlier { known, whole, milliseconds } = earlier;
        sql!(
            "INSERT INTO purses (purse, money, tokens, calls, milliseconds, counted) VALUES ($1, $2, $3, $4, $5, $6) \
             ON CONFLICT (purse) DO UPDATE SET \
             money = CASE WHEN purses.money < $7 THEN $7 ELSE purses.money END, \
             tokens = CASE WHEN purses.tokens < $8 THEN $8 ELSE purses.tokens END, \
             calls = CASE WHEN purses.calls < excluded.calls THEN excluded.calls ELSE purses.calls END, \
             milliseconds = CASE WHEN purses.counted = 0 THEN excluded.milliseconds ELSE purses.milliseconds END, \
             counted = CASE WHEN purses.counted = 0 THEN excluded.counted ELSE purses.counted END",
            budget,
            whole.money,
            whole.tokens,
            whole.calls,
            milliseconds.unwrap_or(0),
            milliseconds.map_or(0, |_| now()),
            known.money,
            known.tokens
        )
        .run(&self.write)
        .await
    }

    /// A budget has at least this beside what calls on their way hold of it, if it is there.
    pub async fn spent_meanwhile(&self, budget: &str, known: Spent) -> Result<(), StoreError> {
        let mut transaction = self.write.begin().await?;
        // No other transaction takes from it or settles what was taken between the two looks.
        sql!("UPDATE purses SET calls = calls WHERE purse = $1", budget)
            .run(&mut *transaction)
            .await?;
        let (money, tokens, calls): (u64, u64, u64) = sql!(
            "SELECT CAST(COALESCE(SUM(money), 0) AS BIGINT) AS money, CAST(COALESCE(SUM(tokens), 0) AS BIGINT) AS tokens, \
             CAST(COUNT(*) AS BIGINT) AS calls FROM reservations WHERE purse = $1",
            budget
        )
        .one(&mut *transaction)
        .await?;
        sql!(
            "UPDATE purses SET money = CASE WHEN money < $2 THEN $2 ELSE money END, \
             tokens = CASE WHEN tokens < $3 THEN $3 ELSE tokens END, \
             calls = CASE WHEN calls < $4 THEN $4 ELSE calls END WHERE purse = $1",
            budget,
            known.money.saturating_add(money),
            known.tokens.saturating_add(tokens),
            known.calls.saturating_add(calls)
        )
        .run(&mut *transaction)
        .await?;
        transaction.commit().await
    }
}

impl FromRow for Past {
    fn from_row(row: &Row) -> Result<Self, StoreError> {
        let answer = came(row)?;
        let sent_at = row.read("sent_at")?;
        let endpoint: Option<Endpoint> = row.read("endpoint")?;
        // The last attempt stands in the timing, with its attempts; of earlier ones those count whose answer is unknown.
        let before = row.read::<u64>("lost")?;
        let (attempts, span, charged) = match &answer {
            Some(CallAnswer { timing, .. }) => {
                let failed = timing.failures.iter();
                let charged = failed.filter(|failure| failure.class.may_be_charged()).count();
                (
                    u64::from(timing.attempts),
                    (timing.started, timing.started.saturating_add(timing.took)),
                    u64::try_from(charged).unwrap_or(u64::MAX),
                )
            }
            None => (1, (sent_at, sent_at), 0),
        };
        Ok(Past {
            key: CallKey::from_row(row)?,
            access: row.read("access")?,
            charged,
            sends: before.saturating_add(attempts),
            span,
            service: endpoint.map(|endpoint| endpoint.name),
            end: match answer {
                None => End::Unknown,
                Some(answer) if answer.timing.from_ledger => End::Free,
                Some(CallAnswer { reply, .. }) => match reply {
                    Reply::Said(said) => End::Said {
                        usage: Box::new(said.believed_usage()),
                        model: said.model,
                        is_withheld: said.withheld.is_some(),
                    },
                    Reply::Failed(failure) => End::Failed(failure.class),
                    _ => End::Other,
                },
            },
        })
    }
}
