//! Why a configuration cannot be started, in words for people.

use turnwise_shared::misfit;
use turnwise_shared::seat::knob::Knob;

use crate::strings::settings as words;

/// The problem of a spec in words for people: an address can name what does not exist.
pub fn unusable(problem: &str) -> String {
    match misfit::unknown_field(problem) {
        // `max_tokens.player` was meant for a seat.
        Some((name, _)) if name.contains('.') => {
            let knobs = Knob::ALL.map(|knob| format!("{}.SEAT", knob.name()));
            format!(
                "“{name}” can be set for no seat. In an address it is one of: {}.",
                knobs.join(", ")
            )
        }
        Some((name, known)) => words::no_such_setting(name, &known.join(", ")),
        None => misfit::plain(problem),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use turnwise_shared::benchmark::default_spec;
    use turnwise_shared::examples::QUESTIONS;
    use turnwise_shared::registry;

    #[test]
    fn what_an_address_says_wrongly_is_told_to_people() {
        let benchmark = registry::find(QUESTIONS).expect("it is there");
        let said = |settings: serde_json::Value| {
            let mut spec = default_spec(benchmark);
            spec.settings = settings;
            let bad = benchmark.check_spec(&spec).expect_err("it is refused");
            unusable(&bad.problem)
        };
        let knob = said(json!({ "mode": "full", "max_tokens.player": 5 }));
        assert!(knob.contains("“max_tokens.player”") && knob.contains("max-tokens.SEAT"), "{knob}");
        let setting = said(json!({ "mode": "full", "ruonds": 5 }));
        assert!(
            setting.contains("“ruonds”") && setting.contains("mode, rounds, min_asks"),
            "{setting}"
        );
        for said in [
            knob,
            setting,
            said(json!({ "mode": "full", "rounds": "abc" })),
            said(json!({ "mode": "fool" })),
        ] {
            for raw in ["unknown field", "variant", "u32", "`"] {
                assert!(!said.contains(raw), "{said}");
            }
        }
    }
}
