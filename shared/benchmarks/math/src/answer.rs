//! Whether an answer is the expected one, decided without a model where mathematics can decide it.
//!
//! *Equal* is said only where it is proven, *unequal* only within an exact kind and where that is proven; everything else is
//! *undecided* and goes to the grader. Everything here is pure and bounded in depth, size and steps.

mod interval;
mod normal;
mod read;
mod tidy;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Signed;

use interval::{Interval, value};
use normal::{Stop, Work, form};
use read::{Expr, Read, Said, read};
pub use tidy::tidy;

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
            Kind::Integer => without_unit(problem, &given),
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
            None => match (WORDS.iter().find(|word| word.eq_ignore_ascii_case(text)), read(text)) {
                (Some(word), _) => (Kind::YesNo, Content::Word((*word).to_owned())),
                (None, Ok(read)) => (kind_of(&read.said), Content::Read(read)),
                (None, Err(_)) => (Kind::Text, Content::Nothing),
            },
        };
        Answer { kind, content }
    }

    fn compare(&self, given: &str) -> Decided {
        match (&self.content, self.kind) {
            (Content::Nothing, _) => undecided("there is no rule for such an answer, and the texts differ"),
            (Content::Word(wanted), Kind::Letter) => match letter(given) {
                None => undecided("the answer is not one letter"),
                Some(letter) => same_word(wanted, &letter.to_string()),
            },
            (Content::Word(wanted), _) => match first_word(given) {
                None => undecided("the answer is not a plain yes or no"),
                Some(word) if is_truth(word) != is_truth(wanted) => undecided("true and false are not yes and no"),
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
        .any(|word| word.len() == 1 && word.starts_with(|one: char| one.is_ascii_uppercase() && one != letter));
    ((after.is_empty() || after.starts_with(' ')) && !names_another).then_some(letter)
}

/// The yes or no that an answer begins with; whatever follows must be set apart and say neither.
fn first_word(text: &str) -> Option<&'static str> {
    let end = text
        .find(|char: char| !char.is_ascii_alphabetic())
        .unwrap_or(text.len());
    let (first, rest) = text.split_at(end);
    let word = WORDS.into_iter().find(|word| word.eq_ignore_ascii_case(first))?;
    let is_apart = rest.is_empty() || rest.trim_start().starts_with([',', '.', ';', ':', '!', '—', '(']);
    let says_more = rest
        .split(|char: char| !char.is_alphabetic())
        .any(|other| WORDS.iter().any(|word| word.eq_ignore_ascii_case(other)));
    (is_apart && !says_more).then_some(word)
}

/// Words after a number that change it.
const FACTORS: [&str; 8] = ["hundred", "thousand", "million", "billion", "dozen", "percent", "half", "th"];

/// A number without the unit behind it, if the problem has that word.
fn without_unit<'a>(problem: &str, given: &'a str) -> &'a str {
    let Some(end) = given.find(|char: char| !(char.is_ascii_digit() || "+-,.".contains(char))) else {
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
        && !FACTORS.iter().any(|factor| factor.eq_ignore_ascii_case(unit.trim_end_matches('s')))
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
    let mut letters = BTreeSet::new();
    let is_rational = scan(expr, &mut letters);
    let form = form(expr, &mut Work::default());
    if !letters.is_empty() {
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
        _ if !is_rational => Kind::Constant,
        Some(number) if number.is_integer() && is_literal => Kind::Integer,
        Some(number) if !number.is_integer() => Kind::Fraction,
        _ => Kind::IntegerExpression,
    }
}

fn scan_letters(expr: &Expr) -> BTreeSet<&str> {
    let mut letters = BTreeSet::new();
    scan(expr, &mut letters);
    letters
}

