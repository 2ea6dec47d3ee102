//! Rule-based makers and auditors: the whole way offline, without a key.
//!
//! `builder` takes its worlds from the builder of `paraworld::worlds`, so question and law follow from what both are told:
//! pair, level, years and the number that was drawn for the episode. `solver` reads question and facts, nothing else.

mod builder;
mod careless;
#[cfg(test)]
mod tests;

use serde_json::json;

use super::checks;
use super::pools::EntityPair;
use super::prompts::{template, variable};
use super::work::seat;
use crate::prompts::named;
use crate::task::{Fact, Language};
use crate::worlds;
use turnwise_core::benchmark::{Asked, BotInfo};
use turnwise_core::prompt::Said;
use turnwise_core::seat::Seat;

/// Every bot.
pub const BOTS: &[BotInfo] = &[
    BotInfo {
        name: "builder",
        seat: seat::QUESTIONER,
        about: "asks what the rule-based builder of worlds asks, about the pair, at the level that is wanted",
    },
    BotInfo {
        name: "builder",
        seat: seat::LAWGIVER,
        about: "lays down the facts that the rule-based builder made for its own question",
    },
    BotInfo {
        name: "careless",
        seat: seat::QUESTIONER,
        about: "as builder, but a share of its replies (after the colon, 0 to 1; 0.3 without one) is spoilt",
    },
    BotInfo {
        name: "careless",
        seat: seat::LAWGIVER,
        about: "as builder, but a share of its replies (after the colon, 0 to 1; 0.3 without one) is spoilt: cut off, without a unit, contradictory, or with a wrong answer",
    },
    BotInfo {
        name: "solver",
        seat: seat::AUDITOR,
        about: "finds facts that contradict each other, and computes the answer of questions whose form it knows",
    },
    BotInfo {
        name: "accept",
        seat: seat::EDITOR,
        about: "lets everything pass to which the machine does not object",
    },
];

/// The share of spoilt replies when none is named.
const SHARE: f64 = 0.3;

/// Whether a bot of that name can sit there.
pub fn sits(seat: &Seat, name: &str) -> bool {
    let (name, share) = split(name);
    let known = BOTS.iter().any(|bot| bot.name == name && bot.fits(seat));
    known && (share.is_none() || (name == "careless" && rate(share).is_some()))
}

fn split(name: &str) -> (&str, Option<&str>) {
    match name.split_once(':') {
        Some((name, share)) => (name, Some(share)),
        None => (name, None),
    }
}

fn rate(share: Option<&str>) -> Option<f64> {
    let share = share.map_or(Some(SHARE), |share| share.parse().ok())?;
    (0.0..=1.0).contains(&share).then_some(share)
}

/// What the bot of that name replies; `None` if there is none.
pub fn reply(name: &str, asked: &Asked<'_>) -> Option<Said> {
    if !sits(asked.seat(), name) {
        return None;
    }
    let (name, share) = split(name);
    let text = match name {
        "builder" => builder::reply(asked),
        "careless" => careless::reply(asked, rate(share)?),
        "solver" => solver(asked),
        _ => accept(asked),
    };
    Some(Said::text(text))
}

/// Lets pass what nobody objects to; it mends nothing.
fn accept(asked: &Asked<'_>) -> String {
    let findings = asked.variable(variable::FINDINGS);
    match findings.is_empty() {
        true => json!({ "action": "accept", "params": {} }).to_string(),
        false => json!({ "action": "refuse", "params": { "reason": findings } }).to_string(),
    }
}

fn solver(asked: &Asked<'_>) -> String {
    let uses = |template: &str| {
        [Language::En, Language::Zh]
            .into_iter()
            .any(|language| asked.uses(&named(template, language)))
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
