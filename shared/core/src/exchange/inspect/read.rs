//! Reading a log: header and summaries first, samples one by one and only when they are wanted.
//!
//! Fields that are not needed are passed over, so that older and newer logs are read alike.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::archive::{Archive, BadArchive, ReaderAt};
use super::{HEADER, JOURNAL, SAMPLES, START, SUMMARIES, known_profile};
use crate::spec::{Profile, Spec};

/// The most bytes of one sample, unpacked: the largest run that is kept here (ARCHITECTURE.md, rule 10).
pub const LARGEST_SAMPLE: u64 = 512_000_000;

/// The most bytes of the header, unpacked.
const LARGEST_HEADER: u64 = 64_000_000;

/// The most bytes of the summaries, unpacked.
const LARGEST_SUMMARIES: u64 = 512_000_000;

/// A log that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadLog {
    /// The zip is not in order.
    #[error(transparent)]
    Archive(#[from] BadArchive),
    /// A file in it is not what it should be.
    #[error("{file} is not as in a log of Inspect: {why}")]
    Malformed {
        /// Which file.
        file: String,
        /// What is wrong with it.
        why: String,
    },
    /// It is of a version that nobody has seen yet.
    #[error("it is a log of version {0}; this program reads versions 1 and 2")]
    Version(u32),
    /// It is a zip, and no log.
    #[error("there is neither {HEADER} nor {START} in it, so it is no log of Inspect")]
    NoLog,
}

/// A log, opened.
#[derive(Debug)]
pub struct Log<R> {
    archive: Archive<R>,
    /// Everything but samples.
    pub header: Header,
}

/// `header.json`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Header {
    /// The version of the format.
    pub version: u32,
    /// `started`, `success`, `cancelled` or `error`.
    pub status: String,
    /// What was evaluated.
    pub eval: Eval,
    /// The numbers; absent while it goes on, and after an error.
    pub results: Option<Results>,
    /// Why it ended early.
    pub error: Option<Failure>,
}

/// What was evaluated.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Eval {
    /// Its id.
    pub eval_id: String,
    /// When it was made, as ISO 8601.
    pub created: String,
    /// The task's name.
    pub task: String,
    /// The model under evaluation, `PROVIDER/NAME`.
    pub model: String,
    /// How it was sampled.
    pub model_generate_config: Config,
    /// Models in other roles, e.g. `grader`: one, or a list of which the first counts.
    pub model_roles: Option<BTreeMap<String, Value>>,
    /// The dataset.
    pub dataset: Dataset,
    /// How it was run.
    pub config: RunConfig,
    /// The scorers.
    pub scorers: Option<Vec<Named>>,
    /// The versions of packages.
    pub packages: BTreeMap<String, String>,
    /// What whoever made it wrote down besides; ours stands under `turnwise`.
    pub metadata: Option<Map<String, Value>>,
}

impl Eval {
    /// The reading under which it was played, where this program wrote the log.
    pub fn profile(&self) -> Option<Profile> {
        let ours = self.metadata.as_ref()?.get("turnwise")?;
        known_profile(&Spec::deserialize(&ours["spec"]).ok()?)
    }
}

/// Something with a name.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Named {
    /// Its name.
    pub name: String,
}

/// How a model is sampled.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Config {
    /// Temperature.
    pub temperature: Option<f64>,
    /// Nucleus sampling.
    pub top_p: Option<f64>,
    /// The most tokens of a reply.
    pub max_tokens: Option<u32>,
}

/// The dataset.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Dataset {
    /// Its name.
    pub name: Option<String>,
    /// How many samples were chosen.
    pub samples: Option<u64>,
}

/// How a log's run was configured.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct RunConfig {
    /// Repeats of every sample.
    pub epochs: Option<u32>,
}

/// The numbers of a log.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Results {
    /// Samples planned, epochs counted.
    pub total_samples: u64,
    /// Samples that ended without an error.
    pub completed_samples: u64,
    /// Numbers by scorer.
    pub scores: Vec<Scored>,
}

/// The numbers of one scorer.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Scored {
    /// What it is called.
    pub name: String,
    /// How epochs were reduced.
    pub reducer: Option<String>,
    /// Numbers by name.
    pub metrics: BTreeMap<String, Metric>,
}

/// One number.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Metric {
    /// The number; what is not finite is written as a word and is none here.
    #[serde(deserialize_with = "number")]
    pub value: Option<f64>,
}

/// What failed.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Failure {
    /// In a sentence.
    pub message: String,
}

/// A sample in a few fields.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct SampleSummary {
    /// Its id, a text or a number.
    pub id: Value,
    /// Which repeat, from 1.
    pub epoch: u32,
    /// Scores by scorer.
    pub scores: Option<BTreeMap<String, Score>>,
    /// What failed.
    pub error: Option<String>,
}

/// A score.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Score {
    /// A number, a word such as `C` or `I`, a flag, a list or an object.
    pub value: Value,
    /// What was taken for the answer.
    pub answer: Option<String>,
    /// Why.
    pub explanation: Option<String>,
}

/// A sample.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Sample {
    /// Its id, a text or a number.
    pub id: Value,
    /// Which repeat, from 1.
    pub epoch: u32,
    /// What was asked: a text, or messages.
    pub input: Value,
    /// What was to be answered: a text, or a list.
    pub target: Value,
    /// The conversation.
    pub messages: Vec<Message>,
    /// Scores by scorer.
    pub scores: Option<BTreeMap<String, Score>>,
    /// A score in old logs.
    pub score: Option<Score>,
    /// What else is known of it.
    pub metadata: Map<String, Value>,
    /// What happened.
    pub events: Vec<Value>,
    /// What failed.
    pub error: Option<Failure>,
    /// Which limit ended it.
    pub limit: Option<Limit>,
    /// Long texts by hash; `attachment://HASH` stands in their place.
    pub attachments: BTreeMap<String, String>,
}

