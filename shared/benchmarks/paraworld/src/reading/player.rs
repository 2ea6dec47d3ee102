//! A player's text: an answer, calls, or neither (specification 5.3).

use std::ops::Range;

use super::spans::{between, stripped};
use super::syntax::{Call, Syntax};
use turnwise_core::parse::reasoning;
use turnwise_core::prelude::*;

const ANSWER: (&str, &str) = ("<answer>", "</answer>");

/// How many calls of one message are run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Calling {
    /// The last one.
    #[default]
    Sequential,
    /// All of them, side by side.
    Parallel,
}

/// What a player's text says.
#[derive(Debug, Clone, PartialEq)]
pub enum Turn {
    /// The final answer, without white space around it; never blank. It goes before calls in the same text.
    Answer {
        /// Where it stands, in bytes.
        span: Range<usize>,
        answer: String,
    },
    /// Calls to run; exactly one when they run one after the other.
    Calls(Vec<Call>),
    /// Neither: the player is reminded.
    Neither(Why),
}

choices! {
    /// Why a text is neither answer nor call.
    pub enum Why {
        /// Nothing of the kind stands there.
        Prose = "prose" => "there is neither a call nor an answer",
        BlankAnswer = "blank_answer" => "the answer is blank",
        /// A call was begun and is not one: a format error under `strict`, prose under `reference`.
        BrokenCall = "broken_call" => "a call was begun and is not whole",
        /// A thought was opened and never closed: a format error (`strict` only).
        OpenThought = "open_thought" => "a thought was opened and never closed",
    }
}

impl Why {
    /// Whether it counts as a format error under `strict`.
    pub fn is_format_error(self) -> bool {
        matches!(self, Why::BrokenCall | Why::OpenThought)
    }
}

/// How a text was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    pub turn: Turn,
    /// Calls that stand there and are not run, because an answer or a later call goes before.
    pub ignored: usize,
}

/// Reads a player's text.
///
/// `reference` obeys tags inside thoughts; `strict` reads what stands after the last closed thought.
pub fn read(text: &str, syntax: Syntax, calling: Calling, profile: Profile) -> Reading {
    let (offset, spoken) = match profile {
        Profile::Reference => (0, text),
        Profile::Strict => match reasoning::read(text).after {
            Some(offset) => (offset, &text[offset..]),
            None => {
                return Reading { turn: Turn::Neither(Why::OpenThought), ignored: 0 };
            }
        },
    };
    let found = syntax.calls(spoken, calling, profile);
    let moved = |span: Range<usize>| span.start + offset..span.end + offset;
    let last = between(spoken, ANSWER.0, ANSWER.1).last();
    let answer = last.map(|span| stripped(spoken, span));
    match answer {
        Some(span) if !span.is_empty() => Reading {
            ignored: found.len(),
            turn: Turn::Answer { answer: spoken[span.clone()].to_owned(), span: moved(span) },
        },
        blank => {
            let mut calls: Vec<Call> =
                found.into_iter().map(|call| Call { span: moved(call.span), ..call }).collect();
            let ignored = match calling {
                Calling::Sequential => calls.len().saturating_sub(1),
                Calling::Parallel => 0,
            };
            calls.drain(..ignored);
            if calls.is_empty() {
                let why = if syntax.begins(spoken) {
                    Why::BrokenCall
                } else if blank.is_some() {
                    Why::BlankAnswer
                } else {
                    Why::Prose
                };
                return Reading { turn: Turn::Neither(why), ignored: 0 };
            }
            Reading { turn: Turn::Calls(calls), ignored }
        }
    }
}

/// Whether a text has an answer span at all, a blank one included: what the last-chance scan of the reference looks for
/// when the turns are used up (specification 5.4).
pub fn has_answer_span(text: &str) -> bool {
    between(text, ANSWER.0, ANSWER.1).next().is_some()
}

/// The prediction of setting A (specification 7, last line).
///
/// `reference` takes the first answer span, or the whole text where there is none, and the empty text where nothing was
/// said. `strict` reads as in the other settings; `None` is a format error.
pub fn oracle_answer(text: Option<&str>, profile: Profile) -> Option<String> {
    let text = text.unwrap_or_default();
    match profile {
        Profile::Reference => {
            let span = between(text, ANSWER.0, ANSWER.1).next().unwrap_or(0..text.len());
            Some(text[stripped(text, span)].to_owned())
        }
        Profile::Strict => match read(text, Syntax::Default, Calling::Sequential, profile).turn {
            Turn::Answer { answer, .. } => Some(answer),
            Turn::Calls(_) | Turn::Neither(_) => None,
        },
    }
}
