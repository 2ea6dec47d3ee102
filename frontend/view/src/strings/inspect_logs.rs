//! Logs of Inspect.

use turnwise_shared::key::RunId;

use crate::number::count;

/// The heading.
pub const TITLE: &str = "Logs of Inspect";
/// What happens to them.
pub const LEAD: &str = "A log that Inspect wrote becomes a run of this server: with its page, its episodes, its scores. It is marked \
     as imported and cannot be played again.";
/// What to drop.
pub const DROP: &str = "Drop an .eval or JSON log here, or choose it";
/// More about it.
pub const DROP_NOTE: &str = "It is read in this page; nothing is stored before you say so";
/// A log without samples.
pub const NO_SAMPLES: &str = "There are no samples in it, so there is nothing to bring here.";
/// Nothing was in the drop.
pub const NO_FILE: &str = "There was no file in what was dropped.";
/// The task's name.
pub const TASK: &str = "Task";
/// The model under evaluation.
pub const MODEL: &str = "Model";
/// How the log ended.
pub const STATUS: &str = "Status";
/// How many samples.
pub const SAMPLES: &str = "Samples";
/// The button.
pub const BRING: &str = "Bring it here";
/// What it does.
pub const BRING_ABOUT: &str =
    "Stores its samples on this server; whoever knows the run's address can read them.";
/// A sample does not fit.
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

/// Samples are being stored.
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
