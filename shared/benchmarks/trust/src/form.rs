//! The settings as a form shows them.

use turnwise_core::benchmark::schema::{Holds, Schema, Setting, setting};

use crate::settings::Settings;

/// The form.
pub(super) const FORM: Schema = Schema {
    defaults: || serde_json::json!(Settings::default()),
    ..Schema::new("Matches", SETTINGS)
};

const SETTINGS: &[Setting] = &[
    setting(
        "repeats",
        "Matches of each pair",
        "",
        Holds::Number(1, 1000),
    ),
    setting(
        "delta",
        "Chance that a match goes on (δ)",
        "0 to 1; separate values with commas to compare several",
        Holds::Shares,
    )
    .help(
        "P",
        "The probability that a match goes on after a round; several, joined by commas, are a sweep",
    ),
    setting(
        "cap",
        "Rounds at most",
        "players are not told",
        Holds::Number(1, 200),
    )
    .help("N", "The most rounds of a match"),
    setting(
        "window",
        "Rounds that a player is shown",
        "the latest so many",
        Holds::Number(1, 200),
    ),
    setting(
        "payoffs",
        "What a round pays",
        "",
        Holds::Numbers(&[
            ("cc", "both cooperate"),
            ("cd", "cooperates alone"),
            ("dc", "defects alone"),
            ("dd", "both defect"),
        ]),
    ),
    setting(
        "form",
        "Which matches",
        "",
        Holds::Choice(&[
            ("tournament", "every pair"),
            ("single", "one match (reference only)"),
        ]),
    )
    .flagged("match-form"),
    setting(
        "lengths",
        "How lengths are drawn",
        "",
        Holds::Choice(&[
            ("", "as usual in this profile"),
            ("shared", "one list for all pairs"),
            ("reference", "each pair its own, as the authors' code"),
        ]),
    ),
    setting(
        "fallback",
        "Played for whoever says no move",
        "the match is flagged",
        Holds::Choice(&[("cooperate", "cooperation"), ("defect", "defection")]),
    ),
    setting(
        "swap",
        "Every match again with changed sides",
        "equally long",
        Holds::Flag,
    )
    .help(
        "BOOL",
        "Whether every match is played again with changed sides. Default: true",
    ),
];
