//! The view model: what one viewer may see of an episode now, and the ribbon that is computed from notes alone.
//!
//! Pure data without a word of HTML, so that it can be tested without a browser.

use serde::{Deserialize, Serialize};

use crate::note::{Note, Tone, TurnKind};
use crate::prompt::Expect;
use crate::seat::Seat;

/// What a viewer sees.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Scene {
    /// From top to bottom.
    pub blocks: Vec<Block>,
    /// What is left of each budget.
    pub gauges: Vec<Gauge>,
    /// What the viewer is asked for now, if anything.
    pub awaits: Option<Expect>,
}

/// A piece of a scene.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "block", rename_all = "snake_case")]
pub enum Block {
    /// A text under a heading, e.g. the question.
    Text {
        /// The heading.
        heading: String,
        /// The text.
        text: String,
    },
    /// Something that a seat did.
    Act {
        /// Whose turn.
        seat: Seat,
        /// What kind of turn.
        kind: TurnKind,
        /// What was done or said.
        text: String,
    },
    /// Something that came back.
    Came {
        /// How it counts.
        tone: Tone,
        /// What was shown.
        text: String,
    },
    /// A remark of the rules to the viewer, e.g. that the last reply was not valid.
    Remark {
        /// The remark.
        text: String,
    },
    /// The end.
    End {
        /// How it ended, in a few words.
        ending: String,
        /// The final answer or result, if there is one.
        text: String,
    },
}

/// What is left of something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gauge {
    /// Of what, e.g. `rounds`.
    pub label: String,
    /// How many are left.
    pub left: u32,
    /// Of how many.
    pub of: u32,
}

/// One cell of a turn ribbon.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// The turn's number, from 1.
    pub turn: u32,
    /// The protocol's round.
    pub round: u32,
    /// Whose turn.
    pub seat: Seat,
    /// Colour and letter.
    pub kind: TurnKind,
    /// The bar under the cell; absent while nothing came back.
    pub tone: Option<Tone>,
    /// The class of what was wrong, if anything.
    pub fault: Option<String>,
    /// The turn in one sentence.
    pub sentence: String,
}

/// The ribbon of an episode, from its notes.
pub fn ribbon<'a>(notes: impl IntoIterator<Item = &'a Note>) -> Vec<Cell> {
    let mut cells: Vec<Cell> = Vec::new();
    for note in notes {
        match note {
            Note::Turn(turn) => cells.push(Cell {
                turn: turn.index,
                round: turn.round,
                seat: turn.seat.clone(),
                kind: turn.kind,
                tone: None,
                fault: turn.reading.fault.as_ref().map(|fault| fault.class.clone()),
                sentence: turn.sentence.clone(),
            }),
            Note::Came(came) => {
                if let Some(cell) = cells.iter_mut().rev().find(|cell| cell.turn == came.turn) {
                    cell.tone = Some(came.tone);
                    if !came.word.is_empty() {
                        cell.sentence = format!("{} → {}", cell.sentence, came.word);
                    }
                }
            }
            Note::Restarted { .. } | Note::Flag { .. } => {}
        }
    }
    cells
}
