//! The rounds of an episode, as its transcript has them.

use turnwise_shared::benchmarks::ui2html::protocol::ending;
use turnwise_shared::layout::Layout;

use super::words;
use crate::prelude::*;
use crate::view::timeline::{Item, Timeline, TurnItem};

/// One message of the player.
#[derive(Debug, Clone, PartialEq)]
pub struct Round {
    pub turn: u32,
    pub name: String,
    pub question: Option<String>,
    pub answer: Option<(Tone, String)>,
    /// The page after it: its own, or the one before where it has none.
    pub page: Option<Page>,
}

/// A page as it was rendered.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    pub picture: PictureRef,
    /// `None` if it cannot be read.
    pub layout: Option<Layout>,
}

/// The rounds of the last attempt at an episode, in their order.
pub fn rounds(timeline: &Timeline) -> Vec<Round> {
    let begins = timeline.items.iter().rposition(|item| matches!(item, Item::Restarted { .. }));
    let items = &timeline.items[begins.unwrap_or(0)..];
    let turns: Vec<&TurnItem> = items
        .iter()
        .filter_map(|item| match item {
            Item::Turn(turn) if turn.turn.seat.as_str() == Seat::PLAYER => Some(&**turn),
            _ => None,
        })
        .collect();
    let is_written =
        timeline.outcome.as_ref().is_some_and(|outcome| outcome.ending == ending::WRITTEN);
    let mut page = None;
    turns
        .iter()
        .enumerate()
        .map(|(at, item)| {
            page = rendered(item).or_else(|| page.take());
            let is_final = is_written && at + 1 == turns.len();
            Round {
                turn: item.turn.index,
                name: match is_final {
                    true => words::FINAL.to_owned(),
                    false => words::round(item.turn.round),
                },
                question: item.turn.reading.applied["question"].as_str().map(str::to_owned),
                answer: item.came.first().map(|came| (came.tone, came.word.clone())),
                page: page.clone(),
            }
        })
        .collect()
}

/// What was rendered for a turn.
fn rendered(item: &TurnItem) -> Option<Page> {
    item.exchanges.iter().rev().find_map(|exchange| match &exchange.reply {
        Some(Reply::Made(Made::Picture(made))) => {
            Some(Page { picture: made.picture, layout: made.layout.parse().ok() })
        }
        _ => None,
    })
}

/// The place of the round that a turn belongs to; without one the last.
pub fn place(rounds: &[Round], turn: Option<u32>) -> usize {
    let last = rounds.len().saturating_sub(1);
    turn.and_then(|turn| rounds.iter().rposition(|round| round.turn <= turn)).unwrap_or(last)
}
