//! What the parts of a configuration are called, and that one of them is another one or is not at hand.

use turnwise_shared::hash::Digest;

/// The benchmark and its protocol.
pub const BENCHMARK: &str = "Benchmark";
/// The reading of the benchmark.
pub const PROFILE: &str = "Profile";
/// The search engine.
pub const SEARCH: &str = "Search";
/// Where pages are read.
pub const WEB: &str = "Web";
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
pub const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// A task file holds others than when a run was opened.
pub fn other_tasks(name: &str, now: &Digest, then: &Digest) -> String {
    let (now, then) = (now.short(), then.short());
    format!("{name} holds other tasks now ({now}) than when this run was opened ({then}).")
}
/// What helps then.
pub const OTHER_TASKS_MEND: &str = "Put the file back under its name, or start a new run.";
/// The tasks that follow from a spec are others than when a run was opened.
pub fn other_plan(now: &Digest, then: &Digest) -> String {
    let (now, then) = (now.short(), then.short());
    format!("This program plans other tasks ({now}) than the one that opened this run ({then}).")
}
/// A prompt pack that is not at hand.
pub fn other_pack(name: &str, wanted: &Digest, here: &Digest) -> String {
    let (wanted, here) = (wanted.short(), here.short());
    format!("The prompt pack {name} ({wanted}) is not the one that this page has ({here}).")
}
/// A recording that is not at hand.
pub fn no_recording(name: &str) -> String {
    format!("The recording {name} is not in this browser.")
}
/// What helps then.
pub const NO_TAPE_MEND: &str = "Choose the folder again.";
/// A recording that does not read.
pub fn bad_recording(name: &str, why: &str) -> String {
    format!("The recording {name}: {why}.")
}
/// A recording without a transcript.
pub fn empty_recording(name: &str) -> String {
    format!("{name} holds no transcript (*.jsonl).")
}
