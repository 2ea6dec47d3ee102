//! Reserve, send, settle: what a call may cost is taken from every purse that pays for it before it goes out, and put right by
//! what it came to (`decisions.md` 20). Every attempt passes here, whichever route the call came by.
//!
//! A purse never holds more than its cap, because what a call can come to at most is taken in one step with the look at what
//! is left. A call whose end nobody knows stays paid for.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use turnwise_shared::effect::{Failure, FailureClass, Query, Reply};
use turnwise_shared::metrics::day::Day;
use turnwise_shared::metrics::estimate::{NoBound, at_most, really};
use turnwise_shared::metrics::prices::PriceBook;
use turnwise_shared::seat::{Lineup, Player};
use turnwise_shared::spec::SearchSpec;
use turnwise_shared::wire::budgets::{self, Caps, Scope, Spent};
use turnwise_shared::wire::{ModelCall, Outgoing};

use super::journal::Journal;
use crate::egress::{Egress, now};
use crate::providers::Miss;
use crate::store::{Limit, Store};

/// Where what was spent is written down.
#[derive(Debug, Clone)]
pub enum Book {
    /// In this process, for runs without a server, and in the journal of the run's folder if it has one.
    Memory(Arc<Mutex<Purses>>),
    /// In the database, which several servers may share.
    Stored(Store),
}

/// What was spent, by purse.
#[derive(Debug, Default)]
pub struct Purses {
    spent: BTreeMap<String, Spent>,
    journal: Option<Journal>,
}

impl Book {
    /// An empty one in this process.
    pub fn in_memory() -> Self {
        Book::Memory(Arc::default())
    }

    /// What was spent of a purse.
    ///
    /// # Errors
    /// If it cannot be read.
    pub async fn spent(&self, purse: &str) -> Result<Spent, crate::store::StoreError> {
        match self {
            Book::Stored(store) => store.spent(purse).await,
            Book::Memory(purses) => {
                let purses = purses.lock().unwrap_or_else(PoisonError::into_inner);
                Ok(purses.spent.get(purse).copied().unwrap_or_default())
            }
        }
    }
}

/// What pays for the calls of a run.
#[derive(Debug, Clone)]
pub struct Account {
    scopes: Vec<Scope>,
    limits: Vec<Limit>,
    /// Milliseconds since 1970 after which nothing is sent.
    until: Option<u64>,
    /// All caps together, the lowest of each kind: what a call needs to have a bound.
    caps: Caps,
    book: Book,
}

/// The way out for calls, with what pays for them.
#[derive(Clone, Copy)]
pub struct Paid<'a> {
    /// The way out.
    pub egress: &'a Egress,
    /// What pays.
    pub account: &'a Account,
}

/// What was taken for a call that is about to go out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reserved(Spent);

impl Account {
    /// One that nothing binds.
    pub fn open() -> Self {
        Account::new(Vec::new(), None, Book::in_memory())
    }

    /// One over purses, each with its key, until a time in milliseconds since 1970. Purses without caps are left out.
    pub fn new(purses: Vec<(Scope, String, Caps)>, until: Option<u64>, book: Book) -> Self {
        let mut all = Caps::default();
        let (mut scopes, mut limits) = (Vec::new(), Vec::new());
        for (scope, purse, caps) in purses {
            if caps.money.is_none() && caps.tokens.is_none() && caps.calls.is_none() {
                continue;
            }
            let lower = |one: Option<u64>, other: Option<u64>| match (one, other) {
                (Some(one), Some(other)) => Some(one.min(other)),
                (one, other) => one.or(other),
            };
            all.money = lower(all.money, caps.money);
            all.tokens = lower(all.tokens, caps.tokens);
            all.calls = lower(all.calls, caps.calls);
            all.unpriced.extend(caps.unpriced.iter().cloned());
            scopes.push(scope);
            limits.push(Limit { purse, caps });
        }
        Account {
            scopes,
            limits,
            until,
            caps: all,
            book,
        }
    }

