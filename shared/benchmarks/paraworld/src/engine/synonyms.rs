//! Synonyms in every world: a query need not use the words of the world's makers.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::text::Words;

/// Other ways to say names that mean the attributes of a world, where they mean one of them only.
pub(super) fn others(names: &[(Words, String)]) -> Vec<(Words, String)> {
    // What is meant, or nothing where two things are.
    let mut meant: BTreeMap<Words, Option<&String>> = BTreeMap::new();
    let mut add = |words: Words, of| {
        let known = meant.entry(words).or_insert(Some(of));
        if *known != Some(of) {
            *known = None;
        }
    };
    for (name, of) in names {
        for group in groups() {
            for (place, own) in group.iter().filter_map(|own| Some((name.places(own).next()?, own)))
            {
                for other in group.iter().filter(|other| *other != own) {
                    let mut words = name.0.clone();
                    words.splice(place..place + own.len(), other.0.iter().cloned());
                    add(Words(words), of);
                }
            }
        }
        for words in rule_forms(name) {
            add(words, of);
        }
    }
    let known = |words: &Words| names.iter().any(|(name, _)| name == words);
    meant
        .into_iter()
        .filter(|(words, _)| !known(words))
        .filter_map(|(words, of)| Some((words, of?.clone())))
        .collect()
}

/// The groups, read once.
fn groups() -> &'static [Vec<Words>] {
    static READ: OnceLock<Vec<Vec<Words>>> = OnceLock::new();
    READ.get_or_init(|| {
        // Expressions for the same; one of them inside a name of an attribute may stand for another.
        let groups = include_str!("../../data/synonyms.txt").lines();
        groups.map(|group| group.split('|').map(Words::of).collect()).collect()
    })
}

/// `每场演出积分` is also asked for as `演出积分` and `演出一场`.
fn rule_forms(name: &Words) -> Vec<Words> {
    let characters: Vec<&str> = name.0.iter().map(String::as_str).collect();
    let ["每", measure, noun @ .., "积", "分"] = characters.as_slice() else {
        return Vec::new();
    };
    let noun = noun.concat();
    let forms = [format!("{noun}积分"), format!("{noun}一{measure}"), format!("{noun}每{measure}")];
    forms.iter().map(|form| Words::of(form)).collect()
}
