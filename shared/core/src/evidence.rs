//! What an episode found of what there was to be found, call by call: the evidence grid.
//!
//! Made from a transcript's notes by [`Facts::evidence`](crate::benchmark::Facts::evidence), so that imported and
//! withheld episodes have one, too. Pure data without a word of HTML.

use serde::{Deserialize, Serialize};

use crate::note::Tone;

/// Which of the facts were found by which call.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// The facts, in their order.
    pub facts: Vec<Fact>,
    pub calls: Vec<Call>,
}

/// Something that was to be found.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fact {
    /// What kind of fact it is, in a word, e.g. `data`, `rule`.
    pub kind: String,
    /// What it is about and what is true; only where the task is at hand. Hidden text: shown when a reader asks for it.
    pub text: Option<(String, String)>,
}

/// A call that may have found something.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// The turn that made it.
    pub turn: u32,
    pub query: String,
    pub tone: Tone,
    /// The same in a word or two, e.g. `hit`, `compound`.
    pub word: String,
    /// The fact that it found, by its place.
    pub fact: Option<usize>,
}

impl Evidence {
    /// How many different facts were found after each call.
    pub fn found(&self) -> Vec<usize> {
        let mut found = vec![false; self.facts.len()];
        self.calls
            .iter()
            .map(|call| {
                if let Some(mark) = call.fact.and_then(|fact| found.get_mut(fact)) {
                    *mark = true;
                }
                found.iter().filter(|mark| **mark).count()
            })
            .collect()
    }

    /// The first call that found a fact, by its place.
    pub fn first(&self, fact: usize) -> Option<usize> {
        self.calls.iter().position(|call| call.fact == Some(fact))
    }
}

/// One result of a page, as the seat that searched was shown it.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShownResult {
    pub title: String,
    pub text: String,
    /// Its date, as it stood there.
    pub date: Option<String>,
    /// Its address, as it stood there.
    pub address: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fact_counts_once() {
        let call = |fact| Call {
            turn: 1,
            query: String::new(),
            tone: Tone::Neutral,
            word: String::new(),
            fact,
        };
        let evidence = Evidence {
            facts: vec![Fact { kind: "data".to_owned(), text: None }; 3],
            calls: [Some(1), None, Some(1), Some(0), Some(9)].map(call).to_vec(),
        };
        assert_eq!(evidence.found(), [1, 1, 1, 2, 2]);
        assert_eq!((evidence.first(1), evidence.first(2)), (Some(0), None));
    }
}
