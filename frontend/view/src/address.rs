//! Addresses of pages as text. The configuration of a run in that of `/new`, and back.
//!
//! Only what differs from the defaults is written, so that a plain `/new` is the default run. Parts of an address that
//! are not understood are reported, never dropped in silence.

mod like;
mod reading;

use std::collections::BTreeMap;
use std::str::FromStr;

use serde_json::{Map, Value};
use turnwise_shared::caps::{MOST_DOLLARS, dollars, millionths};
use turnwise_shared::prelude::*;
use turnwise_shared::run::FAILURES_IN_A_ROW;
use turnwise_shared::seat::knob::Turned;
use turnwise_shared::spec::{RandomSubset, Subset};

pub use reading::{Place, compare, episode, flip, run, run_tab, side_by_side};

use crate::query::{decode, encode};
use crate::strings::whole_number;

/// The name under which the built-in tasks are chosen.
pub const SAMPLES: &str = "samples";

/// The most calls that may be in flight at once.
pub const MOST_IN_FLIGHT: u32 = 256;

/// The most failures in a row that a run may wait for before it pauses.
pub const MOST_FAILURES: u32 = 1000;

/// The most participants that an address may ask for; benchmarks allow fewer.
pub const MOST_PARTICIPANTS: u32 = 1000;

/// The most times that each task may be played in one run.
pub const MOST_REPEATS: u32 = 100;

/// Everything that a person chooses about a run. What is absent is left to the benchmark's defaults.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    pub benchmark: String,
    /// The task set's name, [`SAMPLES`] for the built-in ones.
    pub tasks: String,
    /// Which reading of the benchmark.
    pub profile: Profile,
    /// The benchmark's own settings that were chosen, e.g. `mode`.
    pub settings: Map<String, Value>,
    /// Which tasks of the set.
    pub subset: Subset,
    /// How many times each task is played, from 1 to [`MOST_REPEATS`].
    pub repeats: u32,
    /// Calls in flight at once, from 1 to [`MOST_IN_FLIGHT`].
    pub in_flight: u32,
    /// After this many failures in a row the run pauses, up to [`MOST_FAILURES`]; 0: never.
    pub pause_after: u32,
    /// What the run may spend.
    pub caps: Caps,
    /// How many take part, where participants are numbered; `None` = as many as usual.
    pub participants: Option<u32>,
    /// Who sits where, for the seats for which a player was chosen.
    pub seats: BTreeMap<Seat, Player>,
    /// How models are sampled, for the seats for which that was chosen; entries of other seats are ignored.
    pub sampling: BTreeMap<Seat, Turned>,
    pub search: Engine,
    /// From which chance is drawn.
    pub seed: u64,
}

/// The choice of a search engine.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Engine {
    /// The server's first, if the episodes may search.
    #[default]
    First,
    /// The one of that name.
    Named(String),
    Nobody,
}

impl Config {
    /// The run that results if nothing is chosen: the built-in tasks, played by bots only.
    pub fn new(benchmark: &str) -> Self {
        Config {
            benchmark: benchmark.to_owned(),
            tasks: SAMPLES.to_owned(),
            profile: Profile::Strict,
            settings: Map::new(),
            subset: Subset::default(),
            repeats: 1,
            in_flight: 16,
            pause_after: FAILURES_IN_A_ROW,
            caps: Caps::default(),
            participants: None,
            seats: BTreeMap::new(),
            sampling: BTreeMap::new(),
            search: Engine::First,
            seed: 1,
        }
    }

