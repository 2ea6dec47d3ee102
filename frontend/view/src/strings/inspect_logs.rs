//! Logs of Inspect.

use turnwise_shared::key::RunId;

use crate::number::count;

pub const TITLE: &str = "Logs of Inspect";
pub const LEAD: &str = "A log that Inspect wrote becomes a run of this server: with its page, its episodes, its scores. It is marked \
     as imported and cannot be played again.";
pub const DROP: &str = "Drop an .eval or JSON log here, or choose it";
pub const DROP_NOTE: &str = "It is read in this page; nothing is stored before you say so";
pub const NO_SAMPLES: &str = "There are no samples in it, so there is nothing to bring here.";
pub const NO_FILE: &str = "There was no file in what was dropped.";
pub const TASK: &str = "Task";
pub const MODEL: &str = "Model";
pub const STATUS: &str = "Status";
pub const SAMPLES: &str = "Samples";
pub const BRING: &str = "Bring it here";
pub const BRING_ABOUT: &str =
    "Stores its samples on this server; whoever knows the run's address can read them.";
pub const TOO_LARGE: &str = "One message of this log is larger than the server takes; turnwise import --format inspect reads it.";

/// A log that cannot be read.
pub fn cannot_read(file: &str, why: &str) -> String {
    format!("{file}: {why}.")
}

/// Storing failed, and so did withdrawing the run.
pub fn half_stored(why: &str, run: &RunId) -> String {
    let why = why.trim_end_matches('.');
    format!(
        "{why}. Part of the log is stored as run {run}, which only this browser can read; withdraw it on its page."
    )
}

pub fn storing(done: usize, of: usize) -> String {
    format!("Storing {} of {}", count(done as u64), count(of as u64))
}

/// What the run is called.
pub fn title(task: &str, created: &str) -> String {
    match created.get(..10) {
        Some(day) => format!("{task} (Inspect, {day})"),
        None => format!("{task} (Inspect)"),
    }
}
