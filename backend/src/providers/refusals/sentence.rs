//! The sentence for people in an error.

use serde_json::Value;

use super::lists::WORDS;
use super::told::{DEEPEST, as_object};

/// The service's own sentence in an error, and that of the service behind it, if it repeats one.
pub fn sentence(body: &Value) -> Option<String> {
    let mut found = Vec::new();
    sentences(body, &mut found, 0);
    if found.is_empty() {
        leaves(body, &mut found, 0);
    }
    found.dedup();
    (!found.is_empty()).then(|| found.join("; "))
}

fn sentences(value: &Value, found: &mut Vec<String>, depth: u32) {
    if depth > DEEPEST || found.len() >= 3 {
        return;
    }
    match value {
        Value::String(text) => match as_object(text) {
            Some(inner) => sentences(&inner, found, depth + 1),
            None if !text.trim().is_empty() => {
                found.push(text.split_whitespace().collect::<Vec<_>>().join(" "));
            }
            None => {}
        },
        Value::Array(items) => items.iter().for_each(|item| sentences(item, found, depth + 1)),
        Value::Object(fields) => {
            for wanted in &WORDS.sentences {
                let of_name = fields.iter().find(|(name, _)| name.to_lowercase() == *wanted);
                if let Some((_, item)) = of_name {
                    sentences(item, found, depth + 1);
                    if matches!(item, Value::String(_)) {
                        break;
                    }
                }
            }
            for nested in ["metadata", "raw", "base_resp", "promptFeedback", "error"] {
                match fields.get(nested) {
                    Some(item @ (Value::Object(_) | Value::String(_)))
                        if nested != "error" || found.is_empty() =>
                    {
                        sentences(item, found, depth + 1);
                    }
                    _ => {}
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Any text of several words: some services put theirs where no other has one.
fn leaves(value: &Value, found: &mut Vec<String>, depth: u32) {
    if depth > DEEPEST || found.len() >= 3 {
        return;
    }
    match value {
        Value::String(text) if text.trim().contains(' ') => {
            found.push(text.split_whitespace().collect::<Vec<_>>().join(" "));
        }
        Value::Array(items) => items.iter().for_each(|item| leaves(item, found, depth + 1)),
        Value::Object(fields) => {
            let told = fields.iter().filter(|(name, _)| !WORDS.echoes.contains(name));
            told.for_each(|(_, item)| leaves(item, found, depth + 1));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
