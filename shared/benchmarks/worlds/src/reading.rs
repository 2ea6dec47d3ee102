//! Reading what a seat said: the last JSON object outside of reasoning that fits what was asked for.

#[cfg(test)]
mod tests;

use serde_json::Value;

use super::schema::Schema;
use turnwise_core::parse::{self, Candidate};
use turnwise_core::prelude::*;

/// Signs of a text that a note repeats.
const SHOWN: usize = 400;

pub mod fault {
    pub const EMPTY: &str = "empty";
    pub const NO_OBJECT: &str = "no_object";
    /// Braces around something that is not JSON.
    pub const NOT_JSON: &str = "not_json";
    /// JSON that is not what was asked for.
    pub const MISFIT: &str = "misfit";
}

#[derive(Debug, Clone, PartialEq)]
pub struct Read<T> {
    pub value: T,
    pub reading: Reading,
}

/// A reply that could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unread {
    /// The object that did not fit, where there was one.
    pub extracted: Option<String>,
    /// What is wrong, in words that can be quoted back.
    pub fault: Fault,
}

impl From<Unread> for Reading {
    fn from(unread: Unread) -> Reading {
        Reading { extracted: unread.extracted, fault: Some(unread.fault), ..Reading::default() }
    }
}

/// Reads a reply. Objects are tried from the last to the first; the fault is that of the last, or of a brace that is never
/// closed.
///
/// # Errors
/// What is wrong with the text.
pub fn read<T: Schema>(text: Option<&str>) -> Result<Read<T>, Unread> {
    read_by(text, T::KEYS, fit)
}

/// As [`read`], with a reader of one's own for an object.
///
/// # Errors
/// As [`read`].
pub fn read_by<T>(
    text: Option<&str>,
    keys: &[&str],
    fit: impl Fn(&Value) -> Result<T, String>,
) -> Result<Read<T>, Unread> {
    let text = text.unwrap_or_default();
    if text.trim().is_empty() {
        return Err(faulty(None, fault::EMPTY, "the reply is empty".to_owned()));
    }
    let candidates: Vec<Candidate> = parse::spoken(text)
        .into_iter()
        .flat_map(|part| parse::objects(text, part, Dialect::Strict))
        .collect();
    // What stands in a brace that is never closed is a part of what was meant, so that brace is the fault.
    let unclosed = candidates.iter().find_map(|candidate| match candidate {
        Candidate::Unclosed { error, .. } => Some(faulty(None, fault::NOT_JSON, error.to_string())),
        _ => None,
    });
    let mut wrong = unclosed;
    for candidate in candidates.iter().rev() {
        match candidate {
            Candidate::Object { span, object, .. } => {
                let extracted = shown(&text[span.clone()]);
                let value = serde_json::to_value(object).unwrap_or_default();
                match fit(&value) {
                    Ok(value) => {
                        let passed_over = object.keys().filter(|key| !keys.contains(key));
                        let repaired = passed_over.map(|key| format!("passed over {}", shown(key)));
                        let reading = Reading {
                            extracted: Some(extracted),
                            repaired: repaired.collect(),
                            ..Reading::default()
                        };
                        return Ok(Read { value, reading });
                    }
                    Err(problem) => {
                        wrong
                            .get_or_insert_with(|| faulty(Some(extracted), fault::MISFIT, problem));
                    }
                }
            }
            Candidate::Broken { error, .. } | Candidate::Unclosed { error, .. } => {
                wrong.get_or_insert_with(|| faulty(None, fault::NOT_JSON, error.to_string()));
            }
        }
    }
    Err(wrong.unwrap_or_else(|| {
        let problem = "there is no JSON object in the reply".to_owned();
        faulty(None, fault::NO_OBJECT, problem)
    }))
}

/// What a JSON value is, if it fits.
///
/// # Errors
/// The first thing that does not fit, with its place.
pub fn fit<T: Schema>(value: &Value) -> Result<T, String> {
    let read: T = serde_path_to_error::deserialize(value).map_err(|error| {
        let place = error.path().to_string();
        let problem = error.into_inner();
        match place.as_str() {
            "." => problem.to_string(),
            place => format!("{place}: {problem}"),
        }
    })?;
    match read.flaw() {
        None => Ok(read),
        Some(flaw) => Err(flaw),
    }
}

fn faulty(extracted: Option<String>, class: &str, detail: String) -> Unread {
    Unread { extracted, fault: Fault { class: class.to_owned(), detail: shown(&detail) } }
}

/// The beginning of a text, for notes and for quoting back.
pub fn shown(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}
