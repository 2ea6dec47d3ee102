//! Slips of the pen: one letter too many, too few or wrong, or two in the wrong order; and years that are not four digits.

use std::collections::{BTreeMap, BTreeSet};

use super::text::{Words, is_han, is_year};

/// How the words of a world are spelt.
pub(super) struct Spelling {
    /// The stem of each spelling.
    known: BTreeMap<String, String>,
    stems: BTreeSet<String>,
    /// Words that every world knows.
    common: &'static BTreeSet<String>,
}

impl Spelling {
    /// What the texts say may be meant; the words are known as well.
    pub fn new<'a>(
        texts: impl Iterator<Item = &'a str>,
        words: impl Iterator<Item = String>,
        common: &'static BTreeSet<String>,
    ) -> Self {
        let known: BTreeMap<String, String> = texts
            .flat_map(Words::spelt)
            .map(|word| {
                let stem = Words::stems(std::slice::from_ref(&word)).0.remove(0);
                (word, stem)
            })
            .collect();
        let stems = known.values().cloned().chain(words).collect();
        Spelling { known, stems, common }
    }

    /// Whether the word is one of a world's.
    pub fn knows(&self, stem: &str) -> bool {
        self.stems.contains(stem)
    }

    /// Whether the word is one of the world's, which stands in the plural there.
    pub fn plural(&self, word: &str) -> bool {
        self.known.contains_key(&format!("{word}s"))
    }

    /// The words that are meant: those of a world instead of those that differ by one slip. And the same words as they are
    /// spelt, one for one.
    pub fn meant(&self, query: &str) -> (Words, Vec<String>) {
        let spelt = Words::spelt(query);
        let mut words = Words::stems(&spelt);
        for (word, stem) in spelt.iter().zip(&mut words.0) {
            if self.stems.contains(stem) || self.common.contains(stem) {
                continue;
            }
            let near = self.known.iter().filter(|(known, _)| slipped(word, known));
            let near: BTreeSet<&String> = near.map(|(_, stem)| stem).collect();
            if let Some(only) = near.first().filter(|_| near.len() == 1) {
                *stem = (*only).clone();
            }
        }
        (Words(years(&words.0)), years(&spelt))
    }
}

/// Whether a word is another with one slip. Short words are close to too many others: under six letters only two letters in
/// the wrong order count. The first letter is right, unless it stands second.
fn slipped(word: &str, known: &str) -> bool {
    let latin = |word: &str| word.bytes().all(|byte| byte.is_ascii_lowercase());
    if !latin(word) || !latin(known) || word.len().min(known.len()) < 4 {
        return false;
    }
    // Who does something is not what is done: `scorer`, `scored`.
    if (word.ends_with("er") || word.ends_with("ers")) && known.ends_with("ed") {
        return false;
    }
    let (a, b) = (word.as_bytes(), known.as_bytes());
    let front = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[front..], &b[front..]);
    let back = a.iter().rev().zip(b.iter().rev());
    let back = back.take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[..a.len() - back], &b[..b.len() - back]);
    match (a, b) {
        ([x, y], [v, w]) => x == w && y == v,
        ([], [_]) | ([_], []) | ([_], [_]) => front > 0 && word.len().max(known.len()) >= 6,
        _ => false,
    }
}

/// Years as four digits: `二〇三四年` and `34年` are 2034.
fn years(words: &[String]) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for word in words {
        if word == "年" {
            let numerals: Option<String> = out
                .len()
                .checked_sub(4)
                .and_then(|from| out[from..].iter().map(|word| numeral(word)).collect());
            if let Some(year) = numerals.filter(|year| is_year(year)) {
                out.truncate(out.len() - 4);
                out.push(year);
            } else if let Some(last) = out.last_mut()
                && last.len() == 2
                && last.parse().is_ok_and(|short: u32| (20..100).contains(&short))
            {
                last.insert_str(0, "20");
            }
        }
        out.push(word.clone());
    }
    out
}

/// The digit that a word is.
fn numeral(word: &str) -> Option<char> {
    let mut characters = word.chars();
    let (character, None) = (characters.next()?, characters.next()) else {
        return None;
    };
    match character {
        '零' | '〇' => Some('0'),
        _ => "一二三四五六七八九"
            .chars()
            .zip('1'..='9')
            .find_map(|(han, digit)| (han == character).then_some(digit)),
    }
}

/// Whether a Chinese name of five characters or more stands at a place with one character wrong.
pub(super) fn misspelt(query: &[String], name: &[String]) -> bool {
    name.len() >= 5
        && query.len() == name.len()
        && query.iter().chain(name).all(|word| is_han(word))
        && query.iter().zip(name).filter(|(a, b)| a != b).count() == 1
}
