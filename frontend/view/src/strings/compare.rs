//! The pages that set runs side by side.

use turnwise_shared::metrics::paired::Needed;

/// The page of a task.
pub mod task {
    texts!("compare/task");
}

texts!("compare");

/// How many tasks it would take, in words.
pub fn needed(needed: Needed, more: Option<u32>) -> String {
    match (needed, more) {
        (Needed::CannotBeSaid, _) | (_, None) => "unknown".to_owned(),
        (Needed::Tasks(all), Some(0)) => format!("{all} (there are as many)"),
        (Needed::Tasks(all), Some(more)) => format!("{all} ({more} more)"),
    }
}
