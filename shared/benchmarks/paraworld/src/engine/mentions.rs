//! Matching by mentions: which entities, attributes and periods of the world a query names.

use std::collections::{BTreeMap, BTreeSet};

use super::super::task::{Extra, Fact, FactKind, Term};
use super::attributes::{Places, Reading};
use super::beside::Beside;
use super::spelling::Spelling;
use super::synonyms::others;
use super::text::{Words, is_latin, is_proper, is_year};
use super::words::{LISTS, Lists};
use super::{Class, Judgement, Reason};

/// What a world's facts are about.
pub(super) struct Vocabulary {
    entities: Vec<Name>,
    attributes: Vec<Name>,
    periods: Vec<Name>,
    lists: &'static Lists,
    spelling: Spelling,
    signatures: Vec<Signature>,
    /// What follows the short names of entities in their full ones, and is nothing that one asks for.
    parts: Vec<Name>,
    /// Attributes whose values are entities.
    relations: BTreeSet<String>,
    /// Entities that have rules and no other facts.
    rulers: BTreeSet<String>,
    /// The rule that says what a quantity is worth.
    rules: BTreeMap<String, String>,
}

/// One way to write something.
pub(super) struct Name {
    pub words: Words,
    /// What is meant: the first name of the term.
    pub of: String,
}

/// What one fact is about.
struct Signature {
    fact: usize,
    entity: Option<String>,
    attribute: Option<String>,
    period: Option<String>,
    /// Other entities that the key names: who else takes part in it.
    others: BTreeSet<String>,
}

#[derive(Default)]
struct Mentions {
    entities: BTreeSet<String>,
    attributes: BTreeSet<String>,
    periods: BTreeSet<String>,
    compares: bool,
    /// Whether it asks for several things in another way.
    several: bool,
    /// Whether it asks for a sum, if several facts fit.
    sums: bool,
    /// Whether it asks for a quantity that the world does not know, or for an entity whose name only begins like a known one.
    foreign: bool,
    /// Whether it holds unknown words.
    unknown: bool,
}

impl Vocabulary {
    pub fn new(extra: &Extra, facts: &[Fact]) -> Self {
        let mut signatures: Vec<Signature> = facts
            .iter()
            .enumerate()
            .filter_map(|(fact, Fact { key, .. })| {
                let note = extra.fact(key)?;
                Some(Signature {
                    fact,
                    entity: note.entity.clone(),
                    attribute: note.attribute.clone(),
                    period: note.period.clone(),
                    others: BTreeSet::new(),
                })
            })
            .collect();
        let named = |of: fn(&Signature) -> &Option<String>| {
            let names: BTreeSet<String> = signatures.iter().filter_map(|s| of(s).clone()).collect();
            names
        };
        let entities = names(&extra.entities, &named(|s| &s.entity));
        let mut attributes = names(&extra.attributes, &named(|s| &s.attribute));
        let periods = names(&[], &named(|s| &s.period));
        let own: Vec<(Words, String)> =
            attributes.iter().map(|name| (name.words.clone(), name.of.clone())).collect();
        let mut parts = parts(&extra.entities);
        parts.retain(|part| !own.iter().any(|(name, _)| name.holds(&part.words)));
        let more = others(&own).into_iter();
        attributes.extend(more.map(|(words, of)| Name { words, of }));
        for signature in &mut signatures {
            let key = Words::of(&facts[signature.fact].key);
            let found = side_by_side(&key, &entities, &mut vec![true; key.len()]);
            let own = |name: &String| Some(name) == signature.entity.as_ref();
            signature.others = found.into_iter().filter(|name| !own(name)).collect();
        }
        let relations = signatures.iter().filter(|signature| {
            let value = Words::of(&facts[signature.fact].value);
            entities.iter().any(|entity| entity.words == value)
        });
        let relations = relations.filter_map(|s| s.attribute.clone()).collect();
        let texts = extra.entities.iter().chain(&extra.attributes);
        let texts = texts.flat_map(Term::names);
        let words = attributes.iter().flat_map(|name| name.words.0.clone());
        let spelling = Spelling::new(texts, words, &LISTS.all);
        Vocabulary {
            entities,
            attributes,
            periods,
            lists: &LISTS,
            spelling,
            signatures,
            parts,
            relations,
            rulers: rulers(extra),
            rules: rules(extra),
        }
    }

