//! Which hand is better: the best five of five to seven cards as one number (specification 4.b.5).
//!
//! Our own, and without tables. Crates that rank seven cards were looked at (`aya_poker`, `poker`, `rs_poker`, `ckc-rs`,
//! `poker_eval`): the fastest, which the bench compares with, brings generated tables, had one release, and says neither class
//! nor tie-breaks as the rules put them. The cards lie as four masks of ranks, one for each suit; what is there twice, three or four times comes from
//! `and` and `or` of the masks, and cards that tie two hands are compared as masks, too: the higher rank is the higher bit.

use turnwise_core::prelude::*;

use super::card::{Card, Rank};

/// A set of cards: four lanes of 16 bits, one for each suit, with a bit for each rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct CardSet(u64);

choices! {
    /// The classes of hands, the lowest first.
    pub enum Class {
        HighCard = "high_card" => "high card",
        Pair = "pair" => "a pair",
        /// Two of one rank and two of another.
        TwoPair = "two_pair" => "two pair",
        Trips = "trips" => "three of a kind",
        /// Five ranks in a row; the ace is also below the two.
        Straight = "straight" => "a straight",
        Flush = "flush" => "a flush",
        /// Three of one rank and two of another.
        FullHouse = "full_house" => "a full house",
        Quads = "quads" => "four of a kind",
        /// Five of a suit in a row; with the ace on top it is called royal.
        StraightFlush = "straight_flush" => "a straight flush",
    }
}

/// How strong a hand is: the larger wins, equal ones share. Class, then ranks that count first, then kickers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Strength(u32);

const LANE: u32 = 16;
/// The ranks of one suit.
const RANKS: u32 = (1 << 13) - 1;

impl CardSet {
    pub const EMPTY: CardSet = CardSet(0);

    /// The set with this card, too.
    #[must_use]
    pub const fn with(self, card: Card) -> Self {
        CardSet(self.0 | 1 << (LANE * (card.number() % 4) + card.number() / 4))
    }

    /// All cards of both sets.
    #[must_use]
    pub const fn and(self, other: CardSet) -> Self {
        CardSet(self.0 | other.0)
    }

    /// Is the card in it?
    pub fn contains(self, card: Card) -> bool {
        self.with(card) == self
    }

    /// How strong the best five of them are. The set has five to seven cards.
    pub fn strength(self) -> Strength {
        let counts = counts(self.0);
        let cards = (counts.wrapping_mul(0x0001_0001_0001_0001) >> 48) as u32;
        debug_assert!((5..=7).contains(&cards), "five to seven cards are ranked");
        // Five and three make eight: the fourth bit of a lane says that the suit is there five times.
        let five = (counts + 0x0003_0003_0003_0003) & 0x0008_0008_0008_0008;
        if five != 0 {
            // Five different ranks leave no room for a full house or quads in seven cards.
            let lane = five.trailing_zeros() / LANE * LANE;
            let suited = (self.0 >> lane) as u32 & RANKS;
            let spare = ((counts >> lane) & 0xf) as u32 - 5;
            return match straight(suited) {
                0 => Strength::of(Class::Flush, without_lowest(suited, spare), 0),
                top => Strength::of(Class::StraightFlush, top, 0),
            };
        }
        of_ranks(self.0, cards - 5)
    }
}

/// The strength of cards without a flush, of which `spare` more than five are there.
///
/// High card, one pair and two pair, five of six hands, are classified without a branch: a processor cannot guess them.
fn of_ranks(cards: u64, spare: u32) -> Strength {
    let lane = |suit: u32| (cards >> (LANE * suit)) as u32 & RANKS;
    let [a, b, c, d] = [lane(0), lane(1), lane(2), lane(3)];
    let any = a | b | c | d;
    let twice = (a & b) | (c & d) | ((a | b) & (c | d));
    let thrice = (a & b & (c | d)) | (c & d & (a | b));
    let top = straight(any);
    if thrice | top != 0 {
        return of_three_or_straight(any, twice, thrice, a & b & c & d, top, spare);
    }
    let first = highest(twice);
    let second = highest(twice ^ first);
    let rest = any ^ (first | second);
    let (one, three) = (highest(rest), without_lowest(rest, spare));
    let pairs = u32::from(first != 0) + u32::from(second != 0);
    let kickers = if second != 0 { one } else { three };
    // Without a pair all five cards are kickers, and compare the same as if they counted first.
    Strength(pairs << 26 | (first | second) << 13 | kickers)
}

