//! The careless maker: as the builder, but a share of its replies is spoilt, each in one of the ways in which models spoil
//! theirs. It is there so that rejections, repairs and yield can be seen and tested.

use serde_json::json;

use super::builder::{self, Built};
use crate::schema::{LawFact, ParaLaw, ParaQuestion};
use turnwise_core::prelude::*;
use turnwise_paraworld::task::Language;

/// Parts of which the share is counted.
const PARTS: u32 = 10_000;

/// A way to spoil a draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    /// The reply ends in the middle.
    CutOff,
    /// A number loses its unit: the machine objects.
    NoUnit,
    /// A key says the same as another one and its value something else: where the machine cannot read the question, the
    /// auditor objects.
    Contradiction,
    /// The answer is not the one that follows: where the machine cannot read the question, the auditor answers otherwise.
    WrongAnswer,
    /// The question ends with words that neither the machine nor the rule-based auditor can read.
    OtherWords,
}

/// How questions are spoilt, and how laws are.
const OF_QUESTIONS: [Fault; 2] = [Fault::CutOff, Fault::OtherWords];
const OF_LAWS: [Fault; 4] =
    [Fault::CutOff, Fault::NoUnit, Fault::Contradiction, Fault::WrongAnswer];

/// What the careless maker replies.
pub(super) fn reply(asked: &Asked<'_>) -> String {
    let thrown = asked.draw("careless", PARTS, 1);
    let is_spoilt =
        thrown.first().is_some_and(|thrown| f64::from(*thrown) < asked.share() * f64::from(PARTS));
    let built = builder::built(asked);
    let (true, Some(Built { question, law })) = (is_spoilt, built) else {
        return builder::reply(asked);
    };
    let pick = |below: u32| {
        let drawn = asked.draw("fault", below, 1);
        drawn.first().copied().unwrap_or_default() as usize
    };
    match builder::is_law(asked) {
        true => spoilt_law(law, OF_LAWS[pick(4)]),
        false => spoilt_question(question, OF_QUESTIONS[pick(2)]),
    }
}

pub(super) fn spoilt_question(mut question: ParaQuestion, fault: Fault) -> String {
    if fault == Fault::OtherWords {
        question.text.push_str(match Language::of(&question.text) {
            Language::En => " Name your sources.",
            Language::Zh => "请注明来源。",
        });
        return json!(question).to_string();
    }
    cut(&json!(question).to_string())
}

pub(super) fn spoilt_law(mut law: ParaLaw, fault: Fault) -> String {
    let digit = |sign: char| sign.is_ascii_digit();
    let number = law.facts.iter_mut().find(|fact| fact.value.starts_with(digit));
    match (fault, number) {
        (Fault::NoUnit, Some(fact)) => {
            let end = fact.value.find(|sign| !digit(sign) && sign != ',');
            fact.value.truncate(end.unwrap_or(fact.value.len()));
            // A key of the builder does not always say that a number is meant.
            fact.key = format!("number of {}", fact.key);
        }
        (Fault::Contradiction, Some(fact)) => {
            let other = LawFact {
                key: format!("{}.", fact.key),
                value: format!("1{}", fact.value),
                ..fact.clone()
            };
            law.facts.push(other);
        }
        (Fault::WrongAnswer, _) => {
            let other = |sign: char| match sign.to_digit(10) {
                Some(digit) => char::from_digit((digit + 1) % 10, 10).unwrap_or(sign),
                None => sign,
            };
            law.answer_short = law.answer_short.chars().map(other).collect();
        }
        (_, _) => return cut(&json!(law).to_string()),
    }
    json!(law).to_string()
}

fn cut(text: &str) -> String {
    let signs = text.chars().count();
    text.chars().take(signs * 2 / 3).collect()
}
