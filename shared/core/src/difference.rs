//! The first place in which two specs differ, in words.

use serde::Serialize;
use serde_json::Value;

use crate::shortened::shortened;

/// Names the first part in which two values differ, with what stands there in each; `None` if they are equal.
pub fn difference(one: &impl Serialize, other: &impl Serialize) -> Option<Difference> {
    let one = serde_json::to_value(one).ok()?;
    let other = serde_json::to_value(other).ok()?;
    let mut path = Vec::new();
    let (one, other) = first(&one, &other, &mut path)?;
    Some(Difference { path: path.join("."), one: brief(&one), other: brief(&other) })
}

/// A part in which two values differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    pub path: String,
    /// What stands there in the first.
    pub one: String,
    /// What stands there in the second.
    pub other: String,
}

pub(crate) fn first(one: &Value, other: &Value, path: &mut Vec<String>) -> Option<(Value, Value)> {
    match (one, other) {
        (Value::Object(left), Value::Object(right)) => {
            let keys: std::collections::BTreeSet<_> = left.keys().chain(right.keys()).collect();
            keys.into_iter().find_map(|key| {
                path.push(key.clone());
                let null = Value::Null;
                let found =
                    first(left.get(key).unwrap_or(&null), right.get(key).unwrap_or(&null), path);
                if found.is_none() {
                    path.pop();
                }
                found
            })
        }
        (one, other) if one == other => None,
        (one, other) => Some((one.clone(), other.clone())),
    }
}

fn brief(value: &Value) -> String {
    let text = match value {
        Value::Null => "nothing".to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    shortened(&text, 80)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_first_difference_is_named() {
        let one = json!({"a": 1, "b": {"c": [1], "d": "x"}});
        assert_eq!(difference(&one, &one), None);
        let other = json!({"a": 1, "b": {"c": [1], "d": "y"}, "e": null});
        assert_eq!(
            difference(&one, &other),
            Some(Difference { path: "b.d".into(), one: "x".into(), other: "y".into() })
        );
        let shorter = json!({"a": 1});
        let lacking = difference(&one, &shorter).expect("they differ");
        assert_eq!(lacking.other, "nothing");
    }
}
