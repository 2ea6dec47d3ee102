//! Logs of Inspect that were brought here: read and measured, never played.
//!
//! It stands in the registry beside the benchmarks that are played, so that an imported run has a page, episodes, numbers and
//! comparisons like any other. The log itself is read in [`exchange::inspect`](turnwise_core::exchange::inspect).

mod report;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use turnwise_core::benchmark::{Legend, Schema};
pub use turnwise_core::exchange::inspect::{NAME, Settings};
use turnwise_core::metrics::figures::Figures;
use turnwise_core::metrics::unread;
use turnwise_core::prelude::*;
use turnwise_core::task_texts::one_line;

#[derive(Debug, Clone, Copy)]
pub struct Inspect;

/// A score as a number: numbers and flags as they are, `C` 1, `P` one half, `I` and `N` 0, *yes* and *true* 1, *no* and *false*
/// 0, and texts that are numbers. `None` for anything else.
pub fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::Bool(flag) => Some(f64::from(u8::from(*flag))),
        Value::String(text) => match text.as_str() {
            "C" => Some(1.0),
            "P" => Some(0.5),
            "I" | "N" => Some(0.0),
            other => match other.to_lowercase().as_str() {
                "yes" | "true" => Some(1.0),
                "no" | "false" => Some(0.0),
                other => other.parse().ok().filter(|number: &f64| number.is_finite()),
            },
        },
        _ => None,
    }
}

/// What is counted of a sample.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Numbers {
    /// Its scores by name, see [`scores`].
    scores: BTreeMap<String, f64>,
}

/// The text of an event in a line.
fn noted(play: &Transcript, event: &str) -> Option<String> {
    play.noted::<Value>(event).find_map(|detail| {
        // Of a conversation that was given, what was asked at its end.
        let text = detail["asked"].as_str().or(detail["text"].as_str());
        one_line(text?)
    })
}

/// What was answered: as the chosen scorer understood it, else as another one did. What the player said last may be an
/// answer or none, so it is not taken for one.
fn answer(play: &Transcript, scorer: Option<&str>) -> Option<String> {
    let scores = play.outcome()?.result.get("scores")?.as_object()?;
    let chosen = scorer.and_then(|scorer| scores.get(scorer));
    let mut told = chosen.into_iter().chain(scores.values());
    told.find_map(|score| match &score["answer"] {
        // An empty answer is one: nothing was understood.
        Value::String(text) => Some(text.clone()),
        value @ (Value::Number(_) | Value::Bool(_)) => Some(value.to_string()),
        _ => None,
    })
}

/// The scores of an episode by name, as numbers; members of a score that is an object stand under `SCORER.MEMBER`.
fn scores(play: &Transcript) -> BTreeMap<String, f64> {
    let mut scores = BTreeMap::new();
    let told = play.outcome().and_then(|outcome| outcome.result.get("scores"));
    for (scorer, score) in told.and_then(Value::as_object).into_iter().flatten() {
        match &score["value"] {
            Value::Object(members) => {
                for (member, value) in members {
                    if let Some(value) = number(value) {
                        scores.insert(format!("{scorer}.{member}"), value);
                    }
                }
            }
            value => {
                if let Some(value) = number(value) {
                    scores.insert(scorer.clone(), value);
                }
            }
        }
    }
    scores
}

/// Kinds of turns by what their tools are called; everything else that a model said or did is a step.
const LEGEND: &[(&str, &str)] = &[
    ("k-bet|M", "a step"),
    ("k-search|S", "search"),
    ("k-browse|B", "opened a page"),
    ("k-ask|A", "ask"),
    ("k-answer|=", "answer"),
    ("k-answer r-correct|✓", "correct"),
    ("k-answer r-wrong|✗", "wrong"),
    ("bar r-fault", "failed"),
];

fn measure(play: &Transcript, _grading: Option<&Transcript>) -> Measured {
    let settings = Settings::of(&play.header.spec);
    let scores = scores(play);
    let main = settings.scorer.as_deref();
    // Of several numbers of which none is named, as of the seats of a game, none is the score.
    let only = scores.values().next().filter(|_| scores.len() == 1);
    let score = main.and_then(|main| scores.get(main)).or(only).copied();
    Measured {
        score: score.filter(|score| (0.0..=1.0).contains(score)),
        answer: answer(play, main),
        // An imported episode has no task here: its log contained both.
        asked: noted(play, "input"),
        right: noted(play, "target"),
        numbers: Figures::of(&Numbers { scores }),
    }
}

impl Inspect {
    pub const FACTS: Facts = Facts {
        name: NAME,
        title: "Inspect log",
        about: "A run that was made with Inspect and brought here to be read. It cannot be played again.",
        pack: || Pack { name: "imported".to_owned(), templates: BTreeMap::new() },
        schema: Schema {
            defaults: turnwise_core::kit::settings::defaults::<Settings>,
            ..Schema::NONE
        },
        legend: Legend { signs: LEGEND, letters: "" },
        measure,
        metrics: report::METRICS,
        ..Facts::USUAL
    };
}

impl Benchmark for Inspect {
    fn facts(&self) -> &'static Facts {
        &Self::FACTS
    }

    fn check(&self, spec: &Spec) -> Result<(), BadSpec> {
        serde_json::from_value::<Settings>(spec.settings.clone())
            .map(drop)
            .map_err(|error| BadSpec::new("settings", error.to_string()))
    }

    fn samples(&self) -> TaskSet {
        TaskSet {
            name: NAME.to_owned(),
            digest: Digest::of(NAME),
            tasks: Vec::new(),
            origin: TaskSetOrigin::Plain,
            pictures: BTreeMap::new(),
        }
    }

    fn open(&self, _: &Spec, _: &Task, _: &Pack) -> Result<Box<dyn Episode>, BadSpec> {
        Err(BadSpec::new(
            "benchmark",
            "logs of Inspect are read here and cannot be played; run the task with Inspect",
        ))
    }

    fn report(&self, spec: &Spec, episodes: &[&Summary], _options: &MeasureOptions) -> Report {
        unread::reported(report::report(&Settings::of(spec), episodes), episodes)
    }
}
