//! How much of the pot each hand wins on average from here, all cards known: for a reader, after the fact.

use turnwise_shared::benchmarks::poker::card::{Card, cards};
use turnwise_shared::benchmarks::poker::rank::CardSet;
use turnwise_shared::dice;
use turnwise_shared::scene::{CardTable, PlaceState};

use crate::components::felt::Shares;

/// Boards that are drawn where all of them would be too many.
const SAMPLE: u32 = 1_000;

/// The shares of all who still take part; `None` where fewer than two do, or a card of theirs is not known. A table that is over has
/// none: there its results stand.
pub fn equity(table: &CardTable) -> Option<Shares> {
    if table.places.iter().any(|place| place.delta.is_some()) {
        return None;
    }
    let hands: Vec<Option<CardSet>> = table
        .places
        .iter()
        .map(|place| match place.state {
            PlaceState::Live | PlaceState::AllIn => {
                let known: Option<Vec<&str>> = place.cards.iter().map(Option::as_deref).collect();
                let hole = cards(&known?.join(" ")).ok()?;
                (hole.len() == 2).then(|| hole.into_iter().collect())
            }
            PlaceState::Folded | PlaceState::Out => None,
        })
        .collect();
    let takes_part = |place: &&turnwise_shared::scene::TablePlace| {
        matches!(place.state, PlaceState::Live | PlaceState::AllIn)
    };
    let live = hands.iter().flatten().count();
    if live < 2 || live != table.places.iter().filter(takes_part).count() {
        return None;
    }
    let board: Vec<Card> = cards(&table.board.join(" ")).ok()?;
    let missing = 5_usize.checked_sub(board.len())?;
    let open: CardSet = board.into_iter().collect();
    // Cards of those who folded are known to the reader, and cannot come.
    let seen: CardSet = table
        .places
        .iter()
        .flat_map(|place| place.cards.iter().flatten())
        .filter_map(|card| cards(card).ok()?.into_iter().next())
        .collect();
    let unseen: Vec<Card> =
        Card::all().filter(|card| !seen.contains(*card) && !open.contains(*card)).collect();
    let mut won = vec![0.0; hands.len()];
    let mut boards = 0_u32;
    let mut count = |rest: &[Card]| {
        boards += 1;
        let full = open.and(rest.iter().copied().collect());
        let strengths: Vec<_> =
            hands.iter().map(|hand| hand.map(|hand| full.and(hand).strength())).collect();
        let best = strengths.iter().flatten().max().copied();
        let equal = strengths.iter().filter(|one| **one == best).count();
        for (won, strength) in won.iter_mut().zip(&strengths) {
            if strength.is_some() && *strength == best {
                *won += 1.0 / equal as f64;
            }
        }
    };
    let sampled = missing > 2;
    match missing {
        0 => count(&[]),
        1 => unseen.iter().for_each(|card| count(&[*card])),
        2 => {
            for (at, one) in unseen.iter().enumerate() {
                for other in &unseen[at + 1..] {
                    count(&[*one, *other]);
                }
            }
        }
        _ => {
            let below = u32::try_from(unseen.len()).unwrap_or(0);
            let take = u32::try_from(missing).unwrap_or(0);
            for deal in 0..SAMPLE {
                let rest: Vec<Card> = dice::draw(0, &format!("equity:{deal}"), below, take)
                    .into_iter()
                    .filter_map(|number| unseen.get(number as usize).copied())
                    .collect();
                count(&rest);
            }
        }
    }
    Some(Shares {
        shares: hands
            .iter()
            .zip(won)
            .map(|(hand, won)| hand.map(|_| won / f64::from(boards.max(1))))
            .collect(),
        sampled,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(holes: &[&str], board: &[&str]) -> CardTable {
        let mut table =
            crate::view::testing::table(u32::try_from(holes.len()).expect("a few hands"));
        for (place, hole) in table.places.iter_mut().zip(holes) {
            place.cards = hole.split(' ').map(|card| Some(card.to_owned())).collect();
        }
        table.board = board.iter().map(|card| (*card).to_owned()).collect();
        table
    }

    #[test]
    fn the_best_hand_on_the_river_wins_all() {
        let equity = equity(&table(&["Ah As", "Kh Ks"], &["2c", "7d", "9h", "3s", "4c"]))
            .expect("all hands are seen");
        assert_eq!(equity.shares, [Some(1.0), Some(0.0)]);
        assert!(!equity.sampled);
    }

    #[test]
    fn one_card_to_come_is_counted_exactly() {
        // 44 cards can come; of nine hearts seven make the flush alone, 9h pairs the board and Qh makes four queens.
        let equity = equity(&table(&["Ah Kh", "Qs Qd"], &["2h", "7h", "Qc", "9s"]))
            .expect("all hands are seen");
        let flush = equity.shares[0].expect("its cards are seen");
        assert!((flush - 7.0 / 44.0).abs() < 1e-9, "{flush}");
        assert!((flush + equity.shares[1].expect("its cards are seen") - 1.0).abs() < 1e-9);
    }

    #[test]
    fn before_the_flop_it_is_estimated() {
        let equity = equity(&table(&["Ah As", "7d 2c"], &[])).expect("all hands are seen");
        assert!(equity.sampled);
        let aces = equity.shares[0].expect("its cards are seen");
        assert!((0.84..0.92).contains(&aces), "{aces}");
    }

    #[test]
    fn nothing_is_said_where_a_card_is_face_down() {
        let mut hidden = table(&["Ah As", "7d 2c"], &[]);
        hidden.places[1].cards[0] = None;
        assert_eq!(equity(&hidden), None);
        let mut alone = table(&["Ah As", "7d 2c"], &[]);
        alone.places[1].state = PlaceState::Folded;
        assert_eq!(equity(&alone), None);
        let mut over = table(&["Ah As", "7d 2c"], &[]);
        over.places[0].delta = Some(100);
        assert_eq!(equity(&over), None);
    }
}
