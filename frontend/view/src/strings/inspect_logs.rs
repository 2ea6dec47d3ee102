//! Logs of Inspect.

use turnwise_shared::key::RunId;

use crate::number::count;

pub const LEAD: &str = "A log that Inspect wrote becomes a run of this server: with its page, its episodes, its scores. It is marked \
     as imported and cannot be played again.";

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
