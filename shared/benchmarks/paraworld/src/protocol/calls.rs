//! What becomes of the calls of one message (specification 5.5): they run side by side or alone, and the player goes on when
//! all of them are answered.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{Play, flag};
use crate::consult::{Consulted, HitLog, SERVICE_ERROR, Ticket, Want};
use crate::metrics::{Log, Status};
use crate::noted::event;
use crate::observation::{raw, raw_error, raw_together, trajectory};
use crate::prompts::Line;
use crate::reading::dispatch::{CANNOT_CUT, Counted, Dispatch, Fault, Repair, dispatch};
use crate::reading::syntax::{Call, TOOL};
use crate::scene;
use crate::settings::seat;
use turnwise_core::json::object;
use turnwise_core::note;
use turnwise_core::prelude::*;
use turnwise_core::python;

/// A message of the player, until all its calls are answered.
pub(super) struct Pending {
    text: String,
    /// What the engine is being asked, and for which search.
    open: BTreeMap<CallId, Ticket>,
    /// What it said to some of it. The mediator hears it in the order of calls when all of it is there, so that nothing depends
    /// on who is faster.
    heard: BTreeMap<CallId, Heard>,
    parts: Vec<EngineCall>,
    /// What becomes of the episode when the engine has answered.
    after: After,
}

/// What becomes of the episode after the calls of a message.
enum After {
    GoOn,
    /// `reference`: it is finished without an answer, because the agent cannot cut a query for its record.
    End,
    /// `reference`: the program fails at the part of this number, and nothing is recorded from there on.
    Crash(usize, Fault),
}

/// What the engine said, if its call did not fail.
pub(super) type Heard = Result<Said, Failure>;

/// One call of the message.
struct EngineCall {
    turn: u32,
    fate: Fate,
    /// For what it asked; the empty text where that is not known.
    query: Json,
}

enum Fate {
    /// It is not run; the text that the player gets instead, and whether it is in tags.
    Refused(String, Counted),
    Asked {
        ticket: Ticket,
        query: Json,
        /// The call of the engine that was made last for it.
        call: Option<CallId>,
    },
    Answered {
        query: Json,
        call: Option<CallId>,
        consulted: Box<Consulted>,
    },
}

impl Pending {
    /// The queries that wait for an answer.
    pub fn queries(&self) -> Vec<String> {
        let waiting = self.parts.iter().filter_map(|part| match &part.fate {
            Fate::Asked { query, .. } => Some(python::text(query)),
            Fate::Refused(..) | Fate::Answered { .. } => None,
        });
        waiting.collect()
    }

    fn is_waiting(&self) -> bool {
        let waits = |part: &EngineCall| matches!(part.fate, Fate::Asked { .. });
        self.parts.iter().any(waits)
    }

    fn part_of(&mut self, wanted: Ticket) -> Option<&mut Fate> {
        let mut fates = self.parts.iter_mut().map(|part| &mut part.fate);
        fates.find(|fate| matches!(fate, Fate::Asked { ticket, .. } if *ticket == wanted))
    }
}

impl Play {
    pub(super) fn calls(&mut self, text: &str, calls: Vec<Call>, ignored: usize) {
        let calling = self.rules.settings.calling();
        let mut pending = Pending {
            text: text.to_owned(),
            open: BTreeMap::new(),
            heard: BTreeMap::new(),
            parts: Vec::new(),
            after: After::GoOn,
        };
        let beside = calls.len();
        for (number, found) in calls.iter().enumerate() {
            let extracted = &text[found.span.clone()];
            let dispatched = dispatch(found, text, calling, beside, self.rules.profile);
            let (fate, query) = match dispatched {
                Dispatch::Run { query, repairs } => {
                    let fate = self.search(extracted, query.clone(), &repairs);
                    (fate, query)
                }
                Dispatch::RunAndEnd { query } => {
                    pending.after = After::End;
                    (self.search(extracted, query.clone(), &[]), query)
                }
                Dispatch::End(fault) => {
                    self.refuse(extracted, fault);
                    self.ignored(ignored);
                    self.end_with(fault.observation(self.rules.profile));
                    return;
                }
                Dispatch::Refuse { fault, counted, query } => {
                    self.refuse(extracted, fault);
                    let words = match counted {
                        Counted::AsCall => fault.observation(self.rules.profile),
                        Counted::Not => fault.beside_others(),
                    };
                    (Fate::Refused(format!("Error: {words}"), counted), query)
                }
                Dispatch::RefuseAndEnd { fault, query } => {
                    pending.after = After::End;
                    self.refuse(extracted, fault);
                    let words = format!("Error: {}", fault.observation(self.rules.profile));
                    (Fate::Refused(words, Counted::AsCall), query)
                }
                Dispatch::Crash(fault) => {
                    if matches!(pending.after, After::GoOn) {
                        pending.after = After::Crash(number, fault);
                    }
                    self.refuse(extracted, fault);
                    let fate = Fate::Refused(String::new(), Counted::Not);
                    (fate, Json::from(""))
                }
            };
            let turn = self.out.turns();
            pending.parts.push(EngineCall { turn, fate, query });
        }
        self.ignored(ignored);
        // Format errors in a row are counted in messages: one good call is enough.
        self.errors = match pending.is_waiting() {
            true => 0,
            false => self.errors + 1,
        };
        let shown = trajectory(&self.calling, text, &self.prompts.reminder_text);
        let asked: Vec<(Ticket, Json)> = pending
            .parts
            .iter()
            .filter_map(|part| match &part.fate {
                Fate::Asked { ticket, query, .. } => Some((*ticket, query.clone())),
                Fate::Refused(..) | Fate::Answered { .. } => None,
            })
            .collect();
        for (ticket, query) in asked {
            let want = self.mediator.search(ticket, &query, &shown);
            self.wanted(ticket, want, &mut pending);
        }
        self.settle(pending);
    }

