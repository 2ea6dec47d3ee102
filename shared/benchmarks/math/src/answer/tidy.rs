//! Decoration around an answer, and the spellings of one sign: whatever does not change what it says.

use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Pairs that mathematics, Markdown and code put around an answer.
const PAIRS: [(&str, &str); 7] = [
    ("$$", "$$"),
    ("$", "$"),
    ("\\(", "\\)"),
    ("\\[", "\\]"),
    ("**", "**"),
    ("__", "__"),
    ("`", "`"),
];

/// Commands that only say how their argument is set.
const WRAPPERS: [&str; 4] = ["\\boxed{", "\\text{", "\\mathrm{", "\\mathbf{"];

/// Nesting of decoration that is taken off; what is deeper stays.
const LAYERS: usize = 8;

/// The longest answer that is tidied, in bytes; a longer one stays as it is.
const MOST_BYTES: usize = 20_000;

/// The answer without decoration, white space collapsed. Two answers with the same tidy form are the same answer.
pub fn tidy(text: &str) -> String {
    let mut rest = text.trim();
    if rest.len() > MOST_BYTES {
        return rest.to_owned();
    }
    for _ in 0..LAYERS {
        let before = rest.len();
        for (open, close) in PAIRS {
            rest = unwrap(rest, open, close).unwrap_or(rest);
        }
        for open in WRAPPERS {
            rest = unwrap(rest, open, "}").filter(|inner| is_balanced(inner)).unwrap_or(rest);
        }
        if let Some(sentence) = rest.strip_suffix('.').filter(|rest| !rest.ends_with('.')) {
            rest = sentence.trim_end();
        }
        if rest.len() == before {
            break;
        }
    }
    rest.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn unwrap<'a>(text: &'a str, open: &str, close: &str) -> Option<&'a str> {
    let inner = text.strip_prefix(open)?.strip_suffix(close)?;
    let again = close != "}" && inner.contains(close);
    (!again && !inner.is_empty()).then(|| inner.trim())
}

/// Whether no brace of a text closes one that was opened before it, or the other way round.
fn is_balanced(text: &str) -> bool {
    let mut depth = 0_i64;
    let fits = text.bytes().all(|byte| {
        depth += i64::from(byte == b'{') - i64::from(byte == b'}');
        depth >= 0
    });
    fits && depth == 0
}

/// Names and characters, by the sign that they stand for.
static SIGNS: LazyLock<BTreeMap<&str, &str>> = LazyLock::new(|| {
    let lines = include_str!("signs.tsv").lines().skip(1);
    let cells = lines.filter_map(|line| line.split_once('\t'));
    cells.flat_map(|(sign, names)| names.split('\t').map(move |name| (name, sign))).collect()
});

/// A tidy answer with one spelling for each sign, and blanks only where they part something.
pub fn plain(text: &str) -> String {
    if text.len() > MOST_BYTES {
        return text.to_owned();
    }
    // Wide characters of East Asian fonts.
    let narrow = |char: char| match char {
        '！'..='～' => char::from_u32(u32::from(char) - 0xfee0).unwrap_or(char),
        _ => char,
    };
    let text: String = text.chars().map(narrow).collect();
    let mut plain = String::new();
    let (mut is_apart, mut is_wrapper) = (false, false);
    // Whether each brace that is open belongs to a wrapper.
    let mut braces = Vec::new();
    let mut rest = &text[..];
    while let Some(char) = rest.chars().next() {
        let letters = |text: &str| {
            text.len() - text.trim_start_matches(|char: char| char.is_ascii_alphabetic()).len()
        };
        let length = match char {
            '\\' => 1 + letters(&rest[1..]).max(rest[1..].chars().next().map_or(0, char::len_utf8)),
            '<' | '>' if rest[1..].starts_with('=') => 2,
            _ => letters(rest).max(char.len_utf8()),
        };
        let (name, after) = rest.split_at(length);
        rest = after;
        let sign = SIGNS.get(name).copied().unwrap_or(name);
        let opens = std::mem::take(&mut is_wrapper);
        let belongs = match sign {
            "\\text" => {
                is_wrapper = true;
                false
            }
            "{" => {
                braces.push(opens);
                !opens
            }
            "}" => !braces.pop().unwrap_or(false),
            // At the beginning it means about.
            "~" => plain.is_empty(),
            _ => !sign.trim().is_empty(),
        };
        if !belongs {
            is_apart = true;
            continue;
        }
        if std::mem::take(&mut is_apart)
            && let (Some(before), Some(next)) = (plain.chars().next_back(), sign.chars().next())
            && (before.is_alphanumeric()
                && next.is_alphanumeric()
                && !(before.is_ascii_digit() && next.is_alphabetic())
                || before == ',' && next.is_ascii_digit())
        {
            plain.push(' ');
        }
        plain.push_str(sign);
    }
    let replaced = include_str!("replaced.tsv").lines().skip(1);
    let replaced = replaced.filter_map(|line| line.split_once('\t'));
    replaced.fold(plain, |plain, (sign, spelled)| plain.replace(spelled, sign))
}

/// Whether two plain texts differ in nothing but the case of words.
pub fn is_same(one: &str, other: &str) -> bool {
    fn words(text: &str) -> impl Iterator<Item = &str> {
        text.split(|char: char| !char.is_alphabetic() && char != '\\')
    }
    let is_word = |word: &str| word.len() >= 4 && !word.contains('\\');
    let has_words = words(one).any(is_word);
    // Letters name different things in either case, as do the corners of `ABCD`; an article does not.
    let is_case_free = |at, one: &str, other: &str| {
        one.len() > 4
            || one.len() > 1 && one.get(1..).is_some_and(|rest| other.ends_with(rest))
            || at == 0 && one.eq_ignore_ascii_case("a")
    };
    let is_alike = |(at, (one, other)): (usize, (&str, &str))| {
        one == other || has_words && !one.contains('\\') && is_case_free(at, one, other)
    };
    one.eq_ignore_ascii_case(other) && words(one).zip(words(other)).enumerate().all(is_alike)
}

#[cfg(test)]
mod tests {
    use super::tidy;

    #[test]
    fn decoration_goes_and_content_stays() {
        for (text, wanted) in [
            (" $28$ ", "28"),
            ("**28**.", "28"),
            ("\\boxed{\\frac{1}{2}}", "\\frac{1}{2}"),
            ("$\\boxed{5904}$.", "5904"),
            ("\\(x\\)", "x"),
            ("a \n  b", "a b"),
            ("\\text{yes}", "yes"),
            ("\\text{a} + \\text{b}", "\\text{a} + \\text{b}"),
            ("$1$ or $2$", "$1$ or $2$"),
            ("1...", "1..."),
            ("$", "$"),
            ("", ""),
        ] {
            assert_eq!(tidy(text), wanted, "{text:?}");
        }
    }
}
