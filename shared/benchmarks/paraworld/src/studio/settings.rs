//! The settings of a run of the studio (specification 3; `studio` decides nothing that is not here).

use std::collections::BTreeSet;

use serde::{Deserialize, Deserializer, Serialize};

use crate::task::Language;
use turnwise_core::spec::{BadSpec, Spec};

/// The most questions for one pair.
const MOST_QUESTIONS: u32 = 8;
/// The most repeats of the second audit.
const MOST_AUDITS: u32 = 9;
/// The most second chances of a law that failed the machine's checks.
const MOST_REPAIRS: u32 = 3;
/// How often a seat is asked again after a reply that could not be read (specification 3.5).
pub const RETRIES: u32 = 3;

/// What a run of the studio can be told. How many pairs there are, and from which seed they are drawn, is said by the file
/// of pools.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Questions for each pair, 1 to 8; their levels rise from 1 to 4.
    pub questions: u32,
    /// How often the auditor answers each question, 1 to 9.
    pub audits: u32,
    /// How the repeats combine.
    pub policy: Policy,
    /// What one rejected question takes with it.
    pub filter: Unit,
    /// How often a law that failed the machine's checks is sent back with what was found, 0 to 3.
    pub repairs: u32,
    /// When the editor is asked: a list, or its words in a text, e.g. `question, law`; a blank text = never.
    #[serde(deserialize_with = "reviews")]
    pub review: BTreeSet<Review>,
    /// The first year in which a world may play.
    pub from: i64,
    /// The last one.
    pub to: i64,
    /// The language of questions and facts.
    pub language: Language,
}

impl Default for Settings {
    /// As the paper made its set, with the editor asked at every stage.
    fn default() -> Self {
        Settings {
            questions: 4,
            audits: 3,
            policy: Policy::All,
            filter: Unit::Pair,
            repairs: 1,
            review: BTreeSet::from(Review::ALL),
            from: 2027,
            to: 2041,
            language: Language::En,
        }
    }
}

/// How many of the repeats must agree with the law.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Policy {
    /// All.
    All,
    /// More than half.
    Majority,
    /// One.
    Any,
}

impl Policy {
    /// Whether so many of `all` are enough.
    pub fn passes(self, agreeing: usize, all: usize) -> bool {
        match self {
            Policy::All => agreeing == all,
            Policy::Majority => 2 * agreeing > all,
            Policy::Any => agreeing > 0,
        }
    }
}

/// What one rejected question takes with it (specification 3.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// The other questions of its pair: as the published counts suggest.
    Pair,
    /// Nothing.
    Question,
}

/// When the editor is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Review {
    /// Once a question is drafted.
    Question,
    /// Once a law has passed the machine's checks, or has failed them for good.
    Law,
    /// Once the audits are passed.
    Decision,
}

impl Review {
    /// All three.
    pub const ALL: [Review; 3] = [Review::Question, Review::Law, Review::Decision];

    /// Its name in settings.
    pub fn name(self) -> &'static str {
        match self {
            Review::Question => "question",
            Review::Law => "law",
            Review::Decision => "decision",
        }
    }
}

/// A list, or a text with commas, as forms and command lines send it.
fn reviews<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeSet<Review>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Written {
        List(BTreeSet<Review>),
        Text(String),
    }
    let text = match Written::deserialize(from) {
        Ok(Written::List(list)) => return Ok(list),
        Ok(Written::Text(text)) => text,
        Err(_) => {
            let problem = "review: write a list of question, law and decision";
            return Err(serde::de::Error::custom(problem));
        }
    };
    let named = |sign: char| sign.is_ascii_alphabetic();
    text.split(|sign| !named(sign))
        .filter(|word| !word.is_empty())
        .map(|word| {
            let known = Review::ALL.into_iter().find(|review| review.name() == word);
            known.ok_or_else(|| {
                let problem = format!("review: {word:?} is not question, law or decision");
                serde::de::Error::custom(problem)
            })
        })
        .collect()
}

impl Settings {
    /// The settings of a spec.
    ///
    /// # Errors
    /// If they cannot be read, or nothing can be made by them; the field is named.
    pub fn of(spec: &Spec) -> Result<Self, BadSpec> {
        let settings: Settings = serde_json::from_value(spec.settings.clone())
            .map_err(|error| BadSpec::new("settings", error.to_string()))?;
        for (field, value, least, most) in [
            ("questions", settings.questions, 1, MOST_QUESTIONS),
            ("audits", settings.audits, 1, MOST_AUDITS),
            ("repairs", settings.repairs, 0, MOST_REPAIRS),
        ] {
            if !(least..=most).contains(&value) {
                return Err(BadSpec::new(
                    format!("settings.{field}"),
                    format!("{value} is not possible; choose {least} to {most}"),
                ));
            }
        }
        let (from, to) = (settings.from, settings.to);
        if !(1000..=9999).contains(&from) || !(from..=9999).contains(&to) {
            return Err(BadSpec::new(
                "settings.from",
                format!("{from} to {to} is no span of years; the first must not be after the last"),
            ));
        }
        Ok(settings)
    }

    /// The level of a question, 1 to 4, of `number` from 1: the last one always has level 4.
    pub fn level(&self, number: u32) -> u32 {
        (4 * number).div_ceil(self.questions).clamp(1, 4)
    }

    /// The most calls that one pair can need.
    pub fn most_calls(&self) -> u32 {
        let tries = 1 + RETRIES;
        // Question, law with its repairs, first audit; each repeat with its comparison; the editor three times.
        let seats = 3 * tries + self.repairs + 2 * tries * self.audits;
        1 + self.questions * (seats + 3 * tries)
    }
}
