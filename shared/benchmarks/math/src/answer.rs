//! Whether an answer is the expected one, decided without a model where mathematics can decide it.
//!
//! *Equal* is said only where it is proven, *unequal* only within an exact kind and where that is proven; everything else is
//! *undecided* and goes to the grader. Everything here is pure and bounded in depth, size and steps.

mod asked;
mod bounded;
mod compare;
mod expr;
mod interval;
mod normal;
mod read;
#[cfg(test)]
mod tests;
mod tidy;
mod tokens;

use std::collections::BTreeSet;
use std::fmt;

use dashu_ratio::RBig;

use bounded::Work;
use compare::compare;
use expr::{Expr, Op};
use interval::value;
use normal::{form, proportional};
use read::{Mode, Read, Said, read};
pub use tidy::tidy;
use tidy::{is_same, plain};
use turnwise_core::prelude::*;

/// What can be said of two answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Equal,
    Unequal,
    Undecided,
}

choices! {
    /// The kind of an expected answer; it decides by which rule answers are compared with it. By its name it is shown and stored.
    pub enum Kind {
        Integer = "integer",
        IntegerExpression = "integer expression",
        Fraction = "fraction",
        Constant = "constant",
        Polynomial = "polynomial",
        Parameters = "expression with parameters",
        Tuple = "tuple, set or equation",
        Letter = "letter",
        YesNo = "yes or no",
        /// No rule: only the same text is equal.
        Text = "text",
    }
}

/// The outcome of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Graded {
    pub verdict: Verdict,
    pub kind: Kind,
    pub reason: String,
    /// Whether the tidy texts are the same, so that no rule was needed.
    pub same_text: bool,
}

impl fmt::Display for Graded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = format!("{:?}", self.verdict).to_lowercase();
        write!(f, "{verdict}, {}: {}", self.kind.name(), self.reason)
    }
}

/// Compares an answer with the expected one, without the problem.
pub fn grade(expected: &str, given: &str) -> Graded {
    grade_in("", expected, given)
}

/// Compares an answer to a problem with the expected one.
pub fn grade_in(problem: &str, expected: &str, given: &str) -> Graded {
    let (expected, given) = (bare(expected), bare(given));
    let (wanted, said) = (plain(&expected), plain(&given));
    let kind = kind_of(&expected, &wanted);
    let same_text = !said.is_empty() && is_same(&wanted, &said);
    let (verdict, reason) = match kind {
        _ if same_text => (Verdict::Equal, "the same text".to_owned()),
        _ if said.is_empty() => undecided("the answer is empty"),
        Kind::Letter | Kind::YesNo => {
            let (word, problem): (fn(&str) -> Option<&str>, _) = match kind {
                Kind::Letter => (letter, "the answer is not one letter"),
                _ => (first_word, "the answer is not a plain yes or no"),
            };
            match word(&expected).zip(word(&given)) {
                Some((wanted, word))
                    if WORDS[2..].contains(&word) != WORDS[2..].contains(&wanted) =>
                {
                    undecided("true and false are not yes and no")
                }
                Some((wanted, word)) => same_word(&wanted, &word),
                None => undecided(problem),
            }
        }
        _ => in_all_modes(problem, &wanted, &said),
    };
    Graded { verdict, kind, reason, same_text }
}

/// The kind of an expected answer.
pub fn kind(expected: &str) -> Kind {
    let expected = bare(expected);
    kind_of(&expected, &plain(&expected))
}

/// A tidy answer without what announces it.
fn bare(text: &str) -> String {
    let mut text = tidy(text);
    for opening in words("announces") {
        let parts = text.split_at_checked(opening.len()).filter(|(start, rest)| {
            start.eq_ignore_ascii_case(opening)
                && (opening == "=" || rest.starts_with([' ', ':', ',']))
        });
        let rest = parts.map(|(_, rest)| tidy(rest.trim_start_matches([' ', ':', ','])));
        text = rest.filter(|rest| !rest.is_empty()).unwrap_or(text);
    }
    text
}

/// The words of a kind.
pub(crate) fn words(kind: &str) -> impl Iterator<Item = &'static str> {
    let mut lines = include_str!("answer/words.tsv").lines();
    let line = lines.find_map(|line| line.strip_prefix(kind)?.strip_prefix('\t'));
    line.unwrap_or_default().split('\t')
}

/// What a word of a question means.
pub(crate) fn meaning(word: &str) -> Option<&'static str> {
    let lines = include_str!("answer/words.tsv").lines();
    let mut meanings = lines.filter_map(|line| line.strip_prefix("meaning ")?.split_once('\t'));
    meanings.find(|(_, words)| words.split('\t').any(|known| known == word)).map(|found| found.0)
}

