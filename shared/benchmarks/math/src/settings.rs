//! The settings of a run.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use turnwise_core::benchmark::Setup;
use turnwise_core::spec::{BadSpec, Spec};

/// The most rounds of an episode.
pub const MOST_ROUNDS: u32 = 100;

/// What the player may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Ask the judge and guess.
    Interactive,
    /// Guess only: the verdicts without the questions.
    GuessOnly,
    /// Answer once. The repeats of a run are the samples of pass@k.
    Direct,
}

/// What an episode goes by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    #[serde(default = "interactive")]
    pub mode: Mode,
    /// Questions and guesses before the free final answer; `direct` has none.
    #[serde(default = "twenty")]
    pub rounds: u32,
}

fn interactive() -> Mode {
    Mode::Interactive
}

fn twenty() -> u32 {
    20
}

impl Default for Settings {
    fn default() -> Self {
        Settings { mode: interactive(), rounds: twenty() }
    }
}

impl Settings {
    /// The settings of a spec.
    ///
    /// # Errors
    /// If they cannot be read, or a number is out of range.
    pub fn of(spec: &Spec) -> Result<Self, BadSpec> {
        let settings = Settings::deserialize(&spec.settings)
            .map_err(|error| BadSpec::new("settings", error.to_string()))?;
        match settings.rounds {
            1..=MOST_ROUNDS => Ok(settings),
            other => Err(BadSpec::new(
                "settings.rounds",
                format!("expected an integer from 1 to {MOST_ROUNDS}, got {other}"),
            )),
        }
    }
}

/// Whether the repeats of a run are the samples of pass@k. The authors have a program of its own for it; one sample is their naive run.
pub fn is_pass_at_k(setup: Setup<'_>) -> bool {
    let settings = Settings::deserialize(setup.settings);
    setup.repeats > 1 && settings.is_ok_and(|settings| settings.mode == Mode::Direct)
}

/// The settings as a board counts them: the rounds of `direct` do not bind.
pub fn binding(settings: &Value) -> Value {
    match Settings::deserialize(settings) {
        Ok(Settings { mode: Mode::Direct, .. }) => {
            json!(Settings { mode: Mode::Direct, ..Settings::default() })
        }
        Ok(settings) => json!(settings),
        Err(_) => settings.clone(),
    }
}
