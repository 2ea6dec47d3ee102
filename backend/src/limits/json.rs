//! JSON as the service takes it: not too deep, of the right shape, and without a field that the server would ignore.
//!
//! Which fields a type reads cannot be asked. What it writes again, it has read; what it leaves out on the way may stand for what
//! holds without it, or be a field that it does not know. That is found out by nonsense: a type that reads the field refuses at
//! least some of it, or becomes another.

use std::collections::{HashSet, VecDeque};
use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher, Hash as _, Hasher as _};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use turnwise_shared::wire::{MAX_JSON_DEPTH, MAX_REQUEST_BYTES};

use crate::error::{Answer, Problem};

/// How many bytes are read with nonsense in them for one request. Only a client that does it on purpose needs more.
const MOST_NONSENSE: usize = 32 * MAX_REQUEST_BYTES;

/// Reads JSON as the service takes it.
///
/// # Errors
/// Where it is wrong, and how.
pub fn read_json<T: DeserializeOwned + Serialize>(bytes: &[u8]) -> Answer<T> {
    if depth(bytes) > MAX_JSON_DEPTH {
        return Err(Problem::bad_request(format!(
            "The JSON is nested more than {MAX_JSON_DEPTH} deep."
        )));
    }
    // From the text: it can say where it is wrong, and a field that stands there twice would have become one as a value.
    let read: T = serde_json::from_slice(bytes).map_err(|error| malformed(&error))?;
    if is_as_written(&read, bytes) {
        return Ok(read);
    }
    let given: Value = serde_json::from_slice(bytes).map_err(|error| malformed(&error))?;
    let understood = serde_json::to_value(&read).map_err(Problem::internal)?;
    let mut doubts = VecDeque::new();
    collect(&given, Some(&understood), &JsonPath::default(), &mut doubts);
    if !doubts.is_empty() {
        dispel::<T>(given, &understood, doubts, bytes.len())?;
    }
    Ok(read)
}

/// Whether JSON stands as this program itself would write what was read from it, as its own pages do: then it has no field that is
/// not known, and need not be looked through.
fn is_as_written<T: Serialize>(read: &T, bytes: &[u8]) -> bool {
    let mut written = Vec::with_capacity(bytes.len());
    serde_json::to_writer(&mut written, read).is_ok() && written == bytes
}

fn malformed(error: &serde_json::Error) -> Problem {
    let what = if error.is_eof() { "it ends too early".to_owned() } else { error.to_string() };
    Problem::bad_request(format!("The JSON cannot be read: {what}."))
}

