//! From completions, or pieces of one, to what was said.

use serde::Deserialize;
use serde_json::Value;
use turnwise_shared::effect::FailureClass;
use turnwise_shared::prompt::{Said, Stop, Usage};

use super::super::Miss;
use super::super::errors::miss_inside;
use super::super::remote::{self, append};

/// A completion, or an event of a stream.
#[derive(Debug, Deserialize)]
struct Completion {
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
    fn take(&mut self, completion: Completion) -> Result<Option<String>, Miss> {
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
}

impl remote::Answer for Answer {
    fn take_whole(&mut self, body: &[u8]) -> Result<(), Miss> {
        let completion = serde_json::from_slice(body)
            .map_err(|_| Miss::new(FailureClass::Undecodable, "the answer is no completion"))?;
        self.take(completion).map(drop)
    }

    fn take_event(&mut self, data: &str) -> Result<Option<String>, Miss> {
        if data.trim() == "[DONE]" {
            self.done = true;
            return Ok(None);
        }
        let completion = serde_json::from_str(data).map_err(|_| {
            Miss::new(
                FailureClass::Undecodable,
                "the stream has an event that is no completion",
            )
        })?;
        self.take(completion)
    }

    fn is_done(&self) -> bool {
        self.done
    }

    /// Some services leave out the mark that nothing follows; a reason to stop is as good.
    fn is_finished(&self) -> bool {
        self.finish.is_some()
    }

    fn whole(self) -> Result<Said, Miss> {
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
            reasoning: self.reasoning.filter(|reasoning| !reasoning.is_empty()),
            refusal: refused,
            stop,
            usage: self.usage.map(usage).unwrap_or_default(),
            model: self.model,
            departures: Vec::new(),
            withheld: None,
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

/// The account of tokens: the parts that everybody has by name, and the whole untouched. Tokens that came from a cache, and those
/// that were written into one (the service asks more for them), are among those that were read. Reasoning is among those that were
/// written, except where a service's own total says otherwise (xAI's does).
fn usage(raw: Value) -> Usage {
    let number = |path: &str| raw.pointer(path).and_then(Value::as_u64);
    let (input, written) = (number("/prompt_tokens"), number("/completion_tokens"));
    let reasoning = number("/completion_tokens_details/reasoning_tokens");
    let together = |more: u64| Some(input? + written? + more);
    let is_apart = |more: &u64| *more > 0 && together(*more) == number("/total_tokens");
    let apart = reasoning.filter(is_apart);
    Usage {
        input,
        cached: number("/prompt_tokens_details/cached_tokens")
            .or_else(|| number("/prompt_cache_hit_tokens")),
        cache_written: number("/prompt_tokens_details/cache_write_tokens"),
        output: written.map(|written| written + apart.unwrap_or(0)),
        reasoning,
        raw,
    }
}

#[cfg(test)]
mod tests;
