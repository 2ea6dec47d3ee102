//! The page that sets runs side by side.

/// What the page is called.
pub const TITLE: &str = "Compare runs";
/// What it is for.
pub const LEDE: &str = "Tick runs of the same benchmark: their numbers side by side, their curves over the same axes, and what \
     separates them over the tasks that all of them have. For Mind-ParaWorld that is the gap between settings: what a player \
     loses when it has to search for the facts that setting A gives it.";
/// Column of ticks.
pub const PICK: &str = "Runs";
/// Which condition.
pub const CONDITION: &str = "Condition";
/// A box in words.
pub fn pick(name: &str) -> String {
    format!("Compare {name}")
}
/// Nothing is ticked.
pub const NOTHING: &str = "Tick two runs or more.";
/// No run of the other kind can be ticked.
pub const OTHER: &str = "another benchmark";
/// What separates the runs.
pub const GAP: &str = "What separates them";
/// Side by side.
pub const SIDE_BY_SIDE: &str = "Side by side";
/// The curves.
pub const CURVES: &str = "Over the course";
