//! From messages, or events of one, to what was said.

use serde::Deserialize;
use serde_json::{Map, Value};
use turnwise_shared::effect::FailureClass;
use turnwise_shared::prompt::{Said, Stop, Usage};

use super::super::Miss;
use super::super::errors::miss_inside;
use super::super::remote::{self, append};

/// A whole message, or the beginning of one.
#[derive(Debug, Deserialize)]
struct Message {
    #[serde(default)]
    content: Vec<Block>,
    model: Option<String>,
    stop_reason: Option<String>,
    stop_details: Option<StopDetails>,
    usage: Option<Map<String, Value>>,
}

/// A part of a message, or a piece of one: `text`, `thinking` and their pieces; others are of no use here.
#[derive(Debug, Deserialize)]
struct Block {
    #[serde(rename = "type")]
    kind: String,
    text: Option<String>,
    thinking: Option<String>,
}

/// Why a message was refused.
#[derive(Debug, Deserialize)]
struct StopDetails {
    category: Option<String>,
    explanation: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Delta {
    stop_reason: Option<String>,
    stop_details: Option<StopDetails>,
}

/// An event of a stream.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Event {
    MessageStart {
        message: Message,
    },
    ContentBlockStart {
        content_block: Block,
    },
    ContentBlockDelta {
        delta: Block,
    },
    MessageDelta {
        delta: Delta,
        usage: Option<Map<String, Value>>,
    },
    MessageStop,
    Error {
        error: Value,
    },
    /// A ping, the end of a block, and whatever is added to the format.
    #[serde(other)]
    Other,
}

/// An answer as far as it has come.
#[derive(Debug, Default)]
pub struct Answer {
    begun: bool,
    text: Option<String>,
    reasoning: Option<String>,
    model: Option<String>,
    stop_reason: Option<String>,
    refusal: Option<String>,
    usage: Map<String, Value>,
    done: bool,
}

impl Answer {
    fn begin(&mut self, message: Message) {
        self.begun = true;
        self.model = message.model.or(self.model.take());
        for block in message.content {
            self.add(block);
        }
        self.stop(message.stop_reason, message.stop_details);
        self.count(message.usage);
    }

    /// Adds a block or a piece of one; returns the text that it adds.
    fn add(&mut self, block: Block) -> Option<String> {
        match block.kind.as_str() {
            "text" | "text_delta" => {
                append(&mut self.text, block.text.clone());
                block.text.filter(|text| !text.is_empty())
            }
            "thinking" | "thinking_delta" => {
                append(&mut self.reasoning, block.thinking);
                None
            }
            _ => None,
        }
    }

    fn stop(&mut self, reason: Option<String>, details: Option<StopDetails>) {
        self.stop_reason = reason.or(self.stop_reason.take());
        let why = details.and_then(|details| details.explanation.or(details.category));
        self.refusal = why.or(self.refusal.take());
    }

    /// Later counts are of the whole message, so they stand in the place of earlier ones; what is null tells nothing.
    fn count(&mut self, usage: Option<Map<String, Value>>) {
        let told = usage.into_iter().flatten();
        self.usage
            .extend(told.filter(|(_, count)| !count.is_null()));
    }
}

impl remote::Answer for Answer {
    fn take_whole(&mut self, body: &[u8]) -> Result<(), Miss> {
        let no_message = || Miss::new(FailureClass::Undecodable, "the answer is no message");
        let body: Value = serde_json::from_slice(body).map_err(|_| no_message())?;
        match body["type"].as_str() {
            Some("message") => {
                let message = serde_json::from_value(body).map_err(|_| no_message())?;
                self.begin(message);
                Ok(())
            }
            Some("error") => Err(miss_inside(&body["error"])),
            _ => Err(no_message()),
        }
    }

    fn take_event(&mut self, data: &str) -> Result<Option<String>, Miss> {
        let event = serde_json::from_str(data).map_err(|_| {
            Miss::new(
                FailureClass::Undecodable,
                "the stream has an event that is none of a message",
            )
        })?;
        match event {
            Event::MessageStart { message } => self.begin(message),
            Event::ContentBlockStart { content_block } => return Ok(self.add(content_block)),
            Event::ContentBlockDelta { delta } => return Ok(self.add(delta)),
            Event::MessageDelta { delta, usage } => {
                self.stop(delta.stop_reason, delta.stop_details);
                self.count(usage);
            }
            Event::MessageStop => self.done = true,
            Event::Error { error } => return Err(miss_inside(&error)),
            Event::Other => {}
        }
        Ok(None)
    }

    /// The reason to stop comes with the last account, so nothing is missing after it.
    fn is_finished(&self) -> bool {
        self.stop_reason.is_some()
    }

    fn is_done(&self) -> bool {
        self.done
    }

    fn whole(self) -> Result<Said, Miss> {
        if !self.begun {
            return Err(Miss::new(
                FailureClass::Undecodable,
                "the answer has no message in it",
            ));
        }
        let stop = match self.stop_reason.as_deref() {
            Some("end_turn" | "stop_sequence") => Stop::End,
            Some("max_tokens" | "model_context_window_exceeded") => Stop::Length,
            Some("refusal") => Stop::Refused,
            _ => Stop::Other,
        };
        Ok(Said {
            text: self.text,
            reasoning: self.reasoning.filter(|reasoning| !reasoning.is_empty()),
            refusal: self.refusal.filter(|_| stop == Stop::Refused),
            stop,
            usage: usage(self.usage),
            model: self.model,
            departures: Vec::new(),
            withheld: None,
        })
    }
}

/// The account of tokens. The service counts what was read from a cache and what was written to one apart from the input;
/// reasoning is among what was written.
fn usage(raw: Map<String, Value>) -> Usage {
    if raw.is_empty() {
        return Usage::default();
    }
    let raw = Value::Object(raw);
    let number = |path: &str| raw.pointer(path).and_then(Value::as_u64);
    let cached = number("/cache_read_input_tokens");
    let cache_written = number("/cache_creation_input_tokens");
    let beside = cached.unwrap_or(0) + cache_written.unwrap_or(0);
    Usage {
        input: number("/input_tokens").map(|fresh| fresh + beside),
        cached,
        cache_written,
        output: number("/output_tokens"),
        reasoning: number("/output_tokens_details/thinking_tokens"),
        raw,
    }
}

#[cfg(test)]
mod tests;
