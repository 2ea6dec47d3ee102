//! What a viewer sees of an episode.
//!
//! The player sees its question, its turns and the pages that came back, and before the end nothing of how they count: no
//! coverage, no tone.

use super::observation::results;
use super::settings::seat;
use turnwise_core::prelude::*;

/// A search of the player.
pub fn searched(query: &str) -> Block {
    Block::act(Seat::PLAYER, TurnKind::Search, query)
}

/// A page that came back: the response without tags.
pub fn page(tone: Tone, text: String) -> Block {
    match results(&text) {
        Some(results) => Block::Results { tone, results },
        None => Block::came(tone, text),
    }
}

/// The same, without how it counts.
fn hidden(mut block: Block) -> Block {
    if let Block::Observation { tone, .. } | Block::Results { tone, .. } = &mut block {
        *tone = Tone::Neutral;
    }
    block
}

/// The blocks of an episode. `pending` are queries that wait for a page; the engine's seat sees nothing else.
pub fn blocks(
    viewer: &Viewer,
    question: &str,
    shown: &[Block],
    pending: &[String],
    outcome: Option<&Outcome>,
) -> Vec<Block> {
    let asked = || pending.iter().map(|query| searched(query));
    match viewer.seat() {
        Some(seat::ENGINE) => return asked().collect(),
        None | Some(Seat::PLAYER) => {}
        Some(_) => return Vec::new(),
    }
    let hides = matches!(viewer, Viewer::Seat(_)) && outcome.is_none();
    let mut blocks = vec![Block::text("Question", question)];
    let shown = shown.iter().cloned();
    blocks.extend(shown.map(|block| if hides { hidden(block) } else { block }));
    blocks.extend(asked());
    let end = |outcome: &Outcome| {
        Block::end(&outcome.ending, outcome.text("prediction").unwrap_or_default())
    };
    blocks.extend(outcome.map(end));
    blocks
}
