//! What a world of ours says beyond the official fields: `extra_info.turnwise` (ARCHITECTURE.md, rule 37).

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use turnwise_core::choices;

/// Who and what a world is about, for the rule-based engine, and from where it comes. Never shown to a model engine under
/// `reference`. Fields that are not known here stay in the row.
#[serde_with::skip_serializing_none]
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Extra {
    /// The pair of entities from which several questions were made; intervals are clustered by it.
    pub pair_id: Option<String>,
    /// The entities, with other names under which they may be asked for.
    #[serde(default)]
    pub entities: Vec<Term>,
    /// Other names of attributes. Optional, beyond the decision: without it the engine uses its own word lists.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attributes: Vec<Term>,
    /// What each fact is about; at most one entry a fact.
    #[serde(default)]
    pub facts: Vec<FactNote>,
    /// What made the world: name, version, seed, whatever the maker needs.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub generator: Value,
}

/// A name, with others for the same.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Term {
    /// As facts and questions write it.
    pub name: String,
    /// Other spellings that a query may use.
    #[serde(default)]
    pub aliases: Vec<String>,
}

impl Term {
    /// The name and its aliases.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.name).chain(&self.aliases).map(String::as_str)
    }
}

/// What one fact is about.
#[serde_with::skip_serializing_none]
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FactNote {
    /// The fact's key, letter by letter.
    pub key: String,
    /// Whether it is a value or a rule.
    #[serde(default)]
    pub kind: FactKind,
    /// The name of its entity, among [`Extra::entities`].
    pub entity: Option<String>,
    pub attribute: Option<String>,
    /// When, e.g. `2027` or `2026/27`.
    pub period: Option<String>,
    /// Keys of the facts without which this one cannot be asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub depends_on: Vec<String>,
}

choices! {
    /// What a fact is (specification 3.3).
    #[derive(Default)]
    pub enum FactKind {
        #[default]
        Data = "data",
        /// A convention of counting or computing.
        Rule = "rule",
        /// What counts and what does not.
        Scope = "scope",
    }
}

impl Extra {
    /// What is known of a fact.
    pub fn fact(&self, key: &str) -> Option<&FactNote> {
        self.facts.iter().find(|fact| fact.key == key)
    }
}

/// Names stay out of logs.
impl fmt::Debug for Extra {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Extra")
            .field("entities", &self.entities.len())
            .field("facts", &self.facts.len())
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Term").finish_non_exhaustive()
    }
}

impl fmt::Debug for FactNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FactNote").field("kind", &self.kind).finish_non_exhaustive()
    }
}
