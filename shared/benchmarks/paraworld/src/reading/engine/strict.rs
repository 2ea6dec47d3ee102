//! The invariants of form, I1 to I5: what `strict` accepts of a reply before its content is looked at.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::engine::SearchResult;
use crate::task::Fact;
use turnwise_core::parse::{Candidate, objects, reasoning};
use turnwise_core::prelude::*;

/// How many results a page has.
const RESULTS: usize = 4;

/// An engine's reply that keeps the invariants of form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    /// What the engine takes the query for.
    pub sign: Sign,
    /// The engine's reason, if it gave one.
    pub reason: Option<String>,
    /// The four results; ids are 1 to 4.
    pub pages: Vec<SearchResult>,
    /// What was put right without losing anything.
    pub repairs: Vec<Violation>,
}

/// What a query is taken for (I3, I4): a hit has exactly one key, everything else none.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(tag = "sign", rename_all = "snake_case")]
pub enum Sign {
    /// One thing was asked for, and it is this fact.
    Hit {
        /// The fact's key, letter by letter.
        key: String,
    },
    /// One thing was asked for, and no fact is about it.
    Miss,
    /// Several things were asked for, or too little was said.
    Compound,
}

/// A rule that a reply broke.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Violation {
    pub rule: Rule,
    /// How, in a few words that an engine can be shown. Without text of facts.
    pub how: String,
}

/// The invariants of specification 4.6: of form (I1 to I5, read here), and of content (I6 to I10). I11, the same reply for the
/// same query, is kept by the code that asks the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Rule {
    /// One object with fields of the right types; `hit` 0 or 1.
    I1,
    /// Four results with title, content and a real date not before 2026.
    I2,
    /// A compound query has no hit and no key.
    I3,
    /// A hit has exactly one key, anything else none.
    I4,
    /// The key is one of the facts'.
    I5,
    /// A hit tells the value of its fact.
    I6,
    /// Anything but a hit tells no value, and not the answer.
    I7,
    /// A hit tells no value but its own, and not the answer.
    I8,
    /// A hit gives no second number for what its fact tells.
    I9,
    /// The texts of a compound query are long enough.
    I10,
}

/// A reply that breaks an invariant of form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// The rules that were broken and cannot be put right; at least one.
    pub violations: Vec<Violation>,
    /// What the engine takes the query for, where that keeps I3 to I5 whatever the page is like.
    pub sign: Option<Sign>,
}

fn broken(rule: Rule, how: impl Into<String>) -> Violation {
    Violation { rule, how: how.into() }
}

/// Reads a reply and puts right what can be put right without loss: `hit` as a truth value or in quotes, numbers of
/// results, a hit or key on a compound query (taken back), letters of a key in another case or width.
///
/// The object is the last one outside of strings that has `search_result`, after the last closed thought if there is one
/// there.
///
/// # Errors
/// The rules that were broken and cannot be put right.
pub fn strict(text: &str, facts: &[Fact]) -> Result<Checked, Refused> {
    let after = reasoning::read(text).after.unwrap_or(0);
    let last = |from: usize| {
        let candidates = objects(text, from..text.len(), Dialect::Strict);
        candidates
            .filter_map(|candidate| match candidate {
                Candidate::Object { object, .. } => Some(object),
                Candidate::Broken { .. } | Candidate::Unclosed { .. } => None,
            })
            .filter(|object| object.get("search_result").is_some())
            .last()
    };
    let object = last(after).or_else(|| last(0)).ok_or_else(|| Refused {
        violations: vec![broken(Rule::I1, "no JSON object with search_result")],
        sign: None,
    })?;
    let mut repairs = Vec::new();
    let mut violations = Vec::new();
    let sign = sign(&object, facts, &mut repairs);
    let pages = pages(&object, &mut repairs);
    let sign = sign.map_err(|violation| violations.push(violation)).ok();
    let pages = pages.map_err(|violation| violations.push(violation)).ok();
    match (sign, pages) {
        (Some(sign), Some(pages)) => Ok(Checked {
            sign,
            reason: object.get("reason").and_then(Json::as_text).map(str::to_owned),
            pages,
            repairs,
        }),
        (sign, _) => Err(Refused { violations, sign }),
    }
}

