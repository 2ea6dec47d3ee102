//! The numbers of a run: what they are called, what they mean, and where they are shown.

use turnwise_core::prelude::*;
use turnwise_core::metrics::metric::COST;
use turnwise_core::metrics::metric::Better::{Less, More, Neither};
use turnwise_core::metrics::report::Unit::{Count, Fraction};

/// All of them. Of the two other readings of "solved" the one is shown that is not the headline's own.
pub const METRICS: &[Section] = &[Section {
    title: HEADLINE,
    metrics: &[&ACCURACY, &WITH_FINAL, &WITHIN_BUDGET, &DEVIATION, &TURNS, &QUESTIONS, &WRONG_FINALS, &FORMAT_ERRORS, &JUDGE_INVALID, &COST],
}];

pub const ACCURACY: Metric = metric("accuracy", "Accuracy", Fraction, More, "Share of the scored puzzles that were solved by a final answer that counts.");
pub const WITH_FINAL: Metric = metric("accuracy_with_final", "With forced final", Fraction, More, "The same with the forced final after the last turn counted.");
pub const WITHIN_BUDGET: Metric = metric("accuracy_within_budget", "Within budget", Fraction, More, "The same without the forced final after the last turn.");
pub const DEVIATION: Metric = metric("accuracy_std", "Std over repeats", Fraction, Neither, "Sample standard deviation of the repeats' accuracies.").optional();
pub const TURNS: Metric = metric("average_turns", "Turns of solved", Count, Less, "Mean turns of the puzzles that were solved.");
pub const QUESTIONS: Metric = metric("questions", "Questions", Count, Neither, "Mean questions per puzzle.");
const WRONG_FINALS: Metric = metric("wrong_finals", "Wrong finals", Fraction, Less, "Share of the judged final answers that were wrong.");
pub const FORMAT_ERRORS: Metric = metric("format_error_rate", "Format errors", Fraction, Less, "Share of the player's messages that were not a move; each costs a turn.");
pub const JUDGE_INVALID: Metric = metric("judge_invalid_rate", "Judge invalid", Fraction, Less, "Share of the judged turns on which the judge could not be read.");
