//! What a viewer sees of an episode.

use super::memory::Record;
use super::search::results;
use turnwise_core::episode::Outcome;
use turnwise_core::note::{Tone, TurnKind};
use turnwise_core::scene::Block;
use turnwise_core::seat::{Seat, Viewer};

/// The blocks of an episode: the question, every round, the remark about the last reply, the end. The responder's seat sees
/// none of them: it is asked one question at a time.
pub fn blocks(
    viewer: &Viewer,
    question: &str,
    rounds: &[Record],
    feedback: Option<&str>,
    outcome: Option<&Outcome>,
) -> Vec<Block> {
    if let Viewer::Seat(seat) = viewer
        && seat.as_str() != Seat::PLAYER
    {
        return Vec::new();
    }
    let mut blocks =
        vec![Block::Text { heading: "Question".to_owned(), text: question.to_owned() }];
    for round in rounds {
        let kind = kind(&round.name);
        let texts: Vec<_> =
            round.params.iter().map(|(_, value)| turnwise_core::python::text(value)).collect();
        blocks.push(Block::Act { seat: Seat::new(Seat::PLAYER), kind, text: texts.join(" · ") });
        if kind != TurnKind::Answer {
            let tone = tone(kind, &round.observation);
            let found = (kind == TurnKind::Search).then(|| results(&round.observation));
            blocks.push(match found.flatten() {
                Some(results) => Block::Results { tone, results },
                None => Block::Came { tone, text: round.observation.clone() },
            });
        }
    }
    if let Some(feedback) = feedback {
        blocks.push(Block::Remark { text: feedback.to_owned() });
    }
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

/// The question that the responder is to answer now.
pub fn asked(question: &str) -> Block {
    Block::Act { seat: Seat::new(Seat::PLAYER), kind: TurnKind::Ask, text: question.to_owned() }
}

fn kind(action: &str) -> TurnKind {
    match action {
        "search" => TurnKind::Search,
        "ask" => TurnKind::Ask,
        _ => TurnKind::Answer,
    }
}

fn tone(kind: TurnKind, observation: &str) -> Tone {
    match (kind, observation) {
        (TurnKind::Ask, "yes") => Tone::Positive,
        (TurnKind::Ask, "no") => Tone::Negative,
        (TurnKind::Ask, _) => Tone::Unknown,
        _ => Tone::Neutral,
    }
}