/// A limit that was reached.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Limit {
    /// Which, e.g. `message`, `token`.
    #[serde(rename = "type")]
    pub kind: String,
}

/// A message of a conversation.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Message {
    /// `system`, `user`, `assistant` or `tool`.
    pub role: String,
    /// A text, or parts.
    pub content: Value,
    /// Tools that were called.
    pub tool_calls: Option<Vec<ToolCall>>,
    /// The model that spoke.
    pub model: Option<String>,
    /// The tool that answered.
    pub function: Option<String>,
    /// The call that it answered.
    pub tool_call_id: Option<String>,
    /// What failed in the tool.
    pub error: Option<Failure>,
}

/// A tool that was called.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct ToolCall {
    /// The call's id.
    pub id: String,
    /// The tool's name.
    pub function: String,
    /// What it was given.
    pub arguments: Value,
}

/// What a model put out.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Output {
    /// The model as the service named it.
    pub model: String,
    /// The replies; the first counts.
    pub choices: Vec<Choice>,
    /// Tokens.
    pub usage: Option<Usage>,
}

/// A reply.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Choice {
    /// What was said.
    pub message: Message,
    /// Why it ended.
    pub stop_reason: String,
}

/// Tokens as Inspect counts them: those from a cache are no part of the input.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Usage {
    /// Read, without those of a cache.
    pub input_tokens: u64,
    /// Written.
    pub output_tokens: u64,
    /// Read from a cache.
    pub input_tokens_cache_read: Option<u64>,
    /// Written to a cache.
    pub input_tokens_cache_write: Option<u64>,
    /// Of those written, reasoning.
    pub reasoning_tokens: Option<u64>,
}

fn number<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<f64>, D::Error> {
    Value::deserialize(from).map(|value| value.as_f64())
}

#[derive(Deserialize)]
struct Start {
    #[serde(default)]
    version: u32,
    #[serde(default)]
    eval: Eval,
}

impl<R: ReaderAt> Log<R> {
    /// Opens a log and reads its header; of one that is still written, or was left so, what its beginning tells.
    ///
    /// # Errors
    /// If it is no log.
    pub fn open(reader: R, length: u64) -> Result<Self, BadLog> {
        let archive = Archive::open(reader, length)?;
        let header = if archive.has(HEADER) {
            parse(&archive, HEADER, LARGEST_HEADER)?
        } else if archive.has(START) {
            let start: Start = parse(&archive, START, LARGEST_HEADER)?;
            Header {
                version: start.version,
                status: "started".to_owned(),
                eval: start.eval,
                ..Header::default()
            }
        } else {
            return Err(BadLog::NoLog);
        };
        match header.version {
            0..=2 => Ok(Log { archive, header }),
            other => Err(BadLog::Version(other)),
        }
    }

    /// Every sample in a few fields, without reading one.
    ///
    /// # Errors
    /// If the summaries are not in order.
    pub fn summaries(&self) -> Result<Vec<SampleSummary>, BadLog> {
        if self.archive.has(SUMMARIES) {
            return parse(&self.archive, SUMMARIES, LARGEST_SUMMARIES);
        }
        let mut summaries = Vec::new();
        for name in self
            .archive
            .names()
            .filter(|name| name.starts_with(JOURNAL))
        {
            let some: Vec<SampleSummary> = parse(&self.archive, name, LARGEST_SUMMARIES)?;
            summaries.extend(some);
        }
        Ok(summaries)
    }

    /// The names of the samples' files.
    pub fn samples(&self) -> Vec<String> {
        let is_sample = |name: &&str| name.starts_with(SAMPLES) && name.ends_with(".json");
        self.archive
            .names()
            .filter(is_sample)
            .map(str::to_owned)
            .collect()
    }

    /// One sample, by the name of its file.
    ///
    /// # Errors
    /// If it is not there, not in order, or larger than [`LARGEST_SAMPLE`].
    pub fn sample(&self, name: &str) -> Result<Sample, BadLog> {
        parse(&self.archive, name, LARGEST_SAMPLE)
    }
}

fn parse<R: ReaderAt, T: DeserializeOwned>(
    archive: &Archive<R>,
    name: &str,
    limit: u64,
) -> Result<T, BadLog> {
    let bytes = archive.file(name, limit)?;
    let malformed = |why: String| BadLog::Malformed {
        file: name.to_owned(),
        why,
    };
    match serde_json::from_slice(&bytes) {
        Ok(value) => Ok(value),
        // Python writes numbers that JSON does not have; they are rare, so the file is mended only when it does not read.
        Err(error) => {
            let text = std::str::from_utf8(&bytes).map_err(|bad| malformed(bad.to_string()))?;
            serde_json::from_str(&without_infinities(text))
                .map_err(|_| malformed(error.to_string()))
        }
    }
}

/// The text with `NaN`, `Infinity` and `-Infinity` outside of texts in place of `null`.
fn without_infinities(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut is_text = false;
    while let Some(first) = rest.chars().next() {
        if is_text && first == '\\' {
            let end = rest
                .char_indices()
                .nth(2)
                .map_or(rest.len(), |(end, _)| end);
            out.push_str(&rest[..end]);
            rest = &rest[end..];
            continue;
        }
        if first == '"' {
            is_text = !is_text;
        }
        let word = ["NaN", "Infinity", "-Infinity"]
            .into_iter()
            .find(|word| !is_text && rest.starts_with(word));
        let length = match word {
            Some(word) => {
                out.push_str("null");
                word.len()
            }
            None => {
                out.push(first);
                first.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    out
}
