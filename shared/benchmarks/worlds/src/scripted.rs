//! What scripted makers, auditors and editors reply.

use serde_json::{Value, json};
use turnwise_core::benchmark::Prompt;
use turnwise_core::prelude::*;

/// What is said where the prompt is one of the studio.
pub(super) fn reply(prompt: &Prompt<'_>, dice: &mut Dice<'_>) -> Option<String> {
    made(prompt, dice).map(|made| made.to_string())
}

/// What makers, auditors and editors reply, by the form that they are asked for.
fn made(prompt: &Prompt<'_>, dice: &mut Dice<'_>) -> Option<Value> {
    let asks = |words: &str| prompt.system.contains(words);
    if asks("\"goal_graph\"") {
        let year = 2027 + dice.below(10);
        let names = behind(prompt.system, &["must name: ", "必须提到的两个实体："]);
        return Some(json!({
            "text": format!("Of {names} in {year}: how long are both tours together? ({})", dice.below(1000)),
            "time_window": { "from": year, "to": year },
            "outputs": [{ "name": "how long", "type": "number" }],
        }));
    }
    if asks("\"answer_short\"") && asks("\"derivation\"") && !asks("\"params\"") {
        let facts: Vec<_> = (1..=3)
            .map(|number| {
                let days = 2 + dice.below(27);
                json!({ "key": format!("length of tour {number}"), "value": format!("{days} days") })
            })
            .collect();
        return Some(json!({
            "facts": facts,
            "derivation": ["It follows."],
            "answer_short": "31 days",
            "answer_long": "It is 31 days.",
        }));
    }
    if asks("\"contradictions\"") {
        return Some(json!({ "contradictions": [], "implausible": [], "pass": true }));
    }
    if asks("{\"answer\":") {
        return Some(json!({ "answer": dice.pick(&["31 days", "31 days", "22 days"]) }));
    }
    if asks("\"consistent\"") {
        return Some(json!({ "consistent": dice.below(2) == 0, "why": "a scripted reply" }));
    }
    asks("\"accept\"").then(|| {
        let objections = behind(prompt.system, &["machine objects to\n", "程序检查发现的问题\n"]);
        match objections.is_empty() {
            true => json!({ "action": "accept", "params": {} }),
            false => json!({ "action": "refuse", "params": { "reason": "the machine objects" } }),
        }
    })
}

/// The rest of the line behind one of these words; empty without them.
fn behind<'a>(text: &'a str, words: &[&str]) -> &'a str {
    let rest = words.iter().find_map(|words| Some(text.split_once(words)?.1));
    rest.and_then(|rest| rest.lines().next()).unwrap_or_default().trim()
}
