//! What holds calls back on their way out: [permits](permits), [the rates that services ask for](throttle), and
//! [caps on what may be spent](purse).

mod book;
pub mod gate;
pub mod journal;
mod line;
pub mod permits;
pub mod purse;
pub mod throttle;

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use turnwise_shared::metrics::day::Day;
use turnwise_shared::wire::RunId;
use turnwise_shared::wire::budgets::{Budget, Caps, Purse, Scope};

use crate::config::Config;
use crate::egress::now;
use crate::store::{RunCaps, Store, StoreError};
use permits::AllPermits;
use purse::{Account, Book};

/// So long what pays for a run is believed to be as it was; another server may have changed it.
const BELIEVED: Duration = Duration::from_secs(1);

/// Above this many runs, those that were not asked for lately are forgotten.
const MANY_RUNS: usize = 1024;

/// The most changes of pace that are told at once.
const PACES: u32 = 500;

/// What holds calls back, over what the operator decided and what is stored.
pub struct Governor {
    book: Book,
    store: Store,
    server: Caps,
    tokens: BTreeMap<String, Caps>,
    permits: AllPermits,
    known: Mutex<HashMap<RunId, (Instant, Account)>>,
}

impl Governor {
    /// One over a store.
    pub fn new(config: &Config, store: Store) -> Self {
        let tokens = config.tokens.iter();
        Governor {
            book: Book::stored(store.clone()),
            store,
            server: config.caps.clone(),
            tokens: tokens
                .map(|token| (token.name.clone(), token.caps.clone()))
                .collect(),
            permits: AllPermits::default(),
            known: Mutex::default(),
        }
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
        if let Some((since, account)) = self.known().get(run)
            && since.elapsed() < BELIEVED
        {
            return Ok(account.clone());
        }
        let caps = self.store.caps(run).await?.unwrap_or_default();
        let account = self.over(run, caps);
        let mut known = self.known();
        if known.len() > MANY_RUNS {
            known.retain(|_, (since, _)| since.elapsed() < BELIEVED);
        }
        known.insert(run.clone(), (Instant::now(), account.clone()));
        Ok(account)
    }

    /// What would pay for a run that is opened with these caps and this token.
    pub fn before(&self, caps: &Caps, access: Option<&str>) -> Account {
        let opened = RunCaps {
            caps: caps.clone(),
            access: access.map(str::to_owned),
            opened: now(),
        };
        self.over(&RunId::new([0; 16]), opened)
    }

    /// Gives a run other caps, from its next call on.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn set_caps(
        &self,
        run: &RunId,
        caps: &Caps,
        access: Option<&str>,
    ) -> Result<(), StoreError> {
        self.store.set_caps(run, caps, access).await?;
        self.known().remove(run);
        Ok(())
    }

    /// From what a run is paid, and how fast its services let it go.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn budget(&self, run: &RunId) -> Result<Budget, StoreError> {
        let own = self.store.caps(run).await?.unwrap_or_default();
        let paces = self.store.paces(own.opened, PACES).await?;
        let mut purses = Vec::new();
        if own.caps.seconds.is_some()
            && self
                .over(run, own.clone())
                .purses()
                .all(|(of, _)| *of != Scope::Run)
        {
            // Its time alone is capped.
            purses.push(Purse {
                of: Scope::Run,
                caps: own.caps.clone(),
                spent: self.store.spent(&run_purse(run)).await?,
            });
        }
        for (of, limit) in self.over(run, own).purses() {
            purses.push(Purse {
                of: of.clone(),
                caps: limit.caps.clone(),
                spent: self.store.spent(&limit.purse).await?,
            });
        }
        Ok(Budget { purses, paces })
    }

    fn over(&self, run: &RunId, own: RunCaps) -> Account {
        let RunCaps {
            caps,
            access,
            opened,
        } = own;
        let today = Day::of(now()).expect("the clock shows a year before 10000");
        let until = caps
            .seconds
            .map(|seconds| opened.saturating_add(seconds.saturating_mul(1000)));
        let mut purses = vec![(Scope::Run, run_purse(run), caps)];
        if let Some(name) = access
            && let Some(caps) = self.tokens.get(&name)
        {
            let purse = format!("access {name} {today}");
            purses.push((Scope::Access(name), purse, caps.clone()));
        }
        purses.push((
            Scope::Server,
            format!("server {today}"),
            self.server.clone(),
        ));
        Account::new(purses, until, self.book.clone())
    }

    fn known(&self) -> MutexGuard<'_, HashMap<RunId, (Instant, Account)>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn run_purse(run: &RunId) -> String {
    format!("run {run}")
}
