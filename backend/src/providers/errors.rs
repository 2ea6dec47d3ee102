//! What a service says in place of an answer: which failure it is, and what of the request could be sent otherwise.
//! [`refusals`] knows the words.

use std::collections::BTreeSet;
use std::time::{Duration, SystemTime};

use reqwest::header::{HeaderMap, RETRY_AFTER};
use serde_json::{Value, json};
use turnwise_shared::effect::FailureClass;

use super::capabilities::Parameter;
use super::refusals::{self, About, ErrorContents, Page, WORDS};
use crate::services::json;
use crate::services::{Again, ProviderError};

/// A status with the error that came with it: of the error only words for programs get into the failure, its sentences may
/// repeat keys and prompts.
pub fn error_of(status: u16, error: &Value) -> ProviderError {
    let mut miss = ProviderError::of_status(status);
    let mut words = Vec::new();
    let reasons = error["details"].as_array().into_iter().flatten();
    let fields = ["code", "type", "param", "status"].map(|field| (field, &error[field]));
    let nested =
        [("code", &error["innererror"]["code"]), ("code", &error["base_resp"]["status_code"])];
    let reasons = reasons.map(|detail| ("reason", &detail["reason"]));
    for (field, word) in fields.into_iter().chain(nested).chain(reasons) {
        let number = word
            .as_u64()
            .filter(|number| *number != u64::from(status))
            .map(|number| number.to_string());
        let word = word.as_str().map(str::to_owned).or(number);
        if let Some(word) = word.filter(|word| is_for_programs(word)) {
            // Gemini's `status` is a word; the number stays in its place.
            let field = if field == "status" { "code" } else { field };
            miss.failure.detail[field] = json!(word);
            if !words.contains(&word) {
                words.push(word);
            }
        }
    }
    if let Some(about) = refusals::about(status, error) {
        miss.is_about(about, status);
    }
    if !words.is_empty() {
        let message = &mut miss.failure.message;
        if message.pop() == Some(')') {
            message.push_str(&format!(", {})", words.join(", ")));
        }
    }
    miss.retry_after = delay_in(error);
    miss.words = refusals::sentence(error);
    miss.told = Some(Box::new((status, error.clone())));
    miss
}

impl ProviderError {
    /// What it is about is known better than its status tells.
    fn is_about(&mut self, about: About, status: u16) {
        let (class, what) = match about {
            About::Prompt => {
                (FailureClass::Filtered, "the service's filter refused this one request")
            }
            About::Context => (
                FailureClass::Context,
                "the request is longer than the context window of the model",
            ),
            About::Account => {
                (FailureClass::Forbidden, "the service has shut this account or its access")
            }
            About::Money => {
                (FailureClass::Quota, "the account at the service has no credit or quota left")
            }
            About::Key => (FailureClass::Unauthorised, "the service refused the key"),
            About::Model => {
                (FailureClass::Forbidden, "the service does not let this account use the model")
            }
            About::Region => {
                (FailureClass::Forbidden, "the service is not offered in the region of this server")
            }
            About::Loading => (FailureClass::Server, "the model is still being loaded"),
        };
        self.failure.class = class;
        self.failure.message = format!("{what} (status {status})");
        if about == About::Loading {
            self.again = Again::OnceLoaded;
        }
    }
}

/// What the body of a refusal tells.
pub fn error_of_body(status: u16, content_type: &str, body: &[u8]) -> ProviderError {
    let Some(mut body) = first_value(body) else {
        return error_of_text(status, content_type, body);
    };
    // Some put the error into a list of one.
    if let Value::Array(items) = &mut body
        && items.len() == 1
    {
        body = items.remove(0);
    }
    let Some(error) = body.get("error").filter(|error| !error.is_null()).cloned() else {
        return error_of(status, &body);
    };
    let miss = error_of(status, &error);
    // What stands beside the error may tell more.
    match refusals::about(status, &body) {
        Some(about) if refusals::about(status, &error) != Some(about) => {
            let mut whole = error_of(status, &body);
            whole.words = miss.words.or(whole.words);
            whole.told = miss.told;
            whole
        }
        _ => miss,
    }
}

