//! What the player does, and whom it consults: the search engine, the simulated user.

use serde_json::json;

use super::{Asking, Play, State, ending};
use crate::memory::{self, Record};
use crate::prompts::ask_responder;
use crate::reading::{Action, ActionName};
use crate::responder::{self, UserReply};
use crate::search;
use turnwise_core::effect::Query;
use turnwise_core::kit::judge::heard;
use turnwise_core::note;
use turnwise_core::prelude::*;

/// How many times an unreadable reply of the responder is asked for in all (`strict`).
const RESPONDER_ATTEMPTS: u32 = 3;
/// The flag and the fault of a reply of the responder that cannot be read.
const UNREADABLE: &str = "responder_unreadable";

impl Play {
    pub(super) fn carry_out(&mut self, action: Action, noted: note::Reading) {
        let params = action.params();
        self.carry_out_with(action, params, noted);
    }

    /// The same, where the history shows other arguments than the action has.
    pub(super) fn carry_out_with(&mut self, action: Action, params: Object, noted: note::Reading) {
        match action {
            Action::Search { query } => {
                let sentence = format!("searches for “{query}”");
                let turn = self.note_turn(TurnKind::Search, &sentence, noted);
                if !self.searches {
                    // Only `reference` gets here: a strict spec that searches has an engine.
                    self.searched(turn, params, search::Shown::no_engine());
                    return;
                }
                self.out.request(Effect::Search(Query {
                    text: query,
                    results: search::RESULTS,
                    locale: self.locale.clone(),
                    since: None,
                }));
                self.state = State::Search { turn, params };
            }
            Action::Ask { question } => {
                let sentence = format!("asks “{question}”");
                let turn = self.note_turn(TurnKind::Ask, &sentence, noted);
                self.ask_responder(turn, question, params, 1);
            }
            Action::Answer { answer, confidence } => {
                let sentence = format!("answers “{answer}” with confidence {confidence}");
                self.note_turn(TurnKind::Answer, &sentence, noted);
                self.attempt.rounds.push(Record {
                    name: ActionName::Answer.name().to_owned(),
                    params,
                    observation: memory::answer_observation(&answer, &confidence),
                });
                self.finish(ending::ANSWERED, &answer, &confidence);
            }
        }
    }

    fn ask_responder(&mut self, turn: u32, question: String, params: Object, attempt: u32) {
        let thread = self.out.thread();
        self.out.ask(ask_responder(thread, &question));
        self.state = State::Responder(Asking { turn, question, params, attempt });
    }

    /// What the search came to.
    pub(super) fn searched(&mut self, turn: u32, params: Object, shown: search::Shown) {
        let came = Observation::new(turn, shown.tone, shown.word);
        self.out.note(Observation { shown: shown.text.clone(), ..came });
        self.next_round(ActionName::Search, params, shown.text);
    }

    /// The responder said something, or failed to.
    pub(super) fn responder_said(&mut self, text: Option<&str>, asking: Asking) {
        let Asking { turn, question, params, attempt } = asking;
        let said = responder::read(text, self.profile);
        if said.is_none() {
            self.out.flag(UNREADABLE, json!({ "attempt": attempt }));
            if attempt < RESPONDER_ATTEMPTS {
                self.ask_responder(turn, question, params, attempt + 1);
                return;
            }
        }
        let reply = said.unwrap_or(UserReply::Unknown);
        let tone = match reply {
            UserReply::Yes => Tone::Positive,
            UserReply::No => Tone::Negative,
            UserReply::Unknown => Tone::Unknown,
        };
        let word = reply.text();
        let why = "none of the replies was yes, no or i don't know; taken for i don't know";
        let fault = || note::Fault::new(UNREADABLE, why);
        self.out.note(Observation {
            call: Some(self.out.call()),
            reading: Some(note::Reading {
                applied: json!(word),
                ..heard(text, said.map(UserReply::text), fault)
            }),
            ..Observation::new(turn, tone, word)
        });
        self.next_round(ActionName::Ask, params, word.to_owned());
    }
}
