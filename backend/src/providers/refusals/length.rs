//! What is too long, and how long it may be.

use serde_json::Value;

use super::lists::WORDS;
use super::reading::{self, Span};
use super::told::{ErrorContents, has_word, sentences};

/// How many tokens a reply may have where a service refused the limit that was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenLimit {
    /// As many in any reply of the model.
    OfModel(u32),
    /// As many as the context window has left beside this conversation.
    OfConversation(u32),
}

/// A reply of fewer tokens is no use.
const SHORTEST_REPLY: u64 = 16;

/// Whether the request is longer than what the model, or what stands before it, takes. It will be too long always.
pub(super) fn is_too_long(status: u16, told: &ErrorContents, error: &Value) -> bool {
    if status == 413 {
        return true;
    }
    let is_plausible = matches!(status, 400 | 422 | 429 | 500 | 501) || status < 300;
    if !is_plausible {
        return false;
    }
    if told.has_code(&["contextlength", "contextwindow", "contextsize", "prompttoolong"]) {
        return true;
    }
    // A limit of a minute is another one: it takes the request later, unless the request is larger than the whole limit.
    if status == 429 || reading::span(&told.said) == Some(Span::Moment) {
        return is_larger_than_a_limit(&told.said);
    }
    let is_of_the_text = match error["param"].as_str() {
        Some(param) => {
            let param = param.to_lowercase();
            let of_text = ["messages", "input", "prompt", "contents", "content", "system"];
            param.is_empty() || of_text.iter().any(|name| param.starts_with(name))
        }
        None => true,
    };
    // vLLM counts what the conversation leaves of the window for the reply.
    if told.says(&["at least 1, got -"]) {
        return true;
    }
    if !is_of_the_text {
        return false;
    }
    if told.has_code(&WORDS.context_codes) || told.is_numbered(&WORDS.context_numbers) {
        return true;
    }
    if told.has_code(&["abovemaxlength"]) {
        return true;
    }
    sentences(&told.said).any(is_of_length)
}

/// Whether a sentence says that what was asked is too long. A limit of the reply's is another one.
fn is_of_length(sentence: &str) -> bool {
    // Validators call the value of any parameter an input.
    let sentence = &sentence.replace("input should", "");
    let has = |phrases: &[String]| phrases.iter().any(|phrase| sentence.contains(phrase.as_str()));
    let word = |words: &[String]| words.iter().any(|word| has_word(sentence, word));
    let own = ["context", "prompt", "input", "inputs", "message", "messages", "conversation"];
    let is_of_reply = has(&WORDS.reply_limits) && !own.iter().any(|word| has_word(sentence, word));
    word(&WORDS.long_things) && has(&WORDS.too_long) && has(&WORDS.lengths) && !is_of_reply
}

/// Whether a limit is named, and something larger was asked for: it never fits.
fn is_larger_than_a_limit(said: &str) -> bool {
    let after = |cue: &str| {
        let rest = &said[said.find(cue)? + cue.len()..];
        numbers(rest).first().map(|(_, number)| *number)
    };
    match (after("limit"), after("requested")) {
        (Some(limit), Some(requested)) => requested > limit,
        _ if reading::wait(said).is_some() => false,
        _ if reading::span(said) == Some(Span::Moment) || said.contains("rate limit") => {
            said.contains("request too large") || said.contains("must be reduced")
        }
        _ => sentences(said).any(|sentence| {
            let own = [
                "context",
                "prompt",
                "input",
                "conversation",
                "request too large",
                "must be reduced",
            ];
            is_of_length(sentence) && own.iter().any(|word| sentence.contains(word))
        }),
    }
}

/// How many tokens a reply may have, if a service says so where it refuses the limit that was sent.
pub fn token_limit(error: &Value, sent: u32) -> Option<TokenLimit> {
    let told = ErrorContents::of(error);
    let sent = u64::from(sent);
    let said = told.said.as_str();
    let of_limit = WORDS.reply_limits.iter().any(|name| said.contains(name.as_str()));
    let of_window = ["context", "input", "prompt", "messages", "token count"]
        .iter()
        .any(|word| said.contains(word));
    let mut all: Vec<u64> = sentences(said)
        .filter(|sentence| sentence.contains("token") || sentence.contains("max"))
        .flat_map(numbers)
        .map(|(_, number)| number)
        .filter(|number| *number > 0)
        .collect();
    all.sort_unstable();
    all.dedup();
    let is_sent_named = all.contains(&sent);
    all.retain(|number| *number != sent);
    if of_window && is_sent_named {
        let whole = all.iter().find_map(|total| {
            let asked = total.checked_sub(sent)?;
            let window = all.iter().rev().find(|window| **window < *total && **window != asked)?;
            (all.contains(&asked)).then_some((*window, asked))
        });
        let two = match all
            .iter()
            .copied()
            .filter(|number| *number >= SHORTEST_REPLY)
            .collect::<Vec<_>>()[..]
        {
            [asked, window] if asked + sent > window => Some((window, asked)),
            _ => None,
        };
        let room = whole.or(two).map(|(window, asked)| window.saturating_sub(asked));
        if let Some(room) = room {
            let room = u32::try_from(room).ok()?;
            return (u64::from(room) >= SHORTEST_REPLY && u64::from(room) < sent)
                .then_some(TokenLimit::OfConversation(room));
        }
    }
    if !of_limit {
        return None;
    }
    let most = all.into_iter().rev().find(|number| *number < sent)?;
    let is_beyond = [
        format!("{most} (exclusive)"),
        format!("less than {most}"),
        format!("smaller than {most}"),
    ];
    let most = most
        - u64::from(
            is_beyond.iter().any(|phrase| said.contains(phrase.as_str()))
                && !said.contains("less than or equal"),
        );
    let most = u32::try_from(most).ok()?;
    (u64::from(most) >= SHORTEST_REPLY).then_some(TokenLimit::OfModel(most))
}

/// The whole numbers of a text, with their places. Those within names, versions and fractions are none.
fn numbers(text: &str) -> Vec<(usize, u64)> {
    let mut found = Vec::new();
    let mut rest = 0;
    while let Some(from) = text[rest..].find(|character: char| character.is_ascii_digit()) {
        let from = rest + from;
        let is_part =
            |character: char| character.is_ascii_digit() || matches!(character, ',' | '_');
        let length =
            text[from..].find(|character| !is_part(character)).unwrap_or(text.len() - from);
        let end = from + length;
        rest = end;
        let before = text[..from].chars().next_back();
        let after = text[end..].chars().next();
        let is_of_a_name = before
            .is_some_and(|c| c.is_alphabetic() || matches!(c, '-' | '.' | '_'))
            && !(before == Some('-')
                && text[..from - 1].ends_with(|c: char| c.is_whitespace() || c.is_ascii_digit()))
            || after.is_some_and(|c| c.is_alphabetic() || matches!(c, '-' | '_'))
            || (after == Some('.') && text[end + 1..].starts_with(|c: char| c.is_ascii_digit()));
        let digits = text[from..end].trim_end_matches([',', '_']);
        // Groups of three are one number, other commas stand in lists.
        let parts: Vec<&str> = digits.split([',', '_']).collect();
        let is_grouped = parts.iter().skip(1).all(|part| part.len() == 3) && parts[0].len() <= 3;
        let whole = match parts.len() {
            1 => digits.parse().ok(),
            _ if is_grouped => parts.concat().parse().ok(),
            _ => parts[parts.len() - 1].parse().ok(),
        };
        if let Some(number) = whole.filter(|_| !is_of_a_name) {
            found.push((from, number));
        }
    }
    found
}
