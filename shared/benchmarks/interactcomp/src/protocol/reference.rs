//! How an episode of the reference profile takes the player's replies: specification 3.6, row by row, faults included.

use serde_json::json;

use super::{Attempt, EPISODE_ATTEMPTS, Play, ending, noted};
use crate::memory::Record;
use crate::reading::{self, ActionName};
use turnwise_core::prelude::*;

impl Play {
    /// Specification 3.6, row by row.
    pub(super) fn reference_turn(&mut self, text: Option<&str>) {
        let read = reading::reference(text);
        let reading = read.reading(self.settings.mode.actions());
        let noted = noted(&reading, text);
        if read.name == ActionName::Answer.name() && self.is_too_early() {
            self.refuse_early(noted);
            return;
        }
        match (read.allowed(self.settings.mode.actions()), reading.result) {
            (Err(_), _) => self.refuse_invalid(noted),
            (Ok(_), Ok(action)) => self.carry_out_with(action, read.params.clone(), noted),
            (Ok(_), Err(fault)) => {
                self.note_turn(TurnKind::Invalid, "an action with wrong arguments", noted);
                self.restart(&fault.to_string());
            }
        }
    }

    pub(super) fn reference_final(&mut self, text: Option<&str>) {
        let read = reading::reference(text);
        if read.name == ActionName::Answer.name() {
            let reading = read.reading(&[ActionName::Answer]);
            let noted = noted(&reading, text);
            match reading.result {
                Ok(action) => self.carry_out_with(action, read.params.clone(), noted),
                Err(fault) => {
                    self.note_turn(TurnKind::Invalid, "an answer with wrong arguments", noted);
                    self.restart(&fault.to_string());
                }
            }
            return;
        }
        let answer = read.fallback_answer();
        let mut noted = noted(&read.reading(&[ActionName::Answer]), text);
        noted.applied = json!({ "fallback": answer });
        self.note_turn(TurnKind::Invalid, "no answer in the last round", noted);
        self.attempt.rounds.push(Record {
            name: ActionName::Answer.name().to_owned(),
            params: read.params.clone(),
            observation: answer.clone(),
        });
        self.finish(ending::FALLBACK, &answer, "0");
    }

    /// The reference code throws the episode away and begins again; the third failure ends it.
    pub(super) fn restart(&mut self, why: &str) {
        let number = self.attempt.number + 1;
        if number > EPISODE_ATTEMPTS {
            self.finish(ending::ERROR, "Error", "0");
            return;
        }
        self.out.note(Note::Restarted { attempt: number, why: why.to_owned() });
        self.attempt = Attempt::new(number);
        self.ask_player();
    }
}
