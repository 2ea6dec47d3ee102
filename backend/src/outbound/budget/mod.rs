//! Reserve, send, settle: what a call may cost is taken from every budget that pays for it before it goes out, and put right by
//! what it came to (ARCHITECTURE.md, rule 20). Every attempt passes here, whichever route the call came by.
//!
//! A budget never holds more than its cap, because what a call can come to at most is taken in one step with the look at what
//! is left. A call whose end is unknown stays paid for. One that does not fit only beside what is on its way waits until that has
//! come back; it is refused once what is spent for good leaves too little.

pub(super) mod before;
pub mod journal;
mod line;
mod reservations;

use std::fmt;
use std::path::Path;

use turnwise_shared::caps;
use turnwise_shared::metrics::estimate::{NoBound, at_most, really};
use turnwise_shared::metrics::number;
use turnwise_shared::prelude::*;
use turnwise_shared::wire::budgets::{Kind, Scope, Short};

use crate::clock::now;
use crate::error::Problem;
use crate::services::ProviderError;
use crate::store::Limit;

pub use line::PlaceInLine;
pub use reservations::{Reservations, Reserved};

/// What pays for the calls of a run.
#[derive(Debug, Clone)]
pub struct Account {
    payers: Vec<Payer>,
    time: Option<Time>,
    /// The run whose refusals are remembered.
    run: Option<RunId>,
    /// What a call is counted as, where the count must not show what was sent or said.
    stand_in: Option<Box<Outgoing>>,
    reservations: Reservations,
}

/// Whose budget pays. That of a run is one for all days, any other has one for each day (UTC): which one pays is found out when a call
/// goes out, however long it has waited.
#[derive(Debug, Clone)]
struct Payer {
    of: Scope,
    name: String,
    caps: Caps,
}

/// The time that a run has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Time {
    /// All of it, in seconds.
    pub seconds: u64,
    /// Milliseconds since 1970 after which nothing is sent, if the run is driven until then.
    pub until: u64,
}

/// A call that has come back, and is not settled yet. Dropping it leaves what was taken spent.
#[derive(Debug)]
pub struct Unsettled {
    reserved: Reserved,
    really: Spent,
}

/// Why a call cannot go out now.
#[derive(Debug)]
pub enum Unpaid {
    /// It cannot at all: it ends in this failure.
    Refused(Failure),
    /// It does not fit beside what is on its way, and may when that has come back.
    Later(Later),
}

/// The key of the budget that has too little as long as calls are on their way.
#[derive(Debug, Clone)]
pub struct Later(String);

/// A budget under which the call bound is unknown. Which models may be called without a known price is decided for each budget by
/// the one who sets it, and holds for no other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unbounded {
    pub of: Scope,
    pub why: NoBound,
}

impl Unbounded {
    /// How it is mended, as a sentence; `None` if `why` says it.
    pub fn mend(&self) -> Option<String> {
        let NoBound::NoPrice(who) = &self.why else {
            return None;
        };
        let mend = "add its price to the server's prices";
        Some(match self.of {
            Scope::Run => format!("Allow {who} by name as unpriced, or {mend}."),
            Scope::Access(_) => format!(
                "Whoever operates the server can {mend}, or list {who} as unpriced in the caps of the access token."
            ),
            Scope::Server => format!(
                "Whoever operates the server can {mend}, or list {who} as unpriced in the caps of the server."
            ),
        })
    }
}

impl fmt::Display for Unbounded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // It may stand in a transcript that others read, so an access token has no name here.
        let whose = match self.of {
            Scope::Run => "The run has a budget",
            Scope::Access(_) => "The access token has a budget for the day",
            Scope::Server => "The server has a budget for the day",
        };
        write!(f, "{whose}, but {}", self.why)
    }
}

impl From<Unbounded> for Problem {
    fn from(unbounded: Unbounded) -> Self {
        let problem = Problem::unfit(format!("{unbounded}."));
        match unbounded.mend() {
            Some(mend) => problem.mend(mend),
            None => problem,
        }
    }
}

impl Account {
    pub fn open() -> Self {
        Account::new(Vec::new(), None, Reservations::in_memory())
    }

