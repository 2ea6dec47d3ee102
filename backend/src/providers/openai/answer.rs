//! From completions, or pieces of one, to what was said.

use serde::Deserialize;
use serde_json::{Value, json};
use turnwise_shared::effect::FailureClass;
use turnwise_shared::prompt::{Said, Stop, Usage};

use super::super::Miss;

/// A completion, or an event of a stream.
#[derive(Debug, Deserialize)]
pub struct Completion {
    choices: Option<Vec<Choice>>,
    usage: Option<Value>,
    model: Option<String>,
    error: Option<Value>,
}

#[derive(Debug, Deserialize)]
struct Choice {
    #[serde(default)]
    index: u32,
    /// Of a whole completion.
    message: Option<Words>,
    /// Of an event.
    delta: Option<Words>,
    finish_reason: Option<String>,
    error: Option<Value>,
}

#[derive(Debug, Deserialize)]
struct Words {
    content: Option<Content>,
    refusal: Option<String>,
    /// How DeepSeek, vLLM and others call it.
    reasoning_content: Option<String>,
    /// How OpenRouter and others call it.
    reasoning: Option<Value>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Parts(Vec<ContentPart>),
}

#[derive(Debug, Deserialize)]
struct ContentPart {
    text: Option<String>,
}

/// An answer as far as it has come.
#[derive(Debug, Default)]
pub struct Answer {
    text: Option<String>,
    reasoning: Option<String>,
    refusal: Option<String>,
    finish: Option<String>,
    usage: Option<Value>,
    model: Option<String>,
    /// Whether any choice has come; an answer without one is none.
    chosen: bool,
    /// Whether the service said that nothing follows.
    done: bool,
}

impl Answer {
    /// Takes a completion or an event; returns the text that it adds.
    ///
    /// # Errors
    /// If the service reports an error in it, although the status was success.
    pub fn take(&mut self, completion: Completion) -> Result<Option<String>, Miss> {
        if let Some(error) = completion.error.filter(|error| !error.is_null()) {
            return Err(miss_inside(&error));
        }
        self.usage = completion
            .usage
            .filter(|usage| !usage.is_null())
            .or(self.usage.take());
        self.model = completion.model.or(self.model.take());
        let first = completion
            .choices
            .unwrap_or_default()
            .into_iter()
            .find(|choice| choice.index == 0);
        let Some(choice) = first else {
            return Ok(None);
        };
        if let Some(error) = choice.error.filter(|error| !error.is_null()) {
            return Err(miss_inside(&error));
        }
        self.finish = choice.finish_reason.or(self.finish.take());
        let Some(words) = choice.message.or(choice.delta) else {
            return Ok(None);
        };
        self.chosen = true;
        let reasoning = match words.reasoning {
            Some(Value::String(reasoning)) => Some(reasoning),
            _ => None,
        };
        append(&mut self.reasoning, words.reasoning_content.or(reasoning));
        append(&mut self.refusal, words.refusal);
        let piece = words.content.map(Content::text);
        append(&mut self.text, piece.clone());
        Ok(piece.filter(|piece| !piece.is_empty()))
    }

    /// The service said that nothing follows.
    pub fn done(&mut self) {
        self.done = true;
    }

    /// Whether it did.
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// Whether the answer has come to its end.
    pub fn is_finished(&self) -> bool {
        self.done || self.finish.is_some()
    }

    /// The whole answer.
    ///
    /// # Errors
    /// If there was no choice in it, or the service says that it broke off.
    pub fn whole(self) -> Result<Said, Miss> {
        if !self.chosen {
            return Err(Miss::new(
                FailureClass::Undecodable,
                "the answer has no choice in it",
            ));
        }
        let refused = self.refusal.filter(|refusal| !refusal.is_empty());
        let stop = match self.finish.as_deref() {
            Some("error") => {
                return Err(Miss::new(
                    FailureClass::Server,
                    "the service broke the answer off",
                ));
            }
            _ if refused.is_some() => Stop::Refused,
            Some("stop" | "eos" | "end_turn") => Stop::End,
            Some("length" | "max_tokens") => Stop::Length,
            Some("content_filter") => Stop::Filtered,
            Some("refusal") => Stop::Refused,
            _ => Stop::Other,
        };
        Ok(Said {
            text: self.text,
            // A refusal comes apart from the text, as reasoning does; where there is no reasoning it is kept in its place.
            reasoning: self
                .reasoning
                .filter(|reasoning| !reasoning.is_empty())
                .or(refused),
            stop,
            usage: self.usage.map(usage).unwrap_or_default(),
            model: self.model,
        })
    }
}

impl Content {
    fn text(self) -> String {
        match self {
            Content::Text(text) => text,
            Content::Parts(parts) => parts.into_iter().filter_map(|part| part.text).collect(),
        }
    }
}

fn append(whole: &mut Option<String>, piece: Option<String>) {
    match (whole, piece) {
        (_, None) => {}
        (Some(whole), Some(piece)) => whole.push_str(&piece),
        (whole, piece) => *whole = piece,
    }
}

/// The account of tokens: the parts that everybody has by name, and the whole untouched.
fn usage(raw: Value) -> Usage {
    let number = |path: &str| raw.pointer(path).and_then(Value::as_u64);
    Usage {
        input: number("/prompt_tokens"),
        cached: number("/prompt_tokens_details/cached_tokens")
            .or_else(|| number("/prompt_cache_hit_tokens")),
        output: number("/completion_tokens"),
        reasoning: number("/completion_tokens_details/reasoning_tokens"),
        raw,
    }
}

/// An error inside an answer whose status was success; its code may be the status that it should have had.
fn miss_inside(error: &Value) -> Miss {
    let status = error
        .get("code")
        .or_else(|| error.get("status"))
        .and_then(|code| code.as_u64().or_else(|| code.as_str()?.parse().ok()))
        .and_then(|code| u16::try_from(code).ok())
        .filter(|code| (400..600).contains(code));
    match status {
        Some(status) => miss_of_error(status, error),
        None => Miss::new(
            FailureClass::Undecodable,
            "the service reports an error in place of an answer",
        ),
    }
}

/// A status with the error that came with it: of the error only words for programs are kept, its sentences may repeat keys
/// and prompts.
pub fn miss_of_error(status: u16, error: &Value) -> Miss {
    let mut miss = Miss::of_status(status);
    let mut words = Vec::new();
    for field in ["code", "type", "param"] {
        let word = error.get(field).and_then(Value::as_str).filter(|word| {
            let plain =
                |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
            (1..=40).contains(&word.len()) && word.bytes().all(plain) && !word.starts_with("sk-")
        });
        if let Some(word) = word {
            miss.failure.detail[field] = json!(word);
            words.push(word);
        }
    }
    if words.contains(&"insufficient_quota") {
        miss.failure.class = FailureClass::Rejected;
        miss.failure.message =
            format!("the account at the service has no quota left (status {status})");
    } else if !words.is_empty() {
        words.dedup();
        let message = &mut miss.failure.message;
        message.truncate(message.len() - 1);
        message.push_str(&format!(", {})", words.join(", ")));
    }
    miss
}

#[cfg(test)]
mod tests;
