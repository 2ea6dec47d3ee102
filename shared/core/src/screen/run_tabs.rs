//! The tabs of a run's page: the name of each in addresses and ids, and what it says.

use super::words;

pub const RANKING: &str = "ranking";
pub const EPISODES: &str = "episodes";
pub const BREAKDOWN: &str = "breakdown";
pub const CALIBRATION: &str = "calibration";
/// What it cost, and how long it took.
pub const COST: &str = "cost";
pub const CHECKS: &str = "checks";
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
