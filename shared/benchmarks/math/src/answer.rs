//! Whether an answer is the expected one, decided without a model where mathematics can decide it.
//!
//! *Equal* is said only where it is proven, *unequal* only within an exact kind and where that is proven; everything else is
//! *undecided* and goes to the grader. Everything here is pure and bounded in depth, size and steps.

mod interval;
mod normal;
mod read;
#[cfg(test)]
mod tests;
mod tidy;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use dashu_ratio::RBig;

use interval::value;
use normal::{Stop, Work, form, is_imaginary};
use read::{Expr, Read, Said, read};
pub use tidy::tidy;
use turnwise_core::hash::Digest;

/// What can be said of two answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Equal,
    Unequal,
    Undecided,
}

/// The kind of an expected answer; it decides by which rule answers are compared with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Integer,
    IntegerExpression,
    Fraction,
    Constant,
    Polynomial,
    Parameters,
    Tuple,
    Letter,
    YesNo,
    /// No rule: only the same text is equal.
    Text,
}

impl Kind {
    /// Every kind, in the order of the README.
    pub const ALL: [Kind; 10] = [
        Kind::Integer,
        Kind::IntegerExpression,
        Kind::Fraction,
        Kind::Constant,
        Kind::Polynomial,
        Kind::Parameters,
        Kind::Tuple,
        Kind::Letter,
        Kind::YesNo,
        Kind::Text,
    ];

    /// The kind as it is shown and stored.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Integer => "integer",
            Kind::IntegerExpression => "integer expression",
            Kind::Fraction => "fraction",
            Kind::Constant => "constant",
            Kind::Polynomial => "polynomial",
            Kind::Parameters => "expression with parameters",
            Kind::Tuple => "tuple or interval",
            Kind::Letter => "letter",
            Kind::YesNo => "yes or no",
            Kind::Text => "text",
        }
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
        let verdict = match self.verdict {
            Verdict::Equal => "equal",
            Verdict::Unequal => "unequal",
            Verdict::Undecided => "undecided",
        };
        write!(f, "{verdict}, {}: {}", self.kind.name(), self.reason)
    }
}

/// Compares an answer with the expected one.
pub fn grade(expected: &str, given: &str) -> Graded {
    grade_in("", expected, given)
}

/// The same for the answer to a problem: a unit after a whole number is ignored if the problem's text has it.
pub fn grade_in(problem: &str, expected: &str, given: &str) -> Graded {
    let (expected, given) = (tidy(expected), tidy(given));
    let wanted = Answer::of(&expected);
    let decided = if expected == given && !given.is_empty() {
        (Verdict::Equal, "the same text".to_owned())
    } else if given.is_empty() {
        (Verdict::Undecided, "the answer is empty".to_owned())
    } else {
        let given = match wanted.kind {
            Kind::Integer if given.len() < 200 => without_unit(problem, &given),
            _ => &given,
        };
        wanted.compare(given)
    };
    Graded {
        verdict: decided.0,
        kind: wanted.kind,
        reason: decided.1,
        same_text: expected == given,
    }
}

/// The kind of an expected answer.
pub fn kind(expected: &str) -> Kind {
    Answer::of(&tidy(expected)).kind
}

type Decided = (Verdict, String);

fn undecided(reason: impl Into<String>) -> Decided {
    (Verdict::Undecided, reason.into())
}

struct Answer {
    kind: Kind,
    content: Content,
}

enum Content {
    Read(Read),
    Word(String),
    Nothing,
}

impl Answer {
    /// An expected answer, tidied.
    fn of(text: &str) -> Self {
        let (kind, content) = match letter(text).filter(|_| text.len() <= 3) {
            Some(letter) => (Kind::Letter, Content::Word(letter.to_string())),
            None => match (
                WORDS.iter().find(|word| word.eq_ignore_ascii_case(text)),
                read(text),
            ) {
                (Some(word), _) => (Kind::YesNo, Content::Word((*word).to_owned())),
                (None, Ok(read)) => (kind_of(&read.said), Content::Read(read)),
                (None, Err(_)) => (Kind::Text, Content::Nothing),
            },
        };
        Answer { kind, content }
    }

