//! What stands in the files of a log, as far as it is needed.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::super::{OURS, known_profile};
use crate::lenient::{count, each, is_null, maybe_text, nullable, number, or_default, text, whole};
use crate::spec::{Profile, Spec};

/// A part of a log: what is absent has its default, and a field is read by the function that is named behind it.
macro_rules! shape {
    ($(#[$doc:meta])* struct $Shape:ident {
        $($(#[$attribute:meta])* $field:ident: $type:ty $(= $reader:tt)?,)+
    }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Default, PartialEq, Deserialize)]
        #[serde(default)]
        pub struct $Shape {
            $($(#[$attribute])* $(#[serde(deserialize_with = $reader)])? pub $field: $type,)+
        }
    };
}

shape! {
    /// `header.json`.
    struct Header {
        /// The version of the format.
        version: u32 = "version",
        /// `started`, `success`, `cancelled` or `error`.
        status: String = "text",
        eval: Eval = "nullable",
        /// The numbers; absent while it goes on, and after an error.
        results: Option<Results>,
        error: Option<Failure>,
    }
}

shape! {
    struct Eval {
        eval_id: String = "text",
        /// When it was made, as ISO 8601.
        created: String = "text",
        task: String = "text",
        /// The model under evaluation, `PROVIDER/NAME`.
        model: String = "text",
        model_generate_config: Config = "or_default",
        /// Models in other roles, e.g. `grader`: one, or a list of which the first counts.
        model_roles: Option<BTreeMap<String, Value>> = "or_default",
        dataset: Dataset = "or_default",
        config: RunConfig = "nullable",
        scorers: Option<Vec<Named>> = "or_default",
        /// What the program that made it wrote besides; ours is under `turnwise`.
        metadata: Option<Map<String, Value>> = "or_default",
    }
}

impl Eval {
    /// The reading under which it was played, where this program wrote the log.
    pub fn profile(&self) -> Option<Profile> {
        let ours = self.metadata.as_ref()?.get(OURS)?;
        known_profile(&Spec::deserialize(&ours["spec"]).ok()?)
    }
}

shape! {
    struct Named {
        name: String = "text",
    }
}

shape! {
    /// How a model is sampled.
    struct Config {
        temperature: Option<f64> = "number",
        top_p: Option<f64> = "number",
        /// The most tokens of a reply.
        max_tokens: Option<u32> = "count",
    }
}

shape! {
    struct Dataset {
        name: Option<String> = "maybe_text",
    }
}

shape! {
    /// How a log's run was configured.
    struct RunConfig {
        epochs: Option<u32> = "count",
    }
}

shape! {
    /// The numbers of a log.
    struct Results {
        /// Samples planned, epochs counted.
        total_samples: Option<u64> = "count",
        scores: Vec<Scored> = "each",
    }
}

shape! {
    /// The numbers of one scorer.
    struct Scored {
        name: String = "text",
        metrics: BTreeMap<String, Metric> = "nullable",
    }
}

shape! {
    struct Metric {
        /// The number; what is not finite is written as a word and is none here.
        value: Option<f64> = "number",
    }
}

#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(from = "Value")]
pub struct Failure {
    pub message: String,
}

/// The message of an object, else the text itself.
impl From<Value> for Failure {
    fn from(value: Value) -> Self {
        let message = match &value {
            Value::String(text) => text.clone(),
            Value::Object(members) => match members.get("message") {
                Some(Value::String(message)) => message.clone(),
                _ => value.to_string(),
            },
            other => other.to_string(),
        };
        Failure { message }
    }
}

shape! {
    /// A sample in a few fields.
    struct SampleSummary {
        /// Its id, a text or a number.
        id: Value,
        /// Which repeat, from 1.
        epoch: u32 = "epoch",
        scores: Option<BTreeMap<String, Score>>,
        error: Option<Failure>,
    }
}

#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(from = "Value")]
pub struct Score {
    /// A number, a word such as `C` or `I`, a flag, a list or an object.
    pub value: Value,
    /// What was taken for the answer.
    pub answer: Option<String>,
    pub explanation: Option<String>,
}

/// An object with a value, else the value itself.
impl From<Value> for Score {
    fn from(mut score: Value) -> Self {
        if score.get("value").is_none() {
            return Score { value: score, ..Score::default() };
        }
        let mut text = |name: &str| match score[name].take() {
            Value::Null => None,
            Value::String(text) => Some(text),
            other => Some(other.to_string()),
        };
        let (answer, explanation) = (text("answer"), text("explanation"));
        Score { value: score["value"].take(), answer, explanation }
    }
}

shape! {
    struct Sample {
        /// Its id, a text or a number.
        id: Value,
        /// Which repeat, from 1.
        epoch: u32 = "epoch",
        /// What was asked: a text, or messages.
        input: Value,
        /// What was to be answered: a text, or a list.
        target: Value,
        messages: Vec<Message> = "each",
        scores: Option<BTreeMap<String, Score>>,
        /// A score in old logs.
        score: Option<Score>,
        /// What else is known of it.
        metadata: Map<String, Value> = "nullable",
        events: Vec<Value> = "nullable",
        error: Option<Failure>,
        limit: Option<Limit> = "or_default",
        /// Long texts that the log points to and does not have.
        #[serde(skip)]
        missing: usize,
    }
}

shape! {
    /// A limit that was reached.
    struct Limit {
        /// Which, e.g. `message`, `token`.
        #[serde(rename = "type")]
        kind: String = "text",
    }
}

shape! {
    /// A message of a conversation.
    struct Message {
        /// `system`, `user`, `assistant` or `tool`.
        role: String = "text",
        content: Value,
        tool_calls: Vec<ToolCall> = "each",
        model: Option<String> = "maybe_text",
        function: Option<String> = "maybe_text",
        /// The call that it answered.
        tool_call_id: Option<String> = "maybe_text",
        /// What failed in the tool.
        error: Option<Failure>,
    }
}

shape! {
    /// A tool that was called.
    struct ToolCall {
        id: String = "text",
        function: String = "text",
        arguments: Value,
    }
}

shape! {
    /// What a model put out.
    struct Output {
        /// The model as the service named it.
        model: String = "text",
        /// The replies; the first counts.
        choices: Vec<Choice> = "each",
        /// Tokens.
        usage: Usage = "nullable",
    }
}

shape! {
    struct Choice {
        message: Message = "or_default",
        stop_reason: String = "text",
    }
}

/// The most tokens that a count of one call can be.
const MOST_TOKENS: u64 = 1_000_000_000;

/// Tokens as Inspect counts them: those from a cache are no part of the input. What is missing or cannot be is unknown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(from = "Value")]
pub struct Usage {
    /// Read, without those of a cache.
    pub input_tokens: Option<u64>,
    pub output_tokens: Option<u64>,
    pub input_tokens_cache_read: Option<u64>,
    pub input_tokens_cache_write: Option<u64>,
    pub reasoning_tokens: Option<u64>,
    /// Whether a count is there that cannot be one.
    pub is_odd: bool,
}

impl From<Value> for Usage {
    fn from(value: Value) -> Self {
        let mut is_odd = !value.is_object() && !is_null(&value);
        let mut count = |name: &str| {
            let given = value.get(name).filter(|given| !is_null(given))?;
            let count = whole(given).filter(|count| *count <= MOST_TOKENS);
            is_odd |= count.is_none();
            count
        };
        Usage {
            input_tokens: count("input_tokens"),
            output_tokens: count("output_tokens"),
            input_tokens_cache_read: count("input_tokens_cache_read"),
            input_tokens_cache_write: count("input_tokens_cache_write"),
            reasoning_tokens: count("reasoning_tokens"),
            is_odd,
        }
    }
}

fn version<'de, D: serde::Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
    Ok(count(from)?.unwrap_or_default())
}

/// Logs count from 1; one that does not say which it is has only one.
fn epoch<'de, D: serde::Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
    Ok(count(from)?.unwrap_or(1))
}
