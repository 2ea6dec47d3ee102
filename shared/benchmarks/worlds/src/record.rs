//! What came of a pair: the result of an episode, from which worlds are frozen.

use serde::{Deserialize, Serialize};
use turnwise_core::prelude::*;

use super::checks::Finding;
use super::pools::EntityPair;
use super::schema::{Audit1, Audit2, ParaLaw, ParaQuestion};
use turnwise_paraworld::task::Language;

/// The result of an episode.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Made {
    pub pair: EntityPair,
    /// In which language questions and facts are written.
    pub language: Language,
    /// Its questions, in the order of their levels.
    pub questions: Vec<Record>,
}

impl Made {
    /// Whether every question was accepted.
    pub fn is_whole(&self) -> bool {
        self.questions.iter().all(Record::is_accepted)
    }
}

/// One question with everything that was made and said of it.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The pair's id, `-q` and the question's number.
    pub question_id: String,
    /// Its level, 1 to 4 (specification 3.2).
    pub level: u32,
    pub reached: Stage,
    /// Why it went no further.
    pub rejected: Option<Rejection>,
    /// The question as it stood last.
    pub question: Option<ParaQuestion>,
    /// The law as it stood last.
    pub law: Option<ParaLaw>,
    /// What the machine found in the question or law as it stood last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
    /// The first step of the audit.
    pub audit1: Option<Audit1>,
    /// The repeats of the second step.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub audit2: Vec<Audit2>,
    /// How often the editor changed it.
    #[serde(default)]
    pub edits: u32,
}

impl Record {
    /// A question that has not been drafted yet.
    pub fn new(question_id: String, level: u32) -> Self {
        Record {
            question_id,
            level,
            reached: Stage::Begun,
            rejected: None,
            question: None,
            law: None,
            findings: Vec::new(),
            audit1: None,
            audit2: Vec::new(),
            edits: 0,
        }
    }

    /// Whether it came to the end.
    pub fn is_accepted(&self) -> bool {
        self.reached == Stage::Accepted
    }

    /// How many facts its law has.
    pub fn facts(&self) -> usize {
        self.law.as_ref().map_or(0, |law| law.facts.len())
    }
}

choices! {
    /// How far a question came (specification 3.5).
    pub enum Stage {
        Begun = "begun",
        /// A question stands, and the editor has let it pass.
        Drafted = "drafted",
        /// A law could be read.
        LawDrafted = "law_drafted" => "law drafted",
        /// The law passed the machine's checks, and the editor has let it pass.
        SelfChecked = "self_checked" => "self-checked",
        /// The auditor found nothing wrong with it.
        Audit1Pass = "audit1_pass" => "audit 1",
        /// Enough of the auditor's own answers agree with it.
        Audit2Pass = "audit2_pass" => "audit 2",
        Accepted = "accepted",
    }
}

/// Why a question went no further.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rejection {
    pub stage: At,
    /// The class of the reason, e.g. `refused`, `no_unit`, `contradiction`, or the seat that could not be read.
    pub reason: String,
    /// The reason in a sentence; may be empty.
    pub detail: String,
}

choices! {
    /// Where a question was rejected.
    pub enum At {
        /// A seat wrote nothing that can be read, four times.
        Format = "format",
        /// The editor refused the question.
        Question = "question",
        Checks = "checks",
        /// The editor refused the law.
        Law = "law",
        /// The first step of the audit.
        Audit1 = "audit1" => "audit 1",
        /// The second step.
        Audit2 = "audit2" => "audit 2",
        /// The editor refused the whole.
        Decision = "decision",
    }
}
