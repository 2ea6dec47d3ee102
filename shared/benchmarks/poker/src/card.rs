//! Cards: ranks, suits, their two spellings, and a deck in the order in which it is dealt.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// How many cards there are.
pub const CARDS: u32 = 52;

/// One of the 52 cards, as a number: `4 × rank + suit`, from the two of hearts (0) to the ace of spades (51).
///
/// It is printed as models and people read it (`10H`, specification 4.b.1) and written into files as hand histories do
/// (`Th`). Both spellings are read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Card(u8);

/// From two to ace; aces are high, and play low only in the straight to five.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rank(u8);

/// The suit of a card. Suits never break ties.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Suit {
    Hearts,
    Diamonds,
    Clubs,
    Spades,
}

/// The 52 cards in the order in which they are dealt.
#[derive(Clone, PartialEq, Eq)]
pub struct Deck([Card; CARDS as usize]);

/// A text that names no card.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is no card: write a rank (2 to 9, 10 or T, J, Q, K, A) and a suit (H, D, C, S), such as 10H or Th"
)]
pub struct BadCard(String);

/// A list that is no deck.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadDeck {
    /// A number that stands for no card.
    #[error("{0} is no card: cards are numbered from 0 to 51")]
    NoCard(u32),
    /// A card that was there before.
    #[error("{0} is in the deck twice")]
    Twice(Card),
    /// Too few or too many.
    #[error("a deck has 52 cards, not {0}")]
    Size(usize),
}

impl Card {
    /// A card of a rank and a suit.
    pub const fn new(rank: Rank, suit: Suit) -> Self {
        Card(4 * rank.0 + suit as u8)
    }

    /// The card with this number, if it is below 52.
    pub const fn from_number(number: u32) -> Option<Self> {
        if number < CARDS { Some(Card(number as u8)) } else { None }
    }

    /// Its number, 0 to 51.
    pub const fn number(self) -> u32 {
        self.0 as u32
    }

    pub const fn rank(self) -> Rank {
        Rank(self.0 / 4)
    }

    pub const fn suit(self) -> Suit {
        Suit::ALL[(self.0 % 4) as usize]
    }

    /// As hand histories write it: `Th`.
    pub fn short(self) -> String {
        let mut text = String::with_capacity(2);
        text.push(self.rank().letter());
        text.push(self.suit().letter().to_ascii_lowercase());
        text
    }

    /// All 52, by number.
    pub fn all() -> impl Iterator<Item = Card> {
        (0..CARDS as u8).map(Card)
    }
}

impl Rank {
    pub const TWO: Rank = Rank(0);
    pub const ACE: Rank = Rank(12);

    /// A rank by its value, 2 to 14 (jack 11, queen 12, king 13, ace 14).
    pub const fn from_value(value: u8) -> Option<Self> {
        if value >= 2 && value <= 14 { Some(Rank(value - 2)) } else { None }
    }

    /// Its value, 2 to 14.
    pub const fn value(self) -> u8 {
        self.0 + 2
    }

    /// Its place from the lowest, 0 to 12.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// One letter, ten as `T`.
    pub const fn letter(self) -> char {
        b"23456789TJQKA"[self.0 as usize] as char
    }

    /// All of them, from two to ace.
    pub fn all() -> impl DoubleEndedIterator<Item = Rank> {
        (0..13).map(Rank)
    }

    fn from_letters(text: &str) -> Option<Self> {
        let letter = match text {
            "10" => 'T',
            _ => {
                let mut letters = text.chars();
                let letter = letters.next()?.to_ascii_uppercase();
                letters.next().is_none().then_some(letter)?
            }
        };
        Rank::all().find(|rank| rank.letter() == letter)
    }
}

impl Suit {
    /// All four, in the order of card numbers.
    pub const ALL: [Suit; 4] = [Suit::Hearts, Suit::Diamonds, Suit::Clubs, Suit::Spades];

    /// `H`, `D`, `C` or `S`.
    pub const fn letter(self) -> char {
        b"HDCS"[self as usize] as char
    }

    /// Its place in [`Suit::ALL`], 0 to 3.
    pub const fn index(self) -> usize {
        self as usize
    }

    fn from_letter(letter: char) -> Option<Self> {
        let letter = letter.to_ascii_uppercase();
        Suit::ALL.into_iter().find(|suit| suit.letter() == letter)
    }
}

impl Deck {
    /// A deck from card numbers, the first of them dealt first.
    ///
    /// # Errors
    ///
    /// If it is not each of the 52 cards once.
    pub fn new(numbers: &[u32]) -> Result<Self, BadDeck> {
        let cards = numbers
            .iter()
            .map(|number| Card::from_number(*number).ok_or(BadDeck::NoCard(*number)))
            .collect::<Result<Vec<_>, _>>()?;
        no_card_twice(&cards)?;
        let cards = cards.try_into().map_err(|cards: Vec<Card>| BadDeck::Size(cards.len()))?;
        Ok(Deck(cards))
    }

