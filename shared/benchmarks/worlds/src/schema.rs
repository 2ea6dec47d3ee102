//! What the seats write (specification 3.2 to 3.4): a question, a law, what an auditor found.
//!
//! Ids, pair, domain and level are known to the protocol, so the seats do not repeat them. Who made what, and with which
//! prompts, stands in the transcript's header and, once worlds are frozen, in each world.

use serde::{Deserialize, Serialize};

use turnwise_paraworld::task::{Fact, FactKind, Term};

/// The most facts of a law that is looked at.
pub const MOST_FACTS: usize = 200;
/// The most signs of one text.
const LONGEST_TEXT: usize = 8_000;

/// Something that a seat writes as a JSON object.
pub trait Schema: serde::de::DeserializeOwned {
    /// The keys that are read; others are passed over, and it is noted.
    const KEYS: &'static [&'static str];

    /// What is wrong with it beyond its form, in a few words.
    fn flaw(&self) -> Option<String> {
        None
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ParaQuestion {
    pub text: String,
    /// In which years it plays.
    pub time_window: Window,
    /// What the answer consists of.
    #[serde(default)]
    pub outputs: Vec<Output>,
    /// The sub-goals, and which need which.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub goal_graph: Vec<Goal>,
}

/// A span of years, both included.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Window {
    /// The first.
    pub from: i64,
    /// The last.
    pub to: i64,
}

/// A part of the answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Output {
    pub name: String,
    /// What it is: `number`, `name`, `date`, …
    #[serde(rename = "type", default)]
    pub kind: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Goal {
    /// What is to be found.
    pub node: String,
    /// What has to be known before.
    #[serde(default)]
    pub needs: Vec<String>,
}

impl Schema for ParaQuestion {
    const KEYS: &'static [&'static str] = &["text", "time_window", "outputs", "goal_graph"];

    fn flaw(&self) -> Option<String> {
        let Window { from, to } = self.time_window;
        if from > to {
            return Some(format!(
                "time_window: {from} is after {to}; the first year stands under from"
            ));
        }
        blank("text", &self.text)
    }
}

/// Facts and the answer that follows from them (`ParaLaw`).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ParaLaw {
    /// The facts, in order.
    pub facts: Vec<LawFact>,
    /// How the answer follows, step by step.
    #[serde(default)]
    pub derivation: Vec<String>,
    /// The answer as briefly as it can be said.
    pub answer_short: String,
    /// The answer in a sentence or two.
    pub answer_long: String,
    /// Other names of the entities, for the rule-based engine; beyond the specification.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub entities: Vec<Term>,
    /// Other names of the attributes; beyond the specification.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attributes: Vec<Term>,
}

/// A fact with what its maker knows of it.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LawFact {
    pub key: String,
    pub value: String,
    /// A value, a convention or a scope.
    #[serde(default)]
    pub kind: FactKind,
    /// Keys of the facts that a player has to know before it would ask for this one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub depends_on: Vec<String>,
    /// Of whom; beyond the specification.
    pub entity: Option<String>,
    /// What of it; beyond the specification.
    pub attribute: Option<String>,
    pub period: Option<String>,
}

impl ParaLaw {
    /// The facts alone: all that an auditor who answers, or an engine, is shown.
    pub fn plain_facts(&self) -> Vec<Fact> {
        let fact = |fact: &LawFact| Fact { key: fact.key.clone(), value: fact.value.clone() };
        self.facts.iter().map(fact).collect()
    }
}

/// Checks only what would break later readers of the law; whether a law is sound is for `checks` to say.
impl Schema for ParaLaw {
    const KEYS: &'static [&'static str] =
        &["facts", "derivation", "answer_short", "answer_long", "entities", "attributes"];

    fn flaw(&self) -> Option<String> {
        if self.facts.len() > MOST_FACTS {
            let count = self.facts.len();
            return Some(format!("{count} facts are too many; at most {MOST_FACTS}"));
        }
        let texts = self.facts.iter().flat_map(|fact| [("key", &fact.key), ("value", &fact.value)]);
        let long = texts.into_iter().find_map(|(name, text)| too_long(name, text));
        long.or_else(|| blank("answer_short", &self.answer_short))
            .or_else(|| blank("answer_long", &self.answer_long))
    }
}

/// The first step of the audit (`Audit1`).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Audit1 {
    /// Facts that cannot all be true.
    #[serde(default)]
    pub contradictions: Vec<Contradiction>,
    #[serde(default)]
    pub implausible: Vec<Implausible>,
    /// Whether the law may go on. It does not if anything is listed, whatever stands here.
    pub pass: bool,
}

/// Facts that cannot all be true.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contradiction {
    pub keys: Vec<String>,
    pub why: String,
}

/// A fact against common sense.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Implausible {
    pub key: String,
    pub why: String,
}

impl Schema for Audit1 {
    const KEYS: &'static [&'static str] = &["contradictions", "implausible", "pass"];
}

/// What the auditor answers in the second step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answered {
    pub answer: String,
}

impl Schema for Answered {
    const KEYS: &'static [&'static str] = &["answer"];

    fn flaw(&self) -> Option<String> {
        blank("answer", &self.answer)
    }
}

/// Whether two answers say the same, where their texts differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Compared {
    pub consistent: bool,
    #[serde(default)]
    pub why: String,
}

impl Schema for Compared {
    const KEYS: &'static [&'static str] = &["consistent", "why"];
}

/// One repeat of the second step (`Audit2`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Audit2 {
    /// Which repeat, from 1.
    pub run: u32,
    pub answer: String,
    /// Whether it agrees with the law.
    pub consistent: bool,
    /// Whether the texts were compared by rule alone; else the auditor was asked.
    pub by_rule: bool,
}

fn blank(name: &str, text: &str) -> Option<String> {
    if text.trim().is_empty() {
        return Some(format!("{name} is blank"));
    }
    too_long(name, text)
}

fn too_long(name: &str, text: &str) -> Option<String> {
    let long = text.chars().count() > LONGEST_TEXT;
    long.then(|| format!("{name} is longer than {LONGEST_TEXT} signs"))
}
