//! How people play it.

use turnwise_core::benchmark::people::{People, Tasks};
use turnwise_core::prelude::*;

use crate::prompts::field;

pub(super) const PEOPLE: People = People {
    about: "A question that lacks what decides it. Ask, search, then answer once.",
    rules: &[
        (
            Seat::PLAYER,
            &[
                "The question leaves out what decides between several answers. A user knows it, and you may ask.",
                "Ask short questions: the user says only yes, no or “I don't know”.",
                "You may search, too. Each question and each search takes one round.",
                "Rounds are limited; in the last one only an answer counts.",
                "Answer once, and say from 0 to 100 how sure you are.",
            ],
        ),
        (
            Seat::RESPONDER,
            &[
                "You are the user: you know what is meant, and the player does not.",
                "Say yes or no if what you know settles the question, else “I don't know”.",
                "Use only what stands under “What you know”, not what you know of the world.",
                "You are asked about one task until it is over, then about the next.",
            ],
        ),
        (
            Seat::GRADER,
            &[
                "Say whether the given answer names the same thing as the correct one.",
                "Spelling, case and more detail do not matter; another thing is wrong.",
                "The other names of the correct answer count as correct.",
            ],
        ),
    ],
    tasks: Some(Tasks { label: "Which question", by: Some("language"), ..Tasks::OWN }),
    reveals: &[(field::ANSWER, "Reference answer"), (field::CONTEXT, "What the user knew")],
    ..People::OF_TASKS
};
