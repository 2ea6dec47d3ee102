//! From responses of `generateContent`, or the pieces of one, to what was said.

use serde::Deserialize;
use serde_json::Value;
use turnwise_shared::effect::FailureClass;
use turnwise_shared::prompt::{Said, Stop, Usage};

use super::super::Miss;
use super::super::errors::miss_inside;
use super::super::remote::{self, append};

/// A whole response, or an event of a stream: both have the same shape.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Response {
    candidates: Option<Vec<Candidate>>,
    prompt_feedback: Option<Feedback>,
    usage_metadata: Option<Value>,
    model_version: Option<String>,
    error: Option<Value>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Candidate {
    #[serde(default)]
    index: u32,
    content: Option<Content>,
    finish_reason: Option<String>,
    finish_message: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Content {
    #[serde(default)]
    parts: Vec<Part>,
}

#[derive(Debug, Deserialize)]
struct Part {
    text: Option<String>,
    /// Whether it is a summary of what the model thought.
    #[serde(default)]
    thought: bool,
}

/// What the service says of a prompt that it did not pass on.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Feedback {
    block_reason: Option<String>,
    block_reason_message: Option<String>,
}

/// An answer as far as it has come.
#[derive(Debug, Default)]
pub struct Answer {
    text: Option<String>,
    reasoning: Option<String>,
    finish: Option<String>,
    /// Why the prompt was not passed on.
    blocked: Option<String>,
    finish_message: Option<String>,
    usage: Option<Value>,
    model: Option<String>,
    /// Whether any candidate has come; an answer without one is none, unless the prompt was blocked.
    chosen: bool,
}

impl Answer {
    fn take(&mut self, response: Response) -> Result<Option<String>, Miss> {
        if let Some(error) = response.error.filter(|error| !error.is_null()) {
            return Err(miss_inside(&error));
        }
        self.usage = response.usage_metadata.or(self.usage.take());
        self.model = response.model_version.or(self.model.take());
        if let Some(feedback) = response.prompt_feedback
            && let Some(reason) = feedback.block_reason
        {
            self.finish_message = feedback.block_reason_message;
            self.blocked = Some(reason);
        }
        let first = response
            .candidates
            .unwrap_or_default()
            .into_iter()
            .find(|candidate| candidate.index == 0);
        let Some(candidate) = first else {
            return Ok(None);
        };
        self.chosen = true;
        self.finish = candidate.finish_reason.or(self.finish.take());
        self.finish_message = candidate.finish_message.or(self.finish_message.take());
        let mut piece = None;
        for part in candidate.content.into_iter().flat_map(|it| it.parts) {
            match part.thought {
                true => append(&mut self.reasoning, part.text),
                false => append(&mut piece, part.text),
            }
        }
        append(&mut self.text, piece.clone());
        Ok(piece.filter(|piece| !piece.is_empty()))
    }
}

impl remote::Answer for Answer {
    fn take_whole(&mut self, body: &[u8]) -> Result<(), Miss> {
        let response = serde_json::from_slice(body)
            .map_err(|_| Miss::new(FailureClass::Undecodable, "the answer is no response"))?;
        self.take(response).map(drop)
    }

    fn take_event(&mut self, data: &str) -> Result<Option<String>, Miss> {
        let response = serde_json::from_str(data).map_err(|_| {
            Miss::new(
                FailureClass::Undecodable,
                "the stream has an event that is no response",
            )
        })?;
        self.take(response)
    }

    fn is_finished(&self) -> bool {
        self.finish.is_some() || self.blocked.is_some()
    }

    /// The format has no such mark: the service ends the stream.
    fn is_done(&self) -> bool {
        false
    }

    fn whole(self) -> Result<Said, Miss> {
        if !self.chosen && self.blocked.is_none() {
            return Err(Miss::new(
                FailureClass::Undecodable,
                "the answer has no candidate in it",
            ));
        }
        let stop = match self.finish.as_deref() {
            _ if self.blocked.is_some() => Stop::Filtered,
            Some("STOP") => Stop::End,
            Some("MAX_TOKENS") => Stop::Length,
            Some(
                "SAFETY" | "RECITATION" | "LANGUAGE" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII"
                | "IMAGE_SAFETY" | "MODEL_ARMOR" | "ESCALATION",
            ) => Stop::Filtered,
            _ => Stop::Other,
        };
        let reason = match (self.blocked, self.finish) {
            (Some(reason), _) => Some(format!("the prompt was blocked: {reason}")),
            (None, reason) => reason.filter(|_| matches!(stop, Stop::Filtered | Stop::Other)),
        };
        let refusal = match (reason, self.finish_message) {
            (Some(reason), Some(message)) => Some(format!("{reason} ({message})")),
            (reason, _) => reason,
        };
        Ok(Said {
            text: self.text,
            reasoning: self.reasoning.filter(|reasoning| !reasoning.is_empty()),
            refusal,
            stop,
            usage: self.usage.map(usage).unwrap_or_default(),
            model: self.model,
            departures: Vec::new(),
            withheld: None,
        })
    }
}

/// The account of tokens. Cached tokens are among those of the prompt; what was thought is counted apart from the candidates.
fn usage(raw: Value) -> Usage {
    let number = |field: &str| raw.get(field).and_then(Value::as_u64);
    let sum = |one: Option<u64>, other: Option<u64>| match (one, other) {
        (None, None) => None,
        (one, other) => Some(one.unwrap_or(0) + other.unwrap_or(0)),
    };
    let thoughts = number("thoughtsTokenCount");
    Usage {
        input: sum(
            number("promptTokenCount"),
            number("toolUsePromptTokenCount"),
        ),
        cached: number("cachedContentTokenCount"),
        cache_written: None,
        output: sum(number("candidatesTokenCount"), thoughts),
        reasoning: thoughts,
        raw,
    }
}

#[cfg(test)]
mod tests;
