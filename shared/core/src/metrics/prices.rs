//! What services ask, as dated data. A price holds for exactly this endpoint and exactly this model; what is not listed is
//! unknown, which is not nothing.

use std::fmt;

use serde::de::{Error as _, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::cost::Cost;
use crate::day::Day;

/// A price in US dollars per million tokens, or per thousand searches; kept in whole millionths of a dollar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rate(u64);

impl Rate {
    /// From millionths of a dollar: 150,000 is 0.15 dollars.
    pub fn of_millionths(millionths: u64) -> Self {
        Rate(millionths)
    }

    /// In dollars, for showing.
    pub fn dollars(self) -> f64 {
        self.0 as f64 / 1e6
    }

    /// What this many tokens cost at this price per million.
    pub fn tokens(self, count: u64) -> Cost {
        Cost::at(count, self.0)
    }

    /// What this many searches cost at this price per thousand.
    fn thousandths(self, count: u64) -> Cost {
        Cost::at(count, self.0.saturating_mul(1000))
    }
}

impl Serialize for Rate {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_f64(self.dollars())
    }
}

/// Reads a number of dollars, whole or broken.
struct Dollars;

impl Visitor<'_> for Dollars {
    type Value = f64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a price in US dollars as a number from 0")
    }

    fn visit_u64<E>(self, dollars: u64) -> Result<f64, E> {
        Ok(dollars as f64)
    }

    fn visit_i64<E>(self, dollars: i64) -> Result<f64, E> {
        Ok(dollars as f64)
    }

    fn visit_f64<E>(self, dollars: f64) -> Result<f64, E> {
        Ok(dollars)
    }
}

impl<'de> Deserialize<'de> for Rate {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let dollars = from.deserialize_any(Dollars)?;
        let millionths = dollars * 1e6;
        let exact = (millionths - millionths.round()).abs() < 1e-3;
        if !(0.0..=1e12).contains(&millionths) || !exact {
            return Err(D::Error::custom(
                "a price is from 0 to 1,000,000 US dollars and has at most six decimals",
            ));
        }
        Ok(Rate(millionths.round() as u64))
    }
}

/// What a model costs, in US dollars per million tokens.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelPrice {
    /// The endpoint, as seats name it.
    pub provider: String,
    /// The model's exact name at that endpoint.
    pub model: String,
    /// The first day on which the price holds.
    pub from: Day,
    /// The last one, where the service has announced an end. Afterwards the price is unknown until an entry begins.
    pub until: Option<Day>,
    /// For tokens that it reads, those of a cache left out.
    pub input: Rate,
    /// For tokens read from a cache; absent = unknown, which shows only where there are such tokens.
    pub cached: Option<Rate>,
    /// For tokens read and written into a cache, where a service counts them apart; absent = unknown.
    pub cache_write: Option<Rate>,
    /// For tokens that it writes.
    pub output: Rate,
    /// For tokens of reasoning, where they have a price of their own; absent = that of what it writes.
    pub reasoning: Option<Rate>,
    /// The most tokens that a call may read for this price to hold; beyond it the price is unknown.
    pub up_to: Option<u64>,
    /// The last day on which the source was seen to say so.
    pub seen: Option<Day>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub source: String,
}

/// Tokens of some calls, by what they cost. Each is counted once.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tokens {
    pub input: u64,
    /// Of these, from a cache.
    pub cached: u64,
    /// Of those read, written into a cache.
    pub cache_written: u64,
    pub output: u64,
    pub reasoning: u64,
}

impl ModelPrice {
    /// What tokens cost, and whether that is all: tokens of a cache whose price is not known are left out.
    pub fn of(&self, tokens: &Tokens) -> (Cost, Whole) {
        let apart = tokens.cached.saturating_add(tokens.cache_written);
        let mut cost = self.input.tokens(tokens.input.saturating_sub(apart));
        let mut whole = Whole::Yes;
        for (count, rate) in
            [(tokens.cached, self.cached), (tokens.cache_written, self.cache_write)]
        {
            match rate {
                Some(rate) => cost += rate.tokens(count),
                None if count > 0 => whole = Whole::No,
                None => {}
            }
        }
        let reasoning = self.reasoning.unwrap_or(self.output);
        cost += self.output.tokens(tokens.output.saturating_sub(tokens.reasoning));
        cost += reasoning.tokens(tokens.reasoning.min(tokens.output));
        (cost, whole)
    }
}

/// Whether a cost is all of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whole {
    Yes,
    /// It is only a part.
    No,
}

/// What a search engine costs.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchPrice {
    /// The engine, as specs name it.
    pub engine: String,
    /// The first day on which the price holds.
    pub from: Day,
    /// The last one, where the service has announced an end.
    pub until: Option<Day>,
    /// In US dollars, for a thousand requests.
    pub per_thousand: Rate,
    /// The most results of one request; a search for more needs several. Absent = one is always enough.
    pub results: Option<u32>,
    /// The last day on which the source was seen to say so.
    pub seen: Option<Day>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub source: String,
}

