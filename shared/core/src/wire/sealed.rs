//! `GET /api/tasks/{name}` of a sealed set: its tasks without hidden fields, as JSON; and with them once the operator has opened it.

use serde::{Deserialize, Serialize};

use crate::task::{Task, TaskSet, TaskSetOrigin};

/// What [`SealedTasks::sealed`] says in this version.
pub const FORMAT: u32 = 1;

/// `GET /api/tasks/{name}/texts`: a sealed set that the operator has opened to everybody, with every field.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenedTasks {
    /// When, in milliseconds since 1970. Runs that were opened later knew what was hidden.
    pub opened: u64,
    /// Why, in the operator's words.
    pub reason: String,
    /// The tasks in their order.
    pub tasks: Vec<Task>,
}

/// A sealed set of tasks as it is handed out. Its digest follows from those of its tasks, which are commitments.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SealedTasks {
    /// [`FORMAT`]; no task file of a benchmark begins so.
    pub sealed: u32,
    pub name: String,
    pub benchmark: String,
    /// The tasks in their order; hidden fields are left out.
    pub tasks: Vec<Task>,
}

impl SealedTasks {
    /// A set that was [handed out](crate::sealed::handed_out).
    pub fn of(benchmark: &str, set: TaskSet) -> Self {
        SealedTasks {
            sealed: FORMAT,
            name: set.name,
            benchmark: benchmark.to_owned(),
            tasks: set.tasks,
        }
    }

    /// Reads such a document; `None` if the bytes are something else, as the bytes of a task file.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let read: SealedTasks = serde_json::from_slice(bytes).ok()?;
        (read.sealed == FORMAT).then_some(read)
    }

    /// The set, under the name by which it is known here.
    pub fn into_set(self, name: &str) -> TaskSet {
        TaskSet::new(name, self.tasks, TaskSetOrigin::Sealed)
    }
}
