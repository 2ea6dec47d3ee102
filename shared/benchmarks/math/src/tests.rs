//! Episodes played by hand, runs in numbers, files.

mod episodes;
mod exchanged;
mod files;
mod numbers;

use std::collections::BTreeMap;

use serde_json::{Value, json};
use turnwise_core::benchmark::default_spec;
use turnwise_core::prelude::*;
use turnwise_core::prompt::Usage;
use turnwise_core::python::{Layout, dumps};
use turnwise_core::testing::Case;

use crate::Math;

/// The official problems: in `TURNWISE_DATA`, else in `../shared/data` beside the project. `None`, with a message, if they are absent.
#[expect(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    reason = "tests may read what the core must not"
)]
pub fn official() -> Option<Vec<u8>> {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../../shared/data");
    let folder = std::env::var("TURNWISE_DATA").unwrap_or_else(|_| beside.to_owned());
    let path = format!("{folder}/interactive_benchmarks/puzzle_math.json");
    let bytes = std::fs::read(&path).ok();
    if bytes.is_none() {
        println!("skipped: {path} is absent");
    }
    bytes
}

/// A task with the answer 28.
pub fn task() -> Task {
    let fields: BTreeMap<String, String> =
        [("question", "P?"), ("solution", "S"), ("answer", "28")]
            .into_iter()
            .map(|(name, text)| (name.to_owned(), text.to_owned()))
            .collect();
    Task { id: "7".into(), digest: Digest::of_value(&fields), labels: BTreeMap::new(), fields }
}

pub fn spec(profile: Profile, mode: &str, rounds: u32, repeats: u32) -> Spec {
    Spec {
        profile,
        settings: json!({ "mode": mode, "rounds": rounds }),
        repeats,
        ..default_spec(&Math)
    }
}

/// What came of an episode and its grading.
pub struct Played {
    pub play: Transcript,
    pub grading: Option<Transcript>,
    /// Which seats were asked, in order, with the number of messages.
    pub calls: Vec<(String, usize)>,
    summary: Summary,
}

impl Played {
    pub fn outcome(&self) -> &Outcome {
        self.play.outcome().expect("it is over")
    }

    pub fn summary(&self) -> Summary {
        self.summary.clone()
    }

    pub fn score(&self) -> Option<f64> {
        self.summary.score
    }

    pub fn answer(&self) -> Option<&str> {
        self.outcome().result["answer"].as_str()
    }
}

/// Plays a task: the player says these texts, everybody else those, each in order. `ERROR` is a failed call.
pub fn play_task(
    spec: &Spec,
    task: &Task,
    repeat: u32,
    player: &[&str],
    others: &[&str],
) -> Played {
    let (mut player, mut others) = (player.iter(), others.iter());
    let played = play_by(spec, task, repeat, |seat| {
        let text = match seat {
            "player" => player.next(),
            _ => others.next(),
        };
        (*text.expect("a reply for every call")).to_owned()
    });
    assert!(
        player.next().is_none() && others.next().is_none(),
        "replies are left over: {:?}",
        played.outcome()
    );
    played
}

/// Plays a task: the seats say what `say` says. `ERROR` is a failed call.
pub fn play_by(
    spec: &Spec,
    task: &Task,
    repeat: u32,
    mut say: impl FnMut(&str) -> String,
) -> Played {
    let case = Case { repeat, ..Case::new(&Math, spec, task) };
    let played = case.play_by(|_, effect| {
        let Effect::Ask(ask) = effect else { panic!("{effect:?}") };
        match say(ask.seat.as_str()).as_str() {
            "ERROR" => Reply::Failed(Failure::new(FailureClass::Server, "HTTP 500")),
            text => Reply::Said(Said {
                usage: Usage {
                    input: Some(100 * ask.messages.len() as u64),
                    output: Some(text.len() as u64),
                    ..Usage::default()
                },
                ..Said::text(text)
            }),
        }
    });
    let call = |ask: &Ask| (ask.seat.to_string(), ask.messages.len());
    Played {
        calls: played.shown.iter().map(|shown| call(&shown.ask)).collect(),
        play: played.play,
        grading: played.grading,
        summary: played.summary,
    }
}

/// Records as they stand in a file.
pub fn written(records: impl IntoIterator<Item = Json>) -> Value {
    let records = Json::List(records.into_iter().collect());
    let text = dumps(&records, Layout::Indented);
    serde_json::from_str(&text).expect("it is JSON")
}

pub fn play(spec: &Spec, player: &[&str], others: &[&str]) -> Played {
    play_task(spec, &task(), 1, player, others)
}
