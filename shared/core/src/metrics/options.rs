//! How numbers are taken.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::calibration::Scale;
use super::prices::PriceBook;
use super::spread::Rounding;
use super::times::Conversations;
use crate::day::Day;
use crate::seat::Seat;

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct MeasureOptions {
    /// Whether each repeat's percentage is rounded before the mean is taken.
    pub rounding: Rounding,
    /// On which scale confidences are read; fractions only where the whole run states them so.
    #[serde(default)]
    pub confidences: Scale,
    /// What calls cost; what it does not list has an unknown cost.
    pub prices: PriceBook,
    /// The day whose prices hold for calls of which the day is not known; without one their cost is unknown.
    pub day: Option<Day>,
    /// How long calls took, in milliseconds, by seat, where it is known. Times are no part of transcripts.
    pub times: BTreeMap<Seat, Vec<f64>>,
    /// How long all calls of one conversation took together: where a protocol opens one for each decision, how long decisions
    /// took, all attempts included.
    #[serde(default)]
    pub conversations: Conversations,
}