    /// The address's query, without `?`; empty for the default run.
    pub fn query(&self) -> String {
        let default = Config::new(&self.benchmark);
        let mut pairs: Vec<(String, String)> = Vec::new();
        let mut write = |key: &str, value: String| pairs.push((key.to_owned(), value));
        write("benchmark", self.benchmark.clone());
        if self.tasks != default.tasks {
            write("tasks", self.tasks.clone());
        }
        if self.profile != default.profile {
            write("profile", self.profile.name().to_owned());
        }
        for (key, value) in &self.settings {
            let key = match RESERVED.contains(&key.as_str()) {
                true => format!("{SETTING}{key}"),
                false => key.clone(),
            };
            write(&key, setting_text(value));
        }
        for (label, values) in &self.subset.labels {
            write(&format!("only.{label}"), list(values.iter().map(String::as_str)));
        }
        if !self.subset.ids.is_empty() {
            write("ids", list(self.subset.ids.iter().map(|id| id.0.as_str())));
        }
        if let Some(random) = &self.subset.random {
            write("random", random.count.to_string());
            write("random-seed", random.seed.to_string());
        }
        if let Some(first) = self.subset.first {
            write("first", first.to_string());
        }
        if self.repeats != default.repeats {
            write("repeats", self.repeats.to_string());
        }
        if self.in_flight != default.in_flight {
            write("in-flight", self.in_flight.to_string());
        }
        if self.pause_after != default.pause_after {
            write("pause-after", self.pause_after.to_string());
        }
        if let Some(money) = self.caps.money {
            write("cap-usd", dollars(money).to_string());
        }
        for (key, cap) in [
            ("cap-tokens", self.caps.tokens),
            ("cap-calls", self.caps.calls),
            ("cap-seconds", self.caps.seconds),
        ] {
            if let Some(cap) = cap {
                write(key, cap.to_string());
            }
        }
        if !self.caps.unpriced.is_empty() {
            write("unpriced", list(self.caps.unpriced.iter().map(String::as_str)));
        }
        if let Some(participants) = self.participants {
            write("participants", participants.to_string());
        }
        for (seat, player) in &self.seats {
            write(&format!("seat.{seat}"), player.to_string());
        }
        for (seat, turned) in &self.sampling {
            for (knob, text) in turned {
                write(&format!("{knob}.{seat}"), text.clone());
            }
        }
        match &self.search {
            Engine::First => {}
            Engine::Named(name) => write("search", name.clone()),
            Engine::Nobody => write("search", NO_ENGINE.to_owned()),
        }
        if self.seed != default.seed {
            write("seed", self.seed.to_string());
        }
        if pairs.len() == 1 && self.benchmark == registry::first() {
            return String::new();
        }
        encode(&pairs)
    }

    /// Reads an address's query, with or without `?`. The second value names, in sentences, what could not be used; the
    /// defaults stand in for it.
    pub fn read(query: &str) -> (Self, Vec<String>) {
        let pairs = decode(query.trim_start_matches('?'));
        let benchmark = pairs
            .iter()
            .rev()
            .find(|(key, _)| key == "benchmark")
            .map_or(registry::first(), |(_, name)| name.as_str());
        let mut config = Config::new(benchmark);
        let mut odd = Vec::new();
        let mut odd_one = |key: &str, value: &str, taken: Result<(), String>| {
            if let Err(why) = taken {
                odd.push(format!("{key}={value}: {why}"));
            }
        };
        for (key, value) in &pairs {
            odd_one(key, value, config.take(key, value));
        }
        for (key, value) in pairs.iter().filter(|(key, _)| key == "random-seed") {
            odd_one(key, value, config.take_random_seed(value));
        }
        (config, odd)
    }

    fn take(&mut self, key: &str, value: &str) -> Result<(), String> {
        if let Some(label) = key.strip_prefix("only.") {
            self.subset.labels.insert(label.to_owned(), items(value));
            return Ok(());
        }
        if let Some(seat) = key.strip_prefix("seat.") {
            let player =
                value.parse().map_err(|bad: turnwise_shared::seat::BadPlayer| bad.to_string())?;
            self.seats.insert(Seat::new(seat), player);
            return Ok(());
        }
        if let Some((knob, seat)) = turned(key) {
            knob.turn(&mut Sampling::default(), value).map_err(|bad| bad.to_string())?;
            let chosen = self.sampling.entry(Seat::new(seat)).or_default();
            chosen.insert(knob, value.to_owned());
            return Ok(());
        }
        if let Some(setting) = key.strip_prefix(SETTING) {
            self.settings.insert(setting.to_owned(), setting_value(value));
            return Ok(());
        }
        match key {
            "benchmark" if registry::title(value).is_none() => {
                return Err("there is no such benchmark".to_owned());
            }
            "benchmark" => {}
            "tasks" => self.tasks = value.to_owned(),
            "profile" => self.profile = value.parse().map_err(problem)?,
            "ids" => self.subset.ids = items(value).into_iter().map(TaskId).collect(),
            "random" => {
                let count = number(value, 1, u32::MAX)?;
                self.subset.random = Some(RandomSubset { count, seed: 1 });
            }
            // The order of an address means nothing: see `read`.
            "random-seed" => {}
            "first" => self.subset.first = Some(number(value, 1, u32::MAX)?),
            "repeats" => self.repeats = number(value, 1, MOST_REPEATS)?,
            "in-flight" => self.in_flight = number(value, 1, MOST_IN_FLIGHT)?,
            "pause-after" => self.pause_after = number(value, 0, MOST_FAILURES)?,
            "cap-usd" => {
                let money = value.parse().ok().and_then(millionths);
                let why = || format!("write an amount of dollars from 0 to {MOST_DOLLARS}");
                cap(&mut self.caps.money, money.ok_or_else(why))?;
            }
            "cap-tokens" => cap(&mut self.caps.tokens, number(value, 0, u64::MAX))?,
            "cap-calls" => cap(&mut self.caps.calls, number(value, 0, u64::MAX))?,
            "cap-seconds" => cap(&mut self.caps.seconds, number(value, 0, u64::MAX))?,
            "unpriced" => self.caps.unpriced = items(value),
            "participants" => self.participants = Some(number(value, 1, MOST_PARTICIPANTS)?),
            "search" if value == NO_ENGINE => self.search = Engine::Nobody,
            "search" => self.search = Engine::Named(value.to_owned()),
            "seed" => self.seed = number(value, 0, u64::MAX)?,
            setting => {
                self.settings.insert(setting.to_owned(), setting_value(value));
            }
        }
        Ok(())
    }

