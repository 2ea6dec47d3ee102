use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::*;

/// The plain way: the whole value as a tree, then every scalar by itself.
fn plainly(value: &Value) -> String {
    match value {
        Value::Object(map) => {
            let sorted: BTreeMap<_, _> = map.iter().collect();
            let entries: Vec<_> = sorted
                .into_iter()
                .map(|(key, value)| format!("{}:{}", Value::from(key.as_str()), plainly(value)))
                .collect();
            format!("{{{}}}", entries.join(","))
        }
        Value::Array(items) => {
            let items: Vec<_> = items.iter().map(plainly).collect();
            format!("[{}]", items.join(","))
        }
        scalar => scalar.to_string(),
    }
}

#[test]
fn canonical_form_sorts_keys_at_every_depth() {
    let value = json!({"b": [{"z": 1, "a": null}], "a": "é\n"});
    assert_eq!(canonical(&value), r#"{"a":"é\n","b":[{"a":null,"z":1}]}"#);
}

#[test]
fn fields_are_sorted_in_whatever_order_they_are_declared() {
    #[derive(Serialize)]
    #[serde(tag = "line", rename_all = "snake_case")]
    enum Event {
        Told { reply: Reply, call: u32 },
        Empty {},
    }
    #[derive(Serialize)]
    struct Reply {
        text: &'static str,
        usage: Option<(u64, f64)>,
        #[serde(flatten)]
        more: BTreeMap<&'static str, bool>,
    }
    let reply =
        Reply { text: "a \"b\"", usage: Some((3, 0.1)), more: [("t", true), ("a", false)].into() };
    assert_eq!(
        canonical(&[Event::Told { reply, call: 7 }, Event::Empty {}]),
        r#"[{"call":7,"line":"told","reply":{"a":false,"t":true,"text":"a \"b\"","usage":[3,0.1]}},{"line":"empty"}]"#
    );
}

#[test]
fn of_a_key_that_stands_twice_the_last_value_counts() {
    #[derive(Serialize)]
    struct Twice {
        b: u32,
        #[serde(flatten)]
        more: BTreeMap<&'static str, u32>,
    }
    let twice = Twice { b: 1, more: [("a", 2), ("b", 3)].into() };
    assert_eq!(canonical(&twice), r#"{"a":2,"b":3}"#);
    assert_eq!(canonical(&twice), plainly(&serde_json::to_value(&twice).unwrap()));
}

#[test]
fn what_json_itself_does_with_odd_values_stays() {
    let raw = RawValue::from_string(r#"{ "b": 1.50, "a": [ ] }"#.to_owned()).unwrap();
    assert_eq!(canonical(&raw), r#"{"a":[],"b":1.5}"#);
    for odd in [f64::NAN, f64::INFINITY, -0.0, 1e300, 5e-324, 3.0] {
        let tree = serde_json::to_value(odd).unwrap();
        assert_eq!(canonical(&odd), plainly(&tree), "{odd}");
    }
    assert_eq!(canonical(&0.1f32), plainly(&serde_json::to_value(0.1f32).unwrap()));
    let numbered = BTreeMap::from([(10, 'a'), (9, 'b')]);
    assert_eq!(canonical(&numbered), r#"{"10":"a","9":"b"}"#);
}

#[test]
fn a_digest_survives_text() {
    let digest = Digest::of("A digest");
    assert_eq!(
        digest.to_string(),
        "a603153b7ba92fbfe108f9bfdd83b7345c04bfa869d8fdcb5e05d2cb67049c03"
    );
    assert_eq!(digest.to_string().parse::<Digest>(), Ok(digest));
    assert!("f2".parse::<Digest>().is_err());
    assert!("x".repeat(64).parse::<Digest>().is_err());
}

fn any_json() -> impl Strategy<Value = Value> {
    let key = prop_oneof!["[a-c]{0,3}", "[\"\\\\\n\u{1}a-b!é中]{0,4}", any::<String>()];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((key.clone(), inner), 0..6)
                .prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn canonical_form_is_that_of_the_plain_way(value in any_json()) {
        prop_assert_eq!(canonical(&value), plainly(&value));
    }

    /// A map that keeps the order in which it was made, and keys that stand twice.
    #[test]
    fn order_and_repetition_do_not_matter(entries in prop::collection::vec(("[\"\\\\\n!a-c]{0,2}", any_json()), 0..8)) {
        struct InOrder(Vec<(String, Value)>);
        impl Serialize for InOrder {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
            }
        }
        let tree = Value::Object(entries.iter().cloned().collect());
        prop_assert_eq!(canonical(&InOrder(entries)), plainly(&tree));
    }
}
