//! Which attributes a query names, and where.

use std::collections::{BTreeMap, BTreeSet};

use super::mentions::Name;
use super::spelling::misspelt;
use super::text::{Words, is_han, is_latin};
use super::words::CONJUNCTIONS;

/// How many characters may stand between the two halves of a Chinese name.
const BETWEEN: usize = 4;

/// Words after which comes where or for what something is: `fans at matches`. Not `of`: `staff of the partner of …` is two hops.
const PREPOSITIONS: [&str; 3] = ["at", "to", "for"];

pub(super) type Places = BTreeSet<usize>;

/// A query, and what has been found in it.
pub(super) struct Reading<'a> {
    pub query: &'a Words,
    /// The same words as they are spelt.
    pub spelt: &'a [String],
    /// Attributes that lead from one entity to another.
    pub relations: &'a BTreeSet<String>,
    /// Whether the world's makers write the word in the plural.
    pub plural: &'a dyn Fn(&str) -> bool,
    /// Which words nothing has been found for.
    pub free: &'a [bool],
    pub empty: &'a BTreeSet<String>,
}

impl Reading<'_> {
    /// The attributes that are named, with their places. The words of an English name may stand apart (`goals … scored`); of
    /// two names the one whose words include the other's wins. Chinese names stand side by side but for characters that say
    /// nothing, or in two halves; the longest wins.
    pub fn attributes(&self, names: &[Name]) -> BTreeMap<String, Places> {
        let (han, other): (Vec<&Name>, Vec<&Name>) =
            names.iter().partition(|name| name.words.0.iter().all(|word| is_han(word)));
        let mut found = self.han(&han);
        let english = other.into_iter().filter_map(|name| {
            let places = self.apart(name)?;
            Some((name.of.clone(), places))
        });
        found.extend(english);
        let mut kept: BTreeMap<String, Places> = BTreeMap::new();
        for (name, places) in &found {
            let beaten = found.iter().any(|(other, more)| {
                other != name && places.len() < more.len() && places.is_subset(more)
            });
            if !beaten {
                kept.entry(name.clone()).or_default().extend(places);
            }
        }
        if kept.is_empty() {
            kept.extend(self.misspelt(&han));
        }
        let minor: Vec<String> = kept
            .keys()
            .filter(|name| {
                let others = || kept.iter().filter(|(other, _)| other != name).map(|(_, at)| at);
                let (own, leads) = (&kept[*name], self.relations.contains(*name));
                self.qualifies(own, others()) || !leads && self.belongs(own, others())
            })
            .cloned()
            .collect();
        kept.retain(|name, _| !minor.contains(name));
        kept
    }

    /// Where the words of an English name are, if all are there and no conjunction parts them.
    fn apart(&self, name: &Name) -> Option<Places> {
        let says = |word: &&String| !self.empty.contains(*word);
        let mut words: Vec<&String> = name.words.0.iter().filter(says).collect();
        if words.is_empty() {
            words = name.words.0.iter().collect();
        }
        let from = |start: usize| -> Option<Places> {
            let place = |word: &String| {
                (start..self.query.len()).find(|at| self.free[*at] && self.query.0[*at] == *word)
            };
            words.iter().map(|word| place(word)).collect()
        };
        let span = |places: &Places| places.last().zip(places.first()).map(|(b, a)| b - a);
        (0..self.query.len())
            .map_while(from)
            .filter(|places| !self.conjunction(places))
            .min_by_key(span)
    }

    /// Whether a conjunction stands between the first and the last of these places.
    fn conjunction(&self, places: &Places) -> bool {
        let (Some(first), Some(last)) = (places.first(), places.last()) else {
            return false;
        };
        let between = (*first..*last).filter(|at| !places.contains(at));
        between.map(|at| self.query.0[at].as_str()).any(|word| CONJUNCTIONS.contains(&word))
    }

    /// Chinese names, the longest first.
    fn han(&self, names: &[&Name]) -> Vec<(String, Places)> {
        let full: Vec<usize> = (0..self.query.len())
            .filter(|at| {
                let word = &self.query.0[*at];
                let empty = self.free[*at] && self.empty.contains(word);
                !empty || CONJUNCTIONS.contains(&word.as_str())
            })
            .collect();
        let mut found: Vec<(bool, Places, &Name)> = Vec::new();
        for name in names {
            let said: Vec<&String> =
                name.words.0.iter().filter(|w| !self.empty.contains(*w)).collect();
            // How many is what a rule is about (`一场演出` and `几场演出` are not the same).
            let counted = name.words.0.iter().any(|word| word == "一" || word == "每");
            if counted || said.len() < 2 {
                let places = self.query.places(&name.words);
                found
                    .extend(places.map(|at| (false, (at..at + name.words.len()).collect(), *name)));
                continue;
            }
            found
                .extend(self.runs(&full, &said).map(|at| (false, at.into_iter().collect(), *name)));
            for cut in 2..said.len().saturating_sub(1) {
                let (head, tail) = said.split_at(cut);
                for head in self.runs(&full, head) {
                    let end = head.last().map_or(0, |last| last + 1);
                    let near = |at: &Vec<usize>| {
                        at.first().is_some_and(|at| (end..=end + BETWEEN).contains(at))
                    };
                    let places = self.runs(&full, tail).find(near).map(|tail| {
                        let all: Places = head.iter().chain(&tail).copied().collect();
                        all
                    });
                    found.extend(places.filter(|p| !self.conjunction(p)).map(|p| (true, p, *name)));
                }
            }
        }
        found.sort_by_key(|(split, places, _)| {
            (std::cmp::Reverse(places.len()), *split, places.first().copied())
        });
        let mut free = self.free.to_vec();
        found.retain(|(_, places, _)| {
            let all = places.iter().all(|at| free[*at]);
            if all {
                places.iter().for_each(|at| free[*at] = false);
            }
            all
        });
        found.into_iter().map(|(_, places, name)| (name.of.clone(), places)).collect()
    }

    /// Where these words follow each other among the places.
    fn runs<'a>(
        &'a self,
        places: &'a [usize],
        words: &'a [&String],
    ) -> impl Iterator<Item = Vec<usize>> + 'a {
        places
            .windows(words.len())
            .filter(move |window| {
                let mut both = window.iter().zip(words);
                both.all(|(at, word)| self.free[*at] && self.query.0[*at] == **word)
            })
            .map(<[usize]>::to_vec)
    }

    /// A long Chinese name with one character wrong, if only one attribute has such a name here.
    fn misspelt(&self, names: &[&Name]) -> Option<(String, Places)> {
        let mut found: BTreeMap<&String, Places> = BTreeMap::new();
        for name in names {
            let length = name.words.len();
            for (at, window) in self.query.0.windows(length.max(1)).enumerate() {
                let free = self.free[at..at + window.len()].iter().all(|free| *free);
                if free && misspelt(window, &name.words.0) {
                    found.insert(&name.of, (at..at + length).collect());
                }
            }
        }
        let (name, places) = found.first_key_value()?;
        (found.len() == 1).then(|| ((*name).clone(), places.clone()))
    }

    /// Whether an attribute only says of which kind another one is: `fans at matches`, with a name between at most.
    fn qualifies<'a>(&self, own: &Places, mut others: impl Iterator<Item = &'a Places>) -> bool {
        let Some(start) = own.first() else {
            return false;
        };
        let skipped = |at: &usize| {
            let word = self.query.0[*at].as_str();
            self.named(*at) || matches!(word, "the" | "its" | "their")
        };
        let before = (0..*start).rev().find(|at| !skipped(at));
        let preposition = before.filter(|at| PREPOSITIONS.contains(&self.query.0[*at].as_str()));
        let Some(head) = preposition.and_then(|at| at.checked_sub(1)) else {
            return false;
        };
        others.any(|places| places.contains(&head))
    }

    /// Whether what follows is of this one: `比赛的观众人数`, `concert tickets`. Not `concerts, tickets`.
    fn belongs<'a>(&self, own: &Places, mut others: impl Iterator<Item = &'a Places>) -> bool {
        let Some(last) = own.last() else {
            return false;
        };
        let word = &self.spelt[*last];
        let next = match self.query.0.get(last + 1).map(String::as_str) {
            Some("的") if is_han(word) => last + 2,
            _ if is_latin(word) && (self.plural)(word) => last + 1,
            _ => return false,
        };
        others.any(|places| places.first() == Some(&next))
    }

    /// Whether the word is part of a name (and not of a year) that was found before.
    fn named(&self, at: usize) -> bool {
        !self.free[at] && !self.query.0[at].bytes().all(|byte| byte.is_ascii_digit())
    }
}
