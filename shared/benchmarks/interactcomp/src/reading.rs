//! What a player's text says: one action, or why it is none (specification 3.3 and 3.4).
//!
//! [`reference`] reads as the authors' code does; [`strict`] as README.md says: the last object that fits the schema
//! outside of reasoning. Nothing is corrected silently: a [`Reading`] keeps apart where the action stood, what it
//! contained, what was put right, what is applied and what was wrong.

mod reference;
mod strict;
#[cfg(test)]
mod tests;

use std::fmt;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use turnwise_core::prelude::*;

pub use reference::{Call, reference};
pub use strict::strict;

choices! {
    /// The name of an action.
    pub enum ActionName {
        Answer = "answer",
        Search = "search",
        Ask = "ask",
    }
}

impl ActionName {
    /// The names of its arguments; all are required.
    pub fn arguments(self) -> &'static [&'static str] {
        match self {
            ActionName::Answer => &["answer", "confidence"],
            ActionName::Search => &["query"],
            ActionName::Ask => &["question"],
        }
    }
}

/// An action with its arguments.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "action", rename_all = "snake_case")]
pub enum Action {
    Search {
        query: String,
    },
    Ask {
        question: String,
    },
    Answer {
        /// The answer, without blanks around it.
        answer: String,
        /// How sure the player is, 0 to 100, as it wrote it; `metrics::calibration` reads it.
        confidence: String,
    },
}

impl Action {
    pub fn name(&self) -> ActionName {
        match self {
            Action::Search { .. } => ActionName::Search,
            Action::Ask { .. } => ActionName::Ask,
            Action::Answer { .. } => ActionName::Answer,
        }
    }

    /// Its arguments, as the `params` object that would say the same.
    pub fn params(&self) -> Object {
        let members = match self {
            Action::Search { query } => vec![("query", query)],
            Action::Ask { question } => vec![("question", question)],
            Action::Answer { answer, confidence } => {
                vec![("answer", answer), ("confidence", confidence)]
            }
        };
        members.into_iter().map(|(key, value)| (key, Json::from(value.as_str()))).collect()
    }
}

/// How a text was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// Which part of the text was taken for the action, in bytes.
    pub span: Option<Range<usize>>,
    /// The object that stood there.
    pub extracted: Option<Object>,
    pub repairs: Vec<Repair>,
    /// What is applied, or what was wrong.
    pub result: Result<Action, Fault>,
}

impl Reading {
    /// The part of the text that was taken for the action, as it stood there. `text` is the text that was read.
    pub fn taken<'a>(&self, text: &'a str) -> Option<&'a str> {
        text.get(self.span.clone()?)
    }
}

/// Something that was put right before an action was applied.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "repair", rename_all = "snake_case")]
pub enum Repair {
    /// Blanks around the action's name were cut.
    NameTrimmed,
    /// Blanks around the answer were cut.
    AnswerTrimmed,
    /// An argument was no text and was turned into one.
    TurnedIntoText { argument: String },
    /// An empty confidence was taken for 0 (`reference` only).
    EmptyConfidence,
    /// Line breaks or tabs stood in a text as they are, where JSON wants `\n` and `\t`.
    RawBreaks,
    /// Keys beside `action` and `params`, or arguments that `reference` does not look at, were passed over.
    KeysIgnored {
        /// The first few of them, cut where they are long.
        keys: Vec<String>,
    },
}

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Repair::NameTrimmed => f.write_str("blanks cut around the name"),
            Repair::AnswerTrimmed => f.write_str("blanks cut around the answer"),
            Repair::TurnedIntoText { argument } => write!(f, "{argument} turned into text"),
            Repair::EmptyConfidence => f.write_str("empty confidence taken for 0"),
            Repair::RawBreaks => f.write_str("raw line breaks in a text"),
            Repair::KeysIgnored { keys } => write!(f, "ignored: {}", keys.join(", ")),
        }
    }
}

