//! Counts of tokens as services tell them: some are texts, some are none, and of several accounts of one reply the later ones
//! may know less than the first.

use serde_json::{Map, Value};
use turnwise_shared::prompt::Usage;

/// Members by which the formats count what was written.
const WRITTEN: [&str; 4] =
    ["completion_tokens", "output_tokens", "candidatesTokenCount", "thoughtsTokenCount"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Count {
    /// The service says nothing of it.
    Untold,
    Known(u64),
    /// The service says something that is no count.
    Odd,
}

impl Count {
    /// Reads one: a whole number, written as `20`, `20.0` or `"20"`.
    pub fn read(value: Option<&Value>) -> Self {
        let told = match value {
            None | Some(Value::Null) => return Count::Untold,
            Some(Value::Number(number)) => number.as_u64().or_else(|| whole(number.as_f64()?)),
            Some(Value::String(text)) => {
                let text = text.trim();
                text.parse().ok().or_else(|| whole(text.parse().ok()?))
            }
            Some(_) => None,
        };
        told.map_or(Count::Odd, Count::Known)
    }

    /// The first of several members that says anything.
    pub fn first(account: &Value, paths: &[&str]) -> Self {
        let mut all = paths.iter().map(|path| Count::read(account.pointer(path)));
        all.find(|count| *count != Count::Untold).unwrap_or(Count::Untold)
    }

    /// Both together; a count that was not reported adds nothing.
    #[must_use]
    pub fn and(self, other: Count) -> Self {
        match (self, other) {
            (Count::Untold, count) | (count, Count::Untold) => count,
            (Count::Known(one), Count::Known(other)) => Count::Known(one.saturating_add(other)),
            _ => Count::Odd,
        }
    }

    /// The number, if it is one.
    pub fn told(self) -> Option<u64> {
        match self {
            Count::Known(count) => Some(count),
            Count::Untold | Count::Odd => None,
        }
    }
}

fn whole(number: f64) -> Option<u64> {
    // Larger numbers have no digits behind the point in this type, and none is a count.
    let is_whole = number.fract() == 0.0 && (0.0..=9e15).contains(&number);
    is_whole.then_some(number as u64)
}

/// The parts of an account that everybody has by name.
#[derive(Debug, Clone, Copy)]
pub struct Parts {
    pub input: Count,
    pub cached: Count,
    pub cache_written: Count,
    pub output: Count,
    pub reasoning: Count,
}

impl Parts {
    /// As usage. A part that is no count makes the whole unknown to which it belongs: something else may be wrong in it, too.
    pub fn usage(self, raw: Value) -> Usage {
        let is_odd = |parts: &[Count]| parts.contains(&Count::Odd);
        let read = [self.input, self.cached, self.cache_written];
        let read = match is_odd(&read) {
            true => [None; 3],
            false => read.map(Count::told),
        };
        let written = [self.output, self.reasoning];
        let written = match is_odd(&written) {
            true => [None; 2],
            false => written.map(Count::told),
        };
        let ([input, cached, cache_written], [output, reasoning]) = (read, written);
        Usage { input, cached, cache_written, output, reasoning, raw }
    }
}

/// What a service has reported of the tokens of one reply.
#[derive(Debug, Clone, Default)]
pub struct Account {
    told: Map<String, Value>,
    /// How much of the reply had come at the last report of the written tokens.
    written_until: usize,
}

impl Account {
    /// Takes a further account, after `bytes` bytes of the reply. Later counts are of the whole reply, so they take the place of
    /// earlier ones; but 0 and what is no count do not take the place of a number.
    pub fn add(&mut self, account: Option<&Value>, bytes: usize) {
        let Some(Value::Object(account)) = account else {
            return;
        };
        if WRITTEN.iter().any(|name| is_some(account.get(*name))) {
            self.written_until = bytes;
        }
        merge(&mut self.told, account);
    }

    /// All that was reported; `None` if nothing was.
    pub fn told(self) -> Option<Value> {
        (!self.told.is_empty()).then_some(Value::Object(self.told))
    }

    /// Whether more of the reply has come since it was counted.
    pub fn is_behind(&self, bytes: usize) -> bool {
        bytes > self.written_until
    }
}

fn is_some(value: Option<&Value>) -> bool {
    matches!(Count::read(value), Count::Known(1..))
}

fn merge(before: &mut Map<String, Value>, account: &Map<String, Value>) {
    for (name, value) in account {
        match (before.get_mut(name), value) {
            (Some(Value::Object(before)), Value::Object(more)) => merge(before, more),
            (Some(Value::Object(_)), _) => {}
            (Some(_), Value::Null) => {}
            (Some(before), value) if is_some(Some(before)) && !is_some(Some(value)) => {}
            _ => {
                before.insert(name.clone(), value.clone());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn counts_are_read_as_services_write_them() {
        for (value, count) in [
            (json!(20), Count::Known(20)),
            (json!(20.0), Count::Known(20)),
            (json!("20"), Count::Known(20)),
            (json!(" 20.0 "), Count::Known(20)),
            (json!(0), Count::Known(0)),
            (json!(-0.0), Count::Known(0)),
            (json!(u64::MAX), Count::Known(u64::MAX)),
            (json!(null), Count::Untold),
            (json!(20.5), Count::Odd),
            (json!(-3), Count::Odd),
            (json!("-3"), Count::Odd),
            (json!(1e300), Count::Odd),
            (json!("many"), Count::Odd),
            (json!("NaN"), Count::Odd),
            (json!("inf"), Count::Odd),
            (json!(true), Count::Odd),
            (json!([20]), Count::Odd),
            (json!({}), Count::Odd),
        ] {
            assert_eq!(Count::read(Some(&value)), count, "{value}");
        }
    }

    #[test]
    fn nothing_takes_the_place_of_a_number() {
        let mut account = Account::default();
        account.add(
            Some(&json!({ "prompt_tokens": 1500, "completion_tokens": 1, "details": { "cached": 300, "audio": 0 }, "tier": "a" })),
            0,
        );
        assert!(account.is_behind(1));
        for further in [
            json!({ "prompt_tokens": 0, "completion_tokens": 7, "details": { "cached": 0, "audio": 2 }, "tier": "b" }),
            json!({ "prompt_tokens": null, "completion_tokens": -1, "details": null }),
            json!({ "prompt_tokens": "?", "completion_tokens": 0.5, "details": 0 }),
            json!({}),
            json!([1]),
            json!(null),
        ] {
            account.add(Some(&further), 5);
        }
        assert!(!account.is_behind(5) && account.is_behind(6));
        assert_eq!(
            account.told(),
            Some(
                json!({ "prompt_tokens": 1500, "completion_tokens": 7, "details": { "cached": 300, "audio": 2 }, "tier": "b" })
            )
        );
    }
}
