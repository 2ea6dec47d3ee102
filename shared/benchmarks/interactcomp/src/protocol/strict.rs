//! How a strict play takes the player's replies (README.md, "The two profiles").

use super::{Play, State, ending, noted};
use crate::reading::{self, Action, ActionName};
use turnwise_core::effect::Effect;
use turnwise_core::episode::CallId;
use turnwise_core::note::TurnKind;

impl Play {
    pub(super) fn strict_turn(&mut self, call: CallId, text: Option<&str>) {
        let reading = reading::strict(text, self.settings.mode.actions());
        let noted = noted(&reading, text);
        match reading.result {
            Ok(Action::Answer { .. }) if self.is_too_early() => self.refuse_early(call, noted),
            Ok(action) => self.carry_out(call, action, noted),
            Err(_) => self.refuse_invalid(call, noted),
        }
    }

    pub(super) fn strict_final(&mut self, call: CallId, text: Option<&str>) {
        let reading = reading::strict(text, &[ActionName::Answer]);
        let noted = noted(&reading, text);
        let is_repair = matches!(self.state, State::Repair);
        match reading.result {
            Ok(action) => {
                if is_repair {
                    self.flag("repaired_final");
                }
                if self.is_too_early() {
                    self.flag("min_not_met");
                }
                self.carry_out(call, action, noted);
            }
            Err(fault) => {
                self.note_turn(call, TurnKind::Invalid, "no valid answer in the last round", noted);
                if is_repair {
                    self.finish(ending::FALLBACK, "", "0");
                } else {
                    let thread = self.thread();
                    let why = fault.to_string();
                    let ask = self.with_view(|prompts, view, _| prompts.repair(thread, view, &why));
                    self.out.request(Effect::Ask(ask));
                    self.state = State::Repair;
                }
            }
        }
    }
}
