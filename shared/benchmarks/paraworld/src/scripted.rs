//! What scripted models reply in the seats of an episode.

use serde_json::{Value, json};

use turnwise_core::benchmark::Prompt;
use turnwise_core::prelude::*;

/// Turns after which a player answers at the latest.
const TURNS: usize = 6;

/// The prompt of a player that brings its own, in trials: nothing else tells whose it is.
pub(super) const CUSTOM: &str = "Search and answer.";

/// What is said where the prompt is one of this benchmark.
pub(super) fn reply(prompt: &Prompt<'_>, dice: &mut Dice<'_>) -> Option<String> {
    let asks = |words: &str| prompt.has(words);
    if asks("<answer>Correct</answer>") {
        let verdict = dice.pick(&["Correct", "Incorrect", "Incorrect"]);
        return Some(format!("<think>a scripted reply</think>\n<answer>{verdict}</answer>"));
    }
    if asks("\"is_compound_query\"") {
        return Some(found(prompt, dice).to_string());
    }
    let is_player = prompt.system.contains("<answer>") || prompt.system == CUSTOM;
    is_player.then(|| searches(prompt, dice))
}

/// A player's turn: it searches for some words of the question, and answers after some turns.
fn searches(prompt: &Prompt<'_>, dice: &mut Dice<'_>) -> String {
    let is_last = prompt.last.contains("last turn") || prompt.last.contains("最后一轮");
    let before = prompt.replies();
    let goes_on = before < TURNS && (before == 0 || dice.below(4) > 0);
    let may_search = prompt.system.contains("web_search") || prompt.system == CUSTOM;
    if is_last || !may_search || !goes_on {
        return "<think>a scripted reply</think>\n<answer>made up</answer>".to_owned();
    }
    let question = prompt.texts().nth(1).unwrap_or_default();
    let call = json!({ "name": "web_search", "arguments": { "query": some_of(question, dice) } });
    format!("<think>a scripted reply</think>\n<tool_call>\n{call}\n</tool_call>")
}

/// Some signs of a text in a row, whole words where it has any.
fn some_of(text: &str, dice: &mut Dice<'_>) -> String {
    let line = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.starts_with('<'))
        .max_by_key(|line| line.chars().count())
        .unwrap_or_default();
    let words: Vec<&str> = line.split_whitespace().collect();
    if words.len() > 4 {
        let start = dice.below(u32::try_from(words.len() - 4).unwrap_or(1)) as usize;
        return words[start..start + 4].join(" ");
    }
    let some: String = line.chars().take(12).collect();
    match some.is_empty() {
        true => "anything".to_owned(),
        false => some,
    }
}

/// A page of results: the query missed, was too much at once, or found one of the facts that the prompt shows.
fn found(prompt: &Prompt<'_>, dice: &mut Dice<'_>) -> Value {
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
    let facts = facts(prompt.last);
    let class = dice.below(3);
    let fact = facts.get(dice.below(saturated(facts.len())) as usize);
    let hit = fact.filter(|_| class == 1);
    let (reason, keys, first) = match hit {
        Some((key, value)) => ("hit", vec![key], format!("{key}: {value}. {filler}")),
        None if class == 0 => ("compound", Vec::new(), filler.to_owned()),
        None => ("miss", Vec::new(), filler.to_owned()),
    };
    let title = if is_chinese { "随笔" } else { "A page" };
    let results: Vec<_> = (1..=4)
        .map(|id| {
            let content = if id == 1 { &first } else { filler };
            json!({ "id": id, "title": title, "content": content, "date": "2034-05-06" })
        })
        .collect();
    json!({
        "is_compound_query": class == 0,
        "hit": u8::from(hit.is_some()),
        "matched_fact_keys": keys,
        "reason": reason,
        "search_result": results,
    })
}

/// The facts as the engine is shown them: the first JSON object of texts.
fn facts(prompt: &str) -> Vec<(String, String)> {
    let objects = prompt.match_indices('{').filter_map(|(at, _)| {
        let mut values = serde_json::Deserializer::from_str(&prompt[at..]).into_iter();
        match values.next() {
            Some(Ok(Value::Object(facts))) => Some(facts),
            _ => None,
        }
    });
    let texts = |facts: serde_json::Map<String, Value>| {
        let facts = facts.into_iter();
        facts.map(|(key, value)| Some((key, value.as_str()?.to_owned()))).collect()
    };
    objects.map(texts).find_map(|facts| facts).unwrap_or_default()
}
