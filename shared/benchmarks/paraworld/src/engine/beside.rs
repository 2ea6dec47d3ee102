//! What stands beside the things that a query names, and changes what it asks.

use std::collections::BTreeSet;

use super::attributes::Places;
use super::mentions::Name;
use super::text::{Words, is_han, is_latin, verbal};
use super::words::{CONJUNCTIONS, Lists};

/// A query, and what has been found in it.
pub(super) struct Beside<'a> {
    pub query: &'a Words,
    /// The same words as they are spelt.
    pub spelt: &'a [String],
    /// Which words nothing has been found for.
    pub free: &'a [bool],
    pub named: &'a Places,
    pub asked: &'a Places,
    pub lists: &'a Lists,
}

impl Beside<'_> {
    /// Whether a noun follows that makes an attribute part of something else: `patent lawsuits`. Not after a plural
    /// (`patents lawfully granted`), nor before a participle, a word for how much, or a word of the world.
    pub fn another_noun(&self, own: &Places, known: impl Fn(&str) -> bool) -> bool {
        let Some(last) = own.last() else {
            return false;
        };
        let Some(next) = self.spelt.get(last + 1).filter(|_| self.free[last + 1]) else {
            return false;
        };
        let (word, stem) = (&self.spelt[*last], &self.query.0[last + 1]);
        let noun = is_latin(word) && !word.ends_with('s') && !verbal(word);
        noun && !self.lists.all.contains(&self.query.0[*last])
            && is_latin(next)
            && next.len() > 3
            && !verbal(next)
            && !self.lists.all.contains(stem)
            && !known(stem)
            // Not inside a name whose words stand apart, nor before a name of two words.
            && !self.asked.contains(&(last + 2))
            && !self.strange(last + 2)
    }

    /// Whether a conjunction joins what is known with something that is not: `headcount and revenue`.
    pub fn joined(&self) -> bool {
        let mut places = (1..self.query.len()).filter(|at| self.free[*at]);
        let full = |at: &usize| !self.lists.empty.contains(&self.query.0[*at]);
        let known = |at: &usize| self.asked.contains(at) || self.named.contains(at);
        places.any(|at| match self.query.0[at].as_str() {
            "or" | "或" => false,
            word if !CONJUNCTIONS.contains(&word) => false,
            word if is_han(word) => {
                let before = (0..at).rev().find(|at| !self.free[*at] || full(at));
                before.is_some_and(|before| known(&before))
                    && self.says(at + 1)
                    && self.says(at + 2)
            }
            _ => {
                let after = (at + 1..self.query.len()).find(|at| !self.free[*at] || full(at));
                let before = at - 1;
                after.is_some_and(|after| {
                    !self.free[before] && self.strange(after)
                        || self.strange(before) && known(&after)
                })
            }
        })
    }

    /// Whether the word says something that the word lists do not cover.
    fn says(&self, at: usize) -> bool {
        let Some(word) = self.query.0.get(at) else {
            return false;
        };
        let said = [&self.lists.empty, &self.lists.worth, &self.lists.quantities];
        self.free[at]
            && (is_han(word) || is_latin(word))
            && !said.iter().any(|words| words.contains(word))
    }

    /// The same, except for words that name a kind of entity.
    fn strange(&self, at: usize) -> bool {
        let kind = |kind: &Words| {
            let from = at.saturating_sub(kind.len() - 1);
            (from..=at).any(|from| self.query.0[from..].starts_with(&kind.0))
        };
        self.says(at) && !self.lists.kinds.iter().any(kind)
    }

    /// Whether a relation is gone along twice: `partner of the partner`.
    pub fn twice<'a>(&self, names: impl Iterator<Item = &'a Name>) -> bool {
        let mut tails: BTreeSet<&[String]> = BTreeSet::new();
        for name in names.filter(|name| name.words.len() > 1) {
            if self.query.places(&name.words).count() > 1 {
                return true;
            }
            let words = &name.words.0;
            let han = words.iter().all(|word| is_han(word));
            tails.insert(&words[words.len() - if han { 2 } else { 1 }..]);
        }
        tails.into_iter().any(|tail| self.leads_on(tail))
    }

    /// Whether these words stand twice, with `of` or `的` between.
    fn leads_on(&self, tail: &[String]) -> bool {
        let tail = Words(tail.to_vec());
        let places: Vec<usize> = self.query.places(&tail).collect();
        let mut pairs = places.iter().zip(places.iter().skip(1));
        pairs.any(|(first, second)| {
            let between = self.query.0.get(first + tail.len()..*second);
            between.is_some_and(|words| words.iter().any(|word| word == "of" || word == "的"))
        })
    }
}