/// The JSON at the beginning of a body, read as leniently as that of an answer. A sentence that begins with a number is none.
fn first_value(body: &[u8]) -> Option<Value> {
    let text = String::from_utf8_lossy(body);
    let (values, rest) = json::values(&text);
    let first = values.into_iter().next()?;
    (first.is_object() || first.is_array() || rest.is_empty()).then_some(first)
}

/// A body that is no JSON in the place of an answer, or of an error. An HTML page comes from something in front of the service.
pub fn error_of_text(status: u16, content_type: &str, body: &[u8]) -> ProviderError {
    let is_page = refusals::is_page(content_type, body);
    let text = String::from_utf8_lossy(body).trim().to_owned();
    let page = match is_page {
        true => refusals::page(status, body),
        false => refusals::plain_page(status, &text),
    };
    let error = match text.is_empty() {
        true => Value::Null,
        false => Value::String(text),
    };
    let is_shut = matches!(
        refusals::about(status, &error),
        Some(About::Account | About::Money | About::Region)
    );
    if !is_page && (page == Page::Other || is_shut) {
        return error_of(status, &error);
    }
    let mut miss = ProviderError::of_status(status);
    if status == 413 {
        miss.is_about(About::Context, status);
    }
    match page {
        Page::Refused => {
            miss.failure.class = FailureClass::Filtered;
            miss.failure.message = format!(
                "something before the service refused this one request: it answered with {} and no JSON (status {status})",
                if is_page { "a page" } else { "a text" }
            );
        }
        Page::Machine => {
            miss.failure.class = FailureClass::Blocked;
            miss.failure.message = format!(
                "something before the service wants to see a person, or shuts this server out: it answered with a {} (status {status})",
                if is_page { "page" } else { "text" }
            );
        }
        Page::Other => {}
    }
    miss.words = match is_page {
        true => Some(refusals::page_words(body)).filter(|words| !words.is_empty()),
        false => refusals::sentence(&error),
    };
    miss
}

/// What a body of a success came to that is no answer: `miss`, unless the body tells better why there is none.
pub fn told_instead(miss: ProviderError, content_type: &str, body: &[u8]) -> ProviderError {
    if miss.failure.class != FailureClass::Undecodable || miss.told.is_some() {
        return miss;
    }
    let Some(value) = first_value(body) else {
        let text = String::from_utf8_lossy(body);
        return match refusals::is_page(content_type, body) {
            true if refusals::page(200, body) != Page::Other => {
                error_of_text(200, content_type, body)
            }
            true => miss,
            false => ProviderError {
                words: refusals::sentence(&Value::String(text.into_owned())),
                ..miss
            },
        };
    };
    let told = error_inside(&value);
    match told.failure.class {
        FailureClass::Undecodable => ProviderError { words: told.words, ..miss },
        _ => told,
    }
}

fn is_for_programs(word: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    (1..=40).contains(&word.len()) && word.bytes().all(plain) && !word.starts_with("sk-")
}

