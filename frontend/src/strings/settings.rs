//! Names, meanings and kinds of the settings of benchmarks whose form is made from them.

/// A setting that a form can show.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Setting {
    /// Its name in the settings.
    pub name: &'static str,
    /// Its name for people.
    pub label: &'static str,
    /// What it means; may be empty.
    pub note: &'static str,
    /// What it holds.
    pub holds: Holds,
}

/// What a setting holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Holds {
    /// A whole number from the first to the second.
    Number(u64, u64),
    /// A whole number from the first to the second, or none at all; the text says what that means.
    Limit(u64, u64, &'static str),
    /// Yes or no.
    Flag,
    /// One of these: value and name. The empty value leaves the setting away.
    Choice(&'static [(&'static str, &'static str)]),
    /// One of these numbers: number and name.
    Counts(&'static [(u64, &'static str)]),
    /// A text of several lines; an empty one leaves the setting away.
    Lines,
    /// One or several numbers from 0 to 1.
    Shares,
    /// An object of whole numbers: member and name.
    Numbers(&'static [(&'static str, &'static str)]),
    /// Anything else, as it stands in an address.
    Text,
}

/// The title of the section with a benchmark's settings.
pub fn title(benchmark: &str) -> &'static str {
    match benchmark {
        "poker" => "Tables and hands",
        "trust" => "Matches",
        "worlds" => "Questions and audits",
        _ => "Settings",
    }
}

/// What the known settings of a benchmark are, in the order of the form; none where it has a form of its own.
pub fn of(benchmark: &str) -> &'static [Setting] {
    match benchmark {
        "poker" => POKER,
        "trust" => TRUST,
        "worlds" => WORLDS,
        _ => &[],
    }
}

const fn setting(
    name: &'static str,
    label: &'static str,
    note: &'static str,
    holds: Holds,
) -> Setting {
    Setting {
        name,
        label,
        note,
        holds,
    }
}

const POKER: &[Setting] = &[
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

const TRUST: &[Setting] = &[
    setting(
        "repeats",
        "Matches of each pair",
        "",
        Holds::Number(1, 1000),
    ),
    setting(
        "delta",
        "Chance that a match goes on (δ)",
        "0 to 1; several with commas make a sweep",
        Holds::Shares,
    ),
    setting(
        "cap",
        "Rounds at most",
        "players are not told",
        Holds::Number(1, 200),
    ),
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
    ),
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
    ),
];

/// What Mind-ParaWorld can be told beside what the player is given.
pub const PARAWORLD: &[Setting] = &[
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

const WORLDS: &[Setting] = &[
    setting(
        "questions",
        "Questions for each pair",
        "their levels rise from 1 to 4",
        Holds::Number(1, 8),
    ),
    setting(
        "language",
        "Language",
        "",
        Holds::Choice(&[("en", "English"), ("zh", "Chinese")]),
    ),
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
        Holds::Choice(&[
            ("all", "all"),
            ("majority", "more than half"),
            ("any", "one"),
        ]),
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

/// A setting that there is not, and those that there are.
pub fn no_such_setting(name: &str, known: &[&str]) -> String {
    match known.is_empty() {
        true => format!("“{name}” is no setting of this benchmark; it has none."),
        false => format!(
            "“{name}” is no setting of this benchmark. Its settings are: {}.",
            known.join(", ")
        ),
    }
}

/// Something about a seat that there is not, and how what there is is written.
pub fn no_such_knob(name: &str, known: &[String]) -> String {
    format!(
        "“{name}” can be set for no seat. In an address it is one of: {}.",
        known.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use turnwise_shared::benchmark::default_spec;
    use turnwise_shared::registry;

    /// Every default setting of a game has its field, and every choice that a form offers is understood.
    #[test]
    fn forms_know_the_settings_of_their_games() {
        for benchmark in registry::BENCHMARKS {
            let known = match benchmark.name() {
                "paraworld" => PARAWORLD,
                other => of(other),
            };
            if known.is_empty() {
                continue;
            }
            let mut names: BTreeSet<_> = known.iter().map(|setting| setting.name).collect();
            assert_eq!(names.len(), known.len(), "no name twice");
            // Chosen by a card each.
            names.insert("setting");
            let defaults = benchmark.default_settings();
            for name in defaults.as_object().expect("an object").keys() {
                assert!(
                    names.contains(name.as_str()),
                    "{}: {name}",
                    benchmark.name()
                );
            }
            for setting in known {
                let Holds::Choice(choices) = setting.holds else {
                    continue;
                };
                for (value, _) in choices.iter().filter(|(value, _)| !value.is_empty()) {
                    let mut spec = default_spec(*benchmark);
                    spec.settings[setting.name] = (*value).into();
                    if let Err(bad) = benchmark.check(&spec) {
                        // Some go together with another profile only; what is not understood is a fault of all settings.
                        assert_ne!(bad.field, "settings", "{}={value}: {bad}", setting.name);
                    }
                }
            }
        }
    }
}
