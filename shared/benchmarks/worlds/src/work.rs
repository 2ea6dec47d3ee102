//! One question on its way: the state machine of specification 3.5, without effects of its own.
//!
//! A wave is everything that is asked for at the same time: one request, or all repeats of the second audit. Once all its
//! replies are there, [`Work::hear`] reads them in their order, says what is to be noted, and the next wave is open; none is
//! open at the end.

mod audit;
mod editor;
mod request;
#[cfg(test)]
mod tests;

use serde_json::{Value, json};

use super::checks;
use super::pools::EntityPair;
use super::reading::{self, Read, Unread};
use super::record::{At, Record, Rejection, Stage};
use super::schema::{ParaLaw, ParaQuestion, Schema, Window};
use super::settings::{RETRIES, Review, Settings};
pub use editor::{BadEdit, action, check_edit};
pub use request::{Request, event, seat};
use turnwise_core::prelude::*;

/// A request that is open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asking {
    pub request: Request,
    /// What was said before and could not be used, oldest first.
    pub back: Vec<Back>,
    /// How many of these could not be read.
    faults: u32,
    /// How many of these did not pass the machine's checks.
    repairs: u32,
}

/// A reply that is sent back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Back {
    /// What was said; empty if nothing was.
    pub said: String,
    /// What is wrong with it.
    pub fault: String,
}

impl Asking {
    fn new(request: Request) -> Self {
        Asking { request, back: Vec::new(), faults: 0, repairs: 0 }
    }

    fn again(mut self, said: Option<String>, fault: String) -> Self {
        let said = said.unwrap_or_default();
        self.back.push(Back { said, fault });
        self
    }
}