/// Collects the letters of an expression; whether it has only sums, products, quotients and whole powers of rational numbers.
fn scan<'a>(expr: &'a Expr, letters: &mut BTreeSet<&'a str>) -> bool {
    match expr {
        Expr::Number(_) => true,
        Expr::Symbol(name) => letters.insert(name) || true,
        Expr::Pi | Expr::E | Expr::Infinity => false,
        Expr::Neg(inner) | Expr::Factorial(inner) => scan(inner, letters),
        Expr::Root(_, inner) | Expr::Call(_, inner) => {
            scan(inner, letters);
            false
        }
        Expr::Sum(parts) | Expr::Product(parts) => {
            // Not `all`, which would end at the first: every letter is wanted.
            parts.iter().fold(true, |all, part| scan(part, letters) && all)
        }
        Expr::Quotient(one, other) | Expr::Binomial(one, other) => scan(one, letters) & scan(other, letters),
        Expr::Power(base, exponent) => {
            let is_whole = match form(exponent, &mut Work::default()) {
                Ok(form) => form.as_rational().is_none_or(|number| number.is_integer()),
                Err(_) => true,
            };
            scan(base, letters) & scan(exponent, letters) && is_whole
        }
    }
}

fn compare(wanted: &Read, given: &Read) -> Decided {
    let mut work = Work::default();
    match (&wanted.said, &given.said) {
        (Said::Value(one), Said::Value(other)) => {
            let rounded = Rounded::of(wanted, given);
            compare_values(one, other, rounded, &mut work)
        }
        (Said::Tuple { open, close, parts }, Said::Tuple { open: other_open, close: other_close, parts: others }) => {
            if (open, close) != (other_open, other_close) {
                return undecided("the brackets differ");
            }
            let rounded = Rounded {
                places: [None, None],
                somewhere: wanted.has_decimals || given.has_decimals,
            };
            let mut part = |one: &Expr, other: &Expr| compare_values(one, other, rounded, &mut work).0;
            match *open {
                '{' => compare_sets(parts, others, part),
                _ if parts.len() != others.len() => {
                    (Verdict::Unequal, "the numbers of parts differ".to_owned())
                }
                _ => {
                    let verdicts: Vec<Verdict> = parts.iter().zip(others).map(|(one, other)| part(one, other)).collect();
                    all_of(&verdicts)
                }
            }
        }
        _ => undecided("one is a single value and the other is not"),
    }
}

fn all_of(verdicts: &[Verdict]) -> Decided {
    if let Some(at) = verdicts.iter().position(|verdict| *verdict == Verdict::Unequal) {
        return (Verdict::Unequal, format!("part {} differs", at + 1));
    }
    match verdicts.iter().position(|verdict| *verdict == Verdict::Undecided) {
        Some(at) => undecided(format!("part {} is undecided", at + 1)),
        None => (Verdict::Equal, "all parts are equal".to_owned()),
    }
}

/// The largest set that is compared: every element with every other.
const MOST_ELEMENTS: usize = 12;

/// Sets are equal if each element of either is one of the other; unequal if one is proven to be none.
fn compare_sets(one: &[Expr], other: &[Expr], mut part: impl FnMut(&Expr, &Expr) -> Verdict) -> Decided {
    if one.len().max(other.len()) > MOST_ELEMENTS {
        return undecided("the sets are too large");
    }
    let mut is_sure = true;
    for (from, into) in [(one, other), (other, one)] {
        for element in from {
            let verdicts: Vec<Verdict> = into.iter().map(|candidate| part(element, candidate)).collect();
            if verdicts.iter().all(|verdict| *verdict == Verdict::Unequal) {
                return (Verdict::Unequal, "an element is in one set only".to_owned());
            }
            is_sure &= verdicts.contains(&Verdict::Equal);
        }
    }
    match is_sure {
        true => (Verdict::Equal, "the sets have the same elements".to_owned()),
        false => undecided("an element is undecided"),
    }
}

/// Where decimals stand: a decimal of four places or more may be a rounded value.
#[derive(Clone, Copy)]
struct Rounded {
    /// Places of either side, where it is one decimal number.
    places: [Option<u32>; 2],
    /// Whether there are decimals anywhere else.
    somewhere: bool,
}

/// Decimals of so many places that may have been rounded.
const ROUNDED_PLACES: u32 = 4;

impl Rounded {
    fn of(one: &Read, other: &Read) -> Self {
        let within = |read: &Read| read.has_decimals && read.places.is_none();
        Rounded {
            places: [one.places, other.places],
            somewhere: within(one) || within(other),
        }
    }