/// The deepest nesting of brackets outside strings. The text need not be sound JSON.
pub fn depth(bytes: &[u8]) -> usize {
    let (mut now, mut deepest) = (0_usize, 0_usize);
    let mut rest = bytes.iter();
    while let Some(byte) = rest.next() {
        match byte {
            // Most of a request is texts.
            b'"' => {
                while let Some(b'\\') = rest.find(|byte| matches!(byte, b'"' | b'\\')) {
                    // What follows stands for itself.
                    rest.next();
                }
            }
            b'[' | b'{' => {
                now += 1;
                deepest = deepest.max(now);
            }
            b']' | b'}' => now = now.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

#[derive(Debug, Clone, Default)]
struct JsonPath {
    /// As a JSON pointer (RFC 6901).
    pointer: String,
    shown: String,
    /// What decides which type reads it, as far as that can be seen: equal for equal items of a list.
    shape: u64,
}

impl JsonPath {
    /// A field of the object that stands here.
    fn field(&self, name: &str, object: u64) -> JsonPath {
        let escaped = name.replace('~', "~0").replace('/', "~1");
        JsonPath {
            pointer: format!("{}/{escaped}", self.pointer),
            shown: match self.shown.is_empty() {
                true => name.to_owned(),
                false => format!("{}.{name}", self.shown),
            },
            shape: hash(&(object, name)),
        }
    }

    /// An item of the list that stands here.
    fn item(&self, at: usize) -> JsonPath {
        JsonPath {
            pointer: format!("{}/{at}", self.pointer),
            shown: format!("{}[{at}]", self.shown),
            shape: hash(&(self.shape, "[]")),
        }
    }
}

fn hash(what: &impl std::hash::Hash) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(what)
}

/// The shape of an object at a place: the names of its fields, and words that may say of which kind it is.
fn shape(fields: &serde_json::Map<String, Value>, place: &JsonPath) -> u64 {
    let is_word = |text: &str| {
        let character = |character: u8| character.is_ascii_alphabetic() || character == b'_';
        text.len() <= 32 && text.bytes().all(character)
    };
    let mut shape = DefaultHasher::new();
    place.shape.hash(&mut shape);
    for (name, value) in fields {
        name.hash(&mut shape);
        value.as_str().filter(|text| is_word(text)).hash(&mut shape);
    }
    shape.finish()
}

/// Collects the fields in `given` that are not in `understood`. Those that say nothing (null, empty) may be left out, known or not,
/// and are in no doubt.
fn collect(
    given: &Value,
    understood: Option<&Value>,
    place: &JsonPath,
    doubts: &mut VecDeque<JsonPath>,
) {
    let says_nothing = |value: &Value| match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        _ => false,
    };
    match (given, understood) {
        (Value::Object(given), None | Some(Value::Object(_))) => {
            let shape = shape(given, place);
            for (name, value) in given {
                let place = place.field(name, shape);
                match understood.and_then(|understood| understood.get(name)) {
                    Some(other) => collect(value, Some(other), &place, doubts),
                    None if says_nothing(value) => {}
                    None => doubts.push_back(place),
                }
            }
        }
        (Value::Array(given), None) => {
            for (at, value) in given.iter().enumerate() {
                collect(value, None, &place.item(at), doubts);
            }
        }
        (Value::Array(given), Some(Value::Array(understood))) => {
            for (at, (value, other)) in given.iter().zip(understood).enumerate() {
                collect(value, Some(other), &place.item(at), doubts);
            }
        }
        _ => {}
    }
}

/// Finds out of every field in doubt whether it is read.
///
/// # Errors
/// If one is not; if there are too many to find out.
fn dispel<T: DeserializeOwned + Serialize>(
    mut given: Value,
    understood: &Value,
    mut doubts: VecDeque<JsonPath>,
    bytes: usize,
) -> Answer<()> {
    let nonsense = [Value::from("\u{1}?"), Value::from(true), Value::from(vec![true])];
    // What cannot be read from values is read from text again.
    let from_values = T::deserialize(&given).is_ok();
    let read = |given: &Value| match from_values {
        true => T::deserialize(given),
        false => serde_json::from_str(&given.to_string()),
    };
    let mut left = MOST_NONSENSE;
    let mut known = HashSet::new();
    while let Some(place) = doubts.pop_front() {
        let mut is_known = known.contains(&place.shape);
        for nonsense in &nonsense {
            if is_known {
                break;
            }
            left = left.checked_sub(bytes).ok_or_else(|| {
                Problem::bad_request(format!(
                    "The JSON says too often what holds anyway, e.g. in {}. Leave such fields out.",
                    place.shown
                ))
            })?;
            let kept = put(&mut given, &place, nonsense.clone());
            is_known = match read(&given) {
                Ok(other) => serde_json::to_value(&other).ok().as_ref() != Some(understood),
                Err(_) => true,
            };
            put(&mut given, &place, kept);
        }
        if !is_known {
            return Err(Problem::bad_request(format!(
                "The JSON has a field that is not known here: {}.",
                place.shown
            )));
        }
        known.insert(place.shape);
        // It is read, and written as nothing: what stands in it is in doubt, too.
        if let Some(value) = given.pointer(&place.pointer) {
            collect(value, None, &place, &mut doubts);
        }
    }
    Ok(())
}

/// Puts a value to a place, and returns what stood there.
fn put(given: &mut Value, place: &JsonPath, value: Value) -> Value {
    let there = given.pointer_mut(&place.pointer);
    std::mem::replace(there.expect("it was found there"), value)
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::json;
    use turnwise_shared::wire::{CallRequest, Frame, SetState};

    use super::*;

    #[test]
    fn depth_counts_brackets_outside_strings() {
        assert_eq!(depth(br#"{"a":[1,{"b":"]]}}[[[\"{{"}]}"#), 3);
        assert_eq!(depth(b"]]]"), 0);
        assert_eq!(depth(&[b'['; 65]), 65);
    }

    #[test]
    fn bodies_are_read_strictly_and_errors_name_the_place() {
        let state =
            |text: &str| read_json::<SetState>(text.as_bytes()).map_err(|p| p.error.message);
        assert!(state(r#"{"state":"open"}"#).is_ok());
        assert!(state(r#"{"state":"open","other":null}"#).is_ok());
        for (text, said) in [
            (r#"{"state":"open","stat":1}"#, "not known here: stat."),
            (r#"{"state":"shut"}"#, "unknown variant `shut`"),
            (r#"{"state":"open","state":"closed"}"#, "duplicate field `state`"),
            (r#"{"state":"open""#, "ends too early"),
            ("", "ends too early"),
            ("\u{fffd}", "expected value"),
            (&"[".repeat(100), "64 deep"),
        ] {
            let error = state(text).expect_err(text);
            assert!(error.contains(said), "{text} gives {error}");
        }
    }

    #[test]
    fn what_stands_as_we_write_it_is_read_at_once() {
        let state = r#"{"state":"open"}"#;
        let stands = |text: &str| {
            let read: SetState = serde_json::from_str(text).expect("it is read");
            is_as_written(&read, text.as_bytes())
        };
        assert!(stands(state));
        for other in [r#"{"state": "open"}"#, r#"{"state":"open","other":1}"#] {
            assert!(!stands(other), "{other}");
        }
    }

    #[test]
    fn a_field_that_nobody_reads_is_found_deep_inside_a_frame() {
        let frame = json!({"v": 1, "id": 3, "kind": "call", "request": {
            "outgoing": "search", "engine": "local", "query": {"text": "a", "results": 5, "limit": 7}
        }, "key": {"run": "0".repeat(32), "episode": "1.r1.play", "call": 1, "digest": "0".repeat(64)}});
        let error = read_json::<Frame>(frame.to_string().as_bytes()).expect_err("limit is unknown");
        assert!(error.error.message.contains("request.query.limit"), "{error}");
    }

    fn is_default<T: Default + PartialEq>(value: &T) -> bool {
        *value == T::default()
    }

    #[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
    struct Inner {
        #[serde(default, skip_serializing_if = "is_default")]
        number: u8,
        #[serde(default, skip_serializing_if = "is_default")]
        text: String,
    }

    #[derive(Debug, Serialize, Deserialize)]
    #[serde(tag = "kind", rename_all = "snake_case")]
    enum Tagged {
        One {
            #[serde(default, skip_serializing_if = "is_default")]
            number: u8,
            #[serde(default, skip_serializing_if = "is_default")]
            switch: bool,
            #[serde(default, skip_serializing_if = "is_default")]
            inner: Inner,
            #[serde(default, skip_serializing_if = "Value::is_null")]
            any: Value,
        },
        Other {
            #[serde(default, skip_serializing_if = "is_default")]
            text: String,
        },
    }

    #[derive(Debug, Serialize, Deserialize)]
    struct Outer {
        #[serde(flatten)]
        first: Tagged,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        list: Vec<Tagged>,
    }

    #[test]
    fn a_field_that_says_what_holds_anyway_is_known_at_any_depth() {
        let read = |given: Value| {
            let read = read_json::<Outer>(given.to_string().as_bytes());
            read.map(|_| ()).map_err(|problem| problem.error.message)
        };
        let one = json!({ "kind": "one", "number": 0, "switch": false, "inner": { "number": 0, "text": "" } });
        let other = json!({ "kind": "other", "text": "" });
        let mut given = one.clone();
        given["list"] = json!([one, other, one]);
        assert_eq!(read(given.clone()), Ok(()));
        for (pointer, shown) in [
            ("", "text"),
            ("/inner", "inner.switch"),
            ("/list/1", "list[1].number"),
            ("/list/2", "list[2].text"),
            ("/list/2/inner", "list[2].inner.a/b~c"),
        ] {
            let mut wrong = given.clone();
            let name = shown.rsplit('.').next().expect("a name");
            let at = wrong.pointer_mut(pointer).expect("it is there");
            at[name] = json!(0);
            let error = read(wrong).expect_err(shown);
            assert!(error.ends_with(&format!("known here: {shown}.")), "{shown}: {error}");
        }
    }

    #[test]
    fn long_lists_of_what_holds_anyway_are_read_and_odd_ones_are_not_read_for_ever() {
        let items = |of: &dyn Fn(usize) -> Value| {
            let items: Vec<_> = (0..5000).map(of).collect();
            let text = json!({ "kind": "other", "list": items }).to_string();
            read_json::<Outer>(text.as_bytes()).map(|outer| outer.list.len())
        };
        let same = items(&|_| json!({ "kind": "one", "number": 0, "switch": false }));
        assert_eq!(same.expect("it is known"), 5000);
        let odd = items(&|at| {
            let mut item = json!({ "kind": "one", "number": 0 });
            item[format!("nothing{at}")] = Value::Null;
            item
        });
        let error = odd.expect_err("it would take too long").error.message;
        assert!(error.contains("Leave such fields out"), "{error}");
    }

    #[test]
    fn requests_may_say_what_holds_anyway() {
        let key = json!({ "run": "0".repeat(32), "episode": "1.r1.play", "call": 1, "digest": "0".repeat(64) });
        let request = json!({ "outgoing": "search", "engine": "local", "query": { "text": "a", "results": 5 } });
        let call = json!({ "key": key, "token": "t", "epoch": 0, "request": request });
        read_json::<CallRequest>(call.to_string().as_bytes()).expect("an epoch");
        let hello = json!({ "v": 1, "id": 0, "kind": "hello", "run": "0".repeat(32), "token": "t", "epoch": 0, "acknowledged": 0 });
        read_json::<Frame>(hello.to_string().as_bytes()).expect("an epoch");
        let wrong = json!({ "v": 1, "id": 0, "kind": "ack", "epoch": 0 });
        let error = read_json::<Frame>(wrong.to_string().as_bytes()).expect_err("none in an ack");
        assert!(error.error.message.contains("known here: epoch."), "{error}");
    }
}
