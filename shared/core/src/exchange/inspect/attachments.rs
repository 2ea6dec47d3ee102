//! Long texts are kept aside in a sample, and a pointer with their hash stands in their place, wherever a text can stand.

use std::collections::BTreeMap;

use serde_json::Value;

/// How a pointer begins; the second is what logs wrote until 2024.
const POINTERS: [&str; 2] = ["attachment://", "tc://"];

/// The shortest name of a text that is kept aside, in signs. Shorter ones are no hashes.
const SHORTEST: usize = 16;

/// The texts that pointers add up to are more than a sample may be.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TooLong;

/// Puts every text back in its place, `limit` bytes in all. Gives back how many are missing: their places say so.
pub(super) fn put_back(sample: &mut Value, limit: u64) -> Result<usize, TooLong> {
    let kept = sample.get_mut("attachments").map(Value::take);
    let kept = match kept {
        Some(Value::Object(kept)) => kept
            .into_iter()
            .filter_map(|(hash, text)| match text {
                Value::String(text) => Some((hash, text)),
                _ => None,
            })
            .collect(),
        _ => BTreeMap::new(),
    };
    let mut walk = Walk {
        kept,
        room: limit,
        missing: 0,
    };
    walk.value(sample)?;
    Ok(walk.missing)
}

struct Walk {
    kept: BTreeMap<String, String>,
    room: u64,
    missing: usize,
}

impl Walk {
    fn value(&mut self, value: &mut Value) -> Result<(), TooLong> {
        match value {
            Value::String(text) => {
                if let Some(whole) = self.behind(text)? {
                    *text = whole;
                }
                Ok(())
            }
            Value::Array(items) => items.iter_mut().try_for_each(|item| self.value(item)),
            Value::Object(members) => members.values_mut().try_for_each(|one| self.value(one)),
            Value::Null | Value::Bool(_) | Value::Number(_) => Ok(()),
        }
    }

    /// What stands behind a pointer; `None` for any other text.
    fn behind(&mut self, text: &str) -> Result<Option<String>, TooLong> {
        let Some(hash) = POINTERS.iter().find_map(|begin| text.strip_prefix(begin)) else {
            return Ok(None);
        };
        if let Some(whole) = self.kept.get(hash) {
            let length = u64::try_from(whole.len()).unwrap_or(u64::MAX);
            self.room = self.room.checked_sub(length).ok_or(TooLong)?;
            return Ok(Some(whole.clone()));
        }
        let is_hash =
            hash.len() >= SHORTEST && hash.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if !is_hash {
            return Ok(None);
        }
        self.missing += 1;
        Ok(Some(format!("[this part is missing in the log: {text}]")))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn pointers_are_followed_wherever_they_stand() {
        let hash = "0123456789abcdef0123456789abcdef";
        for begin in POINTERS {
            let pointer = format!("{begin}{hash}");
            let mut sample = json!({
                "input": pointer, "target": [pointer, "b"], "short": "tc://x", "url": format!("{pointer} and more"),
                "messages": [{ "content": [{ "type": "text", "text": pointer }] }],
                "events": [{ "arguments": { "deep": { "list": [[pointer]] } } }],
                "attachments": { hash: "long" },
            });
            assert_eq!(put_back(&mut sample, 100), Ok(0));
            let told = sample.to_string();
            assert_eq!(told.matches("\"long\"").count(), 4, "{told}");
            assert_eq!(sample["short"], "tc://x");
            assert_eq!(sample["url"], format!("{pointer} and more"));
        }
    }

    #[test]
    fn what_is_missing_is_said_in_its_place_and_counted() {
        let pointer = "attachment://0123456789abcdef0123456789abcdef";
        for attachments in [
            json!({}),
            json!(null),
            json!([]),
            json!({ "0123456789abcdef0123456789abcdef": 5 }),
        ] {
            let mut sample = json!({ "a": pointer, "b": [pointer], "attachments": attachments });
            assert_eq!(put_back(&mut sample, 100), Ok(2));
            let said = sample["a"].as_str().unwrap_or_default();
            assert!(said.contains("missing") && said.contains(pointer), "{said}");
        }
        let mut sample = json!({ "a": pointer });
        assert_eq!(put_back(&mut sample, 100), Ok(1));
    }

    #[test]
    fn a_text_that_many_point_to_does_not_fill_the_memory() {
        let hash = "0123456789abcdef";
        let pointers = vec![format!("tc://{hash}"); 11];
        let mut sample = json!({ "a": pointers, "attachments": { hash: "ten signs." } });
        assert_eq!(put_back(&mut sample, 100), Err(TooLong));
    }
}
