//! Which moment of a game is shown: at a decision, after it, or at the end of a hand.

use turnwise_shared::prelude::*;
use turnwise_shared::scene::Lanes;

use super::replayed::Frame;

/// Which moment of a turn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Moment {
    /// What the seat was about to decide.
    #[default]
    Before,
    After,
}

/// The table at a turn; without one, at the end of the episode.
pub fn table_at(frames: &[Frame], turn: Option<u32>, moment: Moment) -> Option<&CardTable> {
    let all = || frames.iter().filter_map(|frame| Some((frame.after, table(frame)?)));
    let found = match (turn, moment) {
        (None, _) => None,
        // The hand may have been dealt since the turn before: the last moment before the decision counts.
        (Some(turn), Moment::Before) => all().take_while(|(after, _)| *after < turn).last(),
        (Some(turn), Moment::After) => all().find(|(after, _)| *after >= turn),
    };
    found.or_else(|| all().next_back()).map(|(_, table)| table)
}

fn table(frame: &Frame) -> Option<&CardTable> {
    frame.scene.blocks.iter().find_map(|block| match block {
        Block::CardTable(table) => Some(table),
        _ => None,
    })
}

/// Whether there is a table or a match to be looked at.
pub fn is_game(frames: &[Frame]) -> bool {
    !frames.is_empty()
}

/// The lanes as they ended.
pub fn lanes(frames: &[Frame]) -> Option<&Lanes> {
    frames.last()?.scene.blocks.iter().find_map(|block| match block {
        Block::Lanes(lanes) => Some(lanes),
        _ => None,
    })
}

/// A hand of a table, and the turns that it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hand {
    pub number: u32,
    /// Its first turn; of a hand without any, the first turn after it.
    pub first: u32,
    /// Its last turn; less than the first where it has none.
    pub last: u32,
}

/// The hands of a table, in order.
pub fn hands(frames: &[Frame]) -> Vec<Hand> {
    let mut hands: Vec<Hand> = Vec::new();
    for frame in frames {
        let Some(table) = table(frame) else { continue };
        match hands.last_mut() {
            Some(hand) if hand.number == table.hand => hand.last = frame.after,
            _ => hands.push(Hand { number: table.hand, first: frame.after + 1, last: frame.after }),
        }
    }
    hands
}

/// The hand in which a turn was taken; without a turn the last one. An index into the hands.
pub fn hand_of(hands: &[Hand], turn: Option<u32>) -> Option<usize> {
    match turn {
        None => hands.len().checked_sub(1),
        Some(turn) => hands.iter().rposition(|hand| hand.first <= turn),
    }
}

/// The round in which a turn was taken.
pub fn round_of(cells: &[Cell], turn: u32) -> Option<u32> {
    cells.iter().find(|cell| cell.turn == turn).map(|cell| cell.round)
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnwise_shared::scene::Scene;

    fn frame(after: u32, hand: u32, street: &str) -> Frame {
        let mut table = crate::testing::table(3);
        table.hand = hand;
        table.street = street.into();
        Frame { after, scene: Scene { blocks: vec![Block::CardTable(table)], ..Scene::default() } }
    }

    /// Two hands: the first with two decisions, the second with one.
    fn frames() -> Vec<Frame> {
        vec![
            frame(0, 1, "preflop"),
            frame(1, 1, "preflop"),
            frame(2, 1, "over"),
            frame(2, 2, "preflop"),
            frame(3, 2, "over"),
        ]
    }

    #[test]
    fn every_decision_has_a_moment_before_and_one_after() {
        let frames = frames();
        let at = |turn, moment| {
            let table = table_at(&frames, turn, moment).expect("the turn is in the episode");
            (table.hand, table.street.as_str())
        };
        assert_eq!(at(Some(1), Moment::Before), (1, "preflop"));
        assert_eq!(at(Some(2), Moment::After), (1, "over"), "what the hand paid");
        assert_eq!(at(Some(3), Moment::Before), (2, "preflop"), "dealt anew");
        assert_eq!(at(None, Moment::Before), (2, "over"), "the end");
        assert_eq!(at(Some(99), Moment::After), (2, "over"));
        assert_eq!(table_at(&[], Some(1), Moment::Before), None);
    }

    #[test]
    fn hands_know_their_turns() {
        let hands = hands(&frames());
        assert_eq!(
            hands,
            [Hand { number: 1, first: 1, last: 2 }, Hand { number: 2, first: 3, last: 3 }]
        );
        assert_eq!(hand_of(&hands, Some(2)), Some(0));
        assert_eq!(hand_of(&hands, Some(3)), Some(1));
        assert_eq!(hand_of(&hands, None), Some(1));
        assert_eq!(hand_of(&[], None), None);
    }
}
