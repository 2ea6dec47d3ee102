//! The settings of a run of the studio (specification 3; `studio` decides nothing that is not here).

use std::collections::BTreeSet;

use serde::{Deserialize, Deserializer};

use turnwise_core::prelude::*;
use turnwise_paraworld::task::Language;

/// How often a seat is asked again after a reply that could not be read (specification 3.5).
pub const RETRIES: u32 = 3;

settings! {
    Schema::new("Questions and audits", &[]);
    /// Settings of a run of the studio; by default as the paper made its set, with the editor asked at every stage. The file of
    /// pools says how many pairs there are, and from which seed they are drawn.
    #[derive(Eq)]
    pub struct Settings {
        questions: u32 = 4 => entry(
            "Questions for each pair",
            "their levels rise from 1 to 4",
            Holds::Number(1, 8),
        ),
        language: Language = Language::En
            => entry("Language", "", Holds::Choice(Language::CHOICES)),
        /// The first year in which a world may play.
        from: i64 = 2027 => entry("First year", "", Holds::Number(1000, 9999)),
        to: i64 = 2041 => entry("Last year", "", Holds::Number(1000, 9999)),
        /// How often a law that failed the machine's checks is sent back with what was found.
        repairs: u32 = 1 => entry(
            "Second chances of a draft",
            "it is sent back with what the machine found",
            Holds::Number(0, 3),
        ),
        audits: u32 = 3 => entry(
            "Answers of the auditor",
            "to each question, from the facts alone",
            Holds::Number(1, 9),
        ),
        policy: Policy = Policy::All
            => entry("How many of them must agree", "", Holds::Choice(Policy::CHOICES)),
        filter: Unit = Unit::Pair
            => entry("What a rejected question takes with it", "", Holds::Choice(Unit::CHOICES)),
        /// A list, or its words in a text, e.g. `question, law`; a blank text = never.
        #[serde(deserialize_with = "reviews")]
        review: BTreeSet<Review> = BTreeSet::from(Review::ALL) => entry(
            "When the editor is asked",
            "a list of question, law and decision",
            Holds::Text,
        ),
    }
}

choices! {
    /// How many of the repeats must agree with the law.
    pub enum Policy {
        All = "all" => "all",
        Majority = "majority" => "more than half",
        Any = "any" => "one",
    }
}

impl Policy {
    /// Whether this many of `all` are enough.
    pub fn passes(self, agreeing: usize, all: usize) -> bool {
        match self {
            Policy::All => agreeing == all,
            Policy::Majority => 2 * agreeing > all,
            Policy::Any => agreeing > 0,
        }
    }
}

choices! {
    /// What one rejected question takes with it (specification 3.4).
    pub enum Unit {
        /// The other questions of its pair: as the published counts suggest.
        Pair = "pair" => "its whole pair",
        Question = "question" => "nothing",
    }
}

choices! {
    /// When the editor is asked.
    pub enum Review {
        /// Once a question is drafted.
        Question = "question" => "",
        /// Once a law has passed the machine's checks, or has failed them for good.
        Law = "law" => "",
        /// Once the audits are passed.
        Decision = "decision" => "",
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
            word.parse().map_err(|_| {
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
        let settings = Settings::read(spec)?;
        let (from, to) = (settings.from, settings.to);
        if from > to {
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
