//! The players that know the world.

use super::Record;
use crate::prompts::{form_to_answer, form_to_search, variable};
use crate::task::{World, field, of_row};
use turnwise_core::prelude::*;
use turnwise_core::python::lower;

/// A player that knows the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Knowing {
    PerFact,
    /// Asks the whole question at once.
    Monolithic,
    /// Asks for its share of the facts, chosen by chance.
    RandomFacts,
    /// Asks for its share of the facts, in their order.
    StopEarly,
}

/// What is answered where something is missing.
const UNKNOWN: &str = "unknown";

impl Knowing {
    pub fn reply(self, asked: &Asked<'_>) -> String {
        let record: Record =
            serde_json::from_str(asked.variable(variable::RECORD)).unwrap_or_default();
        // A request that shows no world (its beginning was truncated) leaves nothing to go by.
        let Some(world) = of_row(asked.variable(variable::WORLD), 0) else {
            return form_to_answer().text(&[UNKNOWN.to_owned()]);
        };
        let next = (record.may_search && record.left > 1)
            .then(|| self.next(&world, &record, asked))
            .flatten();
        match next {
            Some(query) => form_to_search().text(&[query]),
            None => {
                let knows = record.found.len() == world.facts.len() && self != Knowing::Monolithic;
                let answer = if knows { &world.answer } else { UNKNOWN };
                form_to_answer().text(&[answer.to_owned()])
            }
        }
    }

    /// The next query; `None` if it has asked enough.
    fn next(self, world: &World, record: &Record, asked: &Asked<'_>) -> Option<String> {
        if self == Knowing::Monolithic {
            let question = asked.variable(field::QUESTION);
            return record.asked.is_empty().then(|| question.to_owned());
        }
        let all = world.facts.len();
        let wanted = match self {
            Knowing::RandomFacts | Knowing::StopEarly => part(all, asked.share()),
            _ => all,
        };
        let was_asked = |key: &str| {
            let key = lower(key.trim());
            record.asked.iter().any(|query| lower(query.trim()) == key)
        };
        let keys: Vec<&str> = world.facts.iter().map(|fact| fact.key.as_str()).collect();
        let left: Vec<&str> = keys.into_iter().filter(|key| !was_asked(key)).collect();
        if record.asked.len() >= wanted || left.is_empty() {
            return None;
        }
        let chosen = match self {
            Knowing::RandomFacts => {
                let below = saturated(left.len());
                asked.draw("fact", below, 1).first().map_or(0, |at| *at as usize)
            }
            _ => 0,
        };
        left.get(chosen).map(|key| (*key).to_owned())
    }
}

/// The given share of all: rounded down, but at least one unless none is wanted, and all only of the whole share.
fn part(all: usize, share: f64) -> usize {
    if share <= 0.0 {
        return 0;
    }
    ((all as f64 * share) as usize).clamp(1, all.max(1))
}
