//! What seats say.

use turnwise_core::parse;
use turnwise_core::parse::verdict::{self, Word};
use turnwise_core::prelude::*;

/// What the player writes before its number.
pub const TAG: &str = "GUESS:";

/// What the judge says of a guess.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    Higher,
    Lower,
    Equal,
}

impl Answer {
    pub const ALL: [Answer; 3] = [Answer::Higher, Answer::Lower, Answer::Equal];

    /// The word, as the judge is asked to write it.
    pub fn word(self) -> &'static str {
        match self {
            Answer::Higher => "HIGHER",
            Answer::Lower => "LOWER",
            Answer::Equal => "EQUAL",
        }
    }
}

/// The player's guess: the number behind the tag in the last line that has it, reasoning left aside.
///
/// # Errors
/// Which rule the reply breaks; such a turn is lost.
pub fn guess(text: &str, most: u32) -> Result<u32, Fault> {
    let said = parse::said(text);
    let mut lines = said.lines().rev();
    let number = lines.find_map(|line| line.trim().strip_prefix(TAG)).map(str::trim);
    let number =
        number.ok_or_else(|| Fault::new("no_guess", format!("no line begins with {TAG}")))?;
    let guess = number.parse().ok().filter(|guess| (1..=most).contains(guess));
    guess.ok_or_else(|| {
        Fault::new("not_in_range", format!("it is no whole number from 1 to {most}"))
    })
}

/// The judge's word; `None` if the reply says none of them, or several.
pub fn answer(text: &str) -> Option<Answer> {
    const WORDS: &[Word<Answer>] = &[
        Word::of(Answer::Higher, &["higher"]),
        Word::of(Answer::Lower, &["lower"]),
        Word::of(Answer::Equal, &["equal"]),
    ];
    verdict::read(text, WORDS)
}
