//! Replies that several episodes of a run share: where a benchmark says that the same request must have the same answer for
//! everybody ([`Facts::shared_reply`](crate::benchmark::Facts::shared_reply)), it is sent once, and who asks meanwhile waits.

use std::collections::{BTreeMap, VecDeque};

use crate::effect::CallId;
use crate::hash::Digest;
use crate::prompt::{Said, Usage};

/// A call of an episode, by its slot.
pub(super) type At = (usize, CallId);

#[derive(Debug, Default)]
pub(super) struct Shelf {
    replies: BTreeMap<Digest, Said>,
    /// Who asked, and who waits for the answer.
    asked: BTreeMap<Digest, (At, VecDeque<At>)>,
    keys: BTreeMap<At, Digest>,
}

/// What becomes of a call.
#[derive(Debug, PartialEq)]
pub(super) enum Place {
    /// It is sent, and its answer is kept.
    First,
    /// It waits for the answer to another.
    Waits,
    /// It was answered before.
    Answered(Box<Said>),
}

/// What an answer means for others.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Freed {
    /// These have the same answer.
    pub answered: Vec<(At, Said)>,
    /// This one is sent in its place, because there was no answer.
    pub sent: Option<At>,
}

impl Shelf {
    /// Takes in a call whose request has this key.
    pub fn ask(&mut self, at: At, key: Digest) -> Place {
        if let Some(said) = self.replies.get(&key) {
            return Place::Answered(Box::new(said.clone()));
        }
        self.keys.insert(at, key);
        match self.asked.get_mut(&key) {
            Some((_, waiting)) => {
                waiting.push_back(at);
                Place::Waits
            }
            None => {
                self.asked.insert(key, (at, VecDeque::new()));
                Place::First
            }
        }
    }

    /// Takes in an answer that was recorded; the first one counts.
    pub fn learn(&mut self, key: Digest, said: &Said) {
        self.replies.entry(key).or_insert_with(|| again(said));
    }

    /// A call was answered, or has no answer and never will: it failed, or its episode ended.
    pub fn answered(&mut self, at: At, said: Option<&Said>) -> Freed {
        let Some(key) = self.keys.remove(&at) else {
            return Freed::default();
        };
        let Some((first, mut waiting)) = self.asked.remove(&key) else {
            return Freed::default();
        };
        if first != at {
            waiting.retain(|other| *other != at);
            self.asked.insert(key, (first, waiting));
            return Freed::default();
        }
        match said {
            Some(said) => {
                let copy = again(said);
                self.replies.insert(key, copy.clone());
                for other in &waiting {
                    self.keys.remove(other);
                }
                Freed {
                    answered: waiting.into_iter().map(|at| (at, copy.clone())).collect(),
                    sent: None,
                }
            }
            None => {
                let next = waiting.pop_front();
                if let Some(next) = next {
                    self.asked.insert(key, (next, waiting));
                }
                Freed { answered: Vec::new(), sent: next }
            }
        }
    }

    /// The calls of an episode that are not to be answered any more.
    pub fn of(&self, slot: usize) -> Vec<At> {
        let calls = self.keys.range((slot, CallId(0))..=(slot, CallId(u32::MAX)));
        calls.map(|(at, _)| *at).collect()
    }
}

/// The same reply once more. Its tokens were counted where it was said first: here it took none, which is known.
pub fn again(said: &Said) -> Said {
    let none = Usage {
        input: said.usage.input.map(|_| 0),
        output: said.usage.output.map(|_| 0),
        ..Usage::default()
    };
    Said { usage: none, ..said.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(slot: usize) -> At {
        (slot, CallId(1))
    }

    #[test]
    fn one_is_sent_and_all_have_its_answer() {
        let (mut shelf, key) = (Shelf::default(), Digest::of("key"));
        assert_eq!(shelf.ask(at(1), key), Place::First);
        assert_eq!(shelf.ask(at(2), key), Place::Waits);
        let mut said = Said::text("page");
        said.usage.output = Some(7);
        let mut again = Said::text("page");
        again.usage.output = Some(0);
        let freed = shelf.answered(at(1), Some(&said));
        assert_eq!(freed.answered, [(at(2), again.clone())], "tokens count once");
        assert_eq!(shelf.ask(at(3), key), Place::Answered(Box::new(again)));
        assert_eq!(shelf.ask(at(4), Digest::of("other")), Place::First);
    }

    #[test]
    fn who_waits_for_a_failure_is_sent() {
        let (mut shelf, key) = (Shelf::default(), Digest::of("key"));
        for slot in 1..=3 {
            shelf.ask(at(slot), key);
        }
        // The second episode ends while it waits.
        assert_eq!(shelf.of(2), [at(2)]);
        assert_eq!(shelf.answered(at(2), None), Freed::default());
        let freed = shelf.answered(at(1), None);
        assert_eq!((freed.sent, freed.answered.len()), (Some(at(3)), 0));
        let freed = shelf.answered(at(3), Some(&Said::text("page")));
        assert_eq!(freed, Freed::default());
        assert!(shelf.of(3).is_empty());
    }
}
