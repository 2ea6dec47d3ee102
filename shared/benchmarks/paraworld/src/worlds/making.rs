//! A world under construction: names, facts and what the maker knows of them.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::super::task::{Fact, FactKind, FactNote, Language, Term};
use super::chance::Chance;
use super::given::clash;
use super::pools::{Attribute, Domain, POOLS};
use super::wording::{amount, key};

/// The first and last year of built worlds.
const YEARS: (i64, i64) = (2027, 2041);

pub(super) struct Making {
    pub language: Language,
    pub domain: &'static Domain,
    pub chance: Chance,
    pub facts: Vec<Fact>,
    pub notes: Vec<FactNote>,
    pub entities: Vec<Term>,
    pub attributes: Vec<Term>,
    written: BTreeSet<String>,
    stems: BTreeSet<(usize, usize)>,
    /// Names from which entities are drawn, in place of invented ones.
    given: Option<Arc<[Term]>>,
}

impl Making {
    pub fn new(
        language: Language,
        domain: &'static Domain,
        chance: Chance,
        given: Option<Arc<[Term]>>,
    ) -> Self {
        Making {
            language,
            domain,
            chance,
            facts: Vec::new(),
            notes: Vec::new(),
            entities: Vec::new(),
            attributes: Vec::new(),
            written: BTreeSet::new(),
            stems: BTreeSet::new(),
            given,
        }
    }

    /// This many years in a row.
    pub fn years(&mut self, count: usize) -> Vec<i64> {
        let count = i64::try_from(count).unwrap_or(1);
        let first = self.chance.within((YEARS.0, YEARS.1 - count + 1));
        (first..first + count).collect()
    }

    /// An invented stem that no other name of this world has, in both languages; heads and tails are not reused either,
    /// so that names of one world are not easily mistaken for each other.
    fn stem(&mut self) -> (String, String) {
        loop {
            let (heads, tails) = (&POOLS.heads, &POOLS.tails);
            let (head, tail) = (self.chance.below(heads.len()), self.chance.below(tails.len()));
            if self.stems.iter().any(|(h, t)| *h == head || *t == tail) {
                continue;
            }
            self.stems.insert((head, tail));
            let (head, tail) = (heads[head], tails[tail]);
            return (format!("{}{}", head.en, tail.en), format!("{}{}", head.zh, tail.zh));
        }
    }

    /// A new entity of the domain; its name. `None` where the given names are used up.
    pub fn entity(&mut self) -> Option<String> {
        if let Some(given) = self.given.clone() {
            let term = (0..64).find_map(|_| {
                let term = self.chance.pick(&given).clone();
                let taken = self.entities.iter().any(|known| clash(known, &term));
                (!taken).then_some(term)
            })?;
            let name = term.name.clone();
            self.entities.push(term);
            return Some(name);
        }
        let (en, zh) = self.stem();
        let suffix = *self.chance.pick(&self.domain.suffixes);
        let names = [format!("{en} {}", suffix.en), format!("{zh}{}", suffix.zh)];
        Some(self.named(names, [en, zh]))
    }

    pub fn some_entities(&mut self, count: usize) -> Option<Vec<String>> {
        (0..count).map(|_| self.entity()).collect()
    }

    /// A new index, by whose rules points are given; its name.
    pub fn index(&mut self) -> String {
        let (en, zh) = self.stem();
        let word = *self.chance.pick(&POOLS.index);
        let names = [format!("{en} {}", word.en), format!("{zh}{}", word.zh)];
        self.named(names, [en, zh])
    }

    fn named(&mut self, [en, zh]: [String; 2], [stem_en, stem_zh]: [String; 2]) -> String {
        let (name, aliases) = match self.language {
            Language::En => (en, vec![stem_en, zh]),
            Language::Zh => (zh, vec![stem_zh, en]),
        };
        self.entities.push(Term { name: name.clone(), aliases });
        name
    }

    fn know_attribute(&mut self, name: String, aliases: Vec<String>) {
        if self.attributes.iter().all(|known| known.name != name) {
            self.attributes.push(Term { name, aliases });
        }
    }

    /// Adds a number; no two facts of a world have the same value. `None` where the domain is used up.
    pub fn number(&mut self, entity: &str, attribute: &Attribute, year: i64) -> Option<i64> {
        let name = attribute.name.say(self.language);
        let aliases = words(attribute.aliases.say(self.language));
        self.know_attribute(name.to_owned(), aliases);
        let unit = attribute.unit.say(self.language);
        let (value, written) = (0..64).find_map(|_| {
            let value = self.chance.within(attribute.domain);
            let written = amount(self.language, value, unit);
            (!self.written.contains(&written)).then_some((value, written))
        })?;
        let fact = key(self.language, entity, name, year);
        self.add(fact, written, FactKind::Data, entity, name, year);
        Some(value)
    }

    /// Adds the rule how many points one of something counts.
    pub fn rule(&mut self, index: &str, attribute: &Attribute, year: i64) -> Option<i64> {
        let one = attribute.one.say(self.language);
        let (name, aliases) = match self.language {
            Language::En => (
                format!("points per {one}"),
                vec![
                    format!("points for each {one}"),
                    format!("points for one {one}"),
                    format!("{one} points"),
                ],
            ),
            Language::Zh => (format!("每{one}积分"), vec![format!("每{one}"), format!("一{one}")]),
        };
        self.know_attribute(name.clone(), aliases);
        let unit = points(self.language);
        let (value, written) = (0..64).find_map(|_| {
            let value = self.chance.within((2, 9));
            let written = amount(self.language, value, unit);
            (!self.written.contains(&written)).then_some((value, written))
        })?;
        let fact = key(self.language, index, &name, year);
        self.add(fact, written, FactKind::Rule, index, &name, year);
        Some(value)
    }

    /// Adds that one entity leads to another.
    pub fn link(&mut self, from: &str, to: &str, year: i64) {
        let name = self.domain.relation.say(self.language);
        let aliases = words(self.domain.relation_aliases.say(self.language));
        self.know_attribute(name.to_owned(), aliases);
        let fact = key(self.language, from, name, year);
        self.add(fact, to.to_owned(), FactKind::Data, from, name, year);
    }

    fn add(
        &mut self,
        key: String,
        value: String,
        kind: FactKind,
        entity: &str,
        attribute: &str,
        year: i64,
    ) {
        // A fact depends on the fact that names its entity.
        let named_by = self.facts.iter().find(|fact| fact.value == entity);
        self.notes.push(FactNote {
            key: key.clone(),
            kind,
            entity: Some(entity.to_owned()),
            attribute: Some(attribute.to_owned()),
            period: Some(year.to_string()),
            depends_on: named_by.map(|fact| fact.key.clone()).into_iter().collect(),
        });
        self.written.insert(value.clone());
        self.facts.push(Fact { key, value });
    }

    /// One of the domain's attributes.
    pub fn attribute(&mut self) -> &'static Attribute {
        let domain: &'static Domain = self.domain;
        &domain.attributes[self.chance.below(domain.attributes.len())]
    }
}

/// The unit of a rule's value.
pub(super) fn points(language: Language) -> &'static str {
    match language {
        Language::En => "points",
        Language::Zh => "分",
    }
}

fn words(list: &str) -> Vec<String> {
    list.split('|').map(str::to_owned).collect()
}

/// The domain of a category.
pub(super) fn domain_named(category: &str) -> Option<&'static Domain> {
    POOLS.domains.iter().find(|domain| domain.category.eq_ignore_ascii_case(category.trim()))
}
