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
//! A task is a sample, a repeat an epoch, a seat a model role. We write deflate, which every reader knows; Inspect writes
//! zstd, and both are read.

pub mod archive;
mod attachments;
pub mod import;
pub mod read;
mod sample;
#[cfg(test)]
mod tests;
pub mod write;

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
