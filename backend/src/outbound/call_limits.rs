//! What may go out for a run: its [permits](super::permits), and [what pays for its calls](super::budget).

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use turnwise_shared::prelude::*;
use turnwise_shared::wire::budgets::Scope;

use super::budget::before::{self, Before};
use super::budget::{Account, Reservations, Time};
use super::permits::AllPermits;
use crate::clock::now;
use crate::config::Config;
use crate::store::{BudgetUse, RunCaps, Store, StoreError};

/// How long what pays for a run is believed to be unchanged; another server may have changed it.
const BELIEVED: Duration = Duration::from_secs(1);

/// How long after its caps were set a run's ledger is counted once more: by then every server knows of them.
const KNOWN_EVERYWHERE: Duration = BELIEVED.saturating_mul(2);

/// Above this many runs, those that were not asked for lately are forgotten.
const MANY_RUNS: usize = 1024;

/// The name of the server's budget; with a day it is that day's.
const SERVER_BUDGET_KEY: &str = "server";

/// The most changes of pace that are sent at once.
const PACES: u32 = 500;

/// What holds calls back, over what the operator decided and what is stored.
pub struct CallLimits {
    reservations: Reservations,
    store: Store,
    server: Caps,
    tokens: BTreeMap<String, Caps>,
    permits: AllPermits,
    known: Mutex<Known>,
}

/// What pays for runs whose calls came just now.
#[derive(Default)]
struct Known {
    accounts: HashMap<RunId, (Instant, Account)>,
    /// How often one was forgotten: what was read before the last time is not kept after it.
    forgotten: u64,
}

impl CallLimits {
    pub fn new(config: &Config, store: Store) -> Self {
        let tokens = config.tokens.iter();
        CallLimits {
            reservations: Reservations::stored(store.clone()),
            store,
            server: config.caps.clone(),
            tokens: tokens.map(|token| (token.name.clone(), token.caps.clone())).collect(),
            permits: AllPermits::default(),
            known: Mutex::default(),
        }
    }

    /// Counts what was spent today, before this program had these caps, into the budgets of the server and of the access tokens: an
    /// operator who sets a cap in the course of a day means the day. To be done before anything is sent.
    ///
    /// # Errors
    /// If it cannot be read or written.
    pub async fn begin(&self, prices: &PriceBook) -> Result<(), StoreError> {
        let capped: Vec<(&String, &Caps)> =
            self.tokens.iter().filter(|(_, caps)| !caps.is_open()).collect();
        if capped.is_empty() && self.server.is_open() {
            return Ok(());
        }
        let now = now();
        let day = Day::of(now).expect("the clock shows a year before 10000");
        let before = Before::of_day(&self.store, prices, now, &day).await?;
        for (name, caps) in capped {
            let budget = format!("{} {day}", access_budget_key(name));
            let earlier = before.of_access(name, caps);
            self.store.spent_earlier(&budget, &earlier).await?;
        }
        if !self.server.is_open() {
            let earlier = before.of_server(&self.server);
            let budget = format!("{SERVER_BUDGET_KEY} {day}");
            self.store.spent_earlier(&budget, &earlier).await?;
        }
        Ok(())
    }

    /// What was spent today of the server's budget and of those of the access tokens that have caps, to the last token: for the
    /// operator alone.
    pub async fn today(&self) -> Result<Vec<SpendingBudget>, StoreError> {
        let day = Day::of(now()).expect("the clock shows a year before 10000");
        let tokens = self.tokens.iter().map(|(name, caps)| {
            let of = Scope::Access(name.clone());
            (of, access_budget_key(name), caps)
        });
        let server = (Scope::Server, SERVER_BUDGET_KEY.to_owned(), &self.server);
        let mut budgets = Vec::new();
        for (of, name, caps) in std::iter::once(server).chain(tokens) {
            if !caps.is_open() {
                let drawn = self.store.drawn(&format!("{name} {day}")).await?;
                budgets.push(budget(&of, caps, drawn));
            }
        }
        Ok(budgets)
    }

    /// How many calls of each run are made at once.
    pub fn permits(&self) -> &AllPermits {
        &self.permits
    }

    /// What pays for the calls of a run.
    ///
    /// # Errors
    /// If it cannot be read; nothing may be sent then.
    pub async fn account(&self, run: &RunId) -> Result<Account, StoreError> {
        let forgotten = {
            let known = self.known();
            if let Some((since, account)) = known.accounts.get(run)
                && since.elapsed() < BELIEVED
            {
                return Ok(account.clone());
            }
            known.forgotten
        };
        let read = Instant::now();
        let caps = self.caps(run).await?;
        let account = self.over(run, &caps);
        let mut known = self.known();
        if known.forgotten == forgotten {
            let accounts = &mut known.accounts;
            if accounts.len() > MANY_RUNS {
                accounts.retain(|_, (since, _)| since.elapsed() < BELIEVED);
            }
            accounts.insert(run.clone(), (read, account.clone()));
        }
        Ok(account)
    }

    fn forget(&self, run: &RunId) {
        let mut known = self.known();
        known.accounts.remove(run);
        known.forgotten += 1;
    }

    /// A call of a run has come back, and the ledger has it: if the run had no budget when it went out, as this account says, and has one
    /// now, its budget takes what it came to.
    pub async fn came_back(
        &self,
        run: &RunId,
        went_out: &Account,
        prices: &PriceBook,
    ) -> Result<(), StoreError> {
        if went_out.has_run_budget() || !self.account(run).await?.has_run_budget() {
            return Ok(());
        }
        count_again(&self.store, prices, run).await
    }