fn is_word(kind: &str, word: &str) -> bool {
    words(kind).any(|known| known == word)
}

/// Between which bounds a real number lies for certain, which are the same where it is rational; `None` for everything else.
pub fn bounds(text: &str) -> Option<(RBig, RBig)> {
    let Said::Value(expr) = read(&plain(&bare(text)), Mode::USUAL).ok()?.said else {
        return None;
    };
    match normal::rational(&expr) {
        Some(number) => Some((number.clone(), number)),
        None => value(&expr, &mut Work::default()).ok()?.bounds().ok(),
    }
}

type Decided = (Verdict, String);

fn undecided(reason: impl Into<String>) -> Decided {
    (Verdict::Undecided, reason.into())
}

fn same_word<T: PartialEq + fmt::Display>(wanted: &T, given: &T) -> Decided {
    match wanted == given {
        true => (Verdict::Equal, format!("both say {wanted}")),
        false => (Verdict::Unequal, "another word".to_owned()),
    }
}

const WORDS: [&str; 4] = ["yes", "no", "true", "false"];

/// The choice that an answer names: `B`, `(B)`, `B.`, `B) …`. Capital letters up to J.
fn letter(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('(').unwrap_or(text);
    let (letter, rest) = inner.split_at_checked(1)?;
    let is_bracketed = inner.len() < text.len();
    let is_bare = rest.is_empty() && !is_bracketed;
    let after = rest.strip_prefix([')', '.', ':']).or(is_bare.then_some(""))?;
    // `B) or C)` names two choices; `B.5` and `B)x` are something else.
    let mut words = after.split(|char: char| !char.is_alphanumeric());
    let is_another = |word: &str| word.len() == 1 && ("A"..="Z").contains(&word) && word != letter;
    let is_choice = ("A"..="J").contains(&letter) && !words.any(is_another);
    ((after.is_empty() || after.starts_with(' ')) && is_choice).then_some(letter)
}

/// The yes or no that an answer is; nothing but a reason may follow.
fn first_word(text: &str) -> Option<&str> {
    let end = text.find(|char: char| !char.is_ascii_alphabetic()).unwrap_or(text.len());
    let (first, rest) = text.split_at(end);
    let word = WORDS.into_iter().find(|word| word.eq_ignore_ascii_case(first))?;
    let is_apart =
        rest.is_empty() || rest.trim_start().starts_with([',', '.', ';', ':', '!', '—', '(']);
    let rest = rest.trim_matches(|char: char| !char.is_alphanumeric()).to_lowercase();
    let mut said = rest.split(|char: char| !char.is_alphanumeric());
    let has_reason = is_word("because", said.next().unwrap_or_default())
        && !said.any(|word| is_word("condition", word));
    (is_apart && (rest.is_empty() || has_reason || is_word("echoes", &rest))).then_some(word)
}

/// A plain number, and the words behind it.
fn with_unit(text: &str) -> (&str, &str) {
    let end = text.find(char::is_alphabetic).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let is_number = number.ends_with(|last: char| last.is_ascii_digit())
        && number.chars().all(|char| char.is_ascii_digit() || "+-.,/".contains(char));
    match is_number && unit.chars().all(|char| char.is_alphabetic() || char == ' ') {
        true => (number, unit),
        false => (text, ""),
    }
}

/// Compares in every way in which signs of two meanings can be read; they have to agree.
fn in_all_modes(problem: &str, wanted: &str, given: &str) -> Decided {
    let ((one, its), (other, others)) = (with_unit(wanted), with_unit(given));
    let (wanted, given) = match (its, others) {
        _ if its == others => (one, other),
        ("", unit) | (unit, "") if asked::is_unit(problem, unit) => (one, other),
        _ => (wanted, given),
    };
    let mark = ['%', '°'].into_iter().find(|mark| wanted.contains(*mark) != given.contains(*mark));
    let names_mark = mark.is_some_and(|mark| {
        plain(problem).contains(mark)
            || mark == '%' && problem.to_ascii_lowercase().contains("percentage")
    });
    let marks = if mark.is_some() { &[!names_mark, names_mark][..] } else { &[true] };
    let read_of = [wanted, given].into_iter().filter_map(|text| read(text, Mode::USUAL).ok());
    let letters: BTreeSet<String> = read_of.flat_map(|read| names(&read.said)).collect();
    let units = letters.iter().filter(|name| ["i", "j"].contains(&name.as_str())).count();
    let units: &[bool] = match units {
        1 if asked::is_complex(problem) => &[true],
        1 if problem.is_empty() && letters.len() == 1 => &[true, false],
        1 => &[false, true],
        _ => &[false],
    };
    let modes = units.iter().flat_map(|is_complex| {
        marks.iter().map(|has_marks| Mode { is_complex: *is_complex, has_marks: *has_marks })
    });
    let mut verdicts = modes.map(|mode| in_mode(problem, wanted, given, mode));
    let first = verdicts.next().expect("there is one mode at least");
    match first.0 == Verdict::Unequal && verdicts.any(|other| other.0 != Verdict::Unequal) {
        true => undecided("it can be read in two ways"),
        false => first,
    }
}

