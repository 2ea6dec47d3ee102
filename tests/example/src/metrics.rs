//! Numbers: each is declared once, and computed from transcripts alone.

use serde::{Deserialize, Serialize};
use serde_json::json;
use turnwise_core::metrics::figures::Figures;
use turnwise_core::metrics::metric::ACCURACY;
use turnwise_core::metrics::scored::{Scored, extended};
use turnwise_core::prelude::*;

use crate::protocol::ending;

pub const GUESSES: Metric = metric(
    "guesses",
    "Guesses of found",
    Unit::Count,
    Better::Less,
    "Mean guesses of the numbers that were found.",
);

pub const METRICS: &[Section] = &[Section { title: HEADLINE, metrics: &[&ACCURACY, &GUESSES] }];

/// What is counted in an episode.
#[derive(Default, Serialize, Deserialize)]
struct Counts {
    guesses: u32,
}

/// The score of an episode, 1 if the number was found; none while it is open or incomplete.
pub fn measure(play: &Transcript) -> Measured {
    let Some(outcome) = play.outcome().filter(|outcome| outcome.is_complete()) else {
        return Measured::default();
    };
    let result = &outcome.result;
    let guesses = result["guesses"].as_u64().and_then(|count| u32::try_from(count).ok());
    Measured {
        score: Some(f64::from(u8::from(outcome.ending == ending::FOUND))),
        answer: result["answer"].as_u64().map(|answer| answer.to_string()),
        numbers: Figures::of(&Counts { guesses: guesses.unwrap_or_default() }),
        ..Measured::default()
    }
}

/// The numbers of a run.
pub fn report(_: &Spec, episodes: &[&Summary], _: &MeasureOptions) -> Report {
    let scored: Scored<'_, Counts> =
        Scored::of(episodes.iter().copied(), |summary| summary.task.digest.to_string());
    let guesses = scored.mean(|play| {
        let is_found = play.right() == Some(true);
        is_found.then(|| f64::from(play.numbers.guesses))
    });
    Report::of(METRICS, extended(scored.record(), json!({ "guesses": guesses })))
}