    /// What would pay for a run that is opened with these caps and this token.
    pub fn before(&self, caps: &Caps, access: Option<&str>) -> Account {
        let opened = RunCaps {
            caps: caps.clone(),
            access: access.map(str::to_owned),
            opened: now(),
            ..RunCaps::default()
        };
        self.over(&RunId::new([0; 16]), &opened)
    }

    /// What would pay for a run that is there if it had these caps.
    pub async fn with_caps(&self, run: &RunId, caps: &Caps) -> Result<Account, StoreError> {
        let own = self.store.caps(run).await?.unwrap_or_default();
        Ok(self.before(caps, own.access.as_deref()))
    }

    /// Gives a run that may have sent calls other caps, from its next call on. What it has spent counts: what the ledger has before
    /// any call takes from the budget under these caps; what went out while not every server knew of them, a little later; and what
    /// is on its way still, when it comes back ([`CallLimits::came_back`]).
    pub async fn change_caps(
        &self,
        run: &RunId,
        caps: &Caps,
        prices: &PriceBook,
    ) -> Result<(), StoreError> {
        if !caps.is_open() {
            let earlier = before::of_run(&self.store, prices, run).await?;
            self.store.spent_earlier(&run_budget_key(run), &earlier).await?;
        }
        self.set_caps(run, caps, None).await?;
        if !caps.is_open() {
            let (store, prices, run) = (self.store.clone(), prices.clone(), run.clone());
            tokio::spawn(async move {
                tokio::time::sleep(KNOWN_EVERYWHERE).await;
                if let Err(error) = count_again(&store, &prices, &run).await
                    && !store.is_closed()
                {
                    tracing::warn!(%run, %error, "what a run spent while its budget was set cannot be counted");
                }
            });
        }
        Ok(())
    }

    /// Gives a run its first caps, from its first call on.
    pub async fn set_caps(
        &self,
        run: &RunId,
        caps: &Caps,
        access: Option<&str>,
    ) -> Result<(), StoreError> {
        self.store.set_caps(run, caps, access).await?;
        self.forget(run);
        Ok(())
    }

    /// From what a run is paid, and how fast its services let it go.
    pub async fn budget(&self, run: &RunId) -> Result<RunBudgets, StoreError> {
        let own = self.caps(run).await?;
        let paces = self.store.paces(run, PACES).await?;
        let mut budgets = Vec::new();
        if !own.caps.is_open() {
            let mut drawn = self.store.drawn(&run_budget_key(run)).await?;
            drawn.milliseconds = own.driven;
            budgets.push(budget(&Scope::Run, &own.caps, drawn));
        }
        let account = self.over(run, &own);
        for (of, limit) in account.budgets().filter(|(of, _)| **of != Scope::Run) {
            let drawn = self.store.drawn(&limit.budget).await?;
            let budget = budget(of, &limit.caps, drawn);
            budgets.push(match of {
                // What others spend is not theirs to know who have a run's token.
                Scope::Server => budget.coarse(own.refused),
                Scope::Run | Scope::Access(_) => budget,
            });
        }
        Ok(RunBudgets { budgets, paces, refused: own.refused })
    }

    /// What a run may spend. One whose time is capped and whose lease was never taken is driven by a script, or by the host of a room:
    /// then its time passes while its calls are under way.
    async fn caps(&self, run: &RunId) -> Result<RunCaps, StoreError> {
        let mut caps = self.store.caps(run).await?.unwrap_or_default();
        if caps.caps.seconds.is_some() && !caps.is_leased {
            caps.driven = self.store.under_way(run).await?;
        }
        Ok(caps)
    }

    fn over(&self, run: &RunId, own: &RunCaps) -> Account {
        let time = own.caps.seconds.map(|seconds| Time {
            seconds,
            until: now().saturating_add(seconds.saturating_mul(1000).saturating_sub(own.driven)),
        });
        let mut budgets = vec![(Scope::Run, run_budget_key(run), own.caps.clone())];
        if let Some(name) = &own.access
            && let Some(caps) = self.tokens.get(name)
        {
            let of = Scope::Access(name.clone());
            budgets.push((of, access_budget_key(name), caps.clone()));
        }
        // A run that costs no money is bounded by its own caps; it must not use up the day of those who pay.
        if own.is_visitors {
            return Account::new(budgets, time, self.reservations.clone()).of_run(run);
        }
        budgets.push((Scope::Server, SERVER_BUDGET_KEY.to_owned(), self.server.clone()));
        Account::new(budgets, time, self.reservations.clone()).of_run(run)
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The budget of a run has at least what the ledger says came back.
async fn count_again(store: &Store, prices: &PriceBook, run: &RunId) -> Result<(), StoreError> {
    let known = before::come_back(store, prices, run).await?;
    store.spent_meanwhile(&run_budget_key(run), known).await
}

/// A budget as clients see it.
fn budget(of: &Scope, caps: &Caps, drawn: BudgetUse) -> SpendingBudget {
    SpendingBudget {
        of: of.clone(),
        caps: caps.clone(),
        spent: drawn.spent,
        aside: drawn.aside,
        seconds: drawn.milliseconds / 1000,
    }
}

fn access_budget_key(name: &str) -> String {
    format!("access {name}")
}

fn run_budget_key(run: &RunId) -> String {
    format!("run {run}")
}
