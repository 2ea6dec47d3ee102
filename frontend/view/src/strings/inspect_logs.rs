//! Logs of Inspect.

use turnwise_shared::key::RunId;

pub const LEAD: &str = "A log that Inspect wrote becomes a run of this server: with its page, its episodes, its scores. It is marked \
     as imported and cannot be played again.";

/// Storing failed, and so did withdrawing the run.
pub fn half_stored(why: &str, run: &RunId) -> String {
    let why = why.trim_end_matches('.');
    format!(
        "{why}. Part of the log is stored as run {run}, which only this browser can read; withdraw it on its page."
    )
}

/// What the run is called.
pub fn title(task: &str, created: &str) -> String {
    match created.get(..10) {
        Some(day) => format!("{task} (Inspect, {day})"),
        None => format!("{task} (Inspect)"),
    }
}
