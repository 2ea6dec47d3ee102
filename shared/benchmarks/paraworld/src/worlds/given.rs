//! Names that a user gives, in place of invented ones.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::super::task::{Language, Term};
use super::making::domain_named;
use super::pools::{Domain, POOLS};
use turnwise_core::prelude::*;

/// How many names a category needs in a language: no world has more entities.
pub const LEAST: usize = 12;

/// Signs that questions and keys put between names.
const BETWEEN: &str = ",;:?!\"“”，。：；？！、|\n\r\t";

/// Names by category, checked so that worlds made of them keep every guarantee.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Names {
    /// By the category's place among the domains.
    by_domain: BTreeMap<usize, Vec<Term>>,
    digest: Digest,
}

/// Why names cannot be used, and how to mend it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadNames {
    /// There is no such category.
    #[error("there is no category {asked:?}; names can be given for {}", super::categories().join(", "))]
    NoCategory { asked: String },
    /// A name that a question could not be read with.
    #[error(
        "category {category:?}, name {name:?}: {found:?} stands between names or marks a year in questions; leave it out"
    )]
    Sign { category: String, name: String, found: String },
    /// Too few names for a world.
    #[error(
        "category {category:?} has {found} names in {} that lie in no other name; {LEAST} are needed. A name in Chinese has \
         Han characters, one in English has none; give the other one as an alias", language.name()
    )]
    Few { category: String, language: Language, found: usize },
}

impl Names {
    /// Checks names by category.
    ///
    /// # Errors
    /// The first name that cannot be used, or a category that is none.
    pub fn new(pools: impl IntoIterator<Item = (String, Vec<Term>)>) -> Result<Self, BadNames> {
        let mut by_domain: BTreeMap<usize, Vec<Term>> = BTreeMap::new();
        for (category, terms) in pools {
            let domain = domain_named(&category)
                .ok_or_else(|| BadNames::NoCategory { asked: category.clone() })?;
            let named = terms.iter().flat_map(|term| term.names());
            if let Some((name, found)) = named.filter_map(|name| Some((name, sign(name)?))).next() {
                return Err(BadNames::Sign { category, name: name.to_owned(), found });
            }
            let place = POOLS.domains.iter().position(|one| std::ptr::eq(one, domain));
            by_domain.entry(place.unwrap_or(0)).or_default().extend(terms);
        }
        let digest = Digest::of_value(&by_domain);
        Ok(Names { by_domain, digest })
    }

    /// The hash of the names: the same names have the same.
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// The domains for which there are names, in the order of the domains.
    pub(super) fn domains(&self) -> Vec<&'static Domain> {
        self.by_domain.keys().map(|place| &POOLS.domains[*place]).collect()
    }

    /// The names of a domain in a language, each with its other names as aliases.
    ///
    /// # Errors
    /// If there are too few.
    pub(super) fn of(&self, domain: &Domain, language: Language) -> Result<Arc<[Term]>, BadNames> {
        let place = POOLS.domains.iter().position(|one| one.category == domain.category);
        let given = place.and_then(|place| self.by_domain.get(&place));
        let terms: Vec<Term> =
            given.into_iter().flatten().filter_map(|term| in_language(term, language)).collect();
        let mut apart: Vec<&Term> = Vec::new();
        for term in &terms {
            if apart.len() < LEAST && !apart.iter().any(|other| clash(term, other)) {
                apart.push(term);
            }
        }
        if apart.len() < LEAST {
            return Err(BadNames::Few {
                category: domain.category.to_owned(),
                language,
                found: apart.len(),
            });
        }
        Ok(terms.into())
    }
}

/// Whether a name of one lies in a name of the other, so that a query for one could be taken for the other.
pub(super) fn clash(one: &Term, other: &Term) -> bool {
    let folded = |term: &Term| -> Vec<String> { term.names().map(str::to_lowercase).collect() };
    let (ones, others) = (folded(one), folded(other));
    let within = |a: &String, b: &String| a.contains(b.as_str()) || b.contains(a.as_str());
    ones.iter().any(|a| others.iter().any(|b| within(a, b)))
}

/// What in a name would be read as something else.
fn sign(name: &str) -> Option<String> {
    let odd = |sign: &char| BETWEEN.contains(*sign) || sign.is_numeric();
    if let Some(sign) = name.chars().find(odd) {
        return Some(sign.to_string());
    }
    let words = [" and ", "和"];
    let word = words.iter().find(|word| name.contains(**word))?;
    Some((*word).to_owned())
}

/// A term under its first name in the script of a language.
fn in_language(term: &Term, language: Language) -> Option<Term> {
    let name = term.names().find(|name| Language::of(name) == language)?;
    let aliases = term.names().filter(|other| *other != name);
    Some(Term {
        name: name.trim().to_owned(),
        aliases: aliases.map(|name| name.trim().to_owned()).collect(),
    })
}
