//! What the parts of a configuration are called, and that one of them is another one or is not at hand.

use turnwise_shared::hash::Digest;

pub const PROFILE: &str = "Profile";
pub const SEARCH: &str = "Search";
pub const WEB: &str = "Web";
pub const PACK: &str = "Prompt pack";
pub const SEED: &str = "Seed";
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
