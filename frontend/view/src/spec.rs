//! What a spec says, in the words of its reader: who takes part, and one row for each thing that decides how a run goes.

use serde_json::Value;
use turnwise_shared::caps::dollars;
use turnwise_shared::exchange::inspect::known_profile;
use turnwise_shared::prelude::*;
use turnwise_shared::screen::natural::natural;
use turnwise_shared::spec::Subset;

use super::number;
use super::turn::words;
use crate::strings::{capitalised, spec as names};

/// The participants of a game in the order of their seats: seat and name, e.g. `1` and `equity`. Empty where seats have parts of
/// their own instead of numbers.
pub fn participants(spec: &Spec) -> Vec<(String, String)> {
    let mut seats: Vec<(u32, String)> = Vec::new();
    for (seat, sitting) in &spec.seats {
        let Ok(number) = seat.as_str().parse() else {
            return Vec::new();
        };
        seats.push((number, sitting.player.short_name()));
    }
    seats.sort();
    seats.into_iter().map(|(number, name)| (number.to_string(), name)).collect()
}

/// What a spec says, one thing a row: name and value.
pub fn rows(spec: &Spec) -> Vec<(String, String)> {
    let mut rows = Vec::new();
    let mut row = |name: &str, value: String| rows.push((name.to_owned(), value));
    row("Benchmark", format!("{}, protocol {}", spec.benchmark, spec.protocol));
    if let Some(profile) = known_profile(spec) {
        row(names::PROFILE, profile.name().to_owned());
    }
    if let Some(settings) = spec.settings.as_object() {
        let decides = |name: &str| match (registry::find(&spec.benchmark), known_profile(spec)) {
            (Ok(benchmark), Some(profile)) => benchmark.is_offered(name, &spec.settings, profile),
            _ => true,
        };
        // A setting of this name stands above already, and others decide nothing beside those that were chosen.
        for (name, value) in settings.iter().filter(|(name, _)| *name != "profile" && decides(name))
        {
            row(&capitalised(&words(name)), plain(value));
        }
    }
    let mut seats: Vec<_> = spec.seats.iter().collect();
    seats.sort_by(|one, other| natural(one.0.as_str(), other.0.as_str()));
    for (seat, sitting) in seats {
        let name = match seat.as_str().parse::<u32>() {
            Ok(number) => names::seat(number),
            Err(_) => capitalised(seat.as_str()),
        };
        row(&name, sitting_text(sitting));
    }
    row("Tasks", named(&spec.tasks));
    row("Of these", subset(&spec.subset));
    row("Repeats", number::count(spec.repeats));
    // The other conditions of imported episodes are unknown.
    if spec.is_imported() {
        return rows;
    }
    row(
        names::SEARCH,
        match &spec.search {
            None => "none".to_owned(),
            Some(search) => {
                let corpus = match &search.corpus {
                    Some(digest) => format!(", documents {}", digest.short()),
                    None => String::new(),
                };
                format!("{}, {} results{corpus}", search.engine, search.results)
            }
        },
    );
    match &spec.web {
        Some(WebSpec::Live) => row(names::WEB, "live".to_owned()),
        Some(WebSpec::Archive { archive }) => {
            row(names::WEB, format!("archive {}", archive.short()));
        }
        None => {}
    }
    row(names::PACK, named(&spec.pack));
    row(names::SEED, spec.seed.to_string());
    row(names::BUDGET, budget(spec));
    rows
}

fn named(named: &Named) -> String {
    format!("{} ({})", named.name, named.digest.short())
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().map(plain).collect::<Vec<_>>().join(", "),
        // By seat, as `1 bot:tft, 2 person`, or by name.
        Value::Object(parts) => {
            let parts = parts.iter();
            let parts = parts.map(|(name, value)| format!("{name} {}", plain(value)));
            parts.collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    }
}

fn sitting_text(sitting: &Sitting) -> String {
    let Sampling { temperature, top_p, max_tokens, stop, seed, effort, thinking_tokens, form } =
        &sitting.sampling;
    let mut text = sitting.player.to_string();
    if let Some(temperature) = temperature {
        text.push_str(&format!(", temperature {temperature}"));
    }
    if let Some(top_p) = top_p {
        text.push_str(&format!(", top-p {top_p}"));
    }
    if let Some(most) = max_tokens {
        let most = number::count(*most);
        text.push_str(&format!(", at most {most} tokens"));
    }
    for (name, value) in [
        ("effort", effort.map(|effort| effort.name().to_owned())),
        ("at most tokens of reasoning", thinking_tokens.map(number::count)),
        ("seed", seed.map(|seed| seed.to_string())),
    ] {
        if let Some(value) = value {
            text.push_str(&format!(", {name} {value}"));
        }
    }
    for stop in stop {
        text.push_str(&format!(", stops at {stop:?}"));
    }
    if *form == ReplyForm::Json {
        text.push_str(", JSON");
    }
    text
}

