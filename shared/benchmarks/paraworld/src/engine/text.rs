//! Text as the engine compares it: words without case, width, punctuation and the commonest English endings.

use super::traditional::simplified;

/// The words of a text in order. A Han character is a word; so is a run of digits, and a run of other letters.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, serde::Deserialize)]
#[serde(from = "String")]
pub(super) struct Words(pub Vec<String>);

impl From<String> for Words {
    fn from(text: String) -> Self {
        Words::of(&text)
    }
}

impl Words {
    pub fn of(text: &str) -> Self {
        Words::stems(&Words::spelt(text))
    }

    /// The words of which these are the spellings.
    pub fn stems(spelt: &[String]) -> Self {
        Words(spelt.iter().map(|word| stem(word)).collect())
    }

    /// The words with their endings, one for one.
    pub fn spelt(text: &str) -> Vec<String> {
        let folded = fold(text);
        let mut words: Vec<String> = Vec::new();
        let mut last = Kind::Other;
        for character in folded.chars() {
            let kind = Kind::of(character);
            match words.last_mut() {
                Some(word) if kind == last && kind != Kind::Han && kind != Kind::Other => {
                    word.push(character);
                }
                _ if kind == Kind::Other => {}
                _ => words.push(character.to_string()),
            }
            last = kind;
        }
        words
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the words of another text, if it has any, stand in this one side by side.
    pub fn holds(&self, part: &Words) -> bool {
        !part.is_empty() && self.places(part).next().is_some()
    }

    /// Where the words of another text stand in this one, side by side.
    pub fn places<'a>(&'a self, part: &'a Words) -> impl Iterator<Item = usize> + 'a {
        self.0
            .windows(part.len().max(1))
            .enumerate()
            .filter(|(_, window)| *window == part.0.as_slice())
            .map(|(place, _)| place)
    }
}

/// Whether a word is written in Han characters.
pub(super) fn is_han(word: &str) -> bool {
    word.chars().all(|character| Kind::of(character) == Kind::Han)
}

/// Whether a word is written in the letters a to z.
pub(super) fn is_latin(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// Whether an English word has the ending of a verb's form or of an adverb.
pub(super) fn verbal(word: &str) -> bool {
    ["ed", "ing", "ly"].iter().any(|end| word.ends_with(end))
}

/// Whether a word is written with a capital and small letters in a text, which has other words without one.
pub(super) fn is_proper(word: &str, text: &str) -> bool {
    let words = text.split(|character: char| !character.is_alphanumeric());
    let words = words.filter(|word| word.len() > 3);
    let (mut proper, mut small) = (false, false);
    for other in words {
        let mut letters = other.chars();
        let capital = letters.next().is_some_and(char::is_uppercase);
        small |= !capital && !other.starts_with(|first: char| first.is_ascii_digit());
        proper |= capital && letters.all(char::is_lowercase) && other.to_lowercase() == word;
    }
    proper && small
}

/// A year, from 1900 to 2199.
pub(super) fn is_year(word: &str) -> bool {
    word.len() == 4 && word.parse().is_ok_and(|year: u32| (1900..2200).contains(&year))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Han,
    Digit,
    Letter,
    Other,
}

impl Kind {
    fn of(character: char) -> Self {
        match character {
            '\u{3400}'..='\u{9fff}' => Kind::Han,
            _ if character.is_numeric() => Kind::Digit,
            _ if character.is_alphabetic() => Kind::Letter,
            _ => Kind::Other,
        }
    }
}

/// Full-width letters become plain ones; simplified characters; lower case; no `'s`; no comma between digits.
fn fold(text: &str) -> String {
    let narrow = |character: char| match character {
        '\u{ff01}'..='\u{ff5e}' => {
            char::from_u32(u32::from(character) - 0xfee0).unwrap_or(character)
        }
        '\u{3000}' => ' ',
        '’' => '\'',
        other => simplified(other),
    };
    let plain: Vec<char> = text.chars().map(narrow).flat_map(char::to_lowercase).collect();
    let digit = |place: Option<usize>| {
        place.and_then(|place| plain.get(place)).is_some_and(char::is_ascii_digit)
    };
    let mut out = String::new();
    let mut place = 0;
    while let Some(character) = plain.get(place) {
        let owner = *character == '\''
            && plain.get(place + 1) == Some(&'s')
            && plain.get(place + 2).is_none_or(|next| !next.is_alphanumeric());
        if owner {
            place += 2;
            continue;
        }
        let grouped = *character == ',' && digit(place.checked_sub(1)) && digit(Some(place + 1));
        if !grouped {
            out.push(*character);
        }
        place += 1;
    }
    out
}

/// The word without the commonest English endings: a plural, `ed`, `ing`, a last `e`.
fn stem(word: &str) -> String {
    if !word.is_ascii() || word.len() < 4 || !word.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return word.to_owned();
    }
    let mut stem = word.to_owned();
    if let Some(root) = stem.strip_suffix("ies") {
        stem = format!("{root}y");
    } else if ["ches", "shes", "sses", "xes"].iter().any(|end| stem.ends_with(end)) {
        stem.truncate(stem.len() - 2);
    } else if stem.ends_with('s') && !stem.ends_with("ss") && !stem.ends_with("us") {
        stem.truncate(stem.len() - 1);
    }
    for end in ["ing", "ed"] {
        if stem.ends_with(end) && stem.len() >= end.len() + 4 {
            stem.truncate(stem.len() - end.len());
            undouble(&mut stem);
            break;
        }
    }
    if stem.len() > 4 && stem.ends_with('e') {
        stem.truncate(stem.len() - 1);
    }
    if let Some(root) = stem.strip_suffix("meter").filter(|root| !root.is_empty()) {
        stem = format!("{root}metr");
    }
    stem
}

/// `shipp` of `shipped` becomes `ship`. Letters that words are spelt with twice anyhow (`sell`, `pass`) stay.
fn undouble(stem: &mut String) {
    let mut last = stem.bytes().rev();
    if let (Some(a), Some(b)) = (last.next(), last.next())
        && a == b
        && b"bdgmnprt".contains(&a)
    {
        stem.truncate(stem.len() - 1);
    }
}
