//! Reading a file of worlds.

use std::collections::BTreeSet;

use super::{Extra, Fact, Message, World};
use turnwise_core::json;
use turnwise_core::kit::rows;
use turnwise_core::prelude::*;

const TRUTH: &str = "extra_info.world_truth_info";
const FACTS: &str = "extra_info.world_truth_info.atomic_facts";
pub(super) const TURNWISE: &str = "extra_info.turnwise";

/// What a file of worlds contains.
#[derive(Debug, Clone, PartialEq)]
pub struct Worlds {
    /// The worlds in the file's order; at least one.
    pub worlds: Vec<World>,
    /// SHA-256 of the file.
    pub file: Digest,
}

/// Reads a file of worlds; unknown fields are kept.
///
/// # Errors
/// The first mistake of the file, with its row and field and how to mend it. It contains no text of the file.
pub fn load(file: &[u8]) -> Result<Worlds, BadRow> {
    Ok(Worlds { worlds: rows::all(rows(file))?, file: Digest::of(file) })
}

/// Reads a file of worlds row by row: a row that cannot be used does not hide the others.
pub fn rows(file: &[u8]) -> impl Iterator<Item = Result<World, BadRow>> + '_ {
    rows::each(file, World::of_row, ("index", World::id))
}

impl World {
    /// Reads a row.
    ///
    /// # Errors
    /// The first field that cannot be used.
    pub fn of_row(row: &Fields<'_>) -> Result<World, BadRow> {
        let facts = facts(row)?;
        let extra = row.typed(TURNWISE)?;
        if let Some(extra) = &extra {
            fits(row, extra, &facts)?;
        }
        let max_turns: Option<u32> = row.maybe("max_turns")?;
        if max_turns == Some(0) {
            return Err(row.bad("max_turns", "expected a whole number from 1 on"));
        }
        let text = |field: &str| Ok(row.maybe(field)?.map(str::to_owned));
        Ok(World {
            line: saturated(row.row() - 1),
            index: row.maybe("index")?,
            category: text("category")?,
            prompt: prompt(row)?,
            answer: row.filled("answer")?.to_owned(),
            generated_question: text(&format!("{TRUTH}.generated_question"))?,
            facts,
            final_answer: text(&format!("{TRUTH}.final_answer"))?,
            system: text("system")?,
            max_turns,
            extra,
            row: row.object().clone(),
        })
    }
}

/// `prompt`, or `messages` where that is missing or empty.
fn prompt(row: &Fields<'_>) -> Result<Vec<Message>, BadRow> {
    let is_full = |field: &&str| match row.value(field) {
        Some(Json::List(items)) => !items.is_empty(),
        Some(Json::Text(text)) => !text.is_empty(),
        other => other.is_some(),
    };
    let field = ["prompt", "messages"].into_iter().find(is_full).unwrap_or("prompt");
    let message = |message: Fields<'_>| {
        let part = |name: &str| Ok(message.get::<&str>(name)?.to_owned());
        Ok(Message { role: part("role")?, content: part("content")? })
    };
    let messages: Vec<Message> =
        row.objects(field)?.into_iter().map(message).collect::<Result<_, _>>()?;
    let asks = |message: &Message| message.role == "user" && !message.content.trim().is_empty();
    if !messages.iter().any(asks) {
        let problem = "no message of the role \"user\" has a text; the question is the last one";
        return Err(row.bad(field, problem));
    }
    Ok(messages)
}

/// The facts; an object stored as a text is decoded (specification 8.7).
fn facts(row: &Fields<'_>) -> Result<Vec<Fact>, BadRow> {
    let decoded;
    let value = match row.value(FACTS) {
        Some(Json::Text(text)) => {
            decoded = json::parse(text, Dialect::Strict)
                .map_err(|error| row.bad(FACTS, format!("it is not JSON: {error}")))?;
            Some(&decoded)
        }
        value => value,
    };
    let facts = value.and_then(Json::as_object).filter(|facts| !facts.is_empty());
    let facts = facts.ok_or_else(|| {
        let found = value.map_or("nothing", |value| match value {
            Json::Object(_) => "an empty one",
            other => other.kind(),
        });
        row.bad(FACTS, format!("expected an object of at least one fact, got {found}"))
    })?;
    let fact = |(number, (key, value)): (usize, (&str, &Json))| match value {
        Json::Text(value) if !key.trim().is_empty() && !value.trim().is_empty() => {
            Ok(Fact { key: key.to_owned(), value: value.clone() })
        }
        other => {
            let problem = "expected a key and a text, both with content";
            Err(row.bad(
                &format!("{FACTS} (fact {number})"),
                format!("{problem}; the value is {}", other.kind()),
            ))
        }
    };
    (1..).zip(facts.iter()).map(fact).collect()
}

/// Our own part has to fit the facts.
fn fits(row: &Fields<'_>, extra: &Extra, facts: &[Fact]) -> Result<(), BadRow> {
    const NO_FACT: &str = "names no key of atomic_facts; copy the key letter by letter";
    let keys: BTreeSet<&str> = facts.iter().map(|fact| fact.key.as_str()).collect();
    let mut seen = BTreeSet::new();
    for (position, fact) in extra.facts.iter().enumerate() {
        let wrong = |part: &str, problem: &str| {
            Err(row.bad(&format!("{TURNWISE}.facts[{position}].{part}"), problem))
        };
        if !keys.contains(fact.key.as_str()) {
            return wrong("key", NO_FACT);
        }
        if !seen.insert(&fact.key) {
            return wrong("key", "this fact is described twice; keep one of the two");
        }
        if !fact.depends_on.iter().all(|key| keys.contains(key.as_str())) {
            return wrong("depends_on", NO_FACT);
        }
        let named = |name: &String| extra.entities.iter().any(|entity| &entity.name == name);
        if !fact.entity.iter().all(named) {
            return wrong("entity", "names no entity of extra_info.turnwise.entities");
        }
    }
    Ok(())
}
