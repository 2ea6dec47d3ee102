//! What a run cost, by role. It is counted from transcripts; on which day a call was made is known from the times beside them.
//! A cost of which a part is not known says so and never looks whole.

mod ahead;
mod shown;

use std::collections::BTreeMap;
use std::ops::AddAssign;

use super::cost::Cost;
use super::prices::{ModelPrice, PriceBook, Tokens, Whole};
use super::summary::SeatUsage;
use crate::day::Day;
use crate::effect::SEARCH;
use crate::metrics::options::MeasureOptions;
use crate::seat::{Player, Seat};
use crate::spec::{SearchSpec, Spec};

pub use ahead::{Ahead, ahead};
pub use shown::{TITLE, reported, unfinished};

/// An amount of money, as far as it is known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Amount {
    /// The part that is known.
    pub known: Cost,
    /// Calls of which the cost, or a part of it, is not known, and episodes of which no call is.
    pub unknown: u64,
}

impl Amount {
    /// The amount, if all of it is known.
    pub fn exactly(self) -> Option<Cost> {
        (self.unknown == 0).then_some(self.known)
    }

    /// What it is at least, if a part of it is known and another is not.
    pub fn at_least(self) -> Option<Cost> {
        (self.unknown > 0 && self.known > Cost::default()).then_some(self.known)
    }
}

impl AddAssign for Amount {
    fn add_assign(&mut self, other: Amount) {
        self.known += other.known;
        self.unknown += other.unknown;
    }
}

/// Why a part of a cost is not known.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Why {
    /// There is no price for this model or engine on the day of the call.
    NoPrice(String),
    /// It is unknown on which day it was called.
    NoDay(String),
    /// Replies did not tell their tokens.
    NotCounted(String),
    /// There is no price for tokens of its cache.
    NoCachePrice(String),
    /// A call read more than its price holds for.
    TooLong(String),
    /// The price changed while an episode was under way.
    Changed(String),
    /// Calls failed in a way after which a service may ask for money all the same.
    MayBeCharged(String),
    /// The episode was imported from results that do not tell its calls.
    Imported,
}

/// What one role used and cost.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Role {
    /// Who it was, e.g. `openai/gpt-5`, `bot:lexical`, or the search engine.
    pub who: String,
    /// Calls and tokens.
    pub usage: SeatUsage,
    pub amount: Amount,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Spending {
    /// By role: the seats, and `search`.
    pub roles: BTreeMap<String, Role>,
    pub total: Amount,
    /// Why parts are not known, and of how many calls.
    pub why: BTreeMap<Why, u64>,
    /// The day on which the oldest of the prices was last seen at its source, where sources were dated.
    pub seen: Option<Day>,
}

/// What some episodes of a spec cost. Bots, people and indexes of the server's own cost nothing.
pub fn of<'a>(
    spec: &Spec,
    usages: impl IntoIterator<Item = &'a BTreeMap<String, SeatUsage>>,
    options: &MeasureOptions,
) -> Spending {
    let mut spending = Spending::default();
    for usage in usages {
        spending.add(spec, usage, options);
    }
    spending
}

fn who(spec: &Spec, name: &str, usage: &SeatUsage) -> String {
    match (&usage.provider, &usage.model, spec.seats.get(&Seat::new(name))) {
        (Some(provider), Some(model), _) => format!("{provider}/{model}"),
        (None, Some(model), _) => model.clone(),
        (_, None, Some(sitting)) => match &sitting.player {
            Player::Model { provider, model } => format!("{provider}/{model}"),
            other => other.to_string(),
        },
        (_, None, None) if name == SEARCH => {
            spec.search.as_ref().map_or_else(String::new, |search| search.engine.clone())
        }
        (_, None, None) => String::new(),
    }
}

impl Spending {
    /// Adds what one more episode of the same spec cost; see [`of`].
    pub fn add(
        &mut self,
        spec: &Spec,
        usages: &BTreeMap<String, SeatUsage>,
        options: &MeasureOptions,
    ) {
        if spec.is_imported() && usages.values().all(|usage| usage.calls == 0) {
            self.because(Why::Imported, 1);
            self.total.unknown += 1;
        }
        for (name, usage) in usages {
            let amount = match (&usage.model, &spec.search) {
                (Some(model), _) => self.model(usage, model, options),
                (None, Some(search)) if name == SEARCH => self.search(usage, search, options),
                (None, _) => Amount::default(),
            };
            let role = self
                .roles
                .entry(name.clone())
                .or_insert_with(|| Role { who: who(spec, name, usage), ..Role::default() });
            role.usage.add(usage);
            role.amount += amount;
            self.total += amount;
        }
    }