    /// Takes the seed of a random subset, once it is known whether there is one.
    fn take_random_seed(&mut self, value: &str) -> Result<(), String> {
        let seed = number(value, 0, u64::MAX)?;
        match &mut self.subset.random {
            Some(random) => random.seed = seed,
            None => {
                return Err("it says how to draw, and `random` does not say how many".to_owned());
            }
        }
        Ok(())
    }
}

const NO_ENGINE: &str = "none";

/// Stands before a setting whose name has another meaning in addresses.
const SETTING: &str = "set.";
const RESERVED: [&str; 18] = [
    "benchmark",
    "tasks",
    "profile",
    "ids",
    "random",
    "random-seed",
    "first",
    "repeats",
    "in-flight",
    "pause-after",
    "cap-usd",
    "cap-tokens",
    "cap-calls",
    "cap-seconds",
    "unpriced",
    "participants",
    "search",
    "seed",
];

/// `temperature.player`: what is chosen about how the model in a seat is sampled.
fn turned(key: &str) -> Option<(Knob, &str)> {
    let (knob, seat) = key.split_once('.')?;
    Some((knob.parse().ok()?, seat))
}

fn problem(bad: turnwise_shared::spec::BadSpec) -> String {
    bad.problem
}

/// Takes a cap. A cap that cannot be read was still meant as a limit, so nothing may be spent then.
fn cap(cap: &mut Option<u64>, written: Result<u64, String>) -> Result<(), String> {
    *cap = Some(written.as_ref().copied().unwrap_or(0));
    written.map(drop)
}

fn number<T: FromStr + PartialOrd + Copy + Into<u64>>(
    text: &str,
    least: T,
    most: T,
) -> Result<T, String> {
    match text.parse() {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        _ => Err(whole_number(least.into(), most.into())),
    }
}

/// Numbers, truth values, lists, objects and nothing at all are distinguished from words by how they look. Numbers with commas
/// between them are a list: `5,10,20` is `[5,10,20]`.
fn setting_value(text: &str) -> Value {
    let is_number =
        |text: &str| text.starts_with(|sign: char| sign == '-' || sign.is_ascii_digit());
    let looks_like_data = ["true", "false", "null"].contains(&text)
        || text.starts_with(['[', '{', '"'])
        || is_number(text);
    let read = |text: &str| serde_json::from_str(text).ok();
    let numbers = || {
        let items = text.split(',').map(|item| read(item).filter(Value::is_number));
        items.collect::<Option<Vec<_>>>().map(Value::Array)
    };
    let value = match looks_like_data {
        true => read(text).or_else(|| is_number(text).then(numbers).flatten()),
        false => None,
    };
    value.unwrap_or_else(|| text.into())
}

/// A word that looks like something else stands in quotes; a list of several numbers is written with commas alone.
fn setting_text(value: &Value) -> String {
    let plain = match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(Value::to_string).collect::<Vec<_>>().join(","),
        other => return other.to_string(),
    };
    match setting_value(&plain) == *value {
        true => plain,
        false => value.to_string(),
    }
}

/// Items of a list with commas between them; a comma within an item is written `%2C`, and a percent sign `%25`.
fn list<'a>(items: impl Iterator<Item = &'a str>) -> String {
    items.map(|item| item.replace('%', "%25").replace(',', "%2C")).collect::<Vec<_>>().join(",")
}

fn items(text: &str) -> Vec<String> {
    text.split(',')
        .filter(|item| !item.is_empty())
        .map(|item| item.replace("%2C", ",").replace("%25", "%"))
        .collect()
}

#[cfg(test)]
mod tests;
