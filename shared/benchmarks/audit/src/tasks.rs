//! Task sets: a recorded request a task, with the fields and templates that it names.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::json;
use turnwise_core::kit::cipher::Cipher;
use turnwise_core::kit::rows;
use turnwise_core::kit::zipped::{self, Pictures, ROWS};
use turnwise_core::picture::PictureRef;
use turnwise_core::prelude::*;
use turnwise_core::prompt::BadPrompt;

/// Names of the fields of a task beside those that its request names. No rater is shown one of them.
pub mod field {
    /// A `Request` as JSON.
    pub const REQUEST: &str = "audit:request";
    /// The recorded verdict; absent where the reply could not be read.
    pub const RECORDED: &str = "audit:recorded";
    /// Before a number: a picture of the request. Readers of a run may fetch what stands in a field.
    pub const PICTURE: &str = "audit:picture:";
    /// Which call it is, as JSON: task, repeat, part and call.
    pub const FROM: &str = "audit:from";
}

pub mod label {
    pub const BENCHMARK: &str = "benchmark";
    pub const SEAT: &str = "seat";
    /// The run, by a hash of its transcripts.
    pub const RUN: &str = "run";
    /// The task of that run, by a hash: its calls count together in intervals.
    pub const TASK: &str = "task";

    pub const ALL: [&str; 4] = [BENCHMARK, SEAT, RUN, TASK];
}

/// The most bytes of all rows.
const MOST_BYTES: usize = 256 << 20;

/// A request as it was recorded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// By whose rules the reply is read.
    pub profile: Profile,
    /// To the seat that was asked.
    pub ask: Ask,
}

impl Request {
    /// That of a task.
    ///
    /// # Errors
    /// If it has none.
    pub fn of(task: &Task) -> Result<Self, BadSpec> {
        let text = task.text(field::REQUEST)?;
        serde_json::from_str(text).map_err(|_| {
            BadSpec::new("tasks", format!("the request of task {} cannot be read", task.id))
        })
    }

    /// The pictures that its seat is shown.
    ///
    /// # Errors
    /// If a field, a template or a picture that it names is missing from the task.
    pub fn pictures(&self, task: &Task) -> Result<Vec<PictureRef>, BadPrompt> {
        let messages = Pack::of("", []).render(&self.ask, task)?;
        Ok(messages.into_iter().flat_map(|message| message.pictures).collect())
    }
}

/// A task of labels and fields.
pub fn task(
    id: TaskId,
    labels: BTreeMap<String, String>,
    fields: BTreeMap<String, String>,
) -> Task {
    Task { digest: Digest::of_value(&(&id, &labels, &fields)), id, labels, fields }
}

/// Writes a set. Under a canary all fields are encrypted.
///
/// # Errors
/// If it cannot be packed.
pub fn write(set: &TaskSet) -> Result<Vec<u8>, String> {
    let row = |task: &Task| {
        let mut row = json!({ "id": task.id, "fields": task.fields });
        for (name, value) in &task.labels {
            row[name] = json!(value);
        }
        if let TaskSetOrigin::Encrypted { canary } = &set.origin {
            row["canary"] = json!(canary);
            row["fields"] = json!(Cipher::new(canary).encrypt(&row["fields"].to_string()));
        }
        format!("{row}\n")
    };
    let rows: String = set.tasks.iter().map(row).collect();
    zipped::packed(&rows, set.pictures.iter().map(|(digest, png)| (digest, &**png)))
}

/// Reads a set: a zip, or the rows alone.
///
/// # Errors
/// The first mistake, with row and field or the file of the zip, and what is accepted.
pub fn read(name: &str, file: &[u8]) -> Result<TaskSet, BadTasks> {
    read_set(name, file).map_err(|bad| bad.of_tasks(name))
}

fn read_set(name: &str, file: &[u8]) -> Result<TaskSet, BadRow> {
    let mut pictures = Pictures::default();
    let mut rows = file.to_vec();
    if file.starts_with(b"PK") {
        let zip = zipped::open(file)?;
        for png in zip.names().filter(|name| name.ends_with(".png")) {
            let taken = zipped::unpacked(&zip, png, PictureRef::MOST_BYTES);
            let taken = taken.and_then(|bytes| pictures.take(bytes));
            taken.map_err(|problem| BadRow::file(format!("{png}: {problem}")))?;
        }
        rows = zipped::unpacked(&zip, ROWS, MOST_BYTES).map_err(BadRow::file)?;
    }
    let mut origin: Option<TaskSetOrigin> = None;
    let read = |row: &Fields<'_>| {
        let canary: Option<&str> = row.maybe("canary")?;
        let own = canary.map_or(TaskSetOrigin::Plain, |canary| TaskSetOrigin::Encrypted {
            canary: canary.to_owned(),
        });
        if origin.get_or_insert_with(|| own.clone()) != &own {
            return Err(row.bad("canary", "it differs from that of row 1; a set has one, or none"));
        }
        read_task(row, canary, &pictures)
    };
    let tasks = rows::all(rows::each(&rows, read, ("id", |task: &Task| task.id.clone())))?;
    Ok(pictures.set(name, tasks, origin.unwrap_or(TaskSetOrigin::Plain)))
}

fn read_task(row: &Fields<'_>, canary: Option<&str>, pictures: &Pictures) -> Result<Task, BadRow> {
    let fields: Option<BTreeMap<String, String>> = match canary {
        None => row.typed("fields")?,
        Some(canary) => {
            let plain = Cipher::new(canary).decrypt(row.get("fields")?);
            let plain = plain.map_err(|bad| row.bad("fields", bad))?;
            Some(serde_json::from_str(&plain).map_err(|_| row.bad("fields", UNREADABLE))?)
        }
    };
    let mut labels = BTreeMap::new();
    for name in label::ALL {
        labels.insert(name.to_owned(), row.filled(name)?.to_owned());
    }
    let task = task(row.id("id")?, labels, fields.unwrap_or_default());
    let request = Request::of(&task).map_err(|bad| row.bad("fields", bad))?;
    let shown = request.pictures(&task).map_err(|bad| row.bad("fields", bad))?;
    match shown.iter().find(|picture| !pictures.has(&picture.digest)) {
        Some(lacks) => {
            Err(row.bad("fields", format!("there is no {} in the zip", lacks.file_name())))
        }
        None => Ok(task),
    }
}

const UNREADABLE: &str = "it is no object of texts once it is decrypted; check the canary";
