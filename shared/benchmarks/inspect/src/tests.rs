use serde_json::json;

use super::*;

#[test]
fn scores_are_numbers_as_inspect_takes_them() {
    for (value, wanted) in [
        (json!("C"), Some(1.0)),
        (json!("I"), Some(0.0)),
        (json!("P"), Some(0.5)),
        (json!("N"), Some(0.0)),
        (json!("Yes"), Some(1.0)),
        (json!("false"), Some(0.0)),
        (json!("0.25"), Some(0.25)),
        (json!(-3), Some(-3.0)),
        (json!(true), Some(1.0)),
        (json!("inf"), None),
        (json!("maybe"), None),
        (json!([1]), None),
        (Value::Null, None),
    ] {
        assert_eq!(number(&value), wanted, "{value}");
    }
}

#[test]
fn it_cannot_be_played() {
    let spec = turnwise_core::benchmark::default_spec(&Inspect);
    assert!(Inspect.check(&spec).is_ok());
    let task = Task {
        id: "1".into(),
        digest: Digest::of(""),
        labels: BTreeMap::new(),
        fields: BTreeMap::new(),
    };
    assert!(Inspect.open(&spec, &task, &Inspect.pack()).is_err());
}
