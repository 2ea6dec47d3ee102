//! The settings as a form shows them.

use serde_json::Value;
use turnwise_core::benchmark::schema::{Card, Holds, Preset, Schema, card, setting};

use crate::mode::Mode;
use crate::settings::{self, MIN_ASKS, MOST_ROUNDS, ROUNDS, Settings};

/// So many questions the paper's studies have.
const QUESTIONS: u32 = 50;

/// The form.
pub(super) const FORM: Schema = Schema {
    title: "What the player may do",
    defaults: || serde_json::json!(Settings::default()),
    settings: &[
        setting("mode", "What the player may do", "", Holds::Cards(MODES)).help(
            "MODE",
            "What the player may do: full, search_only, ask_only, answer_only, full_with_context, forced_ask, \
             answer_only_with_context. Default: full",
        ),
        setting(
            ROUNDS,
            "Rounds at most",
            "separate values with commas to compare several",
            Holds::Sweep(1, MOST_ROUNDS as u64),
        )
        .help(
            "N",
            "The round limit of an episode, 1 to 100; several, joined by commas, are a sweep: every task is played at each of \
             them. Default: 10",
        ),
        setting(
            MIN_ASKS,
            "Questions before an answer counts",
            "separate values with commas to compare several",
            Holds::Sweep(0, MOST_ROUNDS as u64 - 1),
        )
        .help(
            "M",
            "In the mode forced_ask: how many asks before an answer is accepted; several, joined by commas, are a sweep. \
             Default: 5",
        ),
    ],
    presets: &[
        Preset {
            id: "scaling-study",
            label: "Scaling study",
            sweeps: ROUNDS,
            settings: || settings::scaling(&settings::SCALING),
            tasks: QUESTIONS,
        },
        Preset {
            id: "forced-study",
            label: "Forced-asking study",
            sweeps: MIN_ASKS,
            settings: || settings::forced(&settings::FORCED),
            tasks: QUESTIONS,
        },
    ],
};

/// A minimum of asks binds in one mode only.
pub(super) fn is_offered(name: &str, chosen: &Value) -> bool {
    name != MIN_ASKS || chosen["mode"] == Mode::ForcedAsk.name()
}

const S: (&str, &str) = ("k-search r-full", "S");
const A: (&str, &str) = ("k-ask r-yes", "A");
const N: (&str, &str) = ("k-ask r-no", "A");
const E: (&str, &str) = ("k-answer", "=");

/// The six modes of the specification and one of our own, the usual first.
const MODES: &[Card] = &[
    card(
        "full",
        "Everything",
        "Search, ask the user, or answer, in any order: the benchmark proper.",
        &[S, A, S, N, E],
    ),
    card(
        "search_only",
        "Search only",
        "Nobody can be asked; searching does not tell the look-alikes apart.",
        &[S, S, S, E],
    ),
    card(
        "ask_only",
        "Ask only",
        "Ask the user or answer from memory; nothing can be looked up.",
        &[A, N, A, E],
    ),
    card(
        "answer_only",
        "Answer at once",
        "One round and no tools: what the model knows by itself.",
        &[E],
    ),
    card(
        "full_with_context",
        "With context",
        "Everything, and the hidden context stands before the question: the ceiling.",
        &[S, E],
    ),
    card(
        "forced_ask",
        "Forced to ask",
        "Answers are refused before a minimum of questions to the user.",
        &[A, N, A, A, E],
    ),
    Card {
        is_usual: false,
        ..card(
            "answer_only_with_context",
            "Answer at once, with context",
            "A variant of ours: one round, and the hidden context is shown.",
            &[E],
        )
    },
];
