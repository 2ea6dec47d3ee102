//! Golden episodes of the reference code: ids, inputs and results as in specification 3.8.

use super::{Given, Played, World, answer, ask, play, search, spec};
use crate::mode::Mode::{self, *};
use turnwise_core::effect::NOT_AN_OBJECT;
use turnwise_core::prelude::*;

struct Golden {
    mode: Mode,
    k: u32,
    m: u32,
    player: Vec<String>,
    responder: Vec<&'static str>,
}

fn golden(mode: Mode, k: u32, m: u32, player: &[&str]) -> Golden {
    Golden {
        mode,
        k,
        m,
        player: player.iter().map(|text| (*text).to_owned()).collect(),
        responder: Vec::new(),
    }
}

/// `NULL` and `ERROR` stand for a null content and a failed call.
fn run(golden: &Golden) -> Played {
    let world = World {
        player: golden
            .player
            .iter()
            .map(|text| match text.as_str() {
                "NULL" => Given::Null,
                "ERROR" => Given::Error,
                text => Given::Text(text),
            })
            .collect(),
        responder: golden.responder.iter().map(|text| Given::Text(text)).collect(),
        searches: Vec::new(),
    };
    play(&spec(Profile::Reference, golden.mode, golden.k, golden.m), world)
}

/// prediction, confidence, (answer, search, ask, invalid), calls
fn check(
    id: &str,
    golden: &Golden,
    prediction: &str,
    confidence: &str,
    counts: (u32, u32, u32, u32),
    calls: usize,
) -> Played {
    let played = run(golden);
    let found = (
        played.prediction.as_str(),
        played.confidence.as_str(),
        (played.counts.answer, played.counts.search, played.counts.ask, played.counts.invalid),
        played.calls,
    );
    assert_eq!(found, (prediction, confidence, counts, calls), "{id}");
    played
}

fn a(text: &str, confidence: &str) -> String {
    answer(text, confidence)
}

#[test]
fn e1_to_e4_one_round() {
    let foo = a("  Foo ", "85");
    check("E1", &golden(AnswerOnly, 10, 5, &[&foo]), "Foo", "85", (1, 0, 0, 0), 1);
    let e2 = check("E2", &golden(AnswerOnly, 10, 5, &["prose"]), "No Answer", "0", (1, 0, 0, 0), 1);
    assert_eq!(e2.ending, "fallback");
    check("E3", &golden(AnswerOnly, 10, 5, &[&ask("k")]), "No Answer", "0", (1, 0, 0, 0), 1);
    let e4 = r#"{"action":"final","params":{"answer":"Foo","confidence":"90"}}"#;
    check("E4", &golden(AnswerOnly, 10, 5, &[e4]), "Foo", "0", (1, 0, 0, 0), 1);
    let e4b = r#"{"name":"answer","params":{"answer":"Foo","confidence":"90"}}"#;
    check("E4b", &golden(AnswerOnly, 10, 5, &[e4b]), "Foo", "90", (1, 0, 0, 0), 1);
    let e4c = r#"{"action":" answer ","params":{"answer":"Foo","confidence":"90"}}"#;
    check("E4c", &golden(AnswerOnly, 10, 5, &[e4c]), "Foo", "0", (1, 0, 0, 0), 1);
}

#[test]
fn e5_search_ask_answer() {
    let mut e5 = golden(Full, 3, 5, &[&search("s1"), &ask("k1"), &a("Foo", "0.9")]);
    e5.responder = vec!["yes"];
    let played = check("E5", &e5, "Foo", "0.9", (1, 1, 1, 0), 3);
    assert_eq!(played.rounds, ["1/3", "2/3", "3/3"]);
    assert_eq!(played.memory[0], "[Round 1]\nUser: Q?\n    Action:  ()\nObservation: ");
    assert_eq!(
        played.memory[2],
        "[Round 1]\nUser: Q?\n    Action: search (query: s1)\nObservation: 1. T — S (src: U)\n[Round 2]\n    Action: ask \
         (question: k1)\nObservation: yes"
    );
    let mut e5b = golden(Full, 10, 5, &[&ask("k1"), &a("Foo", "70")]);
    e5b.responder = vec!["no"];
    check("E5b", &e5b, "Foo", "70", (1, 0, 1, 0), 2);
}