fn in_mode(problem: &str, wanted: &str, given: &str, mode: Mode) -> Decided {
    let (wanted, given) = match (read(wanted, mode), read(given, mode)) {
        (Err(_), _) => {
            return undecided("there is no rule for such an answer, and the texts differ");
        }
        (_, Err(refusal)) => return undecided(format!("the answer is not read: {refusal}")),
        (Ok(wanted), Ok(given)) => (wanted, given),
    };
    match (&wanted.name, &given.name) {
        (Some(one), Some(other)) if one != other => {
            return undecided("they are about different letters");
        }
        (None, Some(name)) if asked::is_for_another(problem, name) => {
            return undecided("the problem asks for something else");
        }
        _ => {}
    }
    let decided = compare(&wanted, &given);
    match (&decided.0, &wanted.said, &given.said) {
        (Verdict::Equal, Said::Value(expr), Said::Value(_))
            if wanted.name.is_some() != given.name.is_some() && !expr.letters().is_empty() =>
        {
            undecided("one is an equation and the other is not")
        }
        (Verdict::Unequal, Said::Value(one), Said::Value(other))
            if asked::is_up_to_scale(problem)
                && matches!(proportional(one, other, &mut Work::default()), Some((true, _))) =>
        {
            undecided("they differ by a factor")
        }
        // Bounds of whole numbers can be written in two ways.
        (Verdict::Unequal, Said::Many(('(' | '[', _), _), Said::Many(..))
            if [&wanted.name, &given.name]
                .into_iter()
                .flatten()
                .any(|name| name.starts_with(|letter| "ijklmnpq".contains(letter))) =>
        {
            undecided("whole numbers may have the same bounds")
        }
        _ => decided,
    }
}

/// The letters of what is said.
fn names(said: &Said) -> Vec<String> {
    match said {
        Said::Value(expr) | Said::Relation(_, expr) => {
            expr.letters().into_iter().map(str::to_owned).collect()
        }
        Said::Many(_, parts) => parts.iter().flat_map(names).collect(),
    }
}

fn kind_of(expected: &str, plain: &str) -> Kind {
    if letter(expected).is_some() && expected.len() <= 3 {
        return Kind::Letter;
    }
    if WORDS.iter().any(|word| word.eq_ignore_ascii_case(expected)) {
        return Kind::YesNo;
    }
    let read = read(plain, Mode::USUAL).or_else(|_| read(with_unit(plain).0, Mode::USUAL));
    let Ok(Read { said, name, .. }) = read else {
        return Kind::Text;
    };
    let expr = match said {
        Said::Value(expr) if name.is_none() || expr.letters().is_empty() => expr,
        _ => return Kind::Tuple,
    };
    let form = form(&expr, &mut Work::default());
    if !expr.letters().is_empty() {
        return match form {
            Ok(form) if expr.letters().len() == 1 && form.is_polynomial() => Kind::Polynomial,
            _ => Kind::Parameters,
        };
    }
    match form.ok().and_then(|form| form.as_rational()) {
        _ if !is_rational(&expr) => Kind::Constant,
        Some(number) if number.is_int() && matches!(expr, Expr::Number(_)) => Kind::Integer,
        Some(number) if !number.is_int() => Kind::Fraction,
        _ => Kind::IntegerExpression,
    }
}

/// Whether an expression has only sums, products, quotients and whole powers of rational numbers.
fn is_rational(expr: &Expr) -> bool {
    let fits = match expr {
        Expr::Number(_) => true,
        Expr::Symbol(_) => false,
        Expr::Made(Op::Power, parts) => {
            normal::rational(&parts[1]).is_none_or(|number| number.is_int())
        }
        Expr::Made(op, _) => matches!(op, Op::Sum | Op::Product | Op::Factorial | Op::Binomial),
    };
    fits && expr.parts().iter().all(is_rational)
}