/// An error inside an answer whose status was success. Its code, or its type, tells the status that it should have had.
pub fn error_inside(error: &Value) -> ProviderError {
    let fields = ["code", "status", "status_code", "statusCode", "error_code", "errorCode"];
    let codes = || fields.iter().map(|field| &error[*field]);
    let of_number = codes()
        .filter_map(|code| code.as_u64().or_else(|| code.as_str()?.parse().ok()))
        .filter_map(|code| u16::try_from(code).ok())
        .find(|code| (400..600).contains(code));
    let mut words = std::iter::once(&error["type"]).chain(codes());
    let status = of_number.or_else(|| {
        words.find_map(|word| WORDS.statuses.get(&word.as_str()?.to_ascii_lowercase()).copied())
    });
    match status {
        Some(status) => error_of(status, error),
        None if refusals::about(200, error).is_some() => error_of(200, error),
        None => {
            let mut miss = ProviderError::new(
                FailureClass::Undecodable,
                "the service reports an error in place of an answer",
            );
            miss.words = refusals::sentence(error);
            miss
        }
    }
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

/// When a quota is fresh again, in headers that each service calls otherwise: `x-ratelimit-reset`,
/// `anthropic-ratelimit-tokens-reset` and others. Of several the latest counts.
pub fn fresh_again(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    headers
        .iter()
        .filter(|(name, _)| name.as_str().contains("ratelimit") && name.as_str().contains("reset"))
        .filter_map(|(_, value)| span(value.to_str().ok()?, now))
        .max()
}

/// How long something lasts, as services write it: seconds, a moment in seconds or milliseconds since 1970, `7m12s`, a date.
fn span(text: &str, now: SystemTime) -> Option<Duration> {
    let text = text.trim();
    if let Ok(number) = text.parse::<f64>() {
        let since_1970 = |seconds: f64| {
            let moment = SystemTime::UNIX_EPOCH + Duration::try_from_secs_f64(seconds).ok()?;
            moment.duration_since(now).ok()
        };
        return match number {
            1e12.. => since_1970(number / 1000.0),
            1e9.. => since_1970(number),
            _ => Duration::try_from_secs_f64(number).ok(),
        };
    }
    if let Ok(date) = httpdate::parse_http_date(text) {
        return date.duration_since(now).ok();
    }
    let mut rest = text;
    let mut all = Duration::ZERO;
    while !rest.is_empty() {
        let digits =
            rest.find(|character: char| !character.is_ascii_digit() && character != '.')?;
        let number: f64 = rest[..digits].parse().ok()?;
        let unit_ends = rest[digits..]
            .find(|character: char| !character.is_ascii_alphabetic())
            .map_or(rest.len(), |end| digits + end);
        let seconds = match &rest[digits..unit_ends] {
            "ms" => number / 1000.0,
            "s" => number,
            "m" => number * 60.0,
            "h" => number * 3600.0,
            "d" => number * 86_400.0,
            _ => return None,
        };
        all = all.checked_add(Duration::try_from_secs_f64(seconds).ok()?)?;
        rest = &rest[unit_ends..];
    }
    (all > Duration::ZERO).then_some(all)
}

/// In the error itself: Gemini's `{"@type": "…RetryInfo", "retryDelay": "34s"}`, the seconds in which a model is loaded, and
/// the headers of the service behind it that OpenRouter repeats.
fn delay_in(error: &Value) -> Option<Duration> {
    let now = SystemTime::now();
    let text = |value: &Value| match value {
        Value::String(text) => span(text, now),
        Value::Number(number) => span(&number.to_string(), now),
        _ => None,
    };
    let details = error["details"].as_array().into_iter().flatten();
    let told = details.map(|detail| &detail["retryDelay"]);
    let fields = [
        &error["estimated_time"],
        &error["retry_after"],
        &error["metadata"]["headers"]["X-RateLimit-Reset"],
    ];
    told.chain(fields).find_map(text)
}

/// What of a request can be sent otherwise, if the service refuses it.
pub struct Sent<'a> {
    /// The parameters that were sent, and the ways in which they were.
    pub parameters: &'a BTreeSet<Parameter>,
    /// The names of a parameter on the wire and in the service's sentences, in lower case.
    pub names: &'a dyn Fn(Parameter) -> Vec<&'static str>,
}

