//! What the editor does: lets pass, changes or refuses.

use serde_json::{Value, json};

use super::{Asking, Received, Request, Word, Work, event};
use crate::checks;
use crate::reading::{self, Read, Unread, fault, shown};
use crate::record::At;
use crate::schema::{ParaLaw, ParaQuestion, Schema};
use crate::settings::Review;
use turnwise_core::json as strict;
use turnwise_core::prelude::*;

/// Names of actions and of their parameters, as forms show them.
pub mod action {
    pub const ACCEPT: &str = "accept";
    pub const REFUSE: &str = "refuse";
    pub const REASON: &str = "reason";
    pub const EDIT: &str = "edit";
    /// The members that are to be changed, as a JSON object.
    pub const JSON: &str = "json";
}

#[derive(Debug, Clone, PartialEq)]
enum Decision {
    Accept,
    Refuse(String),
    /// Members that take the place of those that stand.
    Edit(serde_json::Map<String, Value>),
}

impl Decision {
    fn read(said: Option<&str>) -> Result<Read<Decision>, Unread> {
        reading::read_by(said, &["action", "params"], |value| {
            let params = &value["params"];
            match value["action"].as_str().map(str::trim) {
                Some(action::ACCEPT) => Ok(Decision::Accept),
                Some(action::REFUSE) => {
                    let reason = params[action::REASON].as_str().unwrap_or_default();
                    Ok(Decision::Refuse(shown(reason.trim())))
                }
                Some(action::EDIT) => members(&params[action::JSON])
                    .map(Decision::Edit)
                    .map_err(|bad| bad.to_string()),
                _ => Err("action: accept, refuse or edit is wanted".to_owned()),
            }
        })
    }
}

/// An edit of a draft that cannot be accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadEdit {
    /// It is no JSON, and why.
    #[error("params.json: {0}")]
    NotJson(String),
    /// It is JSON, and no object with members.
    #[error("params.json: an object with the members to change is wanted")]
    NoMembers,
    /// A draft has no such member, and those that it has.
    #[error("params.json: a draft has no {name}, only {}", .known.join(", "))]
    Unknown { name: String, known: &'static [&'static str] },
    /// What it makes of the draft does not fit, with the place.
    #[error("{0}")]
    Misfit(String),
}

/// Whether an edit changes a draft to one that can be read, before it is sent. What the machine has to say of the
/// changed draft comes after that; and here a member that no draft has is not ignored.
///
/// # Errors
/// What is wrong with it.
pub fn check_edit(draft: &str, written: &str) -> Result<(), BadEdit> {
    let members = members(&Value::String(written.to_owned()))?;
    let standing: Value = serde_json::from_str(draft).unwrap_or_default();
    // A law has facts, a question none.
    match standing.get("facts") {
        Some(_) => checked_edit::<ParaLaw>(standing, members),
        None => checked_edit::<ParaQuestion>(standing, members),
    }
}

fn checked_edit<T: Schema>(
    standing: Value,
    members: serde_json::Map<String, Value>,
) -> Result<(), BadEdit> {
    if let Some(name) = members.keys().find(|name| !T::KEYS.contains(&name.as_str())) {
        return Err(BadEdit::Unknown { name: shown(name), known: T::KEYS });
    }
    changed::<T>(standing, members).map(drop).map_err(BadEdit::Misfit)
}

/// A draft with other members in the place of those that stand.
fn changed<T: Schema>(
    standing: Value,
    members: serde_json::Map<String, Value>,
) -> Result<T, String> {
    let Value::Object(mut whole) = standing else {
        return Err("there is nothing to change".to_owned());
    };
    whole.extend(members);
    reading::fit(&Value::Object(whole))
}

/// An object, or a text that holds one, as a form sends it.
fn members(value: &Value) -> Result<serde_json::Map<String, Value>, BadEdit> {
    let decoded = match value {
        Value::String(text) => {
            let read = strict::parse(text, Dialect::Strict);
            let read = read.map_err(|error| BadEdit::NotJson(error.to_string()))?;
            serde_json::to_value(read).unwrap_or_default()
        }
        other => other.clone(),
    };
    match decoded {
        Value::Object(members) if !members.is_empty() => Ok(members),
        _ => Err(BadEdit::NoMembers),
    }
}