fn subset(subset: &Subset) -> String {
    let mut parts = Vec::new();
    if !subset.ids.is_empty() {
        let count = number::counted(subset.ids.len(), "task", "tasks");
        parts.push(format!("{count} by id"));
    }
    for (label, values) in &subset.labels {
        if !values.is_empty() {
            parts.push(format!("{label} {}", values.join(" or ")));
        }
    }
    if let Some(random) = &subset.random {
        parts.push(format!("{} at random (seed {})", number::count(random.count), random.seed));
    }
    if let Some(first) = subset.first {
        parts.push(format!("the first {}", number::count(first)));
    }
    if parts.is_empty() { "all".to_owned() } else { parts.join("; ") }
}

fn budget(spec: &Spec) -> String {
    let budget = &spec.budget;
    let mut parts = vec![number::counted(budget.calls, "call", "calls")];
    if let Some(tokens) = budget.tokens {
        parts.push(format!("{} tokens", number::count(tokens)));
    }
    if let Some(searches) = budget.searches {
        parts.push(number::counted(searches, "search", "searches"));
    }
    if let Some(money) = budget.money {
        parts.push(format!("US$ {}", number::fixed(dollars(money), 2)));
    }
    if let Some(seconds) = budget.seconds {
        parts.push(number::duration(seconds * 1000));
    }
    parts.join(", ")
}

#[cfg(test)]
pub(crate) mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use serde_json::json;
    use turnwise_shared::hash::Digest;
    use turnwise_shared::spec::{Budget, Profile, SearchSpec};

    /// A spec with a model as the player.
    pub fn spec() -> Spec {
        let named = |name: &str| Named { name: name.to_owned(), digest: Digest::of(name) };
        Spec {
            benchmark: turnwise_shared::examples::QUESTIONS.into(),
            protocol: 1,
            profile: Profile::Strict,
            settings: json!({ "mode": "forced_ask", "min_asks": 5 }),
            tasks: named("samples"),
            subset: Subset::default(),
            pack: named("pack"),
            seats: BTreeMap::from([(
                "player".into(),
                Sitting {
                    player: "model:lab/m-1".parse().expect("a player"),
                    sampling: Sampling {
                        temperature: Some(0.6),
                        top_p: None,
                        max_tokens: Some(8192),
                        ..Sampling::default()
                    },
                },
            )]),
            search: Some(SearchSpec { engine: "local".into(), corpus: None, results: 5 }),
            web: None,
            budget: Budget::default(),
            seed: 1,
            repeats: 3,
        }
    }

    #[test]
    fn participants_stand_in_the_order_of_their_seats() {
        let sits = |player: &str| Sitting {
            player: player.parse().expect("a player"),
            sampling: Sampling::default(),
        };
        let mut game = spec();
        game.seats = ["bot:grim", "model:lab/org/m-1", "person"]
            .iter()
            .zip(["1", "10", "2"])
            .map(|(player, seat)| (seat.into(), sits(player)))
            .collect();
        let names: Vec<_> =
            participants(&game).into_iter().map(|(seat, name)| format!("{seat} {name}")).collect();
        assert_eq!(names, ["1 grim", "2 person", "10 m-1"]);
        let names = [("1", "Bob"), ("2", "Ann")];
        let names = names.map(|(seat, name)| (seat.into(), name.to_owned()));
        let named = participants(&game.naming(&names.into_iter().collect()));
        let named: Vec<_> = named.into_iter().map(|(_, name)| name).collect();
        assert_eq!(named, ["grim", "Ann", "m-1"], "only people are called otherwise");
        assert!(participants(&spec()).is_empty());
    }

    #[test]
    fn of_what_was_imported_no_more_is_said_than_its_log_does() {
        let named = spec().tasks;
        let names_of = |settings: serde_json::Value| {
            let spec = Spec::imported("inspect", settings, named.clone(), "lab/m-1");
            rows(&spec).into_iter().map(|(name, _)| name).collect::<Vec<_>>()
        };
        let unknown = names_of(json!({ "task": "adding" }));
        for absent in [names::PROFILE, names::SEARCH, names::PACK, names::SEED, names::BUDGET] {
            assert!(!unknown.iter().any(|name| name == absent), "{absent}");
        }
        let known = names_of(json!({ "profile": "strict" }));
        let profiles = known.iter().filter(|name| *name == names::PROFILE);
        assert_eq!(profiles.count(), 1);
    }

    #[test]
    fn a_setting_that_decides_nothing_is_left_out() {
        let mut free = spec();
        free.settings["mode"] = json!("full");
        assert!(rows(&free).iter().all(|(name, _)| name != "Min asks"));
    }

    #[test]
    fn a_spec_in_words() {
        let rows = rows(&spec());
        let value =
            |name: &str| rows.iter().find(|(row, _)| row == name).map(|(_, value)| value.as_str());
        assert_eq!(value("Mode"), Some("forced_ask"));
        assert_eq!(value("Min asks"), Some("5"));
        assert_eq!(value("Player"), Some("model:lab/m-1, temperature 0.6, at most 8,192 tokens"));
        assert_eq!(value("Search"), Some("local, 5 results"));
        assert_eq!(value("Of these"), Some("all"));
        assert_eq!(value("Budget of an episode"), Some("1,000 calls"));
    }
}