#[test]
fn e6_to_e8_invalid_replies() {
    let browse = r#"{"action":"browse","params":{}}"#;
    let e6 = golden(Full, 5, 5, &["x", "y", browse, &a("Foo", "80")]);
    let played = check("E6", &e6, "Foo", "80", (1, 0, 0, 3), 4);
    assert_eq!(played.rounds, ["1/5"; 4]);
    assert!(played.shown[1].ends_with("answer, search, ask."), "{}", played.shown[1]);
    let e7 = golden(Full, 5, 5, &[&search("s1"), "x", "y", "z", "w"]);
    let played = run(&e7);
    assert_eq!(
        (
            played.ending.as_str(),
            played.prediction.as_str(),
            played.confidence.as_str(),
            played.calls
        ),
        ("skipped", "", "0", 5)
    );
    // The reference code throws the counts away; the notes still have them.
    assert_eq!((played.counts.search, played.counts.invalid), (1, 4));
    let e8 = golden(SearchOnly, 5, 5, &[&ask("q"), &a("Foo", "80")]);
    let played = check("E8", &e8, "Foo", "80", (1, 0, 0, 1), 2);
    assert!(played.shown[1].ends_with("search, answer."), "{}", played.shown[1]);
    let e8b = golden(AskOnly, 5, 5, &[&search("q"), &ask("z"), &a("Foo", "80")]);
    check("E8b", &e8b, "Foo", "80", (1, 0, 1, 1), 3);
}

#[test]
fn e9_to_e11_forced_minimum() {
    let foo = a("Foo", "60");
    let mut e9 = golden(ForcedAsk, 4, 2, &[&foo, &ask("a"), &foo, &ask("b"), &foo]);
    e9.responder = vec!["yes", "no"];
    let played = check("E9", &e9, "Foo", "60", (1, 0, 2, 2), 5);
    assert_eq!(played.rounds, ["1/4", "1/4", "2/4", "2/4", "3/4"]);
    let e10 = golden(ForcedAsk, 3, 2, &[&search("a"), &search("b"), &a("Foo", "80")]);
    check("E10", &e10, "Foo", "80", (1, 2, 0, 0), 3);
    let bypass = r#"{"action":"answer ","params":{"answer":"Foo","confidence":"1"}}"#;
    check("E11", &golden(ForcedAsk, 4, 2, &[bypass]), "Foo", "1", (1, 0, 0, 0), 1);
    let e11b = golden(ForcedAsk, 4, 2, &[&foo, &foo, &foo, &foo]);
    let played = run(&e11b);
    assert_eq!((played.ending.as_str(), played.calls), ("skipped", 4));
    let foo = a("Foo", "80");
    let mut e11c = golden(
        ForcedAsk,
        4,
        2,
        &[&foo, "bad", &foo, &ask("a"), "bad", &foo, &foo, &ask("b"), &foo],
    );
    e11c.responder = vec!["i don't know", "yes"];
    check("E11c", &e11c, "Foo", "80", (1, 0, 2, 6), 9);
}

#[test]
fn e12_to_e14_episode_errors() {
    let wrong = r#"{"action":"search","params":{"q":"x"}}"#;
    let e12 = golden(Full, 4, 5, &[wrong, wrong, wrong]);
    let played = run(&e12);
    assert_eq!(
        (
            played.ending.as_str(),
            played.prediction.as_str(),
            played.confidence.as_str(),
            played.calls
        ),
        ("error", "Error", "0", 3)
    );
    let e12b = golden(Full, 4, 5, &[wrong, &search("s"), &a("Foo", "80")]);
    check("E12b", &e12b, "Foo", "80", (1, 1, 0, 0), 3);
    let e13 = golden(Full, 4, 5, &[&search("s"), "ERROR", &a("Foo", "80")]);
    let played = check("E13", &e13, "Foo", "80", (1, 0, 0, 0), 3);
    assert_eq!(played.searches, 1, "the forgotten search was really sent");
    let e13b = golden(Full, 4, 5, &["ERROR", "ERROR", "ERROR"]);
    assert_eq!((run(&e13b).ending.as_str(), run(&e13b).calls), ("error", 3));
    let without = r#"{"action":"answer","params":{"answer":"Foo"}}"#;
    let e14 = golden(AnswerOnly, 10, 5, &[without, without, without]);
    assert_eq!((run(&e14).ending.as_str(), run(&e14).calls), ("error", 3));
    let number = r#"{"action":"answer","params":{"answer":5,"confidence":"1"}}"#;
    let e14b = golden(AnswerOnly, 10, 5, &[number, number, number]);
    assert_eq!((run(&e14b).ending.as_str(), run(&e14b).calls), ("error", 3));
    let extra = r#"{"action":"answer","params":{"answer":"Foo","confidence":"50","why":"x"}}"#;
    check("E14c", &golden(AnswerOnly, 10, 5, &[extra]), "Foo", "50", (1, 0, 0, 0), 1);
    // E21: the ask action has no other argument either.
    let e21 = r#"{"action":"ask","params":{"question":"q","query_id":7}}"#;
    assert_eq!(run(&golden(Full, 4, 5, &[e21, e21, e21])).ending, "error");
}

