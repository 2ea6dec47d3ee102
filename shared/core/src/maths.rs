//! Where mathematics stands in texts: LaTeX between dollar signs, `\(…\)` or `\[…\]`.

use crate::markup::Markup;

/// Longer texts are shown as they are, in bytes.
const LONGEST: usize = 64 * 1024;
/// Nothing longer is one formula, in bytes.
const LONGEST_FORMULA: usize = 2_000;
/// The class of what the app sets as mathematics once it can.
pub const CLASS: &str = "tex";
/// What opens a formula, and what closes it.
const PAIRS: [(&str, &str); 4] = [("$$", "$$"), ("\\[", "\\]"), ("\\(", "\\)"), ("$", "$")];

/// A part of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Piece<'a> {
    Text(&'a str),
    /// A formula with what opens and closes it.
    Formula(&'a str),
}

/// The parts of a text, in their order.
pub fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let (mut start, mut at) = (0, 0);
    while let Some(found) = text[at..].find(['$', '\\']).filter(|_| text.len() <= LONGEST) {
        let open = at + found;
        match formula(text, open) {
            Some(end) => {
                pieces.push(Piece::Text(&text[start..open]));
                pieces.push(Piece::Formula(&text[open..end]));
                (start, at) = (end, end);
            }
            // What stands behind a backslash opens nothing.
            None => {
                let next =
                    text[open + 1..].chars().next().filter(|_| text[open..].starts_with('\\'));
                at = open + 1 + next.map_or(0, char::len_utf8);
            }
        }
    }
    pieces.push(Piece::Text(&text[start..]));
    pieces.retain(|piece| *piece != Piece::Text(""));
    pieces
}

/// Where the formula ends that opens at a place, if one does. Sums of money open none.
fn formula(text: &str, at: usize) -> Option<usize> {
    let (open, close) = PAIRS.into_iter().find(|(open, _)| text[at..].starts_with(open))?;
    let from = at + open.len();
    let mut to = from;
    loop {
        to += text[to..].find(close)?;
        // `\$` closes nothing.
        match close.starts_with('$') && text[..to].ends_with('\\') {
            true => to += close.len(),
            false => break,
        }
    }
    let inner = &text[from..to];
    let is_between = |char: Option<char>| char.is_some_and(char::is_alphanumeric);
    let is_money = open == "$"
        && (is_between(text[..at].chars().next_back())
            || is_between(text[to + 1..].chars().next())
            || inner.starts_with(char::is_whitespace)
            || inner.ends_with(char::is_whitespace)
            || has_words(inner));
    let is_one = !inner.trim().is_empty()
        && inner.len() <= LONGEST_FORMULA
        && !inner.contains('`')
        && !inner.contains("\n\n");
    (is_one && !is_money).then_some(to + close.len())
}

/// Whether words stand in it that are no commands and no arguments of them.
fn has_words(text: &str) -> bool {
    let is_word = |word: &str| word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_lowercase());
    !text.contains('\\') && text.split([' ', ',', '\n']).filter(|word| is_word(word)).count() > 0
}

/// Whether a text is a formula without anything that opens it, as many answers are.
fn is_bare(text: &str) -> bool {
    let has_command = text.contains('^')
        || text
            .split('\\')
            .skip(1)
            .any(|after| after.starts_with(|one: char| one.is_ascii_alphabetic() || one == '{'));
    let is_word = |word: &str| {
        word.len() > 2 && !word.contains('\\') && word.chars().all(char::is_alphabetic)
    };
    // Within braces stand the words of `\text`.
    let mut depth = 0_i32;
    let outside: String = text
        .chars()
        .filter(|char| {
            depth += i32::from(*char == '{') - i32::from(*char == '}');
            depth == 0
        })
        .collect();
    has_command
        && text.len() <= LONGEST_FORMULA
        && !text.contains(['$', '`', '\n', ':', ';'])
        && !outside.split(|char: char| !char.is_alphabetic() && char != '\\').any(is_word)
}

/// Writes a text, its formulas so that the app finds them.
pub fn write(out: &mut Markup, text: &str) {
    for piece in pieces(text) {
        match piece {
            Piece::Text(text) => out.text(text),
            Piece::Formula(formula) => element(out, formula),
        }
    }
}

/// Writes an answer, which may be a formula as it is.
pub fn write_answer(out: &mut Markup, text: &str) {
    match is_bare(text) {
        true => element(out, text),
        false => write(out, text),
    }
}

pub fn element(out: &mut Markup, formula: &str) {
    out.inline("span", &[("class", CLASS)], formula);
}

pub fn markup(text: &str) -> String {
    let mut out = Markup::default();
    write(&mut out, text);
    out.done()
}

pub fn answer_markup(text: &str) -> String {
    let mut out = Markup::default();
    write_answer(&mut out, text);
    out.done()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn formulas(text: &str) -> Vec<&str> {
        let found = pieces(text).into_iter().filter_map(|piece| match piece {
            Piece::Formula(formula) => Some(formula),
            Piece::Text(_) => None,
        });
        found.collect()
    }

    #[test]
    fn formulas_are_found() {
        for (text, wanted) in [
            ("Let $n\\ge 1$ and $x^2$.", &["$n\\ge 1$", "$x^2$"][..]),
            ("$$\\sum_i i$$", &["$$\\sum_i i$$"]),
            ("so \\(a+b\\), and \\[c\\]", &["\\(a+b\\)", "\\[c\\]"]),
            ("$x$-axis, ($y$)", &["$x$", "$y$"]),
            ("$\\$5 + x$", &["$\\$5 + x$"]),
            ("$a \\text{ if } b$", &["$a \\text{ if } b$"]),
            ("é $n$ é", &["$n$"]),
        ] {
            assert_eq!(formulas(text), wanted, "{text}");
        }
    }

    #[test]
    fn money_and_code_stay_text() {
        for text in [
            "$5 and $10",
            "it costs $5, or 6$ more",
            "$5-$10",
            "US$5 and US$6",
            "a \\$5 and \\$6 note",
            "$",
            "$$",
            "$ x $",
            "5$",
            "`$a` and `b$`",
            "$a\n\nb$",
            "\\",
            "\\(a",
            "BET $1000 100% B) BET $1000 99%",
        ] {
            assert_eq!(formulas(text), [""; 0], "{text}");
            assert!(!markup(text).contains("<span"), "{text}");
        }
    }

    #[test]
    fn answers_are_formulas_without_dollars() {
        for (text, is_one) in [
            ("\\frac{3}{10}", true),
            ("x^2+1", true),
            ("\\text{no limit}", true),
            ("28", false),
            ("No, the subgradient^2 is empty", false),
            ("Triangle. 0 dots.", false),
            ("C:\\files", false),
            ("$\\frac12$ or $2$", false),
        ] {
            assert_eq!(is_bare(text), is_one, "{text}");
        }
        assert_eq!(answer_markup("a<b^2"), "<span class=\"tex\">a&lt;b^2</span>");
    }

    proptest::proptest! {
        #[test]
        fn no_text_loses_anything(text in "(\\$|\\\\\\(|\\\\\\)|\\\\\\[|\\\\\\]|\\\\|\\PC|[a-z ]){0,40}") {
            let whole: String = pieces(&text).into_iter().map(|piece| match piece { Piece::Text(text) | Piece::Formula(text) => text }).collect();
            proptest::prop_assert_eq!(whole, text.clone());
            let _ = (markup(&text), answer_markup(&text));
        }
    }
}
