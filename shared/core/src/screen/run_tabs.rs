//! The tabs of a run's page: the name of each in addresses and ids, and what it says.

use super::words;

/// Games: who is ahead.
pub const RANKING: &str = "ranking";
/// The episodes.
pub const EPISODES: &str = "episodes";
/// The numbers of parts.
pub const BREAKDOWN: &str = "breakdown";
/// Stated confidence against what was true.
pub const CALIBRATION: &str = "calibration";
/// What it cost, and how long it took.
pub const COST: &str = "cost";
/// The evidence for the numbers.
pub const CHECKS: &str = "checks";
/// Everything that decides how it goes.
pub const SETUP: &str = "setup";

/// The tabs of a run in their order, name and title: only games have a ranking, and only who states a confidence has a calibration.
pub fn run_tabs(
    is_game: bool,
    states_confidence: bool,
) -> impl Iterator<Item = (&'static str, &'static str)> {
    let all = [
        (RANKING, "Ranking", is_game),
        (EPISODES, words::WALL, true),
        (BREAKDOWN, "Breakdown", true),
        (CALIBRATION, "Calibration", states_confidence),
        (COST, "Cost & time", true),
        (CHECKS, "Evidence", true),
        (SETUP, "Setup", true),
    ];
    all.into_iter().filter_map(|(name, title, is_there)| is_there.then_some((name, title)))
}
