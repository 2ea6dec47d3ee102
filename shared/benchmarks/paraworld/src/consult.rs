//! The engine mediator: what becomes of a search between the player's call and the page that comes back (specification 4).
//!
//! A [`Mediator`] is a machine without effects of its own. The episode hands it searches and the engine's replies; it says what the
//! engine is to be asked and, in the end, what the player is shown and what the log says. `reference` asks and reads as the
//! authors' code does; `strict` lets nothing through that breaks an invariant.

mod asking;
mod bot;
mod by_hand;
mod invariants;
mod reference;
mod sealed;
mod strict;
#[cfg(test)]
mod tests;
mod values;

use std::cell::OnceCell;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::engine::{Class, Engine};
use super::metrics::Key;
use super::noted::Second;
use super::reading::engine::Violation;
use super::results::Spellings;
use super::task::World;
use turnwise_core::json::object;
use turnwise_core::prelude::*;
use turnwise_core::python::{Layout, dumps};

pub use asking::request_key;
pub use bot::engine_bot;
pub use by_hand::Sheet;
pub(super) use invariants::normalised;
pub use reference::{API_ERROR, PARSE_ERROR, SERVICE_ERROR};
pub use sealed::Search;

/// One search of a player, numbered by the episode; every number is used once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ticket(pub u32);

/// What the mediator wants after an input.
#[derive(Debug, Clone, PartialEq)]
pub enum Want {
    /// The engine is to be asked this for the search at hand, and its reply passed to [`Mediator::said`] or [`Mediator::failed`].
    Ask(Vec<Message>),
    /// Nothing for now: the same query is on its way, and its answer will bring this one's, too (`strict`).
    Wait,
    /// These searches are answered, the one that was asked for first; the others waited for the same query.
    Done(Vec<(Ticket, Consulted)>),
}

/// A search that is answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Consulted {
    /// What the player is given, without tags around it: the JSON object of specification 4.3 with `search_query` and
    /// `search_result`, or under `reference` the text of an error.
    pub observation: String,
    pub log: HitLog,
    /// How the engine's reply was read.
    pub reading: Reading,
    /// The hit log as the authors' program writes it (`reference` only).
    pub record: Option<Json>,
}

/// What the log of a search says. Facts are numbers in their order, from 0.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HitLog {
    /// Whether a fact was hit.
    pub hit: bool,
    /// Whether the query was taken for compound or too bare.
    pub compound: bool,
    /// Which of the two, where the engine said so: it gave one of the words `compound` and `too_bare` as its reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub too_bare: Option<bool>,
    /// The keys: one at most.
    pub keys: Vec<Key>,
    /// Whether the engine failed, so that the log says nothing about the player. Under `reference` it is charged to the player
    /// all the same.
    pub engine_fault: bool,
    /// Whether the answer was there already; the engine was not asked for this search.
    pub cached: bool,
    /// How many times the engine was asked for this query.
    pub attempts: u32,
    /// The rules that its replies broke, those that were put right included (`strict`).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub violations: Vec<Violation>,
    /// What brought a page that keeps the rules, if the first reply did not as it was (`strict`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repaired_by: Option<RepairedBy>,
    /// What the rule-based engine takes the same query for.
    pub second: Option<Second>,
}

/// Why a ticket is open.
const OPEN: &str = "replies come only to what the mediator wanted to be asked";

/// What brought a page that keeps the rules (specification 4.6, repair ladder).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RepairedBy {
    /// Something small was put right that lost nothing.
    Local,
    /// The engine was asked again.
    Reask,
    /// A page from templates stands in: an engine fault.
    Fallback,
}

pub struct Mediator {
    world: Arc<World>,
    /// Made when the first search is answered.
    engine: OnceCell<Engine<'static>>,
    spellings: Spellings,
    path: Path,
}

/// The ways from a query to a page.
enum Path {
    Strict(strict::Mediator),
    /// The page is made where the facts are.
    Sealed(sealed::Mediator),
    Reference(reference::Mediator),
}

impl Mediator {
    /// The mediator of a world.
    pub fn new(world: World, profile: Profile) -> Self {
        let keys: Vec<String> = world.facts.iter().map(|fact| fact.key.clone()).collect();
        Mediator {
            spellings: Spellings::new(&keys),
            path: match profile {
                Profile::Strict => Path::Strict(strict::Mediator::default()),
                Profile::Reference => Path::Reference(reference::Mediator::default()),
            },
            engine: OnceCell::new(),
            world: Arc::new(world),
        }
    }

    /// The mediator of a [redacted](World::redacted) world.
    pub fn sealed(redacted: World) -> Self {
        Mediator {
            path: Path::Sealed(sealed::Mediator::default()),
            ..Mediator::new(redacted, Profile::Strict)
        }
    }

