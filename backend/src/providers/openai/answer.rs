//! From completions, or pieces of one, to what was said.

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
    /// Whether pieces have come; then a message beside them is all of it so far.
    has_pieces: bool,
}

impl draft::Answer for Answer {
    /// A completion and an event of a stream have the same shape.
    fn take(&mut self, completion: &Value) -> Result<Option<String>, ProviderError> {
        if let Some(error) = reported(completion.get("error")) {
            return Err(error_inside(error));
        }
        self.draft.named(completion.get("model"));
        let new = match first(completion) {
            Some(choice) => self.take_choice(choice, completion)?,
            None => None,
        };
        self.draft.count(completion.get("usage"));
        Ok(new)
    }

    fn draft(&mut self) -> &mut Draft {
        &mut self.draft
    }

    fn whole(self) -> Result<Said, ProviderError> {
        if !self.draft.has_begun {
            return Err(ProviderError::new(
                FailureClass::Undecodable,
                "the answer has no choice in it",
            ));
        }
        let refused = self.refusal.filter(|refusal| !refusal.is_empty());
        let finish = self.draft.finish().map(str::to_ascii_lowercase);
        let stop = match finish.as_deref() {
            Some("error") => {
                return Err(ProviderError::new(
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
        Ok(self.draft.said(stop, refused, parts))
    }
}

impl Answer {
    fn take_choice(
        &mut self,
        choice: &Value,
        completion: &Value,
    ) -> Result<Option<String>, ProviderError> {
        if let Some(error) = reported(choice.get("error")) {
            return Err(error_inside(error));
        }
        let words = |name| choice.get(name).filter(|words| words.is_object());
        let mut new = String::new();
        if let Some(delta) = words("delta") {
            let text = content(delta)?;
            self.draft.has_begun = true;
            self.has_pieces |= text.as_ref().is_some_and(|text| !text.is_empty());
            new.extend(self.draft.say(text));
            self.draft.think(reasoning(delta));
            self.refuse(delta);
        }
        if let Some(message) = words("message") {
            let text = content(message)?;
            self.draft.has_begun = true;
            let is_all_so_far = text.as_ref().is_some_and(|text| self.draft.text.begins(text));
            new.extend(match self.has_pieces || is_all_so_far {
                true => self.draft.say_so_far(text),
                false => self.draft.say(text),
            });
            if !self.has_pieces {
                self.draft.think(reasoning(message));
                self.refuse(message);
            }
        }
        self.draft.stop(choice.get("finish_reason"));
        let is_whole = completion["object"] == "chat.completion" || self.draft.finish().is_some();
        self.draft.is_message = is_whole && words("message").is_some() && !self.has_pieces;
        Ok((!new.is_empty()).then_some(new))
    }

    fn refuse(&mut self, words: &Value) {
        if let Some(refusal) = words.get("refusal").and_then(Value::as_str) {
            self.refusal.get_or_insert_default().push_str(refusal);
        }
    }
}

/// The choice that was asked for: some services give it no number, or none that is one.
fn first(completion: &Value) -> Option<&Value> {
    let choices = completion.get("choices")?.as_array()?;
    let mut numbered = choices
        .iter()
        .filter(|choice| choice.is_object())
        .map(|choice| (Count::read(choice.get("index")), choice));
    let is_first = |(index, _): &(Count, &Value)| matches!(index, Count::Known(0));
    let has_no_number = |(index, _): &(Count, &Value)| index.told().is_none();
    let all = numbered.clone();
    let found = numbered.clone().find(is_first);
    let found = found.or_else(|| numbered.find(has_no_number));
    // A message that comes alone is the one that was asked for, whatever its number.
    let alone = || {
        all.clone().next().filter(|(_, choice)| choices.len() == 1 && choice["message"].is_object())
    };
    found.or_else(alone).map(|(_, choice)| choice)
}

/// The text of a message, or of a piece of one: some services send it in parts.
fn content(words: &Value) -> Result<Option<String>, ProviderError> {
    let Some(Value::Array(parts)) = words.get("content") else {
        return text_of(words.get("content"), "its content");
    };
    let mut text = String::new();
    for part in parts {
        let part = part.get("text").unwrap_or(if part.is_object() { &Value::Null } else { part });
        text.extend(text_of(Some(part), "a part of its content")?);
    }
    Ok(Some(text))
}

/// `reasoning_content` is how DeepSeek, vLLM and others call it, `reasoning` how OpenRouter and others do.
fn reasoning(words: &Value) -> Option<String> {
    let text = |value: &Value| -> Option<String> {
        let part =
            |part: &Value| Some(part.as_str().or_else(|| part.get("text")?.as_str())?.to_owned());
        match value {
            Value::Array(parts) => Some(parts.iter().filter_map(part).collect()),
            other => part(other),
        }
    };
    let names = ["reasoning_content", "reasoning"].into_iter();
    let mut texts = names.filter_map(|name| text(words.get(name)?));
    texts.find(|text| !text.is_empty())
}

/// The parts of an account. Tokens that came from a cache, and those that were written into one (the service asks more for them),
/// are among those that were read. Reasoning is among those that were written, except where a service's own total says otherwise
/// (xAI's does). Where the total is more than all of that, it is unknown how much was written.
fn parts(account: &Value) -> Parts {
    let count = |path: &str| Count::first(account, &[path]);
    let (input, written) = (count("/prompt_tokens"), count("/completion_tokens"));
    let reasoning = count("/completion_tokens_details/reasoning_tokens");
    let sum = |of: Count| of.told().unwrap_or(0);
    let more = sum(count("/total_tokens")).saturating_sub(sum(input.and(written)));
    let output = match more {
        0 => written,
        more if more == sum(reasoning) => written.and(reasoning),
        _ if written == Count::Untold => written,
        _ => Count::Odd,
    };
    Parts {
        input,
        cached: Count::first(
            account,
            &["/prompt_tokens_details/cached_tokens", "/prompt_cache_hit_tokens"],
        ),
        cache_written: count("/prompt_tokens_details/cache_write_tokens"),
        output,
        reasoning,
    }
}

#[cfg(test)]
mod tests;
