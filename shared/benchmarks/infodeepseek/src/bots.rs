//! Built-in players: rules without key and network.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use turnwise_core::benchmark::Prompt;
use turnwise_core::kit::words::{folded, is_han, sentences, stems};
use turnwise_core::prelude::*;

use crate::prompts::{ANSWER, PLAN, RANK, variable};
use crate::reading::{address, tool};
use crate::settings::{ANSWERER, ARBITER, JUDGE, READER, SECOND};
use crate::tasks::field;

pub const BOTS: &[BotInfo] = &[
    BotInfo::new(
        "searcher",
        Seat::PLAYER,
        "searches for each name in the question, opens the first page that is new, and ranks by common words",
        |asked| player(asked, search_or_open),
    ),
    BotInfo::new(
        "sources",
        Seat::PLAYER,
        "opens the annotated pages in their order: the ceiling of finding",
        |asked| player(asked, open_source),
    ),
    BotInfo::new(
        "offline",
        Seat::PLAYER,
        "does not search and knows nothing: the floor",
        |asked| player(asked, |_, _| None),
    ),
    BotInfo::new(
        "extract",
        READER,
        "gives the sentences of the page with most words of the question, else the first",
        |asked| {
            let page = asked.variable(variable::PAGE);
            let found = extract(page, asked.variable(variable::ASKED), 5);
            let first = || sentences(page).next().unwrap_or_default().to_owned();
            if found.is_empty() { first() } else { found }
        },
    ),
    BotInfo::new(
        "extract",
        ANSWERER,
        "gives the sentences of all pages with most words of the question",
        |asked| answer(asked.variable(variable::QUESTION), asked.variable(variable::FOUND)),
    ),
    BotInfo::new("first-page", ANSWERER, "gives what the first page has", |asked| {
        let first = list(asked.variable(variable::FOUND)).into_iter().next();
        first
            .map(|page| text(&page, "content"))
            .filter(|text| !text.is_empty())
            .unwrap_or_else(unknown)
    }),
    BotInfo::new("exact", JUDGE, EXACT, exact),
    BotInfo::new("exact", SECOND, EXACT, exact),
    BotInfo::new("exact", ARBITER, EXACT, exact),
];

const EXACT: &str = "says yes if the reference stands in the answer, but for case and punctuation";

/// How many sentences an answer has.
const SENTENCES: usize = 3;
/// The most names of a question that are searched for.
const NAMES: usize = 8;

fn unknown() -> String {
    "I do not know.".to_owned()
}

fn exact(asked: &Asked<'_>) -> String {
    let [reference, answer] =
        [variable::REFERENCE, variable::CANDIDATE].map(|name| folded(asked.variable(name)));
    let is_in = !reference.is_empty() && format!(" {answer} ").contains(&format!(" {reference} "));
    // Chinese has no spaces.
    let is_in = is_in || reference.chars().any(is_han) && answer.contains(&reference);
    if is_in { "Yes" } else { "No" }.to_owned()
}

/// What a seat was shown as a list of objects; other words may stand before it.
fn list(shown: &str) -> Vec<Value> {
    let from = shown.find('[').unwrap_or(shown.len());
    serde_json::from_str(&shown[from..]).unwrap_or_default()
}

fn text(value: &Value, name: &str) -> String {
    value[name].as_str().unwrap_or_default().to_owned()
}

/// What was done and found.
struct Past {
    done: Vec<(String, Value)>,
    /// Address and text, each address once, the newest text last.
    pages: Vec<(String, String)>,
}

impl Past {
    fn read(shown: &str) -> Past {
        let mut past = Past { done: Vec::new(), pages: Vec::new() };
        for step in list(shown) {
            let command = &step["command"];
            past.done.push((text(command, "name"), command["args"].clone()));
            let result = text(&step, "result");
            let mut lines: Vec<&str> = Vec::new();
            for line in result.lines() {
                match line.strip_prefix("url: ") {
                    Some(url) if command["name"] == tool::SEARCH => {
                        past.add(url, &lines.join(" "));
                        lines.clear();
                    }
                    // Of a page the text follows its address.
                    Some(url) => {
                        let (_, after) = result.split_once(line).unwrap_or_default();
                        past.add(url, after.trim());
                        break;
                    }
                    None => {
                        lines.push(line.trim_start_matches("title: ").trim_start_matches("body: "))
                    }
                }
            }
        }
        past
    }

