//! Matching by mentions: which entities, attributes and periods of the world a query names.

use std::collections::{BTreeMap, BTreeSet};

use super::super::task::{Extra, Fact, Term};
use super::text::{Words, is_han, is_year};
use super::words::{COMPARATORS, EMPTY};
use super::{Class, Judgement, Reason};

/// What a world's facts are about.
pub(super) struct Vocabulary {
    entities: Vec<Name>,
    attributes: Vec<Name>,
    periods: Vec<Name>,
    comparators: Vec<Words>,
    empty: BTreeSet<String>,
    signatures: Vec<Signature>,
}

/// One way to write something.
struct Name {
    words: Words,
    /// What is meant: the first name of the term.
    of: String,
}

/// What one fact is about.
struct Signature {
    fact: usize,
    entity: Option<String>,
    attribute: Option<String>,
    period: Option<String>,
}

/// What a query names.
#[derive(Default)]
struct Mentions {
    entities: BTreeSet<String>,
    attributes: BTreeSet<String>,
    periods: BTreeSet<String>,
    compares: bool,
    /// Whether it holds words that nobody knows.
    unknown: bool,
}

impl Vocabulary {
    pub fn new(extra: &Extra, facts: &[Fact]) -> Self {
        let signatures: Vec<Signature> = facts
            .iter()
            .enumerate()
            .filter_map(|(fact, Fact { key, .. })| {
                let note = extra.fact(key)?;
                Some(Signature {
                    fact,
                    entity: note.entity.clone(),
                    attribute: note.attribute.clone(),
                    period: note.period.clone(),
                })
            })
            .collect();
        let named = |of: fn(&Signature) -> &Option<String>| {
            let names: BTreeSet<String> = signatures.iter().filter_map(|s| of(s).clone()).collect();
            names
        };
        Vocabulary {
            entities: names(&extra.entities, &named(|s| &s.entity)),
            attributes: names(&extra.attributes, &named(|s| &s.attribute)),
            periods: names(&[], &named(|s| &s.period)),
            comparators: COMPARATORS.iter().map(|word| Words::of(word)).collect(),
            empty: EMPTY.iter().flat_map(|word| Words::of(word).0).collect(),
            signatures,
        }
    }

    /// What a query is (`decisions.md` 38).
    ///
    /// Several entities, attributes or periods cannot lie inside one signature: compound. A combination of known things
    /// of which no fact tells is one question without an answer, hence a miss (specification 4.2). A fact is hit only if
    /// its attribute is asked for; an entity alone asks for nothing.
    pub fn judge(&self, query: &Words) -> Judgement {
        let mentions = self.mentions(query);
        if mentions.compares {
            return Judgement::no(Class::Compound, Reason::Comparator);
        }
        let counts = [
            mentions.entities.len(),
            mentions.attributes.len(),
            mentions.periods.len(),
        ];
        if counts.iter().any(|count| *count > 1) {
            return Judgement::no(Class::Compound, Reason::Several);
        }
        let mut fitting = self.signatures.iter().filter(|signature| {
            let inside = |mentioned: &BTreeSet<String>, own: &Option<String>| {
                mentioned.iter().all(|name| Some(name) == own.as_ref())
            };
            inside(&mentions.entities, &signature.entity)
                && inside(&mentions.attributes, &signature.attribute)
                && inside(&mentions.periods, &signature.period)
        });
        let (first, second) = (fitting.next(), fitting.next());
        let strange = mentions.entities.is_empty() && mentions.unknown;
        match (first, second) {
            _ if strange => Judgement::no(Class::Miss, Reason::NoFact),
            (None, _) => Judgement::no(Class::Miss, Reason::NoFact),
            (Some(_), Some(_)) if mentions.entities.is_empty() => {
                Judgement::no(Class::TooBare, Reason::NoEntity)
            }
            (Some(only), None) if asks(only, &mentions) => Judgement::hit(only.fact, Reason::Fits),
            (Some(_), _) => Judgement::no(Class::Miss, Reason::NothingAsked),
        }
    }

