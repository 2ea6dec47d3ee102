//! The players of ours come out where they should, over all sample worlds.

use super::*;
use crate::metrics::Episode;
use crate::task::World;
use crate::worlds::sample;
use turnwise_core::prelude::*;

/// The episodes of a player over the sample worlds, with their scores.
fn episodes(player: &str, settings: Value) -> Vec<(Episode, Option<f64>)> {
    episodes_with(player, settings, None)
}

/// The same, where the engine says something else and always that.
fn episodes_with(
    player: &str,
    settings: Value,
    engine: Option<&'static str>,
) -> Vec<(Episode, Option<f64>)> {
    let mut spec = spec(Profile::Strict, settings);
    let sitting = spec.seats.get_mut(&Seat::new(Seat::PLAYER)).expect("a player");
    sitting.player = Player::Bot(player.to_owned());
    let tasks: Vec<Task> = sample().worlds.iter().map(World::to_core).collect();
    let of = |task: &Task| {
        let (_, transcript) = drive(&spec, task, |call, ask| {
            let said = engine.filter(|_| ask.seat.as_str() == "engine");
            Reply::Said(said.map_or_else(|| bot(&spec, task, call, ask), Said::text))
        });
        let graded = graded(&spec, task, &transcript);
        let measured = (ParaWorld::FACTS.measure)(&transcript, Some(&graded));
        let numbers: Numbers = measured.numbers.read().expect("numbers");
        (numbers.episode, measured.score)
    };
    tasks.iter().map(of).collect()
}

pub(super) fn graded(spec: &Spec, task: &Task, play: &Transcript) -> Transcript {
    let case = Case::new(&ParaWorld, spec, task);
    let mut grading = case.open_grading(play).expect("there is a judge");
    testing::drive(&mut grading, |call, effect| case.answer(call, effect));
    grading.transcript()
}

/// Mean coverage and mean score.
fn means(episodes: &[(Episode, Option<f64>)]) -> (f64, f64) {
    let n = episodes.len() as f64;
    let coverage: f64 = episodes.iter().map(|(episode, _)| episode.fcr(Profile::Strict)).sum();
    let score: f64 = episodes.iter().map(|(_, score)| score.expect("it is judged")).sum();
    (coverage / n, score / n)
}

#[test]
fn the_four_players_bracket_the_scale() {
    let run = |player: &str| episodes(player, json!({}));
    let per_fact = run("per-fact");
    assert_eq!(means(&per_fact), (1.0, 1.0));
    for (episode, _) in &per_fact {
        assert_eq!(episode.calls.len() as u32, episode.facts);
        assert_eq!(episode.turns, episode.facts + 1);
    }
    assert_eq!(means(&run("monolithic")), (0.0, 0.0));
    let (random, random_score) = means(&run("random-facts"));
    let (early, early_score) = means(&run("stop-early"));
    assert!(0.3 < random && random < early && early < 0.8, "{random} {early}");
    assert_eq!((random_score, early_score), (0.0, 0.0));
    // The share decides.
    assert_eq!(means(&run("random-facts:1")), (1.0, 1.0));
    assert_eq!(means(&run("stop-early:0")), (0.0, 0.0));
}

/// An engine that never says anything of use costs them nothing: a page from templates stands in.
#[test]
fn an_engine_that_fails_costs_them_no_answer() {
    let played = episodes_with("per-fact", json!({}), Some("I would rather not."));
    for (episode, score) in &played {
        assert!(episode.logs.iter().all(|log| log.engine_fault));
        assert_eq!(*score, Some(1.0));
    }
    let whole = episodes_with("monolithic", json!({}), Some("I would rather not."));
    assert_eq!(means(&whole), (0.0, 0.0));
}

#[test]
fn facts_that_are_shown_need_no_search() {
    assert_eq!(means(&episodes("per-fact", json!({ "setting": "A" }))), (0.0, 1.0));
    assert_eq!(means(&episodes("per-fact", json!({ "setting": "control" }))), (0.0, 0.0));
}

#[test]
fn too_few_turns_end_with_unknown() {
    let short = episodes("per-fact", json!({ "turns": 2 }));
    assert_eq!(means(&short).1, 0.0);
    assert!(short.iter().all(|(episode, _)| episode.turns == 2 && episode.answered));
}

#[test]
fn only_names_with_sound_shares_are_players() {
    let player = Seat::new(Seat::PLAYER);
    let benchmark: &dyn Benchmark = &ParaWorld;
    for name in ["per-fact", "monolithic", "random-facts", "random-facts:0.3", "stop-early:1"] {
        assert!(benchmark.seats_bot(&player, name), "{name}");
    }
    for name in ["per-fact:0.5", "random-facts:2", "stop-early:x", "facts", "exact", ""] {
        assert!(!benchmark.seats_bot(&player, name), "{name}");
    }
    assert!(benchmark.seats_bot(&Seat::new("engine"), "facts"));
    assert!(!benchmark.seats_bot(&Seat::new("engine"), "random-facts:0.3"));
}
