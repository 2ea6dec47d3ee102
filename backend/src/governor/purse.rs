//! Reserve, send, settle: what a call may cost is taken from every purse that pays for it before it goes out, and put right by
//! what it came to (ARCHITECTURE.md, rule 20). Every attempt passes here, whichever route the call came by.
//!
//! A purse never holds more than its cap, because what a call can come to at most is taken in one step with the look at what
//! is left. A call whose end nobody knows stays paid for. One that does not fit only beside what is on its way waits until that has
//! come back; it is refused once what is spent for good leaves too little.

use std::path::Path;

use turnwise_shared::effect::{Failure, FailureClass, Query, Reply};
use turnwise_shared::metrics::day::Day;
use turnwise_shared::metrics::estimate::{NoBound, at_most, really};
use turnwise_shared::metrics::prices::PriceBook;
use turnwise_shared::screen::number;
use turnwise_shared::seat::{Lineup, Player};
use turnwise_shared::spec::SearchSpec;
use turnwise_shared::wire::budgets::{self, Caps, Kind, Purse, Scope, Short, Spent};
use turnwise_shared::wire::{ModelCall, Outgoing, RunId};

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
    time: Option<Time>,
    /// The run whose refusals are remembered.
    run: Option<RunId>,
    /// All caps together, the lowest of each kind: what a call needs to have a bound.
    caps: Caps,
    book: Book,
}

/// The time that a run has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Time {
    /// All of it, in seconds.
    pub seconds: u64,
    /// Milliseconds since 1970 after which nothing is sent, if the run is driven until then.
    pub until: u64,
}

/// The way out for calls, with what pays for them.
#[derive(Clone, Copy)]
pub struct Paid<'a> {
    /// The way out.
    pub egress: &'a Egress,
    /// What pays.
    pub account: &'a Account,
    /// How often a call is sent at most, unless the operator has set a number.
    pub attempts: u32,
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

    /// One over purses, each with its key, and over the time of the run. Purses without caps are left out.
    pub fn new(purses: Vec<(Scope, String, Caps)>, time: Option<Time>, book: Book) -> Self {
        let mut all = Caps::default();
        let (mut scopes, mut limits) = (Vec::new(), Vec::new());
        for (scope, purse, mut caps) in purses {
            if scope == Scope::Run {
                // It is driven for so long; other purses count while calls are under way.
                caps.seconds = None;
            }
            if caps.is_open() {
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
            time,
            run: None,
            caps: all,
            book,
        }
    }

    /// The same, remembering of this run what was refused.
    #[must_use]
    pub fn of_run(self, run: &RunId) -> Self {
        Account {
            run: Some(run.clone()),
            ..self
        }
    }

    /// Writes what is spent into a journal from now on, where anything is capped, and takes from the purses what stands there
    /// already: at least `before`, which is known otherwise. For the one run of this process.
    ///
    /// # Errors
    /// If the journal cannot be read or written.
    pub fn keep_journal(&self, path: &Path, before: Spent) -> std::io::Result<()> {
        if self.limits.is_empty() && self.time.is_none() {
            return Ok(());
        }
        self.book.keep_journal(path, &self.limits, before)
    }

    /// Writes into the journal, if one is kept, that the run goes on until now.
    pub fn goes_on(&self) {
        self.book.goes_on();
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
        let is_late = self.time.is_some_and(|time| now() >= time.until);
        if self.limits.is_empty() && !is_late {
            return Ok(Reserved::nothing());
        }
        let most = at_most(request, &self.caps, prices, &today())
            .map_err(|why| used_up(why.to_string()))?;
        if is_late {
            return Err(self.too_little(most).await?);
        }
        let at = match self.book.take(&self.limits, most).await.map_err(broken)? {
            Ok(reserved) => return Ok(reserved),
            Err(at) => at,
        };
        let limit = &self.limits[at];
        let drawn = self.book.drawn(&limit.purse).await;
        let drawn = drawn.map_err(|error| broken(error.to_string()))?;
        // What is on its way may come to nothing; time that has passed does not come back.
        let may_fit = limit.has_time(drawn.milliseconds) && limit.lets(drawn.settled(), most);
        Err(match may_fit {
            true => Unpaid::Later(Later(at)),
            false => self.too_little(most).await?,
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

    /// Everything that keeps a call from going out which can come to so much.
    async fn too_little(&self, most: Spent) -> Result<Unpaid, Unpaid> {
        let mut why = Vec::new();
        if let Some(time) = self.time.filter(|time| now() >= time.until) {
            why.push(format!(
                "the run has been driven for the {} s of its budget",
                time.seconds
            ));
        }
        for (of, limit) in self.purses() {
            let drawn = self.book.drawn(&limit.purse).await;
            let drawn = drawn.map_err(|error| broken(error.to_string()))?;
            let purse = Purse {
                of: of.clone(),
                caps: limit.caps.clone(),
                spent: drawn.spent,
                aside: drawn.aside,
                seconds: drawn.milliseconds / 1000,
            };
            let mut short = purse.short(Some(most)).peekable();
            // The failure stands in a transcript that others may read, and what others spend is not theirs to know.
            match of {
                Scope::Run => why.extend(short.map(|short| too_short(&short))),
                Scope::Access(_) if short.peek().is_some() => why.push(
                    "today's budget of the access token has not enough left for this call".into(),
                ),
                Scope::Server if short.peek().is_some() => why
                    .push("today's budget of the server has not enough left for this call".into()),
                Scope::Access(_) | Scope::Server => {}
            }
        }
        if let Some(run) = &self.run {
            self.book.refused(run, most).await;
        }
        Ok(used_up(why.join("; and ")))
    }
}

/// In what the run's own budget is short.
fn too_short(short: &Short) -> String {
    let Short {
        of,
        kind,
        cap,
        spent,
        wants,
    } = short;
    match kind {
        Kind::Money => format!(
            "the budget of {of} is {}; {} are spent, and this call may cost {}",
            dollars(*cap),
            dollars(*spent),
            dollars(*wants)
        ),
        Kind::Tokens => format!(
            "the budget of {of} is {cap} tokens; {spent} are used, and this call may use {wants}"
        ),
        Kind::Calls => format!("{spent} of {cap} calls of {of} are made"),
        Kind::Seconds => format!("the budget of {of} is {cap} s, and they are over"),
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

/// An amount in dollars, to the hundredth of a cent, as pages say it.
fn dollars(millionths: u64) -> String {
    number::dollars(budgets::dollars(millionths))
}

fn today() -> Day {
    Day::of(now()).expect("the clock shows a year before 10000")
}

#[cfg(test)]
mod tests;
