//! Python's rules for text and values, as far as `reference` profiles need them: the authors' programs are Python, and
//! what they do with a reply depends on `str.strip`, `repr` and `json.loads`.
//!
//! Values are [`Json`]; `json.loads` itself is [`json::parse`](crate::json::parse) in its Python dialect. The tests
//! compare everything here with a table that Python wrote.

mod dumps;
mod literal;
mod repr;
#[cfg(test)]
mod tests;

pub use dumps::{Layout, dumps};
pub use literal::{BadLiteral, literal};
pub use repr::{float, repr, repr_text, text};

use crate::json::Json;

/// What `str.isspace` is true of; also what `\s` matches in a pattern.
pub fn is_space(character: char) -> bool {
    character.is_whitespace() || matches!(character, '\u{1c}'..='\u{1f}')
}

pub fn strip(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// `str.lower()`. Letters that are younger than the Python in question may differ.
pub fn lower(text: &str) -> String {
    text.to_lowercase()
}

/// `str.splitlines()[0]`; `None` where Python raises an error, i.e. for the empty text.
pub fn first_line(text: &str) -> Option<&str> {
    let breaks = |character| {
        matches!(
            character,
            '\n'..='\r' | '\u{1c}'..='\u{1e}' | '\u{85}' | '\u{2028}' | '\u{2029}'
        )
    };
    if text.is_empty() {
        return None;
    }
    text.split(breaks).next()
}

pub fn truthy(value: &Json) -> bool {
    match value {
        Json::Null => false,
        Json::Bool(value) => *value,
        Json::Int(number) => !number.is_zero(),
        Json::Float(number) => *number != 0.0,
        Json::Text(text) => !text.is_empty(),
        Json::List(items) => !items.is_empty(),
        Json::Object(object) => !object.is_empty(),
    }
}