/// Which of the things that were sent is refused, so that the request can be sent without it, or otherwise. Services refuse by
/// name, by the only value that goes, by a chat template that fails (500), or because they answer in streams alone.
pub fn refused(status: u16, error: &Value, sent: &Sent) -> Option<Parameter> {
    if !matches!(status, 200 | 400 | 404 | 405 | 406 | 415 | 422 | 500 | 501) {
        return None;
    }
    let told = ErrorContents::of(error);
    if told.says(&["context length", "context_length", "maximum context"]) {
        return None;
    }
    let has = |parameter| sent.parameters.contains(&parameter);
    let named = refused_parameter(status, error, sent.parameters, sent.names);
    // What is named in its own field is meant, whatever else the sentence speaks of.
    if named.is_some() && error["param"].is_string() {
        return named;
    }
    let says_how = told.says(&WORDS.not_taken) || told.says(&WORDS.otherwise);
    if has(Parameter::StreamOptions) && told.has_word(&["stream_options", "include_usage"]) {
        return Some(Parameter::StreamOptions);
    }
    let speaks_of_streams = told
        .said
        .split(|character: char| !character.is_alphanumeric())
        .any(|word| word.starts_with("stream") || word == "nonstreaming");
    if speaks_of_streams && says_how && !told.says(&["unknown", "unrecognized", "extra inputs"]) {
        if has(Parameter::Whole) && !told.says(&WORDS.no_streams) {
            return Some(Parameter::Whole);
        }
        if has(Parameter::Pieces) {
            return Some(Parameter::Pieces);
        }
    }
    if has(Parameter::Order) && told.says(&WORDS.role_orders) {
        return Some(Parameter::Order);
    }
    let of_rules = told.has_word(&["role", "roles", "message", "messages", "prompt"])
        || told.has_word(&["instruction", "instructions", "template", "templateerror"]);
    let speaks_of_rules = (told.has_word(&["system", "developer"]) && of_rules)
        || told.says(&["only user and assistant", "only user, assistant"])
        || told.says(&WORDS.role_orders);
    if has(Parameter::System) && speaks_of_rules && says_how {
        return Some(Parameter::System);
    }
    named
}

/// The parameter that an error names, among those that were sent. `names` are its names on the wire and in the service's
/// sentences, in lower case. Of two that do not go together the last one is meant: the one that can be spared most easily.
pub fn refused_parameter(
    status: u16,
    error: &Value,
    sent: &BTreeSet<Parameter>,
    names: impl Fn(Parameter) -> Vec<&'static str>,
) -> Option<Parameter> {
    if !matches!(status, 200 | 400 | 422) {
        return None;
    }
    let told = ErrorContents::of(error);
    // A value beyond its range is the caller's mistake where the service says so by a code of its own.
    if told.has_code(&["abovemax", "belowmin"]) {
        return None;
    }
    let is_not_taken = told.says(&WORDS.not_taken);
    let param = error["param"].as_str().unwrap_or_default().to_lowercase();
    let last = param.rsplit('.').next().unwrap_or_default();
    // The limit of tokens is never left out, it has two names; of a limit that is too large the other name mends nothing.
    let can_be_meant = |parameter: &Parameter| match parameter {
        Parameter::MaxTokens => is_not_taken,
        Parameter::ThinkingTokens => !told.says(&["max_tokens"]),
        _ => true,
    };
    let place = |parameter: &Parameter| {
        let named = names(*parameter);
        if !param.is_empty() {
            return named.iter().any(|name| *name == param || *name == last).then_some(0);
        }
        let quoted = |name: &str| {
            ["'", "\"", "`"].iter().any(|mark| told.said.contains(&format!("{mark}{name}{mark}")))
        };
        named
            .iter()
            .filter(|name| {
                is_not_taken || WORDS.ordinary.iter().all(|word| word != *name) || quoted(name)
            })
            .filter_map(|name| refusals::position(&told.said, name))
            .min()
    };
    let mut meant: Vec<(usize, Parameter)> = sent
        .iter()
        .copied()
        .filter(|parameter| can_be_meant(parameter))
        .filter_map(|parameter| Some((place(&parameter)?, parameter)))
        .collect();
    match told.says(&["both", "only one of", "together"]) {
        true => meant.pop(),
        false => meant.into_iter().min_by_key(|(place, _)| *place),
    }
    .map(|(_, parameter)| parameter)
}

#[cfg(test)]
mod tests;
