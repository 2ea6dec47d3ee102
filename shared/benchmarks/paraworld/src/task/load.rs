//! Reading a file of worlds.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::{Extra, Fact, Message, World};
use turnwise_core::hash::Digest;
use turnwise_core::json::{self, Dialect, Json, JsonError, Object};
use turnwise_core::lenient;

/// The most bytes of one row.
pub const LINE_LIMIT: usize = 1 << 20;

const TRUTH: &str = "extra_info.world_truth_info";
const FACTS: &str = "extra_info.world_truth_info.atomic_facts";
const TURNWISE: &str = "extra_info.turnwise";

/// What a file of worlds contains.
#[derive(Debug, Clone, PartialEq)]
pub struct Worlds {
    /// The worlds in the file's order; at least one.
    pub worlds: Vec<World>,
    /// SHA-256 of the file.
    pub file: Digest,
}

/// Reads a file of worlds, one JSON object a line. Blank lines and a byte-order mark are passed over, unknown fields kept.
///
/// # Errors
/// The first mistake of the file, with its row and field and how to mend it.
pub fn load(file: &[u8]) -> Result<Worlds, LoadError> {
    let worlds: Vec<World> = rows(file).collect::<Result<_, _>>()?;
    if worlds.is_empty() {
        return Err(LoadError { row: None, field: None, problem: Problem::NoRows });
    }
    Ok(Worlds { worlds, file: Digest::of(file) })
}

/// Reads a file of worlds row by row: a row that cannot be used does not hide the others.
pub fn rows(file: &[u8]) -> impl Iterator<Item = Result<World, LoadError>> {
    let mut numbers: BTreeMap<i64, u32> = BTreeMap::new();
    let lines = (0_u32..).zip(lenient::rows(file));
    lines.filter(|(_, bytes)| !bytes.iter().all(u8::is_ascii_whitespace)).map(
        move |(line, bytes)| {
            let located = |(field, problem)| LoadError { row: Some(line + 1), field, problem };
            let row = read_row(bytes).map_err(|problem| located((None, problem)))?;
            let world = World::from_row(row, line).map_err(|wrong| located(wrong.parts()))?;
            let number = world.index.unwrap_or(i64::from(line));
            if let Some(first) = numbers.insert(number, line + 1) {
                let problem = Problem::SameIndex { first };
                return Err(located((Some("index".to_owned()), problem)));
            }
            Ok(world)
        },
    )
}

fn read_row(line: &[u8]) -> Result<Object, Problem> {
    if line.len() > LINE_LIMIT {
        return Err(Problem::TooLong { bytes: line.len() });
    }
    let line = std::str::from_utf8(line).map_err(|_| Problem::NotUtf8)?;
    match json::parse(line, Dialect::Strict) {
        Ok(Json::Object(row)) => Ok(row),
        Ok(other) => Err(Problem::WrongType { wanted: "an object", found: other.kind() }),
        Err(error) => Err(Problem::NotJson(error)),
    }
}

/// A field of a row that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("field {field:?}: {problem}")]
pub struct WrongField {
    /// Which field, with dots between the levels.
    pub field: String,
    /// What is wrong with it.
    pub problem: Problem,
}

impl WrongField {
    fn parts(self) -> (Option<String>, Problem) {
        (Some(self.field), self.problem)
    }
}

fn wrong(field: &str, problem: Problem) -> WrongField {
    WrongField { field: field.to_owned(), problem }
}

fn wrong_type(field: &str, wanted: &'static str, found: &Json) -> WrongField {
    let found = found.kind();
    wrong(field, Problem::WrongType { wanted, found })
}

