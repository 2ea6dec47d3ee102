//! The settings of a run; a list of rounds makes a sweep.

use std::collections::BTreeMap;

use serde_json::json;
use turnwise_core::benchmark::schema::Preset;
use turnwise_core::prelude::*;

/// Sees the target and describes it, live or for a task set.
pub const SUMMARIZER: &str = "summarizer";
/// Sees the target and the player's page, and answers its questions.
pub const JUDGE: &str = "judge";
pub const SCORER: &str = "scorer";
pub const METER: &str = "meter";

/// The setting and label with the number of rounds.
pub const ROUNDS: &str = "rounds";
/// As in the paper; also the most.
pub const USUAL_ROUNDS: u32 = 20;

choices! {
    pub enum Mode {
        Play = "play" => "the player writes the page",
        /// The description is to be frozen into a task set; there is no score.
        Describe = "describe" => "the Summarizer describes the target; no page is written",
    }
}

choices! {
    /// Where the player's description comes from.
    pub enum Source {
        /// The same for every player.
        Frozen = "frozen" => "from the task set",
        Live = "live" => "written by the Summarizer in each episode",
    }
}

settings! {
    Schema {
        presets: &[
            Preset {
                id: "gain",
                label: "Gain: no question, one, twenty",
                sweeps: ROUNDS,
                settings: || json!({ ROUNDS: [0, 1, USUAL_ROUNDS] }),
                tasks: 50,
            },
            Preset {
                id: "paper",
                label: "Paper: live descriptions, scores from pictures alone",
                sweeps: ROUNDS,
                settings: || json!({ ROUNDS: [1, USUAL_ROUNDS], "description": Source::Live.name(), "scorer_sees_spec": false }),
                tasks: 50,
            },
        ],
        ..Schema::new("Rounds and roles", &[])
    };
    /// The settings of one episode.
    #[derive(Copy, Eq)]
    pub struct Settings {
        mode: Mode = Mode::Play => entry("What is done", "", Holds::Choice(Mode::CHOICES)),
        /// Questions before the final page.
        rounds: u32 = USUAL_ROUNDS => entry(
            "Rounds",
            "0 is no question; several, e.g. 0,1,20, make a sweep",
            Holds::Sweep(0, USUAL_ROUNDS as u64),
        )
        .marked('b')
        .binds(plays),
        /// How many earlier rounds the player is shown; `None`: all.
        history: Option<u32> = None => entry(
            "Earlier rounds that the player is shown",
            "",
            Holds::Limit(1, USUAL_ROUNDS as u64, "all"),
        )
        .binds(plays),
        description: Source = Source::Frozen => entry(
            "Description of the target",
            "a live one differs from episode to episode",
            Holds::Choice(Source::CHOICES),
        )
        .binds(plays),
        scorer_sees_spec: bool = true => entry(
            "The scorer sees the visual specification",
            "in the paper it sees only the pictures",
            Holds::Flag,
        )
        .binds(plays),
    }
}

fn plays(chosen: &serde_json::Value) -> bool {
    chosen["mode"] != "describe"
}

impl Settings {
    /// The settings of a task's episode: in a sweep those of the value that the task is labelled with.
    ///
    /// # Errors
    /// The setting that cannot be used, and what is accepted.
    pub fn at(spec: &Spec, labels: &BTreeMap<String, String>) -> Result<Self, BadSpec> {
        Self::SCHEMA.at(spec, labels)
    }

    /// Whether the Summarizer is asked.
    pub fn describes(&self) -> bool {
        self.mode == Mode::Describe || self.description == Source::Live
    }
}
