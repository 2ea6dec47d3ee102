//! What a seat said, as its service reported it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::hash::Digest;
use crate::python;

/// What the player in a seat said.
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
    /// The commitment to what was really said, where only what it came to may be revealed, because the task is
    /// sealed ([`sealed`](crate::sealed)). Reasoning and usage are withheld with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub withheld: Option<Box<Digest>>,
}

/// One difference between a request as it was sent and what the run had chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Departure {
    /// What it is about: a field of [`Sampling`](crate::seat::Sampling), or `system`.
    pub parameter: String,
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
    /// Sent although it was not chosen, because the service must have it.
    Supplied(u64),
    /// Sent lower than chosen: the service takes no more.
    Lowered(u64),
    /// Sent in another place: text of the system inside the first message, messages of one side as one, the request to another
    /// version of the service.
    Moved,
    /// Not of the request but of the reply: cut after this many bytes, because a transcript holds no longer one.
    Cut(u64),
}

impl Said {
    /// A plain text from a player that uses no tokens: a bot or a person.
    pub fn text(text: impl Into<String>) -> Self {
        Said { text: Some(text.into()), ..Said::default() }
    }

    /// The text; empty where there is none.
    pub fn words(&self) -> &str {
        self.text.as_deref().unwrap_or_default()
    }

    /// How many bytes of text, reasoning and refusal there are.
    pub fn bytes(&self) -> usize {
        let texts = [&self.text, &self.reasoning, &self.refusal];
        texts.into_iter().flatten().map(String::len).sum()
    }

    /// Whether there is no text in it, white space aside.
    pub fn is_blank(&self) -> bool {
        python::strip(self.words()).is_empty()
    }

    /// The counts of a reply that was sent for, as far as they can be true: [`Usage::possible`], a prompt has at least one token,
    /// and what was written no fewer than its text can have.
    pub fn believed_usage(&self) -> Usage {
        let written = match (self.stop, &self.refusal) {
            // Words of the service, which no model wrote.
            (Stop::Filtered, Some(words)) => self.bytes() - words.len(),
            _ => self.bytes(),
        };
        let mut usage = self.usage.possible().having_read(1);
        if are_too_few(usage.output, written) {
            (usage.output, usage.reasoning) = (None, None);
        }
        usage
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    #[default]
    End,
    /// The limit of tokens cut it off.
    Length,
    Filtered,
    Refused,
    /// The service gave another reason, or none.
    Other,
}

/// Tokens of one reply, as the service counted them.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens read, cached ones included.
    pub input: Option<u64>,
    /// Of these, tokens read from a cache.
    pub cached: Option<u64>,
    /// Of these, tokens written to a cache, where that is priced apart.
    pub cache_written: Option<u64>,
    /// Tokens written, reasoning included.
    pub output: Option<u64>,
    /// Of these, tokens of reasoning.
    pub reasoning: Option<u64>,
    /// The service's own record, untouched.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub raw: Value,
}

impl Usage {
    /// More tokens than any model reads or writes in one call.
    pub const MOST: u64 = 100_000_000;

    /// The counts that can be true, without the service's own record. A part that is larger than the whole makes both unknown:
    /// it is unclear which of them is wrong, and what was used may be more than either says.
    #[must_use]
    pub fn possible(&self) -> Usage {
        let mut usage = Usage { raw: Value::Null, ..*self };
        let most = |count: Option<u64>| count.unwrap_or(0);
        let from_cache = most(usage.cached).saturating_add(most(usage.cache_written));
        if most(usage.input).max(from_cache) > Usage::MOST
            || usage.input.is_some_and(|input| from_cache > input)
        {
            (usage.input, usage.cached, usage.cache_written) = (None, None, None);
        }
        let reasoning = most(usage.reasoning);
        if most(usage.output).max(reasoning) > Usage::MOST
            || usage.output.is_some_and(|output| reasoning > output)
        {
            (usage.output, usage.reasoning) = (None, None);
        }
        usage
    }

    /// The counts that can be true of a request with this many bytes of text.
    #[must_use]
    pub fn having_read(mut self, bytes: usize) -> Usage {
        if are_too_few(self.input, bytes) {
            (self.input, self.cached, self.cache_written) = (None, None, None);
        }
        self
    }

