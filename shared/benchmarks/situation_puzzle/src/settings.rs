//! The settings of a run: mode, number of turns (a list makes a sweep) and the judge's memory.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use turnwise_core::spec::{BadSpec, Profile, Spec};
use turnwise_core::sweep::Point;

/// The seat that answers questions and judges final answers.
pub const JUDGE: &str = "judge";

/// The setting and label with the number of turns.
pub const ROUNDS: &str = "rounds";
/// The setting that says what a judge sees of earlier turns.
pub const JUDGE_MEMORY: &str = "judge_memory";

/// The number of turns in the paper's main runs.
pub const USUAL_ROUNDS: u32 = 20;
/// The most turns of one episode.
pub const MOST_ROUNDS: u32 = 100;
/// The paper says of its sweep only that it goes from 5 to 20 turns; these are ours.
pub const SWEEP: [u32; 4] = [5, 10, 15, 20];

const MOST_VALUES: usize = 20;

/// Whether the player may ask.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// It asks the judge, and submits final answers, for a number of turns.
    #[default]
    Interactive,
    /// It submits one final answer and asks nothing.
    Direct,
    /// It does nothing: the judge is asked every entry of the puzzle's bank, for `turnwise puzzles check`. There is no score.
    Hearing,
}

/// What a judge sees of earlier turns (`strict`; in `reference` always `running`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JudgeMemory {
    /// Nothing: each call is a conversation of its own.
    #[default]
    Stateless,
    /// All earlier questions and final answers with its tokens.
    Running,
}

/// The settings of one episode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Settings {
    /// Whether the player may ask.
    pub mode: Mode,
    /// How many turns the player has before the forced final.
    pub rounds: u32,
    /// What a judge sees of earlier turns.
    pub judge_memory: JudgeMemory,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            mode: Mode::default(),
            rounds: USUAL_ROUNDS,
            judge_memory: JudgeMemory::default(),
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
    judge_memory: JudgeMemory,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "rounds must be an integer from 1 to 100, or a list of them")]
enum OneOrMany {
    One(u32),
    Many(Vec<u32>),
}

fn usual() -> OneOrMany {
    OneOrMany::One(USUAL_ROUNDS)
}

impl Written {
    fn of(spec: &Spec) -> Result<Self, BadSpec> {
        Written::deserialize(&spec.settings)
            .map_err(|error| BadSpec::new("settings", error.to_string()))
    }

    fn rounds(&self) -> &[u32] {
        match &self.rounds {
            OneOrMany::One(value) => std::slice::from_ref(value),
            OneOrMany::Many(values) => values,
        }
    }

    fn check(&self, profile: Profile) -> Result<(), BadSpec> {
        let bad = |problem: String| Err(BadSpec::new("settings.rounds", problem));
        let values = self.rounds();
        if values.is_empty() || values.len() > MOST_VALUES {
            return bad(format!("a sweep has 1 to {MOST_VALUES} values, got {}", values.len()));
        }
        for (at, value) in values.iter().enumerate() {
            if !(1..=MOST_ROUNDS).contains(value) {
                return bad(format!("expected an integer from 1 to {MOST_ROUNDS}, got {value}"));
            }
            if values[..at].contains(value) {
                return bad(format!("{value} is listed twice"));
            }
        }
        if self.mode != Mode::Interactive && values.len() > 1 {
            return bad("only in interactive mode there are turns to sweep over; write one number"
                .to_owned());
        }
        if profile == Profile::Reference && self.mode == Mode::Hearing {
            return Err(BadSpec::new(
                "settings.mode",
                "hearing asks the judge of the strict profile; use profile strict",
            ));
        }
        Ok(())
    }
}

impl Settings {
    /// The settings of a spec, one for each value of its sweep.
    ///
    /// # Errors
    /// The setting that cannot be used, and what is accepted.
    pub fn of(spec: &Spec) -> Result<Vec<Self>, BadSpec> {
        let written = Written::of(spec)?;
        written.check(spec.profile)?;
        let settings = written.rounds().iter().map(|rounds| Settings {
            mode: written.mode,
            rounds: *rounds,
            judge_memory: match spec.profile {
                Profile::Reference => JudgeMemory::Running,
                Profile::Strict => written.judge_memory,
            },
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
            BadSpec::new("settings.rounds", problem)
        })
    }

    /// How many turns come before the forced final; none in direct mode.
    pub fn turns(&self) -> u32 {
        match self.mode {
            Mode::Interactive => self.rounds,
            Mode::Direct | Mode::Hearing => 0,
        }
    }

    /// The last turn whose correct answer counts as solved in the headline: in `strict` an action within the budget, in
    /// `reference` also the forced final. The only answer of direct mode counts in both.
    pub fn last_counted(&self, profile: Profile) -> u32 {
        match profile {
            Profile::Strict => self.turns().max(1),
            Profile::Reference => self.turns() + 1,
        }
    }
}

/// The values that a spec sweeps over; none where it does not sweep or cannot be read.
pub fn points(spec: &Spec) -> Vec<Point> {
    let written = Written::of(spec);
    let values = written.as_ref().map(Written::rounds).unwrap_or_default();
    if values.len() < 2 {
        return Vec::new();
    }
    let point = |value: &u32| Point { setting: ROUNDS, mark: 'b', value: *value };
    values.iter().map(point).collect()
}

/// The settings as chosen under a profile, the others as nobody chose them.
pub fn of(profile: Profile, chosen: Map<String, Value>) -> Value {
    let usual = Settings {
        judge_memory: match profile {
            Profile::Reference => JudgeMemory::Running,
            Profile::Strict => JudgeMemory::default(),
        },
        ..Settings::default()
    };
    let mut settings = json!(usual);
    if let Value::Object(settings) = &mut settings {
        settings.extend(chosen);
    }
    settings
}

/// The settings as a board counts them: what has no effect in a mode has its default.
pub fn binding(settings: &Value) -> Value {
    let mut binding = json!(Settings::default());
    if let (Some(binding), Some(given)) = (binding.as_object_mut(), settings.as_object()) {
        let mode = given.get("mode");
        let has_turns = ![Mode::Direct, Mode::Hearing]
            .map(|mode| json!(mode))
            .iter()
            .any(|one| mode == Some(one));
        let given = given.iter().filter(|(name, _)| has_turns || *name == "mode");
        binding.extend(given.map(|(name, value)| (name.clone(), value.clone())));
    }
    binding
}
