//! The settings of a run; a list of rounds makes a sweep.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::json;
use turnwise_core::benchmark::schema::{Holds, Schema, Setting, setting};
use turnwise_core::spec::{BadSpec, Spec};
use turnwise_core::sweep::Point;

/// Sees the target and describes it, live or for a task set.
pub const SUMMARIZER: &str = "summarizer";
/// Sees the target and the player's page, and answers its questions.
pub const JUDGE: &str = "judge";
/// Sees both and gives five sub-scores.
pub const SCORER: &str = "scorer";
/// Measures the likeness of two layouts.
pub const METER: &str = "meter";

/// The setting and label with the number of rounds.
pub const ROUNDS: &str = "rounds";
/// As in the paper; also the most.
pub const USUAL_ROUNDS: u32 = 20;

/// What an episode is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// The player writes the page.
    #[default]
    Play,
    /// The Summarizer writes a description to be frozen into a task set, and nobody plays.
    Describe,
}

/// Where the player's description comes from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// The task set: the same for every player.
    #[default]
    Frozen,
    /// The Summarizer, in each episode.
    Live,
}

/// The settings of one episode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Settings {
    pub mode: Mode,
    /// Questions before the final page, 0 to [`USUAL_ROUNDS`].
    pub rounds: u32,
    /// How many earlier rounds the player is shown; `None`: all.
    pub history: Option<u32>,
    pub description: Source,
    /// Whether the scorer is told the visual specification of the task, too.
    pub scorer_sees_spec: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            mode: Mode::Play,
            rounds: USUAL_ROUNDS,
            history: None,
            description: Source::Frozen,
            scorer_sees_spec: true,
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(default)]
    mode: Mode,
    #[serde(default = "usual")]
    rounds: OneOrMany,
    #[serde(default)]
    history: Option<u32>,
    #[serde(default)]
    description: Source,
    #[serde(default = "sees")]
    scorer_sees_spec: bool,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "rounds must be an integer from 0 to 20, or a list of them")]
enum OneOrMany {
    One(u32),
    Many(Vec<u32>),
}

fn usual() -> OneOrMany {
    OneOrMany::One(USUAL_ROUNDS)
}

fn sees() -> bool {
    Settings::default().scorer_sees_spec
}

impl Settings {
    /// The settings of a spec, one for each value of its sweep.
    ///
    /// # Errors
    /// The setting that cannot be used, and what is accepted.
    pub fn of(spec: &Spec) -> Result<Vec<Self>, BadSpec> {
        let written = Written::deserialize(&spec.settings)
            .map_err(|error| BadSpec::new("settings", error.to_string()))?;
        let values = match written.rounds {
            OneOrMany::One(value) => vec![value],
            OneOrMany::Many(values) => values,
        };
        let bad = |problem: String| Err(BadSpec::new(format!("settings.{ROUNDS}"), problem));
        if values.is_empty() {
            return bad("a sweep has at least one value".to_owned());
        }
        for (at, value) in values.iter().enumerate() {
            if *value > USUAL_ROUNDS {
                return bad(format!("expected an integer from 0 to {USUAL_ROUNDS}, got {value}"));
            }
            if values[..at].contains(value) {
                return bad(format!("{value} is listed twice"));
            }
        }
        if written.mode == Mode::Describe && values.len() > 1 {
            return bad("a description is made once; write one number".to_owned());
        }
        if written.history == Some(0) {
            let problem = "expected an integer from 1 to 20, or none for all rounds, got 0";
            return Err(BadSpec::new("settings.history", problem));
        }
        let settings = values.into_iter().map(|rounds| Settings {
            mode: written.mode,
            rounds,
            history: written.history,
            description: written.description,
            scorer_sees_spec: written.scorer_sees_spec,
        });
        Ok(settings.collect())
    }

    /// The settings of a task's episode: in a sweep those of the value that the task is labelled with.
    ///
    /// # Errors
    /// As [`Settings::of`], and if a task of a sweep has no label.
    pub fn at(spec: &Spec, labels: &BTreeMap<String, String>) -> Result<Self, BadSpec> {
        let all = Settings::of(spec)?;
        let label = labels.get(ROUNDS).map_or("absent", String::as_str);
        let is_wanted = |one: &&Settings| all.len() == 1 || one.rounds.to_string() == label;
        all.iter().find(is_wanted).copied().ok_or_else(|| {
            let problem =
                format!("the task's label {ROUNDS} ({label}) is not a value of this sweep");
            BadSpec::new(format!("settings.{ROUNDS}"), problem)
        })
    }

