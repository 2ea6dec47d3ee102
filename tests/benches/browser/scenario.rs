//! What is played: tasks, who sits where, and how short it could be.

use std::time::Duration;

use turnwise_shared::benchmarks::interactcomp::dataset::{generate, plain_lines};
use turnwise_shared::benchmarks::paraworld::task::lines;
use turnwise_shared::benchmarks::paraworld::worlds::Recipe;
use turnwise_shared::examples::{QUESTIONS, WORLDS};
use turnwise_tests::upstream::Counts;

/// Turns in flight at once; see [`Scenario::bound`].
pub const IN_FLIGHT: u32 = 64;

/// Worlds follow from it.
const SEED: u64 = 1;

/// What is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scenario {
    /// InteractComp over made-up tasks: a player and a responder who share the permits.
    InteractComp,
    /// Mind-ParaWorld over built worlds: a player and an engine with permits of their own, judged by a rule.
    ParaWorld,
}

impl Scenario {
    pub const ALL: [Scenario; 2] = [Scenario::InteractComp, Scenario::ParaWorld];

    /// The name of the benchmark.
    pub fn name(self) -> &'static str {
        match self {
            Scenario::InteractComp => QUESTIONS,
            Scenario::ParaWorld => WORLDS,
        }
    }

    /// How its numbers are named, so that they are not taken for another's.
    pub fn mark(self) -> &'static str {
        match self {
            Scenario::InteractComp => "",
            Scenario::ParaWorld => ", paraworld",
        }
    }

    /// So many tasks, as the text of a file.
    pub fn tasks(self, episodes: u32) -> String {
        match self {
            Scenario::InteractComp => plain_lines(&generate(episodes, 1)),
            Scenario::ParaWorld => {
                let recipe = Recipe {
                    seed: SEED,
                    tier: None,
                    count: episodes,
                    language: None,
                    family: None,
                    category: None,
                };
                lines(&recipe.slice(0, episodes).expect("the worlds can be built"))
            }
        }
    }

    /// What the form of a new run is told beside the tasks.
    pub fn choice(self) -> &'static str {
        match self {
            Scenario::InteractComp => {
                "set.mode=ask_only&seat.player=model:up/player&seat.responder=model:up/responder"
            }
            Scenario::ParaWorld => {
                "seat.player=model:up/player&seat.engine=model:up/engine&seat.judge=bot:exact"
            }
        }
    }

    /// How many turns can be in flight at once, those of all who have permits of their own taken together.
    pub fn permits(self) -> f64 {
        match self {
            Scenario::InteractComp => f64::from(IN_FLIGHT),
            Scenario::ParaWorld => 2.0 * f64::from(IN_FLIGHT),
        }
    }

    /// No schedule of these calls can be shorter: the latencies of those who share permits, by the permits, or the longest
    /// chain of an episode.
    pub fn bound(self, counts: &Counts) -> Duration {
        let together: Duration = match self {
            Scenario::InteractComp => counts.took.values().sum(),
            Scenario::ParaWorld => counts.took.values().copied().max().unwrap_or_default(),
        };
        (together / IN_FLIGHT).max(counts.longest_chain)
    }
}
