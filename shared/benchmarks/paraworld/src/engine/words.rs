//! Words that the engine knows in every world: comparators, and words that say nothing (`data/words.toml`).

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde::{Deserialize, Deserializer};

use super::text::Words;

/// Words between two things that are both asked for.
pub(super) const CONJUNCTIONS: &[&str] = &["and", "or", "plus", "和", "与", "及", "跟", "或"];

/// The lists as they are compared.
#[derive(Deserialize)]
pub(super) struct Lists {
    pub comparators: Vec<Words>,
    pub other_measures: Vec<Words>,
    pub name_parts: Vec<Words>,
    pub sums: Vec<Words>,
    pub kinds: Vec<Words>,
    #[serde(deserialize_with = "single")]
    pub worth: BTreeSet<String>,
    /// Words that may follow what is asked for.
    #[serde(deserialize_with = "single")]
    pub quantities: BTreeSet<String>,
    #[serde(deserialize_with = "single")]
    pub empty: BTreeSet<String>,
    /// The words of all lists.
    #[serde(skip)]
    pub all: BTreeSet<String>,
}

fn single<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeSet<String>, D::Error> {
    Ok(Vec::<Words>::deserialize(from)?.into_iter().flat_map(|words| words.0).collect())
}

/// Read once, because an engine is made for every query.
pub(super) static LISTS: LazyLock<Lists> = LazyLock::new(|| {
    let text = include_str!("../../data/words.toml");
    let mut lists: Lists = toml::from_str(text).expect("every test reads them");
    let Lists {
        comparators,
        other_measures,
        name_parts,
        sums,
        kinds,
        worth,
        quantities,
        empty,
        ..
    } = &lists;
    let several = [comparators, other_measures, name_parts, sums, kinds];
    let several = several.into_iter().flatten().flat_map(|words| &words.0);
    let all = several.chain([worth, quantities, empty].into_iter().flatten());
    lists.all = all.cloned().collect();
    lists
});