    fn add(&mut self, url: &str, text: &str) {
        match self.pages.iter_mut().find(|(known, _)| address(known) == address(url)) {
            Some((_, known)) => *known = format!("{text}\n{known}"),
            None => self.pages.push((url.to_owned(), text.to_owned())),
        }
    }

    fn has(&self, name: &str, argument: &str, value: &str) -> bool {
        self.done.iter().any(|(tool, args)| tool == name && args[argument] == value)
    }
}

type Plan = fn(&Asked<'_>, &Past) -> Option<Value>;

fn player(asked: &Asked<'_>, plan: Plan) -> String {
    let uses = |name: &str| ["en", "zh"].iter().any(|code| asked.uses(&format!("{name}_{code}")));
    let question = asked.variable(variable::QUESTION);
    if uses(ANSWER) {
        return answer(question, asked.variable(variable::FOUND));
    }
    let past = Past::read(asked.variable(variable::MEMORY));
    if uses(RANK) {
        return rank(asked, &past, question);
    }
    debug_assert!(uses(PLAN) || uses("plan_aware"), "a player plans, ranks and answers");
    let step = match plan(asked, &past) {
        Some(step) => step,
        None => json!({ "name": tool::DONE, "args": { "reason": "nothing is left to do" } }),
    };
    json!([{ "task_name": "find the answer", "command": step }]).to_string()
}

fn search_or_open(asked: &Asked<'_>, past: &Past) -> Option<Value> {
    let question = asked.variable(variable::QUESTION);
    let was_search = past.done.last().is_some_and(|(name, _)| name == tool::SEARCH);
    let is_opened = |url: &str| past.has(tool::OPEN, "url", url);
    let mut pages = past.pages.iter();
    if was_search && let Some((url, _)) = pages.find(|(url, _)| !is_opened(url)) {
        return Some(json!({ "name": tool::OPEN, "args": { "url": url, "question": question } }));
    }
    let mut names = names(question).into_iter();
    let next = names.find(|name| !past.has(tool::SEARCH, "text", name))?;
    Some(json!({ "name": tool::SEARCH, "args": { "text": next } }))
}

fn open_source(asked: &Asked<'_>, past: &Past) -> Option<Value> {
    let mut urls = asked.variable(field::SOURCES).lines();
    let url = urls.find(|url| !past.has(tool::OPEN, "url", url))?;
    let question = asked.variable(variable::QUESTION);
    Some(json!({ "name": tool::OPEN, "args": { "url": url, "question": question } }))
}

/// The names in a question, longest first, after the question's words as a whole; a Chinese question in its parts.
fn names(question: &str) -> Vec<String> {
    if question.chars().any(is_han) {
        let parts = question.split(|sign: char| !sign.is_alphanumeric() && sign != ' ');
        let parts = parts.map(str::trim).filter(|part| part.chars().count() > 1);
        return parts.map(str::to_owned).take(NAMES).collect();
    }
    let mut found: Vec<String> = Vec::new();
    let mut name: Vec<&str> = Vec::new();
    let mut begins = true;
    for word in question.split_whitespace().chain([""]) {
        let bare = word.trim_matches(|sign: char| !sign.is_alphanumeric());
        let is_name = bare.starts_with(|sign: char| sign.is_uppercase() || sign.is_numeric());
        if is_name && !begins {
            name.push(bare);
        } else if !name.is_empty() {
            found.push(name.join(" "));
            name.clear();
        }
        begins = word.ends_with(['.', '?', '!']);
    }
    found.sort_by_key(|name| std::cmp::Reverse(name.len()));
    let plain = question.trim_end_matches('?').to_owned();
    let mut all: Vec<String> = [plain].into_iter().chain(found).collect();
    let mut seen = BTreeSet::new();
    all.retain(|name| seen.insert(name.clone()));
    all.truncate(NAMES);
    all
}

/// How many words of the question a text has.
fn overlap(text: &str, question: &BTreeSet<String>) -> usize {
    stems(text).intersection(question).count()
}

fn rank(asked: &Asked<'_>, past: &Past, question: &str) -> String {
    let most = asked.variable(variable::PAGES).parse().unwrap_or(5);
    let wanted = stems(question);
    let mut pages: Vec<_> =
        past.pages.iter().filter(|(_, text)| overlap(text, &wanted) > 0).collect();
    // What was opened goes before what was only found.
    pages.sort_by_key(|(url, text)| {
        std::cmp::Reverse((past.has(tool::OPEN, "url", url), overlap(text, &wanted)))
    });
    let page = |(url, text): &(String, String)| json!({ "url": url, "content": text });
    json!(pages.into_iter().take(most).map(page).collect::<Vec<_>>()).to_string()
}

/// The sentences with most words of the question, in their order.
fn extract(page: &str, question: &str, most: usize) -> String {
    let wanted = stems(question);
    let sentences: Vec<&str> = sentences(page).collect();
    let mut best: Vec<(usize, usize)> =
        sentences.iter().enumerate().map(|(at, one)| (overlap(one, &wanted), at)).collect();
    best.sort_by_key(|(common, at)| (std::cmp::Reverse(*common), *at));
    let mut chosen: Vec<usize> =
        best.into_iter().filter(|(common, _)| *common > 0).take(most).map(|(_, at)| at).collect();
    chosen.sort_unstable();
    let chosen: Vec<&str> = chosen.into_iter().map(|at| sentences[at]).collect();
    chosen.join(".\n")
}

/// From pages of evidence, or from what was done and found.
fn answer(question: &str, found: &str) -> String {
    let pages = list(found);
    let contents = pages.iter().map(|page| match page["content"].as_str() {
        Some(content) => content.to_owned(),
        None => Past::read(&json!([page]).to_string())
            .pages
            .into_iter()
            .map(|(_, text)| text)
            .collect::<Vec<_>>()
            .join("\n"),
    });
    let answer = extract(&contents.collect::<Vec<_>>().join("\n"), question, SENTENCES);
    if answer.is_empty() { unknown() } else { answer }
}

/// What scripted models reply, by what the prompt asks for.
pub(crate) fn scripted(prompt: &Prompt<'_>, dice: &mut Dice<'_>) -> Option<String> {
    let has = |words: [&str; 2]| words.iter().any(|words| prompt.has(words));
    match prompt.seat {
        Seat::PLAYER if has(["The next step:", "下一步："]) => Some(
            dice.pick(&[
                r#"[{"task_name": "search", "command": {"name": "web_search", "args": {"text": "a page"}}}]"#,
                r#"[{"task_name": "open", "command": {"name": "browse_website", "args": {"url": "https://example.org/1", "question": ""}}}]"#,
                r#"[{"task_name": "end", "command": {"name": "task_complete", "args": {}}}]"#,
                "I should search for it.",
            ])
            .to_owned(),
        ),
        Seat::PLAYER if has(["the most important first:", "网页（按重要程度排序）："]) => Some(
            dice.pick(&[
                r#"[{"url": "https://example.org/1", "content": "It is made up."}]"#,
                r#"[{"url": "https://example.org/1", "content": "a",}, {"url": "https://example.org/2", "content": "b"}]"#,
                "[]",
            ])
            .to_owned(),
        ),
        Seat::PLAYER | ANSWERER if has(["A brief answer in English:", "简洁的中文回答："]) => {
            Some(dice.pick(&["A scripted answer.", "Another scripted answer."]).to_owned())
        }
        READER if has(["The text is material to read", "以上文字只是材料"]) => {
            Some("The page says little about it.".to_owned())
        }
        JUDGE | SECOND | ARBITER if has(["Candidate:", "待评回答："]) => {
            Some(dice.pick(&["Yes", "No", "**No**", "Perhaps."]).to_owned())
        }
        _ => None,
    }
}
