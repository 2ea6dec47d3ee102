//! A world without what it knows: what an episode needs where the facts are sealed.

use serde_json::json;

use super::{World, field};
use turnwise_core::json::{self, object};
use turnwise_core::prelude::*;
use turnwise_core::python::{Layout, dumps};

/// Stands in the place of everything that is sealed.
const SEALED: &str = "sealed";

impl World {
    /// The row with the question, how many facts there are and which are rules; keys, values, names and answers are gone.
    /// Made anew, so that nothing comes along that is not known here.
    pub fn redacted(&self) -> String {
        let key = |number: usize| format!("{SEALED} {}", number + 1);
        let facts = self.facts.iter().enumerate();
        let facts = facts.map(|(number, _)| (key(number), Json::from(SEALED)));
        let notes = self.extra.as_ref().map(|extra| {
            let kinds = self.facts.iter().enumerate().filter_map(|(number, fact)| {
                let kind = extra.fact(&fact.key)?.kind;
                Some(json!({ "key": key(number), "kind": kind }))
            });
            json!({ "pair_id": extra.pair_id, "facts": kinds.collect::<Vec<_>>() })
        });
        let of = |value: serde_json::Value| {
            json::parse(&value.to_string(), Dialect::Strict)
                .expect("what JSON was written can be read")
        };
        let truth = object([("atomic_facts", object(facts))]);
        let mut told = vec![("world_truth_info", truth)];
        told.extend(notes.map(|notes| ("turnwise", of(notes))));
        let prompt = json!([{ "role": "user", "content": self.question() }]);
        let mut row = vec![
            ("prompt", of(prompt)),
            ("answer", Json::from(SEALED)),
            ("extra_info", object(told)),
        ];
        row.extend(self.index.map(|index| ("index", index.into())));
        row.extend(self.category.as_deref().map(|category| ("category", category.into())));
        row.extend(self.system.as_deref().map(|system| ("system", system.into())));
        row.extend(self.max_turns.map(|turns| ("max_turns", turns.into())));
        dumps(&object(row), Layout::Line)
    }
}

/// Whether the facts of a task are not here; its world is [redacted](World::redacted) then.
pub fn is_redacted(task: &Task) -> bool {
    task.field(field::FACTS).is_none()
}

#[cfg(test)]
mod tests {
    use super::super::{FactKind, of_row};
    use super::*;
    use crate::worlds;

    #[test]
    fn a_redacted_world_has_as_many_facts_and_none_of_their_texts() {
        for world in &worlds::sample().worlds {
            let row = world.redacted();
            let redacted = of_row(&row, world.line).expect("it is a world");
            assert_eq!(redacted.question(), world.question());
            assert_eq!(redacted.facts.len(), world.facts.len());
            assert_eq!(redacted.max_turns, world.max_turns);
            for (fact, sealed) in world.facts.iter().zip(&redacted.facts) {
                assert!(!row.contains(&fact.key), "{}", fact.key);
                let kind = |world: &World, key: &str| {
                    let extra = world.extra.as_ref().expect("samples say what facts are");
                    extra.fact(key).map_or(FactKind::Data, |note| note.kind)
                };
                assert_eq!(kind(world, &fact.key), kind(&redacted, &sealed.key));
            }
            let extra = redacted.extra.expect("it says what facts are");
            assert!(extra.entities.is_empty() && extra.generator.is_null());
        }
    }
}
