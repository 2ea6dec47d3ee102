use super::super::card::cards;
use super::*;
use turnwise_core::dice;

fn strength(text: &str) -> Strength {
    Strength::of_cards(&cards(&text.replace('|', " ")).unwrap())
}

#[test]
fn golden_ranks() {
    for (hand, class, tie_breaks) in [
        ("AH KH | QH JH 10H 2C 3D", Class::StraightFlush, &[14][..]),
        ("AS 2S | 3S 4S 5S KD KC", Class::StraightFlush, &[5]),
        ("AH 2D | 3C 4S 5H 9D 9C", Class::Straight, &[5]),
        ("9H 9D | 9C 9S KD QD 2C", Class::Quads, &[9, 13]),
        ("8H 8D | 8C KS KD KH 2C", Class::FullHouse, &[13, 8]),
        ("AH AD | KH KD QH QD JC", Class::TwoPair, &[14, 13, 12]),
        ("2H 7H | 9H JH KH AH 3D", Class::Flush, &[14, 13, 11, 9, 7]),
        ("7C 7D | 7S AS KD 3H 2C", Class::Trips, &[7, 14, 13]),
        ("5H 5D | AC KS 9H 7D 2C", Class::Pair, &[5, 14, 13, 9]),
    ] {
        let strength = strength(hand);
        assert_eq!(strength.class(), class, "{hand}");
        assert_eq!(strength.tie_breaks(), tie_breaks, "{hand}");
        assert_eq!(strength.is_royal(), hand.starts_with("AH KH"), "{hand}");
    }
    assert_eq!(strength("AH KD | AC KS 7D 5H 2C"), strength("AS KC | AC KS 7D 5H 2C"));
}

/// Class and tie-breaks of exactly five cards, said as the rules say it, with counting and sorting only.
fn plainly(five: &[Card]) -> (Class, Vec<u8>) {
    let mut values: Vec<u8> = five.iter().map(|card| card.rank().value()).collect();
    let count = |value: u8| five.iter().filter(|c| c.rank().value() == value).count();
    values.sort_by_key(|value| std::cmp::Reverse((count(*value), *value)));
    let groups: Vec<usize> = values.iter().map(|value| count(*value)).collect();
    values.dedup();
    let is_flush = five.iter().all(|card| card.suit() == five[0].suit());
    let top_of_straight = match values[..] {
        [14, 5, 4, 3, 2] => Some(5),
        [top, _, _, _, low] if top - low == 4 => Some(top),
        _ => None,
    };
    let class = match (groups[0], groups[groups[0]..].first().copied().unwrap_or(0)) {
        (4, _) => Class::Quads,
        (3, 2) => Class::FullHouse,
        (3, _) => Class::Trips,
        (2, 2) => Class::TwoPair,
        (2, _) => Class::Pair,
        _ => match (top_of_straight, is_flush) {
            (Some(_), true) => Class::StraightFlush,
            (Some(_), false) => Class::Straight,
            (None, true) => Class::Flush,
            (None, false) => Class::HighCard,
        },
    };
    match (class, top_of_straight) {
        (Class::Straight | Class::StraightFlush, Some(top)) => (class, vec![top]),
        _ => (class, values),
    }
}

/// The best of all choices of five out of seven.
fn by_brute_force(seven: &[Card]) -> (Class, Vec<u8>) {
    let mut best = (Class::HighCard, Vec::new());
    for left_out in 0..7 {
        for also in 0..left_out {
            let five: Vec<Card> = (0..7)
                .filter(|index| *index != left_out && *index != also)
                .map(|index| seven[index])
                .collect();
            best = best.max(plainly(&five));
        }
    }
    best
}

#[test]
fn seven_cards_agree_with_all_21_choices_of_five() {
    let mut seen = std::collections::BTreeSet::new();
    let mut before: Option<(Strength, (Class, Vec<u8>))> = None;
    for deal in 0..3_000 {
        let drawn = dice::draw(deal, "seven", 52, 49);
        for seven in drawn.chunks(7) {
            let seven: Vec<Card> =
                seven.iter().map(|number| Card::from_number(*number).unwrap()).collect();
            let plainly = by_brute_force(&seven);
            let strength = Strength::of_cards(&seven);
            assert_eq!((strength.class(), strength.tie_breaks()), plainly, "{seven:?}");
            if let Some((other, other_plainly)) = &before {
                assert_eq!(strength.cmp(other), plainly.cmp(other_plainly), "{seven:?}");
            }
            seen.insert(strength.class());
            before = Some((strength, plainly));
        }
    }
    assert!(seen.len() >= 8, "{seen:?}");
}

#[test]
fn six_cards_and_five_are_ranked_too() {
    for deal in 0..3_000 {
        let drawn = dice::draw(deal, "five", 52, 6);
        let six: Vec<Card> =
            drawn.iter().map(|number| Card::from_number(*number).unwrap()).collect();
        let of_five = Strength::of_cards(&six[..5]);
        assert_eq!((of_five.class(), of_five.tie_breaks()), plainly(&six[..5]));
        let best = (0..6)
            .map(|left_out| {
                let mut five = six.clone();
                five.remove(left_out);
                plainly(&five)
            })
            .max()
            .unwrap();
        let of_six = Strength::of_cards(&six);
        assert_eq!((of_six.class(), of_six.tie_breaks()), best, "{six:?}");
    }
}

/// The known numbers of all 2,598,960 hands of five cards.
#[test]
fn every_hand_of_five_is_in_its_class() {
    let mut counts = [0_u32; 9];
    let mut kinds = std::collections::BTreeSet::new();
    let lanes: Vec<CardSet> = Card::all().map(|c| CardSet::EMPTY.with(c)).collect();
    for a in 0..52 {
        for b in 0..a {
            let two = lanes[a].and(lanes[b]);
            for c in 0..b {
                let three = two.and(lanes[c]);
                for d in 0..c {
                    let four = three.and(lanes[d]);
                    for fifth in &lanes[..d] {
                        let strength = four.and(*fifth).strength();
                        counts[strength.class() as usize] += 1;
                        if a / 4 == 12 && b / 4 < 12 {
                            kinds.insert(strength);
                        }
                    }
                }
            }
        }
    }
    assert_eq!(counts, [1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 40]);
    assert!(kinds.contains(&strength("AS KS QS JS 10S")));
}
