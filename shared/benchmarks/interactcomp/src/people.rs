//! How people play it.

use turnwise_core::benchmark::people::{People, Tasks};

use crate::prompts::field;

pub(super) const PEOPLE: People = People {
    about: "A question that lacks what decides it. Ask, search, then answer once.",
    rules: include_str!("rules.txt"),
    tasks: Some(Tasks { label: "Which question", by: Some("language"), ..Tasks::OWN }),
    reveals: &[(field::ANSWER, "Reference answer"), (field::CONTEXT, "What the user knew")],
    ..People::OF_TASKS
};