impl SearchPrice {
    /// What this many searches for this many results cost.
    pub fn of(&self, searches: u64, results: u32) -> Cost {
        let requests = match self.results {
            Some(most) if most > 0 => results.max(1).div_ceil(most),
            _ => 1,
        };
        self.per_thousand.thousandths(searches.saturating_mul(requests.into()))
    }
}

/// Prices of models and of search engines. What it does not list has no price: unknown, which is not nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PriceBook {
    #[serde(default, rename = "price", skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<ModelPrice>,
    #[serde(default, rename = "search_price", skip_serializing_if = "Vec::is_empty")]
    pub searches: Vec<SearchPrice>,
    /// Endpoints that ask nothing for any of their models, e.g. the scripted one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub free: Vec<String>,
}

impl PriceBook {
    /// The price of exactly this model at exactly this endpoint on a day: of the entries that began by then, the latest; of
    /// equal ones, the last. `None` if that one has ended.
    pub fn model(&self, provider: &str, model: &str, day: &Day) -> Option<&ModelPrice> {
        self.models
            .iter()
            .filter(|entry| {
                entry.provider == provider && entry.model == model && entry.from <= *day
            })
            .max_by(|one, other| one.from.cmp(&other.from))
            .filter(|entry| entry.until.as_ref().is_none_or(|until| day <= until))
    }

    /// The price of exactly this search engine on a day, likewise.
    pub fn search(&self, engine: &str, day: &Day) -> Option<&SearchPrice> {
        self.searches
            .iter()
            .filter(|entry| entry.engine == engine && entry.from <= *day)
            .max_by(|one, other| one.from.cmp(&other.from))
            .filter(|entry| entry.until.as_ref().is_none_or(|until| day <= until))
    }

    /// Whether an endpoint asks nothing.
    pub fn is_free(&self, provider: &str) -> bool {
        self.free.iter().any(|free| free == provider)
    }

    /// This book in front of another: of a model or an engine that it lists, the other's entries do not count at all.
    #[must_use]
    pub fn over(mut self, other: PriceBook) -> PriceBook {
        let PriceBook { models, searches, free } = other;
        let own = self.models.len();
        for entry in models {
            let listed = self.models[..own]
                .iter()
                .any(|mine| mine.provider == entry.provider && mine.model == entry.model);
            if !listed {
                self.models.push(entry);
            }
        }
        let own = self.searches.len();
        for entry in searches {
            if self.searches[..own].iter().all(|mine| mine.engine != entry.engine) {
                self.searches.push(entry);
            }
        }
        // An endpoint for which this book has a price is not free.
        let priced =
            |provider: &String| self.models[..].iter().any(|mine| mine.provider == *provider);
        let more: Vec<String> = free.into_iter().filter(|free| !priced(free)).collect();
        self.free.extend(more);
        self
    }

    /// Looks for entries that cannot be meant.
    ///
    /// # Errors
    /// Every mistake, with the entry that has it.
    pub fn check(&self) -> Result<(), Vec<String>> {
        let mut mistakes = Vec::new();
        let mut seen = std::collections::BTreeSet::new();
        for entry in &self.models {
            let name = format!("{}/{} from {}", entry.provider, entry.model, entry.from);
            if entry.provider.trim().is_empty() || entry.model.trim().is_empty() {
                mistakes.push(format!("{name}: provider and model have a name"));
            }
            if entry.until.as_ref().is_some_and(|until| *until < entry.from) {
                mistakes.push(format!("{name}: it ends before it begins"));
            }
            if entry.up_to == Some(0) {
                mistakes.push(format!("{name}: up_to is at least 1"));
            }
            if !seen.insert((entry.provider.as_str(), entry.model.as_str(), &entry.from)) {
                mistakes.push(format!("{name}: it stands twice"));
            }
        }
        for entry in &self.searches {
            let name = format!("{} from {}", entry.engine, entry.from);
            if entry.engine.trim().is_empty() {
                mistakes.push(format!("{name}: an engine has a name"));
            }
            if entry.until.as_ref().is_some_and(|until| *until < entry.from) {
                mistakes.push(format!("{name}: it ends before it begins"));
            }
            if entry.results == Some(0) {
                mistakes.push(format!("{name}: results is at least 1"));
            }
            if !seen.insert(("", entry.engine.as_str(), &entry.from)) {
                mistakes.push(format!("{name}: it stands twice"));
            }
        }
        if mistakes.is_empty() { Ok(()) } else { Err(mistakes) }
    }
}

#[cfg(test)]
mod tests;
