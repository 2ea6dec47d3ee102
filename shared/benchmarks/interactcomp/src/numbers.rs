//! The numbers of a run: what they are called, what they mean, and where they are shown.

use turnwise_core::prelude::*;
use turnwise_core::metrics::format;
use turnwise_core::metrics::metric::COST;
use turnwise_core::metrics::metric::Better::{Less, More, Neither};
use turnwise_core::metrics::report::Unit::{Count, Fraction};

pub const METRICS: &[Section] = &[
    Section { title: HEADLINE, metrics: &[&ACCURACY, &DEVIATION, &CALIBRATION_ERROR, &ROUNDS, &INTERACTION_RATE, &ASKS, &COST] },
    Section { title: "Accuracy", metrics: &[&DEVIATION, &PLAYS, &SCORED, &AT_LEAST, &AT_MOST] },
    Section { title: "Endings and replies", metrics: &[&INVALID, &SKIPPED, &FALLBACK, &ERROR, &INCOMPLETE, &GRADER_FAILED] },
    format::SECTION,
    Section { title: "Interaction", metrics: &[&ROUNDS, &INTERACTION_RATE, &INTERACTION_RATE_OF_PLAYS, &ASKS] },
    Section { title: "Calibration", metrics: &[&CALIBRATION_ERROR, &RIGHT_CLOSED, &EQUAL_COUNT, &CALIBRATED, &ODD] },
];

pub const ACCURACY: Metric = metric("accuracy", "Accuracy", Fraction, More, "Answers that the grader accepted, over all graded episodes.");
pub const DEVIATION: Metric = metric("accuracy_std", "Deviation over repeats", Fraction, Neither, "Sample standard deviation of the accuracies of the repeats; not defined for one repeat.");
pub const CALIBRATION_ERROR: Metric = metric("calibration_error", "Calibration error", Fraction, Less, "How far stated confidence and accuracy lie apart: five bins of equal width, each with its lower end, weighted by their rows.");
pub const ROUNDS: Metric = metric("round", "Rounds", Count, Neither, "Mean rounds used, the answer included; invalid replies use none.");
pub const INTERACTION_RATE: Metric = metric("ir_micro", "Interaction rate", Fraction, Neither, "The share of all rounds in which the user was asked.");
pub const ASKS: Metric = metric("iround", "Asks", Count, Neither, "Mean questions put to the user in an episode.");

const PLAYS: Metric = metric("n", "episodes", Count, Neither, "Tasks times repeats that have ended.");
const SCORED: Metric = metric("scored", "scored episodes", Count, Neither, "Episodes with a verdict, and those that are wrong without one.");
const AT_LEAST: Metric = metric("accuracy_bounds.0", "at least", Fraction, More, "Accuracy if every episode without a score were wrong.");
const AT_MOST: Metric = metric("accuracy_bounds.1", "at most", Fraction, More, "Accuracy if every episode without a score were right.");

const INVALID: Metric = metric("rates.invalid", "invalid replies", Fraction, Less, "Replies of the player that were no valid action, by all its replies.");
const SKIPPED: Metric = metric("rates.skipped", "skipped", Fraction, Less, "Episodes that the fourth invalid reply of a round ended.");
const FALLBACK: Metric = metric("rates.fallback", "fallback", Fraction, Less, "Episodes whose last round brought no answer.");
const ERROR: Metric = metric("rates.error", "error", Fraction, Less, "Episodes whose third attempt failed (reference only).");
const INCOMPLETE: Metric = metric("rates.incomplete", "incomplete", Fraction, Less, "Episodes in which a call failed for good; they have no score and can be resumed.");
const GRADER_FAILED: Metric = metric("rates.grader_failed", "grader failed", Fraction, Less, "Episodes whose grader could not be read; they have no score and can be graded again.");

const INTERACTION_RATE_OF_PLAYS: Metric = metric("ir_macro", "Interaction rate, mean of episodes", Fraction, Neither, "The mean over episodes of their asks by their rounds.");

const RIGHT_CLOSED: Metric = metric("calibration_error_right_closed", "error, bins (20, 40]", Fraction, Less, "The same, each bin with its upper end.");
const EQUAL_COUNT: Metric = metric("calibration_error_equal_count", "error, bins of equal count", Fraction, Less, "Five bins with as many episodes each.");
const CALIBRATED: Metric = metric("calibration_n", "episodes in it", Count, Neither, "Scored episodes with a stated confidence; under reference all, a missing one as 0.");
const ODD: Metric = metric("confidence_odd", "odd confidences", Count, Less, "Confidences that were missing, unreadable, outside of 0 to 100, or written as a fraction.");
