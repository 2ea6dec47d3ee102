//! How people play it.

use turnwise_core::benchmark::people::{People, Tasks};
use turnwise_core::benchmark::schema::setting;
use turnwise_core::prelude::*;

use crate::prompts::RANK;
use crate::reading::tool;
use crate::settings::{ANSWERER, ARBITER, JUDGE, MOST_PAGES, READER, SECOND, STEPS};
use crate::tasks::{field, label};

const JUDGING: &[&str] = &[
    "Say yes if the answer says what the reference says, in any words; more detail is fine.",
    "Where the reference has several items, the answer must have all of them.",
    "Where the question assumes something false, the answer must say so, and the same thing as the reference.",
];

pub(super) const PEOPLE: People = People {
    about: "A hard question, a search engine and the web. Find what answers it, answer, and rank the pages that do.",
    rules: &[
        (
            Seat::PLAYER,
            &[
                "In each step search, open a page, or say that you are done; steps are limited.",
                "A reader sums up what a page says about your question; a long page has parts.",
                "A step that you did already is used up and not done again.",
                "Then answer in a sentence or two, and rank the pages that answer the question.",
                "Some questions assume something false; then say what is wrong.",
            ],
        ),
        (READER, &["Say what the text has about the question, and nothing else."]),
        (ANSWERER, &["Answer from what you know and from the pages that you are shown."]),
        (JUDGE, JUDGING),
        (SECOND, JUDGING),
        (ARBITER, JUDGING),
    ],
    episode: ("question", "questions"),
    late: "the question stays without an answer",
    absent: "what is asked of it stays without an answer",
    practice: "After each question you see how it went; answer and sources are shown at the end.",
    begins: r#"{"offline": false}"#,
    settings: Schema::new(
        "Steps and pages",
        &[
            setting(STEPS, "Steps", "searches and pages together", Holds::Number(1, 20)),
            setting("pages", "Pages of evidence at most", "", Holds::Number(1, MOST_PAGES as u64)),
        ],
    ),
    tasks: Some(Tasks {
        label: "Which question",
        note: "Questions of our own over a small web of our own, so a result is practice, not a record.",
        by: Some(label::DOMAIN),
        shown: &[],
    }),
    reveals: &[
        (field::ANSWER, "Answer"),
        (field::ANSWER_ZH, "Answer in Chinese"),
        (field::SOURCES, "Sources"),
    ],
    choices: &[
        (tool::SEARCH, "Search"),
        (tool::OPEN, "Open a page"),
        (tool::TIME, "Time span"),
        (tool::DONE, "Done"),
        (RANK, "Rank the pages"),
        ("yes", "Yes"),
        ("no", "No"),
    ],
    ..People::OF_TASKS
};
