//! The progress of a run.

use crate::live::Driving;

/// What the place is called.
pub const LABEL: &str = "Progress";
/// Finished of planned.
pub fn done(graded: u32, planned: u32) -> String {
    format!("{graded} of {planned}")
}
/// Under way, after the number above.
pub fn under_way(episodes: u32) -> String {
    match episodes {
        0 => " episodes".to_owned(),
        1 => " episodes, 1 under way".to_owned(),
        more => format!(" episodes, {more} under way"),
    }
}
/// The rest, after the time that has passed.
pub fn left(duration: &str) -> String {
    format!(", about {duration} left")
}
/// Calls that came back.
pub const CALLS: &str = "calls answered";
/// Calls in flight.
pub const FLYING: &str = "in flight";
/// Tokens read and written.
pub const TOKENS: &str = "tokens";
/// Episodes that could not be finished.
pub const INCOMPLETE: &str = "incomplete";
/// Lines that are not stored yet.
pub const UNSTORED: &str = "lines to store";
/// The button.
pub const PAUSE: &str = "Pause";
/// The button.
pub const GO_ON: &str = "Go on";
/// The button.
pub const CANCEL: &str = "Stop the run";

/// What happens now, and what it means for whoever leaves.
pub fn state(driving: Driving) -> &'static str {
    match driving {
        Driving::Running => {
            "Runs in this page. You may leave or reload: it goes on when you come back."
        }
        Driving::Paused => "Paused. Nothing new is sent; what is in flight comes back.",
        Driving::Reconnecting => "The server cannot be reached; connecting again. Nothing is lost.",
        Driving::Cancelling => "Stopping.",
        Driving::Storing => "Storing the last lines.",
        Driving::Done => "Done.",
    }
}
