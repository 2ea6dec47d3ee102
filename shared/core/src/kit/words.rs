//! Words of a text, English and Chinese, for rules that compare texts.

use std::collections::BTreeSet;
use std::sync::LazyLock;

/// Words that say nothing about what a sentence is about.
static STOP_WORDS: LazyLock<BTreeSet<&str>> =
    LazyLock::new(|| include_str!("words/stop_words.txt").lines().collect());

/// Chinese signs that say nothing about what a sentence is about.
const STOP_SIGNS: &str =
    "的了吗呢是在这那有和与及或被把也都就而其它他她们个一请问什么叫名字该此吧啊";

/// A word and whether it stands under a negation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// Lower case, cut to its stem; for Chinese two neighbouring signs.
    pub stem: String,
    /// Whether a negation stands before it in its clause.
    pub negated: bool,
}

/// The words of a text that carry meaning, in order.
pub fn words(text: &str) -> Vec<Word> {
    let mut found = Vec::new();
    for clause in text.split([',', ';', ':', '(', ')', '，', '；', '：', '、', '（', '）']) {
        clause_words(clause, &mut found);
    }
    found
}

/// The stems of a text's words, without order.
pub fn stems(text: &str) -> BTreeSet<String> {
    words(text).into_iter().map(|word| word.stem).collect()
}

fn clause_words(clause: &str, found: &mut Vec<Word>) {
    let mut negated = false;
    let mut latin = String::new();
    let mut han: Option<char> = None;
    for sign in clause.chars().chain(std::iter::once(' ')) {
        if sign.is_ascii_alphanumeric()
            || (sign.is_alphabetic() && !is_han(sign))
            || sign == '\''
            || sign == '’'
        {
            latin.push(if sign == '’' { '\'' } else { sign });
            han = None;
            continue;
        }
        if !latin.is_empty() {
            let word = std::mem::take(&mut latin).to_lowercase();
            if is_negation(&word) {
                negated = true;
            } else if !STOP_WORDS.contains(word.as_str()) {
                found.push(Word { stem: stem(&word), negated });
            }
        }
        if !is_han(sign) {
            han = None;
            continue;
        }
        if matches!(sign, '不' | '没' | '无' | '未' | '非') {
            negated = true;
            han = None;
        } else if STOP_SIGNS.contains(sign) {
            han = None;
        } else {
            if let Some(before) = han {
                found.push(Word { stem: format!("{before}{sign}"), negated });
            }
            han = Some(sign);
        }
    }
}

/// Whether a sign is a Chinese character.
pub fn is_han(sign: char) -> bool {
    ('\u{4e00}'..='\u{9fff}').contains(&sign)
}

fn is_negation(word: &str) -> bool {
    matches!(
        word,
        "no" | "not"
            | "never"
            | "nobody"
            | "none"
            | "nothing"
            | "without"
            | "neither"
            | "nor"
            | "cannot"
    ) || word.ends_with("n't")
}

/// Cuts the commonest English endings, so that `players` meets `player` and `played` meets `play`.
fn stem(word: &str) -> String {
    let word = word.trim_matches('\'').trim_end_matches("'s");
    if let Some(number) = number(word) {
        return number.to_owned();
    }
    for (ending, replacement, least) in [
        ("sses", "ss", 5),
        ("ies", "y", 5),
        ("ing", "", 6),
        ("ed", "", 5),
        ("es", "", 5),
        ("s", "", 4),
        ("e", "", 4),
    ] {
        if word.len() >= least
            && !word.ends_with("ss")
            && let Some(rest) = word.strip_suffix(ending)
        {
            return format!("{rest}{replacement}");
        }
    }
    word.to_owned()
}

pub fn number(word: &str) -> Option<&'static str> {
    const NUMBERS: [(&str, &str); 13] = [
        ("zero", "0"),
        ("two", "2"),
        ("three", "3"),
        ("four", "4"),
        ("five", "5"),
        ("six", "6"),
        ("seven", "7"),
        ("eight", "8"),
        ("nine", "9"),
        ("ten", "10"),
        ("eleven", "11"),
        ("twelve", "12"),
        ("twenty", "20"),
    ];
    NUMBERS.iter().find(|(name, _)| *name == word).map(|(_, digits)| *digits)
}

/// Whether a stem is a number.
pub fn is_number(stem: &str) -> bool {
    stem.bytes().all(|byte| byte.is_ascii_digit())
}

/// The sentences of a text, without their closing marks.
pub fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split(['\n', '。', '！', '？', '!', '?'])
        .flat_map(|line| line.split(". "))
        .map(|sentence| sentence.trim().trim_end_matches('.'))
        .filter(|sentence| !sentence.is_empty())
}

/// Words in lower case and ASCII width, without punctuation and a leading article: what two spellings of an answer have in common.
pub fn folded(text: &str) -> String {
    let plain: String = text
        .chars()
        .map(|sign| match sign {
            // Full-width letters and digits.
            '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(sign) - 0xfee0).unwrap_or(sign),
            other => other,
        })
        .flat_map(char::to_lowercase)
        .map(|sign| if sign.is_alphanumeric() { sign } else { ' ' })
        .collect();
    let words: Vec<_> = plain.split_whitespace().collect();
    let words = match words.as_slice() {
        ["the" | "a" | "an", rest @ ..] if !rest.is_empty() => rest,
        all => all,
    };
    words.join(" ")
}
