//! What the player does, and whom it consults: the search engine, the simulated user.

use serde_json::json;

use super::{Asking, Play, State, ending};
use crate::memory::{self, Record};
use crate::prompts::ask_responder;
use crate::reading::{Action, ActionName};
use crate::responder::{self, UserReply};
use crate::search;
use turnwise_core::effect::{Effect, Query};
use turnwise_core::episode::CallId;
use turnwise_core::json::Object;
use turnwise_core::note::{self, Came, Note, Tone, TurnKind};
use turnwise_core::prompt::Said;
use turnwise_core::spec::Profile;

/// How many times an unreadable reply of the responder is asked for in all (`strict`).
const RESPONDER_ATTEMPTS: u32 = 3;

impl Play {
    /// A valid action.
    pub(super) fn carry_out(&mut self, call: CallId, action: Action, noted: note::Reading) {
        let params = action.params();
        self.carry_out_with(call, action, params, noted);
    }

    /// The same, where the history shows other arguments than the action has.
    pub(super) fn carry_out_with(
        &mut self,
        call: CallId,
        action: Action,
        params: Object,
        noted: note::Reading,
    ) {
        match action {
            Action::Search { query } => {
                let sentence = format!("searches for “{query}”");
                let turn = self.note_turn(call, TurnKind::Search, &sentence, noted);
                if !self.searches {
                    // Only `reference` gets here: a strict spec that searches has an engine.
                    self.searched(turn, params, search::Shown::no_engine());
                    return;
                }
                self.out.request(Effect::Search(Query {
                    text: query,
                    results: search::RESULTS,
                    locale: self.locale.clone(),
                }));
                self.state = State::Search { turn, params };
            }
            Action::Ask { question } => {
                let sentence = format!("asks “{question}”");
                let turn = self.note_turn(call, TurnKind::Ask, &sentence, noted);
                self.ask_responder(turn, question, params, 1);
            }
            Action::Answer { answer, confidence } => {
                let sentence = format!("answers “{answer}” with confidence {confidence}");
                self.note_turn(call, TurnKind::Answer, &sentence, noted);
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
        let thread = self.thread();
        let call = self.out.request(Effect::Ask(ask_responder(thread, &question)));
        self.state = State::Responder(Asking { call, turn, question, params, attempt });
    }

    /// What the search came to.
    pub(super) fn searched(&mut self, turn: u32, params: Object, shown: search::Shown) {
        self.out.note(Note::Came(Came {
            turn,
            call: None,
            tone: shown.tone,
            word: shown.word,
            shown: shown.text.clone(),
            reading: None,
        }));
        self.next_round(ActionName::Search, params, shown.text);
    }

    /// The responder said something, or failed to.
    pub(super) fn responder_said(&mut self, said: Option<&Said>, asking: Asking) {
        let Asking { call, turn, question, params, attempt } = asking;
        let text = said.and_then(|said| said.text.as_deref());
        let heard = match self.profile {
            Profile::Reference => Some(responder::reference(text)),
            Profile::Strict => responder::strict(text),
        };
        let unreadable = heard.is_none();
        if unreadable {
            self.out.note(Note::Flag {
                name: "responder_unreadable".to_owned(),
                turn: Some(turn),
                detail: json!({ "attempt": attempt }),
            });
            if attempt < RESPONDER_ATTEMPTS {
                self.ask_responder(turn, question, params, attempt + 1);
                return;
            }
        }
        let reply = heard.unwrap_or(UserReply::Unknown);
        self.out.note(Note::Came(Came {
            turn,
            call: Some(call),
            tone: match reply {
                UserReply::Yes => Tone::Positive,
                UserReply::No => Tone::Negative,
                UserReply::Unknown => Tone::Unknown,
            },
            word: reply.text().to_owned(),
            shown: reply.text().to_owned(),
            reading: Some(note::Reading {
                extracted: None,
                repaired: match text {
                    Some(text) if text != reply.text() && !unreadable => {
                        vec![format!("read as “{}”", reply.text())]
                    }
                    _ => Vec::new(),
                },
                applied: json!(reply.text()),
                fault: unreadable.then(|| note::Fault {
                    class: "responder_unreadable".to_owned(),
                    detail:
                        "none of the replies was yes, no or i don't know; taken for i don't know"
                            .to_owned(),
                }),
            }),
        }));
        self.next_round(ActionName::Ask, params, reply.text().to_owned());
    }
}