/// What came back for a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
    Said(Option<String>),
    /// The editor said nothing in time, which lets nothing pass.
    Silent,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Word {
    /// A turn; `at` is its place in the wave.
    Turn {
        /// Which request of the wave.
        at: usize,
        kind: TurnKind,
        /// The same in a sentence.
        sentence: String,
        /// How the reply was read.
        reading: Reading,
    },
    /// What came of the last turn.
    Observation { tone: Tone, word: String },
    /// An event of that name.
    Event(&'static str, Value),
}

/// One question on its way.
#[derive(Debug, Clone)]
pub struct Work {
    settings: Settings,
    pair: EntityPair,
    /// What was made so far.
    pub record: Record,
    open: Vec<Asking>,
    /// Repeats whose answer is written otherwise than the law's, before they are compared.
    unequal: Vec<u32>,
    /// What is said of the wave that is being heard.
    words: Vec<Word>,
}

/// A reply to a request of the wave.
struct Received {
    /// Which request of the wave.
    at: usize,
    asking: Asking,
    said: Option<String>,
}

impl Work {
    /// Begins a question; its number counts from 1.
    pub fn new(settings: &Settings, pair: &EntityPair, number: u32) -> Self {
        let id = format!("{}-q{number}", pair.pair_id);
        Work {
            record: Record::new(id, settings.level(number)),
            settings: settings.clone(),
            pair: pair.clone(),
            open: vec![Asking::new(Request::Question)],
            unequal: Vec::new(),
            words: Vec::new(),
        }
    }

    /// The wave that is open; empty at the end.
    pub fn open(&self) -> &[Asking] {
        &self.open
    }

    /// Reads the replies to the open wave, in its order, and opens the next one. Replies beyond the wave are not looked at.
    pub fn hear(&mut self, heard: Vec<Heard>) -> Vec<Word> {
        let wave = std::mem::take(&mut self.open);
        for (at, (asking, heard)) in wave.into_iter().zip(heard).enumerate() {
            match heard {
                Heard::Silent => self.silent(at, &asking),
                Heard::Said(said) => self.said(Received { at, asking, said }),
            }
        }
        if self.record.rejected.is_some() {
            self.open.clear();
        } else if self.open.is_empty() {
            self.after_audit();
        }
        if self.open.is_empty() {
            let decision = self.decision();
            self.words.push(decision);
        }
        std::mem::take(&mut self.words)
    }

    fn said(&mut self, answer: Received) {
        match answer.asking.request {
            Request::Question => self.read(answer, Self::question),
            Request::Law => self.read(answer, Self::law),
            Request::Audit => self.read(answer, Self::audit),
            Request::Answer(_) => self.read(answer, Self::answer),
            Request::Compare(_) => self.read(answer, Self::compared),
            Request::ReviewQuestion | Request::ReviewLaw | Request::LastLook => {
                self.reviewed(answer);
            }
        }
    }

    fn read<T: Schema>(&mut self, answer: Received, then: fn(&mut Self, Received, Read<T>)) {
        match reading::read(answer.said.as_deref()) {
            Ok(read) => then(self, answer, read),
            Err(fault) => self.unread(answer, fault),
        }
    }

    fn turn(&mut self, at: usize, kind: TurnKind, sentence: String, reading: Reading) {
        self.words.push(Word::Turn { at, kind, sentence, reading });
    }

    fn came(&mut self, tone: Tone, word: &str) {
        self.words.push(Word::Observation { tone, word: word.to_owned() });
    }

    /// A reply that could not be read: it is quoted back, three times at most.
    fn unread(&mut self, answer: Received, unread: Unread) {
        let Received { at, mut asking, said } = answer;
        let detail = unread.fault.detail.clone();
        let sentence = format!("writes nothing that can be used: {detail}");
        self.turn(at, TurnKind::Invalid, sentence, unread.into());
        if asking.faults < RETRIES {
            self.came(Tone::Failed, "asked again");
            asking.faults += 1;
            self.open.push(asking.again(said, detail));
        } else {
            self.came(Tone::Negative, "rejected");
            self.reject(At::Format, asking.request.seat(), detail);
        }
    }

    fn question(&mut self, answer: Received, read: Read<ParaQuestion>) {
        let sentence = format!("drafts a question of level {}", self.record.level);
        self.turn(answer.at, TurnKind::Ask, sentence, read.reading);
        self.record.findings = checks::question(&read.value, &self.pair, self.years());
        self.record.question = Some(read.value);
        self.checked_draft(answer, Review::Question, event::QUESTION);
    }

    fn law(&mut self, answer: Received, read: Read<ParaLaw>) {
        let sentence = format!("lays down {} facts", read.value.facts.len());
        self.turn(answer.at, TurnKind::Move, sentence, read.reading);
        self.record.reached = self.record.reached.max(Stage::LawDrafted);
        let question = self.record.question.clone().unwrap_or_default();
        self.record.findings = checks::law(&question, &read.value, &self.pair);
        self.record.law = Some(read.value);
        self.checked_draft(answer, Review::Law, event::LAW);
    }

    /// After the machine's checks: back to the maker while there are second chances, then to the editor.
    fn checked_draft(&mut self, answer: Received, review: Review, event: &'static str) {
        let Received { mut asking, said, .. } = answer;
        let checked = self.checked(event);
        self.words.push(checked);
        match self.record.findings.first() {
            None => self.came(Tone::Positive, "checked"),
            Some(first) => self.came(Tone::Negative, &first.class.clone()),
        }
        let wrong = self.wrong();
        let asks_editor = self.settings.review.contains(&review);
        if !wrong.is_empty() && asking.repairs < self.settings.repairs {
            asking.repairs += 1;
            self.open.push(asking.again(said, wrong));
        } else if asks_editor {
            self.open.push(Asking::new(match review {
                Review::Question => Request::ReviewQuestion,
                Review::Law => Request::ReviewLaw,
                Review::Decision => Request::LastLook,
            }));
        } else if wrong.is_empty() {
            self.pass(review);
        } else {
            self.reject_by_findings();
        }
    }

    /// What the machine found, in one text.
    fn wrong(&self) -> String {
        let details = self.record.findings.iter().map(|found| found.detail.as_str());
        details.collect::<Vec<_>>().join("; ")
    }

    /// A draft without objections goes on.
    fn pass(&mut self, review: Review) {
        let (reached, next) = match review {
            Review::Question => (Stage::Drafted, Some(Request::Law)),
            Review::Law => (Stage::SelfChecked, Some(Request::Audit)),
            Review::Decision => (Stage::Accepted, None),
        };
        self.record.reached = reached;
        self.open.extend(next.map(Asking::new));
    }

    /// What the machine found in a question or a law, as an event.
    fn checked(&self, name: &'static str) -> Word {
        let classes = self.record.findings.iter().map(|found| found.class.as_str());
        let mut detail = json!({
            "question_id": self.record.question_id,
            "findings": classes.collect::<Vec<_>>(),
            "edits": self.record.edits,
        });
        if name == event::LAW {
            detail["facts"] = json!(self.record.facts());
        }
        Word::Event(name, detail)
    }

    /// How the question ended, as an event.
    fn decision(&self) -> Word {
        let record = &self.record;
        let detail = json!({
            "question_id": record.question_id,
            "level": record.level,
            "reached": record.reached,
            "stage": record.rejected.as_ref().map(|rejected| rejected.stage),
            "reason": record.rejected.as_ref().map(|rejected| &rejected.reason),
            "facts": record.facts(),
            "edits": record.edits,
        });
        Word::Event(event::DECISION, detail)
    }

    fn years(&self) -> Window {
        Window { from: self.settings.from, to: self.settings.to }
    }

    fn reject_by_findings(&mut self) {
        let first = self.record.findings.first().cloned();
        let class = first.map_or_else(String::new, |first| first.class);
        self.reject(At::Checks, &class, self.wrong());
    }

    fn reject(&mut self, stage: At, reason: &str, detail: String) {
        // The first reason counts, where several repeats fail together.
        self.record.rejected.get_or_insert(Rejection { stage, reason: reason.to_owned(), detail });
    }
}
