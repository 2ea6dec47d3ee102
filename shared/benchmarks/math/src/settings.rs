//! The settings of a run.

use turnwise_core::benchmark::Setup;
use turnwise_core::prelude::*;

/// The most rounds of an episode.
pub const MOST_ROUNDS: u32 = 100;

choices! {
    /// What the player may do.
    pub enum Mode {
        Interactive = "interactive" => "ask the judge and guess",
        /// The verdicts without the questions.
        GuessOnly = "guess_only" => "guess only",
        /// The repeats of a run are the samples of pass@k.
        Direct = "direct" => "answer once",
    }
}

settings! {
    Schema::new("Mode and rounds", &[]);
    /// What an episode goes by.
    #[derive(Copy, Eq)]
    pub struct Settings {
        mode: Mode = Mode::Interactive => entry(
            "What the player may do",
            "the repeats of a direct run are the samples of pass@k",
            Holds::Choice(Mode::CHOICES),
        ),
        /// Questions and guesses before the free final answer; `direct` has none.
        rounds: u32 = 20 => entry(
            "Questions and guesses at most",
            "a free final answer follows",
            Holds::Number(1, MOST_ROUNDS as u64),
        )
        .binds(|chosen| chosen["mode"] != "direct"),
    }
}

/// Whether the repeats of a run are the samples of pass@k. The authors have a program of its own for it; one sample is their naive run.
pub fn is_pass_at_k(setup: Setup<'_>) -> bool {
    setup.repeats > 1 && setup.settings["mode"] == Mode::Direct.name()
}
