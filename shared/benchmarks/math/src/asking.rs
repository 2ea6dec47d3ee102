//! Questions that are decided without a model: how the answer is ordered against a number, and which kind of number it is.

use std::cmp::Ordering;

use dashu_int::IBig;
use dashu_ratio::RBig;

use crate::answer::{Verdict, bounds, grade, meaning, words};

/// What the judge understands, in words for a person.
pub const UNDERSTOOD: &str = "The judge is a program. It understands: less than 3/4, at least 10, between 2 and 5, is it 7, an integer, even, odd, \
     prime, positive, negative, a fraction, divisible by 3; also with “not”, “and”, “or”.";

/// A question about the answer.
#[derive(Debug, Clone)]
pub enum Question {
    /// The answer is ordered so against a number.
    Is(Relation, String),
    Prime,
    DivisibleBy(IBig),
    Not(Box<Question>),
    All(Vec<Question>),
    Any(Vec<Question>),
}

type Relation = fn(Ordering) -> bool;

/// Relations by the words for them, in the order in which they are sought.
const RELATIONS: [(&str, Relation); 5] = [
    ("at least", Ordering::is_ge),
    ("at most", Ordering::is_le),
    ("greater", Ordering::is_gt),
    ("less", Ordering::is_lt),
    ("equal", Ordering::is_eq),
];

/// Relations to the lower number and to the higher one.
const BETWEEN: [(&str, Relation, Relation); 2] = [
    ("strictly between", Ordering::is_gt, Ordering::is_lt),
    ("between", Ordering::is_ge, Ordering::is_le),
];

/// Reads a question; `None` if it is none of those that are understood.
pub fn read(question: &str) -> Option<Question> {
    let text = question.to_lowercase();
    let text = text.trim().trim_end_matches(['?', '.', '!', ' ']);
    said_of_it(after("subject", text).unwrap_or(text))
}

/// What is said of the answer.
fn said_of_it(text: &str) -> Option<Question> {
    let text = text.trim();
    for (words, above, below) in BETWEEN {
        if let Some(both) = after(words, text) {
            let (low, high) = both.split_once(" and ")?;
            let is = |relation, text| Some(Question::Is(relation, number(text)?));
            return Some(Question::All(vec![is(above, low)?, is(below, high)?]));
        }
    }
    if let Some(one) = plain(text) {
        return Some(one);
    }
    for (word, join) in
        [(" or ", Question::Any as fn(Vec<Question>) -> Question), (" and ", Question::All)]
    {
        // At the first place where both sides say something.
        let mut places = text.match_indices(word).map(|(at, _)| at);
        let split = places.find_map(|at| {
            let (one, other) = (&text[..at], &text[at + word.len()..]);
            Some(vec![said_of_it(one)?, said_of_it(other)?])
        });
        if let Some(both) = split {
            return Some(join(both));
        }
    }
    None
}

fn plain(text: &str) -> Option<Question> {
    for (words, relation) in RELATIONS {
        if let Some(number) = after(words, text).and_then(number) {
            return Some(Question::Is(relation, number));
        }
    }
    if let Some(other) = after_word(text, "not") {
        return plain(other.trim()).map(|one| Question::Not(Box::new(one)));
    }
    if let Some(rest) = after("filler", text) {
        return plain(rest.trim());
    }
    if let Some(divisor) = after("multiple", text) {
        let divisor: IBig = divisor.trim().parse().ok()?;
        return (divisor != IBig::ZERO).then_some(Question::DivisibleBy(divisor));
    }
    let bare =
        ["a ", "an "].iter().find_map(|article| text.strip_prefix(article)).unwrap_or(text).trim();
    match meaning(bare) {
        Some("prime") => Some(Question::Prime),
        Some(meaning) => said_of_it(meaning),
        None => number(text).map(|number| Question::Is(Ordering::is_eq, number)),
    }
}

/// What follows one of some words at the beginning.
fn after<'a>(kind: &str, text: &'a str) -> Option<&'a str> {
    words(kind).find_map(|word| after_word(text, word))
}

/// What follows a word at the beginning; the word does not go on.
fn after_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let rest = text.strip_prefix(word)?;
    let is_word = word.ends_with(char::is_alphabetic);
    let goes_on = rest.starts_with(char::is_alphanumeric);
    (!(is_word && goes_on)).then_some(rest)
}

/// A number that can be ordered.
fn number(text: &str) -> Option<String> {
    let text = text.trim().strip_prefix("the number ").unwrap_or(text.trim());
    bounds(text).map(|_| text.to_owned())
}

impl Question {
    /// Whether it holds for an answer; `None` where that is not certain, or the answer is no number.
    pub fn holds(&self, answer: &str) -> Option<bool> {
        match self {
            Question::Is(relation, number) => order(answer, number).map(relation),
            Question::Prime => whole(answer)?.map_or(Some(false), |whole| is_prime(&whole)),
            Question::DivisibleBy(divisor) => {
                Some(whole(answer)?.is_some_and(|whole| whole % divisor == IBig::ZERO))
            }
            Question::Not(one) => one.holds(answer).map(|holds| !holds),
            Question::All(all) => {
                all.iter().try_fold(true, |holds, one| Some(one.holds(answer)? && holds))
            }
            Question::Any(any) => {
                any.iter().try_fold(false, |holds, one| Some(one.holds(answer)? || holds))
            }
        }
    }
}

