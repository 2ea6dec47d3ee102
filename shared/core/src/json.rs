//! JSON as players write it: a value that keeps the order of keys and the size of numbers, and a reader with two dialects.
//!
//! `serde_json` sorts keys and rounds large numbers, and the order of a player's arguments shows in prompts; so what a
//! player says is read here. Everything that the program itself writes goes through `serde_json`.

mod read;
#[cfg(test)]
mod tests;

use serde::ser::{Serialize, SerializeMap, Serializer};

pub use read::{Dialect, Eased, JsonError, Prefix, Problem, parse, parse_prefix};

/// How many lists and objects may be open at once (ARCHITECTURE.md, rule 10).
pub const DEPTH: usize = 64;

/// The most digits of a whole number; Python refuses longer ones too.
pub const DIGITS: usize = 4300;

/// A JSON value.
#[derive(Debug, Clone, PartialEq)]
pub enum Json {
    /// `null`.
    Null,
    Bool(bool),
    /// A number without fraction and exponent, of any size.
    Int(Int),
    /// Any other number; the Python dialect also has NaN and the infinities.
    Float(f64),
    Text(String),
    List(Vec<Json>),
    Object(Object),
}

impl Json {
    /// The text of a string; `None` for every other kind of value.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Json::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The members of an object; `None` for every other kind of value.
    pub fn as_object(&self) -> Option<&Object> {
        match self {
            Json::Object(object) => Some(object),
            _ => None,
        }
    }

    /// What kind of value it is, as one says it in an error: `text`, `a number`, …
    pub fn kind(&self) -> &'static str {
        match self {
            Json::Null => "null",
            Json::Bool(_) => "true or false",
            Json::Int(_) | Json::Float(_) => "a number",
            Json::Text(_) => "text",
            Json::List(_) => "a list",
            Json::Object(_) => "an object",
        }
    }
}

/// A whole number of any size, as its decimal digits: no leading zero, no `-0`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Int(String);

impl Int {
    /// From digits with an optional minus, as a JSON reader has checked them.
    pub(crate) fn from_digits(digits: &str) -> Self {
        Int(if digits == "-0" { "0" } else { digits }.to_owned())
    }

    pub fn digits(&self) -> &str {
        &self.0
    }

    /// The number, where 64 bits hold it.
    pub fn as_i64(&self) -> Option<i64> {
        self.0.parse().ok()
    }

    pub fn is_zero(&self) -> bool {
        self.0 == "0"
    }
}

impl From<i64> for Int {
    fn from(number: i64) -> Self {
        Int(number.to_string())
    }
}

/// The members of an object, in the order in which their keys were first met.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Object(Vec<(String, Json)>);

impl Object {
    /// The value under a key.
    pub fn get(&self, key: &str) -> Option<&Json> {
        self.0.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// Keys and values, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Json)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// The keys, in order.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }

    /// How many members there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds a member at the end. The key has to be new; of two equal ones [`Object::get`] finds the first.
    pub fn push(&mut self, key: impl Into<String>, value: Json) {
        self.0.push((key.into(), value));
    }
}

impl<K: Into<String>> FromIterator<(K, Json)> for Object {
    /// The keys have to differ; of two equal ones [`Object::get`] finds the first.
    fn from_iter<I: IntoIterator<Item = (K, Json)>>(members: I) -> Self {
        Object(members.into_iter().map(|(key, value)| (key.into(), value)).collect())
    }
}

/// An object of these members, whose keys differ.
pub fn object<K: Into<String>>(members: impl IntoIterator<Item = (K, Json)>) -> Json {
    Json::Object(members.into_iter().collect())
}

impl From<&str> for Json {
    fn from(text: &str) -> Self {
        Json::Text(text.to_owned())
    }
}

impl From<String> for Json {
    fn from(text: String) -> Self {
        Json::Text(text)
    }
}

impl From<bool> for Json {
    fn from(value: bool) -> Self {
        Json::Bool(value)
    }
}

impl From<u64> for Json {
    fn from(number: u64) -> Self {
        Json::Int(Int(number.to_string()))
    }
}

impl From<u32> for Json {
    fn from(number: u32) -> Self {
        u64::from(number).into()
    }
}

impl From<i64> for Json {
    fn from(number: i64) -> Self {
        Json::Int(number.into())
    }
}

impl From<f64> for Json {
    fn from(number: f64) -> Self {
        Json::Float(number)
    }
}

impl From<Vec<Json>> for Json {
    fn from(items: Vec<Json>) -> Self {
        Json::List(items)
    }
}

impl From<Object> for Json {
    fn from(object: Object) -> Self {
        Json::Object(object)
    }
}

impl<T: Into<Json>> From<Option<T>> for Json {
    fn from(value: Option<T>) -> Self {
        value.map_or(Json::Null, Into::into)
    }
}

/// For showing and for notes: a whole number beyond 64 bits and a float that JSON lacks are written as text.
impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Json::Null => serializer.serialize_unit(),
            Json::Bool(value) => serializer.serialize_bool(*value),
            Json::Int(number) => match number.as_i64() {
                Some(small) => serializer.serialize_i64(small),
                None => serializer.serialize_str(number.digits()),
            },
            Json::Float(number) if number.is_finite() => serializer.serialize_f64(*number),
            Json::Float(number) => serializer.serialize_str(&number.to_string()),
            Json::Text(text) => serializer.serialize_str(text),
            Json::List(items) => serializer.collect_seq(items),
            Json::Object(object) => object.serialize(serializer),
        }
    }
}

impl Serialize for Object {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.len()))?;
        for (key, value) in self.iter() {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

/// Appends a string as a JSON literal in ASCII: every other character as `\uXXXX` with lower-case hexadecimal digits,
/// those beyond the basic plane as surrogate pairs. This is how Python's `json.dumps` writes it.
pub fn write_ascii(text: &str, out: &mut String) {
    use std::fmt::Write as _;
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            ' '..='~' => out.push(character),
            _ => {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    write!(out, "\\u{unit:04x}").expect("a String takes every write");
                }
            }
        }
    }
    out.push('"');
}
