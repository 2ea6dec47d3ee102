//! The passage of a document that says most about a query.

use std::collections::{BTreeMap, BTreeSet};

use super::segment;

const WORDS: usize = 40;
/// Signs of a passage, where words are not set apart.
const SIGNS: usize = 80;

/// The window of about forty words (or eighty signs) with the most different terms of the query; of equal neighbours the middle one.
/// `…` stands where the text goes on.
pub fn snippet(text: &str, query: &str) -> String {
    let wanted: BTreeSet<String> = segment::terms(query).into_iter().collect();
    let pieces = pieces(text);
    let characters = pieces.iter().filter(|(piece, _)| piece.chars().all(segment::is_sign)).count();
    let length = if characters * 2 > pieces.len() { SIGNS } else { WORDS };
    if pieces.len() <= length {
        return text.trim().to_owned();
    }
    let found: Vec<Option<&String>> = matches(&pieces, &wanted);
    let counts = counts(&found, length);
    let most = counts.iter().copied().max().unwrap_or(0);
    let first = counts.iter().position(|count| *count == most).unwrap_or(0);
    // Of the windows next to each other that say as much, the middle one: what was looked for stands in its middle.
    let equal = counts[first..].iter().take_while(|count| **count == most).count();
    let best = if most == 0 { 0 } else { first + (equal - 1) / 2 };
    let start = pieces[best].1;
    let (last, at) = pieces[best + length - 1];
    let end = at + last.len();
    // A closing mark right behind the window belongs to it.
    let end = text[end..]
        .chars()
        .next()
        .filter(|mark| matches!(mark, '.' | '!' | '?' | '。' | '！' | '？'))
        .map_or(end, |mark| end + mark.len_utf8());
    let before = if best > 0 { "… " } else { "" };
    let after = if text[end..].trim().is_empty() { "" } else { " …" };
    format!("{before}{}{after}", text[start..end].trim())
}

/// Words and single signs with their places.
fn pieces(text: &str) -> Vec<(&str, usize)> {
    let mut pieces = Vec::new();
    let mut start = None;
    for (at, character) in text.char_indices().chain([(text.len(), ' ')]) {
        let in_word = character.is_alphanumeric() && !segment::is_sign(character);
        if in_word {
            start.get_or_insert(at);
            continue;
        }
        if let Some(from) = start.take() {
            pieces.push((&text[from..at], from));
        }
        if segment::is_sign(character) {
            pieces.push((&text[at..at + character.len_utf8()], at));
        }
    }
    pieces
}

/// How many different terms each window of that length has, from one window to the next.
fn counts(found: &[Option<&String>], length: usize) -> Vec<usize> {
    let mut inside: BTreeMap<&String, usize> = BTreeMap::new();
    let mut counts = Vec::with_capacity(found.len() + 1 - length);
    for (end, term) in found.iter().enumerate() {
        if let Some(term) = term {
            *inside.entry(term).or_default() += 1;
        }
        let gone = end.checked_sub(length).and_then(|gone| found[gone]);
        if let Some(term) = gone
            && let Some(count) = inside.get_mut(term)
        {
            *count -= 1;
            if *count == 0 {
                inside.remove(term);
            }
        }
        if end + 1 >= length {
            counts.push(inside.len());
        }
    }
    counts
}

/// Which term of the query each piece is, or begins.
fn matches<'a>(pieces: &[(&str, usize)], wanted: &'a BTreeSet<String>) -> Vec<Option<&'a String>> {
    pieces
        .iter()
        .enumerate()
        .map(|(index, (piece, _))| {
            if !piece.chars().all(segment::is_sign) {
                return wanted.get(&piece.to_lowercase());
            }
            let pair = pieces.get(index + 1).map(|(next, _)| format!("{piece}{next}"));
            pair.and_then(|pair| wanted.get(&pair))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_text_is_shown_whole() {
        assert_eq!(snippet(" One two three. ", "two"), "One two three.");
    }

    #[test]
    fn the_window_lies_where_the_terms_are() {
        let text = format!("{} The rattle of seeds. {}", "before ".repeat(60), "after ".repeat(60));
        let found = snippet(&text, "rattle seeds");
        assert!(found.starts_with("… ") && found.ends_with(" …"), "{found}");
        assert!(found.contains("rattle of seeds"), "{found}");
        assert_eq!(segment::terms(&found).len(), WORDS);
    }

    #[test]
    fn chinese_is_counted_in_signs() {
        let text = format!("{}纸船是白色的。{}", "无关文字，".repeat(40), "其他内容。".repeat(40));
        let found = snippet(&text, "白色纸船");
        assert!(found.contains("纸船是白色的"), "{found}");
        assert!(found.chars().filter(|character| segment::is_sign(*character)).count() <= SIGNS);
    }
}
