//! The file of worlds (specification 2): one JSON object a line, a question with the facts that answer it.
//!
//! A [`World`] keeps its row as it was read, unknown fields and the order of keys included, so that it is written back
//! with nothing lost; what the program uses of it is typed beside it. What a world knows is secret to the player and must
//! stay out of logs: nothing here prints it, neither `Debug` nor an error.

mod core;
mod draft;
mod extra;
mod load;
mod manifest;
mod redacted;
#[cfg(test)]
mod tests;

use std::fmt;

use serde::{Deserialize, Serialize};

use turnwise_core::prelude::*;
use turnwise_core::python::{Layout, dumps};

pub use self::core::{field, label, of_row, of_task};
pub use draft::Draft;
pub use extra::{Extra, FactKind, FactNote, Term};
pub use load::{Worlds, load, rows};
pub use manifest::{Manifest, Mismatch};
pub use redacted::is_redacted;

/// One fact: the description of something small, and its only value.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fact {
    /// What it is about; unique in its world.
    pub key: String,
    pub value: String,
}

/// One task: a question in an invented future, and the facts that determine its answer.
#[derive(Clone, PartialEq)]
pub struct World {
    /// The number of its line in the file, from 0. The reference's engines of B and C call it by this number.
    pub line: u32,
    /// Its own number; setting A of the reference calls it by this one.
    pub index: Option<i64>,
    /// Its domain, e.g. `NBA Player`; missing in the public samples.
    pub category: Option<String>,
    /// What the player is asked, as messages; at least one, and one of the user.
    pub prompt: Vec<Message>,
    /// The short reference answer, for the judge.
    pub answer: String,
    /// The question as the engine is given it; may differ from the prompt.
    pub generated_question: Option<String>,
    /// The facts in the file's order; at least one.
    pub facts: Vec<Fact>,
    /// The long reference answer; the reference shows it to the engine.
    pub final_answer: Option<String>,
    /// A system prompt of its own.
    pub system: Option<String>,
    /// A limit of turns of its own.
    pub max_turns: Option<u32>,
    /// What we know beyond the official fields (ARCHITECTURE.md, rule 37).
    pub extra: Option<Extra>,
    row: Object,
}

impl World {
    /// The row as it was read.
    pub fn row(&self) -> &Object {
        &self.row
    }

    /// The row as one line of JSON without the line break: keys as they came, every field kept.
    pub fn line_text(&self) -> String {
        dumps(&Json::Object(self.row.clone()), Layout::Line)
    }

    /// SHA-256 of [`World::line_text`]. The order of facts counts, because engines see them in it.
    pub fn digest(&self) -> Digest {
        Digest::of(self.line_text())
    }

    /// What setting A and `strict` take as the question: the last message of the user.
    pub fn question(&self) -> &str {
        let mut users = self.prompt.iter().filter(|message| message.role == "user");
        users.next_back().map_or("", |message| &message.content)
    }

    /// The question as an engine is given it.
    pub fn engine_question(&self) -> &str {
        self.generated_question.as_deref().unwrap_or_else(|| self.question())
    }

    pub fn tier(&self) -> Tier {
        Tier::of(self.facts.len())
    }

    /// The language of its question and facts.
    pub fn language(&self) -> Language {
        Language::of(self.question())
    }

    /// The value under a key, letter by letter.
    pub fn fact(&self, key: &str) -> Option<&str> {
        let fact = self.facts.iter().find(|fact| fact.key == key);
        fact.map(|fact| fact.value.as_str())
    }
}

/// The facts as a JSON object in their order: what engines are shown and what the cache key is made of.
pub fn facts_json(facts: &[Fact]) -> Json {
    let members = facts.iter().map(|fact| (fact.key.as_str(), Json::from(fact.value.as_str())));
    Json::Object(members.collect())
}

/// The worlds as a file: [`World::line_text`] with a line break after each.
pub fn lines<'a>(worlds: impl IntoIterator<Item = &'a World>) -> String {
    let mut out = String::new();
    for world in worlds {
        out.push_str(&world.line_text());
        out.push('\n');
    }
    out
}

impl fmt::Debug for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fact").finish_non_exhaustive()
    }
}

impl fmt::Debug for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("World")
            .field("line", &self.line)
            .field("index", &self.index)
            .field("category", &self.category)
            .field("facts", &self.facts.len())
            .field("digest", &self.digest().short())
            .finish_non_exhaustive()
    }
}

/// A message of a prompt.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// Who speaks: `user`, `system` or `assistant`.
    pub role: String,
    pub content: String,
}

impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Message").field("role", &self.role).finish_non_exhaustive()
    }
}

choices! {
    /// Size class of a world by its number of facts (specification 2.3).
    pub enum Tier {
        /// At most five facts.
        Easy = "easy",
        Mid = "mid",
        Hard = "hard",
    }
}

impl Tier {
    /// The class of this many facts; none at all is easy, as in the reference.
    pub fn of(facts: usize) -> Self {
        match facts {
            0..=5 => Tier::Easy,
            6..=10 => Tier::Mid,
            _ => Tier::Hard,
        }
    }
}

choices! {
    /// The language of a world: which words the rule-based engine and prompts use.
    pub enum Language {
        /// English, and everything else that is not written with Han characters.
        En = "en" => "English",
        Zh = "zh" => "Chinese",
    }
}

impl Language {
    /// By script: Chinese if the text has a Han character (U+4E00 to U+9FFF).
    pub fn of(text: &str) -> Self {
        let han = |character| matches!(character, '\u{4e00}'..='\u{9fff}');
        if text.contains(han) { Language::Zh } else { Language::En }
    }
}
