//! An episode as it is told, one thing after another.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Event, Transcript};
use crate::effect::{CallId, Failure, Made, Reply};
use crate::note::{Note, Observation, Turn};
use crate::prompt::Said;

#[derive(Debug, Clone, PartialEq)]
pub enum Item<'a> {
    /// A seat took a turn.
    Turn(Box<TurnTold<'a>>),
    Failed(&'a Failure),
    /// Something was made or fetched.
    Made(&'a Made),
    Restarted {
        /// Which attempt begins; the first is 1.
        attempt: u32,
        why: &'a str,
    },
    /// Something happened in the world of the episode.
    Event {
        /// What, as the benchmark calls it.
        name: &'a str,
        /// Everything that is to be known of it.
        detail: &'a Value,
    },
}

/// A turn with what was said and what came back.
#[derive(Debug, Clone, PartialEq)]
pub struct TurnTold<'a> {
    /// The turn as it was noted.
    pub turn: &'a Turn,
    /// What was said; `None` where that is not known.
    pub said: Option<&'a Said>,
    /// What came back, in order.
    pub came: Vec<&'a Observation>,
}

/// What happened, in order.
pub fn items(transcript: &Transcript) -> Vec<Item<'_>> {
    let mut replies: BTreeMap<CallId, &Said> = BTreeMap::new();
    let mut items = Vec::new();
    for event in transcript.events.iter().flatten() {
        match event {
            Event::Told { call, reply: Reply::Said(said) } => {
                replies.insert(*call, said);
            }
            Event::Told { reply: Reply::Failed(failure), .. } => items.push(Item::Failed(failure)),
            Event::Told { reply: Reply::Made(made), .. } => items.push(Item::Made(made)),
            Event::Noted(Note::Turn(turn)) => items.push(Item::Turn(Box::new(TurnTold {
                turn,
                said: replies.get(&turn.call).copied(),
                came: Vec::new(),
            }))),
            Event::Noted(Note::Observation(came)) => {
                let its_turn = items.iter_mut().rev().find_map(|item| match item {
                    Item::Turn(told) if told.turn.index == came.turn => Some(told),
                    _ => None,
                });
                if let Some(told) = its_turn {
                    told.came.push(came);
                }
            }
            Event::Noted(Note::Restarted { attempt, why }) => {
                items.push(Item::Restarted { attempt: *attempt, why })
            }
            Event::Noted(Note::Event { name, detail }) => items.push(Item::Event { name, detail }),
            _ => {}
        }
    }
    items
}
