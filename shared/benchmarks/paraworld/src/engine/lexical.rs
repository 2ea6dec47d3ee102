//! Matching by the words of the keys: for files that do not say what their facts are about.

use std::collections::BTreeSet;

use super::text::{Words, is_han};
use super::words::LISTS;
use super::{Class, Judgement, Reason};

/// A hit is the one key whose words the query holds for the most part, and which holds most of the query's.
pub(super) fn judge(keys: &[Words], query: &Words) -> Judgement {
    let in_a_key =
        |comparator: &Words| keys.iter().any(|key| key.places(comparator).next().is_some());
    let compares = LISTS
        .comparators
        .iter()
        .any(|comparator| query.places(comparator).next().is_some() && !in_a_key(comparator));
    if compares {
        return Judgement::no(Class::Compound, Reason::Comparator);
    }
    let asked = pieces(query);
    if asked.is_empty() {
        return Judgement::no(Class::TooBare, Reason::NoEntity);
    }
    let keys: Vec<BTreeSet<String>> = keys.iter().map(pieces).collect();
    let whole: Vec<usize> = (0..keys.len())
        .filter(|fact| !keys[*fact].is_empty() && keys[*fact].is_subset(&asked))
        .collect();
    let apart = whole.iter().any(|a| {
        whole.iter().any(|b| !keys[*a].is_subset(&keys[*b]) && !keys[*b].is_subset(&keys[*a]))
    });
    if apart {
        return Judgement::no(Class::Compound, Reason::Several);
    }
    // Three fifths of the key must be asked for, and half of what is asked must be in the key.
    let shared = |fact: usize| keys[fact].intersection(&asked).count();
    let mut near: Vec<usize> = (0..keys.len())
        .filter(|fact| {
            let both = shared(*fact);
            both * 5 >= keys[*fact].len() * 3 && both * 2 >= asked.len() && both > 0
        })
        .collect();
    near.sort_by_key(|fact| std::cmp::Reverse(shared(*fact)));
    match near.as_slice() {
        [] => Judgement::no(Class::Miss, Reason::NoFact),
        [first, second, ..] if shared(*first) == shared(*second) => {
            Judgement::no(Class::TooBare, Reason::NoEntity)
        }
        [first, ..] => Judgement::hit(*first, Reason::Fits),
    }
}

/// Words that say something; of Chinese, pairs of neighbours.
fn pieces(words: &Words) -> BTreeSet<String> {
    let empty = &LISTS.empty;
    let full: Vec<&String> = words.0.iter().filter(|word| !empty.contains(*word)).collect();
    let single = full.iter().filter(|word| !is_han(word)).map(|word| (*word).clone());
    let pairs = full
        .windows(2)
        .filter(|pair| pair.iter().all(|word| is_han(word)))
        .map(|pair| pair.iter().map(|word| word.as_str()).collect());
    single.chain(pairs).collect()
}
