//! A solver that reads what a file says, the question and the facts, and nothing else.
//!
//! It knows the sentences in which built worlds ask, reads them word by word, looks each fact up by the key that the
//! question implies, and counts with exact fractions. It uses nothing of the builder: where the two agree, the question
//! says what the builder meant.

mod questions;

use std::collections::BTreeSet;

use num_traits::{CheckedDiv as _, Signed as _, Zero as _};

use super::super::task::{Fact, Language};
use super::fraction::{Fraction, read, whole};
use questions::Question;

/// What follows from question and facts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solution {
    /// The short answer, as a world writes it.
    pub answer: String,
    /// Where another way of reading would answer otherwise, or nearly so.
    pub hazards: BTreeSet<Hazard>,
    /// The keys of the facts that were looked up.
    pub used: BTreeSet<String>,
}

/// A reason why an answer is not safe from readings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Hazard {
    /// Two numbers that are compared are equal or within 2 %.
    NearTie,
    /// A number lies on a threshold or within 2 % of it.
    Threshold,
    /// Rounding up, down and to even do not give the same.
    Rounding,
}

/// Why there is no solution.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unsolved {
    /// The question is none of those that built worlds ask.
    #[error("the question is not of a known form")]
    Unreadable,
    #[error("there is no fact {0:?}")]
    Missing(String),
    /// A value is not a number, or not with the unit of the others.
    #[error("the value of {0:?} is not a number in the unit of the others")]
    NoNumber(String),
}

/// Answers a question from facts.
///
/// # Errors
/// A question of no known form, or facts that do not suffice.
pub fn solve(question: &str, facts: &[Fact]) -> Result<Solution, Unsolved> {
    let language = Language::of(question);
    let asked = questions::read(question, facts).ok_or(Unsolved::Unreadable)?;
    let mut solver = Solver { language, facts, used: BTreeSet::new(), hazards: BTreeSet::new() };
    let answer = solver.answer(&asked)?;
    Ok(Solution { answer, hazards: solver.hazards, used: solver.used })
}

struct Solver<'a> {
    language: Language,
    facts: &'a [Fact],
    used: BTreeSet<String>,
    hazards: BTreeSet<Hazard>,
}

/// A number with the unit that its facts wrote.
struct Sum {
    number: Fraction,
    unit: String,
}