    fn compare(&self, given: &str) -> Decided {
        match (&self.content, self.kind) {
            (Content::Nothing, _) => {
                undecided("there is no rule for such an answer, and the texts differ")
            }
            (Content::Word(wanted), Kind::Letter) => match letter(given) {
                None => undecided("the answer is not one letter"),
                Some(letter) => same_word(wanted, &letter.to_string()),
            },
            (Content::Word(wanted), _) => match first_word(given) {
                None => undecided("the answer is not a plain yes or no"),
                Some(word) if is_truth(word) != is_truth(wanted) => {
                    undecided("true and false are not yes and no")
                }
                Some(word) => same_word(wanted, word),
            },
            (Content::Read(wanted), _) => match read(given) {
                Err(refusal) => undecided(format!("the answer is not read: {refusal}")),
                Ok(given) => compare(wanted, &given),
            },
        }
    }
}

fn same_word(wanted: &str, given: &str) -> Decided {
    match wanted == given {
        true => (Verdict::Equal, format!("both say {wanted}")),
        false => (Verdict::Unequal, "another word".to_owned()),
    }
}

const WORDS: [&str; 4] = ["yes", "no", "true", "false"];

fn is_truth(word: &str) -> bool {
    word == "true" || word == "false"
}

/// The choice that an answer names: `B`, `(B)`, `B.`, `B) …`. Capital letters up to J.
fn letter(text: &str) -> Option<char> {
    let inner = text.strip_prefix('(').unwrap_or(text);
    let mut chars = inner.chars();
    let letter = chars.next().filter(|letter| ('A'..='J').contains(letter))?;
    let rest = chars.as_str();
    let is_bracketed = inner.len() < text.len();
    let after = match rest.strip_prefix([')', '.', ':']) {
        Some(after) => after,
        None if rest.is_empty() && !is_bracketed => return Some(letter),
        None => return None,
    };
    // `B) or C)` names two choices; `B.5` and `B)x` are something else.
    let names_another = after
        .split(|char: char| !char.is_alphanumeric())
        .any(|word| {
            word.len() == 1
                && word.starts_with(|one: char| one.is_ascii_uppercase() && one != letter)
        });
    ((after.is_empty() || after.starts_with(' ')) && !names_another).then_some(letter)
}

/// The yes or no that an answer begins with; whatever follows must be set apart and say neither.
fn first_word(text: &str) -> Option<&'static str> {
    let end = text
        .find(|char: char| !char.is_ascii_alphabetic())
        .unwrap_or(text.len());
    let (first, rest) = text.split_at(end);
    let word = WORDS
        .into_iter()
        .find(|word| word.eq_ignore_ascii_case(first))?;
    let is_apart = rest.is_empty()
        || rest
            .trim_start()
            .starts_with([',', '.', ';', ':', '!', '—', '(']);
    let says_more = rest
        .split(|char: char| !char.is_alphabetic())
        .any(|other| WORDS.iter().any(|word| word.eq_ignore_ascii_case(other)));
    (is_apart && !says_more).then_some(word)
}

/// Words after a number that change it.
const FACTORS: [&str; 8] = [
    "hundred", "thousand", "million", "billion", "dozen", "percent", "half", "th",
];

/// A number without the unit behind it, if the problem has that word.
fn without_unit<'a>(problem: &str, given: &'a str) -> &'a str {
    let Some(end) = given.find(|char: char| !(char.is_ascii_digit() || "+-,.".contains(char)))
    else {
        return given;
    };
    let (number, rest) = given.split_at(end);
    let rest = rest.trim_start_matches([' ', '\\', ',']);
    let unit = ["text{", "mathrm{"]
        .into_iter()
        .find_map(|open| rest.strip_prefix(open)?.strip_suffix('}'))
        .unwrap_or(rest)
        .trim();
    let is_word = !unit.is_empty() && unit.chars().all(char::is_alphabetic);
    let is_there = is_word
        && !FACTORS
            .iter()
            .any(|factor| factor.eq_ignore_ascii_case(unit.trim_end_matches('s')))
        && problem
            .split(|char: char| !char.is_alphabetic())
            .any(|word| word == unit);
    if is_there { number.trim_end() } else { given }
}

