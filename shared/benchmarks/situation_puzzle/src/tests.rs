//! Vectors and episodes of the specification (1.e; strict columns of its second table), played by hand: poll, look, answer.

mod bots;
mod episodes;
mod exchanged;
mod files;
mod numbers;
mod reading;

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use turnwise_core::benchmark::default_spec;
use turnwise_core::kit::turns::{Taken, turns};
use turnwise_core::metrics::summary::summarise;
use turnwise_core::prelude::*;
use turnwise_core::testing::Case;

use crate::SituationPuzzle;

/// A part of the vectors.
fn vectors<T: DeserializeOwned>(name: &str) -> T {
    let all: Value =
        serde_json::from_str(include_str!("tests/vectors.json")).expect("they are JSON");
    serde_json::from_value(all[name].clone()).expect(name)
}

/// A spec with scripted models in both seats.
fn spec(profile: Profile, settings: Value) -> Spec {
    let mut spec = default_spec(&SituationPuzzle);
    spec.profile = profile;
    spec.settings = settings;
    for (seat, sitting) in &mut spec.seats {
        sitting.player = Player::Model { provider: "scripted".to_owned(), model: seat.to_string() };
    }
    spec
}

fn rounds(profile: Profile, rounds: u32) -> Spec {
    spec(profile, json!({ "mode": "interactive", "rounds": rounds }))
}

fn task() -> Task {
    let texts = ["Title", "SETUP", "SOLUTION", "NOTES", ""].map(str::to_owned);
    crate::tasks::puzzle("one", texts)
}

/// What came of an episode.
struct Played {
    outcome: Outcome,
    transcript: Transcript,
    /// Each request: `P` or `J` and the number of its messages.
    calls: String,
    /// Each request as its seat reads it.
    shown: Vec<(Ask, String)>,
}

impl Played {
    fn faults(&self) -> BTreeMap<String, u32> {
        self.summary().faults
    }

    fn summary(&self) -> Summary {
        let measured = (SituationPuzzle::FACTS.measure)(&self.transcript, None);
        summarise(&self.transcript, None, measured)
    }

    /// Kind and token of each turn, as the authors' files have them.
    fn turns(&self) -> String {
        let shown = |taken: &Taken<'_>| match (&taken.turn.reading.fault, taken.came) {
            (Some(fault), _) => fault.class.clone(),
            (None, came) => {
                let kind = taken.turn.reading.applied["kind"].as_str().expect("a kind");
                format!("{kind} {}", came.map_or("", |came| &came.shown))
            }
        };
        turns(&self.transcript).iter().map(shown).collect::<Vec<_>>().join("; ")
    }
}

/// Plays an episode; `answer` says what comes back for a request, given how often its seat was asked before.
fn drive(spec: &Spec, task: &Task, mut answer: impl FnMut(&Ask, usize) -> Reply) -> Played {
    <dyn Benchmark>::check_spec(&SituationPuzzle, spec).expect("the spec can be run");
    let mut asked: BTreeMap<Seat, usize> = BTreeMap::new();
    let played = Case::new(&SituationPuzzle, spec, task).play_by(|_, effect| {
        let Effect::Ask(ask) = effect else { panic!("{effect:?} is not asked for") };
        let before = asked.entry(ask.seat.clone()).or_default();
        *before += 1;
        answer(ask, *before - 1)
    });
    let call =
        |ask: &Ask| format!("{}{}", ask.seat.as_str()[..1].to_uppercase(), ask.messages.len());
    let calls: Vec<_> = played.shown.iter().map(|shown| call(&shown.ask)).collect();
    Played {
        outcome: played.outcome().clone(),
        calls: calls.join(" "),
        shown: played.shown.into_iter().map(|shown| (shown.ask, shown.text)).collect(),
        transcript: played.play,
    }
}

/// Plays an episode from the texts of both seats; all of them are used up.
fn play<T: AsRef<str>>(spec: &Spec, player: &[T], judge: &[T]) -> Played {
    let mut used = [0, 0];
    let played = drive(spec, &task(), |ask, before| {
        let is_player = ask.seat.as_str() == Seat::PLAYER;
        used[usize::from(!is_player)] += 1;
        let texts = if is_player { player } else { judge };
        let text = texts.get(before).expect("the seat is asked more often than scripted");
        Reply::Said(Said::text(text.as_ref()))
    });
    assert_eq!(used, [player.len(), judge.len()], "calls of both seats");
    played
}

fn failed() -> Reply {
    Reply::Failed(Failure::new(FailureClass::Server, "HTTP 500"))
}