    /// What a query is (ARCHITECTURE.md, rule 38).
    ///
    /// Several entities, attributes or periods cannot lie inside one signature: compound. A combination of known things
    /// of which no fact tells is one question without an answer, hence a miss (specification 4.2). A fact is hit only if
    /// its attribute is asked for; an entity alone asks for nothing.
    pub fn judge(&self, query: &str) -> Judgement {
        let mentions = self.mentions(query);
        if mentions.compares {
            return Judgement::no(Class::Compound, Reason::Comparator);
        }
        let inside = |mentioned: &BTreeSet<String>, own: &Option<String>| {
            mentioned.iter().all(|name| Some(name) == own.as_ref())
        };
        // Several entities are one question where a fact is about what one does for the other.
        let whom = |signature: &Signature| {
            inside(&mentions.entities, &signature.entity)
                || signature.entity.as_ref().is_some_and(|own| {
                    let mut others = mentions.entities.iter().filter(|name| *name != own);
                    mentions.entities.contains(own)
                        && others.all(|name| signature.others.contains(name))
                        && asks(signature, &mentions)
                        && inside(&mentions.attributes, &signature.attribute)
                })
        };
        let several = mentions.entities.len() > 1 && !self.signatures.iter().any(whom);
        let several = several || mentions.several;
        if several || mentions.attributes.len() > 1 || mentions.periods.len() > 1 {
            return Judgement::no(Class::Compound, Reason::Several);
        }
        let mut fitting = self.signatures.iter().filter(|signature| {
            whom(signature)
                && inside(&mentions.attributes, &signature.attribute)
                && inside(&mentions.periods, &signature.period)
        });
        let (first, second) = (fitting.next(), fitting.next());
        let strange = mentions.entities.is_empty() && mentions.unknown;
        match (first, second) {
            _ if strange || mentions.foreign => Judgement::no(Class::Miss, Reason::NoFact),
            (None, _) => Judgement::no(Class::Miss, Reason::NoFact),
            (Some(_), Some(_)) if mentions.sums => Judgement::no(Class::Compound, Reason::Several),
            (Some(_), Some(_)) if mentions.entities.is_empty() => {
                Judgement::no(Class::TooBare, Reason::NoEntity)
            }
            (Some(only), None) if asks(only, &mentions) => Judgement::hit(only.fact, Reason::Fits),
            (Some(_), _) => Judgement::no(Class::Miss, Reason::NothingAsked),
        }
    }

    /// The entities that a query names, by their first names.
    pub fn entities(&self, query: &str) -> BTreeSet<String> {
        self.mentions(query).entities
    }

    fn mentions(&self, text: &str) -> Mentions {
        let (query, spelt) = &self.spelling.meant(text);
        let mut mentions = Mentions::default();
        let mut free = vec![true; query.len()];
        let mut named = Places::new();
        for (place, name) in longest(query, self.entities.iter(), &mut free) {
            let after = &query.0[place + name.words.len()..];
            let mut parts = self.lists.name_parts.iter();
            let mut others = self.parts.iter().filter(|part| part.of != name.of);
            let end = place + name.words.len();
            let proper = || {
                let next = spelt.get(end).zip(query.0.get(end));
                next.is_some_and(|(next, stem)| {
                    let known = self.spelling.knows(stem) || self.lists.all.contains(stem);
                    is_latin(next) && !known && is_proper(next, text)
                })
            };
            let another = parts.any(|part| after.starts_with(&part.0))
                || others.any(|part| after.starts_with(&part.words.0))
                || proper();
            named.extend(place..place + name.words.len());
            // A longer known name would have been found.
            let short = name.words != Words::of(&name.of);
            mentions.foreign |= short && another;
            mentions.entities.insert(name.of.clone());
        }
        mentions.periods = side_by_side(query, &self.periods, &mut free);
        for (place, word) in query.0.iter().enumerate() {
            if free[place] && is_year(word) {
                mentions.periods.insert(word.clone());
                free[place] = false;
            }
        }
        let reading = Reading {
            query,
            spelt,
            relations: &self.relations,
            plural: &|word| self.spelling.plural(word),
            free: &free,
            empty: &self.lists.empty,
        };
        let found = reading.attributes(&self.attributes);
        let asked: Places = found.values().flatten().copied().collect();
        for place in &asked {
            free[*place] = false;
        }
        let beside =
            Beside { query, spelt, free: &free, named: &named, asked: &asked, lists: self.lists };
        let known = |word: &str| self.spelling.knows(word);
        mentions.foreign |= found.values().any(|places| beside.another_noun(places, known));
        let leads = found.keys().filter(|name| self.relations.contains(*name));
        mentions.several = !found.is_empty() && beside.joined()
            || leads.into_iter().any(|relation| {
                let names = self.attributes.iter().filter(|name| name.of == *relation);
                beside.twice(names)
            });
        let ruled = mentions.entities.len() == 1 && mentions.entities.is_subset(&self.rulers);
        let worth = ruled && query.0.iter().any(|word| self.lists.worth.contains(word));
        mentions.attributes = found
            .into_keys()
            .map(|name| match self.rules.get(&name) {
                Some(rule) if worth => rule.clone(),
                _ => name,
            })
            .collect();
        let free_words = |words: &[Words]| {
            words.iter().any(|words| {
                let mut places = query.places(words);
                places.any(|place| free[place..place + words.len()].iter().all(|free| *free))
            })
        };
        mentions.compares = free_words(&self.lists.comparators);
        mentions.sums = free_words(&self.lists.sums);
        mentions.foreign |= free_words(&self.lists.other_measures);
        let mut words = query.0.iter().zip(&free);
        mentions.unknown = words.any(|(word, free)| *free && !self.lists.empty.contains(word));
        mentions
    }
}

