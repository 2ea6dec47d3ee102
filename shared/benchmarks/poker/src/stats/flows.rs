//! Who won from whom, and what an all-in was worth: both need to know what everybody put into which pot.

use super::equity;
use crate::record::{HandRecord, Place};

/// What each place put in during the hand, in units, without what went back.
fn put(hand: &HandRecord) -> Vec<u64> {
    let mut put: Vec<u64> = hand.places.iter().map(|place| place.blind.units()).collect();
    for action in &hand.actions {
        put[action.place] += action.happened.put.units();
    }
    if let Some(back) = &hand.returned {
        put[back.place] = put[back.place].saturating_sub(back.chips.units());
    }
    put
}

/// What each place put into each pot: a pot reaches up to the smallest total of those who can win it; the last one takes the
/// rest.
fn layers(hand: &HandRecord, put: &[u64]) -> Vec<Vec<u64>> {
    let mut from = vec![0; put.len()];
    let last = hand.pots.len().saturating_sub(1);
    let pots = hand.pots.iter().enumerate().map(|(index, pot)| {
        let top = match pot.eligible.iter().map(|place| put[*place]).min() {
            Some(top) if index < last => top,
            _ => u64::MAX,
        };
        let layer = put.iter().zip(&mut from).map(|(put, from)| {
            let here = (*put).min(top).saturating_sub(*from);
            *from += here;
            here
        });
        layer.collect()
    });
    pots.collect()
}

/// What the first won from the second, net, in units: each share of a pot comes from all players as they put in. Chips that
/// were paid to no player are counted for none.
///
/// A row adds up to the place's winnings (but for its part of chips that were paid to no player), and `[a][b]` is minus `[b][a]`.
pub fn won_from(hand: &HandRecord) -> Vec<Vec<f64>> {
    let places = hand.places.len();
    let mut won = vec![vec![0.0; places]; places];
    for (pot, layer) in hand.pots.iter().zip(layers(hand, &put(hand))) {
        let amount: u64 = layer.iter().sum();
        if amount == 0 {
            continue;
        }
        for share in &pot.winners {
            for (loser, put) in layer.iter().enumerate() {
                if loser != share.place {
                    let flow = share.chips.units() as f64 * *put as f64 / amount as f64;
                    won[share.place][loser] += flow;
                    won[loser][share.place] -= flow;
                }
            }
        }
    }
    won
}

/// What each place would have won on average over the boards that could still come when betting ended, in units. `None`
/// unless betting ended before the board was complete and hands were shown.
pub fn all_in_adjusted(hand: &HandRecord) -> Option<Vec<f64>> {
    let board = hand.board_on(hand.run_out?);
    if board.len() >= 5 || !hand.is_showdown() {
        return None;
    }
    let hands: Vec<_> = hand.shown.iter().map(|place| (*place, hand.places[*place].hole)).collect();
    let pots: Vec<&[Place]> = hand.pots.iter().map(|pot| &pot.eligible[..]).collect();
    let mut winnings: Vec<f64> = put(hand).into_iter().map(|put| -(put as f64)).collect();
    for (pot, shares) in hand.pots.iter().zip(equity::shares(&hands, board, &pots)) {
        for (place, share) in pot.eligible.iter().zip(shares) {
            winnings[*place] += share * pot.amount.units() as f64;
        }
    }
    Some(winnings)
}
