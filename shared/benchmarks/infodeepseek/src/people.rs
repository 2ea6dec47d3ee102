//! How people play it.

use turnwise_core::benchmark::people::{People, Tasks};
use turnwise_core::benchmark::schema::setting;
use turnwise_core::prelude::*;

use crate::prompts::RANK;
use crate::reading::tool;
use crate::settings::{MOST_PAGES, STEPS};
use crate::tasks::{field, label};

pub(super) const PEOPLE: People = People {
    about: "A hard question, a search engine and the web. Find what answers it, answer, and rank the pages that do.",
    rules: include_str!("rules.txt"),
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