    /// Writes what is spent into a journal from now on, where there are purses, and takes from them what stands there already: at
    /// least `before`, which is known otherwise. For the one run of this process.
    ///
    /// # Errors
    /// If the journal cannot be read or written.
    pub fn keep_journal(&self, path: &Path, before: Spent) -> std::io::Result<()> {
        let Book::Memory(purses) = &self.book else {
            return Ok(());
        };
        if self.limits.is_empty() {
            return Ok(());
        }
        let (mut journal, written) = Journal::open(path)?;
        let spent = Spent {
            money: written.money.max(before.money),
            tokens: written.tokens.max(before.tokens),
            calls: written.calls.max(before.calls),
        };
        if spent != written {
            journal.change(written, spent)?;
        }
        let mut purses = purses.lock().unwrap_or_else(PoisonError::into_inner);
        for Limit { purse, .. } in &self.limits {
            purses.spent.insert(purse.clone(), spent);
        }
        purses.journal = Some(journal);
        Ok(())
    }

    /// The purses that bind, each with its key and its caps.
    pub fn purses(&self) -> impl Iterator<Item = (&Scope, &Limit)> {
        self.scopes.iter().zip(&self.limits)
    }

    /// Looks whether every call of these seats and of the search engine has a bound where a cap needs one.
    ///
    /// # Errors
    /// What has none.
    pub fn check(
        &self,
        seats: &Lineup,
        search: Option<&SearchSpec>,
        prices: &PriceBook,
    ) -> Result<(), NoBound> {
        let bounded =
            |request: Outgoing| at_most(&request, &self.caps, prices, &today()).map(|_| ());
        for (seat, sitting) in seats {
            if let Player::Model { provider, model } = &sitting.player {
                bounded(Outgoing::Model(ModelCall {
                    provider: provider.clone(),
                    model: model.clone(),
                    seat: seat.clone(),
                    messages: Vec::new(),
                    sampling: sitting.sampling.clone(),
                }))?;
            }
        }
        if let Some(search) = search {
            bounded(Outgoing::Search {
                engine: search.engine.clone(),
                query: Query {
                    text: String::new(),
                    results: search.results,
                    locale: None,
                },
            })?;
        }
        Ok(())
    }

    /// Takes what a call can come to at most from every purse.
    ///
    /// # Errors
    /// The failure that the call ends in; nothing was taken.
    pub async fn reserve(
        &self,
        request: &Outgoing,
        prices: &PriceBook,
    ) -> Result<Reserved, Failure> {
        if let Some(until) = self.until
            && now() >= until
        {
            return Err(used_up("the time of the run is over"));
        }
        if self.limits.is_empty() {
            return Ok(Reserved(Spent::default()));
        }
        let most = at_most(request, &self.caps, prices, &today())
            .map_err(|why| used_up(why.to_string()))?;
        let taken = match &self.book {
            Book::Stored(store) => {
                let taken = store.reserve(&self.limits, most).await;
                taken.map_err(|error| error.to_string())
            }
            Book::Memory(purses) => {
                let mut purses = purses.lock().unwrap_or_else(PoisonError::into_inner);
                take(&mut purses, &self.limits, most)
            }
        };
        match taken {
            Ok(Ok(())) => Ok(Reserved(most)),
            Ok(Err(at)) => Err(self.too_little(at, most).await),
            Err(error) => {
                tracing::error!(%error, "a budget cannot be written, so a call was not sent");
                let why = "the server's budgets cannot be written";
                Err(Failure::new(FailureClass::Server, why))
            }
        }
    }

