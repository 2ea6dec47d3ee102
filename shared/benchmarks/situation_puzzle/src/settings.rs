//! The settings of a run: mode, number of turns (a list makes a sweep) and the judge's memory.

use std::collections::BTreeMap;

use serde_json::Value;
use turnwise_core::prelude::*;

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

choices! {
    /// Whether the player may ask.
    pub enum Mode {
        /// It asks the judge, and submits final answers, for a number of turns.
        Interactive = "interactive" => "ask the judge and submit answers",
        /// It submits one final answer and asks nothing.
        Direct = "direct" => "submit one answer, ask nothing",
        /// It does nothing: the judge is asked every entry of the puzzle's bank, for `turnwise puzzles check`. There is no score.
        Hearing = "hearing" => "nothing: put the puzzle's bank to the judge",
    }
}

choices! {
    /// What a judge sees of earlier turns (`strict`; in `reference` always `running`).
    pub enum JudgeMemory {
        /// Nothing: each call is a conversation of its own.
        Stateless = "stateless" => "nothing",
        /// All earlier questions and final answers with its tokens.
        Running = "running" => "all of them",
    }
}

settings! {
    Schema::new("Mode and turns", &[]);
    /// The settings of one episode.
    #[derive(Copy, Eq)]
    pub struct Settings {
        mode: Mode = Mode::Interactive
            => entry("What the player may do", "", Holds::Choice(Mode::CHOICES)),
        /// How many turns the player has before the forced final.
        rounds: u32 = USUAL_ROUNDS => entry(
            "Turns",
            "several, e.g. 5,10,15,20, make a sweep",
            Holds::Sweep(1, MOST_ROUNDS as u64),
        )
        .marked('b')
        .binds(has_turns),
        judge_memory: JudgeMemory = JudgeMemory::Stateless => entry(
            "What the judge sees of earlier turns",
            "in the reference profile the judge always remembers",
            Holds::Choice(JudgeMemory::CHOICES),
        )
        .binds(has_turns),
    }
}

fn has_turns(chosen: &Value) -> bool {
    chosen["mode"] == "interactive"
}

impl Settings {
    /// The settings of a spec, one for each value of its sweep.
    ///
    /// # Errors
    /// The setting that cannot be used, and what is accepted.
    pub fn of(spec: &Spec) -> Result<Vec<Self>, BadSpec> {
        let all: Vec<Self> = Self::SCHEMA.swept(spec)?;
        Ok(all.into_iter().map(|one| one.under(spec.profile)).collect())
    }

    /// The settings of a task's episode: in a sweep those of the value that the task is labelled with.
    ///
    /// # Errors
    /// As [`Settings::of`], and if a task of a sweep has no label.
    pub fn at(spec: &Spec, labels: &BTreeMap<String, String>) -> Result<Self, BadSpec> {
        Ok(Self::SCHEMA.at::<Self>(spec, labels)?.under(spec.profile))
    }

    fn under(self, profile: Profile) -> Self {
        match profile {
            Profile::Reference => Settings { judge_memory: JudgeMemory::Running, ..self },
            Profile::Strict => self,
        }
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
