//! `bot:exact`: a grader that compares names.

use turnwise_core::kit::words::folded;

/// Whether an answer equals one of the names, letter case, punctuation, blanks, full-width forms and an article aside.
pub fn is_one_of<'a>(answer: &str, names: impl Iterator<Item = &'a str>) -> bool {
    let answer = folded(answer);
    !answer.is_empty() && names.map(folded).any(|name| name == answer)
}
