//! What a viewer sees of an episode.
//!
//! The player sees its question, its turns and the pages that came back, and before the end nothing of how they count: no
//! coverage, no tone.

use super::observation::results;
use super::settings::seat;
use turnwise_core::episode::Outcome;
use turnwise_core::note::{Tone, TurnKind};
use turnwise_core::scene::Block;
use turnwise_core::seat::{Seat, Viewer};

/// Something that was done, or came back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shown {
    /// The player did something.
    Act {
        /// What kind of turn.
        kind: TurnKind,
        /// What was searched for, or said.
        text: String,
    },
    /// A page came back.
    Came {
        /// How it counts.
        tone: Tone,
        /// The response without tags.
        text: String,
    },
    /// The player was told that something was wrong or missing.
    Remark(String),
}

impl Shown {
    /// Something that the player did.
    pub fn act(kind: TurnKind, text: &str) -> Self {
        Shown::Act { kind, text: text.to_owned() }
    }
}

/// The blocks of an episode. `pending` are queries that wait for a page; the engine's seat sees nothing else.
pub fn blocks(
    viewer: &Viewer,
    question: &str,
    shown: &[Shown],
    pending: &[String],
    outcome: Option<&Outcome>,
) -> Vec<Block> {
    let asked = || {
        pending.iter().map(|query| Block::Act {
            seat: Seat::new(Seat::PLAYER),
            kind: TurnKind::Search,
            text: query.clone(),
        })
    };
    match viewer {
        Viewer::Seat(viewer) if viewer.as_str() == seat::ENGINE => return asked().collect(),
        Viewer::Seat(viewer) if viewer.as_str() != Seat::PLAYER => return Vec::new(),
        Viewer::Seat(_) | Viewer::Reader => {}
    }
    let hides = matches!(viewer, Viewer::Seat(_)) && outcome.is_none();
    let mut blocks =
        vec![Block::Text { heading: "Question".to_owned(), text: question.to_owned() }];
    blocks.extend(shown.iter().map(|shown| match shown {
        Shown::Act { kind, text } => {
            Block::Act { seat: Seat::new(Seat::PLAYER), kind: *kind, text: text.clone() }
        }
        Shown::Came { tone, text } => {
            let tone = if hides { Tone::Neutral } else { *tone };
            match results(text) {
                Some(results) => Block::Results { tone, results },
                None => Block::Came { tone, text: text.clone() },
            }
        }
        Shown::Remark(text) => Block::Remark { text: text.clone() },
    }));
    blocks.extend(asked());
    if let Some(outcome) = outcome {
        blocks.push(Block::End {
            ending: outcome.ending.clone(),
            text: outcome
                .result
                .get("prediction")
                .and_then(|prediction| prediction.as_str())
                .unwrap_or_default()
                .to_owned(),
        });
    }
    blocks
}
