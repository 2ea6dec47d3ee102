//! The bots that play. They read the variables of their request and nothing else, as a model reads its prompt.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;

use super::memory::{self, Past, Seen};
use turnwise_core::kit::words;
use turnwise_core::prelude::*;

/// Asks that `asks-by-rule` makes if the rounds allow.
const ASKS: usize = 5;
/// Asks that `asks-ten-times` makes if the rounds allow.
const MANY_ASKS: usize = 10;
/// The most words of a search query.
const QUERY_WORDS: usize = 24;

/// `bot:answer-only`
pub fn answer_only(asked: &Asked<'_>) -> String {
    answer(&name_in(asked.variable("question")), 5)
}

/// `bot:search-only`
pub fn search_only(asked: &Asked<'_>) -> String {
    let past = memory::read(asked.variable("memory"));
    if may(asked, "search") && past.searches.is_empty() {
        return search(&keywords(asked.variable("question")));
    }
    match past.results().first() {
        Some(first) => answer(&first.title, confidence(asked.variable("question"), first)),
        None => answer_only(asked),
    }
}

pub fn asks_by_rule(asked: &Asked<'_>) -> String {
    let question = asked.variable("question");
    let past = memory::read(asked.variable("memory"));
    let left = rounds_left(asked.variable("round_info"));
    if may(asked, "search") && past.searches.is_empty() && left > 0 {
        return search(&keywords(question));
    }
    if may(asked, "ask")
        && past.asks.len() < ASKS
        && left > 0
        && let Some(wanted) = probe(question, &past).or_else(|| plain(question, &past))
    {
        return ask(&wanted);
    }
    search_again_or_answer(asked, &past, left)
}

pub fn asks_ten_times(asked: &Asked<'_>) -> String {
    let question = asked.variable("question");
    let past = memory::read(asked.variable("memory"));
    let left = rounds_left(asked.variable("round_info"));
    let asks = match may(asked, "ask") {
        true => MANY_ASKS.saturating_sub(past.asks.len()),
        false => 0,
    };
    // The last round is for the answer, and a search takes one that could be asked in.
    if may(asked, "search") && past.searches.is_empty() && left as usize > asks {
        return search(&keywords(question));
    }
    if asks > 0
        && left > 0
        && let Some(wanted) = probe(question, &past)
            .or_else(|| plain(question, &past))
            .or_else(|| general(question, &past))
    {
        return ask(&wanted);
    }
    search_again_or_answer(asked, &past, left)
}

/// What both do when they have asked enough.
fn search_again_or_answer(asked: &Asked<'_>, past: &Past, left: u32) -> String {
    let confirmed = confirmed(past);
    if may(asked, "search") && past.searches.len() == 1 && !confirmed.is_empty() && left > 0 {
        return search(&keywords(&confirmed.join(" ")));
    }
    match best(past) {
        Some((seen, support)) => answer(&seen.title, (20 + 15 * support).clamp(5, 95)),
        None => answer_only(asked),
    }
}

/// Rounds after this one, from `round/limit`.
fn rounds_left(round_info: &str) -> u32 {
    round_info
        .split_once('/')
        .and_then(|(round, limit)| {
            let limit: u32 = limit.parse().ok()?;
            Some(limit.saturating_sub(round.parse().ok()?))
        })
        .unwrap_or(0)
}

/// Whether an action is among those that the request lists.
fn may(asked: &Asked<'_>, action: &str) -> bool {
    asked
        .variable("actions")
        .lines()
        .any(|line| line.strip_prefix("Action:").is_some_and(|name| name.trim() == action))
}

fn search(query: &str) -> String {
    json!({ "action": "search", "params": { "query": query } }).to_string()
}

fn ask(question: &str) -> String {
    json!({ "action": "ask", "params": { "question": question } }).to_string()
}

fn answer(answer: &str, confidence: i64) -> String {
    let confidence = confidence.to_string();
    json!({ "action": "answer", "params": { "answer": answer, "confidence": confidence } })
        .to_string()
}

/// The words of a text that a search engine can use; a Chinese text is taken as it is.
fn keywords(text: &str) -> String {
    if text.chars().any(words::is_han) {
        return text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(120).collect();
    }
    let mut seen = BTreeSet::new();
    text.split(|sign: char| !sign.is_alphanumeric() && sign != '\'')
        .filter(|word| !word.is_empty() && !words::words(word).is_empty())
        .filter(|word| seen.insert(word.to_lowercase()))
        .take(QUERY_WORDS)
        .collect::<Vec<_>>()
        .join(" ")
}

/// The longest capitalised name that does not begin a sentence, else `unknown`.
fn name_in(question: &str) -> String {
    let mut best = String::new();
    let mut name: Vec<&str> = Vec::new();
    let mut starts = true;
    for word in question.split_whitespace().chain(std::iter::once("")) {
        let bare = word.trim_matches(|sign: char| !sign.is_alphanumeric());
        if !starts && bare.chars().next().is_some_and(char::is_uppercase) {
            name.push(bare);
        } else {
            let whole = name.join(" ");
            if whole.len() > best.len() {
                best = whole;
            }
            name.clear();
        }
        starts = word.ends_with(['.', '?', '!', ':']);
    }
    if best.is_empty() { "unknown".to_owned() } else { best }
}

/// How much of the question a result covers, as a confidence.
fn confidence(question: &str, seen: &Seen) -> i64 {
    let asked = words::stems(question);
    let told = words::stems(&seen.snippet);
    let met = i64::try_from(asked.intersection(&told).count()).unwrap_or(0);
    let all = i64::try_from(asked.len()).unwrap_or(1).max(1);
    (100 * met / all).clamp(5, 95)
}

