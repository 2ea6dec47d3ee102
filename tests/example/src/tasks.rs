//! Tasks: a range, which every player is shown, and the number, which only the judge sees.

use std::collections::BTreeMap;

use turnwise_core::kit::rows;
use turnwise_core::prelude::*;
use turnwise_core::task::OPEN_FIELD;

/// The field with the number. A request names it, and no text of the episode repeats it.
pub const NUMBER: &str = "number";
/// The label with the largest number that is possible.
pub const MOST: &str = "most";

/// Reads a task file.
///
/// # Errors
/// The first mistake, with row and field and how to fix it.
pub fn read(name: &str, bytes: &[u8]) -> Result<TaskSet, BadTasks> {
    rows::tasks(name, bytes, |row| {
        let (most, number): (u32, u32) = (row.get(MOST)?, row.get(NUMBER)?);
        if !(1..=most).contains(&number) {
            return Err(
                row.bad(NUMBER, format!("expected a number from 1 to {most}, got {number}"))
            );
        }
        Ok(task(row.id("id")?, most, number))
    })
}

fn task(id: TaskId, most: u32, number: u32) -> Task {
    let fields = BTreeMap::from([
        (OPEN_FIELD.to_owned(), format!("A whole number from 1 to {most}")),
        (NUMBER.to_owned(), number.to_string()),
    ]);
    let labels = BTreeMap::from([(MOST.to_owned(), most.to_string())]);
    Task { id, digest: Digest::of_value(&(&fields, &labels)), labels, fields }
}