impl World {
    /// Reads a row; `line` is its number in the file, from 0.
    ///
    /// # Errors
    /// The first field that cannot be used.
    pub fn from_row(row: Object, line: u32) -> Result<World, WrongField> {
        let none = Object::default();
        let extra_info = object(&row, "extra_info", "extra_info")?.unwrap_or(&none);
        let truth = object(extra_info, "world_truth_info", TRUTH)?
            .ok_or_else(|| wrong(TRUTH, Problem::Missing))?;
        let facts = facts(truth)?;
        let extra = match extra_info.get("turnwise") {
            None | Some(Json::Null) => None,
            Some(value) => Some(extra(value, &facts)?),
        };
        let index = match row.get("index") {
            None | Some(Json::Null) => None,
            Some(Json::Int(number)) if number.as_i64().is_some() => number.as_i64(),
            Some(other) => return Err(wrong_type("index", "a whole number", other)),
        };
        let max_turns = match row.get("max_turns") {
            None | Some(Json::Null) => None,
            Some(Json::Int(number)) => {
                let turns = number.as_i64().and_then(|turns| u32::try_from(turns).ok());
                let turns = turns.filter(|turns| *turns > 0);
                Some(turns.ok_or_else(|| wrong("max_turns", Problem::NoTurns))?)
            }
            Some(other) => return Err(wrong_type("max_turns", "a whole number", other)),
        };
        let answer = text(&row, "answer", "answer")?
            .ok_or_else(|| wrong("answer", Problem::Missing))
            .and_then(|answer| not_blank("answer", answer))?;
        Ok(World {
            line,
            index,
            category: text(&row, "category", "category")?,
            prompt: prompt(&row)?,
            answer,
            generated_question: text(
                truth,
                "generated_question",
                "extra_info.world_truth_info.generated_question",
            )?,
            facts,
            final_answer: text(truth, "final_answer", "extra_info.world_truth_info.final_answer")?,
            system: text(&row, "system", "system")?,
            max_turns,
            extra,
            row,
        })
    }
}

/// The object under a key, if there is one.
fn object<'a>(from: &'a Object, key: &str, field: &str) -> Result<Option<&'a Object>, WrongField> {
    match from.get(key) {
        None | Some(Json::Null) => Ok(None),
        Some(Json::Object(object)) => Ok(Some(object)),
        Some(other) => Err(wrong_type(field, "an object", other)),
    }
}

/// The text under a key, if there is one.
fn text(from: &Object, key: &str, field: &str) -> Result<Option<String>, WrongField> {
    match from.get(key) {
        None | Some(Json::Null) => Ok(None),
        Some(Json::Text(text)) => Ok(Some(text.clone())),
        Some(other) => Err(wrong_type(field, "text", other)),
    }
}

fn not_blank(field: &str, text: String) -> Result<String, WrongField> {
    if text.trim().is_empty() {
        return Err(wrong(field, Problem::Blank));
    }
    Ok(text)
}

/// `prompt`, or `messages` where that is missing or empty. A plain text is one message of the user.
fn prompt(row: &Object) -> Result<Vec<Message>, WrongField> {
    let full = |field: &str| match row.get(field) {
        None | Some(Json::Null) => None,
        Some(Json::List(items)) if items.is_empty() => None,
        Some(Json::Text(text)) if text.is_empty() => None,
        Some(value) => Some(value.clone()),
    };
    let (field, value) = ["prompt", "messages"]
        .into_iter()
        .find_map(|field| Some((field, full(field)?)))
        .ok_or_else(|| wrong("prompt", Problem::Missing))?;
    let items = match &value {
        Json::List(items) => items,
        other => return Err(wrong_type(field, "a list of messages", other)),
    };
    let messages: Vec<Message> = (0..)
        .zip(items)
        .map(|(position, item): (usize, _)| {
            let place = format!("{field}[{position}]");
            let Json::Object(message) = item else {
                return Err(wrong_type(&place, "an object", item));
            };
            let part = |key: &str| {
                let field = format!("{place}.{key}");
                text(message, key, &field)?.ok_or_else(|| wrong(&field, Problem::Missing))
            };
            Ok(Message { role: part("role")?, content: part("content")? })
        })
        .collect::<Result<_, _>>()?;
    let asks = |message: &Message| message.role == "user" && !message.content.trim().is_empty();
    if !messages.iter().any(asks) {
        return Err(wrong(field, Problem::NoQuestion));
    }
    Ok(messages)
}

/// The facts; an object stored as a text is decoded (specification 8.7).
fn facts(truth: &Object) -> Result<Vec<Fact>, WrongField> {
    let decoded;
    let object = match truth.get("atomic_facts") {
        None | Some(Json::Null) => return Err(wrong(FACTS, Problem::Missing)),
        Some(Json::Object(object)) => object,
        Some(Json::Text(text)) => {
            decoded = json::parse(text, Dialect::Strict)
                .map_err(|error| wrong(FACTS, Problem::NotJson(error)))?;
            match &decoded {
                Json::Object(object) => object,
                other => return Err(wrong_type(FACTS, "an object", other)),
            }
        }
        Some(other) => return Err(wrong_type(FACTS, "an object", other)),
    };
    if object.is_empty() {
        return Err(wrong(FACTS, Problem::Blank));
    }
    (1..)
        .zip(object.iter())
        .map(|(number, (key, value)): (usize, _)| {
            let place = format!("{FACTS} (fact {number})");
            match value {
                Json::Text(value) if !key.trim().is_empty() && !value.trim().is_empty() => {
                    Ok(Fact { key: key.to_owned(), value: value.clone() })
                }
                Json::Text(_) => Err(wrong(&place, Problem::Blank)),
                other => Err(wrong_type(&place, "text", other)),
            }
        })
        .collect()
}

