//! Makers, auditors and editors of the world studio. What they make holds together now and then.

use serde_json::{Value, json};

use super::{after_last, dressed};
use crate::upstream::chance::Chance;

/// Plays whoever a prompt is meant for, known by its first words.
pub fn make(prompt: &str, chance: &Chance) -> String {
    if chance.happens("invalid", 0.08) {
        let forms = [
            "",
            "I would rather not.",
            "{\"text\": \"Which of",
            "{\"pass\": 3}",
        ];
        return chance.one("form of invalid", &forms).to_owned();
    }
    let begins = |with: [&str; 2]| with.iter().any(|with| prompt.starts_with(with));
    let reply = if begins(["You write questions", "你负责编写"]) {
        question(prompt, chance)
    } else if begins(["You lay down the facts", "你负责为"]) {
        law(chance)
    } else if begins(["You audit facts", "你负责审核"]) {
        audit(chance)
    } else if begins(["You answer a question", "请根据"]) {
        let answers = ["31 days", "31 days", "about a month", "22 days"];
        json!({ "answer": chance.one("answer", &answers) })
    } else if begins(["You compare two answers", "请比较"]) {
        json!({ "consistent": chance.happens("same", 0.6), "why": "by the look of it" })
    } else {
        edit(chance)
    };
    dressed(&reply, chance)
}

fn question(prompt: &str, chance: &Chance) -> Value {
    let english = after_last(prompt, "the question must name: ");
    let names = after_last(english, "问题必须提到的两个实体：")
        .lines()
        .next()
        .unwrap_or_default();
    let year = 2027 + chance.number("year", 10);
    let ways = [
        "How much longer is the tour of one than of the other",
        "How long are both tours together",
    ];
    json!({
        "text": format!("Of {names} in {year}: {}? ({})", chance.one("way", &ways), chance.number("mark", 1000)),
        "time_window": { "from": year, "to": year },
        "outputs": [{ "name": "how long", "type": "number" }],
    })
}

fn law(chance: &Chance) -> Value {
    let facts = 1 + chance.number("facts", 8);
    let fact = |number: u64| {
        let days = chance.number(&format!("days {number}"), 30);
        // Now and then a number without its unit: the machine objects.
        let unit = if chance.happens(&format!("unit {number}"), 0.04) {
            ""
        } else {
            " days"
        };
        json!({ "key": format!("length of tour {number}"), "value": format!("{days}{unit}") })
    };
    json!({
        "facts": (0..facts).map(fact).collect::<Vec<_>>(),
        "derivation": ["It follows."],
        "answer_short": "31 days",
        "answer_long": "It is 31 days.",
    })
}

fn audit(chance: &Chance) -> Value {
    if chance.happens("implausible", 0.15) {
        let found = json!([{ "key": "length of tour 0", "why": "too long" }]);
        return json!({ "contradictions": [], "implausible": found, "pass": false });
    }
    json!({ "contradictions": [], "implausible": [], "pass": true })
}

fn edit(chance: &Chance) -> Value {
    match chance.number("decision", 12) {
        0 => json!({ "action": "refuse", "params": { "reason": "dull" } }),
        1 => {
            json!({ "action": "edit", "params": { "json": { "answer_long": "It is 31 days, all counted." } } })
        }
        2 => json!({ "action": "edit", "params": { "json": "{\"answer_long\"" } }),
        _ => json!({ "action": "accept", "params": {} }),
    }
}
