//! What stands in the files of a log, as far as it is needed.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::super::{OURS, known_profile};
use crate::lenient::{count, each, is_null, maybe_text, nullable, number, or_default, text, whole};
use crate::spec::{Profile, Spec};

/// `header.json`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Header {
    /// The version of the format.
    #[serde(deserialize_with = "version")]
    pub version: u32,
    /// `started`, `success`, `cancelled` or `error`.
    #[serde(deserialize_with = "text")]
    pub status: String,
    #[serde(deserialize_with = "nullable")]
    pub eval: Eval,
    /// The numbers; absent while it goes on, and after an error.
    pub results: Option<Results>,
    pub error: Option<Failure>,
}

#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Eval {
    #[serde(deserialize_with = "text")]
    pub eval_id: String,
    /// When it was made, as ISO 8601.
    #[serde(deserialize_with = "text")]
    pub created: String,
    #[serde(deserialize_with = "text")]
    pub task: String,
    /// The model under evaluation, `PROVIDER/NAME`.
    #[serde(deserialize_with = "text")]
    pub model: String,
    #[serde(deserialize_with = "or_default")]
    pub model_generate_config: Config,
    /// Models in other roles, e.g. `grader`: one, or a list of which the first counts.
    #[serde(deserialize_with = "or_default")]
    pub model_roles: Option<BTreeMap<String, Value>>,
    #[serde(deserialize_with = "or_default")]
    pub dataset: Dataset,
    #[serde(deserialize_with = "nullable")]
    pub config: RunConfig,
    #[serde(deserialize_with = "or_default")]
    pub scorers: Option<Vec<Named>>,
    /// What the program that made it wrote besides; ours is under `turnwise`.
    #[serde(deserialize_with = "or_default")]
    pub metadata: Option<Map<String, Value>>,
}

impl Eval {
    /// The reading under which it was played, where this program wrote the log.
    pub fn profile(&self) -> Option<Profile> {
        let ours = self.metadata.as_ref()?.get(OURS)?;
        known_profile(&Spec::deserialize(&ours["spec"]).ok()?)
    }
}

#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Named {
    #[serde(deserialize_with = "text")]
    pub name: String,
}

/// How a model is sampled.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Config {
    #[serde(deserialize_with = "number")]
    pub temperature: Option<f64>,
    #[serde(deserialize_with = "number")]
    pub top_p: Option<f64>,
    /// The most tokens of a reply.
    #[serde(deserialize_with = "count")]
    pub max_tokens: Option<u32>,
}

#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Dataset {
    #[serde(deserialize_with = "maybe_text")]
    pub name: Option<String>,
}

/// How a log's run was configured.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct RunConfig {
    #[serde(deserialize_with = "count")]
    pub epochs: Option<u32>,
}

/// The numbers of a log.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Results {
    /// Samples planned, epochs counted.
    #[serde(deserialize_with = "count")]
    pub total_samples: Option<u64>,
    #[serde(deserialize_with = "each")]
    pub scores: Vec<Scored>,
}

/// The numbers of one scorer.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Scored {
    #[serde(deserialize_with = "text")]
    pub name: String,
    #[serde(deserialize_with = "nullable")]
    pub metrics: BTreeMap<String, Metric>,
}

#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Metric {
    /// The number; what is not finite is written as a word and is none here.
    #[serde(deserialize_with = "number")]
    pub value: Option<f64>,
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

/// A sample in a few fields.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct SampleSummary {
    /// Its id, a text or a number.
    pub id: Value,
    /// Which repeat, from 1.
    #[serde(deserialize_with = "epoch")]
    pub epoch: u32,
    pub scores: Option<BTreeMap<String, Score>>,
    pub error: Option<Failure>,
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

#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Sample {
    /// Its id, a text or a number.
    pub id: Value,
    /// Which repeat, from 1.
    #[serde(deserialize_with = "epoch")]
    pub epoch: u32,
    /// What was asked: a text, or messages.
    pub input: Value,
    /// What was to be answered: a text, or a list.
    pub target: Value,
    #[serde(deserialize_with = "each")]
    pub messages: Vec<Message>,
    pub scores: Option<BTreeMap<String, Score>>,
    /// A score in old logs.
    pub score: Option<Score>,
    /// What else is known of it.
    #[serde(deserialize_with = "nullable")]
    pub metadata: Map<String, Value>,
    #[serde(deserialize_with = "nullable")]
    pub events: Vec<Value>,
    pub error: Option<Failure>,
    #[serde(deserialize_with = "or_default")]
    pub limit: Option<Limit>,
    /// Long texts that the log points to and does not have.
    #[serde(skip)]
    pub missing: usize,
}

/// A limit that was reached.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Limit {
    /// Which, e.g. `message`, `token`.
    #[serde(rename = "type", deserialize_with = "text")]
    pub kind: String,
}

/// A message of a conversation.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Message {
    /// `system`, `user`, `assistant` or `tool`.
    #[serde(deserialize_with = "text")]
    pub role: String,
    pub content: Value,
    #[serde(deserialize_with = "each")]
    pub tool_calls: Vec<ToolCall>,
    #[serde(deserialize_with = "maybe_text")]
    pub model: Option<String>,
    #[serde(deserialize_with = "maybe_text")]
    pub function: Option<String>,
    /// The call that it answered.
    #[serde(deserialize_with = "maybe_text")]
    pub tool_call_id: Option<String>,
    /// What failed in the tool.
    pub error: Option<Failure>,
}

/// A tool that was called.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct ToolCall {
    #[serde(deserialize_with = "text")]
    pub id: String,
    #[serde(deserialize_with = "text")]
    pub function: String,
    pub arguments: Value,
}

/// What a model put out.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Output {
    /// The model as the service named it.
    #[serde(deserialize_with = "text")]
    pub model: String,
    /// The replies; the first counts.
    #[serde(deserialize_with = "each")]
    pub choices: Vec<Choice>,
    /// Tokens.
    #[serde(deserialize_with = "nullable")]
    pub usage: Usage,
}

#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Choice {
    #[serde(deserialize_with = "or_default")]
    pub message: Message,
    #[serde(deserialize_with = "text")]
    pub stop_reason: String,
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
