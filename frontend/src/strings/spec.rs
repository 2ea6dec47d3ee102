//! What the parts of a configuration are called.

/// The benchmark and its protocol.
pub const BENCHMARK: &str = "Benchmark";
/// The reading of the benchmark.
pub const PROFILE: &str = "Profile";
/// The search engine.
pub const SEARCH: &str = "Search";
/// The task set.
pub const TASKS: &str = "Tasks";
/// Which tasks of the set.
pub const OF_THESE: &str = "Of these";
/// How many times each is played.
pub const REPEATS: &str = "Repeats";
/// The prompts.
pub const PACK: &str = "Prompt pack";
/// Where chance begins.
pub const SEED: &str = "Seed";
/// What an episode may use.
pub const BUDGET: &str = "Budget of an episode";

/// A seat of a game, which has a number.
pub fn seat(number: u32) -> String {
    format!("Seat {number}")
}

/// The months, short, from January.
pub const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];
