//! From messages, or events of one, to what was said.

use serde_json::Value;
use turnwise_shared::prelude::*;

use super::super::counts::{Count, Parts};
use super::super::draft::{self, Draft, reported, text_of};
use super::super::errors::error_inside;
use crate::services::ProviderError;

/// An answer as far as it has come.
#[derive(Debug, Default)]
pub struct Answer {
    draft: Draft,
    refusal: Option<String>,
}

impl draft::Answer for Answer {
    fn take(&mut self, event: &Value) -> Result<Option<String>, ProviderError> {
        match event["type"].as_str() {
            Some("message_start") => self.begin(&event["message"]),
            Some("content_block_start") => self.add(&event["content_block"]),
            Some("content_block_delta") => self.add(&event["delta"]),
            Some("message_delta") => {
                self.stop(&event["delta"]);
                self.draft.count(event.get("usage"));
                Ok(None)
            }
            Some("message_stop") => {
                self.draft.is_done = true;
                Ok(None)
            }
            Some("error") => Err(error_inside(&event["error"])),
            // A whole message; its content says so better than its type.
            kind if kind == Some("message") || event["content"].is_array() => {
                if !event["content"].is_array() {
                    return text_of(Some(&event["content"]), "its content").and(Err(no_message()));
                }
                let new = self.begin(event);
                self.draft.is_message = true;
                new
            }
            // A ping, the end of a block, and whatever is added to the format.
            _ => match reported(event.get("error")) {
                Some(error) => Err(error_inside(error)),
                None => Ok(None),
            },
        }
    }

    fn draft(&mut self) -> &mut Draft {
        &mut self.draft
    }

    fn whole(self) -> Result<Said, ProviderError> {
        if !self.draft.has_begun {
            return Err(no_message());
        }
        let stop = match self.draft.finish() {
            Some("end_turn" | "stop_sequence") => Stop::End,
            Some("max_tokens" | "model_context_window_exceeded") => Stop::Length,
            Some("refusal") => Stop::Refused,
            _ => Stop::Other,
        };
        let refusal = self.refusal.filter(|_| stop == Stop::Refused);
        Ok(self.draft.said(stop, refusal, parts))
    }
}

impl Answer {
    fn begin(&mut self, message: &Value) -> Result<Option<String>, ProviderError> {
        self.draft.has_begun = true;
        self.draft.named(message.get("model"));
        let mut new = String::new();
        for block in message["content"].as_array().into_iter().flatten() {
            new.extend(self.add(block)?);
        }
        self.stop(message);
        self.draft.count(message.get("usage"));
        Ok((!new.is_empty()).then_some(new))
    }

    /// Adds a block or a piece of one; returns the text that it adds.
    fn add(&mut self, block: &Value) -> Result<Option<String>, ProviderError> {
        self.draft.has_begun = true;
        match block["type"].as_str() {
            Some("text" | "text_delta") | None => {
                let text = text_of(block.get("text"), "the text of a block")?;
                return Ok(self.draft.say(text));
            }
            Some("thinking" | "thinking_delta") => {
                let thinking = block.get("thinking").and_then(Value::as_str);
                self.draft.think(thinking.map(str::to_owned));
            }
            _ => {}
        }
        Ok(None)
    }

    /// Why the message stopped, and why it was refused.
    fn stop(&mut self, delta: &Value) {
        self.draft.stop(delta.get("stop_reason"));
        let details = &delta["stop_details"];
        let words = ["explanation", "category"].into_iter();
        let why = words.filter_map(|name| details[name].as_str()).next();
        if let Some(why) = why {
            self.refusal = Some(why.to_owned());
        }
    }
}

fn no_message() -> ProviderError {
    ProviderError::new(FailureClass::Undecodable, "the answer has no message in it")
}

/// The parts of an account. The service counts what was read from a cache and what was written to one apart from the input;
/// reasoning is among what was written.
fn parts(account: &Value) -> Parts {
    let count = |path: &str| Count::first(account, &[path]);
    let cached = count("/cache_read_input_tokens");
    let cache_written = count("/cache_creation_input_tokens");
    let fresh = count("/input_tokens");
    Parts {
        input: match fresh {
            Count::Known(_) => fresh.and(cached).and(cache_written),
            fresh => fresh,
        },
        cached,
        cache_written,
        output: count("/output_tokens"),
        reasoning: count("/output_tokens_details/thinking_tokens"),
    }
}

#[cfg(test)]
mod tests;
