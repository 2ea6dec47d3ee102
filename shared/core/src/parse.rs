//! Reading what a player said: what it said outside its reasoning, and the JSON objects in it.
//!
//! What an object has to contain is a benchmark's business. Nothing here takes longer than a small multiple of the
//! text's length, whatever the text is.

#[cfg(test)]
mod tests;

use std::ops::Range;

use crate::json::{self, Dialect, Eased, Json, JsonError, Object, Prefix};

/// The names of tags between which models put reasoning that is not meant for the reader.
const REASONING_TAGS: [&str; 6] = [
    "think",
    "thinking",
    "thought",
    "thoughts",
    "reasoning",
    "reflection",
];

/// The parts of a text, as byte ranges, that are not reasoning between tags such as `<think>` and `</think>`.
///
/// Reasoning that is opened and never closed reaches to the end. A closing tag without an opening one ends reasoning
/// that began with the text, because many chat templates write the opening tag themselves. Tags do not nest.
pub fn spoken(text: &str) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut start = Some(0);
    for (tag, span) in tags(text) {
        match (tag, start) {
            (Tag::Open, Some(from)) => {
                parts.push(from..span.start);
                start = None;
            }
            (Tag::Open, None) => {}
            (Tag::Close, Some(_)) => {
                parts.clear();
                start = Some(span.end);
            }
            (Tag::Close, None) => start = Some(span.end),
        }
    }
    parts.extend(start.map(|from| from..text.len()));
    parts.retain(|part| !part.is_empty());
    parts
}

/// What is left of a text without reasoning: its [`spoken`] parts, one after the other on lines of their own.
pub fn said(text: &str) -> String {
    let parts: Vec<&str> = spoken(text).into_iter().map(|part| &text[part]).collect();
    parts.join("\n")
}

#[derive(Clone, Copy)]
enum Tag {
    Open,
    Close,
}

fn tags(text: &str) -> impl Iterator<Item = (Tag, Range<usize>)> + '_ {
    text.match_indices('<').filter_map(|(start, _)| {
        let inside = &text[start + 1..];
        let (tag, name) = match inside.strip_prefix('/') {
            Some(name) => (Tag::Close, name),
            None => (Tag::Open, inside),
        };
        let letters = name
            .bytes()
            .take_while(u8::is_ascii_alphabetic)
            .take(16)
            .count();
        let known = REASONING_TAGS
            .iter()
            .any(|tag| tag.eq_ignore_ascii_case(&name[..letters]));
        let end = start + 1 + (inside.len() - name.len()) + letters + 1;
        (known && name[letters..].starts_with('>')).then_some((tag, start..end))
    })
}

/// An outermost pair of braces in a text.
#[derive(Debug, Clone, PartialEq)]
pub enum Candidate {
    /// A JSON object.
    Object {
        /// Where it stands, in bytes.
        span: Range<usize>,
        /// What it contains.
        object: Object,
        /// What was let through.
        eased: Eased,
    },
    /// A balanced pair of braces around something that is not JSON.
    Broken {
        /// Where it stands, in bytes.
        span: Range<usize>,
        /// Why it is not JSON; its place counts from the beginning of the text.
        error: JsonError,
    },
    /// An opening brace that is never closed. What follows it is looked at as if it were not there.
    Unclosed {
        /// Where it stands, in bytes.
        at: usize,
        /// Where reading ended.
        error: JsonError,
    },
}

/// Finds the outermost JSON objects in a part of a text, from left to right, whatever stands around them: prose, code
/// fences, brackets. Objects within objects, and within broken ones, are not offered.
///
/// # Panics
/// If the part does not lie in the text, on the borders of characters.
pub fn objects(text: &str, part: Range<usize>, dialect: Dialect) -> Objects<'_> {
    let mut open = Vec::new();
    let mut closed_at: Vec<Option<usize>> = Vec::new();
    let mut braces = Vec::new();
    for (at, byte) in text[part.clone()].bytes().enumerate() {
        match byte {
            b'{' => {
                open.push(braces.len());
                braces.push(part.start + at);
                closed_at.push(None);
            }
            b'}' => {
                if let Some(index) = open.pop() {
                    closed_at[index] = Some(part.start + at + 1);
                }
            }
            _ => {}
        }
    }
    Objects {
        text,
        dialect,
        end: part.end,
        at: part.start,
        fuel: part.len().saturating_mul(16).saturating_add(4096),
        braces: braces
            .into_iter()
            .zip(closed_at)
            .collect::<Vec<_>>()
            .into_iter(),
    }
}

/// The iterator of [`objects`].
#[derive(Debug)]
pub struct Objects<'a> {
    text: &'a str,
    dialect: Dialect,
    end: usize,
    /// Everything before this place is done.
    at: usize,
    /// How many bytes may still be read in vain. Unclosed braces are each read on their own, which a hostile text could
    /// make quadratic.
    fuel: usize,
    /// Opening braces and, where counting braces finds it, the end of each.
    braces: std::vec::IntoIter<(usize, Option<usize>)>,
}

impl Iterator for Objects<'_> {
    type Item = Candidate;

    fn next(&mut self) -> Option<Candidate> {
        let (start, closed) = self.braces.find(|(start, _)| *start >= self.at)?;
        match json::parse_prefix(&self.text[start..self.end], self.dialect) {
            Ok(Prefix {
                value: Json::Object(object),
                end,
                eased,
            }) => {
                let span = start..start + end;
                self.at = span.end;
                Some(Candidate::Object {
                    span,
                    object,
                    eased,
                })
            }
            Ok(_) => unreachable!("a JSON value that begins with a brace is an object"),
            Err(mut error) => {
                self.fuel = self.fuel.checked_sub(error.at + 1)?;
                error.at += start;
                Some(match closed {
                    Some(end) => {
                        self.at = end;
                        Candidate::Broken {
                            span: start..end,
                            error,
                        }
                    }
                    None => Candidate::Unclosed { at: start, error },
                })
            }
        }
    }
}