    /// What two replies used together; a total is known only where both are. The service's record is that of `self`.
    #[must_use]
    pub fn plus(self, other: &Usage) -> Usage {
        let total = |one: Option<u64>, other: Option<u64>| Some(one?.saturating_add(other?));
        let part = |one: Option<u64>, other: Option<u64>| match (one, other) {
            (None, None) => None,
            (one, other) => Some(one.unwrap_or(0).saturating_add(other.unwrap_or(0))),
        };
        Usage {
            input: total(self.input, other.input),
            cached: part(self.cached, other.cached),
            cache_written: part(self.cache_written, other.cache_written),
            output: total(self.output, other.output),
            reasoning: part(self.reasoning, other.reasoning),
            raw: self.raw,
        }
    }

    pub fn is_empty(&self) -> bool {
        *self == Usage::default()
    }

    /// Tokens read and written; what was not counted adds nothing.
    pub fn tokens(&self) -> u64 {
        self.input.unwrap_or(0).saturating_add(self.output.unwrap_or(0))
    }
}

/// The most bytes of text that a token stands for on average: some stand for more, but no text consists of them.
const BYTES_OF_TOKEN: u64 = 32;

/// Whether a text of this many bytes has more tokens.
fn are_too_few(tokens: Option<u64>, bytes: usize) -> bool {
    let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
    tokens.is_some_and(|tokens| tokens.saturating_mul(BYTES_OF_TOKEN) < bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reply that used so much: read, of these cached, written to a cache, written, of these reasoning.
    fn said(text: &str, counts: [Option<u64>; 5]) -> Said {
        let [input, cached, cache_written, output, reasoning] = counts;
        Said {
            usage: Usage {
                input,
                cached,
                cache_written,
                output,
                reasoning,
                raw: Value::Bool(true),
            },
            ..Said::text(text)
        }
    }

    #[test]
    fn counts_that_cannot_be_are_unknown() {
        let some = Some;
        let huge = Some(u64::MAX);
        for (text, counts, wanted) in [
            (
                "a",
                [some(20), some(5), some(15), some(6), some(6)],
                [some(20), some(5), some(15), some(6), some(6)],
            ),
            ("a", [some(0), None, None, some(0), None], [None, None, None, None, None]),
            ("", [some(7), None, None, some(0), some(0)], [some(7), None, None, some(0), some(0)]),
            ("a", [some(20), some(500), None, some(6), None], [None, None, None, some(6), None]),
            ("a", [some(20), some(12), some(12), some(6), None], [None, None, None, some(6), None]),
            ("a", [some(20), None, None, some(6), some(7)], [some(20), None, None, None, None]),
            ("a", [huge, None, None, some(6), None], [None, None, None, some(6), None]),
            ("a", [some(20), huge, huge, huge, None], [None; 5]),
            ("a", [None, huge, None, None, huge], [None; 5]),
            (
                "a",
                [some(Usage::MOST), None, None, some(Usage::MOST + 1), None],
                [some(Usage::MOST), None, None, None, None],
            ),
        ] {
            let usage = said(text, counts).believed_usage();
            let got =
                [usage.input, usage.cached, usage.cache_written, usage.output, usage.reasoning];
            assert_eq!(got, wanted, "{counts:?}");
            assert_eq!(usage.raw, Value::Null);
        }
        let long = "word ".repeat(100);
        for (tokens, is_believed) in [(1, false), (15, false), (16, true), (100, true)] {
            let counts = [some(20), None, None, some(tokens), None];
            let of = |change: &dyn Fn(&mut Said)| {
                let mut said = said("", counts);
                change(&mut said);
                said.believed_usage()
            };
            for usage in [
                of(&|said| said.text = Some(long.clone())),
                of(&|said| said.reasoning = Some(long.clone())),
                of(&|said| {
                    said.refusal = Some(long.clone());
                    said.stop = Stop::Refused;
                }),
                of(&|said| {
                    // All of it together.
                    let (one, other) = long.split_at(250);
                    (said.text, said.reasoning) = (Some(one.to_owned()), Some(other.to_owned()));
                }),
            ] {
                assert_eq!(usage.output.is_some(), is_believed, "{tokens}");
                assert_eq!(usage.input, some(20));
            }
            let filtered = of(&|said| {
                said.refusal = Some(long.clone());
                said.stop = Stop::Filtered;
            });
            assert_eq!(filtered.output, some(tokens), "the service's own words");
            let read = said("", [some(tokens), some(0), None, some(1), None]).usage;
            let read = read.having_read(long.len());
            assert_eq!(read.input.is_some(), is_believed, "{tokens}");
            assert_eq!(read.cached.is_some(), is_believed, "{tokens}");
        }
        let shared = said("a", [some(0), None, None, some(0), None]).usage.possible();
        assert_eq!(
            (shared.input, shared.output),
            (Some(0), Some(0)),
            "it stood for several replies"
        );
    }
}
