//! `bot:equity`: deals the cards that it does not see many times, counts how often it wins, and compares that with the price.

use super::Move;
use super::view::View;
use crate::card::{CARDS, Card};
use crate::rank::CardSet;
use turnwise_core::prelude::*;

/// How often the unseen cards are dealt for one decision.
const DEALS: u32 = 200;

pub fn decide(view: &View, asked: &Asked<'_>) -> Move {
    let opponents = opponents(view);
    let equity = estimate(view, asked, opponents);
    let opponents = opponents as f64;
    // What everybody would have if all hands were equal.
    let fair = 1.0 / (opponents + 1.0);
    let price = if view.to_call == 0 {
        0.0
    } else {
        view.to_call as f64 / (view.pot + view.to_call) as f64
    };
    // How far above its fair share the hand is, as a part of what lies between that and certainty.
    let edge = (equity - fair) / (1.0 - fair);
    if edge > 0.25 {
        view.raise_to(view.bet + view.to_call + (view.pot + view.to_call) * 2 / 3)
    } else if edge > 0.12 && view.to_call == 0 {
        view.raise_to(view.bet + view.pot / 2)
    } else if equity > price + 0.02 {
        view.check_or_call()
    } else {
        view.check_or_fold()
    }
}

/// Against how many it plays: where much was bet those who have matched it, for most of the others will fold; else everybody
/// who is in the hand.
fn opponents(view: &View) -> usize {
    let much = view.to_call > 2 * view.big_blind;
    let others = if much { view.matched } else { view.players_in.saturating_sub(1) };
    others.max(1) as usize
}

/// The share of the pot that the hand wins on average against this many random hands, 0 to 1.
fn estimate(view: &View, asked: &Asked<'_>, opponents: usize) -> f64 {
    let own: CardSet = view.hole.iter().copied().collect();
    let board: CardSet = view.board.iter().copied().collect();
    let unseen: Vec<Card> = Card::all().filter(|card| !own.and(board).contains(*card)).collect();
    debug_assert!(unseen.len() <= CARDS as usize - 2);
    let missing = 5 - view.board.len().min(5);
    let take = missing + 2 * opponents;
    let mut won = 0.0;
    for deal in 0..DEALS {
        let drawn: Vec<Card> = asked
            .draw(
                &format!("deal {deal}"),
                u32::try_from(unseen.len()).unwrap_or(0),
                u32::try_from(take).unwrap_or(0),
            )
            .into_iter()
            .filter_map(|number| unseen.get(number as usize).copied())
            .collect();
        let (open, theirs) = drawn.split_at(missing.min(drawn.len()));
        let all = board.and(open.iter().copied().collect());
        let mine = all.and(own).strength();
        let mut equal = 1.0;
        let mut best = true;
        for hole in theirs.chunks_exact(2) {
            let strength = all.and(hole.iter().copied().collect()).strength();
            best &= strength <= mine;
            equal += f64::from(u8::from(strength == mine));
        }
        if best {
            won += 1.0 / equal;
        }
    }
    won / f64::from(DEALS)
}
