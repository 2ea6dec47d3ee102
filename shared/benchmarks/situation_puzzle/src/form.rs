//! The settings as a form shows them.

use turnwise_core::benchmark::schema::{Holds, Schema, Setting, setting};

use crate::settings::{JUDGE_MEMORY, MOST_ROUNDS, ROUNDS, Settings};

/// The form.
pub(super) const FORM: Schema = Schema {
    defaults: || serde_json::json!(Settings::default()),
    ..Schema::new("Mode and turns", SETTINGS)
};

const SETTINGS: &[Setting] = &[
    setting(
        "mode",
        "What the player may do",
        "",
        Holds::Choice(&[
            ("interactive", "ask the judge and submit answers"),
            ("direct", "submit one answer, ask nothing"),
            ("hearing", "nothing: put the puzzle's bank to the judge"),
        ]),
    ),
    setting(
        ROUNDS,
        "Turns",
        "several, e.g. 5,10,15,20, make a sweep",
        Holds::Sweep(1, MOST_ROUNDS as u64),
    ),
    setting(
        JUDGE_MEMORY,
        "What the judge sees of earlier turns",
        "in the reference profile the judge always remembers",
        Holds::Choice(&[("stateless", "nothing"), ("running", "all of them")]),
    ),
];
