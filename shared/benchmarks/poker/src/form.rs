//! The settings as a form shows them.

use turnwise_core::benchmark::schema::{Holds, Schema, Setting, setting};

/// The form.
pub(super) const FORM: Schema = Schema::new("Tables and hands", SETTINGS);

const SETTINGS: &[Setting] = &[
    setting("tables", "Tables", "", Holds::Number(1, 100_000)),
    setting(
        "hands",
        "Hands a table",
        "in duplicate mode: decks, each played once from every seat",
        Holds::Number(1, 100_000),
    ),
    setting(
        "stack",
        "Stack, in chips",
        "",
        Holds::Number(1, 1_000_000_000),
    ),
    setting(
        "small_blind",
        "Small blind",
        "",
        Holds::Number(1, 1_000_000),
    ),
    setting("big_blind", "Big blind", "", Holds::Number(1, 1_000_000)),
    setting(
        "policy",
        "Stacks between hands",
        "hands that start afresh are independent and run side by side",
        Holds::Choice(&[
            ("", "as usual in this profile"),
            ("reset-every-hand", "everybody starts every hand afresh"),
            ("reset-all-on-bust", "all start afresh once one has nothing"),
            ("rebuy-busted", "whoever has nothing buys in again"),
            ("freezeout", "nobody buys in; the last one wins"),
        ]),
    ),
    setting(
        "memory",
        "What a player is told of earlier hands",
        "",
        Holds::Choice(&[
            ("none", "nothing"),
            ("table", "what happened at this table"),
        ]),
    ),
    setting(
        "persona",
        "Character in the system prompt",
        "",
        Holds::Choice(&[
            ("bold", "bold expert, as in the paper"),
            ("neutral", "rules and aim only"),
        ]),
    ),
    setting(
        "duplicate",
        "Duplicate: everybody plays the same cards",
        "luck with cards cancels; needs independent hands",
        Holds::Flag,
    ),
    setting(
        "permute_seats",
        "Another seating order at every table",
        "",
        Holds::Flag,
    ),
];
