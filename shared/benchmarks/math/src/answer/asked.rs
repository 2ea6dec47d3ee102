//! What a problem's text says of its answer: the unit, the letter, and how exact it has to be.

use super::{is_word, words};

/// Whether a unit is what the problem names as the unit of its answer, wherever it names one: `how many UNIT`, or `in UNIT` after a word
/// that asks. Letters, commands and words of the language are none.
pub fn is_unit(problem: &str, unit: &str) -> bool {
    let is_of_language = |word: &str| {
        let word = word.to_ascii_lowercase();
        is_word("after a unit", &word) || is_word("factor", &word)
    };
    let is_name = |word: &str| {
        word.chars().count() > 1 && word.chars().all(char::is_alphabetic) && !is_of_language(word)
    };
    let is_whole = |after: &str| match after.strip_prefix(' ') {
        Some(after) => {
            let next = first_letters(after);
            let is_power = after.starts_with("$^") || after.starts_with(['^', '/']);
            is_word("after a unit", next) || next.is_empty() && !is_power
        }
        None => after.is_empty() || after.starts_with([',', '.', ';', ':', ')']),
    };
    let text: Vec<&str> = problem.split_whitespace().collect();
    let text = text.join(" ");
    let sentences = text.split(['?', '!']).flat_map(|part| part.split(". "));
    let mut claims = sentences.filter_map(claim).peekable();
    unit.split(' ').all(is_name)
        && claims.peek().is_some()
        && claims.all(|claim| claim.strip_prefix(unit).is_some_and(is_whole))
}

fn first_letters(text: &str) -> &str {
    let end = text.find(|char: char| !char.is_alphabetic());
    &text[..end.unwrap_or(text.len())]
}

/// Where a sentence names the unit of the answer.
fn claim(sentence: &str) -> Option<&str> {
    let lower = sentence.to_ascii_lowercase();
    let at = match lower.rfind("how many ") {
        Some(at) => at + "how many ".len(),
        None => {
            let mut words = lower.split(|char: char| !char.is_ascii_alphabetic());
            let from = lower.find(words.find(|word| is_word("asks", word))?)?;
            from + lower[from..].find(" in ")? + " in ".len()
        }
    };
    Some(&sentence[at..])
}

/// Whether the problem asks for something else than the letter that an answer names.
pub fn is_for_another(problem: &str, name: &str) -> bool {
    let lower = problem.to_ascii_lowercase();
    let is_it = |(at, ask): (usize, &str)| {
        let object = problem[at + ask.len()..].trim_start_matches([' ', '$', '(', '\\', ':']);
        object.strip_prefix(name).map(str::trim_start).is_some_and(|after| {
            let is_end = after.is_empty() || after.starts_with(['$', '?', '.', ',', ')', ';', ':']);
            is_end || first_letters(after).len() > 1
        })
    };
    let asks = || words("object").flat_map(|ask| lower.match_indices(ask));
    asks().next().is_some() && !asks().chain(lower.match_indices("for ")).any(is_it)
}

/// Whether the answer is wanted up to a factor only.
pub fn is_up_to_scale(problem: &str) -> bool {
    let lower = problem.to_ascii_lowercase();
    lower.split("up to ").skip(1).any(|after| {
        let near: String = after.chars().take(40).collect();
        words("scale").any(|factor| near.contains(factor))
    })
}

/// Whether the problem is about complex numbers.
pub fn is_complex(problem: &str) -> bool {
    let lower = problem.to_ascii_lowercase();
    words("complex").any(|word| lower.contains(word))
}
