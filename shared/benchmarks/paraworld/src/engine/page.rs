//! The page of four results, from templates in the language of the task.

mod templates;

use serde::{Deserialize, Serialize, Serializer};

use super::super::task::Language;
use super::leak::secret;
use super::text::{Words, is_year};
use super::{Class, Engine, Judgement, Reason};
use turnwise_core::dice;
use turnwise_core::prelude::*;

/// What the engine answers to a query; as JSON, the response of specification 4.3 with the class beside it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Page {
    pub is_compound_query: bool,
    /// Whether a fact was hit; written as 0 or 1.
    #[serde(serialize_with = "zero_or_one")]
    pub hit: bool,
    /// The key of the fact that was hit.
    pub matched_fact_keys: Vec<String>,
    pub reason: Reason,
    /// The class of the query, compound and too bare apart.
    pub class: Class,
    pub search_result: Vec<SearchResult>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchResult {
    /// 1 to 4.
    pub id: u32,
    pub title: String,
    pub content: String,
    /// An invented date, `YYYY-MM-DD`, in a year of the question or 2027.
    pub date: String,
}

fn zero_or_one<S: Serializer>(hit: &bool, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u8(u8::from(*hit))
}

pub(super) fn write(engine: &Engine<'_>, query: &str, judgement: Judgement) -> Page {
    let (world, words) = (engine.world(), Words::of(query));
    let language = world.language();
    let mut dice = Dice::new(world.digest(), &words);
    let hit = judgement.fact.and_then(|fact| world.facts.get(fact));
    let topic = topic(engine, query, judgement.fact, language);
    let values = world.facts.iter().map(|fact| fact.value.as_str());
    let question = Words::of(world.question());
    let known = engine.keys.iter().chain([&question, &words]);
    let secrets: Vec<Words> = values
        .chain([world.answer.as_str()])
        .filter_map(|value| secret(value, known.clone()))
        .collect();
    let quiet = |text: &str| {
        let text = Words::of(text);
        !secrets.iter().any(|secret| text.holds(secret))
    };
    let texts = templates::of(language);
    let years = years(world.question());
    let place = dice.below(4);
    let mut order = dice.order(texts.len()).into_iter().cycle();
    let search_result = (0..4_u32)
        .map(|position| {
            // The first text that tells nothing; at the end one without a topic.
            let nobody = templates::nobody(language);
            let (title, content) = order
                .by_ref()
                .take(texts.len())
                .map(|text| templates::fill(texts[text], &topic))
                .chain(texts.iter().map(|text| templates::fill(*text, nobody)))
                .find(|(title, content)| quiet(title) && quiet(content))
                .unwrap_or_else(|| templates::fill(texts[0], nobody));
            let date = dice.date(&years);
            let (title, content) = match hit {
                Some(fact) if position == place => {
                    templates::told(language, &fact.key, &fact.value)
                }
                _ => (title, content),
            };
            SearchResult { id: position + 1, title, content, date }
        })
        .collect();
    Page {
        is_compound_query: matches!(judgement.class, Class::Compound | Class::TooBare),
        hit: hit.is_some(),
        matched_fact_keys: hit.map(|fact| fact.key.clone()).into_iter().collect(),
        reason: judgement.reason,
        class: judgement.class,
        search_result,
    }
}

/// What the page is about: the fact's entity, else the entities that the query names, else nothing in particular.
fn topic(engine: &Engine<'_>, query: &str, fact: Option<usize>, language: Language) -> String {
    let extra = engine.world().extra.as_ref();
    let own = fact
        .and_then(|fact| engine.world().facts.get(fact))
        .and_then(|fact| extra?.fact(&fact.key)?.entity.clone());
    let named = || {
        let names = engine.vocabulary.as_ref()?.entities(query);
        let names: Vec<String> = names.into_iter().take(2).collect();
        let and = match language {
            Language::En => " and ",
            Language::Zh => "与",
        };
        (!names.is_empty()).then(|| names.join(and))
    };
    own.or_else(named).unwrap_or_else(|| templates::nobody(language).to_owned())
}

/// The years that a question names, from 2026; 2027 if none.
fn years(question: &str) -> Vec<u32> {
    let years: Vec<u32> = Words::of(question)
        .0
        .iter()
        .filter(|word| is_year(word))
        .filter_map(|word| word.parse().ok())
        .filter(|year| *year >= 2026)
        .collect();
    if years.is_empty() { vec![2027] } else { years }
}

/// Choices that follow from world and query.
struct Dice {
    seed: u64,
    thrown: u32,
}

impl Dice {
    fn new(world: Digest, query: &Words) -> Self {
        let digest = Digest::of_parts([world.bytes().as_slice(), query.0.join(" ").as_bytes()]);
        let mut seed = [0; 8];
        seed.copy_from_slice(&digest.bytes()[..8]);
        Dice { seed: u64::from_le_bytes(seed), thrown: 0 }
    }

    fn order(&mut self, below: usize) -> Vec<usize> {
        let below = saturated(below);
        self.thrown += 1;
        let stream = format!("page:{}", self.thrown);
        let drawn = dice::draw(self.seed, &stream, below, below);
        drawn.into_iter().map(|number| number as usize).collect()
    }

    fn below(&mut self, below: u32) -> u32 {
        self.thrown += 1;
        let stream = format!("page:{}", self.thrown);
        dice::draw(self.seed, &stream, below, 1).first().copied().unwrap_or(0)
    }

    fn date(&mut self, years: &[u32]) -> String {
        let year = self.order(years.len()).first().map_or(2027, |place| years[*place]);
        let (month, day) = (self.below(12) + 1, self.below(28) + 1);
        format!("{year:04}-{month:02}-{day:02}")
    }
}
