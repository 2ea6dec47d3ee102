use super::*;
use crate::testing::cases;

fn strict(text: &str) -> Result<Json, JsonError> {
    parse(text, Dialect::Strict)
}

fn problem(text: &str, dialect: Dialect) -> (usize, Problem) {
    let error = parse(text, dialect).unwrap_err();
    (error.at, error.problem)
}

#[test]
fn the_strict_dialect_refuses_what_is_ambiguous() {
    assert_eq!(problem("NaN", Dialect::Strict), (0, Problem::NoValue));
    assert_eq!(problem("[-Infinity]", Dialect::Strict), (1, Problem::NoValue));
    assert_eq!(problem("[1e999]", Dialect::Strict), (1, Problem::NumberTooLarge));
    assert_eq!(problem(r#"{"a":1,"a":2}"#, Dialect::Strict), (7, Problem::SameKey));
    assert_eq!(problem(r#"{"a":1,"\u0061":2}"#, Dialect::Strict), (7, Problem::SameKey));
    assert_eq!(problem(r#""\ud800""#, Dialect::Strict), (1, Problem::LoneSurrogate));
    assert_eq!(problem(r#""\udc00\ud800""#, Dialect::Strict), (1, Problem::LoneSurrogate));
    assert_eq!(problem("\"a\u{1}\"", Dialect::Strict), (2, Problem::RawControl));
}

#[test]
fn raw_breaks_are_let_through_and_reported() {
    let prefix = parse_prefix("{\"a\":\"x\ny\tz\"} rest", Dialect::Strict).unwrap();
    assert!(prefix.eased.raw_breaks);
    assert_eq!(prefix.end, 13);
    assert_eq!(prefix.value.as_object().unwrap().get("a"), Some(&Json::from("x\ny\tz")));
    assert_eq!(problem("\"x\ny\"", Dialect::Python), (2, Problem::RawControl));
    assert!(!parse_prefix("{\n}", Dialect::Strict).unwrap().eased.raw_breaks);
}

#[test]
fn a_lone_surrogate_becomes_a_replacement_character_in_python_s_dialect() {
    let read = |text| parse(text, Dialect::Python).unwrap();
    assert_eq!(read(r#""\ud800x""#), Json::from("\u{fffd}x"));
    assert_eq!(read(r#""\ud800\ud83d\ude00""#), Json::from("\u{fffd}\u{1f600}"));
}

#[test]
fn order_and_size_are_kept() {
    let value = strict(r#"{"z":123456789012345678901234567890,"a":-0,"m":1.50}"#).unwrap();
    let object = value.as_object().unwrap();
    assert_eq!(object.keys().collect::<Vec<_>>(), ["z", "a", "m"]);
    let Some(Json::Int(large)) = object.get("z") else { panic!("{value:?}") };
    assert_eq!(large.digits(), "123456789012345678901234567890");
    assert_eq!(large.as_i64(), None);
    assert_eq!(object.get("a"), Some(&Json::Int(Int::from(0))));
    assert_eq!(
        serde_json::to_string(&value).unwrap(),
        r#"{"z":"123456789012345678901234567890","a":0,"m":1.5}"#
    );
}

#[test]
fn nesting_is_limited() {
    let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    for dialect in [Dialect::Python, Dialect::Strict, Dialect::Loose] {
        assert!(parse(&nested(DEPTH), dialect).is_ok());
        assert_eq!(problem(&nested(DEPTH + 1), dialect), (DEPTH, Problem::TooDeep));
        assert_eq!(problem(&"[".repeat(1 << 20), dialect), (DEPTH, Problem::TooDeep));
        assert_eq!(problem(&"{\"a\":".repeat(1 << 18), dialect), (5 * DEPTH, Problem::TooDeep));
    }
}

#[test]
fn ascii_literals_are_python_s() {
    let mut out = String::new();
    write_ascii("a\"\\\n\r\t\u{8}\u{c}\u{0}\u{7f}é测\u{1f600}~", &mut out);
    assert_eq!(out, r#""a\"\\\n\r\t\b\f\u0000\u007f\u00e9\u6d4b\ud83d\ude00~""#);
}

proptest::proptest! {
    #[test]
    fn reading_never_panics(text in "(?s).*") {
        let _ = parse(&text, Dialect::Python);
        let _ = parse_prefix(&text, Dialect::Strict);
    }

    #[test]
    fn what_is_nearly_json_never_panics(text in r#"[\[\]{}:,"\\ude08n0-9a.\-]{0,40}"#) {
        let _ = parse(&text, Dialect::Python);
        let _ = parse_prefix(&text, Dialect::Strict);
    }

    #[test]
    fn an_ascii_literal_reads_back(text in "(?s).*") {
        let mut literal = String::new();
        write_ascii(&text, &mut literal);
        proptest::prop_assert!(literal.is_ascii());
        proptest::prop_assert_eq!(strict(&literal), Ok(Json::Text(text)));
    }
}

#[test]
fn the_loose_dialect_reads_what_models_write() {
    let loose = |text: &str| {
        let value = parse(text, Dialect::Loose);
        value.map(|value| serde_json::to_string(&value).unwrap())
    };
    for (text, wanted) in cases::<(&str, &str)>(include_str!("tests/loose.jsonl")) {
        assert_eq!(loose(text).as_deref(), Ok(wanted), "{text}");
    }
    for bad in ["[,]", "{a}", "{: 1}", "[1 2]", "'x", "[1e999]", "{'a': 1"] {
        assert!(loose(bad).is_err(), "{bad}");
    }
}
