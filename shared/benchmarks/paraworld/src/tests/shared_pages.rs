//! I11 over a whole run: the same query to the same world is answered once.

use std::collections::{BTreeMap, BTreeSet};

use crate::ParaWorld;
use turnwise_core::benchmark::default_spec;
use turnwise_core::key::EpisodeKey;
use turnwise_core::prelude::*;
use turnwise_core::run::{Action, Ingredients, Run};
use turnwise_core::scheduler::Limits;
use turnwise_core::testing::{Case, ingredients, read};

const REPEATS: u32 = 3;

type Disk = BTreeMap<EpisodeKey, Vec<String>>;

/// Drives three repeats of the first worlds, taken up from what is stored; the engine is a model whose first calls, as many
/// as `failing`, fail. How many calls were made, and what was written.
fn drive(failing: usize, stored: &Disk) -> (usize, Disk) {
    let mut spec = default_spec(&ParaWorld);
    let tasks = ParaWorld.samples();
    spec.tasks.name = tasks.name.clone();
    spec.tasks.digest = tasks.digest;
    spec.repeats = REPEATS;
    spec.subset.first = Some(3);
    let engine = spec.seats.get_mut(&Seat::new("engine")).expect("a seat");
    engine.player = "model:a/b".parse().expect("a model");
    let ingredients = Ingredients { limits: Limits::new(8), ..ingredients(&ParaWorld, spec) };
    let mut run = Run::new(ingredients).expect("the spec can be run");
    // Plays before their gradings.
    for (episode, lines) in stored.iter().rev() {
        run.restore(episode, &read(lines)).expect("it replays");
    }
    let mut disk = Disk::new();
    let (mut open, mut calls) = (Vec::new(), 0);
    loop {
        match run.poll() {
            Action::Call { ticket, .. } => {
                calls += 1;
                let session = run.session(&ticket.episode).expect("it runs");
                let effect = session.open_calls().find(|(call, _)| *call == ticket.call);
                let Some((_, Effect::Ask(ask))) = effect else {
                    panic!("only the engine is asked");
                };
                let task = run.tasks().iter().find(|task| session.header().task.id == task.id);
                let case = Case::new(&ParaWorld, run.spec(), task.expect("a task of the run"));
                let reply = match calls <= failing {
                    true => Reply::Failed(Failure::new(FailureClass::Server, "busy")),
                    false => Reply::Said(case.bot("facts", ticket.call, ask)),
                };
                open.push((ticket, reply));
            }
            Action::Wait => {
                let (ticket, reply) = open.pop().expect("who waits has calls in flight");
                run.tell(&ticket, reply).expect("the reply fits");
            }
            Action::Lines { episode, lines, .. } => {
                disk.entry(episode).or_default().extend(lines);
            }
            Action::Over => return (calls, disk),
            _ => {}
        }
    }
}

/// The words of what came back, by query.
fn pages(disk: &Disk) -> Vec<BTreeSet<String>> {
    let mut shown: BTreeMap<(String, String), BTreeSet<String>> = BTreeMap::new();
    for lines in disk.values() {
        let play = read(lines);
        let mut query = String::new();
        for note in play.notes() {
            match note {
                Note::Turn(turn) => query = turn.reading.applied.to_string(),
                Note::Observation(came) => {
                    let at = (play.header.task.id.0.clone(), query.clone());
                    shown.entry(at).or_default().insert(came.shown.clone());
                }
                _ => {}
            }
        }
    }
    shown.into_values().collect()
}

#[test]
fn repeats_share_their_pages() {
    let (calls, disk) = drive(0, &Disk::new());
    let facts: usize = ParaWorld
        .samples()
        .tasks
        .iter()
        .take(3)
        .map(|task| crate::task::of_task(task).map_or(0, |world| world.facts.len()))
        .sum();
    assert_eq!(calls, facts, "one call for each fact, not one for each repeat");
    assert!(pages(&disk).iter().all(|shown| shown.len() == 1));
    let plays = disk.keys().filter(|key| key.to_string().ends_with("play"));
    assert_eq!(plays.count(), 3 * REPEATS as usize);
}

/// A failed call is no answer: an episode that waited for it asks again.
#[test]
fn a_failure_is_not_shared() {
    let (calls, disk) = drive(1, &Disk::new());
    let (undisturbed, _) = drive(0, &Disk::new());
    assert!(calls > undisturbed);
    let complete = disk.values().filter(|lines| {
        let play = read(lines);
        play.outcome().is_some()
    });
    assert_eq!(complete.count(), disk.len());
}

/// Who takes a run up knows the pages that it has.
#[test]
fn a_run_that_is_taken_up_asks_nothing_twice() {
    let (_, mut first) = drive(0, &Disk::new());
    first.retain(|key, _| key.to_string().contains(".r1."));
    assert!(!first.is_empty());
    let (calls, rest) = drive(0, &first);
    assert_eq!(calls, 0, "the first repeat has every page");
    assert!(rest.keys().all(|key| !key.to_string().ends_with(".r1.play")));
}
