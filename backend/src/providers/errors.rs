//! What a service says in place of an answer: which failure it is, and whether it names a parameter that it does not take.

use std::collections::BTreeSet;
use std::time::{Duration, SystemTime};

use reqwest::header::{HeaderMap, RETRY_AFTER};
use serde_json::{Value, json};
use turnwise_shared::effect::FailureClass;

use super::Miss;
use super::capabilities::Parameter;

/// A status with the error that came with it: of the error only words for programs are kept, its sentences may repeat keys
/// and prompts.
pub fn miss_of_error(status: u16, error: &Value) -> Miss {
    let mut miss = Miss::of_status(status);
    let mut words = Vec::new();
    let reasons = error["details"].as_array().into_iter().flatten();
    let fields = ["code", "type", "param", "status"].map(|field| (field, &error[field]));
    let reasons = reasons.map(|detail| ("reason", &detail["reason"]));
    for (field, word) in fields.into_iter().chain(reasons) {
        let word = word.as_str().filter(|word| is_for_programs(word));
        if let Some(word) = word {
            // Gemini's `status` is a word; the number stays in its place.
            let field = if field == "status" { "code" } else { field };
            miss.failure.detail[field] = json!(word);
            if !words.contains(&word) {
                words.push(word);
            }
        }
    }
    if is_about_credit(status, error, &words) {
        miss.failure.class = FailureClass::Quota;
        miss.failure.message =
            format!("the account at the service has no credit or quota left (status {status})");
    } else if words.contains(&"API_KEY_INVALID") || words.contains(&"API_KEY_EXPIRED") {
        // Gemini answers 400 where others answer 401.
        miss.failure.class = FailureClass::Unauthorised;
        miss.failure.message = format!("the service refused the key (status {status})");
    } else if !words.is_empty() {
        let message = &mut miss.failure.message;
        message.truncate(message.len() - 1);
        message.push_str(&format!(", {})", words.join(", ")));
    }
    miss.retry_after = delay_in(error);
    miss
}

fn is_for_programs(word: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    (1..=40).contains(&word.len()) && word.bytes().all(plain) && !word.starts_with("sk-")
}

/// OpenAI and others say so by a code, Anthropic by a type, or in a sentence behind an ordinary 400.
fn is_about_credit(status: u16, error: &Value, words: &[&str]) -> bool {
    status == 402
        || words.contains(&"insufficient_quota")
        || words.contains(&"billing_error")
        || (status == 400
            && error["message"]
                .as_str()
                .is_some_and(|message| message.contains("credit balance is too low")))
}

/// An error inside an answer whose status was success. Its code, or its type, tells the status that it should have had.
pub fn miss_inside(error: &Value) -> Miss {
    let code = error
        .get("code")
        .or_else(|| error.get("status"))
        .and_then(|code| code.as_u64().or_else(|| code.as_str()?.parse().ok()))
        .and_then(|code| u16::try_from(code).ok())
        .filter(|code| (400..600).contains(code));
    match code.or_else(|| status_of_type(error["type"].as_str()?)) {
        Some(status) => miss_of_error(status, error),
        None => Miss::new(
            FailureClass::Undecodable,
            "the service reports an error in place of an answer",
        ),
    }
}

/// Anthropic's types of errors with the status that each has outside of a stream.
fn status_of_type(kind: &str) -> Option<u16> {
    Some(match kind {
        "invalid_request_error" => 400,
        "authentication_error" => 401,
        "billing_error" => 402,
        "permission_error" => 403,
        "not_found_error" => 404,
        "request_too_large" => 413,
        "rate_limit_error" => 429,
        "api_error" => 500,
        "timeout_error" => 504,
        "overloaded_error" => 529,
        _ => return None,
    })
}

/// How long a service asks to wait: in milliseconds, in seconds, or as a date.
pub fn retry_after(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let text = |name| headers.get(name)?.to_str().ok().map(str::trim);
    if let Some(milliseconds) = text("retry-after-ms").and_then(|text| text.parse::<f64>().ok()) {
        return Duration::try_from_secs_f64(milliseconds / 1000.0).ok();
    }
    let value = text(RETRY_AFTER.as_str())?;
    match value.parse::<f64>() {
        Ok(seconds) => Duration::try_from_secs_f64(seconds).ok(),
        Err(_) => {
            let date = httpdate::parse_http_date(value).ok()?;
            Some(date.duration_since(now).unwrap_or_default())
        }
    }
}

/// Gemini asks for it in the error itself: `{"@type": "…RetryInfo", "retryDelay": "34s"}`.
fn delay_in(error: &Value) -> Option<Duration> {
    let mut details = error["details"].as_array()?.iter();
    let delay = details.find_map(|detail| detail["retryDelay"].as_str())?;
    let seconds = delay.strip_suffix('s')?.parse().ok()?;
    Duration::try_from_secs_f64(seconds).ok()
}

/// Phrases by which services say that they do not take something at all, and not that its value is wrong.
const NOT_TAKEN: [&str; 18] = [
    "unsupported",
    "not supported",
    "does not support",
    "doesn't support",
    "not permitted",
    "not allowed",
    "not enabled",
    "not available",
    "extra inputs",
    "extra_forbidden",
    "unknown name",
    "unknown parameter",
    "unknown field",
    "unrecognized",
    "deprecated",
    "cannot both",
    "only one of",
    "cannot be used",
];

/// The parameter that an error says is not taken, among those that were sent. `names` are its names on the wire and in the
/// service's sentences, in lower case. Of several the last one is meant: the one that can be spared most easily.
pub fn refused_parameter(
    status: u16,
    error: &Value,
    sent: &BTreeSet<Parameter>,
    names: impl Fn(Parameter) -> &'static [&'static str],
) -> Option<Parameter> {
    if !matches!(status, 400 | 422) {
        return None;
    }
    let mut said = String::new();
    texts(error, &mut said);
    let said = said.to_lowercase();
    if !NOT_TAKEN.iter().any(|phrase| said.contains(phrase)) {
        return None;
    }
    let is_named = |parameter: &Parameter| {
        let param = error["param"].as_str().unwrap_or_default();
        let named = names(*parameter);
        if !param.is_empty() {
            return named.contains(&param);
        }
        named.iter().any(|name| has_word(&said, name))
    };
    sent.iter().copied().rfind(is_named)
}

/// All texts inside a value, one after the other; not those that repeat what was sent (`input` in errors of FastAPI).
fn texts(value: &Value, all: &mut String) {
    match value {
        Value::String(text) => {
            all.push_str(text);
            all.push('\n');
        }
        Value::Array(items) => items.iter().for_each(|item| texts(item, all)),
        Value::Object(fields) => fields
            .iter()
            .filter(|(name, _)| *name != "input")
            .for_each(|(_, item)| texts(item, all)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Whether a word stands in a text with nothing of a word around it.
fn has_word(text: &str, word: &str) -> bool {
    let goes_on = |sign: char| sign.is_alphanumeric() || sign == '_';
    text.match_indices(word).any(|(at, _)| {
        !text[..at].ends_with(goes_on) && !text[at + word.len()..].starts_with(goes_on)
    })
}

#[cfg(test)]
mod tests;