/// Our own part, which has to fit the facts.
fn extra(value: &Json, facts: &[Fact]) -> Result<Extra, WrongField> {
    let plain = serde_json::to_value(value).unwrap_or_default();
    let extra: Extra = serde_path_to_error::deserialize(plain).map_err(|error| {
        let path = error.path().to_string();
        let field = if path == "." { TURNWISE.to_owned() } else { format!("{TURNWISE}.{path}") };
        wrong(&field, Problem::NotOurs)
    })?;
    let keys: BTreeSet<&str> = facts.iter().map(|fact| fact.key.as_str()).collect();
    let mut seen = BTreeSet::new();
    for (position, fact) in extra.facts.iter().enumerate() {
        let place = |part: &str| format!("{TURNWISE}.facts[{position}].{part}");
        if !keys.contains(fact.key.as_str()) {
            return Err(wrong(&place("key"), Problem::NoSuchFact));
        }
        if !seen.insert(&fact.key) {
            return Err(wrong(&place("key"), Problem::FactTwice));
        }
        if !fact.depends_on.iter().all(|key| keys.contains(key.as_str())) {
            return Err(wrong(&place("depends_on"), Problem::NoSuchFact));
        }
        let named = |name: &String| extra.entities.iter().any(|entity| &entity.name == name);
        if !fact.entity.iter().all(named) {
            return Err(wrong(&place("entity"), Problem::NoSuchEntity));
        }
    }
    Ok(extra)
}

/// A file of worlds that cannot be used. It contains no text of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadError {
    /// The row, from 1, if it lies in one.
    pub row: Option<u32>,
    /// The field, with dots between the levels, if it lies in one.
    pub field: Option<String>,
    /// What is wrong.
    pub problem: Problem,
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(row) = self.row {
            write!(f, "row {row}, ")?;
        }
        if let Some(field) = &self.field {
            write!(f, "field {field:?}: ")?;
        }
        self.problem.fmt(f)
    }
}

impl std::error::Error for LoadError {}

/// What can be wrong with a row, and how to mend it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// The file has no rows.
    #[error("no rows; a file of worlds has one JSON object on each line")]
    NoRows,
    /// A row above [`LINE_LIMIT`].
    #[error("the row has {bytes} bytes, more than {LINE_LIMIT}; one world is one line")]
    TooLong {
        /// How many.
        bytes: usize,
    },
    /// Bytes that are no text.
    #[error("not UTF-8; save the file as UTF-8")]
    NotUtf8,
    /// A row, or facts stored as a text, that cannot be decoded.
    #[error("not JSON: {0}")]
    NotJson(JsonError),
    /// A value of another kind.
    #[error("has to be {wanted}, not {found}")]
    WrongType {
        /// What it has to be.
        wanted: &'static str,
        /// What it is.
        found: &'static str,
    },
    /// A field that every row needs.
    #[error("missing; every row needs it")]
    Missing,
    /// A field, a key or a value without content.
    #[error("empty; write something into it or leave the row out")]
    Blank,
    /// A prompt without a question.
    #[error("no message of the role \"user\" has a text; the question is the last one")]
    NoQuestion,
    /// A limit of turns below 1 or beyond 32 bits.
    #[error("has to be a whole number from 1 up")]
    NoTurns,
    /// A number that another row has.
    #[error("row {first} has the same number; give each row its own")]
    SameIndex {
        /// That row, from 1.
        first: u32,
    },
    /// A field of ours that cannot be read.
    #[error("not as Turnwise writes it; mend it, or leave extra_info.turnwise out")]
    NotOurs,
    /// A key that is none of the facts'.
    #[error("names no key of atomic_facts; copy the key letter by letter")]
    NoSuchFact,
    /// A fact that is described twice.
    #[error("this fact is described twice; keep one of the two")]
    FactTwice,
    /// A name that is none of the entities'.
    #[error("names no entity of extra_info.turnwise.entities")]
    NoSuchEntity,
}
