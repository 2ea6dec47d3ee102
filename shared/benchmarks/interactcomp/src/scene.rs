//! What a viewer sees of an episode.

use super::memory::Record;
use super::search::results;
use turnwise_core::prelude::*;

/// The blocks of an episode: the question, every round, the remark about the last reply, the end. The responder's seat sees
/// none of them: it is asked one question at a time.
pub fn blocks(
    viewer: &Viewer,
    question: &str,
    rounds: &[Record],
    feedback: Option<&str>,
    outcome: Option<&Outcome>,
) -> Vec<Block> {
    if !matches!(viewer.seat(), None | Some(Seat::PLAYER)) {
        return Vec::new();
    }
    let mut blocks = vec![Block::text("Question", question)];
    for round in rounds {
        let kind = kind(&round.name);
        let texts: Vec<_> =
            round.params.iter().map(|(_, value)| turnwise_core::python::text(value)).collect();
        blocks.push(Block::act(Seat::PLAYER, kind, texts.join(" · ")));
        if kind != TurnKind::Answer {
            let tone = tone(kind, &round.observation);
            let found = (kind == TurnKind::Search).then(|| results(&round.observation));
            blocks.push(match found.flatten() {
                Some(results) => Block::Results { tone, results },
                None => Block::came(tone, &round.observation),
            });
        }
    }
    blocks.extend(feedback.map(Block::remark));
    let end = |outcome: &Outcome| {
        Block::end(&outcome.ending, outcome.text("prediction").unwrap_or_default())
    };
    blocks.extend(outcome.map(end));
    blocks
}

/// The question that the responder is to answer now.
pub fn asked(question: &str) -> Block {
    Block::act(Seat::PLAYER, TurnKind::Ask, question)
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
