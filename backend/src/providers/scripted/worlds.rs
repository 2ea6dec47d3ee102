//! Who searches an invented world, the engine that is its search, who judges the answer, and who makes such worlds.

use serde_json::{Value, json};

use super::Chance;
use super::replies::Prompt;

/// Turns after which a player answers at the latest.
const TURNS: usize = 6;

/// What is said where the prompt is one of Mind-ParaWorld or of the world studio; `None` elsewhere.
pub(super) fn reply(prompt: &Prompt<'_>, chance: &mut Chance) -> Option<String> {
    let asks = |words: &str| prompt.has(words);
    if asks("<answer>Correct</answer>") {
        let verdict = chance.pick(&["Correct", "Incorrect", "Incorrect"]);
        return Some(format!(
            "<think>a scripted reply</think>\n<answer>{verdict}</answer>"
        ));
    }
    if asks("\"is_compound_query\"") {
        return Some(found(prompt, chance).to_string());
    }
    if prompt.system.contains("<answer>") {
        return Some(searches(prompt, chance));
    }
    made(prompt, chance).map(|made| made.to_string())
}

/// A player's turn: it searches for some words of the question, and answers after some turns.
fn searches(prompt: &Prompt<'_>, chance: &mut Chance) -> String {
    let is_last = prompt.last.contains("last turn") || prompt.last.contains("最后一轮");
    let before = prompt.replies();
    let goes_on = before < TURNS && (before == 0 || chance.below(4) > 0);
    if is_last || !prompt.system.contains("web_search") || !goes_on {
        return "<think>a scripted reply</think>\n<answer>made up</answer>".to_owned();
    }
    let question = prompt.texts().nth(1).unwrap_or_default();
    let call = json!({ "name": "web_search", "arguments": { "query": some_of(question, chance) } });
    format!("<think>a scripted reply</think>\n<tool_call>\n{call}\n</tool_call>")
}

/// Some signs of a text in a row, whole words where it has any.
fn some_of(text: &str, chance: &mut Chance) -> String {
    let line = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.starts_with('<'))
        .max_by_key(|line| line.chars().count())
        .unwrap_or_default();
    let words: Vec<&str> = line.split_whitespace().collect();
    if words.len() > 4 {
        let start = chance.below(u32::try_from(words.len() - 4).unwrap_or(1)) as usize;
        return words[start..start + 4].join(" ");
    }
    let some: String = line.chars().take(12).collect();
    match some.is_empty() {
        true => "anything".to_owned(),
        false => some,
    }
}

/// A page of results on which nothing certain stands: the query missed, or was too much at once.
fn found(prompt: &Prompt<'_>, chance: &mut Chance) -> Value {
    let is_chinese = prompt.system.contains("你");
    let filler = match is_chinese {
        true => {
            "这一页谈论的是大家都在议论的话题，作者回顾了许多年来的见闻与感想，语气轻松，没有给出任何数字，也没有给出任何结论，\
             只是请读者自己去想一想这些事情究竟意味着什么，并且期待以后还有机会继续聊下去，把没有说完的话慢慢说完。"
        }
        false => {
            "People have talked about this for a long while, and the author looks back on many walks and talks without giving a \
             number or a conclusion; readers are asked to think for themselves about what all of it may mean, and the page ends \
             with a promise to come back to the matter another day, when more can be said about it and about everything around it."
        }
    };
    let is_compound = chance.below(3) == 0;
    let title = if is_chinese { "随笔" } else { "A page" };
    let results: Vec<_> = (1..=4)
        .map(|id| json!({ "id": id, "title": title, "content": filler, "date": "2034-05-06" }))
        .collect();
    json!({
        "is_compound_query": is_compound,
        "hit": 0,
        "matched_fact_keys": [],
        "reason": if is_compound { "compound" } else { "miss" },
        "search_result": results,
    })
}

/// What makers, auditors and editors of the world studio reply, by the form that they are asked for.
fn made(prompt: &Prompt<'_>, chance: &mut Chance) -> Option<Value> {
    let asks = |words: &str| prompt.system.contains(words);
    if asks("\"goal_graph\"") {
        let year = 2027 + chance.below(10);
        let names = behind(prompt.system, &["must name: ", "必须提到的两个实体："]);
        return Some(json!({
            "text": format!("Of {names} in {year}: how long are both tours together? ({})", chance.below(1000)),
            "time_window": { "from": year, "to": year },
            "outputs": [{ "name": "how long", "type": "number" }],
        }));
    }
    if asks("\"answer_short\"") && asks("\"derivation\"") && !asks("\"params\"") {
        let facts: Vec<_> = (1..=3)
            .map(|number| {
                let days = 2 + chance.below(27);
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
        return Some(json!({ "answer": chance.pick(&["31 days", "31 days", "22 days"]) }));
    }
    if asks("\"consistent\"") {
        return Some(json!({ "consistent": chance.below(2) == 0, "why": "a scripted reply" }));
    }
    asks("\"accept\"").then(|| {
        let objections = behind(
            prompt.system,
            &["machine objects to\n", "程序检查发现的问题\n"],
        );
        match objections.is_empty() {
            true => json!({ "action": "accept", "params": {} }),
            false => json!({ "action": "refuse", "params": { "reason": "the machine objects" } }),
        }
    })
}

/// The rest of the line behind one of these words; empty without them.
fn behind<'a>(text: &'a str, words: &[&str]) -> &'a str {
    let rest = words
        .iter()
        .find_map(|words| Some(text.split_once(words)?.1));
    rest.and_then(|rest| rest.lines().next())
        .unwrap_or_default()
        .trim()
}