fn kind_of(said: &Said) -> Kind {
    let expr = match said {
        Said::Tuple { .. } => return Kind::Tuple,
        Said::Value(expr) => expr,
    };
    let form = form(expr, &mut Work::default());
    if !letters(expr).is_empty() {
        return match form {
            Ok(form) if form.is_polynomial_in_one_letter() => Kind::Polynomial,
            _ => Kind::Parameters,
        };
    }
    let is_literal = match expr {
        Expr::Neg(inner) => matches!(**inner, Expr::Number(_)),
        other => matches!(other, Expr::Number(_)),
    };
    match form.ok().and_then(|form| form.as_rational()) {
        _ if !is_rational(expr) => Kind::Constant,
        Some(number) if number.is_int() && is_literal => Kind::Integer,
        Some(number) if !number.is_int() => Kind::Fraction,
        _ => Kind::IntegerExpression,
    }
}

/// The letters of an expression.
fn letters(expr: &Expr) -> BTreeSet<&str> {
    match expr {
        Expr::Symbol(name) => BTreeSet::from([name.as_str()]),
        other => other.parts().into_iter().flat_map(letters).collect(),
    }
}

/// Whether an expression has only sums, products, quotients and whole powers of rational numbers and letters.
fn is_rational(expr: &Expr) -> bool {
    let fits = match expr {
        Expr::Pi | Expr::E | Expr::Root(..) | Expr::Call(..) => false,
        Expr::Power(_, exponent) => {
            let exponent = form(exponent, &mut Work::default())
                .ok()
                .and_then(|form| form.as_rational());
            exponent.is_none_or(|number| number.is_int())
        }
        _ => true,
    };
    fits && expr.parts().into_iter().all(is_rational)
}

fn compare(wanted: &Read, given: &Read) -> Decided {
    let mut work = Work::default();
    // Decimals of four places or more may be rounded, and so may any within an expression.
    let places = match (wanted.places, given.places) {
        (None, None) => None,
        (one, other) => {
            Some(one.max(other).unwrap_or(0)).filter(|places| *places >= ROUNDED_PLACES)
        }
    };
    let may_be_rounded = [wanted, given]
        .iter()
        .any(|read| read.has_decimals && read.places.is_none());
    let mut decide = |one: &Expr, other: &Expr| {
        let unit = match (may_be_rounded, places) {
            (true, _) => Unit::Any,
            (false, Some(places)) => {
                Unit::Of(RBig::from(10).pow(-isize::try_from(places).unwrap_or(isize::MAX)))
            }
            (false, None) => Unit::None,
        };
        compare_values(one, other, &unit, &mut work)
    };
    match (&wanted.said, &given.said) {
        (Said::Value(one), Said::Value(other)) => decide(one, other),
        (
            Said::Tuple { brackets, parts },
            Said::Tuple {
                brackets: others,
                parts: other_parts,
            },
        ) => {
            if brackets != others {
                return undecided("the brackets differ");
            }
            if parts.len() != other_parts.len() {
                return (Verdict::Unequal, "the numbers of parts differ".to_owned());
            }
            let pairs = parts.iter().zip(other_parts);
            let verdicts: Vec<Verdict> = pairs.map(|(one, other)| decide(one, other).0).collect();
            let part = |wanted| {
                verdicts
                    .iter()
                    .position(|verdict| *verdict == wanted)
                    .map(|at| at + 1)
            };
            match (part(Verdict::Unequal), part(Verdict::Undecided)) {
                (Some(part), _) => (Verdict::Unequal, format!("part {part} differs")),
                (None, Some(part)) => undecided(format!("part {part} is undecided")),
                (None, None) => (Verdict::Equal, "all parts are equal".to_owned()),
            }
        }
        _ => undecided("one is a single value and the other is not"),
    }
}

