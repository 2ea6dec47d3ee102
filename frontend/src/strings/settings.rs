//! Words about settings of benchmarks.

pub use turnwise_shared::benchmark::schema::{Holds, Setting};

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
            let known = benchmark.schema().settings;
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
