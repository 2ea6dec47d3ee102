//! An answer as far as it has come, the same in every wire format: its text and reasoning, why it stopped, what it used.

use serde_json::Value;
use turnwise_shared::prelude::*;

use super::counts::{Account, Parts};
use super::errors::error_inside;
use super::events::{Event, Events};
use super::pieces::Pieces;
use crate::services::json;
use crate::services::{Again, ProviderError};

/// An answer as far as it has come.
pub trait Answer: Default + Send {
    /// Takes a whole answer, or the data of an event: an object. Returns the text that it adds; what is of no use is passed over.
    ///
    /// # Errors
    /// If the service reports an error in it, or its text is something else.
    fn take(&mut self, value: &Value) -> Result<Option<String>, ProviderError>;

    /// What has come of it.
    fn draft(&mut self) -> &mut Draft;

    /// The whole answer.
    ///
    /// # Errors
    /// If there was none in what came, or the service says that it broke off.
    fn whole(self) -> Result<Said, ProviderError>;
}

#[derive(Debug, Default)]
pub struct Draft {
    pub text: Pieces,
    pub reasoning: Pieces,
    /// The model as the service named it.
    pub model: Option<String>,
    /// Whether anything of an answer has come.
    pub has_begun: bool,
    /// Whether a whole answer has come, and not a piece of one.
    pub is_message: bool,
    /// Whether the service said that nothing follows.
    pub is_done: bool,
    /// The reason to stop that was given with the last piece of the text, or after it.
    finish: Option<String>,
    /// A reason to stop was given before the text had come to its end, so a reason is no end here.
    is_premature: bool,
    account: Account,
}

impl Draft {
    /// Adds a piece of the text; returns it if it says anything.
    pub fn say(&mut self, piece: Option<String>) -> Option<String> {
        let piece = self.text.add(piece);
        self.goes_on(piece.is_some());
        piece
    }

    /// Takes all of the text so far; returns what is new in it.
    pub fn say_so_far(&mut self, whole: Option<String>) -> Option<String> {
        let piece = self.text.add_so_far(whole);
        self.goes_on(piece.is_some());
        piece
    }

    /// Adds a piece of the reasoning.
    pub fn think(&mut self, piece: Option<String>) {
        let piece = self.reasoning.add(piece);
        self.goes_on(piece.is_some());
    }

    fn goes_on(&mut self, has_more: bool) {
        if has_more && self.finish.take().is_some() {
            self.is_premature = true;
        }
    }

    /// Takes a reason to stop. What says nothing is none, as some services put it into every piece.
    pub fn stop(&mut self, reason: Option<&Value>) {
        let reason = reason.and_then(Value::as_str).map(str::trim);
        let says_nothing = |reason: &str| {
            ["", "null", "none"].contains(&reason) || reason.ends_with("_UNSPECIFIED")
        };
        if let Some(reason) = reason.filter(|reason| !says_nothing(reason)) {
            self.finish = Some(reason.to_owned());
        }
    }

    pub fn finish(&self) -> Option<&str> {
        self.finish.as_deref()
    }

    /// Takes an account of tokens, which counts what has come until now.
    pub fn count(&mut self, account: Option<&Value>) {
        let bytes = self.bytes();
        self.account.add(account, bytes);
    }

    /// How many bytes of text and reasoning have come.
    pub fn bytes(&self) -> usize {
        self.text.len() + self.reasoning.len()
    }

    /// Takes the name of the model, if it is one.
    pub fn named(&mut self, model: Option<&Value>) {
        if let Some(model) = model.and_then(Value::as_str) {
            self.model = Some(model.to_owned());
        }
    }

    /// Whether nothing of the answer is missing even if the connection is cut now; what may follow is only an account of it.
    pub fn is_finished(&self) -> bool {
        self.is_done || self.is_message || (self.finish.is_some() && !self.is_premature)
    }

    /// Whether nothing is missing if the service ends the stream here.
    pub fn may_end(&self) -> bool {
        self.is_finished() || self.finish.is_some()
    }

    /// What was said. `usage` reads the parts of an account.
    pub fn said(
        self,
        stop: Stop,
        refusal: Option<String>,
        usage: impl Fn(&Value) -> Parts,
    ) -> Said {
        let is_behind = self.account.is_behind(self.bytes());
        let mut said = Said {
            text: self.text.whole(),
            reasoning: self.reasoning.whole().filter(|reasoning| !reasoning.is_empty()),
            refusal,
            stop,
            model: self.model,
            ..Said::default()
        };
        if let Some(account) = self.account.told() {
            let parts = usage(&account);
            let mut usage = parts.usage(account);
            if is_behind {
                // It was counted before the last piece, so it is not what was written in all.
                (usage.output, usage.reasoning) = (None, None);
            }
            said.usage = usage;
            let believed = said.believed_usage();
            said.usage = Usage { raw: said.usage.raw, ..believed };
        }
        said
    }
}