    /// Whether two different values may be one value and its rounding: half a unit of the last place, or cut off behind it; for
    /// decimals within an expression a thousandth.
    fn explains(self, values: &[Interval; 2]) -> bool {
        let [one, other] = values.each_ref().map(Interval::bounds);
        let gap = (&one.0 - &other.1).max(&other.0 - &one.1);
        let ten = BigRational::from(BigInt::from(10));
        for (places, (given, wanted)) in self.places.iter().zip([(&one, &other), (&other, &one)]) {
            let Some(places) = places.filter(|places| *places >= ROUNDED_PLACES) else {
                continue;
            };
            let unit = ten.pow(-i32::try_from(places).unwrap_or(i32::MAX));
            let is_cut = gap < unit && given.0.abs() <= wanted.1.abs();
            if &gap + &gap <= unit || is_cut {
                return true;
            }
        }
        self.somewhere && gap * ten.pow(3) <= one.1.abs().max(one.0.abs())
    }
}

fn compare_values(one: &Expr, other: &Expr, rounded: Rounded, work: &mut Work) -> Decided {
    if one == other {
        return (Verdict::Equal, "the same expression".to_owned());
    }
    let letters = scan_letters(one);
    if letters != scan_letters(other) {
        return undecided("they have different letters");
    }
    let stopped = |stop: Stop| undecided(stop.reason());
    let mut proven_apart = false;
    match (form(one, work), form(other, work)) {
        (Err(Stop::DivisionByZero), _) | (_, Err(Stop::DivisionByZero)) => return stopped(Stop::DivisionByZero),
        (Ok(one), Ok(other)) => match one.difference(&other, work) {
            Ok(difference) if difference.is_zero() => {
                return (Verdict::Equal, "both have one normal form".to_owned());
            }
            Ok(difference) => proven_apart = difference.is_independent(),
            Err(_) => {}
        },
        _ => {}
    }
    let has_decimals = rounded.somewhere || rounded.places.iter().any(Option::is_some);
    if letters.is_empty() {
        let mut work = Work::for_values();
        let mut of = |expr| value(expr, &BTreeMap::new(), &mut work);
        return match of(one).and_then(|one| Ok([one, of(other)?])) {
            Ok(values) if proven_apart || values[0].is_apart(&values[1]) => match has_decimals && rounded.explains(&values) {
                true => undecided("one may be the other, rounded"),
                false => (Verdict::Unequal, "their values differ".to_owned()),
            },
            Ok(_) => undecided("their values agree to 120 digits, which is no proof"),
            Err(_) if proven_apart && !has_decimals => (Verdict::Unequal, "their values differ".to_owned()),
            Err(stop) => stopped(stop),
        };
    }
    if has_decimals {
        return undecided("a number in it may be rounded");
    }
    if proven_apart {
        return (Verdict::Unequal, "their normal forms differ".to_owned());
    }
    if letters.contains("i") || letters.contains("j") {
        return undecided("i may be the imaginary unit");
    }
    compare_at_points(one, other, &letters)
}

/// Points at which expressions with letters are compared.
const POINTS: u64 = 20;

/// Compares at whole numbers that follow from nothing but the letters' order. Where either has no value, the point is passed over.
fn compare_at_points(one: &Expr, other: &Expr, letters: &BTreeSet<&str>) -> Decided {
    let mut work = Work::for_values();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut tried = 0;
    for _ in 0..POINTS {
        let mut point = BTreeMap::new();
        for letter in letters {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            point.insert(*letter, 1 + i64::try_from((state >> 33) % 12).unwrap_or(0));
        }
        let (Ok(left), Ok(right)) = (value(one, &point, &mut work), value(other, &point, &mut work)) else {
            continue;
        };
        tried += 1;
        if left.is_apart(&right) {
            let at: Vec<String> = point.iter().map(|(letter, number)| format!("{letter} = {number}")).collect();
            return (Verdict::Unequal, format!("their values differ at {}", at.join(", ")));
        }
    }
    match tried {
        0 => undecided("they have no common value that can be computed"),
        _ => undecided(format!("likely equal: their values agree at {tried} points, which is no proof")),
    }
}
