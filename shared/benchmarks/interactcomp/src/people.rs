//! How people play it.

use turnwise_core::benchmark::people::{People, Tasks};

use crate::prompts::field;

/// See the module's head.
pub(super) const PEOPLE: People = People {
    about: "A question that lacks what decides it. Ask, search, then answer once.",
    tasks: Some(Tasks {
        label: "Which question",
        note: "Questions of our own. They come with this program, so a result is practice, not a record.",
        by: Some("language"),
        shown: &[],
    }),
    reveals: &[
        (field::ANSWER, "Reference answer"),
        (field::CONTEXT, "What the user knew"),
    ],
    ..People::OF_TASKS
};
