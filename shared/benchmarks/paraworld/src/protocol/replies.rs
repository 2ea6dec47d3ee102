//! What becomes of a message of the player that has no calls to run (specification 5.3 and 5.4).

use serde_json::{Value, json};

use super::{Play, flag};
use crate::metrics::Status;
use crate::prompts::Line;
use crate::reading::player::{self, Why, has_answer_span};
use crate::reading::syntax::mend_glm;
use crate::settings::{Engines, Setting};
use turnwise_core::prelude::*;
use turnwise_core::python::strip;

impl Play {
    /// The player said something, or nothing.
    pub(super) fn player_said(&mut self, text: Option<&str>) {
        let oracle = self.rules.settings.setting == Setting::Oracle && !self.is_strict();
        if oracle {
            self.rounds += 1;
            self.track.said(text.unwrap_or_default());
            let answer = player::oracle_answer(text, Profile::Reference).unwrap_or_default();
            self.answer(None, &answer);
            return;
        }
        let said = text.filter(|text| !strip(text).is_empty());
        let Some(said) = said else {
            let api = self.rules.settings.engines == Engines::Api;
            let fault = Fault::new("empty_response", "the reply is blank");
            self.note_turn(TurnKind::Invalid, "says nothing", fault.into());
            let ending = match text {
                None if api => Status::ApiError,
                _ => Status::EmptyResponse,
            };
            self.finish(ending, None);
            return;
        };
        self.rounds += 1;
        let mended = match self.rules.mends_glm {
            true => mend_glm(said),
            false => None,
        };
        let text = mended.as_deref().unwrap_or(said);
        self.track.said(text);
        self.answer_span |= has_answer_span(text);
        let settings = &self.rules.settings;
        let (syntax, calling) = (settings.syntax, settings.calling());
        let reading = player::read(text, syntax, calling, self.rules.profile);
        match reading.turn {
            player::Turn::Answer { span, answer } => {
                self.answer(Some(&text[span]), &answer);
                self.ignored(reading.ignored);
            }
            player::Turn::Calls(calls) if self.searches() => {
                self.calls(text, calls, reading.ignored);
            }
            player::Turn::Calls(_) => self.no_tool(),
            player::Turn::Neither(why) => self.neither(why),
        }
    }

    fn answer(&mut self, extracted: Option<&str>, answer: &str) {
        let reading = Reading {
            extracted: extracted.map(str::to_owned),
            ..Reading::applied(json!({ "answer": answer }))
        };
        let sentence = format!("answers “{answer}”");
        self.note_turn(TurnKind::Answer, &sentence, reading);
        self.shown.push(Block::act(Seat::PLAYER, TurnKind::Answer, answer));
        self.finish(Status::Finished, Some(answer));
    }

    /// A call in a setting without a tool (`strict`).
    fn no_tool(&mut self) {
        let fault = Fault::new("unknown_tool", "a tool is called where there is none");
        self.note_turn(TurnKind::Invalid, "calls a tool", fault.into());
        self.out.flag(flag::FORMAT_ERROR, Value::Null);
        self.finish(Status::MaxTurnsReached, None);
    }

    /// The message is neither an answer nor a call.
    fn neither(&mut self, why: Why) {
        let fault = Fault::new(why.name(), why.label());
        self.note_turn(TurnKind::Invalid, "neither searches nor answers", fault.into());
        let is_error = self.is_strict() && (why.is_format_error() || !self.searches());
        if is_error {
            self.out.flag(flag::FORMAT_ERROR, Value::Null);
            self.errors += 1;
        } else {
            self.errors = 0;
        }
        if self.rounds >= self.rules.limit && !self.has_failed_in_format() {
            self.out_of_turns();
        } else if is_error {
            let text = format!("Error: Invalid tool call format: {}", why.label());
            self.shown.push(Block::remark(text.as_str()));
            let shown = self.rules.style.shown(&text, &self.prompts.reminder_text);
            self.told(Line::text(Role::User, shown));
        } else if self.is_strict() && self.rounds + 1 >= self.rules.limit {
            // The reminder of the last turn comes instead.
            self.ask_player();
        } else {
            self.out.flag(flag::REMINDED, Value::Null);
            self.shown.push(Block::remark(self.prompts.reminder_text.as_str()));
            self.told(self.prompts.reminder.clone());
        }
    }

    /// The turns are used up by a message without calls. The reference scans what was said for an answer; since an answer
    /// would have ended the episode, it only ever finds a blank one. Its custom engine for services does not scan.
    fn out_of_turns(&mut self) {
        let settings = &self.rules.settings;
        let custom_service =
            settings.setting == Setting::Custom && settings.engines == Engines::Api;
        let scans = self.rules.profile == Profile::Reference && !custom_service;
        if scans && self.answer_span {
            self.out.flag(flag::LAST_CHANCE, Value::Null);
            self.finish(Status::Finished, None);
        } else {
            self.finish(Status::MaxTurnsReached, None);
        }
    }

    /// Sends the player a message, and it is its turn again, unless the episode is over.
    pub(super) fn told(&mut self, line: Line) {
        self.track.told(line);
        if self.has_failed_in_format() {
            self.finish(Status::FormatFailure, None);
        } else if self.rounds >= self.rules.limit {
            self.finish(Status::MaxTurnsReached, None);
        } else {
            self.ask_player();
        }
    }

    /// Whether enough messages in a row were wrong in format that the episode ends (`strict`).
    fn has_failed_in_format(&self) -> bool {
        let cap = self.rules.settings.format_errors;
        self.is_strict() && cap.is_some_and(|cap| self.errors >= cap)
    }
}
