//! What the form of the settings shows beside their declaration.

use serde_json::{Map, Value, json};
use turnwise_core::benchmark::Flag;
use turnwise_core::benchmark::schema::{Card, card};
use turnwise_core::prelude::*;

use crate::settings::Setting;

/// Whether a setting decides anything under what the player is given; what does not is refused by the benchmark, or ignored.
pub(super) fn is_offered(name: &str, chosen: &Value, profile: Profile) -> bool {
    let given = chosen["setting"].as_str();
    let given: Setting = given.and_then(|name| name.parse().ok()).unwrap_or_default();
    let is_strict = profile == Profile::Strict;
    let is_custom = given == Setting::Custom;
    match name {
        "setting" => true,
        "syntax" | "system" => is_custom,
        "parallel" => given.searches() && (is_strict || is_custom),
        "format_errors" => given.searches() && is_strict,
        "votes" => is_strict,
        "engines" => !is_strict,
        _ => given.searches(),
    }
}

const H: (&str, &str) = ("k-search r-hit", "S");
const M: (&str, &str) = ("k-search r-miss", "S");
const C: (&str, &str) = ("k-search r-compound", "S");
const E: (&str, &str) = ("k-answer", "=");

const NO_ENGINE: &str = "In this setting nothing is searched: the engine is not asked.";

/// What the player may be given, the usual first. The gaps between all but the last are what the paper reads.
pub(crate) const CARDS: &[Card] = &[
    compared(
        "C",
        "C: the tool alone",
        "Nobody says how to search: what the model does by itself. The benchmark proper.",
        &[C, H, M, H, E],
    ),
    compared(
        "B-guidance",
        "B: with guidance",
        "It is told to ask for one thing at a time: what is left are faults of searching, not of knowing how.",
        &[H, H, M, H, E],
    ),
    compared(
        "B-few-shot",
        "B: with examples",
        "Good and bad queries are shown instead of a rule: whether examples do what words do not.",
        &[H, M, H, H, E],
    ),
    Card {
        remark: NO_ENGINE,
        ..compared(
            "A",
            "A: all facts",
            "No tool, every fact is shown: how well facts are put together once they are there.",
            &[E],
        )
    },
    Card {
        remark: NO_ENGINE,
        ..compared(
            "control",
            "Control: the question alone",
            "No tool and no facts: what can be guessed. It should be next to nothing.",
            &[E],
        )
    },
    card(
        "custom",
        "Custom",
        "The tool, with a system prompt and a syntax of calls of your own.",
        &[H, C, H, E],
    ),
];

const fn compared(
    value: &'static str,
    title: &'static str,
    note: &'static str,
    ribbon: &'static [(&'static str, &'static str)],
) -> Card {
    Card { is_compared: true, ..card(value, title, note, ribbon) }
}

/// Flags besides those of the settings.
pub(super) const FLAGS: &[Flag] = &[Flag {
    name: "setting",
    value: "SETTING",
    help: "What the player is given: A (all facts, no tool), B-guidance, B-few-shot, C (the tool alone), custom, control (the \
           question alone). Default: C",
    read: |text| {
        let setting: Setting = text.parse()?;
        Ok(Map::from_iter([("setting".to_owned(), json!(setting))]))
    },
}];

#[cfg(test)]
mod tests {
    use serde_json::json;
    use turnwise_core::benchmark::{Benchmark, default_spec};

    use super::*;
    use crate::ParaWorld;
    use crate::settings::Settings;

    /// Every card stands for a setting, and what is offered beside it is accepted.
    #[test]
    fn cards_and_fields_are_accepted() {
        let others = [
            ("turns", json!(5)),
            ("syntax", json!("glm4")),
            ("context", json!(null)),
            ("format_errors", json!(null)),
            ("votes", json!(3)),
            ("engines", json!("api")),
            ("parallel", json!(true)),
            ("system", json!("Search.")),
        ];
        assert_eq!(Settings::SCHEMA.settings.len(), others.len() + 1);
        assert_eq!(CARDS.len(), Setting::ALL.len());
        for card in CARDS {
            let given: Setting = card.value.parse().expect(card.value);
            assert_eq!(card.remark.is_empty(), given.searches(), "{given}");
            for profile in [Profile::Strict, Profile::Reference] {
                if given == Setting::Control && profile == Profile::Reference {
                    continue;
                }
                for (name, value) in &others {
                    let mut spec = default_spec(&ParaWorld);
                    spec.profile = profile;
                    spec.settings["setting"] = json!(card.value);
                    let is_offered =
                        <dyn Benchmark>::is_offered(&ParaWorld, name, &spec.settings, profile);
                    spec.settings[*name] = value.clone();
                    let accepted = match <dyn Benchmark>::check_spec(&ParaWorld, &spec) {
                        Ok(()) => true,
                        // Bots write calls in one way only; models are offered all.
                        Err(bad) => bad.field == "seats.player",
                    };
                    assert!(accepted || !is_offered, "{given} {profile:?} {name}");
                }
            }
        }
    }
}
