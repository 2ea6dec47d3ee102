//! Reserve, send, settle: what a call may cost is taken from every purse that pays for it before it goes out, and put right by
//! what it came to (`decisions.md` 20). Every attempt passes here, whichever route the call came by.
//!
//! A purse never holds more than its cap, because what a call can come to at most is taken in one step with the look at what
//! is left. A call whose end nobody knows stays paid for. One that does not fit only beside what is on its way waits until that has
//! come back; it is refused once what is spent for good leaves too little.

use std::path::Path;

use turnwise_shared::effect::{Failure, FailureClass, Query, Reply};
use turnwise_shared::metrics::day::Day;
use turnwise_shared::metrics::estimate::{NoBound, at_most, really};
use turnwise_shared::metrics::prices::PriceBook;
use turnwise_shared::seat::{Lineup, Player};
use turnwise_shared::spec::SearchSpec;
use turnwise_shared::wire::budgets::{self, Caps, Scope, Spent};
use turnwise_shared::wire::{ModelCall, Outgoing};

pub use super::book::{Book, Reserved};
pub use super::line::PlaceInLine;
use crate::egress::{Egress, now};
use crate::providers::Miss;
use crate::store::Limit;

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

/// Why a call cannot go out now.
#[derive(Debug)]
pub enum Unpaid {
    /// It cannot at all: it ends in this failure.
    Refused(Failure),
    /// It does not fit beside what is on its way, and may when that has come back.
    Later(Later),
}

/// The purse, by its place among the limits, that has too little as long as calls are on their way.
#[derive(Debug, Clone, Copy)]
pub struct Later(usize);

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
        if self.limits.is_empty() {
            return Ok(());
        }
        self.book.keep_journal(path, &self.limits, before)
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
    /// Why nothing was taken.
    pub async fn reserve(
        &self,
        request: &Outgoing,
        prices: &PriceBook,
    ) -> Result<Reserved, Unpaid> {
        if let Some(until) = self.until
            && now() >= until
        {
            return Err(used_up("the time of the run is over"));
        }
        if self.limits.is_empty() {
            return Ok(Reserved::nothing());
        }
        let most = at_most(request, &self.caps, prices, &today())
            .map_err(|why| used_up(why.to_string()))?;
        let at = match self.book.take(&self.limits, most).await.map_err(broken)? {
            Ok(reserved) => return Ok(reserved),
            Err(at) => at,
        };
        let limit = &self.limits[at];
        let settled = self.book.settled(&limit.purse).await;
        let settled = settled.map_err(|error| broken(error.to_string()))?;
        // What is on its way may come to nothing.
        Err(if limit.lets(settled, most) {
            Unpaid::Later(Later(at))
        } else {
            self.too_little(at, settled, most)
        })
    }

    /// Waits until it is worth trying again: first for its turn, then, being first in line, for a while. Whoever waits holds a place
    /// in one line at most, and leaves it with its place.
    pub async fn wait(&self, Later(at): Later, place: &mut Option<PlaceInLine>) {
        match place {
            Some(place) => place.a_while().await,
            None => *place = Some(self.book.lines.first(&self.limits[at].purse).await),
        }
    }

    /// Puts right what was taken by what the call came to. A failure after which a service may ask for money stays paid for.
    pub async fn settle(
        &self,
        reserved: Reserved,
        request: &Outgoing,
        outcome: &Result<Reply, Miss>,
        prices: &PriceBook,
    ) {
        if self.limits.is_empty() {
            return;
        }
        let most = reserved.amount();
        let really = match outcome {
            Ok(reply) => really(request, reply, most, prices, &today()),
            Err(miss) if miss.failure.class.may_be_charged() => most,
            Err(_) => Spent {
                calls: most.calls,
                ..Spent::default()
            },
        };
        self.book.settle(reserved, &self.limits, really).await;
    }

    /// Why a purse cannot pay.
    fn too_little(&self, at: usize, spent: Spent, most: Spent) -> Unpaid {
        let caps = &self.limits[at].caps;
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
        let over = |cap: Option<u64>, spent: u64, more: u64| {
            cap.filter(|cap| spent.saturating_add(more) > *cap)
        };
        let why = if let Some(cap) = over(caps.money, spent.money, most.money) {
            format!(
                "the budget of {scope} is {}; {} are spent, and this call may cost {}",
                dollars(cap),
                dollars(spent.money),
                dollars(most.money)
            )
        } else if let Some(cap) = over(caps.tokens, spent.tokens, most.tokens) {
            format!(
                "the budget of {scope} is {cap} tokens; {} are used, and this call may use {}",
                spent.tokens, most.tokens
            )
        } else {
            let cap = caps.calls.unwrap_or_default();
            format!("the budget of {scope} is {cap} calls, and all are made")
        };
        used_up(why)
    }
}

fn used_up(why: impl Into<String>) -> Unpaid {
    Unpaid::Refused(Failure::new(FailureClass::BudgetExhausted, why))
}

/// What cannot be written down or looked at is not sent.
fn broken(error: String) -> Unpaid {
    tracing::error!(%error, "a budget cannot be written, so a call was not sent");
    let why = "the server's budgets cannot be written";
    Unpaid::Refused(Failure::new(FailureClass::Server, why))
}

/// An amount in dollars, to the hundredth of a cent.
fn dollars(millionths: u64) -> String {
    format!("${:.4}", budgets::dollars(millionths))
}

fn today() -> Day {
    Day::of(now()).expect("the clock shows a year before 10000")
}

#[cfg(test)]
mod tests;
