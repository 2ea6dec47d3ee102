//! The signs of a plain answer: numbers, names, and characters.

use super::is_word;
use super::read::{AMBIGUOUS, NOT_MATHS, Refusal};

#[derive(Debug, Clone, PartialEq)]
pub enum Token {
    /// Digits, and the digits after a decimal point.
    Number(String, Option<String>),
    /// A letter, or the name of a function or a Greek letter.
    Name(String),
    Sign(char),
}

const SIGNS: &str = "()[]{}⦃⦄^_!+-*/,<>≤≥=≠≡∈∪∨±√∛|⌊⌋⌈⌉%°∞&▦■↵";

/// Parts a plain answer.
///
/// # Errors
/// If it has signs of something else, or numbers that can be read in two ways.
pub fn tokens(text: &str) -> Result<Vec<Token>, Refusal> {
    let mut tokens: Vec<Token> = Vec::new();
    let (mut rest, mut brackets) = (text, 0_i32);
    let run = |text: &str| text.bytes().take_while(u8::is_ascii_alphabetic).count();
    while let Some(char) = rest.chars().next() {
        let after = &rest[char.len_utf8()..];
        rest = match char {
            ' ' => after,
            '0'..='9' | '.' => number(rest, brackets > 0, &mut tokens)?,
            'a'..='z' | 'A'..='Z' => {
                let (letters, after) = rest.split_at(run(rest));
                word(letters, &mut tokens)?;
                after
            }
            '\\' => {
                let (name, after) = after.split_at(run(after));
                if !["command", "name", "greek"].iter().any(|kind| is_word(kind, name)) {
                    return Err(NOT_MATHS);
                }
                tokens.push(Token::Name(name.to_owned()));
                after
            }
            _ if SIGNS.contains(char) => {
                brackets += i32::from("([⦃▦".contains(char)) - i32::from(")]⦄■".contains(char));
                tokens.push(Token::Sign(char));
                after
            }
            _ => return Err(NOT_MATHS),
        };
    }
    Ok(tokens)
}

/// A number. Groups of three may be parted by a comma, `{,}` or a blank; within brackets a comma parts values.
fn number<'a>(text: &'a str, within: bool, tokens: &mut Vec<Token>) -> Result<&'a str, Refusal> {
    let digits = |text: &'a str| text.split_at(text.bytes().take_while(u8::is_ascii_digit).count());
    let (first, mut rest) = digits(text);
    let mut whole = first.to_owned();
    let marks: &[&str] = if within { &["{,}", " "] } else { &["{,}", " ", ","] };
    while let Some(after) = marks.iter().find_map(|mark| rest.strip_prefix(mark)) {
        let (group, after) = digits(after);
        if group.len() != 3 || first.len() > 3 || first.starts_with('0') {
            break;
        }
        whole.push_str(group);
        rest = after;
    }
    let mut places = None;
    if let Some(after) = rest.strip_prefix('.') {
        let (read, after) = digits(after);
        if after.starts_with('.') || whole.is_empty() && read.is_empty() {
            return Err(NOT_MATHS);
        }
        (places, rest) = (Some(read.to_owned()), after);
    }
    // `1e6`, `1.5e-3`, but not `3e-5`, which may be a difference.
    let is_sure = places.is_some() || whole == "1" || rest.starts_with('E');
    tokens.push(Token::Number(whole, places));
    let Some(power) = rest.strip_prefix(['e', 'E']) else {
        return Ok(rest);
    };
    let unsigned = power.strip_prefix(['-', '+']).unwrap_or(power);
    let (exponent, after) = digits(unsigned);
    match (exponent.is_empty(), unsigned.len() == power.len() || is_sure) {
        (true, _) => return Ok(rest),
        (false, false) => return Err(AMBIGUOUS),
        (false, true) => {}
    }
    tokens.extend([Token::Sign('*'), Token::Number("10".to_owned(), None), Token::Sign('^')]);
    tokens.extend(power.starts_with('-').then_some(Token::Sign('-')));
    tokens.push(Token::Number(exponent.to_owned(), None));
    Ok(after)
}

/// Letters without anything between them: a known name, one letter, or a few letters of one group, such as `xy`. Words are refused.
fn word(letters: &str, tokens: &mut Vec<Token>) -> Result<(), Refusal> {
    if is_word("name", letters) {
        tokens.push(Token::Name(letters.to_owned()));
        return Ok(());
    }
    let is_group = |group: &str| letters.chars().all(|letter| group.contains(letter));
    let group = ["xyz", "abcd", "klmn", "pqrs", "tuvw"].iter().position(|group| is_group(group));
    let is_sorted = letters.as_bytes().is_sorted_by(|one, next| one < next);
    // Three letters in another order may be a word, or the corners of something.
    let is_product = group == Some(0) || group.is_some() && (is_sorted || letters.len() == 2);
    if letters.len() > 1 && !is_product {
        return Err(NOT_MATHS);
    }
    tokens.extend(letters.chars().map(|letter| Token::Name(letter.to_string())));
    Ok(())
}