    /// One over budgets, each with a name that is its own, and over the time of the run. Budgets without caps are left out.
    pub fn new(
        budgets: Vec<(Scope, String, Caps)>,
        time: Option<Time>,
        reservations: Reservations,
    ) -> Self {
        let mut payers = Vec::new();
        for (of, name, mut caps) in budgets {
            if of == Scope::Run {
                // The driver measures this time; other budgets count while calls are under way.
                caps.seconds = None;
            }
            if !caps.is_open() {
                payers.push(Payer { of, name, caps });
            }
        }
        Account { payers, time, run: None, stand_in: None, reservations }
    }

    /// The same, remembering of this run what was refused.
    #[must_use]
    pub fn of_run(self, run: &RunId) -> Self {
        Account { run: Some(run.clone()), ..self }
    }

    /// The same for one call whose count must not show what was sent or said: it counts as if this were sent,
    /// with what that can come to at most, and stays counted so whatever is said. This must be no shorter than what is sent.
    #[must_use]
    pub fn counting(&self, stand_in: Outgoing) -> Self {
        Account { stand_in: Some(Box::new(stand_in)), ..self.clone() }
    }

    /// Whether the run has a budget of its own, from which what it spends is taken.
    pub fn has_run_budget(&self) -> bool {
        self.payers.iter().any(|payer| payer.of == Scope::Run)
    }

    /// Writes what is spent into a journal from now on, where anything is capped, and takes from the budgets what stands there
    /// already: at least `before`, which is known otherwise. For the one run of this process.
    ///
    /// # Errors
    /// If the journal cannot be read or written.
    pub fn keep_journal(&self, path: &Path, before: Spent) -> std::io::Result<()> {
        if self.payers.is_empty() && self.time.is_none() {
            return Ok(());
        }
        self.reservations.keep_journal(path, &self.limits(&today()), before)
    }

    /// Writes into the journal, if one is kept, that the run goes on until now.
    pub fn goes_on(&self) {
        self.reservations.goes_on();
    }

    /// The budgets that bind now, each with its key and its caps.
    pub fn budgets(&self) -> impl Iterator<Item = (&Scope, Limit)> {
        self.limits_on(today())
    }

    fn limits_on(&self, day: Day) -> impl Iterator<Item = (&Scope, Limit)> {
        let payers = self.payers.iter();
        payers.map(move |payer| (&payer.of, payer.on(&day)))
    }

    fn limits(&self, day: &Day) -> Vec<Limit> {
        self.payers.iter().map(|payer| payer.on(day)).collect()
    }