/// Why a text is not an action that can be applied.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "fault", rename_all = "snake_case")]
pub enum Fault {
    Empty,
    /// There is no JSON object outside of reasoning.
    NoObject,
    /// What stands in braces is not JSON.
    NotJson {
        why: String,
    },
    /// A key stands twice in the object.
    SameKey,
    /// The object names no action.
    NoAction,
    /// `action` is not text.
    ActionNotText {
        found: String,
    },
    /// There is no action of this name.
    UnknownAction {
        /// The name, cut where it is long.
        name: String,
    },
    /// The action exists, but not in this mode or round.
    NotAllowed {
        action: ActionName,
        allowed: Vec<ActionName>,
    },
    NoParams,
    /// `params` is not an object.
    ParamsNotObject {
        found: String,
    },
    /// A required argument is missing.
    MissingArgument {
        argument: String,
    },
    /// There is an argument that the action does not have.
    UnknownArgument {
        /// Which, cut where it is long.
        argument: String,
    },
    /// An argument is of the wrong type.
    WrongType {
        argument: String,
        found: String,
    },
    /// There is nothing to search for, or nothing to ask.
    BlankArgument {
        argument: String,
    },
}

impl Fault {
    /// The class under which faults are counted and published.
    pub fn class(&self) -> &'static str {
        match self {
            Fault::Empty => "empty",
            Fault::NoObject => "no_object",
            Fault::NotJson { .. } => "not_json",
            Fault::SameKey => "same_key",
            Fault::NoAction => "no_action",
            Fault::ActionNotText { .. } => "action_not_text",
            Fault::UnknownAction { .. } => "unknown_action",
            Fault::NotAllowed { .. } => "not_allowed",
            Fault::NoParams => "no_params",
            Fault::ParamsNotObject { .. } => "params_not_object",
            Fault::MissingArgument { .. } => "missing_argument",
            Fault::UnknownArgument { .. } => "unknown_argument",
            Fault::WrongType { .. } => "wrong_type",
            Fault::BlankArgument { .. } => "blank_argument",
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Empty => f.write_str("the reply is empty"),
            Fault::NoObject => f.write_str("the reply has no JSON object outside of reasoning"),
            Fault::NotJson { why } => write!(f, "what stands in braces is not JSON: {why}"),
            Fault::SameKey => f.write_str("a key stands twice in the object"),
            Fault::NoAction => f.write_str("the object names no action"),
            Fault::ActionNotText { found } => write!(f, "\"action\" is {found}, not text"),
            Fault::UnknownAction { name } => write!(f, "there is no action {name:?}"),
            Fault::NotAllowed { action, allowed } => {
                let allowed: Vec<_> = allowed.iter().map(|action| action.name()).collect();
                write!(f, "{action} is not allowed here; allowed: {}", allowed.join(", "))
            }
            Fault::NoParams => f.write_str("\"params\" is missing"),
            Fault::ParamsNotObject { found } => write!(f, "\"params\" is {found}, not an object"),
            Fault::MissingArgument { argument } => {
                write!(f, "the argument {argument:?} is missing")
            }
            Fault::UnknownArgument { argument } => write!(f, "there is no argument {argument:?}"),
            Fault::WrongType { argument, found } => {
                write!(f, "the argument {argument:?} is {found}, not text")
            }
            Fault::BlankArgument { argument } => write!(f, "the argument {argument:?} is blank"),
        }
    }
}

/// A player's own word, cut so that a fault stays short.
fn cut(text: &str) -> String {
    const LENGTH: usize = 60;
    match text.char_indices().nth(LENGTH) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The repair that names the keys which were passed over, if there are any.
fn ignored<'a>(keys: impl Iterator<Item = &'a str>) -> Option<Repair> {
    let keys: Vec<String> = keys.take(5).map(cut).collect();
    (!keys.is_empty()).then_some(Repair::KeysIgnored { keys })
}
