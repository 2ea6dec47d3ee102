//! What a table plays, before its seed is known.

use turnwise_shared::prelude::*;
use turnwise_shared::run::Ingredients;
use turnwise_shared::scheduler::Limits;
use turnwise_shared::wire::publishing::Owner;

use crate::sample_web;

/// Calls of a table in flight at once.
const IN_FLIGHT: usize = 16;

/// What a table plays once everybody sits.
pub struct Plan {
    pub benchmark: &'static dyn Benchmark,
    pub spec: Spec,
    /// Absent where tasks follow from the spec, seed included.
    pub tasks: Option<TaskSet>,
    /// What the run may spend.
    pub caps: Caps,
    pub opener: Opener,
    /// The hash of the token of its run.
    pub token: Digest,
}

pub struct Opener {
    /// The name of the access token that pays for models, where it has a budget of its own.
    pub access: Option<String>,
    /// Whose run it will be, where an owner key was named.
    pub owner: Option<Owner>,
    /// Whether a visitor opened it, without the access token.
    pub is_visitor: bool,
}

impl Plan {
    /// Whether a model sits in some seat.
    pub fn has_models(&self) -> bool {
        let mut seats = self.spec.seats.values();
        seats.any(|sitting| matches!(sitting.player, Player::Model { .. }))
    }

    /// The run that follows from a seed. One episode is under way at a time: no player plays two hands at once.
    ///
    /// # Errors
    /// The first part of the spec that cannot be run.
    pub fn run(&self, seed: u64) -> Result<Run, BadSpec> {
        let mut spec = self.spec.clone();
        spec.seed = seed;
        let tasks = match &self.tasks {
            Some(tasks) => tasks.clone(),
            None => self.benchmark.plan(&spec)?,
        };
        spec.tasks = Named::from(&tasks);
        let limits = Limits { window: 1, ..Limits::new(IN_FLIGHT) };
        Run::new(Ingredients { limits, ..Ingredients::new(self.benchmark, spec, tasks, IN_FLIGHT) })
            .map(|run| run.reading(sample_web::archives()))
    }
}

/// The secret as it is kept and, after the end, shown.
pub fn secret_as_digest(secret: &[u8; 32]) -> Digest {
    hex(secret).parse().expect("32 bytes are 64 hexadecimal digits")
}
