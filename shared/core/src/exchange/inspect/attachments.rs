//! Long texts are kept aside in a sample, and a pointer with their hash stands in their place, wherever a text can stand.

use std::collections::BTreeMap;

use serde_json::Value;

/// How a pointer begins; the second is what logs wrote until 2024.
const POINTERS: [&str; 2] = ["attachment://", "tc://"];

/// The shortest name of a text that is kept aside, in signs. Shorter ones are no hashes.
const SHORTEST: usize = 16;

/// How many pointers may lead to a text, one to the next.
const DEPTH: usize = 8;

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
    let mut walk = Walk { kept, room: limit, missing: 0 };
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
                if let Some(whole) = self.behind(text, DEPTH)? {
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
    fn behind(&mut self, text: &str, depth: usize) -> Result<Option<String>, TooLong> {
        let Some(hash) = POINTERS.iter().find_map(|begin| text.strip_prefix(begin)) else {
            return Ok(None);
        };
        if let Some(whole) = self.kept.get(hash) {
            let length = u64::try_from(whole.len()).unwrap_or(u64::MAX);
            self.room = self.room.checked_sub(length).ok_or(TooLong)?;
            let whole = whole.clone();
            // A text that is kept aside may be a pointer itself; one that leads back to itself has no text.
            return match depth {
                0 => Ok(Some(self.missing(text))),
                _ => Ok(Some(self.behind(&whole, depth - 1)?.unwrap_or(whole))),
            };
        }
        let is_hash =
            hash.len() >= SHORTEST && hash.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if !is_hash {
            return Ok(None);
        }
        Ok(Some(self.missing(text)))
    }

    fn missing(&mut self, pointer: &str) -> String {
        self.missing += 1;
        format!("[this part is missing in the log: {pointer}]")
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
    fn pointers_to_pointers_are_followed_and_those_in_a_circle_are_missing() {
        let hash = |sign: &str| sign.repeat(16);
        let to = |sign: &str| format!("attachment://{}", hash(sign));
        let attachments = json!({
            hash("a"): to("b"), hash("b"): format!("tc://{}", hash("c")), hash("c"): "long",
            hash("d"): to("e"), hash("e"): to("d"), hash("f"): to("9"),
        });
        let mut sample = json!({ "deep": to("a"), "circle": to("d"), "gone": to("f"), "attachments": attachments });
        assert_eq!(put_back(&mut sample, 10_000), Ok(2));
        assert_eq!(sample["deep"], "long");
        for missing in ["circle", "gone"] {
            let said = sample[missing].as_str().unwrap_or_default();
            assert!(said.starts_with("[this part is missing"), "{said}");
        }
    }

    #[test]
    fn what_is_missing_is_said_in_its_place_and_counted() {
        let pointer = "attachment://0123456789abcdef0123456789abcdef";
        for attachments in
            [json!({}), json!(null), json!([]), json!({ "0123456789abcdef0123456789abcdef": 5 })]
        {
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
