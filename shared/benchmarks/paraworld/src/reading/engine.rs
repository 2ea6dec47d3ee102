//! A model engine's reply (specification 4.3 to 4.6): read and mended as the reference does, or read and checked as `strict`
//! does.

mod strict;

use super::spans::{first_balanced, loads, without, without_commas};
use turnwise_core::json::Int;
use turnwise_core::prelude::*;
use turnwise_core::python::{strip, truthy};

pub use strict::{Checked, Refused, Rule, Sign, Violation, folded, strict, told};

/// What the reference takes from an engine's reply. Beyond the number of keys nothing is checked.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// An object was found; absent fields have their defaults.
    Read(Fields),
    /// Nothing could be decoded: compound, no hit, no page. It is cached for the rest of the episode.
    Unreadable,
    /// What was decoded is no object, which the reference treats as a failed call and asks again.
    NotAnObject,
}

/// The fields of a reply as the reference keeps them, of whatever type they were.
#[derive(Debug, Clone, PartialEq)]
pub struct Fields {
    /// `is_compound_query`; true where it is absent.
    pub is_compound_query: Json,
    /// `hit`; 0 where it is absent.
    pub hit: Json,
    /// `matched_fact_keys`: at most one.
    pub matched_fact_keys: Vec<Json>,
    /// `reason`, if there is one.
    pub reason: Option<Json>,
    /// `search_result`; an empty list where it is absent.
    pub search_result: Json,
}

impl Default for Fields {
    /// Those of an unreadable reply.
    fn default() -> Self {
        Fields {
            is_compound_query: Json::Bool(true),
            hit: Json::Int(Int::from(0)),
            matched_fact_keys: Vec::new(),
            reason: None,
            search_result: Json::List(Vec::new()),
        }
    }
}

/// Reads a reply as the reference does.
pub fn reference(text: &str) -> Reply {
    let text = without(text, "<think>", "</think>");
    let text = text.replace("```json", "").replace("```", "");
    let text = strip(&text);
    let found = first_balanced(text).unwrap_or(text);
    match decode(&closed(found)) {
        None => Reply::Unreadable,
        Some(Json::Object(object)) => Reply::Read(fields(&object)),
        Some(_) => Reply::NotAnObject,
    }
}

/// What an engine takes a query for, whatever else it replies.
pub fn kind(text: &str) -> Option<&'static str> {
    match reference(text) {
        Reply::Read(fields) if truthy(&fields.is_compound_query) => Some("compound"),
        Reply::Read(fields) => Some(if truthy(&fields.hit) { "hit" } else { "miss" }),
        Reply::Unreadable | Reply::NotAnObject => None,
    }
}

/// Whether the reference stops asking an engine again after an error with this text, of up to five attempts: where it finds
/// `400` or, in any case, `invalid`, also in a message such as "waited 14000 ms".
pub fn ends_retries(error: &str) -> bool {
    error.contains("400") || error.to_lowercase().contains("invalid")
}

/// Closes what was cut off: a quote, a brace, a bracket, a brace, each if one is missing.
fn closed(text: &str) -> String {
    let mut text = text.to_owned();
    if text.ends_with(['}', ']']) {
        return text;
    }
    if text.matches('"').count() % 2 == 1 {
        text.push('"');
    }
    for (open, close) in [('{', '}'), ('[', ']'), ('{', '}')] {
        if text.matches(open).count() > text.matches(close).count() {
            text.push(close);
        }
    }
    text
}

fn decode(text: &str) -> Option<Json> {
    let braces = without_commas(text, '}');
    let is_control = |character: char| character < ' ' || character == '\u{7f}';
    loads(text)
        .or_else(|| loads(strip(text)))
        .or_else(|| loads(&text.replace(is_control, "")))
        .or_else(|| loads(&braces))
        .or_else(|| loads(&without_commas(text, ']')))
        .or_else(|| loads(&without_commas(&braces, ']')))
        .or_else(|| loads(&text.replace('\'', "\"")))
}

fn fields(object: &Object) -> Fields {
    let default = Fields::default();
    let keys = match object.get("matched_fact_keys") {
        Some(Json::List(keys)) => keys.iter().take(1).cloned().collect(),
        Some(single) if truthy(single) => vec![single.clone()],
        Some(_) | None => Vec::new(),
    };
    let or = |key: &str, default: Json| object.get(key).cloned().unwrap_or(default);
    Fields {
        is_compound_query: or("is_compound_query", default.is_compound_query),
        hit: or("hit", default.hit),
        matched_fact_keys: keys,
        reason: object.get("reason").cloned(),
        search_result: or("search_result", default.search_result),
    }
}