    /// Whether the Summarizer is asked.
    pub fn describes(&self) -> bool {
        self.mode == Mode::Describe || self.description == Source::Live
    }
}

/// The values that a spec sweeps over; none where it does not sweep or cannot be read.
pub fn points(spec: &Spec) -> Vec<Point> {
    match Settings::of(spec).unwrap_or_default() {
        all if all.len() < 2 => Vec::new(),
        all => {
            all.iter().map(|one| Point { setting: ROUNDS, mark: 'b', value: one.rounds }).collect()
        }
    }
}

/// The form of a new run.
pub const FORM: Schema =
    Schema { defaults: || json!(Settings::default()), ..Schema::new("Rounds and roles", SETTINGS) };

const SETTINGS: &[Setting] = &[
    setting(
        "mode",
        "What is done",
        "",
        Holds::Choice(&[
            ("play", "the player writes the page"),
            ("describe", "the Summarizer describes the target, to be frozen into a task set"),
        ]),
    ),
    setting(
        ROUNDS,
        "Rounds",
        "0 is no question; several, e.g. 0,1,20, make a sweep",
        Holds::Sweep(0, USUAL_ROUNDS as u64),
    ),
    setting(
        "history",
        "Earlier rounds that the player is shown",
        "",
        Holds::Limit(1, USUAL_ROUNDS as u64, "all"),
    ),
    setting(
        "description",
        "Description of the target",
        "a live one differs from episode to episode",
        Holds::Choice(&[
            ("frozen", "as in the task set"),
            ("live", "written by the Summarizer in each episode"),
        ]),
    ),
    setting(
        "scorer_sees_spec",
        "The scorer is told the visual specification",
        "in the paper it sees the pictures alone",
        Holds::Flag,
    ),
];

#[cfg(test)]
mod tests {
    use serde_json::Value;
    use turnwise_core::hash::Digest;
    use turnwise_core::spec::Named;

    use super::*;

    fn spec(settings: Value) -> Spec {
        let tasks = Named { name: "made up".to_owned(), digest: Digest::of("") };
        Spec::imported("ui2html", settings, tasks, "model")
    }

    #[test]
    fn a_list_of_rounds_makes_a_sweep() {
        let swept = spec(json!({ "rounds": [0, 1, 20], "history": 3, "description": "live" }));
        let all = Settings::of(&swept).expect("they are valid");
        assert_eq!(all.iter().map(|one| one.rounds).collect::<Vec<_>>(), [0, 1, 20]);
        assert!(all.iter().all(|one| one.history == Some(3) && one.describes()));
        assert_eq!(points(&swept).len(), 3);
        let labels = [(ROUNDS.to_owned(), "1".to_owned())].into();
        assert_eq!(Settings::at(&swept, &labels).expect("a value of it").rounds, 1);
        assert!(Settings::at(&swept, &BTreeMap::new()).is_err());
        let usual = spec(json!(Settings::default()));
        assert_eq!(Settings::of(&usual).expect("the default"), [Settings::default()]);
        assert_eq!(points(&usual), []);
    }

    #[test]
    fn settings_that_cannot_be_used_are_named() {
        for (settings, problem) in [
            (json!({ "rounds": 21 }), "settings.rounds: expected an integer from 0 to 20, got 21"),
            (json!({ "rounds": -1 }), "rounds must be an integer from 0 to 20"),
            (json!({ "rounds": [] }), "settings.rounds: a sweep has at least one value"),
            (json!({ "rounds": [1, 1] }), "settings.rounds: 1 is listed twice"),
            (json!({ "rounds": [0, 1], "mode": "describe" }), "a description is made once"),
            (json!({ "history": 0 }), "settings.history: expected an integer from 1 to 20"),
            (json!({ "judge": 1 }), "unknown field `judge`"),
        ] {
            let error = Settings::of(&spec(settings)).expect_err(problem).to_string();
            assert!(error.contains(problem), "{error}");
        }
    }
}
