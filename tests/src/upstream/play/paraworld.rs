//! A player, an engine and a judge of Mind-ParaWorld.
//!
//! What they say follows from the request alone: calls side by side, and equal queries of several episodes, ask alike at the
//! same time.

use serde_json::{Value, json};

use super::Chance;
use super::{after_last, is_chinese, words};

/// The question that the player was asked.
pub fn question(messages: &[(String, String)]) -> &str {
    let question = messages
        .iter()
        .find(|(role, _)| role == "user")
        .map_or("", |(_, text)| text);
    question
        .split_once("<question>")
        .map_or(question, |(_, rest)| rest)
        .trim()
}

/// The player's question as the engine of `strict` is told it; the reference's engine is told it elsewhere.
pub fn question_of_engine(messages: &[(String, String)]) -> Option<&str> {
    let user = messages.iter().find(|(role, _)| role == "user")?;
    let (_, after) = user.1.split_once('\n')?;
    Some(after.split_once("\n\n## ")?.0.trim())
}

/// The player's turn, from 1.
pub fn turn(messages: &[(String, String)]) -> u64 {
    let before = messages.iter().filter(|(role, _)| role == "assistant");
    before.count() as u64 + 1
}

/// A player: thinks, searches for words of the question or for names, and answers after four to twelve turns. Now and then it
/// forgets the format, calls a tool that does not exist, or leaves a comma behind.
pub fn search(messages: &[(String, String)], chance: &Chance) -> String {
    let question = question(messages);
    let system = messages.first().map_or("", |(_, text)| text);
    let turn = turn(messages);
    let length = 4 + Chance::new([question.as_bytes()]).number("length", 9);
    let has_tool = system.contains("web_search") || system.starts_with("Search");
    if chance.happens("invalid", 0.08) {
        return invalid(chance).to_owned();
    }
    if !has_tool || turn >= length {
        let answer = words(question, chance, "guess", 2);
        return format!("<think>That should do.</think>\n<answer>{answer}</answer>");
    }
    let mut text = "<think>What is missing?</think>\n".to_owned();
    let calls = 1 + chance.number("calls", 3) / 2;
    for number in 0..calls {
        let query = words(question, chance, &format!("query {number}"), 5);
        text.push_str(&call(&json!(query)));
    }
    text
}

fn call(query: &Value) -> String {
    let call = json!({ "name": "web_search", "arguments": { "query": query } });
    format!("<tool_call>\n{call}\n</tool_call>")
}

fn invalid(chance: &Chance) -> &'static str {
    chance.one(
        "form of invalid",
        &[
            "I should look into this more closely.",
            "<tool_call>\n{\"name\": \"browse\", \"arguments\": {}}\n</tool_call>",
            "<tool_call>\n{\"name\": \"web_search\", \"arguments\": {\"query\": \"a comma\",}}\n</tool_call>",
            "<tool_call>\n{\"name\": \"web_search\", \"arguments\": {\"query\": 2031}}\n</tool_call>",
            "<tool_call>\n{\"name\": \"web_search\"",
            "<think>It never",
            "<answer> </answer>",
            "",
        ],
    )
}

/// An engine that hits, misses and calls queries compound by chance; now and then it breaks a rule or writes prose.
pub fn engine(messages: &[(String, String)], chance: &Chance) -> String {
    let user = messages.last().map_or("", |(_, text)| text);
    let facts: Vec<(String, String)> = facts(user);
    let class = chance.number("class", 3);
    let key =
        (!facts.is_empty()).then(|| &facts[chance.number("fact", facts.len() as u64) as usize]);
    if chance.happens("prose", 0.05) {
        return "I found nothing that I could write down.".to_owned();
    }
    let hit = class == 0 && key.is_some();
    let told = match key {
        Some((key, value)) if hit => format!("The register says: {key}: {value}."),
        _ => filler(user).to_owned(),
    };
    let result = |id: usize, content: &str| json!({ "id": id, "title": format!("Page {id}"), "content": content, "date": "2034-05-06" });
    let results = [
        result(1, &told),
        result(2, filler(user)),
        result(3, filler(user)),
        result(4, filler(user)),
    ];
    // A rule that is broken: the key is there and the hit is not.
    let contradicts = chance.happens("contradicts", 0.05);
    let reply = json!({
        "is_compound_query": class == 2,
        "hit": u8::from(hit && !contradicts),
        "matched_fact_keys": key.filter(|_| hit).map(|(key, _)| vec![key]).unwrap_or_default(),
        "search_result": results,
    });
    match chance.number("dress", 3) {
        0 => reply.to_string(),
        1 => format!("```json\n{reply:#}\n```"),
        _ => format!("<think>One thing about one entity?</think>\n{reply}"),
    }
}

/// The facts as the engine is shown them: the first JSON object of texts.
fn facts(user: &str) -> Vec<(String, String)> {
    user.match_indices('{')
        .find_map(|(at, _)| {
            let mut values = serde_json::Deserializer::from_str(&user[at..]).into_iter();
            let Some(Ok(Value::Object(facts))) = values.next() else {
                return None;
            };
            facts
                .into_iter()
                .map(|(key, value)| Some((key, value.as_str()?.to_owned())))
                .collect()
        })
        .unwrap_or_default()
}

/// Talk without a fact, long enough for every rule.
fn filler(user: &str) -> &'static str {
    if is_chinese(after_last(user, "{")) {
        "这一页谈论的是大家都在议论的话题，作者回顾了许多年来的见闻与感想，语气轻松，没有给出任何数字，也没有给出任何结论，只是请读者自己去想一想这些事情究竟意味着什么，并且期待以后还有机会继续聊下去。"
    } else {
        "People have talked about this for a long while, and the author looks back on many walks and talks without giving a \
         number or a conclusion; readers are asked to think for themselves about what all of it may mean, and the page ends with \
         a promise to come back to the matter another day, when more can be said about it and about everything around it."
    }
}

/// A judge.
pub fn judge(chance: &Chance) -> &'static str {
    if chance.happens("unreadable", 0.05) {
        return "It is hard to tell.";
    }
    chance.one(
        "judge",
        &[
            "<think>The same.</think><answer>Correct</answer>",
            "<think>Something else.</think>\n<answer>Incorrect</answer>",
            "<answer> incorrect\n</answer>",
        ],
    )
}