fn sign(object: &Object, facts: &[Fact], repairs: &mut Vec<Violation>) -> Result<Sign, Violation> {
    let compound = match object.get("is_compound_query") {
        Some(Json::Bool(compound)) => *compound,
        _ => return Err(broken(Rule::I1, "is_compound_query is not true or false")),
    };
    let (hit, plain) = match object.get("hit") {
        Some(Json::Int(number)) => (number.digits() == "1", is_bit(number.digits())),
        Some(Json::Bool(hit)) => {
            repairs.push(broken(Rule::I1, "hit is a truth value"));
            (*hit, true)
        }
        Some(Json::Text(text)) => {
            repairs.push(broken(Rule::I1, "hit is a text"));
            (text.trim() == "1", is_bit(text.trim()))
        }
        _ => (false, false),
    };
    if !plain {
        return Err(broken(Rule::I1, "hit is not 0 or 1"));
    }
    let keys: Vec<&str> = match object.get("matched_fact_keys") {
        Some(Json::List(keys)) => {
            let texts: Option<Vec<&str>> = keys.iter().map(Json::as_text).collect();
            texts.ok_or_else(|| {
                broken(Rule::I1, "matched_fact_keys holds something else than text")
            })?
        }
        _ => return Err(broken(Rule::I1, "matched_fact_keys is not a list")),
    };
    match (compound, hit, &keys[..]) {
        (true, false, []) => Ok(Sign::Compound),
        (true, ..) => {
            repairs.push(broken(Rule::I3, "hit or key on a compound query taken back"));
            Ok(Sign::Compound)
        }
        (false, false, []) => Ok(Sign::Miss),
        (false, true, [key]) => {
            if facts.iter().any(|fact| fact.key == *key) {
                return Ok(Sign::Hit { key: (*key).to_owned() });
            }
            let wanted = folded(key);
            let mut alike = facts.iter().filter(|fact| folded(&fact.key) == wanted);
            match (alike.next(), alike.next()) {
                (Some(fact), None) => {
                    repairs.push(broken(Rule::I5, "key written in other letters"));
                    Ok(Sign::Hit { key: fact.key.clone() })
                }
                _ => Err(broken(Rule::I5, "the key is none of the facts'")),
            }
        }
        (false, true, _) => Err(broken(Rule::I4, "a hit needs exactly one key")),
        (false, false, _) => Err(broken(Rule::I4, "a key without a hit")),
    }
}

fn is_bit(digits: &str) -> bool {
    matches!(digits, "0" | "1")
}

fn pages(object: &Object, repairs: &mut Vec<Violation>) -> Result<Vec<SearchResult>, Violation> {
    let items = match object.get("search_result") {
        Some(Json::List(items)) => items,
        _ => return Err(broken(Rule::I2, "search_result is not a list")),
    };
    if items.len() != RESULTS {
        return Err(broken(Rule::I2, format!("{} results instead of {RESULTS}", items.len())));
    }
    (1_u32..)
        .zip(items)
        .map(|(id, item)| {
            let item = item
                .as_object()
                .ok_or_else(|| broken(Rule::I2, format!("result {id} is not an object")))?;
            let text = |name: &str| {
                let text = item.get(name).and_then(Json::as_text).map(str::trim);
                let text = text.filter(|text| !text.is_empty()).map(str::to_owned);
                text.ok_or_else(|| broken(Rule::I2, format!("result {id} has no {name}")))
            };
            if !matches!(item.get("id"), Some(Json::Int(number)) if number.digits() == id.to_string())
            {
                repairs.push(broken(Rule::I2, format!("result {id} numbered anew")));
            }
            let date = text("date")?;
            if !is_date(&date) {
                let how = format!("result {id} has no date from 2026 on, written YYYY-MM-DD");
                return Err(broken(Rule::I2, how));
            }
            Ok(SearchResult {
                id,
                title: text("title")?,
                content: text("content")?,
                date,
            })
        })
        .collect()
}

/// A real calendar date, `YYYY-MM-DD`, not before 2026.
fn is_date(text: &str) -> bool {
    let part = |range: std::ops::Range<usize>| {
        let digits = text.get(range)?;
        let plain = digits.bytes().all(|digit| digit.is_ascii_digit());
        plain.then(|| digits.parse::<u32>().ok()).flatten()
    };
    let dashes = text.len() == 10 && text.get(4..5) == Some("-") && text.get(7..8) == Some("-");
    let (Some(year), Some(month), Some(day)) = (part(0..4), part(5..7), part(8..10)) else {
        return false;
    };
    let leap = year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    let days = match month {
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        1..=12 => 31,
        _ => 0,
    };
    dashes && year >= 2026 && (1..=days).contains(&day)
}

/// Keys are compared so where they are not equal letter by letter: without white space around them, full-width forms as
/// their ASCII counterparts, in lower case. This is NFKC with case folding for the letters that engines confuse.
pub fn folded(key: &str) -> String {
    let narrow = |letter: char| match letter {
        '\u{3000}' => ' ',
        '！'..='～' => u8::try_from(u32::from(letter) - 0xfee0).map_or(letter, char::from),
        other => other,
    };
    key.trim().chars().map(narrow).collect::<String>().to_lowercase()
}

/// The broken rules, each once, as sent to an engine that is asked again.
pub fn told(violations: &[Violation]) -> Vec<String> {
    let each: BTreeSet<(Rule, &str)> =
        violations.iter().map(|violation| (violation.rule, violation.how.as_str())).collect();
    each.into_iter().map(|(rule, how)| format!("{rule:?}: {how}")).collect()
}
