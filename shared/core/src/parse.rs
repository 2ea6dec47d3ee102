//! Reading what a seat said: what it said outside its reasoning, the JSON objects in it, and which word of a few it is.
//!
//! What an object has to contain is a benchmark's business. Nothing here takes longer than a small multiple of the
//! text's length, whatever the text is.

pub mod reasoning;
#[cfg(test)]
mod tests;
pub mod verdict;

use std::ops::Range;

use crate::json::{self, Dialect, Eased, Json, JsonError, Object, Prefix};

pub use reasoning::{said, spoken};

/// An outermost pair of braces in a text.
#[derive(Debug, Clone, PartialEq)]
pub enum Candidate {
    /// A JSON object.
    Object {
        /// Where it stands, in bytes.
        span: Range<usize>,
        object: Object,
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
        braces: braces.into_iter().zip(closed_at).collect::<Vec<_>>().into_iter(),
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
            Ok(Prefix { value: Json::Object(object), end, eased }) => {
                let span = start..start + end;
                self.at = span.end;
                Some(Candidate::Object { span, object, eased })
            }
            Ok(_) => unreachable!("a JSON value that begins with a brace is an object"),
            Err(mut error) => {
                self.fuel = self.fuel.checked_sub(error.at + 1)?;
                error.at += start;
                Some(match closed {
                    Some(end) => {
                        self.at = end;
                        Candidate::Broken { span: start..end, error }
                    }
                    None => Candidate::Unclosed { at: start, error },
                })
            }
        }
    }
}
