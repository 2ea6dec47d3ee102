//! What hands are worth before the board is complete: the mean share of a pot over the boards that can come.
//!
//! Only the hands that play for the pot and the open board are known; cards of folded hands may come, as for everybody at the
//! table.

use crate::card::Card;
use crate::chance::Chance;
use crate::rank::CardSet;
use crate::record::Place;

/// The boards of a sample. A share of a pot is then right to about half a percent of it.
const SAMPLE: u32 = 10_000;

/// For each pot, given by who can win it, the mean share of each of them, in the same order. Ties share alike.
///
/// `hands` are all hands that play for any pot. With at most two cards to come all boards are counted, else a fixed sample: the
/// same cards have the same shares everywhere.
pub fn shares(hands: &[(Place, [Card; 2])], board: &[Card], pots: &[&[Place]]) -> Vec<Vec<f64>> {
    let mut sums: Vec<Vec<f64>> = pots.iter().map(|pot| vec![0.0; pot.len()]).collect();
    let mut boards = 0_u32;
    let mut strengths = Vec::with_capacity(hands.len());
    each_board(hands, board, |board| {
        boards += 1;
        strengths.clear();
        strengths.extend(
            hands
                .iter()
                .map(|(place, [one, two])| (*place, board.with(*one).with(*two).strength())),
        );
        for (pot, sums) in pots.iter().zip(&mut sums) {
            let strength = |place: &Place| {
                let found = strengths.iter().find(|(other, _)| other == place);
                found.map(|(_, strength)| *strength)
            };
            let best = pot.iter().filter_map(strength).max();
            let winners = pot.iter().filter(|place| strength(place) == best).count();
            for (place, sum) in pot.iter().zip(sums) {
                if strength(place) == best {
                    *sum += 1.0 / winners as f64;
                }
            }
        }
    });
    for sum in sums.iter_mut().flatten() {
        *sum /= f64::from(boards);
    }
    sums
}

/// Calls `with` for each board that can come, or for each of the sample.
fn each_board(hands: &[(Place, [Card; 2])], board: &[Card], mut with: impl FnMut(CardSet)) {
    let known: CardSet = board.iter().copied().collect();
    let dead = hands.iter().flat_map(|(_, hole)| hole).fold(known, |dead, card| dead.with(*card));
    let mut left: Vec<Card> = Card::all().filter(|card| !dead.contains(*card)).collect();
    match 5_usize.saturating_sub(board.len()) {
        0 => with(known),
        1 => left.iter().for_each(|card| with(known.with(*card))),
        2 => {
            for (index, one) in left.iter().enumerate() {
                for two in &left[..index] {
                    with(known.with(*one).with(*two));
                }
            }
        }
        missing => {
            // It begins with the cards, so that a hand has the same sample everywhere.
            let cards = hands.iter().flat_map(|(_, hole)| hole).chain(board);
            let mut chance = Chance::new(
                cards.fold(0, |seed: u64, card| seed.wrapping_mul(53) + u64::from(card.number())),
            );
            for _ in 0..SAMPLE {
                let mut set = known;
                for place in 0..missing {
                    let room = left.len() - place;
                    left.swap(place, place + chance.below(room as u64) as usize);
                    set = set.with(left[place]);
                }
                with(set);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::cards;

    fn hole(text: &str) -> [Card; 2] {
        let cards = cards(text).expect("the test writes cards");
        cards.try_into().expect("a hand has two")
    }

    #[test]
    fn with_one_card_to_come_outs_are_counted() {
        // Aces against a flush draw on the turn: nine hearts are left, and nothing else helps: 9 of 44.
        let hands = [(0, hole("AS AC")), (3, hole("KH QH"))];
        let board = cards("2H 7H 9S 4C").expect("the test writes cards");
        let shares = shares(&hands, &board, &[&[0, 3]]);
        assert!((shares[0][1] - 9.0 / 44.0).abs() < 1e-12, "{shares:?}");
        assert!((shares[0][0] + shares[0][1] - 1.0).abs() < 1e-12);
    }

    #[test]
    fn two_cards_to_come_are_all_990_boards() {
        // Three sevens against two aces without a draw.
        let hands = [(0, hole("AS AC")), (1, hole("7S 7C"))];
        let board = cards("7H 2D KC").expect("the test writes cards");
        let shares = shares(&hands, &board, &[&[0, 1]]);
        let aces = shares[0][0] * 990.0;
        assert!((aces - aces.round()).abs() < 1e-6, "no ties: {aces}");
        // The aces win with both other aces; with one of them and any of 42 cards (all 45 but the two aces and the last seven,
        // which makes four of them); and with two of the three kings, when both have kings full.
        assert!((aces - f64::from(1 + 2 * 42 + 3)).abs() < 1e-6, "{aces}");
    }

    #[test]
    fn a_sample_is_near_and_always_the_same() {
        // Aces of two suits against kings of the other two, before the flop: 81.06 % and 18.55 % wins, 0.38 % ties.
        let hands = [(0, hole("AS AH")), (1, hole("KC KD"))];
        let one = shares(&hands, &[], &[&[0, 1]]);
        assert!((one[0][0] - 0.8126).abs() < 0.012, "{one:?}");
        assert_eq!(one, shares(&hands, &[], &[&[0, 1]]));
    }

    #[test]
    fn pots_have_players_of_their_own() {
        // All is known: the best hand is not in the side pot, which two share.
        let hands = [(0, hole("AS AC")), (1, hole("KS 3D")), (2, hole("KD 3C"))];
        let board = cards("AH KH 9S 8C 2D").expect("the test writes cards");
        let shares = shares(&hands, &board, &[&[0, 1, 2], &[1, 2]]);
        assert_eq!(shares, [vec![1.0, 0.0, 0.0], vec![0.5, 0.5]]);
    }
}
