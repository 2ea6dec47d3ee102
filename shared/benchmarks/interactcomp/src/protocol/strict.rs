//! How a strict play takes the player's replies (README.md, "The two profiles").

use serde_json::Value;

use super::{Play, State, ending, noted};
use crate::reading::{self, Action, ActionName};
use turnwise_core::prelude::*;

impl Play {
    pub(super) fn strict_turn(&mut self, text: Option<&str>) {
        let reading = reading::strict(text, self.settings.mode.actions());
        let noted = noted(&reading, text);
        match reading.result {
            Ok(Action::Answer { .. }) if self.is_too_early() => self.refuse_early(noted),
            Ok(action) => self.carry_out(action, noted),
            Err(_) => self.refuse_invalid(noted),
        }
    }

    pub(super) fn strict_final(&mut self, text: Option<&str>) {
        let reading = reading::strict(text, &[ActionName::Answer]);
        let noted = noted(&reading, text);
        let is_repair = matches!(self.state, State::Repair);
        match reading.result {
            Ok(action) => {
                let turn = Some(self.out.turns() + 1);
                if is_repair {
                    self.out.note(Note::flag("repaired_final", turn, Value::Null));
                }
                if self.is_too_early() {
                    self.out.note(Note::flag("min_not_met", turn, Value::Null));
                }
                self.carry_out(action, noted);
            }
            Err(fault) => {
                self.note_turn(TurnKind::Invalid, "no valid answer in the last round", noted);
                if is_repair {
                    self.finish(ending::FALLBACK, "", "0");
                } else {
                    let thread = self.out.thread();
                    let why = fault.to_string();
                    let ask = self.with_view(|prompts, view, _| prompts.repair(thread, view, &why));
                    self.out.ask(ask);
                    self.state = State::Repair;
                }
            }
        }
    }
}
