//! The eight made-up episodes of specification 8.8, and what a report is made of besides.

use serde_json::{Value, json};

use crate::measure::{Agreement, Numbers};
use crate::metrics::errors::Errors;
use crate::metrics::{Call, Episode, Key, Log, Status};
use crate::reading::judge::Verdict;
use crate::report::report;
use turnwise_core::metrics::figures::Figures;
use turnwise_core::prelude::*;
use turnwise_core::seat::{Lineup, Sitting};
use turnwise_core::spec::{Named, Subset};

pub fn spec(profile: Profile, setting: &str) -> Spec {
    let named = || Named { name: String::new(), digest: Digest::of("") };
    let sitting = |name: &str| Sitting {
        player: Player::Bot(name.to_owned()),
        sampling: Sampling::default(),
    };
    Spec {
        benchmark: "paraworld".to_owned(),
        protocol: 2,
        profile,
        settings: json!({ "setting": setting }),
        tasks: named(),
        subset: Subset::default(),
        pack: named(),
        seats: Lineup::from([
            (Seat::new("player"), sitting("per-fact")),
            (Seat::new("engine"), sitting("made-up")),
        ]),
        search: None,
        web: None,
        budget: Budget::default(),
        seed: 1,
        repeats: 1,
    }
}

/// A summary of an episode over a made-up world.
pub fn summary(world: usize, pair: &str, numbers: Option<Numbers>) -> Summary {
    let labels =
        [("category", if world < 4 { "Band" } else { "Club" }), ("language", "en"), ("pair", pair)];
    let labels =
        labels.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let score = numbers.as_ref().and_then(|numbers| Some(numbers.episode.verdict?.score()));
    Summary {
        task: TaskRef {
            id: TaskId(world.to_string()),
            digest: Digest::of(world.to_string()),
            labels,
        },
        ending: Some("finished".to_owned()),
        complete: numbers.is_some(),
        score,
        measured: Measured {
            score,
            answer: None,
            numbers: numbers.map_or_else(Figures::default, |numbers| Figures::of(&numbers)),
            ..Measured::default()
        },
        ..Summary::bare()
    }
}

/// Changes one of the figures of an episode.
pub fn with(summary: &mut Summary, name: &str, value: Value) {
    let mut figures = summary.measured.numbers.value();
    figures[name] = value;
    summary.measured.numbers = Figures::of(&figures);
}

/// An episode with a log for each item: hit, compound, key (fact number from 1; 0 = no fact).
pub fn numbers(
    facts: u32,
    logs: &[(bool, bool, Option<u32>)],
    status: Status,
    verdict: Verdict,
) -> Numbers {
    let log = |(hit, compound, key): &(bool, bool, Option<u32>)| Log {
        hit: *hit,
        compound: *compound,
        keys: Vec::from_iter(key.map(|key| Key { spelling: key, fact: key.checked_sub(1) })),
        engine_fault: false,
    };
    let call =
        |(at, (hit, ..)): (u32, &(bool, bool, Option<u32>))| Call { hit: *hit, log: Some(at) };
    Numbers {
        episode: Episode {
            facts,
            rules: [facts - 1].into(),
            calls: (0..).zip(logs).map(call).collect(),
            logs: logs.iter().map(log).collect(),
            calling_messages: logs.len() as u32,
            format_errors: 0,
            turns: logs.len() as u32 + 1,
            max_turns: 32,
            status,
            answered: status == Status::Finished,
            verdict: Some(verdict),
        },
        errors: Errors::default(),
        agreement: Agreement::default(),
        judge: None,
        format_fault: None,
    }
}

/// S0 to S7; S3's padded key is another spelling of its first fact.
pub fn s() -> Vec<Numbers> {
    use Status::{ApiError, Finished, MaxTurnsReached};
    use Verdict::{Correct, Incorrect};
    let hit = |key| (true, false, Some(key));
    let miss = (false, false, None);
    let mut s2 = numbers(6, &[hit(1), hit(2)], Finished, Correct);
    s2.episode.calls.push(Call { hit: false, log: None });
    (s2.episode.format_errors, s2.episode.calling_messages) = (1, 3);
    let mut s3 = numbers(10, &[hit(0), hit(1), hit(2)], Finished, Incorrect);
    s3.episode.logs[1].keys[0].spelling = 77;
    let mut s4 = numbers(11, &[1, 2, 3, 4, 5].map(hit), Finished, Correct);
    s4.episode.calling_messages = 2;
    let s7 = [(false, false, Some(1)), (true, true, Some(2))];
    vec![
        numbers(4, &[hit(1), hit(1), miss, hit(2)], Finished, Correct),
        numbers(5, &[], Finished, Incorrect),
        s2,
        s3,
        s4,
        numbers(12, &[hit(1)], ApiError, Incorrect),
        numbers(2, &[hit(1), hit(2), hit(0)], Finished, Correct),
        numbers(8, &s7, MaxTurnsReached, Incorrect),
    ]
}

pub fn summaries() -> Vec<Summary> {
    let pairs = ["p0", "p0", "p1", "p1", "p2", "p2", "p3", "p3"];
    s().into_iter()
        .zip(pairs)
        .enumerate()
        .map(|(world, (numbers, pair))| summary(world, pair, Some(numbers)))
        .collect()
}

pub fn reported(profile: Profile, summaries: &[Summary]) -> Report {
    report(&spec(profile, "C"), &summaries.iter().collect::<Vec<_>>(), &MeasureOptions::default())
}

#[track_caller]
pub fn near(record: &Value, wanted: &[(&str, f64)]) {
    for (path, wanted) in wanted {
        let found = record.pointer(path).and_then(Value::as_f64);
        let fits = found.is_some_and(|found| (found - wanted).abs() < 6e-7);
        assert!(fits, "{path}: {found:?} against {wanted}");
    }
}
