//! What happened in the world of an episode, in one line.

use serde_json::Value;

use crate::shortened::shortened;

/// How many characters of an event are shown in its line.
const LONGEST_LINE: usize = 140;

/// Everything of an event that fits into a line: its plain members, and its lists of plain members. What is deeper stands in the
/// raw lines.
pub fn line(detail: &Value) -> String {
    let parts: Vec<String> = match detail {
        Value::Object(members) => members
            .iter()
            .filter_map(|(name, value)| {
                Some(format!("{} {}", name.replace('_', " "), short(value)?))
            })
            .collect(),
        other => short(other).into_iter().collect(),
    };
    let line = parts.join(", ");
    shortened(&line, LONGEST_LINE)
}

fn short(value: &Value) -> Option<String> {
    match value {
        Value::Null | Value::Object(_) => None,
        Value::String(text) => Some(text.clone()),
        Value::Bool(_) | Value::Number(_) => Some(value.to_string()),
        Value::Array(items) if items.is_empty() => None,
        Value::Array(items) => {
            let items: Option<Vec<String>> = items
                .iter()
                .map(|item| match item {
                    Value::Array(_) => None,
                    other => short(other),
                })
                .collect();
            items.map(|items| items.join(" "))
        }
    }
}
