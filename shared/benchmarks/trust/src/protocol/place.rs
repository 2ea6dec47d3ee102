//! One of the two places of a match: who has it, what was said there, and where its move stands.

use crate::game::Action;
use crate::lineup::Participant;
use crate::prompts::Prompts;
use turnwise_core::kit::dialogue::Dialogue;
use turnwise_core::prelude::*;

/// One of the two places.
pub(super) struct Place {
    pub(super) seat: Seat,
    pub(super) name: String,
    /// System message, then for every round the request and, where there was one, the raw reply.
    pub(super) conversation: Dialogue,
    pub(super) attempt: u32,
    /// Whether the last attempt brought no reply at all.
    pub(super) silent: bool,
    /// The last turn noted for this place.
    pub(super) turn: u32,
    pub(super) state: State,
}

pub(super) enum State {
    Asked(CallId),
    /// It has answered, and waits for the other.
    Heard(CallId, Result<Option<String>, Failure>),
    Moved(Move),
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Move {
    pub(super) action: Action,
    pub(super) forced: bool,
}

impl Place {
    /// The player of a place in a match: the label `name` says who.
    ///
    /// # Errors
    /// If the match is not one of this lineup.
    pub(super) fn of(
        task: &Task,
        name: &str,
        players: &[Participant],
        thread: ThreadId,
        prompts: &Prompts,
    ) -> Result<Self, BadSpec> {
        let seat = task.labels.get(name).map(String::as_str);
        let player =
            players.iter().find(|player| Some(player.seat.as_str()) == seat).ok_or_else(|| {
                BadSpec::new("tasks", format!("the match {} is not one of this lineup", task.id))
            })?;
        Ok(Place {
            seat: player.seat.clone(),
            name: player.name.clone(),
            conversation: Dialogue::new(player.seat.clone(), thread, [prompts.system()]),
            attempt: 0,
            silent: false,
            turn: 0,
            state: State::Moved(Move { action: Action::Cooperate, forced: false }),
        })
    }
}
