//! What the episode of a world notes, by name: written by the protocol, read by metrics and screens.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::metrics::Log;
use super::task::{FactKind, World};
use turnwise_core::prelude::*;

pub mod event {
    /// [`WorldNote`](super::WorldNote): the first note of an episode.
    pub const WORLD: &str = "world";
    /// What the engine said of a call that reached it: [`LogNote`](super::LogNote) and more.
    pub const LOG: &str = "log";
    /// Imported plays only: the numbers of the line, an [`Episode`](super::super::metrics::Episode) without its verdict,
    /// because a line does not tell in which order everything happened.
    pub const NUMBERS: &str = "numbers";
}

/// What coverage and stop quality are taken by. It holds counts, no text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorldNote {
    /// How many facts the world has.
    pub facts: u32,
    /// Which of them are rules or scopes, not data; by number, from 0.
    #[serde(default)]
    pub rules: BTreeSet<u32>,
    pub max_turns: u32,
}

impl WorldNote {
    /// Of a world that is played with at most this many turns.
    pub fn of(world: &World, max_turns: u32) -> Self {
        WorldNote { facts: world.facts.len() as u32, rules: rules(world), max_turns }
    }

    /// As the protocol notes it.
    pub fn note(&self) -> Note {
        Note::Event { name: event::WORLD.to_owned(), detail: json!(self) }
    }
}

/// Which facts of a world are rules or scopes; by number, from 0. None where the file does not say.
pub fn rules(world: &World) -> BTreeSet<u32> {
    let Some(extra) = &world.extra else {
        return BTreeSet::new();
    };
    let is_rule = |key: &str| {
        let note = extra.fact(key);
        note.is_some_and(|note| note.kind != FactKind::Data)
    };
    (0..)
        .zip(&world.facts)
        .filter(|(_, fact)| is_rule(&fact.key))
        .map(|(number, _)| number)
        .collect()
}

/// What metrics read of a [`LOG`](event::LOG) event.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogNote {
    /// The number of the player's turn whose call this is.
    pub turn: u32,
    #[serde(flatten)]
    pub log: Log,
    /// What the rule-based engine makes of the same query, where it was asked for a second opinion.
    pub second: Option<Second>,
}

/// The rule-based engine's opinion of a query that another engine answered.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Second {
    /// What it takes the query for.
    pub class: super::engine::Class,
    /// The fact that it would have answered with, from 0; only of a hit.
    pub fact: Option<u32>,
}