/// Whether a query asks for what the fact tells.
fn asks(signature: &Signature, mentions: &Mentions) -> bool {
    signature.attribute.is_none() || !mentions.attributes.is_empty()
}

/// What follows a short name of an entity in its full name, except for its kind (`手机`).
fn parts(entities: &[Term]) -> Vec<Name> {
    let kind = |rest: &[String]| LISTS.kinds.iter().any(|kind| kind.0 == rest);
    let mut parts = Vec::new();
    for entity in entities {
        let full = Words::of(&entity.name);
        for short in entity.names().map(Words::of) {
            let rest = full.0.strip_prefix(short.0.as_slice());
            if let Some(rest) = rest.filter(|rest| !rest.is_empty() && !kind(rest)) {
                parts.push(Name { words: Words(rest.to_vec()), of: entity.name.clone() });
            }
        }
    }
    parts
}

/// The entities that have rules and no other facts.
fn rulers(extra: &Extra) -> BTreeSet<String> {
    let of = |rule: bool| -> BTreeSet<String> {
        let notes = extra.facts.iter();
        let notes = notes.filter(|note| (note.kind == FactKind::Rule) == rule);
        notes.filter_map(|note| note.entity.clone()).collect()
    };
    of(true).difference(&of(false)).cloned().collect()
}

/// For each quantity the rule about it, if there is one only: `points per song` is about `songs released`.
fn rules(extra: &Extra) -> BTreeMap<String, String> {
    let of = |rule: bool| -> BTreeSet<&String> {
        let notes = extra.facts.iter();
        let notes = notes.filter(|note| (note.kind == FactKind::Rule) == rule);
        notes.filter_map(|note| note.attribute.as_ref()).collect()
    };
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    let rules = of(true);
    for quantity in of(false) {
        let words = Words::of(quantity);
        let mut about = rules.iter().filter(|rule| {
            let unit = ruled(&Words::of(rule));
            !unit.is_empty() && unit.iter().all(|word| words.0.contains(word))
        });
        if let (Some(rule), None) = (about.next(), about.next()) {
            found.insert(quantity.clone(), (*rule).clone());
        }
    }
    found
}

/// What a rule is about: `song` of `points per song`, `歌曲` of `每首歌曲积分`.
fn ruled(rule: &Words) -> Vec<String> {
    let words: Vec<&str> = rule.0.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["每", _, about @ .., "积", "分"] | ["point", "per", about @ ..] => {
            about.iter().map(|word| (*word).to_owned()).collect()
        }
        _ => Vec::new(),
    }
}

fn names(terms: &[Term], used: &BTreeSet<String>) -> Vec<Name> {
    let known =
        terms.iter().flat_map(|term| term.names().map(|name| (name.to_owned(), term.name.clone())));
    let own = used
        .iter()
        .filter(|name| terms.iter().all(|term| term.name != **name))
        .map(|name| (name.clone(), name.clone()));
    known
        .chain(own)
        .map(|(name, of)| Name { words: Words::of(&name), of })
        .filter(|name| !name.words.is_empty())
        .collect()
}

/// What is named side by side, the longest first wherever two overlap; the words are taken.
fn side_by_side(query: &Words, names: &[Name], free: &mut [bool]) -> BTreeSet<String> {
    longest(query, names.iter(), free).into_iter().map(|(_, name)| name.of.clone()).collect()
}

fn longest<'a>(
    query: &Words,
    names: impl Iterator<Item = &'a Name>,
    free: &mut [bool],
) -> Vec<(usize, &'a Name)> {
    let mut places: Vec<(usize, &Name)> = names
        .flat_map(|name| {
            let places: Vec<usize> = query.places(&name.words).collect();
            places.into_iter().map(move |place| (place, name))
        })
        .collect();
    places.sort_by_key(|(place, name)| (std::cmp::Reverse(name.words.len()), *place));
    places.retain(|(place, name)| {
        let span = &mut free[*place..*place + name.words.len()];
        let all = span.iter().all(|free| *free);
        if all {
            span.fill(false);
        }
        all
    });
    places
}
