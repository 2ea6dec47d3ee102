//! A few words around what was found.

use serde::{Deserialize, Serialize};

/// Characters on either side of the first hit.
const AROUND: usize = 60;

/// A part of an excerpt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Piece {
    /// The text; runs of blanks and line breaks are one blank.
    pub text: String,
    /// Whether it is what was looked for.
    #[serde(default, skip_serializing_if = "is_plain")]
    pub found: Mark,
}

/// Whether a part of an excerpt is what was looked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    #[default]
    Plain,
    Found,
}

fn is_plain(mark: &Mark) -> bool {
    *mark == Mark::Plain
}

/// The surroundings of the first of these words (in lower case) in a text, with every word marked that stands in them.
pub(super) fn around(words: &[String], text: &str) -> Vec<Piece> {
    let text: Vec<char> = text.split_whitespace().collect::<Vec<_>>().join(" ").chars().collect();
    let found = places(words, &text);
    let first = found.first().map_or((0, 0), |place| *place);
    let start = first.0.saturating_sub(AROUND);
    let end = (first.1 + AROUND).min(text.len());
    let mut pieces: Vec<Piece> = Vec::new();
    let mut add = |from: usize, to: usize, found: Mark| {
        if from < to {
            pieces.push(Piece { text: text[from..to].iter().collect(), found });
        }
    };
    let mut at = start;
    for (from, to) in found {
        if from < at || to > end {
            continue;
        }
        add(at, from, Mark::Plain);
        add(from, to, Mark::Found);
        at = to;
    }
    add(at, end, Mark::Plain);
    if let (true, Some(piece)) = (start > 0, pieces.first_mut()) {
        piece.text.insert(0, '…');
    }
    if let (true, Some(piece)) = (end < text.len(), pieces.last_mut()) {
        piece.text.push('…');
    }
    pieces
}

/// Where the words stand, in characters, in order; the longer of two that begin alike first.
fn places(words: &[String], text: &[char]) -> Vec<(usize, usize)> {
    // Lower case can be longer than what it comes from, so every sign remembers its origin.
    let (mut lower, mut origin) = (String::new(), Vec::new());
    for (at, sign) in text.iter().enumerate() {
        for small in sign.to_lowercase() {
            lower.push(small);
            origin.extend(std::iter::repeat_n(at, small.len_utf8()));
        }
    }
    let mut places: Vec<(usize, usize)> = words
        .iter()
        .flat_map(|word| {
            let ends = word.len();
            lower.match_indices(word.as_str()).map(move |(from, _)| (from, from + ends - 1))
        })
        .map(|(from, last)| (origin[from], origin[last] + 1))
        .collect();
    places.sort_by_key(|(from, to)| (*from, usize::MAX - *to));
    places
}
