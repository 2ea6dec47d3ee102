//! The settings as a form shows them.

use turnwise_core::benchmark::schema::{Holds, Schema, Setting, setting};

/// The form.
pub(super) const FORM: Schema = Schema {
    title: "Settings",
    settings: SETTINGS,
};

const SETTINGS: &[Setting] = &[
    setting(
        "turns",
        "Turns at most",
        "a world may bring a limit of its own",
        Holds::Number(1, 200),
    ),
    setting(
        "syntax",
        "How calls are written",
        "as the model was trained to write them",
        Holds::Choice(&[
            ("default", "JSON between tool_call tags"),
            ("deepseek", "DeepSeek"),
            ("glm4", "GLM-4"),
            ("minimax", "MiniMax"),
            ("qwen35", "Qwen 3.5"),
            ("kimi_k2", "Kimi K2"),
        ]),
    ),
    setting(
        "context",
        "Characters of the conversation shown again",
        "older turns are left out beyond this",
        Holds::Limit(1, 100_000_000, "no limit"),
    ),
    setting(
        "format_errors",
        "Format errors in a row that end an episode",
        "",
        Holds::Limit(1, 1000, "never"),
    ),
    setting(
        "votes",
        "Votes of the judge",
        "",
        Holds::Counts(&[(1, "one"), (3, "three, the majority counts")]),
    ),
    setting(
        "engines",
        "Which of the authors' two engines",
        "they cut the conversation in different ways",
        Holds::Choice(&[
            ("local", "for a local server"),
            ("api", "for a model service"),
        ]),
    ),
    setting(
        "parallel",
        "Several calls of one message run side by side",
        "otherwise only the one that counts in this reading",
        Holds::Flag,
    ),
    setting(
        "system",
        "System prompt",
        "empty: that of setting C; a world's own goes before it",
        Holds::Lines,
    ),
];
