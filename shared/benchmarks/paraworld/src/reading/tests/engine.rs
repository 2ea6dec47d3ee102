use serde_json::{Value, json};

use crate::reading::engine::*;
use crate::task::Fact;

const B: &str = r#"{"is_compound_query": false, "hit": 1, "matched_fact_keys": ["K1"], "search_result": [{"id": 1, "title": "t", "content": "c", "date": "2027-01-01"}]}"#;

fn with_keys(keys: &str) -> String {
    B.replace(r#"["K1"]"#, keys)
}

/// Compound, hit, keys and number of results; null where nothing was read.
fn shown(text: &str) -> Value {
    match reference(text) {
        Reply::Read(fields) => {
            let results = serde_json::to_value(&fields.search_result).unwrap();
            json!([
                fields.is_compound_query,
                fields.hit,
                fields.matched_fact_keys,
                results.as_array().map(Vec::len)
            ])
        }
        Reply::Unreadable => json!("unreadable"),
        Reply::NotAnObject => json!("call failed"),
    }
}

/// Specification 4.5, P1 to P17.
#[test]
fn golden_replies_of_the_reference() {
    let base = json!([false, 1, ["K1"], 1]);
    let cases = [
        ("P1", format!("<think>{{\"hit\": 0}}</think>\n```json\n{B}\n```"), base.clone()),
        ("P2", format!("a draft {{\"hit\": 1}} </think> {B}"), json!([true, 1, [], 0])),
        ("P3", format!("{{\"note\": 1}} {B}"), json!([true, 0, [], 0])),
        ("P4", with_keys(r#"["K1","K2"]"#), base.clone()),
        ("P5", with_keys(r#""K1""#), base.clone()),
        ("P6", with_keys("null"), json!([false, 1, [], 1])),
        ("P7", B.replace("false", "true"), json!([true, 1, ["K1"], 1])),
        ("P8a", with_keys("[]"), json!([false, 1, [], 1])),
        ("P8b", B.replace(r#""hit": 1"#, r#""hit": 0"#), json!([false, 0, ["K1"], 1])),
        ("P8c", with_keys(r#"["unknown"]"#), json!([false, 1, ["unknown"], 1])),
        ("P8d", B.replace(r#""hit": 1"#, r#""hit": "1""#), json!([false, "1", ["K1"], 1])),
        ("P9", B.replace(r#"["K1"]"#, r#"["K1",]"#).replace("}]}", "}],\n}"), base.clone()),
        ("P10", B.replace('"', "'"), base.clone()),
        ("P12", B.replace(r#""content": "c""#, r#""content": "a } b""#), json!("unreadable")),
        ("P14a", B[..B.find("}]").unwrap() + 1].to_owned(), json!("unreadable")),
        ("P14b", format!("{},", &B[..B.find("}]").unwrap() + 1]), json!("unreadable")),
        ("P14c", B[..B.find("K1").unwrap() + 1].to_owned(), json!("unreadable")),
        ("P14d", B[..B.find(r#", "search"#).unwrap()].to_owned(), json!("unreadable")),
        ("P14e", B[..B.find(r#"{"id""#).unwrap()].to_owned(), json!("unreadable")),
        ("P15", r#"[{"a":1}]"#.to_owned(), json!([true, 0, [], 0])),
        ("P16a", "[1,2]".to_owned(), json!("call failed")),
        ("P16b", "5".to_owned(), json!("call failed")),
        ("P17a", "I could not find anything.".to_owned(), json!("unreadable")),
        ("P17b", String::new(), json!("unreadable")),
    ];
    for (id, text, wanted) in cases {
        assert_eq!(shown(&text), wanted, "{id}: {text}");
    }
}

#[test]
fn a_raw_line_break_is_deleted_and_a_cut_text_kept() {
    let content = |text: &str| match reference(text) {
        Reply::Read(fields) => {
            serde_json::to_value(&fields.search_result).unwrap()[0]["content"].clone()
        }
        other => panic!("{other:?}"),
    };
    // P11 and P13.
    assert_eq!(content(&B.replace(r#""content": "c""#, "\"content\": \"a\nb\"")), "ab");
    let reordered = B.replace(
        r#""title": "t", "content": "c", "date": "2027-01-01""#,
        r#""title": "t", "content": "cut he"#,
    );
    assert_eq!(content(&reordered[..reordered.find("cut he").unwrap() + 6]), "cut he");
}

#[test]
fn errors_that_end_retries() {
    let texts = ["HTTP 400", "waited 14000 ms", "INVALID request", "timeout"];
    assert_eq!(texts.map(ends_retries), [true, true, true, false]);
}

fn facts() -> Vec<Fact> {
    let fact = |key: &str| Fact { key: key.to_owned(), value: "v".to_owned() };
    vec![fact("K1"), fact("Sales of Ada"), fact("高度")]
}

fn reply(compound: &str, hit: &str, keys: &str) -> String {
    let result = |id: u32| {
        format!(r#"{{"id": {id}, "title": "t", "content": "c {{x", "date": "2028-02-29"}}"#)
    };
    let results: Vec<String> = (1..=4).map(result).collect();
    format!(
        r#"{{"is_compound_query": {compound}, "hit": {hit}, "matched_fact_keys": {keys}, "search_result": [{}]}}"#,
        results.join(", ")
    )
}

fn rules(result: Result<Checked, Refused>) -> Vec<Rule> {
    let refused = result.unwrap_err();
    refused.violations.into_iter().map(|violation| violation.rule).collect()
}

#[test]
fn strict_takes_the_last_object_with_results() {
    let hit = reply("false", "1", r#"["K1"]"#);
    let texts = [
        hit.clone(),
        format!("draft {{\"hit\": 1}} </think> {hit}"),
        format!("<think>{}</think> ```json\n{hit}\n```", reply("false", "0", "[]")),
        format!("{{\"note\": 1}} {hit} {{\"later\": 2}}"),
        format!("<think>{hit}</think>"),
    ];
    for text in texts {
        let checked = strict(&text, &facts()).unwrap();
        assert_eq!(checked.sign, Sign::Hit { key: "K1".to_owned() }, "{text}");
        assert_eq!((checked.pages.len(), checked.repairs.len()), (4, 0));
        assert_eq!(checked.pages[3].content, "c {x");
    }
}

#[test]
fn strict_puts_right_what_loses_nothing() {
    let repaired = |text: String| {
        let checked = strict(&text, &facts()).unwrap();
        let rules: Vec<Rule> = checked.repairs.iter().map(|repair| repair.rule).collect();
        (checked.sign, rules)
    };
    let k1 = || Sign::Hit { key: "K1".to_owned() };
    assert_eq!(repaired(reply("false", "true", r#"["K1"]"#)), (k1(), vec![Rule::I1]));
    assert_eq!(repaired(reply("false", r#""1""#, r#"["K1"]"#)), (k1(), vec![Rule::I1]));
    assert_eq!(repaired(reply("false", "1", r#"[" ｋ１ "]"#)), (k1(), vec![Rule::I5]));
    assert_eq!(repaired(reply("true", "1", r#"["K1"]"#)), (Sign::Compound, vec![Rule::I3]));
    assert_eq!(repaired(reply("true", "0", r#"["K1", "K1"]"#)), (Sign::Compound, vec![Rule::I3]));
    assert_eq!(repaired(reply("false", "0", "[]")), (Sign::Miss, vec![]));
    assert_eq!(repaired(reply("true", "0", "[]")), (Sign::Compound, vec![]));
    let zero_based = reply("false", "0", "[]").replace(r#""id": 4"#, r#""id": 0"#);
    assert_eq!(repaired(zero_based), (Sign::Miss, vec![Rule::I2]));
}

#[test]
fn strict_refuses_what_breaks_an_invariant() {
    let of = |text: &str| rules(strict(text, &facts()));
    assert_eq!(of("prose"), [Rule::I1]);
    assert_eq!(of(&reply("\"no\"", "1", r#"["K1"]"#)), [Rule::I1]);
    assert_eq!(of(&reply("false", "2", r#"["K1"]"#)), [Rule::I1]);
    assert_eq!(of(&reply("false", "1", r#"[1]"#)), [Rule::I1]);
    assert_eq!(of(&reply("false", "1", "null")), [Rule::I1]);
    assert_eq!(of(&reply("false", "1", "[]")), [Rule::I4]);
    assert_eq!(of(&reply("false", "1", r#"["K1", "高度"]"#)), [Rule::I4]);
    assert_eq!(of(&reply("false", "0", r#"["K1"]"#)), [Rule::I4]);
    assert_eq!(of(&reply("false", "1", r#"["K2"]"#)), [Rule::I5]);
    let miss = reply("false", "0", "[]");
    for date in
        ["2027-02-29", "2025-12-31", "2027-13-01", "27-01-01", "2027/01/01", "", "２０２７-01"]
    {
        assert_eq!(of(&miss.replacen("2028-02-29", date, 1)), [Rule::I2], "{date}");
    }
    assert_eq!(of(&miss.replacen(r#""content": "c {x""#, r#""content": " ""#, 1)), [Rule::I2]);
    assert_eq!(of(&B.replace(r#"["K1"]"#, r#"["zz"]"#)), [Rule::I5, Rule::I2]);
    let both = strict(&B.replace("false", "0"), &facts()).unwrap_err();
    assert_eq!(
        told(&both.violations),
        ["I1: is_compound_query is not true or false", "I2: 1 results instead of 4"]
    );
}

proptest::proptest! {
    /// Whatever an engine says, what passes keeps I1 to I5.
    #[test]
    fn a_hostile_engine_breaks_nothing(text in "(?s)[\\{\\}\\[\\]\",:a-zK1 \n]{0,60}", hit in 0..4_u32, keys in proptest::collection::vec("K1|k1 |x", 0..3)) {
        let keys = serde_json::to_string(&keys).unwrap();
        let text = format!("{text}{}{text}", reply("false", &hit.to_string(), &keys));
        let _ = reference(&text);
        match strict(&text, &facts()) {
            Ok(checked) => {
                proptest::prop_assert_eq!(checked.pages.len(), 4);
                if let Sign::Hit { key } = checked.sign {
                    proptest::prop_assert!(facts().iter().any(|fact| fact.key == key));
                }
            }
            Err(refused) => proptest::prop_assert!(!refused.violations.is_empty()),
        }
    }
}
