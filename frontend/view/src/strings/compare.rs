//! The pages that set runs side by side.

use turnwise_shared::metrics::paired::Needed;

pub const PICK: &str = "Runs";
pub const CONDITION: &str = "Condition";
pub fn pick(name: &str) -> String {
    format!("Compare {name}")
}
pub fn picked(count: usize) -> String {
    match count {
        0 => "none ticked".to_owned(),
        count => format!("{count} ticked"),
    }
}
pub const OPENED: &str = "Opened, id";
/// The address names runs that are not here.
pub fn unknown(count: usize) -> String {
    match count {
        1 => "The address names a run that this server does not have".to_owned(),
        count => format!("The address names {count} runs that this server does not have"),
    }
}
pub const UNKNOWN_NOTE: &str = "They may be mistyped, on another server, or not shared with you. The beginning of an id works if one run of \
     your list has it. They are left out.";

/// The seat that is compared, where there are several.
pub fn seat(seat: &str) -> String {
    format!("Seat {seat}")
}
/// How many tasks it would take, in words.
pub fn needed(needed: Needed, more: Option<u32>) -> String {
    match (needed, more) {
        (Needed::CannotBeSaid, _) | (_, None) => "unknown".to_owned(),
        (Needed::Tasks(all), Some(0)) => format!("{all} (there are as many)"),
        (Needed::Tasks(all), Some(more)) => format!("{all} ({more} more)"),
    }
}
pub const TESTS: &str = "Tests in detail";
pub const ABOUT_PAIRS: &str = "Over the tasks that all runs have. Won and lost count the tasks that only the first or only the second run \
     solved. p is McNemar's exact test, and the 95 % interval contains every difference that this test does not reject at 5 %. p, Holm is \
     corrected for the number of pairs; significant means that it is below 5 %. Tasks needed: with so many tasks like these, a \
     difference as large as this would be found with a probability of 80 %.";
pub const ABOUT_PAIRS_MEANS: &str = "Over the tasks that all runs have. Won and lost count the tasks in which the first or the second run has the larger \
     number. p is a paired randomization test of the mean, and the 95 % interval contains every difference that this test does not reject \
     at 5 %. p, Holm is corrected for the number of pairs; significant means that it is below 5 %. Tasks needed: with so many tasks like \
     these, a difference as large as this would be found with a probability of 80 %.";

pub const DIFFERS: &str = "Settings that differ";

pub const GRID: &str = "Task by task";
pub fn task_label(task: &str, side_by_side: bool) -> String {
    match side_by_side {
        true => format!("Task {task}: transcripts side by side"),
        false => format!("Task {task}"),
    }
}
pub fn cell_label(run: &str, outcome: &str, answer: Option<&str>) -> String {
    match answer {
        Some(answer) => format!("{run}: {outcome}, answer {answer}"),
        None => format!("{run}: {outcome}"),
    }
}
/// How an answer was graded.
pub const OUTCOMES: [&str; 4] = ["right", "wrong", "partly right", "not graded"];

/// The page of a task.
pub mod task {
    pub fn title(task: &str) -> String {
        format!("Task {task}, side by side")
    }
    /// Where in the list one is.
    pub fn place(at: usize, of: usize) -> String {
        format!("flip {at} of {of}")
    }
    pub const FIRST: &str = "first";
    pub const OTHER: &str = "other";
    pub const ANSWERS: &str = "Answers";
    pub const ASKED: &str = "Question";
    pub const RIGHT: &str = "Right answer";
    pub const NO_ANSWER: &str = "no answer";
    /// The button that shows turns that both runs have in common.
    pub fn folded(count: usize) -> String {
        match count {
            1 => "Show the first turn, identical in both runs".to_owned(),
            count => format!("Show the first {count} turns, identical in both runs"),
        }
    }
    pub const FOLD: &str = "Hide the identical first turns";
}

pub const COSTS_ABOUT: &str = "Over all episodes of the runs, not only the tasks in common; grading and searches included. Empty where a price is not \
     known. A row with a minus is the difference of two runs.";
