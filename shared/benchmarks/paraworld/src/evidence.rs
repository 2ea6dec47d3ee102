//! The evidence grid of an episode: facts × calls.

use super::noted::{LogNote, WorldNote, event};
use super::task;
use turnwise_core::evidence::{Call, Evidence, Fact};
use turnwise_core::prelude::*;

/// The grid, from the notes of an episode; texts of facts only where the task is at hand. `None` for an episode that noted no
/// world, or without a search.
pub fn grid(play: &Transcript, task: Option<&Task>) -> Option<Evidence> {
    let mut world: Option<WorldNote> = None;
    let mut calls: Vec<Call> = Vec::new();
    for note in play.notes() {
        match note {
            Note::Event { name, detail } if name == event::WORLD => {
                world = serde_json::from_value(detail.clone()).ok();
            }
            Note::Turn(turn) => calls.extend(searched(turn)),
            Note::Observation(came) => {
                if let Some(call) = of_turn(&mut calls, came.turn) {
                    answered(call, came);
                }
            }
            Note::Event { name, detail } if name == event::LOG => {
                let Ok(log) = serde_json::from_value::<LogNote>(detail.clone()) else {
                    continue;
                };
                if let Some(call) = of_turn(&mut calls, log.turn) {
                    call.fact = log.log.valid().map(|fact| fact as usize);
                }
            }
            _ => {}
        }
    }
    let world = world.filter(|_| !calls.is_empty())?;
    let here = task.filter(|task| !task::is_redacted(task));
    let task = here.and_then(task::of_task);
    let facts = (0..world.facts)
        .map(|number| Fact {
            kind: if world.rules.contains(&number) { "rule" } else { "data" }.to_owned(),
            text: task.as_ref().and_then(|world| {
                let fact = world.facts.get(number as usize)?;
                Some((fact.key.clone(), fact.value.clone()))
            }),
        })
        .collect();
    Some(Evidence { facts, calls })
}

fn of_turn(calls: &mut [Call], turn: u32) -> Option<&mut Call> {
    calls.iter_mut().rev().find(|call| call.turn == turn)
}

/// A search as it is drawn before anything came back.
fn searched(turn: &Turn) -> Option<Call> {
    if turn.kind != TurnKind::Search {
        return None;
    }
    let query = turn.reading.applied.get("query");
    Some(Call {
        turn: turn.index,
        query: match query {
            Some(serde_json::Value::String(query)) => query.clone(),
            Some(other) => other.to_string(),
            None => String::new(),
        },
        tone: Tone::Failed,
        word: String::new(),
        fact: None,
    })
}

fn answered(call: &mut Call, came: &Observation) {
    call.tone = came.tone;
    call.word = came.word.clone();
}
