//! What built worlds are about: six domains with invented names, in English and Chinese (`data/domains.toml`).

use std::sync::LazyLock;

use serde::Deserialize;

use crate::task::Language;

/// The same in two languages.
#[derive(Debug, Clone, Copy, Deserialize)]
pub(in super::super) struct Both {
    pub en: &'static str,
    pub zh: &'static str,
}

impl Both {
    pub fn say(self, language: Language) -> &'static str {
        match language {
            Language::En => self.en,
            Language::Zh => self.zh,
        }
    }
}

/// A whole number that every entity of a domain has in every year.
#[derive(Debug, Deserialize)]
pub(in super::super) struct Attribute {
    /// How test data call it.
    #[cfg_attr(not(test), expect(dead_code, reason = "tests join phrasings by it"))]
    pub id: &'static str,
    pub name: Both,
    /// The unit after a number (English: plural).
    pub unit: Both,
    /// What one of it is called: `a point per …`, `每…`.
    pub one: Both,
    pub domain: (i64, i64),
    /// Other names, separated by `|`.
    pub aliases: Both,
}

#[derive(Debug, Deserialize)]
pub(in super::super) struct Domain {
    /// How test data call it.
    #[cfg_attr(not(test), expect(dead_code, reason = "tests join phrasings by it"))]
    pub id: &'static str,
    /// The category of its worlds; in English in both languages, as in the published set.
    pub category: &'static str,
    /// What its entities are called (English: plural).
    pub noun: Both,
    /// What one of them is called (Chinese: with its measure word in front of `这两`).
    pub one: Both,
    /// Second parts of names.
    pub suffixes: [Both; 6],
    pub attributes: [Attribute; 3],
    /// Positions of the attributes that are divided by each other.
    pub ratio: (usize, usize),
    /// Positions of the attributes that an index counts.
    pub rated: (usize, usize),
    /// How one entity leads to another.
    pub relation: Both,
    pub relation_aliases: Both,
}

/// The domains, and of what names are made.
#[derive(Debug, Deserialize)]
#[serde(bound(deserialize = "'de: 'static"))]
pub(in super::super) struct Pools {
    /// First halves of names.
    pub heads: Vec<Both>,
    /// Second halves of names.
    pub tails: Vec<Both>,
    /// What an index is called, after an invented name.
    pub index: Vec<Both>,
    pub domains: Vec<Domain>,
}

pub(in super::super) static POOLS: LazyLock<Pools> = LazyLock::new(|| {
    let text = include_str!("../../data/domains.toml");
    toml::from_str(text).expect("every test reads them")
});