#[test]
fn e15_confidence_text() {
    for (given, text) in [
        (r#""""#, "0"),
        ("null", "None"),
        ("0", "0"),
        (r#""85%""#, "85%"),
        ("0.85", "0.85"),
        (r#""high""#, "high"),
        ("[90]", "[90]"),
        ("true", "True"),
    ] {
        let reply =
            format!(r#"{{"action":"answer","params":{{"answer":"Foo","confidence":{given}}}}}"#);
        let played = run(&golden(AnswerOnly, 10, 5, &[&reply]));
        assert_eq!(
            (played.prediction.as_str(), played.confidence.as_str()),
            ("Foo", text),
            "{given}"
        );
    }
}

#[test]
fn e17_searches_that_bring_nothing() {
    let shown = |searched: Reply| {
        let (first, last) = (search("s"), a("Foo", "80"));
        let world = World {
            player: vec![Given::Text(&first), Given::Text(&last)],
            searches: vec![searched],
            ..World::default()
        };
        let played = play(&spec(Profile::Reference, Full, 4, 5), world);
        assert_eq!(played.counts.search, 1, "the round is used");
        played.shown[1].clone()
    };
    assert_eq!(shown(Reply::found(Vec::new())), "No results");
    let unexpected = Failure {
        class: FailureClass::Undecodable,
        message: "a list".into(),
        detail: NOT_AN_OBJECT.into(),
    };
    assert_eq!(shown(Reply::Failed(unexpected)), "Search failed");
    let mut without = spec(Profile::Reference, Full, 4, 5);
    without.search = None;
    let (first, last) = (search("s"), a("Foo", "80"));
    let played = play(
        &without,
        World { player: vec![Given::Text(&first), Given::Text(&last)], ..World::default() },
    );
    assert_eq!((played.shown[1].as_str(), played.searches), ("No search engine configured", 0));
}

#[test]
fn a_responder_that_fails_does_not_know() {
    let (first, last) = (ask("k"), a("Foo", "80"));
    let world = World {
        player: vec![Given::Text(&first), Given::Text(&last)],
        responder: vec![Given::Error],
        ..World::default()
    };
    let played = play(&spec(Profile::Reference, Full, 4, 5), world);
    assert_eq!((played.shown[1].as_str(), played.counts.ask), ("i don't know", 1));
}

#[test]
fn e22_null_content() {
    check("E22", &golden(Full, 10, 5, &["NULL", &a("Foo", "80")]), "Foo", "80", (1, 0, 0, 1), 2);
}

#[test]
fn q3_to_q6_last_rounds() {
    let q3 = golden(
        Full,
        3,
        5,
        &["a", "b", "c", &search("1"), "a", "b", "c", &search("2"), &a("F", "80")],
    );
    check("Q3", &q3, "F", "80", (1, 2, 0, 6), 9);
    check(
        "Q4",
        &golden(ForcedAsk, 3, 2, &[&ask("a"), &ask("b"), "junk"]),
        "No Answer",
        "0",
        (1, 0, 2, 0),
        3,
    );
    let q5 = check(
        "Q5",
        &golden(Full, 2, 5, &[&search("a"), &search("b")]),
        "No Answer",
        "0",
        (1, 1, 0, 0),
        2,
    );
    assert_eq!(q5.searches, 1, "the last search is not carried out");
    check("Q6", &golden(Full, 2, 5, &[&a("   ", "50")]), "", "50", (1, 0, 0, 0), 1);
}

#[test]
fn a_query_that_an_engine_refuses_is_a_failed_search_and_any_other_failure_is_an_outage() {
    let (first, last) = (search("k"), a("Foo", "80"));
    let shown = |class, player: &[&str]| {
        let failure = Failure::new(class, "the search service refused this one query");
        let world = World {
            player: player.iter().map(|text| Given::Text(text)).collect(),
            searches: vec![Reply::Failed(failure)],
            ..World::default()
        };
        play(&spec(Profile::Strict, Full, 4, 5), world)
    };
    let refused = shown(FailureClass::Filtered, &[&first, &last]);
    assert!(refused.shown[1].contains("refused this one query"), "{:?}", refused.shown);
    assert_eq!(refused.ending, "answered");
    assert_eq!(shown(FailureClass::Rejected, &[&first]).ending, "incomplete");
}
