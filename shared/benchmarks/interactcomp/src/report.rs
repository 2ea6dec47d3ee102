//! The numbers of InteractComp (specification 7), from transcripts and summaries only.

mod calibration;
mod detail;
mod published;
mod remarks;
mod run;
mod study;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::grading;
use super::imported::COST_SO_FAR;
use super::memory::Counts;
use super::protocol::ending;
use super::settings::Settings;
use turnwise_core::metrics::calibration::Scale;
use turnwise_core::metrics::scored;
use turnwise_core::prelude::*;

type Scored<'a> = scored::Scored<'a, Numbers>;
type Play<'a> = scored::Play<'a, Numbers>;

/// The numbers of a run, with its study where it sweeps.
pub fn report(spec: &Spec, episodes: &[&Summary], options: &MeasureOptions) -> Report {
    let points = Settings::SCHEMA.points(&spec.settings);
    let scored = Scored::of_sweep(episodes, &points);
    let scaled;
    let options = match options.confidences {
        // Of a whole run or not at all.
        Scale::Fractions if !run::states_fractions(&scored) => {
            scaled = MeasureOptions { confidences: Scale::Percent, ..options.clone() };
            &scaled
        }
        _ => options,
    };
    study::add(run::report(spec, &scored, options), spec, &scored, options)
}

/// InteractComp's own numbers of one episode.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Numbers {
    /// Answers given, a fallback included.
    pub answers: u32,
    pub searches: u32,
    pub asks: u32,
    /// Replies that were no valid action.
    pub invalid: u32,
    /// The confidence as the player wrote it; absent where none was stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<String>,
    /// How the grading ended; absent if there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grading: Option<String>,
    /// What the run had cost when this episode ended, in dollars by the reference code's table; in imported episodes only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_so_far: Option<f64>,
}

pub fn measure(play: &Transcript, graded: Option<&Transcript>) -> Measured {
    let Counts { answer, search, ask, invalid } = super::counts(play);
    let outcome = play.outcome();
    let ended = outcome.map(|outcome| outcome.ending.as_str()).unwrap_or_default();
    let verdict = graded.and_then(Transcript::outcome);
    let score = match (outcome, verdict) {
        (Some(outcome), None)
            if outcome.is_complete() && !grading::is_needed(play.header.spec.profile, outcome) =>
        {
            Some(0.0)
        }
        (_, Some(verdict)) if verdict.ending == grading::GRADED => {
            Some(if verdict.result.get("verdict") == Some(&json!("yes")) { 1.0 } else { 0.0 })
        }
        _ => None,
    };
    let text = |name: &str| {
        outcome
            .and_then(|outcome| outcome.result.get(name))
            .and_then(|value| value.as_str())
            .map(str::to_owned)
    };
    let numbers = Numbers {
        answers: answer,
        searches: search,
        asks: ask,
        invalid,
        confidence: (ended == ending::ANSWERED).then(|| text("confidence")).flatten(),
        grading: verdict.map(|verdict| verdict.ending.clone()),
        cost_so_far: outcome
            .and_then(|outcome| outcome.result.get(COST_SO_FAR))
            .and_then(serde_json::Value::as_f64),
    };
    Measured::of(score, text("prediction"), &numbers)
}
