//! Every check of specification 3.3, alone.

use serde_json::json;

use super::*;
use turnwise_core::prelude::*;
use turnwise_paraworld::task::Term;

fn pair() -> EntityPair {
    let term = |name: &str| Term { name: name.to_owned(), aliases: Vec::new() };
    EntityPair {
        pair_id: "band-1".to_owned(),
        domain: "Band".to_owned(),
        entities: [term("Ada Choir"), term("Bea Quartet")],
        seed: 1,
        pool_hash: Digest::of(""),
    }
}

const YEARS: Window = Window { from: 2027, to: 2030 };

fn asked() -> ParaQuestion {
    serde_json::from_value(json!({
        "text": "Who of Ada Choir and Bea Quartet plays the longer tour in 2028?",
        "time_window": { "from": 2028, "to": 2028 },
        "outputs": [{ "name": "who", "type": "name" }],
    }))
    .unwrap()
}

fn law_of(facts: serde_json::Value) -> ParaLaw {
    serde_json::from_value(json!({
        "facts": facts,
        "answer_short": "Ada Choir",
        "answer_long": "Ada Choir plays longer.",
    }))
    .unwrap()
}

fn classes(found: &[Finding]) -> Vec<&str> {
    found.iter().map(|finding| finding.class.as_str()).collect()
}

fn of_law(facts: serde_json::Value) -> Vec<Finding> {
    law(&asked(), &law_of(facts), &pair())
}

#[test]
fn a_sound_law_has_no_findings() {
    let facts = json!([
        { "key": "Length of Ada Choir's tour in 2028", "value": "31 days", "entity": "Ada Choir" },
        { "key": "Length of Bea Quartet's tour in 2028", "value": "22 days", "entity": "Bea Quartet" },
        { "key": "How days off count in tours of 2028", "value": "they count", "kind": "rule" },
    ]);
    assert_eq!(of_law(facts), []);
    assert_eq!(question(&asked(), &pair(), YEARS), []);
}

#[test]
fn keys_are_unique_after_trim_and_case_fold() {
    let facts = json!([
        { "key": "Tour of Ada Choir", "value": "31 days" },
        { "key": " tour of ADA choir ", "value": "32 days" },
    ]);
    assert_eq!(classes(&of_law(facts)), ["same_key"]);
}

#[test]
fn no_key_and_no_value_is_blank() {
    let facts = json!([{ "key": " ", "value": "a" }, { "key": "b", "value": "\n" }]);
    assert_eq!(classes(&of_law(facts)), ["blank", "blank"]);
    assert_eq!(classes(&of_law(json!([]))), ["no_facts"]);
}

#[test]
fn no_value_is_the_whole_answer_unless_it_is_asked_for() {
    let facts = |key: &str| {
        json!([
            { "key": key, "value": "ada  choir" },
            { "key": "Tour of Bea Quartet in 2028", "value": "22 days" },
        ])
    };
    assert_eq!(classes(&of_law(facts("Longest tour of 2028"))), ["answers_alone"]);
    assert_eq!(of_law(facts("Who")), []);
}

#[test]
fn dependencies_exist_and_have_no_circle() {
    let facts = |first: &str, second: &str| {
        json!([
            { "key": "a of Ada Choir", "value": "1 day", "depends_on": [first] },
            { "key": "b of Ada Choir", "value": "2 days", "depends_on": [second] },
        ])
    };
    assert_eq!(classes(&of_law(facts("c", "a of Ada Choir"))), ["no_such_need"]);
    let circle = of_law(facts("b of Ada Choir", "a of Ada Choir"));
    assert_eq!(classes(&circle), ["circle", "circle"]);
    let alone = of_law(facts("a of Ada Choir", "a of Ada Choir"));
    assert_eq!(classes(&alone), ["circle"]);
}

#[test]
fn a_number_has_a_unit_where_the_key_names_a_quantity() {
    let found = |key: &str, value: &str| {
        let facts = json!([
            { "key": key, "value": value },
            { "key": "Tour of Bea Quartet", "value": "22 days" },
        ]);
        classes(&of_law(facts)).contains(&"no_unit")
    };
    assert!(found("Number of concerts of Ada Choir", "1,204"));
    assert!(found("Ada Choir: ticket price", "12.50"));
    assert!(found("Ada Choir 演出数量", "12"));
    assert!(!found("Ada Choir 演出数量", "12 场"));
    assert!(!found("Number of concerts of Ada Choir", "1,204 concerts"));
    assert!(!found("Year in which Ada Choir was founded", "2028"));
    assert!(!found("Rank of Ada Choir", "3"));
    // Words, not parts of words.
    assert!(!found("Ada Choir in the Lengthen Cup", "3"));
    assert!(!found("Ada Choir, arrival", "twelve"));
}

#[test]
fn what_worlds_check_calls_an_error_is_one_here() {
    let facts = json!([
        { "key": "Tour of the partner of the host", "value": "31 days", "entity": "Somebody Unheard" },
        { "key": "Tour of Ada Choir", "value": "22 days", "entity": "Ada Choir" },
    ]);
    let found = of_law(facts);
    assert_eq!(classes(&found), ["world"]);
    assert!(found[0].detail.contains("Tour of the partner"), "{found:?}");
}

#[test]
fn a_question_names_the_pair_and_plays_in_the_years_of_the_run() {
    let with = |change: serde_json::Value| {
        let mut whole = json!(asked());
        for (name, value) in change.as_object().unwrap() {
            whole[name] = value.clone();
        }
        let question = serde_json::from_value(whole).unwrap();
        super::question(&question, &pair(), YEARS)
    };
    let late = with(json!({ "time_window": { "from": 2030, "to": 2031 } }));
    assert_eq!(classes(&late), ["time_window"]);
    assert_eq!(classes(&with(json!({ "outputs": [] }))), ["no_output"]);
    let alone = with(json!({ "text": "How long is the tour of Ada Choir?" }));
    assert_eq!(classes(&alone), ["entity_not_named"]);
    let circle = json!({ "goal_graph": [
        { "node": "a", "needs": ["b"] }, { "node": "b", "needs": ["a", "c"] },
    ] });
    assert_eq!(classes(&with(circle)), ["circle", "no_such_need", "circle"]);
}

#[test]
fn keys_that_say_the_same_contradict_each_other_if_their_values_differ() {
    let fact = |key: &str, value: &str| Fact { key: key.to_owned(), value: value.to_owned() };
    let facts = [
        fact("Tour of Ada", "1 day"),
        fact("tour of ada.", "2 days"),
        fact("Tour of Bea", "1 day"),
        fact("Tour of Bea!", "1 day"),
    ];
    assert_eq!(contradictions(&facts), [["Tour of Ada", "tour of ada."]]);
    assert!(contradictions(&facts[2..]).is_empty());
}
