use serde_json::{Value, json};

use super::*;
use crate::testing::cases;

fn book(value: Value) -> PriceBook {
    serde_json::from_value(value).expect("a sound book")
}

fn entry(model: &str, from: &str, input: f64) -> Value {
    json!({ "provider": "p", "model": model, "from": from, "input": input, "output": 0 })
}

fn day(text: &str) -> Day {
    text.parse().expect("a day")
}

#[test]
fn a_price_holds_for_exact_names_from_its_day_on() {
    let book = book(json!({ "price": [
        entry("m", "2025-06-01", 2.0),
        entry("m", "2025-01-01", 1.0),
        entry("n", "2025-01-01", 9.0),
    ] }));
    let price = |provider: &str, model: &str, on: &str| {
        book.model(provider, model, &day(on)).map(|price| price.input.dollars())
    };
    assert_eq!(price("p", "m", "2024-12-31"), None);
    assert_eq!(price("p", "m", "2025-01-01"), Some(1.0));
    assert_eq!(price("p", "m", "2025-05-31"), Some(1.0));
    assert_eq!(price("p", "m", "2025-06-01"), Some(2.0));
    // Neither a longer nor a shorter name, nor another spelling, nor another endpoint.
    for (provider, model) in
        [("p", "m-mini"), ("p", "M"), ("p", ""), ("p", "p/m"), ("pp", "m"), ("", "m")]
    {
        assert_eq!(price(provider, model, "2025-06-01"), None, "{provider}/{model}");
    }
}

#[test]
fn a_price_that_has_ended_is_unknown_and_the_one_before_it_does_not_come_back() {
    let mut launch = entry("m", "2025-06-01", 0.5);
    launch["until"] = json!("2025-12-31");
    let book = book(json!({ "price": [entry("m", "2025-01-01", 1.0), launch] }));
    assert!(book.model("p", "m", &day("2025-12-31")).is_some());
    assert_eq!(book.model("p", "m", &day("2026-01-01")), None);
}

#[test]
fn cached_tokens_are_counted_once() {
    let price: ModelPrice = serde_json::from_value(json!({
        "provider": "p", "model": "m", "from": "2025-01-01",
        "input": 3, "cached": 0.3, "cache_write": 3.75, "output": 15,
    }))
    .expect("a sound price");
    let tokens = Tokens {
        input: 1_000_000,
        cached: 600_000,
        cache_written: 100_000,
        output: 10_000,
        reasoning: 4_000,
    };
    // 300,000 at 3, 600,000 at 0.3, 100,000 at 3.75, 10,000 at 15.
    let (cost, whole) = price.of(&tokens);
    assert_eq!((cost.millionths(), whole), (900_000 + 180_000 + 375_000 + 150_000, Whole::Yes));
    let apart = ModelPrice { reasoning: Some(Rate::of_millionths(30_000_000)), ..price.clone() };
    assert_eq!(apart.of(&tokens).0.millionths(), 1_455_000 + 90_000 + 120_000);
    let unlisted = ModelPrice { cached: None, ..price };
    let (cost, whole) = unlisted.of(&tokens);
    assert_eq!((cost.millionths(), whole), (900_000 + 375_000 + 150_000, Whole::No));
    let none = Tokens { cached: 0, ..tokens };
    assert_eq!(unlisted.of(&none).1, Whole::Yes);
    // A service that counts more in parts than in all does not make it negative.
    let odd = Tokens { input: 1, cached: 5, reasoning: 9, ..Tokens::default() };
    assert_eq!(apart.of(&odd).0.millionths(), 2);
}

#[test]
fn searches_for_more_than_a_page_are_several_requests() {
    let price: SearchPrice = serde_json::from_value(json!({
        "engine": "e", "from": "2025-01-01", "per_thousand": 1, "results": 10,
    }))
    .expect("a sound price");
    assert_eq!(price.of(3, 5).millionths(), 3_000);
    assert_eq!(price.of(3, 10).millionths(), 3_000);
    assert_eq!(price.of(3, 11).millionths(), 6_000);
    assert_eq!(price.of(0, 5).millionths(), 0);
}

#[test]
fn the_operators_entries_go_before_all_others_of_the_same_model() {
    let own = book(json!({ "price": [entry("m", "2025-06-01", 7.0)], "free": ["mine"] }));
    let other = book(json!({
        "price": [entry("m", "2025-01-01", 1.0), entry("n", "2025-01-01", 2.0)],
        "search_price": [{ "engine": "e", "from": "2025-01-01", "per_thousand": 0 }],
        "free": ["p", "scripted"],
    }));
    let book = own.over(other);
    assert_eq!(book.model("p", "m", &day("2025-02-01")), None);
    assert_eq!(
        book.model("p", "m", &day("2025-07-01")).expect("it has a price by then").input.dollars(),
        7.0
    );
    assert!(book.model("p", "n", &day("2025-07-01")).is_some());
    assert!(book.search("e", &day("2025-07-01")).is_some());
    assert!(book.is_free("mine") && book.is_free("scripted") && !book.is_free("p"));
}

#[test]
fn what_cannot_be_meant_is_named() {
    for (wrong, said) in cases::<(Value, &str)>(include_str!("tests/wrong.jsonl")) {
        let error = serde_json::from_value::<PriceBook>(wrong).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
    let mut backwards = entry("b", "2025-06-01", 1.0);
    backwards["until"] = json!("2025-01-01");
    let book = book(json!({
        "price": [entry("m", "2025-01-01", 1.0), entry("m", "2025-01-01", 2.0), entry(" ", "2025-01-01", 2.0), backwards],
        "search_price": [{ "engine": "e", "from": "2025-01-01", "per_thousand": 1, "results": 0 }],
    }));
    let mistakes = book.check().unwrap_err().join("\n");
    for said in [
        "p/m from 2025-01-01: it stands twice",
        "have a name",
        "p/b from 2025-06-01: it ends",
        "e from 2025-01-01: results",
    ] {
        assert!(mistakes.contains(said), "{mistakes}");
    }
}

#[test]
fn a_book_is_the_same_after_it_was_written() {
    let book = book(json!({
        "price": [entry("m", "2025-01-01", 0.296)],
        "search_price": [{ "engine": "e", "from": "2025-01-01", "per_thousand": 0.3, "source": "s" }],
    }));
    let text = serde_json::to_string(&book).expect("plain data");
    assert!(text.contains("\"input\":0.296"), "{text}");
    assert_eq!(serde_json::from_str::<PriceBook>(&text).expect("we wrote it"), book);
}
