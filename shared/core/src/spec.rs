//! The spec of a run: everything that decides how its episodes go, less tasks and replies.
//!
//! Its hash stands beside every number. Specs that differ in more than the player are never ranked on one board.

use std::collections::BTreeMap;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::hash::Digest;
use crate::prompt::{BadPrompt, Pack};
use crate::python;
use crate::seat::{Lineup, Player, Sampling, Seat, Sitting};
use crate::task::{Task, TaskId, TaskSet};

/// Which reading of a benchmark.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Profile {
    /// What the paper says, with the holes closed.
    #[default]
    Strict,
    /// What the authors' code does, bug for bug.
    Reference,
}

impl Profile {
    /// Its name on the command line, in addresses and in files.
    pub fn name(self) -> &'static str {
        match self {
            Profile::Strict => "strict",
            Profile::Reference => "reference",
        }
    }

    /// A reply as its protocol takes it: the authors' clients strip each.
    pub fn heard(self, text: &str) -> &str {
        match self {
            Profile::Strict => text,
            Profile::Reference => python::strip(text),
        }
    }
}

impl std::str::FromStr for Profile {
    type Err = BadSpec;

    fn from_str(text: &str) -> Result<Self, BadSpec> {
        match text {
            "strict" => Ok(Profile::Strict),
            "reference" => Ok(Profile::Reference),
            other => Err(BadSpec::new(
                "profile",
                format!("{other:?} is not a profile; write strict or reference"),
            )),
        }
    }
}

/// The most episodes of a run, tasks times repeats: planning or checking a run keeps all of their names in memory.
pub const MOST_PLAYS: u64 = 100_000;

/// Everything that decides how the episodes of a run go.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Spec {
    /// The benchmark's name, e.g. `my_benchmark`.
    pub benchmark: String,
    /// The version of the benchmark's protocol in this program.
    pub protocol: u32,
    pub profile: Profile,
    /// The benchmark's own settings; it checks them when an episode is opened.
    pub settings: Value,
    pub tasks: Named,
    pub subset: Subset,
    pub pack: Named,
    pub seats: Lineup,
    /// The search engine, if the episodes may search.
    pub search: Option<SearchSpec>,
    /// Where pages are read, if the episodes may read any.
    pub web: Option<WebSpec>,
    /// What one episode may use.
    pub budget: Budget,
    /// From which chance is drawn.
    pub seed: u64,
    /// How many times each task is played.
    pub repeats: u32,
}

impl Spec {
    /// The setting with names of players by seat, in benchmarks that take one: `--players NAME=PLAYER`.
    pub const NAMES: &'static str = "names";

    /// What the player in a seat is called, where the run gives it a name.
    pub fn name_of(&self, seat: &Seat) -> Option<&str> {
        self.settings[Spec::NAMES][seat.as_str()].as_str()
    }

    /// Who sits in a seat, in a word; the seat's name where no player is known.
    pub fn who(&self, seat: &Seat) -> String {
        if let Some(name) = self.name_of(seat) {
            return name.to_owned();
        }
        let sitting = self.seats.get(seat);
        sitting.map_or_else(|| seat.to_string(), |sitting| sitting.player.short_name())
    }

    /// The same for sentences alone: a person whose name is given is called by it, like a bot of that name. Nothing is replayed,
    /// checked or stored with it.
    #[must_use]
    pub fn naming(&self, names: &BTreeMap<Seat, String>) -> Self {
        let mut spec = self.clone();
        for (seat, name) in names {
            if let Some(sitting) = spec.seats.get_mut(seat)
                && sitting.player == Player::Person
            {
                sitting.player = Player::Bot(name.clone());
            }
        }
        spec
    }

    /// The spec of episodes that were made by the authors' code: profile `reference`, a model in the player's seat, and whatever
    /// is not known at its default.
    pub fn imported(
        benchmark: &str,
        settings: serde_json::Value,
        tasks: Named,
        model: &str,
    ) -> Self {
        let mut spec = Spec {
            benchmark: benchmark.to_owned(),
            protocol: 1,
            profile: Profile::Reference,
            settings,
            tasks,
            subset: Subset::default(),
            pack: imported_pack(),
            seats: BTreeMap::new(),
            search: None,
            web: None,
            budget: Budget::default(),
            seed: 0,
            repeats: 1,
        };
        spec.seat_imported(Seat::PLAYER, model);
        spec
    }

    /// Seats a model of another system.
    pub fn seat_imported(&mut self, seat: &str, model: &str) {
        let player = Player::Model { provider: "imported".to_owned(), model: model.to_owned() };
        let sitting = Sitting { player, sampling: Sampling::default() };
        self.seats.insert(Seat::new(seat), sitting);
    }

    /// Whether its episodes were brought from another system: they cannot be played again.
    pub fn is_imported(&self) -> bool {
        self.pack == imported_pack()
    }

    /// Checks that this many tasks, each played as often as the spec says, are episodes of one run.
    ///
    /// # Errors
    /// If they are none, or more than [`MOST_PLAYS`].
    pub fn check_plays(&self, tasks: usize) -> Result<(), BadSpec> {
        let plays = u64::from(self.repeats).saturating_mul(tasks as u64);
        if plays == 0 {
            let why = "nothing would be played; every task is played at least once";
            return Err(BadSpec::new("repeats", why));
        }
        if plays > MOST_PLAYS {
            return Err(BadSpec::new(
                "repeats",
                format!("{plays} episodes are too many for one run; the most are {MOST_PLAYS}"),
            ));
        }
        Ok(())
    }

