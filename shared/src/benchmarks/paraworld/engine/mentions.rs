//! Matching by mentions: which entities, attributes and periods of the world a query names.

use std::collections::BTreeSet;

use super::super::task::{Extra, Fact, Term};
use super::attributes::Reading;
use super::spelling::Spelling;
use super::synonyms::others;
use super::text::{Words, is_year};
use super::words::{Lists, lists};
use super::{Class, Judgement, Reason};

/// What a world's facts are about.
pub(super) struct Vocabulary {
    entities: Vec<Name>,
    attributes: Vec<Name>,
    periods: Vec<Name>,
    /// What every world knows.
    lists: &'static Lists,
    spelling: Spelling,
    signatures: Vec<Signature>,
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

/// What a query names.
#[derive(Default)]
struct Mentions {
    entities: BTreeSet<String>,
    attributes: BTreeSet<String>,
    periods: BTreeSet<String>,
    compares: bool,
    /// Whether it asks for a quantity that the world does not know, or for somebody whose name only begins like a known one.
    foreign: bool,
    /// Whether it holds words that nobody knows.
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
        let own: Vec<(Words, String)> = attributes
            .iter()
            .map(|name| (name.words.clone(), name.of.clone()))
            .collect();
        let more = others(&own).into_iter();
        attributes.extend(more.map(|(words, of)| Name { words, of }));
        for signature in &mut signatures {
            let key = Words::of(&facts[signature.fact].key);
            let found = side_by_side(&key, &entities, &mut vec![true; key.len()]);
            let own = |name: &String| Some(name) == signature.entity.as_ref();
            signature.others = found.into_iter().filter(|name| !own(name)).collect();
        }
        let texts = extra.entities.iter().chain(&extra.attributes);
        let texts = texts.flat_map(Term::names);
        let words = attributes.iter().flat_map(|name| name.words.0.clone());
        let spelling = Spelling::new(texts, words, &lists().all);
        Vocabulary {
            entities,
            attributes,
            periods,
            lists: lists(),
            spelling,
            signatures,
        }
    }

    /// What a query is (`decisions.md` 38).
    ///
    /// Several entities, attributes or periods cannot lie inside one signature: compound. A combination of known things
    /// of which no fact tells is one question without an answer, hence a miss (specification 4.2). A fact is hit only if
    /// its attribute is asked for; an entity alone asks for nothing.
    pub fn judge(&self, query: &str) -> Judgement {
        let mentions = self.mentions(&self.spelling.meant(query));
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
            (Some(_), Some(_)) if mentions.entities.is_empty() => {
                Judgement::no(Class::TooBare, Reason::NoEntity)
            }
            (Some(only), None) if asks(only, &mentions) => Judgement::hit(only.fact, Reason::Fits),
            (Some(_), _) => Judgement::no(Class::Miss, Reason::NothingAsked),
        }
    }

    /// The entities that a query names, by their first names.
    pub fn entities(&self, query: &str) -> BTreeSet<String> {
        self.mentions(&self.spelling.meant(query)).entities
    }

    fn mentions(&self, query: &Words) -> Mentions {
        let mut mentions = Mentions::default();
        let mut free = vec![true; query.len()];
        for (place, name) in longest(query, self.entities.iter(), &mut free) {
            let after = &query.0[place + name.words.len()..];
            let another = self
                .lists
                .name_parts
                .iter()
                .any(|part| after.starts_with(&part.0));
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
            free: &free,
            empty: &self.lists.empty,
        };
        for (name, places) in reading.attributes(&self.attributes) {
            mentions.attributes.insert(name);
            for place in places {
                free[place] = false;
            }
        }
        let free_words = |words: &[Words]| {
            words.iter().any(|words| {
                let mut places = query.places(words);
                places.any(|place| free[place..place + words.len()].iter().all(|free| *free))
            })
        };
        mentions.compares = free_words(&self.lists.comparators);
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
