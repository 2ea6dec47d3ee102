use serde_json::Value;

use super::*;
use crate::json::{self, Dialect};

fn vectors(kind: &str) -> Vec<Vec<Value>> {
    let table: Value = serde_json::from_str(include_str!("vectors.json")).unwrap();
    let rows: Vec<Vec<Value>> = serde_json::from_value(table[kind].clone()).unwrap();
    assert!(rows.len() > 40, "{kind}: only {} rows", rows.len());
    rows
}

#[test]
fn strip_lower_and_first_line_are_python_s() {
    for row in vectors("strip") {
        assert_eq!(strip(row[0].as_str().unwrap()), row[1], "{row:?}");
    }
    for row in vectors("lower") {
        assert_eq!(lower(row[0].as_str().unwrap()), row[1], "{row:?}");
    }
    for row in vectors("first_line") {
        assert_eq!(first_line(row[0].as_str().unwrap()), row[1].as_str(), "{row:?}");
    }
}

#[test]
fn repr_str_and_bool_are_python_s() {
    for row in vectors("repr") {
        let value = json::parse(row[0].as_str().unwrap(), Dialect::Python).unwrap();
        assert_eq!(repr(&value), row[1], "{row:?}");
        assert_eq!(text(&value), row[2], "{row:?}");
        assert_eq!(truthy(&value), row[3], "{row:?}");
    }
    for row in vectors("float") {
        assert_eq!(float(row[0].as_str().unwrap().parse().unwrap()), row[1], "{row:?}");
    }
}

#[test]
fn json_is_read_as_python_reads_it() {
    for row in vectors("loads") {
        let read = json::parse(row[0].as_str().unwrap(), Dialect::Python);
        assert_eq!(read.ok().map(|value| repr(&value)).as_deref(), row[1].as_str(), "{row:?}");
    }
}

#[test]
fn printed_values_are_read_back() {
    for row in vectors("literal") {
        let read = literal(row[0].as_str().unwrap());
        assert_eq!(read.ok().map(|value| repr(&value)).as_deref(), row[1].as_str(), "{row:?}");
    }
    assert_eq!(literal("{'a': 1, 'a': 2}").unwrap_err().why, "a key stands twice");
    assert!(literal(&"[".repeat(100_000)).is_err());
}

proptest::proptest! {
    #[test]
    fn literal_never_panics(text in "\\PC*") {
        let _ = literal(&text);
    }

    #[test]
    fn what_is_printed_is_read_back(texts in proptest::collection::vec("(?s).*", 0..4)) {
        let value = Json::List(texts.iter().map(|text| Json::from(text.as_str())).collect());
        proptest::prop_assert_eq!(literal(&repr(&value)), Ok(value));
    }
}
