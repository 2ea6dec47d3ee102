//! `bot:exact` in the judge's seat: it compares what is written.

use super::super::reading::judge::Verdict;
use super::super::tokens::Tokens;
use turnwise_core::prelude::*;

/// What it replies, in the judge's format.
pub fn exact(asked: &Asked<'_>) -> String {
    let verdict = match same(asked.variable("prediction"), asked.variable("answer")) {
        true => Verdict::Correct,
        false => Verdict::Incorrect,
    };
    format!("<think>Compared word by word.</think>\n<answer>{}</answer>", verdict.name())
}

/// Whether two answers say the same in the same words: case, width, white space, punctuation and the way in which a number is
/// written aside. Two answers of punctuation alone are the same if they are letter by letter.
pub fn same(one: &str, other: &str) -> bool {
    let (read, wanted) = (Tokens::of(one), Tokens::of(other));
    if wanted.is_empty() {
        return one.trim() == other.trim();
    }
    read.items == wanted.items
}