/// The strength of cards without a flush in which a rank is there three times or five are in a row up to `top`.
fn of_three_or_straight(
    any: u32,
    twice: u32,
    thrice: u32,
    fourfold: u32,
    top: u32,
    spare: u32,
) -> Strength {
    if fourfold != 0 {
        return Strength::of(Class::Quads, fourfold, highest(any ^ fourfold));
    }
    let trips = highest(thrice);
    let pair = highest(twice ^ trips);
    if trips != 0 && pair != 0 {
        Strength::of(Class::FullHouse, trips, pair)
    } else if top != 0 {
        Strength::of(Class::Straight, top, 0)
    } else {
        Strength::of(Class::Trips, trips, without_lowest(any ^ trips, spare))
    }
}

impl Strength {
    fn of(class: Class, ranks: u32, kickers: u32) -> Self {
        Strength((class as u32) << 26 | ranks << 13 | kickers)
    }

    /// The strength of the best five of these five to seven different cards.
    pub fn of_cards(cards: &[Card]) -> Self {
        cards.iter().copied().collect::<CardSet>().strength()
    }

    pub fn class(self) -> Class {
        Class::ALL[(self.0 >> 26) as usize]
    }

    /// What decides between two hands of this class, as values from 2 to 14, the most important first (specification
    /// 4.b.5): for quads the rank and the kicker, for a straight its top card, and so on.
    pub fn tie_breaks(self) -> Vec<u8> {
        let values = |mask: u32| {
            Rank::all().rev().filter(move |rank| mask & (1 << rank.index()) != 0).map(Rank::value)
        };
        values(self.0 >> 13 & RANKS).chain(values(self.0 & RANKS)).collect()
    }

    /// Is it a straight flush to the ace?
    pub fn is_royal(self) -> bool {
        self == Strength::of(Class::StraightFlush, 1 << Rank::ACE.index(), 0)
    }
}

impl FromIterator<Card> for CardSet {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Self {
        cards.into_iter().fold(CardSet::EMPTY, CardSet::with)
    }
}

impl std::fmt::Debug for Strength {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} {:?}", self.class(), self.tie_breaks())
    }
}

/// How many bits are set in each lane.
fn counts(lanes: u64) -> u64 {
    let pairs = lanes - (lanes >> 1 & 0x5555_5555_5555_5555);
    let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let bytes = (fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    (bytes + (bytes >> 8)) & 0x00ff_00ff_00ff_00ff
}

/// The top rank of the best five in a row, or nothing.
fn straight(ranks: u32) -> u32 {
    // One place up, so that the ace can also stand below the two.
    let places = ranks << 1 | ranks >> Rank::ACE.index();
    let runs = places & places << 1 & places << 2 & places << 3 & places << 4;
    highest(runs >> 1)
}

/// The highest bit, or nothing.
fn highest(mask: u32) -> u32 {
    // The bit that is set besides is below all ranks once it is shifted out again.
    1 << (mask << 1 | 1).ilog2() >> 1
}

/// Without the lowest bits; five to seven cards leave out up to two.
fn without_lowest(mask: u32, how_many: u32) -> u32 {
    let one = mask & mask.wrapping_sub(1);
    let two = one & one.wrapping_sub(1);
    match how_many {
        0 => mask,
        1 => one,
        _ => two,
    }
}

#[cfg(test)]
mod tests;
