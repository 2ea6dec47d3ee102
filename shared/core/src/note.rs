//! What an episode writes down about itself: one note a turn, one for what came back, and whatever else it counts.
//!
//! Ribbons, walls, timelines and metrics are computed from notes. A benchmark that notes its turns gets them for nothing.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::effect::CallId;
use crate::seat::Seat;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "note", rename_all = "snake_case")]
pub enum Note {
    /// A seat took a turn: one cell of the ribbon.
    Turn(Turn),
    /// What came back for a turn: the bar under its cell.
    #[serde(rename = "came")]
    Observation(Observation),
    /// The episode began anew; what was noted before does not count towards its result.
    Restarted {
        /// Which attempt begins; the first is 1.
        attempt: u32,
        why: String,
    },
    /// Something that happened in the world of the episode, in the benchmark's own words: a deal, a street, a payment.
    Event {
        /// What happened, e.g. `deal`, `round`.
        name: String,
        /// Everything that is to be known of it.
        detail: Value,
    },
    /// Something worth counting that is neither, in the benchmark's own words.
    Flag {
        /// The flag's name, e.g. `min_not_met`.
        name: String,
        /// To which turn it belongs, if to one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        turn: Option<u32>,
        #[serde(default, skip_serializing_if = "Value::is_null")]
        detail: Value,
    },
}

impl Note {
    /// An event of that name.
    pub fn event(name: &str, detail: Value) -> Self {
        Note::Event { name: name.to_owned(), detail }
    }

    /// A flag of that name.
    pub fn flag(name: &str, turn: Option<u32>, detail: Value) -> Self {
        Note::Flag { name: name.to_owned(), turn, detail }
    }
}

impl From<Turn> for Note {
    fn from(turn: Turn) -> Self {
        Note::Turn(turn)
    }
}

impl From<Observation> for Note {
    fn from(came: Observation) -> Self {
        Note::Observation(came)
    }
}

/// One turn of one seat: what was said is in the reply to `call`; this is what it was taken to mean.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Turn {
    /// The turn's number in the ribbon, from 1.
    pub index: u32,
    /// The protocol's round, from 1; turns that use no round repeat it.
    pub round: u32,
    pub seat: Seat,
    /// The call whose reply this turn reads.
    pub call: CallId,
    pub kind: TurnKind,
    /// The turn in one sentence, without text of hidden fields.
    pub sentence: String,
    /// How the reply was read.
    pub reading: Reading,
}

crate::choices! {
    /// What was done in a turn; decides letter and colour of its cell.
    pub enum TurnKind {
        /// A search engine was asked.
        Search = "search",
        Ask = "ask",
        Browse = "browse",
        /// A move in a game.
        Move = "move",
        /// A final answer was given.
        Answer = "answer",
        /// Nothing that the rules allow.
        Invalid = "invalid",
    }
}

impl TurnKind {
    /// The letter of the cell.
    pub fn letter(self) -> char {
        match self {
            TurnKind::Search => 'S',
            TurnKind::Ask => 'A',
            TurnKind::Browse => 'B',
            TurnKind::Move => 'M',
            TurnKind::Answer => '=',
            TurnKind::Invalid => '?',
        }
    }
}

/// How a reply was read, step by step. Nothing is corrected silently.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Reading {
    /// The part of the text that was taken for the action, as it stood there.
    pub extracted: Option<String>,
    /// What was put right before it was applied, each in a few words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repaired: Vec<String>,
    /// What was done in the end.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub applied: Value,
    /// What was wrong, if anything.
    pub fault: Option<Fault>,
}

impl Reading {
    /// A reply that was taken for this.
    pub fn applied(applied: Value) -> Self {
        Reading { applied, ..Reading::default() }
    }
}

impl From<Fault> for Reading {
    fn from(fault: Fault) -> Self {
        Reading { fault: Some(fault), ..Reading::default() }
    }
}

/// What was wrong with a reply.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// The class, e.g. `no_object`, `unknown_action`; rates are published by class.
    pub class: String,
    pub detail: String,
}

impl Fault {
    /// A fault of a class, in a sentence.
    pub fn new(class: impl Into<String>, detail: impl Into<String>) -> Self {
        Fault { class: class.into(), detail: detail.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.class, self.detail)
    }
}

/// What came back for a turn.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Observation {
    pub turn: u32,
    /// The call that brought it, if it was not the turn's own.
    pub call: Option<CallId>,
    /// How the bar is drawn.
    pub tone: Tone,
    /// One or two words, e.g. `yes`, `5 results`, `No answer`.
    pub word: String,
    /// What the seat was shown.
    pub shown: String,
    /// How the reply behind it was read, where there was one.
    pub reading: Option<Reading>,
}

impl Observation {
    /// What came back for a turn, of which the seat was shown the word.
    pub fn new(turn: u32, tone: Tone, word: impl Into<String>) -> Self {
        let word = word.into();
        Observation { turn, call: None, tone, shown: word.clone(), word, reading: None }
    }
}

crate::choices! {
    /// Whether what came back was for or against, or neither.
    pub enum Tone {
        Positive = "positive",
        Negative = "negative",
        Unknown = "unknown",
        /// Something that is neither for nor against.
        Neutral = "neutral",
        Failed = "failed",
    }
}