    /// The entities that a query names, by their first names.
    pub fn entities(&self, query: &Words) -> BTreeSet<String> {
        self.mentions(query).entities
    }

    fn mentions(&self, query: &Words) -> Mentions {
        let mut mentions = Mentions::default();
        let mut free = vec![true; query.len()];
        mentions.entities = side_by_side(query, &self.entities, &mut free);
        mentions.periods = side_by_side(query, &self.periods, &mut free);
        for (place, word) in query.0.iter().enumerate() {
            if free[place] && is_year(word) {
                mentions.periods.insert(word.clone());
                free[place] = false;
            }
        }
        let attributes = self.attributes(query, &free);
        for (name, places) in attributes {
            mentions.attributes.insert(name);
            for place in places {
                free[place] = false;
            }
        }
        mentions.compares = self.comparators.iter().any(|comparator| {
            query.places(comparator).any(|place| {
                free[place..place + comparator.len()]
                    .iter()
                    .all(|free| *free)
            })
        });
        let mut words = query.0.iter().zip(&free);
        mentions.unknown = words.any(|(word, free)| *free && !self.empty.contains(word));
        mentions
    }

    /// The attributes that are named, with their places. Chinese names stand side by side, the longest wins. The words of
    /// an English name may stand apart (`goals … scored`); of two names the one whose words include the other's wins.
    fn attributes(&self, query: &Words, free: &[bool]) -> BTreeMap<String, BTreeSet<usize>> {
        let mut free = free.to_vec();
        let before = free.clone();
        let (han, other): (Vec<&Name>, Vec<&Name>) = self
            .attributes
            .iter()
            .partition(|name| name.words.0.iter().all(|word| is_han(word)));
        let mut found: Vec<(String, BTreeSet<usize>)> = Vec::new();
        for (place, name) in longest(query, han.into_iter(), &mut free) {
            found.push((name.of.clone(), (place..place + name.words.len()).collect()));
        }
        for name in other {
            let content = name
                .words
                .0
                .iter()
                .filter(|word| !self.empty.contains(*word));
            let places: Option<BTreeSet<usize>> = content
                .map(|word| {
                    let mut at = query.0.iter().zip(&before).zip(0..);
                    at.find_map(|((other, free), place)| (*free && other == word).then_some(place))
                })
                .collect();
            if let Some(places) = places.filter(|places| !places.is_empty()) {
                found.push((name.of.clone(), places));
            }
        }
        let mut kept: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
        for (name, places) in &found {
            let beaten = found.iter().any(|(other, more)| {
                other != name && places.len() < more.len() && places.is_subset(more)
            });
            if !beaten {
                kept.entry(name.clone()).or_default().extend(places);
            }
        }
        kept
    }
}

/// Whether a query asks for what the fact tells.
fn asks(signature: &Signature, mentions: &Mentions) -> bool {
    signature.attribute.is_none() || !mentions.attributes.is_empty()
}

fn names(terms: &[Term], used: &BTreeSet<String>) -> Vec<Name> {
    let known = terms.iter().flat_map(|term| {
        term.names()
            .map(|name| (name.to_owned(), term.name.clone()))
    });
    let own = used
        .iter()
        .filter(|name| terms.iter().all(|term| term.name != **name))
        .map(|name| (name.clone(), name.clone()));
    known
        .chain(own)
        .map(|(name, of)| Name {
            words: Words::of(&name),
            of,
        })
        .filter(|name| !name.words.is_empty())
        .collect()
}

/// What is named side by side, the longest first wherever two overlap; the words are taken.
fn side_by_side(query: &Words, names: &[Name], free: &mut [bool]) -> BTreeSet<String> {
    longest(query, names.iter(), free)
        .into_iter()
        .map(|(_, name)| name.of.clone())
        .collect()
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