    fn search(&mut self, extracted: &str, query: Json, repairs: &[Repair]) -> Fate {
        let words = python::text(&query);
        let reading = Reading {
            extracted: Some(extracted.to_owned()),
            repaired: repairs.iter().map(|repair| repair.words().to_owned()).collect(),
            ..Reading::applied(json!({ "query": plain(&query, &words) }))
        };
        let sentence = format!("searches for “{words}”");
        self.note_turn(TurnKind::Search, &sentence, reading);
        self.tickets += 1;
        Fate::Asked { ticket: Ticket(self.tickets), query, call: None }
    }

    /// A call that does not run.
    fn refuse(&mut self, extracted: &str, fault: Fault) {
        let fault = note::Fault::new(fault.name(), fault.observation(self.rules.profile));
        let reading = Reading { extracted: Some(extracted.to_owned()), ..fault.into() };
        self.note_turn(TurnKind::Invalid, "a call that cannot be run", reading);
        self.out.flag(flag::FORMAT_ERROR, Value::Null);
    }

    /// The engine's seat said something, or failed to.
    pub(super) fn engine(&mut self, mut pending: Pending, heard: Heard) {
        pending.heard.insert(self.out.call(), heard);
        if pending.heard.len() == pending.open.len() {
            let open = std::mem::take(&mut pending.open);
            let heard = std::mem::take(&mut pending.heard);
            for (ticket, heard) in open.into_values().zip(heard.into_values()) {
                let want = match heard {
                    Ok(said) => self.mediator.said(ticket, &said),
                    Err(failure) => self.mediator.failed(ticket, &failure),
                };
                self.wanted(ticket, want, &mut pending);
            }
        }
        self.settle(pending);
    }

    /// Does what the mediator wants.
    fn wanted(&mut self, ticket: Ticket, want: Want, pending: &mut Pending) {
        match want {
            Want::Ask(messages) => {
                let thread = self.out.thread();
                let asked = self.out.ask(Ask::new(seat::ENGINE, thread, messages, Expect::Text));
                pending.open.insert(asked, ticket);
                if let Some(Fate::Asked { call, .. }) = pending.part_of(ticket) {
                    *call = Some(asked);
                }
            }
            Want::Wait => {}
            Want::Done(answers) => {
                for (ticket, consulted) in answers {
                    let Some(fate) = pending.part_of(ticket) else {
                        continue;
                    };
                    if let Fate::Asked { query, call, .. } = fate {
                        *fate = Fate::Answered {
                            query: query.clone(),
                            call: *call,
                            consulted: Box::new(consulted),
                        };
                    }
                }
            }
        }
    }

    /// Goes on once every call of the message is answered.
    fn settle(&mut self, pending: Pending) {
        if pending.is_waiting() {
            self.pending = Some(Box::new(pending));
            return;
        }
        if let After::Crash(number, fault) = pending.after {
            for part in pending.parts.into_iter().take(number) {
                self.came(part);
            }
            self.crashed(fault);
            return;
        }
        if self.is_strict() {
            let parts = pending.parts.into_iter();
            let shown: Vec<String> = parts.map(|part| self.came(part).0).collect();
            self.told(Line::text(Role::User, shown.join("\n\n")));
            return;
        }
        let ends = matches!(pending.after, After::End);
        let turn = pending.parts.last().map(|part| part.turn);
        let parts = pending.parts.into_iter();
        let mut raws: Vec<String> = parts.map(|part| self.came(part).1).collect();
        let raw = match raws.len() {
            1 => raws.remove(0),
            _ => raw_together(&raws),
        };
        let shown = self.rules.style.of_raw(&raw);
        self.calling.push((pending.text, raw));
        match turn {
            Some(turn) if ends => {
                self.out.note(Note::flag(flag::CANNOT_CUT, Some(turn), Value::Null));
                self.end_with(CANNOT_CUT);
            }
            _ => self.told(Line::text(Role::User, shown)),
        }
    }

