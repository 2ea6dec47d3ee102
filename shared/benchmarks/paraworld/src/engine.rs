//! The rule-based search engine `bot:facts`: no model, no chance, the same page for the same query (ARCHITECTURE.md, rule 38).
//!
//! [`Engine::judge`] says what a query is: a hit on one fact, a miss, compound, or too bare. [`Engine::page`] writes the four
//! results that the player gets. Both follow from the world and the query alone.

mod attributes;
mod beside;
mod leak;
mod lexical;
mod mentions;
mod page;
mod spelling;
mod synonyms;
#[cfg(test)]
mod tests;
mod text;
mod traditional;
mod words;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::task::World;
use mentions::Vocabulary;
use text::Words;

pub use leak::{contains, leaks};
pub use page::{Page, SearchResult};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// One question, and a fact answers it.
    Hit,
    /// One question, and no fact answers it.
    Miss,
    /// Several questions in one, or one that compares or computes.
    Compound,
    /// It says so little that many facts would do.
    TooBare,
}

/// What the engine makes of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Judgement {
    pub class: Class,
    /// The position of the fact in [`World::facts`]; only of a hit.
    pub fact: Option<usize>,
    pub reason: Reason,
}

/// Why a query was judged so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// It is the key of a fact.
    Key,
    /// What it mentions fits one fact only.
    Fits,
    /// It asks to compare or to compute.
    Comparator,
    /// It mentions several entities, attributes or periods.
    Several,
    /// It mentions no entity, and two facts or more would fit.
    NoEntity,
    /// It names an entity, but asks for nothing that a fact tells.
    NothingAsked,
    /// What it mentions fits no fact, or it mentions nothing of this world.
    NoFact,
    Given,
}

impl Judgement {
    /// A judgement from outside, for [`Engine::page_as`]. A hit on no fact of the world counts as a miss.
    pub fn given(class: Class, fact: Option<usize>) -> Self {
        match (class, fact) {
            (Class::Hit, Some(fact)) => Judgement::hit(fact, Reason::Given),
            (Class::Hit, None) => Judgement::no(Class::Miss, Reason::Given),
            (other, _) => Judgement::no(other, Reason::Given),
        }
    }

    fn hit(fact: usize, reason: Reason) -> Self {
        Judgement { class: Class::Hit, fact: Some(fact), reason }
    }

    fn no(class: Class, reason: Reason) -> Self {
        Judgement { class, fact: None, reason }
    }
}

/// The engine of one world.
pub struct Engine<'a> {
    world: Held<'a>,
    keys: Vec<Words>,
    /// The same keys letter by letter, but for case and the white space around them.
    exact: Vec<String>,
    /// Only where the world says what its facts are about.
    vocabulary: Option<Vocabulary>,
}

/// The engine's world: borrowed, or shared with other owners.
enum Held<'a> {
    Borrowed(&'a World),
    Shared(Arc<World>),
}

impl Engine<'static> {
    /// The engine of a world, to be kept beside it.
    pub fn shared(world: Arc<World>) -> Self {
        Engine::of(Held::Shared(world))
    }
}

impl<'a> Engine<'a> {
    /// The engine of a world. Without notes on facts (`extra_info.turnwise`) it goes by the words of the keys.
    pub fn new(world: &'a World) -> Self {
        Engine::of(Held::Borrowed(world))
    }

    fn of(held: Held<'a>) -> Self {
        let mut engine =
            Engine { world: held, keys: Vec::new(), exact: Vec::new(), vocabulary: None };
        let World { facts, extra, .. } = engine.world();
        let notes = extra.as_ref().filter(|extra| !extra.facts.is_empty());
        let vocabulary = notes.map(|extra| Vocabulary::new(extra, facts));
        let exact = facts.iter().map(|fact| spelt_as(&fact.key)).collect();
        engine.keys = facts.iter().map(|fact| Words::of(&fact.key)).collect();
        engine.exact = exact;
        engine.vocabulary = vocabulary;
        engine
    }

    fn world(&self) -> &World {
        match &self.world {
            Held::Borrowed(world) => world,
            Held::Shared(world) => world,
        }
    }

    /// What a query is, and which fact answers it.
    pub fn judge(&self, query: &str) -> Judgement {
        let words = Words::of(query);
        if let Some(fact) = self.key(query, &words) {
            return Judgement::hit(fact, Reason::Key);
        }
        match &self.vocabulary {
            Some(vocabulary) => vocabulary.judge(query),
            None => lexical::judge(&self.keys, &words),
        }
    }

    /// The fact whose key a query is: letter by letter, else in its words, unless two keys have the same (`S30` and `S30+`).
    fn key(&self, query: &str, words: &Words) -> Option<usize> {
        let query = spelt_as(query);
        let exact = self.exact.iter().position(|key| *key == query);
        exact.or_else(|| {
            let alike = self.keys.iter().enumerate();
            let mut alike = alike.filter(|(_, key)| *key == words);
            let (first, _) = alike.next()?;
            alike.next().is_none().then_some(first)
        })
    }

    /// The page for a query: a function of the world's digest and the normalised query.
    pub fn page(&self, query: &str) -> Page {
        page::write(self, query, self.judge(query))
    }

    /// The page for a query, written for a given judgement.
    pub fn page_as(&self, query: &str, judgement: Judgement) -> Page {
        page::write(self, query, judgement)
    }
}

fn spelt_as(text: &str) -> String {
    text.trim().to_lowercase()
}
