//! The settings as a form shows them.

use serde_json::{Map, json};
use turnwise_core::benchmark::Flag;
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
    )
    .help("N", "The most turns of an episode, 1 to 200. Default: 32"),
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
    )
    .help(
        "SYNTAX",
        "custom: how the player writes calls: default, deepseek, glm4, minimax, qwen35, kimi_k2. Default: default",
    ),
    setting(
        "context",
        "Characters of the conversation shown again",
        "older turns are left out beyond this",
        Holds::Limit(1, 100_000_000, "no limit"),
    )
    .help(
        "N",
        "How many characters of the conversation the player is shown again at most, or none for no limit. Default: 128000",
    ),
    setting(
        "format_errors",
        "Format errors in a row that end an episode",
        "",
        Holds::Limit(1, 1000, "never"),
    )
    .help(
        "N",
        "strict: so many format errors in a row end the episode, or none for never. Default: 3",
    ),
    setting(
        "votes",
        "Votes of the judge",
        "",
        Holds::Counts(&[(1, "one"), (3, "three, the majority counts")]),
    )
    .help("N", "How many times the judge votes: 1 or, under strict, 3. Default: 1"),
    setting(
        "engines",
        "Which of the authors' two engines",
        "they cut the conversation in different ways",
        Holds::Choice(&[
            ("local", "for a local server"),
            ("api", "for a model service"),
        ]),
    )
    .help(
        "ENGINES",
        "reference: which of the authors' engines is played: local (for a local server) or api (for services). Default: local",
    ),
    setting(
        "parallel",
        "Several calls of one message run side by side",
        "otherwise only the one that counts in this reading",
        Holds::Flag,
    )
    .help(
        "BOOL",
        "All calls of one message run, side by side; under reference only in the setting custom",
    ),
    setting(
        "system",
        "System prompt",
        "empty: that of setting C; a world's own goes before it",
        Holds::Lines,
    )
    .help("FILE", "custom: a file with the system prompt. Default: that of setting C"),
];

/// Flags besides those of the settings.
pub(super) const FLAGS: &[Flag] = &[Flag {
    name: "setting",
    value: "SETTING",
    help: "What the player is given: A (all facts, no tool), B-guidance, B-few-shot, C (the tool alone), custom, control (the \
           question alone). Default: C",
    read: |text| {
        let setting: super::settings::Setting = text.parse()?;
        Ok(Map::from_iter([("setting".to_owned(), json!(setting))]))
    },
}];