/// How two numbers are ordered, where that is certain.
fn order(one: &str, other: &str) -> Option<Ordering> {
    let ((low, high), (other_low, other_high)) = (bounds(one)?, bounds(other)?);
    if high < other_low {
        Some(Ordering::Less)
    } else if low > other_high {
        Some(Ordering::Greater)
    } else {
        (grade(one, other).verdict == Verdict::Equal).then_some(Ordering::Equal)
    }
}

/// The whole number that a number is; `Some(None)` if it is certainly none, `None` if that is not known.
fn whole(text: &str) -> Option<Option<IBig>> {
    let (low, high) = bounds(text)?;
    let next = low.ceil();
    match RBig::from(next.clone()) {
        whole if whole > high => Some(None),
        _ => (grade(text, &next.to_string()).verdict == Verdict::Equal).then_some(Some(next)),
    }
}

/// The largest number of which it is found out whether it is prime.
const LARGEST_PRIME: u64 = 1_000_000_000_000;

fn is_prime(number: &IBig) -> Option<bool> {
    let Ok(number) = u64::try_from(number.clone()) else {
        // Negative numbers are not prime; of very large ones it is not known.
        return (*number < IBig::ZERO).then_some(false);
    };
    let mut divisors = (2..).take_while(|divisor| divisor * divisor <= number);
    (number <= LARGEST_PRIME).then(|| number > 1 && divisors.all(|divisor| number % divisor != 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the judge says: yes, no, or that it does not know; `not understood` for other questions.
    fn said(question: &str, answer: &str) -> &'static str {
        match read(question).map(|question| question.holds(answer)) {
            None => "not understood",
            Some(None) => "unknown",
            Some(Some(true)) => "yes",
            Some(Some(false)) => "no",
        }
    }

    #[test]
    fn what_can_be_ordered_is_answered() {
        let table = [
            ("Is the answer greater than 5?", "12", "yes"),
            ("Is it less than 12", "12", "no"),
            ("is it at most 12?", "12", "yes"),
            ("At least 3/4?", r"\frac{3}{4}", "yes"),
            ("Is the answer > 0.75?", r"\frac{3}{4}", "no"),
            (r"Is it \leq \sqrt{2}?", "1.4", "yes"),
            ("Is the answer less than pi?", "22/7", "no"),
            ("Is it larger than \\sqrt{2}?", r"\sqrt{3}", "yes"),
            ("Is it no more than 7?", "8", "no"),
            ("not less than 7", "7", "yes"),
            ("Is it not equal to 7?", "7", "no"),
            ("Is it 7?", "7", "yes"),
            ("7?", "8", "no"),
            ("Does it equal 1/2?", "0.5", "yes"),
            ("Is the answer strictly greater than 2?", "2", "no"),
            ("Is it between 2 and 5?", "5", "yes"),
            ("strictly between 2 and 5", "5", "no"),
            ("Is it greater than 3 and less than 10?", "12", "no"),
            ("Is it less than 3 or greater than 10?", "12", "yes"),
            ("Is it even and greater than 10?", "12", "yes"),
            ("Is it an integer?", r"\frac{3}{4}", "no"),
            ("An integer?", "12", "yes"),
            ("Is it a whole number?", r"\sqrt{2}", "no"),
            ("Is it a fraction?", "3/4", "yes"),
            ("Is it even?", "12", "yes"),
            ("Is the answer odd?", "12", "no"),
            ("Is it odd?", "3/4", "no"),
            ("Is it prime?", "13", "yes"),
            ("Is it a prime number?", "1", "no"),
            ("Is it positive?", "-3", "no"),
            ("is it negative?", "-3/7", "yes"),
            ("Is it divisible by 3?", "12", "yes"),
            ("Is it a multiple of 5?", "12", "no"),
        ];
        for (question, answer, wanted) in table {
            assert_eq!(said(question, answer), wanted, "{question} of {answer}");
        }
    }

    #[test]
    fn everything_else_is_not_understood_or_not_known() {
        for question in [
            "Is it nice?",
            "Does a square occur?",
            "Is it greater than that?",
            "",
            "?",
            "Is isolated?",
            "Is it divisible by 0?",
            "between 3",
            "Is the answer greater than 5 apples?",
        ] {
            assert_eq!(said(question, "12"), "not understood", "{question}");
        }
        for answer in ["yes", "(1, 2)", "x+1", "B"] {
            assert_eq!(said("Is it greater than 5?", answer), "unknown", "{answer}");
            assert_eq!(said("Is it even?", answer), "unknown", "{answer}");
        }
    }
}
