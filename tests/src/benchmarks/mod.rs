//! What only one benchmark needs.

mod audit;
mod infodeepseek;
mod paraworld;

use std::collections::BTreeMap;

use turnwise_shared::task::Task;

/// Puts marks in the place of what a task hides, where its protocol reads the hidden fields; `None` for other tasks.
type Marked = fn(&Task, &dyn Fn(&str) -> String) -> Option<(Task, BTreeMap<String, String>)>;

pub const MARKED: &[Marked] = &[paraworld::marked, audit::marked, infodeepseek::marked];