    /// `reference`: the agent tells of an error, and the episode is finished without an answer.
    fn end_with(&mut self, error: &str) {
        let shown = self.rules.style.of_raw(&raw_error(error));
        self.track.told(Line::text(Role::User, shown));
        self.finish(Status::Finished, None);
    }

    /// `reference`: the program failed in the middle of a turn.
    fn crashed(&mut self, fault: Fault) {
        let message = fault.observation(self.rules.profile);
        self.out.finish(Status::ApiError.name(), json!({ "prediction": null, "message": message }));
    }

    /// Notes what came back for a call: what the player sees, and the raw form.
    fn came(&mut self, part: EngineCall) -> (String, String) {
        let (style, reminder) = (self.rules.style, self.prompts.reminder_text.clone());
        let wrapped = |text: &str| (style.shown(text, &reminder), raw(text, &reminder));
        match part.fate {
            Fate::Answered { query, call, consulted } => {
                let Consulted { observation, log, reading, record } = *consulted;
                self.record_call(part.query, record);
                let (shown, raw) = wrapped(&observation);
                let (tone, word) = in_a_word(&log, &observation);
                self.out.note(Observation {
                    call,
                    shown: shown.clone(),
                    reading: Some(reading),
                    ..Observation::new(part.turn, tone, word)
                });
                self.log(part.turn, &log);
                self.remember(&query, &log);
                self.shown.push(scene::searched(&python::text(&query)));
                self.shown.push(scene::page(tone, observation));
                (shown, raw)
            }
            Fate::Refused(text, counted) => {
                let (shown, raw) = match counted {
                    Counted::AsCall => {
                        self.record_call(part.query, None);
                        wrapped(&text)
                    }
                    Counted::Not => (text.clone(), text.clone()),
                };
                let came = Observation::new(part.turn, Tone::Failed, "refused");
                self.out.note(Observation { shown: shown.clone(), ..came });
                self.shown.push(Block::remark(text));
                (shown, raw)
            }
            Fate::Asked { .. } => unreachable!("a message settles when nothing waits"),
        }
    }

    /// `reference`: writes a call down as the authors' program does, with the hit log of one that reached the engine.
    fn record_call(&mut self, query: Json, log: Option<Json>) {
        if self.is_strict() {
            return;
        }
        let hit = log.as_ref().and_then(Json::as_object);
        let hit = hit.and_then(|log| log.get("hit")).cloned();
        self.written.calls.push(object([
            ("tool_name", TOOL.into()),
            ("query", query),
            ("hit", hit.unwrap_or_else(|| 0_u32.into())),
        ]));
        self.written.logs.extend(log);
    }

    fn log(&mut self, turn: u32, log: &HitLog) {
        let mut detail = json!(log);
        detail["turn"] = json!(turn);
        self.out.event(event::LOG, detail);
        if log.engine_fault {
            self.out.note(Note::flag(flag::ENGINE_FAULT, Some(turn), Value::Null));
        }
    }

    /// What built-in players are given again. The page that stands in for an engine that failed reveals its fact like any other.
    fn remember(&mut self, query: &Json, log: &HitLog) {
        let told = Log {
            hit: log.hit,
            compound: log.compound,
            keys: log.keys.clone(),
            engine_fault: false,
        };
        self.record.asked.push(python::text(query));
        self.record.found.extend(told.valid());
    }
}

/// A query as notes hold it; one that other JSON cannot hold, as its words.
fn plain(query: &Json, words: &str) -> Value {
    serde_json::to_value(query).unwrap_or_else(|_| Value::from(words))
}

/// How a search counts, in a tone and a word.
fn in_a_word(log: &HitLog, observation: &str) -> (Tone, &'static str) {
    if observation.starts_with(SERVICE_ERROR) {
        (Tone::Failed, "error")
    } else if log.engine_fault {
        (Tone::Failed, "engine fault")
    } else if log.too_bare == Some(true) {
        (Tone::Unknown, "too bare")
    } else if log.compound {
        (Tone::Unknown, "compound")
    } else if log.hit {
        (Tone::Positive, "hit")
    } else {
        (Tone::Negative, "miss")
    }
}
