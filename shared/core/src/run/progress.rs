//! How far a run is.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::effect::FailureClass;

/// How far a run is, in counts; times are the driver's business.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// Plays planned.
    pub planned: u32,
    /// Plays under way.
    pub under_way: u32,
    /// Plays that are over.
    pub played: u32,
    /// Plays that are over and whose grading is, or that need none.
    pub graded: u32,
    /// Of those, plays whose grader could not be heard: they have no score, and can be graded again.
    #[serde(default)]
    pub unheard: u32,
    /// Plays that ended incomplete; resuming the run takes them up again.
    pub incomplete: u32,
    /// Calls sent out.
    pub sent: u32,
    /// Calls that came back.
    pub answered: u32,
    /// Calls in flight.
    pub flying: u32,
    /// Tokens read and written.
    pub tokens: u64,
    /// Failed calls by class.
    pub failures: BTreeMap<FailureClass, u32>,
}
