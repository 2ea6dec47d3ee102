use serde_json::{Value, json};

use crate::reading::engine::*;
use crate::task::Fact;
use turnwise_core::testing::cases;

const B: &str = r#"{"is_compound_query": false, "hit": 1, "matched_fact_keys": ["K1"], "search_result": [{"id": 1, "title": "t", "content": "c", "date": "2027-01-01"}]}"#;

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
    for (id, text, wanted) in cases::<(&str, &str, Value)>(include_str!("engine_reference.jsonl")) {
        assert_eq!(shown(text), wanted, "{id}: {text}");
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
    let repaired = |text: &str| {
        let checked = strict(text, &facts()).unwrap();
        let rules: Vec<String> =
            checked.repairs.iter().map(|repair| format!("{:?}", repair.rule)).collect();
        (checked.sign, rules)
    };
    for (compound, hit, keys, sign, rules) in
        cases::<(&str, &str, &str, &str, Vec<String>)>(include_str!("engine_repaired.jsonl"))
    {
        let sign = match sign {
            "hit" => Sign::Hit { key: "K1".to_owned() },
            "compound" => Sign::Compound,
            _ => Sign::Miss,
        };
        assert_eq!(repaired(&reply(compound, hit, keys)), (sign, rules), "{compound} {hit} {keys}");
    }
    let zero_based = reply("false", "0", "[]").replace(r#""id": 4"#, r#""id": 0"#);
    assert_eq!(repaired(&zero_based), (Sign::Miss, vec!["I2".to_owned()]));
}

#[test]
fn strict_refuses_what_breaks_an_invariant() {
    let of = |text: &str| rules(strict(text, &facts()));
    assert_eq!(of("prose"), [Rule::I1]);
    for (compound, hit, keys, rule) in
        cases::<(&str, &str, &str, &str)>(include_str!("engine_refused.jsonl"))
    {
        let rules = of(&reply(compound, hit, keys));
        assert_eq!(format!("{rules:?}"), format!("[{rule}]"), "{compound} {hit} {keys}");
    }
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
