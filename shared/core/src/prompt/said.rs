//! What a seat said, as its service told it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::hash::Digest;

/// What somebody in a seat said.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Said {
    /// The text; `None` where the service returned no content, which is not the same as empty text for every protocol.
    pub text: Option<String>,
    /// Reasoning that the service returned apart from the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
    /// What the service said in place of an answer: the model's words of refusal, or the reason for which the reply was
    /// refused or filtered. [`Said::stop`] tells which.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refusal: Option<String>,
    /// Why the reply ended where it ended.
    #[serde(default)]
    pub stop: Stop,
    /// What it used, as the service counted.
    #[serde(default, skip_serializing_if = "Usage::is_empty")]
    pub usage: Usage,
    /// The model as the service named it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// How the request that was sent differs from what the run had chosen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub departures: Vec<Departure>,
    /// The commitment to what was really said, where only what it came to may be told, because the task is sealed
    /// ([`sealed`](crate::sealed)). Reasoning and usage are withheld with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub withheld: Option<Box<Digest>>,
}

/// One difference between a request as it was sent and what the run had chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Departure {
    /// What it is about: a field of [`Sampling`](crate::seat::Sampling), or `system`.
    pub parameter: String,
    /// What became of it.
    pub how: Departed,
}

/// What became of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Departed {
    /// Left out: the wire format or the model's family is known not to take it.
    NotTaken,
    /// Left out: the service refused it, at this call or an earlier one.
    Refused,
    /// Sent although nobody had chosen it, because the service must have it.
    Supplied(u64),
    /// Sent in another place: text of the system inside the first message.
    Moved,
}

impl Said {
    /// A plain text from somebody who uses no tokens: a bot or a person.
    pub fn text(text: impl Into<String>) -> Self {
        Said {
            text: Some(text.into()),
            ..Said::default()
        }
    }
}

/// Why a reply ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// It was finished.
    #[default]
    End,
    /// The limit of tokens cut it off.
    Length,
    /// The service filtered it.
    Filtered,
    /// The model refused.
    Refused,
    /// The service gave another reason, or none.
    Other,
}

/// Tokens of one reply, as the service counted them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens read, cached ones included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<u64>,
    /// Of these, tokens read from a cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached: Option<u64>,
    /// Of these, tokens written to a cache, where that is priced apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_written: Option<u64>,
    /// Tokens written, reasoning included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<u64>,
    /// Of these, tokens of reasoning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<u64>,
    /// The service's own record, untouched.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub raw: Value,
}

impl Usage {
    /// Whether nothing was counted.
    pub fn is_empty(&self) -> bool {
        *self == Usage::default()
    }

    /// Tokens read and written; what was not counted adds nothing.
    pub fn tokens(&self) -> u64 {
        self.input
            .unwrap_or(0)
            .saturating_add(self.output.unwrap_or(0))
    }
}