    /// The player searches. `trajectory` is what it said and was shown so far; only the engine of `reference` sees it.
    pub fn search(&mut self, ticket: Ticket, query: &Json, trajectory: &str) -> Want {
        let (mut room, path) = self.parts();
        match path {
            Path::Strict(mediator) => mediator.search(&mut room, ticket, query),
            Path::Sealed(mediator) => mediator.search(room.world, ticket, query),
            Path::Reference(mediator) => mediator.search(&mut room, ticket, query, trajectory),
        }
    }

    /// The engine replied to what was asked for this search.
    ///
    /// # Panics
    /// If nothing was asked for it.
    pub fn said(&mut self, ticket: Ticket, said: &Said) -> Want {
        let (mut room, path) = self.parts();
        match path {
            Path::Strict(mediator) => mediator.said(&mut room, ticket, said.text.as_deref()),
            Path::Sealed(mediator) => mediator.said(ticket, said.text.as_deref()),
            Path::Reference(mediator) => mediator.said(&mut room, ticket, said.text.as_deref()),
        }
    }

    /// The call of the engine for this search failed, for this time. The episode ends instead where [`ends_the_play`] says so.
    ///
    /// # Panics
    /// If nothing was asked for it.
    pub fn failed(&mut self, ticket: Ticket, failure: &Failure) -> Want {
        let (mut room, path) = self.parts();
        match path {
            Path::Strict(mediator) => mediator.failed(&mut room, ticket),
            Path::Sealed(mediator) => mediator.failed(ticket),
            Path::Reference(mediator) => mediator.failed(&mut room, ticket, failure),
        }
    }

    fn parts(&mut self) -> (Room<'_>, &mut Path) {
        let room =
            Room { world: &self.world, engine: &self.engine, spellings: &mut self.spellings };
        (room, &mut self.path)
    }
}

/// Whether a failed call of the engine means that the episode cannot go on in either profile and can be resumed later: the seat
/// is empty, the key is refused, no credit is left, the budget is used up, the recording has no more, the run was stopped. Every
/// other failure is the mediator's business.
pub fn ends_the_play(failure: &Failure) -> bool {
    match failure.class {
        FailureClass::Unauthorised
        | FailureClass::Forbidden
        | FailureClass::Quota
        | FailureClass::Blocked
        | FailureClass::Context
        | FailureClass::Unavailable
        | FailureClass::OffRecording
        | FailureClass::Cancelled
        | FailureClass::BudgetExhausted => true,
        FailureClass::Timeout
        | FailureClass::Connection
        | FailureClass::RateLimited
        | FailureClass::Server
        | FailureClass::Filtered
        | FailureClass::Rejected
        | FailureClass::Refused
        | FailureClass::TooLarge
        | FailureClass::Undecodable => false,
    }
}

struct Room<'a> {
    world: &'a Arc<World>,
    engine: &'a OnceCell<Engine<'static>>,
    spellings: &'a mut Spellings,
}

impl<'a> Room<'a> {
    /// The rule-based engine of this world.
    fn engine(&self) -> &'a Engine<'static> {
        self.engine.get_or_init(|| Engine::shared(Arc::clone(self.world)))
    }

    /// What the rule-based engine says.
    fn second(&self, query: &str) -> Option<Second> {
        let judgement = self.engine().judge(query);
        Some(Second { class: judgement.class, fact: judgement.fact.map(|fact| fact as u32) })
    }
}

/// What a player is shown: the query and the results on one line, as Python writes them.
fn observation(query: Json, results: Json) -> String {
    dumps(&object([("search_query", query), ("search_result", results)]), Layout::Line)
}

/// Which kind of compound a reason names.
fn too_bare(compound: bool, reason: Option<&str>) -> Option<bool> {
    match reason.map(str::trim) {
        Some("too_bare") if compound => Some(true),
        Some("compound") if compound => Some(false),
        _ => None,
    }
}

/// At most this many characters of an engine's reason are noted.
const REASON: usize = 300;

/// How a reply was read that was taken as it is, or after repairs.
fn reading(log: &HitLog, reason: Option<&str>, repaired: Vec<String>) -> Reading {
    let class = match (log.hit, log.compound, log.too_bare) {
        (true, false, _) => Class::Hit,
        (_, true, Some(true)) => Class::TooBare,
        (_, true, _) => Class::Compound,
        (false, false, _) => Class::Miss,
    };
    Reading {
        extracted: None,
        repaired,
        applied: json!({
            "class": class,
            "fact": log.keys.first().and_then(|key| key.fact),
            "reason": reason.map(|reason| reason.chars().take(REASON).collect::<String>()),
        }),
        fault: None,
    }
}

/// The class of the fault of an engine that could not be asked, whose reply is none that could not be used.
pub const ENGINE_FAILED: &str = "engine_failed";

/// A fault in a reading.
fn fault(class: &str, detail: impl Into<String>) -> Option<Fault> {
    Some(Fault::new(class, detail))
}