    /// The archives that its episodes read.
    pub fn archives(&self) -> impl Iterator<Item = Digest> {
        let search = self.search.as_ref().filter(|search| search.frozen_engine().is_some());
        let web = match self.web {
            Some(WebSpec::Archive { archive }) => Some(archive),
            Some(WebSpec::Live) | None => None,
        };
        web.into_iter().chain(search.and_then(|search| search.corpus))
    }

    /// The hash of the whole spec.
    pub fn digest(&self) -> Digest {
        Digest::of_value(self)
    }
}

/// What stands in the place of an unknown prompt pack.
fn imported_pack() -> Named {
    Named { name: "imported".to_owned(), digest: Digest::of("imported") }
}

/// A thing by name and content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Named {
    pub name: String,
    /// The hash of what it contains.
    pub digest: Digest,
}

impl From<&TaskSet> for Named {
    fn from(tasks: &TaskSet) -> Self {
        Named { name: tasks.name.clone(), digest: tasks.digest }
    }
}

impl From<&Pack> for Named {
    fn from(pack: &Pack) -> Self {
        Named { name: pack.name.clone(), digest: pack.digest() }
    }
}

/// Which search engine, and how it is asked.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchSpec {
    /// The engine's name, e.g. `local`.
    pub engine: String,
    /// The hash of its documents, where they are known.
    pub corpus: Option<Digest>,
    /// How many hits an episode asks for.
    pub results: u32,
}

impl SearchSpec {
    /// Begins the name of an engine whose answers come from an archive; no engine on the network can be called so.
    pub const FROZEN: &'static str = "frozen:";

    /// An engine as the runs of an archive heard it.
    pub fn frozen(engine: &str, archive: Digest, results: u32) -> Self {
        let engine = format!("{}{engine}", SearchSpec::FROZEN);
        SearchSpec { engine, corpus: Some(archive), results }
    }

    /// The engine that an archive answers for; `None` where the engine itself is asked.
    pub fn frozen_engine(&self) -> Option<&str> {
        self.engine.strip_prefix(SearchSpec::FROZEN)
    }
}

/// Where pages are read. Boards never mix these (rule 50).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "source", rename_all = "snake_case")]
pub enum WebSpec {
    /// The web of today, behind the server's guard.
    Live,
    /// An [`Archive`](crate::archive::Archive): nothing is fetched.
    Archive {
        /// Of what is in it.
        archive: Digest,
    },
}

/// What one episode may use. Whole numbers only; an absent limit does not bind.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Budget {
    /// Calls of any kind; always set, so that every episode ends whatever its protocol does.
    pub calls: u32,
    /// Tokens, read and written, as services count them.
    pub tokens: Option<u64>,
    pub searches: Option<u32>,
    /// Money, in millionths of a US dollar; kept by the driver, which knows prices.
    pub money: Option<u64>,
    /// Seconds; kept by the driver, which has a clock.
    pub seconds: Option<u64>,
}

impl Default for Budget {
    fn default() -> Self {
        Budget { calls: 1000, tokens: None, searches: None, money: None, seconds: None }
    }
}

/// Which tasks of a set. All conditions hold together; an empty list does not bind.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subset {
    /// Only these ids.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ids: Vec<TaskId>,
    /// Only tasks with one of these values of a label, e.g. `language` → `zh`.
    #[serde(default, skip_serializing_if = "std::collections::BTreeMap::is_empty")]
    pub labels: std::collections::BTreeMap<String, Vec<String>>,
    /// This many of what is left, drawn with a seed of its own.
    pub random: Option<RandomSubset>,
    /// The first of what is left, up to this many.
    pub first: Option<u32>,
}

/// A random choice of tasks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RandomSubset {
    pub count: u32,
    pub seed: u64,
}

/// A spec that cannot be run, and how to mend it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {problem}")]
pub struct BadSpec {
    /// Which part of the spec, e.g. `settings.rounds`, `seats.player`.
    pub field: String,
    /// What is wrong and what would be right.
    pub problem: String,
}

impl BadSpec {
    /// A problem with a part of the spec.
    pub fn new(field: impl Into<String>, problem: impl Into<String>) -> Self {
        BadSpec { field: field.into(), problem: problem.into() }
    }
}

impl From<BadPrompt> for BadSpec {
    fn from(bad: BadPrompt) -> Self {
        BadSpec::new("pack", bad.to_string())
    }
}

impl Task {
    /// The text of a field without which it cannot be played.
    ///
    /// # Errors
    /// If there is none.
    pub fn text(&self, name: &str) -> Result<&str, BadSpec> {
        self.field(name).ok_or_else(|| {
            let why = format!("the task {} has no field {name} (it may be sealed here)", self.id);
            BadSpec::new("tasks", why)
        })
    }

    /// The number in such a field.
    ///
    /// # Errors
    /// If there is none, or it is not such a number.
    pub fn number<T: FromStr>(&self, name: &str) -> Result<T, BadSpec> {
        self.text(name)?.parse().map_err(|_| {
            let why = format!("the field {name} of the task {} is not a number", self.id);
            BadSpec::new("tasks", why)
        })
    }
}
