//! Whether a text tells a value (specification 4.6). Texts are compared word by word, so that `148 concerts` does not hold
//! `48 concerts`.

use super::text::{Words, is_han};

/// Whether the words of a value stand side by side in a text.
pub fn contains(text: &str, value: &str) -> bool {
    Words::of(text).holds(&Words::of(value))
}

/// Whether a text gives a value away: it holds the value, the value is distinctive (a digit, four letters or two Han
/// characters), and none of the texts that the player knows anyhow (question, query, keys) holds it.
pub fn leaks<'a>(text: &str, value: &str, known: impl IntoIterator<Item = &'a str>) -> bool {
    let known: Vec<Words> = known.into_iter().map(Words::of).collect();
    secret(value, known.iter()).is_some_and(|secret| Words::of(text).holds(&secret))
}

/// The words of a value that no text may hold: it is distinctive, and none of the known texts holds it.
pub(super) fn secret<'a>(value: &str, mut known: impl Iterator<Item = &'a Words>) -> Option<Words> {
    let words = Words::of(value);
    (distinctive(&words) && !known.any(|known| known.holds(&words))).then_some(words)
}

fn distinctive(words: &Words) -> bool {
    let han = words.0.iter().filter(|word| is_han(word)).count();
    let letters: usize = words
        .0
        .iter()
        .filter(|word| !is_han(word))
        .map(|word| word.chars().filter(|c| c.is_alphabetic()).count())
        .sum();
    let digits = words.0.iter().any(|word| word.chars().any(char::is_numeric));
    digits || letters >= 4 || han >= 2
}
