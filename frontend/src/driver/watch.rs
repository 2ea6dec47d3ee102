//! Times of a driver: how long it has been driving, and what is due.

use crate::live::Driving;

/// Times of a driver, in milliseconds of [`clock::now`].
#[derive(Clone, Copy)]
pub struct Watch {
    pub state: Driving,
    /// Driving before the last change between running and pausing.
    pub before: f64,
    pub since: f64,
    /// Plays that were graded when the driver began.
    pub graded_before: u32,
    /// When it was last drawn.
    pub drawn: f64,
    /// When lines last went into this browser's store.
    pub kept: f64,
    /// When lines last went to the server.
    pub uploaded: f64,
    /// When lines of running episodes last went to the server.
    pub flushed: f64,
}

impl Watch {
    /// Milliseconds of driving, pauses left out.
    pub fn elapsed(&self, now: f64) -> f64 {
        match self.state {
            Driving::Paused | Driving::Done => self.before,
            _ => self.before + now - self.since,
        }
    }
}
