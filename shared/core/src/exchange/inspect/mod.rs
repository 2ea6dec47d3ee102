//! Logs of Inspect (`inspect_ai`, log format 2): a zip of JSON files, written so that its viewer opens them, and read.
//!
//! | file in the zip | what it holds |
//! | --- | --- |
//! | `header.json` | what was evaluated, by whom, the numbers; everything but the samples |
//! | `summaries.json` | every sample in a few fields |
//! | `samples/ID_epoch_N.json` | a sample: messages, events, scores, usage |
//! | `reductions.json` | scores over epochs |
//! | `_journal/start.json`, `_journal/summaries/N.json` | the same while a log is being written |
//!
//! The metadata of a log of ours hold its spec, and those of a sample its transcripts, so that it comes back as the run that it was ([`own`]).
//!
//! A task is a sample, a repeat an epoch, a seat a model role. We write deflate, which every reader knows; Inspect writes
//! zstd, and both are read.

pub mod archive;
mod attachments;
pub mod import;
pub mod own;
pub mod read;
mod sample;
#[cfg(test)]
mod tests;
pub mod write;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::benchmark::given::Given;
use crate::exchange::{evaluated, model_name};
use crate::hash::Digest;
use crate::seat::Sampling;
use crate::spec::{Profile, Spec};
use serde_json::{Map, Value, json};

/// The benchmark that specs of imported logs name.
pub const NAME: &str = "inspect";

/// What a log says of itself; the settings of an imported run.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    pub task: String,
    /// `started`, `success`, `cancelled` or `error`.
    pub status: String,
    /// When it was made, as ISO 8601.
    pub created: String,
    pub error: Option<String>,
    /// The numbers that it came with: scorer → metric → value.
    pub results: BTreeMap<String, BTreeMap<String, f64>>,
    /// The scorer whose score is the episode's.
    pub scorer: Option<String>,
    /// The reading under which it was played, where the log says so.
    pub profile: Option<Profile>,
}

impl Settings {
    /// The settings of a spec; what cannot be read counts as not set.
    pub fn of(spec: &Spec) -> Self {
        serde_json::from_value(spec.settings.clone()).unwrap_or_default()
    }
}

/// The reading under which a run was played, where that is known: of an imported log only where the log says so.
pub fn known_profile(spec: &Spec) -> Option<Profile> {
    match spec.benchmark.as_str() {
        NAME => Settings::of(spec).profile,
        _ => Some(spec.profile),
    }
}

/// Under this name our own metadata stand in a log and in its samples.
const OURS: &str = "turnwise";

/// The version of the log format.
pub const VERSION: u32 = 2;

/// What stands for the model where none alone is under evaluation, as in games: who sat there stands in the roles.
pub const NO_MODEL: &str = "none/none";

const HEADER: &str = "header.json";
const SUMMARIES: &str = "summaries.json";
const REDUCTIONS: &str = "reductions.json";
const START: &str = "_journal/start.json";
const JOURNAL: &str = "_journal/summaries/";
const SAMPLES: &str = "samples/";

/// A name in Inspect's manner, from a hash: 22 signs.
fn short_id(parts: &[&str]) -> String {
    let joined = parts.join("\0");
    Digest::of(&joined).to_string()[..22].to_owned()
}

/// The model under evaluation, else [`NO_MODEL`].
fn model(given: &Given<'_>) -> String {
    evaluated(given.spec)
        .and_then(|seat| given.spec.seats.get(seat))
        .map_or_else(|| NO_MODEL.to_owned(), |sitting| model_name(&sitting.player))
}

/// What is sampled how, as Inspect writes it.
fn config(sampling: &Sampling) -> Value {
    let mut config = Map::new();
    if let Some(temperature) = sampling.temperature {
        config.insert("temperature".to_owned(), json!(temperature));
    }
    if let Some(top_p) = sampling.top_p {
        config.insert("top_p".to_owned(), json!(top_p));
    }
    if let Some(most) = sampling.max_tokens {
        config.insert("max_tokens".to_owned(), json!(most));
    }
    Value::Object(config)
}