/// Whether a member that reports an error says one: services put an empty one beside whole answers.
pub fn reported(error: Option<&Value>) -> Option<&Value> {
    error.filter(|error| says_something(error))
}

fn says_something(error: &Value) -> bool {
    match error {
        Value::Null => false,
        Value::Bool(is_error) => *is_error,
        Value::Number(code) => !matches!(code.as_f64(), Some(0.0 | 200.0)),
        Value::String(text) => {
            let text = text.trim().to_ascii_lowercase();
            !["", "0", "200", "ok", "success", "none", "null", "false"].contains(&text.as_str())
        }
        Value::Array(items) => items.iter().any(says_something),
        Value::Object(members) => members.values().any(says_something),
    }
}

/// The text of a member that has to be one, if it is there.
///
/// # Errors
/// If it is something else: then the answer says what cannot be read here, and the next one would, too.
pub fn text_of(member: Option<&Value>, what: &str) -> Result<Option<String>, ProviderError> {
    match member {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(other) => {
            let kind = match other {
                Value::Bool(_) => "true or false",
                Value::Number(_) => "a number",
                Value::Array(_) => "a list",
                _ => "an object",
            };
            Err(lasting(format!(
                "the answer cannot be read: {what} is {kind}, and a text is expected"
            )))
        }
    }
}

/// A failure that the same call would have again.
pub fn lasting(message: impl Into<String>) -> ProviderError {
    ProviderError { again: Again::Never, ..ProviderError::new(FailureClass::Undecodable, message) }
}

/// Takes an event of a stream; returns the text that it adds. What can hold nothing of an answer is passed over.
///
/// # Errors
/// If it is broken off, or the service reports an error in it.
pub fn take_event<A: Answer>(
    answer: &mut A,
    event: &Event,
) -> Result<Option<String>, ProviderError> {
    let data = event.data.trim();
    let (values, rest) = json::values(data);
    if values.is_empty() && data.starts_with(['{', '[']) && !is_end(data) {
        return Err(ProviderError::new(
            FailureClass::Undecodable,
            "the stream has an event that cannot be read",
        ));
    }
    if event.name == "error" {
        let error = values.first().cloned().unwrap_or_else(|| data.into());
        return Err(error_inside(reported(error.get("error")).unwrap_or(&error)));
    }
    let piece = take_values(answer, &values)?;
    if is_end(&rest) {
        answer.draft().is_done = true;
    }
    Ok(piece)
}

fn is_end(data: &str) -> bool {
    data.trim_matches('"').eq_ignore_ascii_case("[done]")
}

fn take_values<A: Answer>(
    answer: &mut A,
    values: &[Value],
) -> Result<Option<String>, ProviderError> {
    let mut new = String::new();
    for value in values {
        match value {
            Value::Array(items) => {
                let items: Vec<Value> =
                    items.iter().filter(|item| item.is_object()).cloned().collect();
                new.extend(take_values(answer, &items)?);
            }
            Value::Object(_) => new.extend(answer.take(value)?),
            _ => {}
        }
        if answer.draft().is_message {
            break;
        }
    }
    Ok((!new.is_empty()).then_some(new))
}

/// Reads a body that has come to its end: JSON, lines or a list of it, or events, whatever was asked for.
///
/// # Errors
/// If there is no answer in it, it is broken off, or the service reports an error in it.
pub fn take_body<A: Answer>(text: &str) -> Result<A, ProviderError> {
    let mut answer = A::default();
    let (values, _) = json::values(text);
    let items = match values.as_slice() {
        [Value::Array(items)] => items.len(),
        values => values.len(),
    };
    if values.iter().any(|value| value.is_object() || value.is_array()) {
        take_values(&mut answer, &values)?;
        let draft = answer.draft();
        if items > 1 && !draft.has_begun {
            return Err(lasting(format!(
                "the service sent {items} JSON values, and none of them is an answer"
            )));
        }
        if items > 1 && !draft.may_end() {
            return Err(broken_off());
        }
        return Ok(answer);
    }
    let mut events = Events::default();
    let mut all = events.feed(text.as_bytes());
    all.extend(events.last());
    if all.is_empty() {
        return Err(ProviderError::new(FailureClass::Undecodable, "the answer is no JSON"));
    }
    for event in &all {
        take_event(&mut answer, event)?;
        if answer.draft().is_done {
            break;
        }
    }
    let draft = answer.draft();
    if !draft.has_begun {
        return Err(lasting("the service sent events, and none of them is a piece of an answer"));
    }
    if !draft.may_end() {
        return Err(broken_off());
    }
    Ok(answer)
}

/// The stream came to its end, and the answer did not.
pub fn broken_off() -> ProviderError {
    ProviderError::new(FailureClass::Undecodable, "the stream ended before the answer did")
}
