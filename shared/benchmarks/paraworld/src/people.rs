//! How people play it.

use turnwise_core::benchmark::people::{People, Tasks};
use turnwise_core::benchmark::schema::{card, setting};
use turnwise_core::prelude::*;

use crate::task::{field, label};

pub(super) const PEOPLE: People = People {
    about: "A question about an invented future. Search for what it takes, put it together, answer once.",
    rules: include_str!("rules.txt"),
    episode: ("world", "worlds"),
    practice: "After each world you are told how many of your searches found a fact.",
    late: "the world is over",
    absent: "its worlds stay without an answer",
    begins: r#"{"setting": "C"}"#,
    settings: Schema::new(
        "What you are given",
        &[setting(
            "setting",
            "What you are given",
            "",
            Holds::Cards(&[
                card(
                    "C",
                    "C: the search engine alone",
                    "As models play it: nobody tells you how to search.",
                    &[],
                ),
                card(
                    "B-guidance",
                    "B: with guidance",
                    "The same, and you are told how queries should be written.",
                    &[],
                ),
                card(
                    "B-few-shot",
                    "B: with examples",
                    "The same, and you are shown good and bad queries.",
                    &[],
                ),
                card(
                    "A",
                    "A: all facts",
                    "No search: every fact is there, and you put them together.",
                    &[],
                ),
            ]),
        )],
    ),
    tasks: Some(Tasks {
        label: "Which world",
        by: Some(label::LANGUAGE),
        shown: &[label::CATEGORY, label::TIER],
        ..Tasks::OWN
    }),
    reveals: &[(field::ANSWER, "Reference answer")],
    ..People::OF_TASKS
};
