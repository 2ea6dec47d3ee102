//! Where what was spent is written down, and what of it may still come back because a call is on its way.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use turnwise_shared::prelude::*;

use super::journal::Journal;
use super::line::Lines;
use crate::random;
use crate::store::{BudgetUse, Limit, MayBeOutage, Store, StoreError};

/// Until something that could not be written is written again.
const AGAIN: Duration = Duration::from_secs(1);

#[derive(Debug, Clone)]
pub struct Reservations {
    medium: Medium,
    pub(super) lines: Arc<Lines>,
}

#[derive(Debug, Clone)]
enum Medium {
    /// In this process, for runs without a server, and in the journal of the run's folder if it has one. Their time is the account's.
    Memory(Arc<Mutex<InMemoryBudgets>>),
    /// In the database, which several servers may share.
    Stored(Store),
}

/// What was spent, by budget.
#[derive(Debug, Default)]
struct InMemoryBudgets {
    spent: BTreeMap<String, Spent>,
    /// What calls on their way hold of it, by the ids of their reservations: from which budgets, and how much of each.
    held: BTreeMap<String, (Vec<String>, Spent)>,
    journal: Option<Journal>,
}

/// What was taken for a call that is about to go out. Dropping it leaves it spent.
#[derive(Debug)]
pub struct Reserved {
    amount: Spent,
    limits: Vec<Limit>,
    /// The day on which it was taken.
    day: Day,
    /// Its id and its book, as long as it may be put right.
    open: Option<(String, Medium)>,
}

/// What was taken could not be written down.
#[derive(Debug, thiserror::Error)]
enum Unwritten {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("{0}")]
    Journal(String),
}

impl MayBeOutage for Unwritten {
    fn is_outage(&self) -> bool {
        matches!(self, Unwritten::Store(error) if error.is_outage())
    }
}

impl Reservations {
    /// An empty one in this process.
    pub fn in_memory() -> Self {
        Reservations::at(Medium::Memory(Arc::default()))
    }

    /// The one in the database.
    pub fn stored(store: Store) -> Self {
        Reservations::at(Medium::Stored(store))
    }

    fn at(medium: Medium) -> Self {
        Reservations { medium, lines: Arc::default() }
    }

    /// Waits until the database can keep what a call brings, where there is one.
    pub(super) async fn until_payable(&self) -> Result<(), StoreError> {
        match &self.medium {
            Medium::Stored(store) => store.until_payable().await,
            Medium::Memory(_) => Ok(()),
        }
    }

    /// What was spent of a budget, and what of it calls on their way hold. What is spent for good only grows.
    ///
    /// # Errors
    /// If it cannot be read.
    pub async fn drawn(&self, budget: &str) -> Result<BudgetUse, StoreError> {
        match &self.medium {
            Medium::Stored(store) => store.insist(|| async { store.drawn(budget).await }).await,
            Medium::Memory(budgets) => {
                let budgets = lock(budgets);
                let mut drawn = BudgetUse {
                    spent: budgets.spent.get(budget).copied().unwrap_or_default(),
                    ..BudgetUse::default()
                };
                for (of, held) in budgets.held.values() {
                    if of.iter().any(|one| one == budget) {
                        let aside = &mut drawn.aside;
                        aside.money = aside.money.saturating_add(held.money);
                        aside.tokens = aside.tokens.saturating_add(held.tokens);
                    }
                }
                Ok(drawn)
            }
        }
    }

    /// Remembers what a call of a run could come to that was refused.
    pub(super) async fn refused(&self, run: &RunId, most: Spent) {
        if let Medium::Stored(store) = &self.medium
            && let Err(error) = store.set_refused(run, most).await
        {
            tracing::warn!(%error, "what a budget refused cannot be written");
        }
    }

    /// Takes an amount from all budgets or from none; the inner error says which has not enough, the outer one that nothing can be
    /// written down.
    pub(super) async fn take(
        &self,
        limits: &[Limit],
        amount: Spent,
        day: &Day,
    ) -> Result<Result<Reserved, usize>, String> {
        let Medium::Stored(store) = &self.medium else {
            let taken = self.take_once(limits, amount, day).await;
            return taken.map_err(|error| error.to_string());
        };
        // Under another id each time: what may have been taken stays taken.
        let taken = store.insist(|| async { self.take_once(limits, amount, day).await });
        taken.await.map_err(|error| error.to_string())
    }

    async fn take_once(
        &self,
        limits: &[Limit],
        amount: Spent,
        day: &Day,
    ) -> Result<Result<Reserved, usize>, Unwritten> {
        let id = hex(&random::bytes::<16>());
        // It is there before it is written, so that what is broken off in between is not held for ever.
        let reserved = Reserved {
            amount,
            limits: limits.to_vec(),
            day: day.clone(),
            open: Some((id.clone(), self.medium.clone())),
        };
        let taken = match &self.medium {
            Medium::Stored(store) => store.reserve(&id, limits, amount).await?,
            Medium::Memory(budgets) => {
                lock(budgets).take(&id, limits, amount).map_err(Unwritten::Journal)?
            }
        };
        Ok(match taken {
            Ok(()) => Ok(reserved),
            Err(at) => {
                reserved.forget();
                Err(at)
            }
        })
    }

