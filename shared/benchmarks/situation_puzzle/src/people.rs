//! How people play it.

use turnwise_core::benchmark::people::{People, Tasks};
use turnwise_core::benchmark::schema::setting;
use turnwise_core::prelude::*;

use crate::settings::{JUDGE, MOST_ROUNDS, ROUNDS};
use crate::tasks::{LANGUAGE, field};

pub(super) const PEOPLE: People = People {
    about: "A short, strange story, and a judge who knows what lies behind it. Ask what yes or no can answer, then tell the whole story.",
    rules: &[
        (
            Seat::PLAYER,
            &[
                "The story is strange until you know what lies behind it. A judge knows.",
                "Ask what yes or no can answer: the judge says yes, no, both or irrelevant.",
                "Once you think that you know, tell the whole story as your answer.",
                "Turns are limited; after the last one only an answer counts.",
            ],
        ),
        (
            JUDGE,
            &[
                "You know the hidden story; the player does not.",
                "Answer a question with yes, no, both (true in part) or irrelevant.",
                "A final answer is right if it tells what matters of the hidden story, in any words.",
                "Never tell more than the one word.",
            ],
        ),
    ],
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