impl Solver<'_> {
    fn look_up(&mut self, entity: &str, attribute: &str, year: &str) -> Result<String, Unsolved> {
        let key = match self.language {
            Language::En => format!("{entity}: {attribute} in {year}"),
            Language::Zh => format!("{entity}{year}年{attribute}"),
        };
        let fact = self.facts.iter().find(|fact| fact.key == key);
        let Some(fact) = fact else {
            return Err(Unsolved::Missing(key));
        };
        self.used.insert(key);
        Ok(fact.value.trim().to_owned())
    }

    fn number(&mut self, entity: &str, attribute: &str, year: &str) -> Result<Sum, Unsolved> {
        let value = self.look_up(entity, attribute, year)?;
        let Some((number, unit)) = read(&value) else {
            return Err(Unsolved::NoNumber(format!("{entity} {attribute} {year}")));
        };
        Ok(Sum { number, unit: unit.trim().to_owned() })
    }

    /// The sum over entities and years of one attribute.
    fn sum(&mut self, who: &[String], attribute: &str, years: &[String]) -> Result<Sum, Unsolved> {
        let mut total = Fraction::zero();
        let mut unit: Option<String> = None;
        for entity in who {
            for year in years {
                let one = self.number(entity, attribute, year)?;
                if unit.as_ref().is_some_and(|unit| *unit != one.unit) {
                    return Err(Unsolved::NoNumber(format!("{entity} {attribute} {year}")));
                }
                total += one.number;
                unit = Some(one.unit);
            }
        }
        Ok(Sum { number: total, unit: unit.unwrap_or_default() })
    }

    fn answer(&mut self, asked: &Question) -> Result<String, Unsolved> {
        match asked {
            Question::Compare { pair, attribute, years } => self.compare(pair, attribute, years),
            Question::Chain { starts, steps, attribute, years } => {
                let mut ends = Vec::new();
                for start in starts {
                    let mut here = start.clone();
                    for (relation, year) in steps {
                        here = self.look_up(&here, relation, year)?;
                    }
                    ends.push(here);
                }
                self.compare(&ends, attribute, years)
            }
            Question::Divide { who, years, above, below } => {
                let above = self.sum(who, above, years)?.number;
                let below = self.sum(who, below, years)?.number;
                let exact = above
                    .checked_div(&below)
                    .ok_or_else(|| Unsolved::NoNumber("divisor".to_owned()))?;
                Ok(self.hundredths(exact))
            }
            Question::Reach { who, attribute, years, threshold } => {
                self.reach(who, attribute, years, *threshold)
            }
            Question::Points { index, who, years, counted } => {
                let (mut total, mut unit) = (Fraction::zero(), String::new());
                for year in years {
                    for (attribute, rule) in counted {
                        let points = self.number(index, rule, year)?;
                        let sum = self.sum(who, attribute, std::slice::from_ref(year))?;
                        total += points.number * sum.number;
                        unit = points.unit;
                    }
                }
                Ok(self.write(total, &unit))
            }
        }
    }

    fn compare(
        &mut self,
        pair: &[String],
        attribute: &str,
        years: &[String],
    ) -> Result<String, Unsolved> {
        let [first, second] = pair else {
            return Err(Unsolved::Unreadable);
        };
        let a = self.sum(std::slice::from_ref(first), attribute, years)?;
        let b = self.sum(std::slice::from_ref(second), attribute, years)?;
        if a.unit != b.unit {
            return Err(Unsolved::NoNumber(format!("{second} {attribute}")));
        }
        let gap = (a.number - b.number).abs();
        if near(gap, a.number.max(b.number)) {
            self.hazards.insert(Hazard::NearTie);
        }
        let winner = if a.number > b.number { first } else { second };
        let gap = self.write(gap, &a.unit);
        Ok(match self.language {
            Language::En => format!("{winner}, by {gap}"),
            Language::Zh => format!("{winner}，多{gap}"),
        })
    }

    fn reach(
        &mut self,
        who: &[String],
        attribute: &str,
        years: &[String],
        threshold: Fraction,
    ) -> Result<String, Unsolved> {
        let (mut many, mut together, mut unit) = (0, Fraction::zero(), String::new());
        for entity in who {
            let total = self.sum(std::slice::from_ref(entity), attribute, years)?;
            let away = (total.number - threshold).abs();
            if near(away, total.number.max(threshold)) {
                self.hazards.insert(Hazard::Threshold);
            }
            if total.number >= threshold {
                many += 1;
                together += total.number;
            }
            unit = total.unit;
        }
        let together = self.write(together, &unit);
        Ok(match self.language {
            Language::En => format!("{many}; {together} together"),
            Language::Zh => format!("{many}个，合计{together}"),
        })
    }

    /// A number to two decimals, halves up. A hazard where cutting off gives another text: then halves to even, halves
    /// down and halves up are all the same, because none of them ever rounds up.
    fn hundredths(&mut self, exact: Fraction) -> String {
        let scaled = exact * 100;
        let half = Fraction::new(1, 2);
        let (cut, rounded) = (scaled.floor().to_integer(), (scaled + half).floor().to_integer());
        if cut != rounded {
            self.hazards.insert(Hazard::Rounding);
        }
        let whole = self.grouped(rounded / 100);
        format!("{whole}.{:02}", rounded % 100)
    }

    fn write(&self, number: Fraction, unit: &str) -> String {
        let digits = match whole(number) {
            Some(whole) => self.grouped(whole),
            None => format!("{number:?}"),
        };
        match self.language {
            Language::En => format!("{digits} {unit}"),
            Language::Zh => format!("{digits}{unit}"),
        }
    }

    fn grouped(&self, number: i128) -> String {
        if self.language == Language::Zh || number < 1000 {
            return number.to_string();
        }
        format!("{},{:03}", self.grouped(number / 1000), number % 1000)
    }
}

/// Whether a distance is at most 2 % of a number.
fn near(distance: Fraction, of: Fraction) -> bool {
    distance * 50 <= of
}
