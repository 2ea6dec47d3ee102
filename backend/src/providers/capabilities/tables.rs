//! The tables: what is known of each wire format's models. How a rule is read is in the parent.

use turnwise_shared::seat::Effort;

use super::Name::{Exact, Family};
use super::Parameter::{
    Effort as EffortOf, Form, Seed, Stop, System, Temperature, ThinkingTokens, TopP,
};
use super::{PLAIN, Rule, Table};

/// Chat completions. Sources: the model pages and the errors of OpenAI's API.
pub static OPENAI: Table = Table {
    lacks: &[ThinkingTokens],
    efforts: &[
        Effort::None,
        Effort::Minimal,
        Effort::Low,
        Effort::Medium,
        Effort::High,
        Effort::Xhigh,
        Effort::Max,
    ],
    rules: &[
        Rule { names: &[Exact("gpt-5-chat-latest")], refuses: &[EffortOf], ..PLAIN },
        Rule { names: &[Family("gpt-5")], refuses: &[Temperature, TopP, Stop], ..PLAIN },
        Rule {
            names: &[Family("gpt-5.1"), Family("gpt-5.2"), Family("gpt-5.4"), Family("gpt-5.5")],
            refuses_while_thinking: &[Temperature, TopP, Stop],
            ..PLAIN
        },
        Rule {
            names: &[Family("o1-mini"), Family("o1-preview")],
            refuses: &[System, Temperature, TopP, Stop, EffortOf, Form],
            ..PLAIN
        },
        Rule { names: &[Family("o1"), Family("o3-mini")], refuses: &[Temperature, TopP], ..PLAIN },
        Rule {
            names: &[Family("o3"), Family("o4-mini")],
            refuses: &[Temperature, TopP, Stop],
            ..PLAIN
        },
        Rule {
            names: &[
                Family("gpt-4o"),
                Exact("chatgpt-4o-latest"),
                Family("gpt-4.1"),
                Family("gpt-4"),
                Family("gpt-3.5-turbo"),
            ],
            refuses: &[EffortOf],
            ..PLAIN
        },
    ],
    others: PLAIN,
    hottest: 2.0,
    pictures: &[
        (Family("o1-mini"), false),
        (Family("o1-preview"), false),
        (Family("o3-mini"), false),
        (Family("gpt-3.5-turbo"), false),
        (Exact("gpt-4"), false),
        (Family("deepseek-chat"), false),
        (Family("deepseek-reasoner"), false),
        (Family("gpt-4o"), true),
        (Family("gpt-4.1"), true),
        (Family("gpt-5"), true),
        (Family("o1"), true),
        (Family("o3"), true),
        (Family("o4-mini"), true),
    ],
};

const CLAUDE: Rule = Rule { refuses_while_thinking: &[Temperature, TopP], ..PLAIN };

/// Anthropic's messages. Sources: its pages on models, extended thinking, effort and migration.
pub static ANTHROPIC: Table = Table {
    lacks: &[Seed, Form],
    efforts: &[Effort::Low, Effort::Medium, Effort::High, Effort::Xhigh, Effort::Max],
    rules: &[
        Rule {
            names: &[Family("claude-3-5-sonnet"), Family("claude-3-5-haiku")],
            refuses: &[EffortOf, ThinkingTokens],
            usual_tokens: 8192,
            ..CLAUDE
        },
        Rule {
            names: &[Family("claude-3-opus"), Family("claude-3-sonnet"), Family("claude-3-haiku")],
            refuses: &[EffortOf, ThinkingTokens],
            usual_tokens: 4096,
            ..CLAUDE
        },
        Rule {
            names: &[
                Family("claude-opus-4-1"),
                Family("claude-sonnet-4-5"),
                Family("claude-haiku-4-5"),
            ],
            refuses: &[EffortOf],
            not_both: &[(Temperature, TopP)],
            ..CLAUDE
        },
        Rule { names: &[Family("claude-opus-4-5")], not_both: &[(Temperature, TopP)], ..CLAUDE },
        Rule {
            names: &[Family("claude-opus-4-6"), Family("claude-sonnet-4-6")],
            not_both: &[(Temperature, TopP)],
            thinks_by_effort: true,
            ..CLAUDE
        },
        Rule {
            names: &[Family("claude-opus-4-7"), Family("claude-opus-4-8")],
            refuses: &[Temperature, TopP, ThinkingTokens],
            thinks_by_effort: true,
            ..CLAUDE
        },
        Rule {
            names: &[
                Family("claude-fable-5"),
                Family("claude-haiku-5"),
                Family("claude-mythos-5"),
                Family("claude-opus-5"),
                Family("claude-sonnet-5"),
            ],
            refuses: &[Temperature, TopP],
            thinks_by_effort: true,
            ..CLAUDE
        },
        Rule {
            names: &[
                Family("claude-3-7-sonnet"),
                Family("claude-sonnet-4"),
                Family("claude-opus-4"),
            ],
            refuses: &[EffortOf],
            ..CLAUDE
        },
    ],
    others: Rule { not_both: &[(Temperature, TopP)], thinks_by_effort: true, ..CLAUDE },
    hottest: 1.0,
    pictures: &[
        (Family("claude-2"), false),
        (Family("claude-2.0"), false),
        (Family("claude-2.1"), false),
        (Family("claude-instant"), false),
        (Family("claude"), true),
    ],
};

/// Gemini's generateContent. Sources: Google's pages on models and thinking.
pub static GEMINI: Table = Table {
    lacks: &[],
    efforts: &[Effort::Minimal, Effort::Low, Effort::Medium, Effort::High, Effort::Xhigh],
    rules: &[
        Rule {
            names: &[
                Family("gemini-2.5-pro"),
                Family("gemini-2.5-flash"),
                Family("gemini-2.5-flash-lite"),
            ],
            refuses: &[EffortOf],
            ..PLAIN
        },
        Rule {
            names: &[
                Family("gemini-2.0-flash"),
                Family("gemini-2.0-flash-lite"),
                Family("gemini-1.5-pro"),
                Family("gemini-1.5-flash"),
            ],
            refuses: &[EffortOf, ThinkingTokens],
            ..PLAIN
        },
        Rule {
            names: &[Family("gemma-3"), Family("gemma-3n")],
            refuses: &[System, EffortOf, Form, ThinkingTokens],
            ..PLAIN
        },
    ],
    others: Rule { not_both: &[(EffortOf, ThinkingTokens)], ..PLAIN },
    hottest: 2.0,
    pictures: &[
        (Family("gemma-3-1b"), false),
        (Family("gemma-3"), true),
        (Family("gemma-3n"), true),
        (Family("gemini"), true),
    ],
};