    /// A deck that deals these cards first; all others follow by number.
    ///
    /// # Errors
    ///
    /// If one of them stands there twice.
    pub fn starting_with(first: &[Card]) -> Result<Self, BadDeck> {
        no_card_twice(first)?;
        let mut cards = [Card(0); CARDS as usize];
        let others = Card::all().filter(|card| !first.contains(card));
        for (place, card) in cards.iter_mut().zip(first.iter().copied().chain(others)) {
            *place = card;
        }
        Ok(Deck(cards))
    }

    /// The cards, the first of them dealt first.
    pub fn cards(&self) -> &[Card; CARDS as usize] {
        &self.0
    }
}

fn no_card_twice(cards: &[Card]) -> Result<(), BadDeck> {
    let mut seen = 0_u64;
    for card in cards {
        if seen & (1 << card.0) != 0 {
            return Err(BadDeck::Twice(*card));
        }
        seen |= 1 << card.0;
    }
    Ok(())
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.rank(), self.suit().letter())
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Debug for Deck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0).finish()
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.letter() {
            'T' => f.write_str("10"),
            letter => write!(f, "{letter}"),
        }
    }
}

impl FromStr for Card {
    type Err = BadCard;

    fn from_str(text: &str) -> Result<Self, BadCard> {
        let bad = || BadCard(text.to_owned());
        let text = text.trim();
        let suit = text.chars().next_back().ok_or_else(bad)?;
        let rank = &text[..text.len() - suit.len_utf8()];
        match (Rank::from_letters(rank), Suit::from_letter(suit)) {
            (Some(rank), Some(suit)) => Ok(Card::new(rank, suit)),
            _ => Err(bad()),
        }
    }
}

impl From<Card> for String {
    fn from(card: Card) -> String {
        card.short()
    }
}

impl TryFrom<String> for Card {
    type Error = BadCard;

    fn try_from(text: String) -> Result<Self, BadCard> {
        text.parse()
    }
}

/// Reads cards that are separated by blanks: `AH 10C`, `Ah Tc`.
///
/// # Errors
///
/// If one of them is no card.
pub fn cards(text: &str) -> Result<Vec<Card>, BadCard> {
    text.split_whitespace().map(str::parse).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_spellings_are_read_and_written() {
        let ten: Card = "10H".parse().expect("it is a card");
        assert_eq!("Th".parse(), Ok(ten));
        assert_eq!("th".parse(), Ok(ten));
        assert_eq!((ten.to_string(), ten.short()), ("10H".into(), "Th".into()));
        assert_eq!(serde_json::to_string(&ten).expect("a name is JSON"), "\"Th\"");
        assert_eq!(serde_json::from_str::<Card>("\"10H\"").expect("it is a card"), ten);
        for card in Card::all() {
            assert_eq!(card.to_string().parse(), Ok(card));
            assert_eq!(card.short().parse(), Ok(card));
            assert_eq!(Card::new(card.rank(), card.suit()), card);
            assert_eq!(Card::from_number(card.number()), Some(card));
        }
        assert_eq!(Card::from_number(52), None);
        assert_eq!(Rank::from_value(14), Some(Rank::ACE));
        assert_eq!(Rank::from_value(15), None);
    }

    #[test]
    fn what_is_no_card_is_refused() {
        for text in ["", "1H", "11H", "H", "AX", "A", "TTh", "é", "A♥", "AHH"] {
            assert_eq!(text.parse::<Card>(), Err(BadCard(text.into())), "{text}");
        }
        assert_eq!(cards("AH 10C").expect("two cards").len(), 2);
        assert!(cards("AH  XX").is_err());
    }

    #[test]
    fn a_deck_is_each_card_once() {
        let numbers: Vec<u32> = (0..52).rev().collect();
        assert_eq!(Deck::new(&numbers).expect("52 cards, each once").cards()[0].to_string(), "AS");
        assert_eq!(Deck::new(&numbers[1..]), Err(BadDeck::Size(51)));
        assert_eq!(Deck::new(&[52]), Err(BadDeck::NoCard(52)));
        let two_of_hearts = Card::from_number(0).expect("there are 52");
        assert_eq!(Deck::new(&[0, 0]), Err(BadDeck::Twice(two_of_hearts)));
        let deck = Deck::starting_with(&cards("AS KS").expect("two cards")).expect("each once");
        let numbers: Vec<u32> = deck.cards().iter().map(|card| card.number()).collect();
        assert_eq!(Deck::new(&numbers), Ok(deck));
        assert!(Deck::starting_with(&cards("AS AS").expect("two names of cards")).is_err());
    }
}
