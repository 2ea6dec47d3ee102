//! What is played: tasks, who sits where, and how short it could be.

use std::time::Duration;

use turnwise_made_up::{built_tasks, made_up_tasks};
use turnwise_shared::examples::{QUESTIONS, WORLDS, example};
use turnwise_shared::scheduler::Permits;
use turnwise_tests::upstream::Counts;

/// Turns in flight at once; see [`Scenario::bound`].
pub const IN_FLIGHT: u32 = 64;

/// Made-up tasks follow from it.
const SEED: u64 = 1;

#[derive(Clone, Copy)]
pub struct Scenario {
    /// The name of the benchmark.
    pub name: &'static str,
    /// How its numbers are named, so that they are not taken for another's.
    pub mark: &'static str,
    /// What the form of a new run is given beside the tasks.
    pub choice: &'static str,
    tasks: fn(u32, u64) -> String,
}

impl Scenario {
    pub const ALL: [Scenario; 2] = [
        // A player and a responder who share the permits.
        Scenario {
            name: QUESTIONS,
            mark: "",
            choice: "set.mode=ask_only&seat.player=model:up/player&seat.responder=model:up/responder",
            tasks: made_up_tasks,
        },
        // A player and an engine with permits of their own, judged by a rule.
        Scenario {
            name: WORLDS,
            mark: ", with an engine",
            choice: "seat.player=model:up/player&seat.engine=model:up/engine&seat.judge=bot:exact",
            tasks: built_tasks,
        },
    ];

    /// This many tasks, as the text of a file.
    pub fn tasks(self, episodes: u32) -> String {
        (self.tasks)(episodes, SEED)
    }

    fn shares_permits(self) -> bool {
        matches!(example(self.name).permits(), Permits::Shared)
    }

    /// How many turns can be in flight at once, those of all who have permits of their own taken together.
    pub fn permits(self) -> f64 {
        let pools = if self.shares_permits() { 1.0 } else { 2.0 };
        pools * f64::from(IN_FLIGHT)
    }

    /// No schedule of these calls can be shorter: the latencies of those who share permits, by the permits, or the longest
    /// chain of a participant.
    pub fn bound(self, counts: &Counts) -> Duration {
        let took = counts.took.values().copied();
        let together = match self.shares_permits() {
            true => took.sum(),
            false => took.max().unwrap_or_default(),
        };
        (together / IN_FLIGHT).max(counts.longest_chain)
    }
}
