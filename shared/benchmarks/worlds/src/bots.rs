//! Rule-based makers and auditors: the whole way offline, without a key.
//!
//! `builder` takes its worlds from the builder of `paraworld::worlds`, so question and law follow from what both are given: pair,
//! level, years and the number that was drawn for the episode. `solver` reads question and facts, nothing else.

mod builder;
mod careless;
#[cfg(test)]
mod tests;

use serde_json::json;

use super::checks;
use super::pools::EntityPair;
use super::prompts::{template, variable};
use super::work::seat;
use turnwise_core::prelude::*;
use turnwise_paraworld::prompts::named;
use turnwise_paraworld::task::{Fact, Language};
use turnwise_paraworld::worlds;

pub const BOTS: &[BotInfo] = &[
    BotInfo::new(
        "builder",
        seat::QUESTIONER,
        "asks what the rule-based builder of worlds asks, about the pair, at the level that is wanted",
        builder::reply,
    ),
    BotInfo::new(
        "builder",
        seat::LAWGIVER,
        "lays down the facts that the rule-based builder made for its own question",
        builder::reply,
    ),
    BotInfo::new(
        "careless",
        seat::QUESTIONER,
        "as builder, but a share of its replies (after the colon, 0 to 1; 0.3 without one) is spoilt",
        careless::reply,
    )
    .with_share(SHARE),
    BotInfo::new(
        "careless",
        seat::LAWGIVER,
        "as builder, but a share of its replies (after the colon, 0 to 1; 0.3 without one) is spoilt: cut off, without a unit, contradictory, or with a wrong answer",
        careless::reply,
    )
    .with_share(SHARE),
    BotInfo::new(
        "solver",
        seat::AUDITOR,
        "finds facts that contradict each other, and computes the answer of questions whose form it knows",
        solver,
    ),
    BotInfo::new(
        "accept",
        seat::EDITOR,
        "lets everything pass to which the machine does not object",
        accept,
    ),
];

/// The share of spoilt replies when none is named.
const SHARE: f64 = 0.3;

/// Accepts every draft without findings; it mends nothing.
fn accept(asked: &Asked<'_>) -> String {
    let findings = asked.variable(variable::FINDINGS);
    match findings.is_empty() {
        true => json!({ "action": "accept", "params": {} }).to_string(),
        false => json!({ "action": "refuse", "params": { "reason": findings } }).to_string(),
    }
}

fn solver(asked: &Asked<'_>) -> String {
    let uses = |template: &str| {
        Language::ALL.into_iter().any(|language| asked.uses(&named(template, language)))
    };
    let facts = facts(asked.variable(variable::FACTS));
    if uses(template::COMPARE) {
        // Texts that are the same by rule were never asked about.
        return json!({ "consistent": false, "why": "the texts differ" }).to_string();
    }
    if uses(template::AUDIT) {
        let contradictions = checks::contradictions(&facts);
        let listed: Vec<_> = contradictions
            .iter()
            .map(|keys| json!({ "keys": keys, "why": "one thing has two values" }))
            .collect();
        let pass = listed.is_empty();
        return json!({ "contradictions": listed, "implausible": [], "pass": pass }).to_string();
    }
    let solution = worlds::solve(asked.variable(variable::QUESTION), &facts);
    let answer = solution.map_or_else(|_| "unknown".to_owned(), |solution| solution.answer);
    json!({ "answer": answer }).to_string()
}

fn facts(text: &str) -> Vec<Fact> {
    let read = turnwise_core::json::parse(text, turnwise_core::json::Dialect::Python);
    let Ok(turnwise_core::json::Json::Object(object)) = read else {
        return Vec::new();
    };
    let fact = |(key, value): (&str, &turnwise_core::json::Json)| {
        Some(Fact { key: key.to_owned(), value: value.as_text()?.to_owned() })
    };
    object.iter().filter_map(fact).collect()
}

fn pair(asked: &Asked<'_>) -> Option<EntityPair> {
    serde_json::from_str(asked.variable(variable::PAIR)).ok()
}
