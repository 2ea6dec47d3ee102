//! The settings as a form shows them.

use turnwise_core::benchmark::schema::{Holds, Schema, Setting, setting};

use crate::settings::{MOST_ROUNDS, Settings};

/// The form.
pub(super) const FORM: Schema = Schema {
    defaults: || serde_json::json!(Settings::default()),
    ..Schema::new("Mode and rounds", SETTINGS)
};

const SETTINGS: &[Setting] = &[
    setting(
        "mode",
        "What the player may do",
        "the repeats of a direct run are the samples of pass@k",
        Holds::Choice(&[
            ("interactive", "ask the judge and guess"),
            ("guess_only", "guess only"),
            ("direct", "answer once"),
        ]),
    ),
    setting(
        "rounds",
        "Questions and guesses at most",
        "a free final answer follows",
        Holds::Number(1, MOST_ROUNDS as u64),
    ),
];