    /// What a call can come to at most, by the caps of every budget that pays for it.
    fn most(&self, request: &Outgoing, prices: &PriceBook, day: &Day) -> Result<Spent, Unbounded> {
        let mut most = Spent { calls: 1, ..Spent::default() };
        for Payer { of, caps, .. } in &self.payers {
            let bound = at_most(request, caps, prices, day)
                .map_err(|why| Unbounded { of: of.clone(), why })?;
            most.money = most.money.max(bound.money);
            most.tokens = most.tokens.max(bound.tokens);
        }
        Ok(most)
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
    ) -> Result<(), Unbounded> {
        let bounded = |request: Outgoing| self.most(&request, prices, &today()).map(|_| ());
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
                    since: None,
                },
            })?;
        }
        Ok(())
    }

    /// Takes what a call can come to at most from every budget.
    ///
    /// # Errors
    /// Why nothing was taken.
    pub async fn reserve(
        &self,
        request: &Outgoing,
        prices: &PriceBook,
    ) -> Result<Reserved, Unpaid> {
        self.reserve_on(request, prices, today()).await
    }

    async fn reserve_on(
        &self,
        request: &Outgoing,
        prices: &PriceBook,
        day: Day,
    ) -> Result<Reserved, Unpaid> {
        let payable = self.reservations.until_payable().await;
        payable.map_err(|error| broken(error.to_string()))?;
        let is_late = self.time.is_some_and(|time| now() >= time.until);
        if self.payers.is_empty() && !is_late {
            return Ok(Reserved::nothing(day));
        }
        let most = self.most(self.stand_in.as_deref().unwrap_or(request), prices, &day).map_err(
            |unbounded| match unbounded.mend() {
                Some(mend) => used_up(format!("{unbounded}. {mend}")),
                None => used_up(unbounded.to_string()),
            },
        )?;
        if is_late {
            return Err(self.too_little(most, &day).await?);
        }
        let limits = self.limits(&day);
        let taken = self.reservations.take(&limits, most, &day).await.map_err(broken)?;
        let limit = match taken {
            Ok(reserved) => return Ok(reserved),
            Err(at) => &limits[at],
        };
        let drawn = self.reservations.drawn(&limit.budget).await;
        let drawn = drawn.map_err(|error| broken(error.to_string()))?;
        // What is on its way may come to nothing; time that has passed does not come back.
        let may_fit = limit.has_time(drawn.milliseconds) && limit.lets(drawn.settled(), most);
        Err(match may_fit {
            true => Unpaid::Later(Later(limit.budget.clone())),
            false => self.too_little(most, &day).await?,
        })
    }

    /// Waits until it is worth trying again: first for its turn, then, being first in line, for a while. A waiting call holds a
    /// place in one line at most, and leaves it with its place.
    pub async fn wait(&self, Later(budget): Later, place: &mut Option<PlaceInLine>) {
        match place {
            Some(place) => place.a_while().await,
            None => *place = Some(self.reservations.lines.first(&budget).await),
        }
    }

    /// What was taken, and what the call came to by the prices of the day on which it was sent. A failure after which a service may ask
    /// for money stays paid for.
    pub fn account_for(
        &self,
        reserved: Reserved,
        request: &Outgoing,
        outcome: &Result<Reply, ProviderError>,
        prices: &PriceBook,
    ) -> Unsettled {
        let most = reserved.amount();
        let really = match outcome {
            Ok(reply) => {
                let really = really(request, reply, most, prices, reserved.day());
                match &self.stand_in {
                    Some(_) => covering(most, really),
                    None => really,
                }
            }
            Err(miss) if miss.failure.class.may_be_charged() => most,
            Err(_) => Spent { calls: most.calls, ..Spent::default() },
        };
        Unsettled { reserved, really }
    }

    /// Puts right what was taken, in the budgets from which it was taken.
    pub async fn settle(&self, Unsettled { reserved, really }: Unsettled) {
        self.reservations.settle(reserved, really).await;
    }

    /// Everything that keeps a call from going out which can come to so much.
    async fn too_little(&self, most: Spent, day: &Day) -> Result<Unpaid, Unpaid> {
        let mut why = Vec::new();
        if let Some(time) = self.time.filter(|time| now() >= time.until) {
            why.push(format!("the run has been driven for the {} s of its budget", time.seconds));
        }
        for (of, limit) in self.limits_on(day.clone()) {
            let drawn = self.reservations.drawn(&limit.budget).await;
            let drawn = drawn.map_err(|error| broken(error.to_string()))?;
            let budget = SpendingBudget {
                of: of.clone(),
                caps: limit.caps.clone(),
                spent: drawn.spent,
                aside: drawn.aside,
                seconds: drawn.milliseconds / 1000,
            };
            let mut short = budget.short(Some(most)).peekable();
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
            self.reservations.refused(run, most).await;
        }
        Ok(used_up(why.join("; and ")))
    }
}

impl Payer {
    /// Its budget on a day.
    fn on(&self, day: &Day) -> Limit {
        let Payer { of, name, caps } = self;
        Limit {
            budget: match of {
                Scope::Run => name.clone(),
                Scope::Access(_) | Scope::Server => format!("{name} {day}"),
            },
            caps: caps.clone(),
        }
    }
}

/// What was reserved. Only if a service read or wrote more than it was to, it is doubled until it covers that, too.
fn covering(reserved: Spent, really: Spent) -> Spent {
    let cover = |reserved: u64, really: u64| {
        let mut cover = reserved;
        while cover < really && cover > 0 {
            cover = cover.saturating_mul(2);
        }
        cover
    };
    Spent {
        money: cover(reserved.money, really.money),
        tokens: cover(reserved.tokens, really.tokens),
        calls: reserved.calls,
    }
}

/// In what the run's own budget is short.
fn too_short(short: &Short) -> String {
    let Short { of, kind, cap, spent, wants } = short;
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
    number::dollars(caps::dollars(millionths))
}

fn today() -> Day {
    Day::of(now()).expect("the clock shows a year before 10000")
}

#[cfg(test)]
mod tests;