/// Decimals of so many places may be rounded values.
const ROUNDED_PLACES: usize = 4;

/// By how much two different values may differ if one of them is rounded.
enum Unit {
    None,
    /// Less than a unit of the last place: rounded, or cut off.
    Of(RBig),
    Any,
}

fn compare_values(one: &Expr, other: &Expr, unit: &Unit, work: &mut Work) -> Decided {
    let names = letters(one);
    if names != letters(other) {
        return undecided("they have different letters");
    }
    let difference = form(one, work).and_then(|one| one.minus(&form(other, work)?, work));
    let is_proven = match difference {
        Err(Stop::DivisionByZero) => return undecided(Stop::DivisionByZero.reason()),
        Ok(difference) if difference.is_zero() => {
            return (Verdict::Equal, "both have one normal form".to_owned());
        }
        // What is too large to compute may still be the same.
        _ if one == other => return (Verdict::Equal, "the same expression".to_owned()),
        Ok(difference) => difference.is_independent(),
        Err(_) => false,
    };
    match unit {
        Unit::Any => return undecided("a number in it may be rounded"),
        Unit::None if is_proven => {
            return (Verdict::Unequal, "their normal forms differ".to_owned());
        }
        Unit::Of(_) if !names.is_empty() => return undecided("a number in it may be rounded"),
        _ if names.iter().any(|name| is_imaginary(name)) => {
            return undecided("i may be the imaginary unit");
        }
        _ if !names.is_empty() => return compare_at_points(one, other, &names),
        _ => {}
    }
    match gap(one, other, &BTreeMap::new(), &mut Work::default()) {
        Err(stop) => undecided(stop.reason()),
        Ok((least, most)) => match unit {
            Unit::Of(unit) if most < *unit => undecided("one may be the other, rounded"),
            _ if least > RBig::ZERO => (Verdict::Unequal, "their values differ".to_owned()),
            _ => undecided("their values agree to 120 digits, which is no proof"),
        },
    }
}

/// By how much two values differ at least and at most; at least nothing, or less, if they may be equal.
fn gap(
    one: &Expr,
    other: &Expr,
    point: &BTreeMap<&str, i64>,
    work: &mut Work,
) -> Result<(RBig, RBig), Stop> {
    let (one, other) = (
        value(one, point, work)?.bounds()?,
        value(other, point, work)?.bounds()?,
    );
    let (below, above) = (&other.0 - &one.1, &one.0 - &other.1);
    Ok((below.max(above), (one.1 - other.0).max(other.1 - one.0)))
}

/// Points at which expressions with letters are compared.
const POINTS: u64 = 20;

/// Compares at whole numbers that follow from nothing but the letters' order. Where either has no value, the point is passed over.
fn compare_at_points(one: &Expr, other: &Expr, letters: &BTreeSet<&str>) -> Decided {
    let (mut work, mut tried) = (Work::default(), 0);
    for step in 0..POINTS {
        let number = |at: usize| 1 + i64::from(Digest::of(format!("{step} {at}")).bytes()[0] % 12);
        let point: BTreeMap<&str, i64> = letters
            .iter()
            .enumerate()
            .map(|(at, name)| (*name, number(at)))
            .collect();
        match gap(one, other, &point, &mut work) {
            Ok((least, _)) if least > RBig::ZERO => {
                let at: Vec<String> = point
                    .iter()
                    .map(|(letter, number)| format!("{letter} = {number}"))
                    .collect();
                return (
                    Verdict::Unequal,
                    format!("their values differ at {}", at.join(", ")),
                );
            }
            Ok(_) => tried += 1,
            Err(_) => {}
        }
    }
    match tried {
        0 => undecided("they have no common value that can be computed"),
        _ => undecided(format!(
            "likely equal: their values agree at {tried} points, which is no proof"
        )),
    }
}
