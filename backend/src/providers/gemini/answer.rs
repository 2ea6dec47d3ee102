//! From responses of `generateContent`, or the pieces of one, to what was said.

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
    /// Why the prompt was not passed on.
    blocked: Option<String>,
    finish_message: Option<String>,
}

impl draft::Answer for Answer {
    /// A whole response and an event of a stream have the same shape. The format has no mark that nothing follows: the service
    /// ends the stream.
    fn take(&mut self, response: &Value) -> Result<Option<String>, ProviderError> {
        if let Some(error) = reported(response.get("error")) {
            return Err(error_inside(error));
        }
        self.draft.named(response.get("modelVersion"));
        let feedback = &response["promptFeedback"];
        let reason = feedback["blockReason"].as_str();
        if let Some(reason) =
            reason.filter(|reason| !reason.is_empty() && !reason.ends_with("_UNSPECIFIED"))
        {
            self.finish_message = feedback["blockReasonMessage"].as_str().map(str::to_owned);
            self.blocked = Some(reason.to_owned());
            self.draft.has_begun = true;
            self.draft.is_message = true;
        }
        let new = match first(response) {
            Some(candidate) => self.take_candidate(candidate)?,
            None => None,
        };
        self.draft.count(response.get("usageMetadata"));
        Ok(new)
    }

    fn draft(&mut self) -> &mut Draft {
        &mut self.draft
    }

    fn whole(self) -> Result<Said, ProviderError> {
        if !self.draft.has_begun {
            return Err(ProviderError::new(
                FailureClass::Undecodable,
                "the answer has no candidate in it",
            ));
        }
        let finish = self.draft.finish();
        let stop = match finish {
            _ if self.blocked.is_some() => Stop::Filtered,
            Some("STOP") => Stop::End,
            Some("MAX_TOKENS") => Stop::Length,
            Some(
                "SAFETY" | "RECITATION" | "LANGUAGE" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII"
                | "IMAGE_SAFETY" | "MODEL_ARMOR" | "ESCALATION",
            ) => Stop::Filtered,
            _ => Stop::Other,
        };
        let reason = match (self.blocked, finish) {
            (Some(reason), _) => Some(format!("the prompt was blocked: {reason}")),
            (None, reason) => {
                reason.filter(|_| matches!(stop, Stop::Filtered | Stop::Other)).map(str::to_owned)
            }
        };
        let refusal = match (reason, self.finish_message) {
            (Some(reason), Some(message)) => Some(format!("{reason} ({message})")),
            (reason, _) => reason,
        };
        let has_text = self.draft.text.len() > 0;
        Ok(self.draft.said(stop, refusal, |account| parts(account, has_text)))
    }
}

impl Answer {
    fn take_candidate(&mut self, candidate: &Value) -> Result<Option<String>, ProviderError> {
        self.draft.has_begun = true;
        let mut text = None;
        for part in candidate["content"]["parts"].as_array().into_iter().flatten() {
            // A summary of what the model thought is marked as one.
            let is_thought = part["thought"] == true;
            match text_of(part.get("text"), "the text of a part")? {
                Some(thought) if is_thought => self.draft.think(Some(thought)),
                Some(piece) => text.get_or_insert_with(String::new).push_str(&piece),
                None => {}
            }
        }
        let new = self.draft.say(text);
        self.draft.stop(candidate.get("finishReason"));
        if let Some(message) = candidate["finishMessage"].as_str() {
            self.finish_message = Some(message.to_owned());
        }
        Ok(new)
    }
}

/// The candidate that was asked for: it may have no number, or none that is one.
fn first(response: &Value) -> Option<&Value> {
    let mut candidates = response.get("candidates")?.as_array()?.iter();
    let is_other =
        |candidate: &Value| matches!(Count::read(candidate.get("index")), Count::Known(1..));
    candidates.find(|candidate| candidate.is_object() && !is_other(candidate))
}

/// The parts of an account. Cached tokens are among those of the prompt; what was thought is counted apart from the candidates,
/// which have at least one token where there is a text.
fn parts(account: &Value, has_text: bool) -> Parts {
    let count = |path: &str| Count::first(account, &[path]);
    let thoughts = count("/thoughtsTokenCount");
    let candidates = count("/candidatesTokenCount");
    Parts {
        input: match count("/promptTokenCount") {
            prompt @ Count::Known(_) => prompt.and(count("/toolUsePromptTokenCount")),
            prompt => prompt,
        },
        cached: count("/cachedContentTokenCount"),
        cache_written: Count::Untold,
        output: match candidates {
            Count::Untold | Count::Known(0) if has_text => Count::Untold,
            candidates => candidates.and(thoughts),
        },
        reasoning: thoughts,
    }
}

#[cfg(test)]
mod tests;