impl Work {
    /// Reads a decision. An edit that is no sound draft is sent back like a reply that cannot be read; what the machine
    /// objects to cannot be let pass.
    pub(super) fn reviewed(&mut self, answer: Received) {
        let Read { value, reading } = match Decision::read(answer.said.as_deref()) {
            Ok(read) => read,
            Err(fault) => return self.unread(answer, fault),
        };
        let request = answer.asking.request;
        match value {
            Decision::Accept if self.record.findings.is_empty() => {
                let sentence = format!("lets {} pass", thing(request));
                self.decided(answer.at, sentence, reading, Tone::Positive, "accepted");
                self.pass(review(request));
            }
            Decision::Accept => {
                let detail = format!("it cannot pass as it stands: {}", self.wrong());
                self.misfit(answer, reading, detail);
            }
            Decision::Refuse(reason) => {
                let sentence = format!("refuses {}: {reason}", thing(request));
                self.decided(answer.at, sentence, reading, Tone::Negative, "refused");
                self.refuse(request, "refused", reason);
            }
            Decision::Edit(members) => match self.edited(request, members) {
                Ok(event) => {
                    let sentence = format!("changes {}", thing(request));
                    self.decided(answer.at, sentence, reading, Tone::Neutral, "changed");
                    self.words.push(event);
                    self.pass(review(request));
                }
                Err(detail) => self.misfit(answer, reading, detail),
            },
        }
    }

    /// A seat that gives no reply in time approves nothing.
    pub(super) fn silent(&mut self, at: usize, asking: &Asking) {
        self.turn(at, TurnKind::Invalid, "says nothing in time".to_owned(), Reading::default());
        self.came(Tone::Negative, "rejected");
        self.refuse(asking.request, "silent", String::new());
    }

    /// What the editor did not mend was rejected by the machine.
    fn refuse(&mut self, request: Request, reason: &str, detail: String) {
        if self.record.findings.is_empty() {
            let stage = match review(request) {
                Review::Question => At::Question,
                Review::Law => At::Law,
                Review::Decision => At::Decision,
            };
            self.reject(stage, reason, detail);
        } else {
            self.reject_by_findings();
        }
    }

    fn edited(
        &mut self,
        request: Request,
        members: serde_json::Map<String, Value>,
    ) -> Result<Word, String> {
        let record = &self.record;
        let (findings, name) = match request {
            Request::ReviewQuestion => {
                let question: ParaQuestion = changed(json!(record.question), members)?;
                let findings = checks::question(&question, &self.pair, self.years());
                if findings.is_empty() {
                    self.record.question = Some(question);
                }
                (findings, event::QUESTION)
            }
            Request::ReviewLaw => {
                let law: ParaLaw = changed(json!(record.law), members)?;
                let question = record.question.clone().unwrap_or_default();
                let findings = checks::law(&question, &law, &self.pair);
                if findings.is_empty() {
                    self.record.law = Some(law);
                }
                (findings, event::LAW)
            }
            _ => return Err("after the audits a draft is accepted or refused".to_owned()),
        };
        if !findings.is_empty() {
            let details = findings.iter().map(|found| found.detail.as_str());
            return Err(details.collect::<Vec<_>>().join("; "));
        }
        self.record.findings.clear();
        self.record.edits += 1;
        Ok(self.checked(name))
    }

    fn decided(&mut self, at: usize, sentence: String, reading: Reading, tone: Tone, word: &str) {
        self.turn(at, TurnKind::Move, sentence, reading);
        self.came(tone, word);
    }

    fn misfit(&mut self, answer: Received, reading: Reading, detail: String) {
        let class = fault::MISFIT.to_owned();
        let unread = Unread { extracted: reading.extracted, fault: Fault { class, detail } };
        self.unread(answer, unread);
    }
}

fn review(request: Request) -> Review {
    match request {
        Request::ReviewQuestion | Request::Question => Review::Question,
        Request::ReviewLaw | Request::Law => Review::Law,
        _ => Review::Decision,
    }
}

fn thing(request: Request) -> &'static str {
    match review(request) {
        Review::Question => "the question",
        Review::Law => "the law",
        Review::Decision => "the whole",
    }
}