    /// Puts right what was taken by what the call came to. A failure after which a service may ask for money stays paid for.
    pub async fn settle(
        &self,
        Reserved(reserved): Reserved,
        request: &Outgoing,
        outcome: &Result<Reply, Miss>,
        prices: &PriceBook,
    ) {
        if self.limits.is_empty() {
            return;
        }
        let really = match outcome {
            Ok(reply) => really(request, reply, reserved, prices, &today()),
            Err(miss) if miss.failure.class.may_be_charged() => reserved,
            Err(_) => Spent {
                calls: reserved.calls,
                ..Spent::default()
            },
        };
        if really == reserved {
            return;
        }
        match &self.book {
            Book::Stored(store) => {
                if let Err(error) = store.settle(&self.limits, reserved, really).await {
                    tracing::error!(%error, "a budget cannot be written; what was reserved counts as spent");
                }
            }
            Book::Memory(purses) => {
                let mut purses = purses.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(journal) = &mut purses.journal
                    && let Err(error) = journal.change(reserved, really)
                {
                    tracing::error!(%error, "a budget cannot be written; what was reserved counts as spent");
                }
                for Limit { purse, .. } in &self.limits {
                    let spent = purses.spent.entry(purse.clone()).or_default();
                    spent.money = (spent.money + really.money).saturating_sub(reserved.money);
                    spent.tokens = (spent.tokens + really.tokens).saturating_sub(reserved.tokens);
                }
            }
        }
    }

    /// Why a purse cannot pay.
    async fn too_little(&self, at: usize, most: Spent) -> Failure {
        let Limit { purse, caps } = &self.limits[at];
        let scope = &self.scopes[at];
        // The failure stands in a transcript that others may read, and what others spend is not theirs to know.
        match scope {
            Scope::Run => {}
            Scope::Access(_) => {
                return used_up(
                    "today's budget of the access token has not enough left for this call",
                );
            }
            Scope::Server => {
                return used_up("today's budget of the server has not enough left for this call");
            }
        }
        let spent = self.book.spent(purse).await.unwrap_or_default();
        let over = |cap: Option<u64>, spent: u64, more: u64| {
            cap.filter(|cap| spent.saturating_add(more) > *cap)
        };
        let why = if let Some(cap) = over(caps.money, spent.money, most.money) {
            format!(
                "the budget of {scope} is {}; {} are spent or on their way, and this call may cost {}",
                dollars(cap),
                dollars(spent.money),
                dollars(most.money)
            )
        } else if let Some(cap) = over(caps.tokens, spent.tokens, most.tokens) {
            format!(
                "the budget of {scope} is {cap} tokens; {} are used or on their way, and this call may use {}",
                spent.tokens, most.tokens
            )
        } else if let Some(cap) = over(caps.calls, spent.calls, most.calls) {
            format!("the budget of {scope} is {cap} calls, and all are made")
        } else {
            format!("the budget of {scope} was used up for a moment")
        };
        used_up(why)
    }
}

/// Takes an amount from all purses or from none; the inner error says which has not enough, the outer one that nothing can be
/// written down.
fn take(purses: &mut Purses, limits: &[Limit], amount: Spent) -> Result<Result<(), usize>, String> {
    let fits = |spent: u64, more: u64, cap: Option<u64>| {
        cap.is_none_or(|cap| spent.saturating_add(more) <= cap)
    };
    for (at, Limit { purse, caps }) in limits.iter().enumerate() {
        let spent = purses.spent.get(purse).copied().unwrap_or_default();
        if !(fits(spent.money, amount.money, caps.money)
            && fits(spent.tokens, amount.tokens, caps.tokens)
            && fits(spent.calls, amount.calls, caps.calls))
        {
            return Ok(Err(at));
        }
    }
    if let Some(journal) = &mut purses.journal {
        let written = journal.change(Spent::default(), amount);
        written.map_err(|error| error.to_string())?;
    }
    for Limit { purse, .. } in limits {
        let spent = purses.spent.entry(purse.clone()).or_default();
        spent.money += amount.money;
        spent.tokens += amount.tokens;
        spent.calls += amount.calls;
    }
    Ok(Ok(()))
}

fn used_up(why: impl Into<String>) -> Failure {
    Failure::new(FailureClass::BudgetExhausted, why)
}

/// An amount in dollars, to the hundredth of a cent.
fn dollars(millionths: u64) -> String {
    format!("${:.4}", budgets::dollars(millionths))
}

fn today() -> Day {
    Day::of(now()).expect("the clock shows a year before 10000")
}
