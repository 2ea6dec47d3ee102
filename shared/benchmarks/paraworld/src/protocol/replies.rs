//! What becomes of a message of the player that has no calls to run (specification 5.3 and 5.4).

use serde_json::{Value, json};

use super::{Play, ending, faulty, flag};
use crate::prompts::Line;
use crate::reading::player::{self, Why, has_answer_span};
use crate::reading::syntax::mend_glm;
use crate::scene::Shown;
use crate::settings::{Engines, Setting};
use turnwise_core::episode::CallId;
use turnwise_core::note::{self, TurnKind};
use turnwise_core::prompt::Role;
use turnwise_core::python::strip;
use turnwise_core::spec::Profile;

impl Play {
    /// The player said something, or nothing.
    pub(super) fn player_said(&mut self, call: CallId, text: Option<&str>) {
        let oracle = self.rules.settings.setting == Setting::Oracle && !self.is_strict();
        if oracle {
            self.rounds += 1;
            self.track.said(text.unwrap_or_default());
            let answer = player::oracle_answer(text, Profile::Reference).unwrap_or_default();
            self.answer(call, None, &answer);
            return;
        }
        let said = text.filter(|text| !strip(text).is_empty());
        let Some(said) = said else {
            let api = self.rules.settings.engines == Engines::Api;
            let reading = faulty("empty_response", "the reply is blank");
            self.note_turn(call, TurnKind::Invalid, "says nothing", reading);
            let ending = match text {
                None if api => ending::API_ERROR,
                _ => ending::EMPTY_RESPONSE,
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
                self.answer(call, Some(&text[span]), &answer);
                self.ignored(reading.ignored);
            }
            player::Turn::Calls(calls) if self.searches() => {
                self.calls(call, text, calls, reading.ignored);
            }
            player::Turn::Calls(_) => self.no_tool(call),
            player::Turn::Neither(why) => self.neither(call, why),
        }
    }

    fn answer(&mut self, call: CallId, extracted: Option<&str>, answer: &str) {
        let reading = note::Reading {
            extracted: extracted.map(str::to_owned),
            applied: json!({ "answer": answer }),
            ..note::Reading::default()
        };
        let sentence = format!("answers “{answer}”");
        self.note_turn(call, TurnKind::Answer, &sentence, reading);
        self.shown.push(Shown::act(TurnKind::Answer, answer));
        self.finish(ending::FINISHED, Some(answer));
    }

    /// A call in a setting without a tool (`strict`).
    fn no_tool(&mut self, call: CallId) {
        let reading = faulty("unknown_tool", "a tool is called where there is none");
        self.note_turn(call, TurnKind::Invalid, "calls a tool", reading);
        self.flag_turn(flag::FORMAT_ERROR, Value::Null);
        self.finish(ending::MAX_TURNS_REACHED, None);
    }

    /// The message is neither an answer nor a call.
    fn neither(&mut self, call: CallId, why: Why) {
        let reading = faulty(why.name(), why.words());
        let sentence = "neither searches nor answers";
        self.note_turn(call, TurnKind::Invalid, sentence, reading);
        let is_error = self.is_strict() && (why.is_format_error() || !self.searches());
        if is_error {
            self.flag_turn(flag::FORMAT_ERROR, Value::Null);
            self.errors += 1;
        } else {
            self.errors = 0;
        }
        if self.rounds >= self.rules.limit && !self.has_failed_in_format() {
            self.out_of_turns();
        } else if is_error {
            let text = format!("Error: Invalid tool call format: {}", why.words());
            self.shown.push(Shown::Remark(text.clone()));
            let shown = self.rules.style.shown(&text, &self.prompts.reminder_text);
            self.told(Line::text(Role::User, shown));
        } else if self.is_strict() && self.rounds + 1 >= self.rules.limit {
            // The reminder of the last turn comes instead.
            self.ask_player();
        } else {
            self.flag_turn(flag::REMINDED, Value::Null);
            let text = self.prompts.reminder_text.clone();
            self.shown.push(Shown::Remark(text));
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
            self.flag_turn(flag::LAST_CHANCE, Value::Null);
            self.finish(ending::FINISHED, None);
        } else {
            self.finish(ending::MAX_TURNS_REACHED, None);
        }
    }

    /// The player is told something, and it is its turn again, unless the episode is over.
    pub(super) fn told(&mut self, line: Line) {
        self.track.told(line);
        if self.has_failed_in_format() {
            self.finish(ending::FORMAT_FAILURE, None);
        } else if self.rounds >= self.rules.limit {
            self.finish(ending::MAX_TURNS_REACHED, None);
        } else {
            self.ask_player();
        }
    }

    /// Whether so many messages in a row were wrong in format that the episode ends (`strict`).
    fn has_failed_in_format(&self) -> bool {
        let cap = self.rules.settings.format_errors;
        self.is_strict() && cap.is_some_and(|cap| self.errors >= cap)
    }
}
