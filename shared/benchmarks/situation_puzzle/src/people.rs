//! How people play it.

use turnwise_core::benchmark::people::{People, Tasks};
use turnwise_core::benchmark::schema::setting;
use turnwise_core::prelude::*;

use crate::settings::{JUDGE, MOST_ROUNDS, ROUNDS};
use crate::tasks::{LANGUAGE, field};

pub(super) const PEOPLE: People = People {
    about: "A short, strange story, and a judge who knows what lies behind it. Ask what yes or no can answer, then tell the whole story.",
    rules: include_str!("rules.txt"),
    episode: ("puzzle", "puzzles"),
    late: "the puzzle ends without a result",
    absent: "the puzzle ends without a result when it is asked",
    practice: "After each puzzle you see how it went; the hidden story is shown at the end.",
    seats: &[Seat::PLAYER, JUDGE],
    settings: Schema::new(
        "Turns",
        &[setting(
            ROUNDS,
            "Turns",
            "questions and answers before the last answer",
            Holds::Number(1, MOST_ROUNDS as u64),
        )],
    ),
    tasks: Some(Tasks { label: "Which puzzle", by: Some(LANGUAGE), ..Tasks::OWN }),
    choices: &[("question", "Ask"), ("final", "Tell the story")],
    reveals: &[(field::SOLUTION, "The hidden story"), (field::TITLE, "Title")],
    ..People::OF_TASKS
};
