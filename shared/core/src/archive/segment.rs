//! Cuts a text into terms: words as they are, runs of Chinese or Japanese signs into overlapping pairs.
//!
//! SQLite's tokenizer folds letter case and accents of words; it cannot cut Chinese, so a run of signs is handed to it as
//! pairs, which is what index and queries then share.

/// The most terms of a query; further ones add cost and no meaning.
const MOST_TERMS: usize = 96;

/// A text as the index stores it: the same words, with pairs in the place of runs of signs.
pub fn for_index(text: &str) -> String {
    terms(text).join(" ")
}

/// A query for the index: any of its terms. `None` if it has none.
pub fn for_query(text: &str) -> Option<String> {
    let mut terms = terms(text);
    let mut seen = std::collections::BTreeSet::new();
    terms.retain(|term| seen.insert(term.clone()));
    terms.truncate(MOST_TERMS);
    // Terms are letters, digits and signs only, so quoting them is all the escaping there is. The index has pairs, so a
    // sign that stands alone in the query is looked for at the beginning of pairs.
    let quoted: Vec<_> = terms
        .iter()
        .map(|term| match term.chars().all(is_sign) && term.chars().count() == 1 {
            true => format!("\"{term}\" *"),
            false => format!("\"{term}\""),
        })
        .collect();
    (!quoted.is_empty()).then(|| quoted.join(" OR "))
}

/// The terms of a text, in order, in lower case.
pub fn terms(text: &str) -> Vec<String> {
    let mut terms = Vec::new();
    let mut word = String::new();
    let mut characters: Vec<char> = Vec::new();
    for character in text.chars().chain([' ']) {
        if is_sign(character) {
            flush_word(&mut word, &mut terms);
            characters.push(character);
        } else {
            flush_signs(&mut characters, &mut terms);
            if character.is_alphanumeric() {
                word.extend(character.to_lowercase());
            } else {
                flush_word(&mut word, &mut terms);
            }
        }
    }
    terms
}

fn flush_word(word: &mut String, terms: &mut Vec<String>) {
    if !word.is_empty() {
        terms.push(std::mem::take(word));
    }
}

fn flush_signs(characters: &mut Vec<char>, terms: &mut Vec<String>) {
    match characters.as_slice() {
        [] => {}
        [one] => terms.push(one.to_string()),
        many => terms.extend(many.windows(2).map(String::from_iter)),
    }
    characters.clear();
}

/// Whether a character belongs to a script that is written without blanks between words.
pub fn is_sign(character: char) -> bool {
    matches!(character,
        '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_pairs() {
        assert_eq!(
            terms("The Ähre, 3-fold 渡禾节 x 河"),
            ["the", "ähre", "3", "fold", "渡禾", "禾节", "x", "河"]
        );
        assert_eq!(for_index("渡禾节"), "渡禾 禾节");
        assert_eq!(for_query("a \"b\" a OR"), Some("\"a\" OR \"b\" OR \"or\"".to_owned()));
        assert_eq!(for_query("河"), Some("\"河\" *".to_owned()));
        assert_eq!(for_query("?!\"*"), None);
    }
}