/// The next thing to ask: a sentence of a result that says most that neither the question nor another ask has said. Names
/// of results are never put to the user.
fn probe(question: &str, past: &Past) -> Option<String> {
    let known = words::stems(question);
    let titles: BTreeSet<String> =
        past.results().iter().flat_map(|seen| words::stems(&seen.title)).collect();
    let put: Vec<_> = past.asks.iter().map(|(asked, _)| words::stems(asked)).collect();
    past.results()
        .into_iter()
        .flat_map(|seen| words::sentences(&seen.snippet))
        .map(|sentence| sentence.trim_matches(|sign: char| sign == '…' || sign.is_whitespace()))
        .filter(|sentence| sentence.chars().count() >= 8)
        .filter_map(|sentence| {
            let stems = words::stems(sentence);
            let is_named = stems.intersection(&titles).count() > 0;
            let is_put =
                put.iter().any(|other| other.intersection(&stems).count() * 2 > stems.len());
            let fresh = stems.difference(&known).count();
            (!is_named && !is_put && fresh >= 2).then_some((fresh, sentence))
        })
        .max_by_key(|(fresh, sentence)| (*fresh, std::cmp::Reverse(*sentence)))
        .map(|(_, sentence)| {
            if sentence.chars().any(words::is_han) {
                format!("{sentence}，对吗？")
            } else {
                format!("Is it true that {}?", lower_first(sentence))
            }
        })
}

/// What is asked where nothing was found to ask about: whether the question's own words are true of what is meant, the longest
/// first.
fn plain(question: &str, past: &Past) -> Option<String> {
    if !past.results().is_empty() {
        return None;
    }
    let is_put = |word: &str| past.asks.iter().any(|(asked, _)| asked.contains(word));
    let mut words = words_of(question);
    words.sort_by_key(|word| std::cmp::Reverse(word.chars().count()));
    let word = words.into_iter().find(|word| !is_put(word))?;
    Some(match word.chars().any(words::is_han) {
        true => format!("{word}，对吗？"),
        false => format!("Is “{word}” true of it?"),
    })
}

/// What can be asked about anything: as many questions as `asks-ten-times` asks, so that it never runs out of them.
const GENERAL: [(&str, &str); MANY_ASKS] = [
    ("Is it a person?", "它是一个人吗？"),
    ("Is it a place?", "它是一个地方吗？"),
    ("Is it an organisation?", "它是一个组织吗？"),
    ("Is it a work of art or literature?", "它是一部作品吗？"),
    ("Is it a made object?", "它是人造的物品吗？"),
    ("Is it older than a hundred years?", "它有一百多年的历史吗？"),
    ("Does it still exist?", "它现在还存在吗？"),
    ("Is it found in one country only?", "它只在一个国家吗？"),
    ("Has it won a prize?", "它获过奖吗？"),
    ("Is it known by more than one name?", "它有不止一个名字吗？"),
];

/// The first general question that was not put yet.
fn general(question: &str, past: &Past) -> Option<String> {
    let is_han = question.chars().any(words::is_han);
    let mut general = GENERAL.iter().map(|(en, zh)| if is_han { *zh } else { *en });
    let is_put = |wanted: &str| past.asks.iter().any(|(asked, _)| asked == wanted);
    general.find(|wanted| !is_put(wanted)).map(str::to_owned)
}

/// The words of a question that say something, each once and in their order; of a Chinese one its clauses.
fn words_of(question: &str) -> Vec<&str> {
    let mut seen = BTreeSet::new();
    let is_han = question.chars().any(words::is_han);
    question
        .split(|sign: char| match is_han {
            true => !sign.is_alphanumeric(),
            false => !sign.is_alphanumeric() && sign != '\'',
        })
        .filter(|word| match is_han {
            true => word.chars().count() >= 2,
            false => !words::words(word).is_empty(),
        })
        .filter(|word| seen.insert(word.to_lowercase()))
        .collect()
}

fn lower_first(sentence: &str) -> String {
    let mut signs = sentence.chars();
    match signs.next() {
        Some(first) => first.to_lowercase().chain(signs).collect(),
        None => String::new(),
    }
}

/// What the user said yes to.
fn confirmed(past: &Past) -> Vec<String> {
    past.asks
        .iter()
        .filter(|(_, reply)| reply == "yes")
        .map(|(asked, _)| {
            asked
                .trim_start_matches("Is it true that ")
                .trim_end_matches("，对吗？")
                .trim_end_matches('?')
                .to_owned()
        })
        .collect()
}

/// The title whose snippets agree best with the user's replies: shared words with what was confirmed, less those with what
/// was denied. Earlier results win a tie.
fn best(past: &Past) -> Option<(&Seen, i64)> {
    let mut scores: BTreeMap<&str, i64> = BTreeMap::new();
    for seen in past.searches.iter().flatten() {
        let told = words::stems(&seen.snippet);
        for (asked, reply) in &past.asks {
            let shared = words::stems(asked).intersection(&told).count();
            if shared >= 2 {
                *scores.entry(seen.title.as_str()).or_default() += match reply.as_str() {
                    "yes" => 1,
                    "no" => -1,
                    _ => 0,
                };
            }
        }
    }
    let score = |seen: &Seen| scores.get(seen.title.as_str()).copied().unwrap_or(0);
    // The last search was for what was confirmed, so its first result comes first.
    let last_first = past.searches.iter().rev().flatten();
    let mut best: Option<(&Seen, i64)> = None;
    for seen in last_first {
        if best.is_none_or(|(_, points)| score(seen) > points) {
            best = Some((seen, score(seen)));
        }
    }
    best
}
