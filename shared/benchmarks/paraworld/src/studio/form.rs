//! The settings as a form shows them.

use turnwise_core::benchmark::schema::{Holds, Schema, Setting, setting};

/// The form.
pub(super) const FORM: Schema = Schema {
    defaults: || serde_json::json!(super::Settings::default()),
    ..Schema::new("Questions and audits", SETTINGS)
};

const SETTINGS: &[Setting] = &[
    setting(
        "questions",
        "Questions for each pair",
        "their levels rise from 1 to 4",
        Holds::Number(1, 8),
    ),
    setting("language", "Language", "", Holds::Choice(&[("en", "English"), ("zh", "Chinese")])),
    setting("from", "First year", "", Holds::Number(1000, 9999)),
    setting("to", "Last year", "", Holds::Number(1000, 9999)),
    setting(
        "repairs",
        "Second chances of a draft",
        "it is sent back with what the machine found",
        Holds::Number(0, 3),
    ),
    setting(
        "audits",
        "Answers of the auditor",
        "to each question, from the facts alone",
        Holds::Number(1, 9),
    ),
    setting(
        "policy",
        "How many of them must agree",
        "",
        Holds::Choice(&[("all", "all"), ("majority", "more than half"), ("any", "one")]),
    ),
    setting(
        "filter",
        "What a rejected question takes with it",
        "",
        Holds::Choice(&[("pair", "its whole pair"), ("question", "nothing")]),
    ),
    setting(
        "review",
        "When the editor is asked",
        "a list of question, law and decision",
        Holds::Text,
    ),
];