    /// How many calls of a role have a cost that is not known, and why.
    fn unknown(&mut self, amount: &mut Amount, why: Why, calls: u64) {
        self.because(why, calls);
        amount.unknown += calls;
    }

    fn because(&mut self, why: Why, calls: u64) {
        if calls > 0 {
            *self.why.entry(why).or_default() += calls;
        }
    }

    fn used(&mut self, seen: Option<&Day>) {
        if let Some(seen) = seen
            && self.seen.as_ref().is_none_or(|oldest| seen < oldest)
        {
            self.seen = Some(seen.clone());
        }
    }

    fn model(&mut self, usage: &SeatUsage, model: &str, options: &MeasureOptions) -> Amount {
        let provider = usage.provider.as_deref().unwrap_or_default();
        let name = || format!("{provider}/{model}");
        if options.prices.is_free(provider) {
            return Amount::default();
        }
        let answered = u64::from(usage.model_calls.saturating_sub(usage.failed));
        let unsure = u64::from(usage.unsure);
        let mut amount = Amount::default();
        self.unknown(&mut amount, Why::MayBeCharged(name()), unsure);
        if answered == 0 {
            return amount;
        }
        let Some((first, last)) = days(usage, options) else {
            self.unknown(&mut amount, Why::NoDay(name()), answered);
            return amount;
        };
        let prices = &options.prices;
        let (Some(price), Some(later)) =
            (prices.model(provider, model, &first), prices.model(provider, model, &last))
        else {
            self.unknown(&mut amount, Why::NoPrice(name()), answered);
            return amount;
        };
        if price.up_to.is_some_and(|most| usage.largest > most) {
            self.unknown(&mut amount, Why::TooLong(name()), answered);
            return amount;
        }
        self.used(price.seen.as_ref());
        let (cost, whole) = charge(price, usage);
        amount.known = cost;
        if whole == Whole::No {
            self.unknown(&mut amount, Why::NoCachePrice(name()), answered);
        }
        if price != later {
            amount.known = amount.known.min(charge(later, usage).0);
            self.unknown(&mut amount, Why::Changed(name()), answered);
        }
        let uncounted = answered.saturating_sub(u64::from(usage.counted));
        self.unknown(&mut amount, Why::NotCounted(name()), uncounted);
        amount
    }

    fn search(
        &mut self,
        usage: &SeatUsage,
        search: &SearchSpec,
        options: &MeasureOptions,
    ) -> Amount {
        // Whose documents are known is an index of the server's own.
        if search.corpus.is_some() {
            return Amount::default();
        }
        let name = || search.engine.clone();
        let answered = u64::from(usage.calls.saturating_sub(usage.failed));
        let unsure = u64::from(usage.unsure);
        let mut amount = Amount::default();
        self.unknown(&mut amount, Why::MayBeCharged(name()), unsure);
        if answered == 0 {
            return amount;
        }
        let Some((first, last)) = days(usage, options) else {
            self.unknown(&mut amount, Why::NoDay(name()), answered);
            return amount;
        };
        let prices: &PriceBook = &options.prices;
        match (prices.search(&search.engine, &first), prices.search(&search.engine, &last)) {
            (Some(price), Some(later)) => {
                self.used(price.seen.as_ref());
                amount.known = price.of(answered, search.results);
                if price != later {
                    amount.known = amount.known.min(later.of(answered, search.results));
                    self.unknown(&mut amount, Why::Changed(name()), answered);
                }
            }
            _ => {
                self.unknown(&mut amount, Why::NoPrice(name()), answered);
            }
        }
        amount
    }
}

fn days(usage: &SeatUsage, options: &MeasureOptions) -> Option<(Day, Day)> {
    usage.days.clone().or_else(|| options.day.clone().map(|day| (day.clone(), day)))
}

fn charge(price: &ModelPrice, usage: &SeatUsage) -> (Cost, Whole) {
    price.of(&Tokens {
        input: usage.input,
        cached: usage.cached,
        cache_written: usage.cache_written,
        output: usage.output,
        reasoning: usage.reasoning,
    })
}
