//! The pages that set runs side by side.

use turnwise_shared::metrics::paired::Needed;

/// What the page is called.
pub const TITLE: &str = "Compare runs";
/// What it is for.
pub const LEDE: &str = "Tick runs of the same benchmark: what separates them over the tasks that all of them have, which cannot be told \
     apart, the tasks that flipped, their numbers side by side, and their curves over the same axes.";
/// The same for whoever has no list to tick runs in.
pub const LEDE_OF_NAMED: &str = "The runs of the address: what separates them over the tasks that all of them have, which cannot be told apart, \
     the tasks that flipped, their numbers side by side, and their curves over the same axes.";
/// Column of ticks.
pub const PICK: &str = "Runs";
/// Which condition.
pub const CONDITION: &str = "Condition";
/// A box in words.
pub fn pick(name: &str) -> String {
    format!("Compare {name}")
}
/// A box in words, where runs can be called alike.
pub fn pick_one(name: &str, opened: &str, id: &str) -> String {
    format!("Compare {name}, opened {opened}, {id}")
}
/// How many are ticked.
pub fn picked(count: usize) -> String {
    match count {
        0 => "none ticked".to_owned(),
        count => format!("{count} ticked"),
    }
}
/// When a run was opened, and its id.
pub const OPENED: &str = "Opened, id";
/// Nothing is named in the address, and there is no list of runs for visitors.
pub const NOTHING_NAMED: &str = "Name two runs or more in the address, as in /compare?runs=ID,ID. This server shows its list of runs to its operator alone.";
/// A run that cannot be ticked because others are.
pub const OTHER: &str = "another benchmark than the runs that are ticked";
/// The address names runs that are not here.
pub fn unknown(count: usize) -> String {
    match count {
        1 => "The address names a run that is not here".to_owned(),
        count => format!("The address names {count} runs that are not here"),
    }
}
/// Something speaks against a run that the address names.
pub const LEFT_OUT: &str = "is left out of everything that is compared here.";
/// The table of costs.
pub const COSTS_TABLE: &str = "Money and tokens";

/// The seat that is compared, where there are several.
pub fn seat(seat: &str) -> String {
    format!("Seat {seat}")
}
/// The exact test.
pub const P: &str = "p";
/// How many tasks it would take, in words.
pub fn needed(needed: Needed, more: Option<u32>) -> String {
    match (needed, more) {
        (Needed::CannotBeSaid, _) | (_, None) => "cannot be said".to_owned(),
        (Needed::Tasks(all), Some(0)) => format!("{all}; there are as many"),
        (Needed::Tasks(all), Some(more)) => format!("{all}; {more} more"),
    }
}
/// What the table says, where answers are right or wrong.
pub const ABOUT_PAIRS: &str = "Over the tasks that all runs have. The interval is a paired bootstrap. Won and lost are the tasks in which the \
     first run has the larger number and in which the other has; p is McNemar's exact test on these two counts, then corrected for \
     the number of pairs (Holm). Told apart: below 5 %. The last column counts the tasks with which a two-sided test at 5 % would find \
     a difference as large as this with 80 %, if further tasks were like these; without a difference it cannot be said.";
/// What it says elsewhere.
pub const ABOUT_PAIRS_SIGN: &str = "Over the tasks that all runs have. The interval is a paired bootstrap. Won and lost are the tasks in which \
     the first run has the larger number and in which the other has; p is the exact sign test on these two counts, then corrected for \
     the number of pairs (Holm). Told apart: below 5 %. The last column counts the tasks with which a two-sided test at 5 % would find \
     a difference as large as this with 80 %, if further tasks were like these; without a difference it cannot be said.";

/// Where specs differ.
pub const DIFFERS: &str = "What differs in their specs";

/// Of two runs.
pub fn flips(one: &str, other: &str) -> String {
    format!("{one} against {other}")
}
/// Those that the first won.
pub fn won_by(run: &str, count: usize) -> String {
    format!("{count} won by {run}")
}
/// Those that are not listed at once.
pub fn more_flips(rest: usize) -> String {
    format!("{rest} more")
}
/// A flip as a link.
pub fn read_flip(task: &str) -> String {
    format!("Task {task}: both transcripts side by side")
}

/// The page of a task.
pub mod task {
    /// What it is called.
    pub fn title(task: &str) -> String {
        format!("Task {task}, side by side")
    }
    /// Where in the list one is.
    pub fn place(at: usize, of: usize) -> String {
        format!("flip {at} of {of}")
    }
    /// The first run.
    pub const FIRST: &str = "first";
    /// The other run.
    pub const OTHER: &str = "other";
}

/// What its table is counted from.
pub const COSTS_ABOUT: &str = "Over all plays that the runs have, not only the tasks in common; gradings and searches included. Empty where a \
     part of a price is not known. A row with a minus is the difference of two runs.";
/// What a run cost.
pub const COST: &str = "cost";
/// About it.
pub const COST_ABOUT: &str = "At the prices of the day of each call.";
/// What a play cost.
pub const COST_A_PLAY: &str = "cost a play";
/// About it.
pub const COST_A_PLAY_ABOUT: &str =
    "The cost divided by the plays: what can be compared where runs are not equally long.";
/// Tokens of a play.
pub const TOKENS_A_PLAY: &str = "read and written a play";
/// About them.
pub const TOKENS_A_PLAY_ABOUT: &str = "Tokens read and written by models, over all seats.";
