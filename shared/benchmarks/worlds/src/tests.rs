//! Whole episodes and a whole run, offline: bots in every seat.

mod episodes;
mod runs;

use serde_json::{Value, json};

use super::Studio;
use super::record::Made;
use turnwise_core::benchmark::default_spec;
use turnwise_core::metrics::summary::summarise;
use turnwise_core::prelude::*;
use turnwise_core::spec::Named;
use turnwise_core::testing::{Case, cases, report, sitting};

/// A spec over the samples with these settings and players.
fn spec(settings: &Value, seats: &[(&str, &str)]) -> Spec {
    let samples = Studio.samples();
    let mut spec = default_spec(&Studio);
    spec.tasks = Named { name: samples.name, digest: samples.digest };
    for (name, value) in settings.as_object().unwrap() {
        spec.settings[name] = value.clone();
    }
    for (seat, player) in seats {
        spec.seats.insert(Seat::new(*seat), sitting(player));
    }
    spec.budget = Studio.default_budget(&spec);
    <dyn Benchmark>::check_spec(&Studio, &spec).unwrap();
    spec
}

fn bot(spec: &Spec, task: &Task, call: CallId, effect: &Effect) -> Reply {
    Case::new(&Studio, spec, task).answer(call, effect)
}

/// Plays a pair; `answer` replies.
fn play_with(spec: &Spec, task: &Task, answer: impl FnMut(CallId, &Effect) -> Reply) -> Transcript {
    Case::new(&Studio, spec, task).play_by(answer).play
}

/// Plays a pair with the bots of the spec.
fn play(spec: &Spec, task: &Task) -> Transcript {
    play_with(spec, task, |call, effect| bot(spec, task, call, effect))
}

fn made(play: &Transcript) -> Made {
    serde_json::from_value(play.outcome().unwrap().result.clone()).unwrap()
}

/// Plays all samples and reports.
fn run(spec: &Spec) -> (Vec<Transcript>, Report) {
    let tasks = Studio.samples().tasks;
    let plays: Vec<Transcript> = tasks.iter().map(|task| play(spec, task)).collect();
    let summaries: Vec<Summary> = plays
        .iter()
        .map(|play| summarise(play, None, (Studio::FACTS.measure)(play, None)))
        .collect();
    let report = report(&Studio, spec, &summaries);
    (plays, report)
}

#[test]
fn the_samples_are_pairs_of_our_own_pools() {
    let samples = Studio.samples();
    assert_eq!(samples.tasks.len(), 24);
    let mut domains: Vec<&str> =
        samples.tasks.iter().map(|task| task.labels["domain"].as_str()).collect();
    domains.dedup();
    assert_eq!(domains.len(), 6, "four pairs of each of six domains");
    assert_ne!(samples.digest, Digest::of(""));
}

#[test]
fn settings_are_checked() {
    for (settings, field) in cases::<(Value, &str)>(include_str!("tests/bad_settings.jsonl")) {
        let mut spec = spec(&json!({}), &[]);
        for (name, value) in settings.as_object().unwrap() {
            spec.settings[name] = value.clone();
        }
        assert_eq!(
            <dyn Benchmark>::check_spec(&Studio, &spec).unwrap_err().field,
            field,
            "{settings}"
        );
    }
    let mut alone = spec(&json!({}), &[]);
    alone.seats.remove(&Seat::new("auditor"));
    assert_eq!(<dyn Benchmark>::check_spec(&Studio, &alone).unwrap_err().field, "seats.auditor");
}

#[test]
fn when_the_editor_is_asked_is_a_list_or_a_text() {
    use super::settings::{Review, Settings};
    let read = |review: Value| {
        let spec = spec(&json!({ "review": review }), &[]);
        Settings::of(&spec).unwrap().review.into_iter().collect::<Vec<_>>()
    };
    assert_eq!(read(json!(["law", "question"])), [Review::Question, Review::Law]);
    assert_eq!(read(json!("law, decision")), [Review::Law, Review::Decision]);
    // As a form shows a list that it was given.
    assert_eq!(read(json!(r#"["question","law"]"#)), [Review::Question, Review::Law]);
    assert_eq!(read(json!([])), []);
    assert_eq!(read(json!(" ")), []);
    let mut bad = spec(&json!({}), &[]);
    for (review, says) in
        [(json!("never"), "\"never\""), (json!(["x"]), "a list of"), (json!(3), "a list of")]
    {
        bad.settings["review"] = review;
        let problem = <dyn Benchmark>::check_spec(&Studio, &bad).unwrap_err().problem;
        assert!(problem.contains(says), "{problem}");
    }
}

#[test]
fn levels_rise_and_end_at_four() {
    let levels = |questions: u32| {
        let settings = super::settings::Settings { questions, ..Default::default() };
        (1..=questions).map(|number| settings.level(number)).collect::<Vec<_>>()
    };
    assert_eq!(levels(1), [4]);
    assert_eq!(levels(2), [2, 4]);
    assert_eq!(levels(4), [1, 2, 3, 4]);
    assert_eq!(levels(8), [1, 1, 2, 2, 3, 3, 4, 4]);
}