    /// Puts right what was taken by what it came to.
    pub(super) async fn settle(&self, mut reserved: Reserved, really: Spent) {
        let Some((id, _)) = &reserved.open else {
            return;
        };
        let (amount, limits) = (reserved.amount, &reserved.limits);
        let written = match &self.medium {
            Medium::Stored(store) => {
                let settle = || async { store.settle(id, limits, amount, really).await };
                let written = store.insist(settle).await;
                written.map_err(|error| error.to_string())
            }
            Medium::Memory(budgets) => lock(budgets).settle(id, limits, amount, really),
        };
        match written {
            Ok(()) => reserved.open = None,
            Err(error) => {
                tracing::error!(%error, "a budget cannot be written; what was reserved counts as spent");
            }
        }
    }

    /// Writes what is spent into a journal from now on, and how long it goes on, and takes from these budgets what stands there
    /// already: at least `before`.
    pub(super) fn keep_journal(
        &self,
        path: &Path,
        limits: &[Limit],
        before: Spent,
    ) -> std::io::Result<()> {
        let Medium::Memory(budgets) = &self.medium else {
            return Ok(());
        };
        let (mut journal, written) = Journal::open(path)?;
        let spent = Spent {
            money: written.money.max(before.money),
            tokens: written.tokens.max(before.tokens),
            calls: written.calls.max(before.calls),
        };
        if spent != written {
            journal.change(written, spent)?;
        }
        let mut budgets = lock(budgets);
        for Limit { budget, .. } in limits {
            budgets.spent.insert(budget.clone(), spent);
        }
        budgets.journal = Some(journal);
        Ok(())
    }

    /// Writes down that it goes on until now, where a journal is kept.
    pub(super) fn goes_on(&self) {
        if let Medium::Memory(budgets) = &self.medium
            && let Some(journal) = &mut lock(budgets).journal
            && let Err(error) = journal.change(Spent::default(), Spent::default())
        {
            tracing::warn!(%error, "the time of the run cannot be written");
        }
    }
}

impl InMemoryBudgets {
    fn take(
        &mut self,
        id: &str,
        limits: &[Limit],
        amount: Spent,
    ) -> Result<Result<(), usize>, String> {
        for (at, limit) in limits.iter().enumerate() {
            let spent = self.spent.get(&limit.budget).copied().unwrap_or_default();
            if !limit.lets(spent, amount) {
                return Ok(Err(at));
            }
        }
        if let Some(journal) = &mut self.journal {
            let written = journal.change(Spent::default(), amount);
            written.map_err(|error| error.to_string())?;
        }
        for Limit { budget, .. } in limits {
            let spent = self.spent.entry(budget.clone()).or_default();
            *spent = spent.plus(amount);
        }
        let budgets = limits.iter().map(|limit| limit.budget.clone()).collect();
        self.held.insert(id.to_owned(), (budgets, amount));
        Ok(Ok(()))
    }

    /// Also if it cannot be written into the journal, which says too much then.
    fn settle(
        &mut self,
        id: &str,
        limits: &[Limit],
        reserved: Spent,
        really: Spent,
    ) -> Result<(), String> {
        self.held.remove(id);
        for Limit { budget, .. } in limits {
            let spent = self.spent.entry(budget.clone()).or_default();
            let calls = spent.calls;
            *spent = spent.less(reserved).plus(really);
            spent.calls = calls;
        }
        match &mut self.journal {
            Some(journal) if really != reserved => {
                let written = journal.change(reserved, really);
                written.map_err(|error| error.to_string())
            }
            _ => Ok(()),
        }
    }
}

impl Limit {
    /// Whether so much more may be spent where so much is.
    pub(super) fn lets(&self, spent: Spent, more: Spent) -> bool {
        let fits = |spent: u64, more: u64, cap: Option<u64>| {
            cap.is_none_or(|cap| spent.saturating_add(more) <= cap)
        };
        fits(spent.money, more.money, self.caps.money)
            && fits(spent.tokens, more.tokens, self.caps.tokens)
            && fits(spent.calls, more.calls, self.caps.calls)
    }

    /// Whether a call may be sent after calls were under way for `passed` milliseconds.
    pub(crate) fn has_time(&self, passed: u64) -> bool {
        let cap = self.caps.seconds;
        cap.is_none_or(|seconds| passed / 1000 < seconds)
    }
}

impl Reserved {
    pub(super) fn nothing(day: Day) -> Self {
        Reserved { amount: Spent::default(), limits: Vec::new(), day, open: None }
    }

    pub fn amount(&self) -> Spent {
        self.amount
    }

    /// The day on which it was taken.
    pub(super) fn day(&self) -> &Day {
        &self.day
    }

    /// Nothing was written of it.
    fn forget(mut self) {
        self.open = None;
    }
}

impl Drop for Reserved {
    fn drop(&mut self) {
        match self.open.take() {
            None => {}
            Some((id, Medium::Memory(budgets))) => {
                lock(&budgets).held.remove(&id);
            }
            Some((id, Medium::Stored(store))) => {
                // Without a runtime the process is at its end, and what its server held counts no longer.
                if let Ok(runtime) = tokio::runtime::Handle::try_current() {
                    runtime.spawn(stays_spent(store, id));
                }
            }
        }
    }
}

/// Other calls must not wait for a reservation that is never settled, so this is tried until it is written or the server stops.
async fn stays_spent(store: Store, id: String) {
    while let Err(error) = store.stays_spent(&id).await {
        if store.is_closed() {
            return;
        }
        tracing::warn!(%error, "that a call broke off cannot be written; its budget counts as on its way");
        tokio::time::sleep(AGAIN).await;
    }
}

fn lock(budgets: &Mutex<InMemoryBudgets>) -> MutexGuard<'_, InMemoryBudgets> {
    budgets.lock().unwrap_or_else(PoisonError::into_inner)
}
