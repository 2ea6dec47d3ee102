//! Pictures become a task set, and a set a file.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use turnwise_core::formats::{BadFile, Formats, Given, Importer, Read, TaskFile};
use turnwise_core::kit::zipped;
use turnwise_core::picture::PictureRef;
use turnwise_core::prelude::*;

use crate::tasks::{self, SIZE, field};

pub(super) const FORMATS: Formats = Formats {
    importers: &[Importer {
        name: "ui2html-pictures",
        about: "UI2Html, a zip of PNG files and, if there is one, tasks.jsonl, or one PNG: writes a task set, in which each picture is a \
                task. `--mode describe` and `turnwise ui2html freeze` describe those that no row describes",
        recognise: |bytes| tasks::read("", bytes).is_ok(),
        flags: &[],
        read: Read::Tasks(pictures),
    }],
    exporters: &[],
};

fn pictures(given: &Given<'_>) -> Result<TaskFile, BadFile> {
    let file = given.file;
    let set = tasks::read(&file.shown, &file.bytes).map_err(BadFile::new)?;
    let described =
        |task: &&Task| task.field(field::DESCRIPTION).is_some_and(|text| !text.is_empty());
    let described = set.tasks.iter().filter(described).count();
    Ok(TaskFile {
        bytes: packed(&set, &BTreeMap::new()).map_err(|error| file.bad(error))?,
        said: format!("{} pages, {described} of them described", set.tasks.len()),
        remarks: Vec::new(),
    })
}

/// A set as the zip that [`tasks::read`] reads, with the members of rows that `descriptions` have.
///
/// # Errors
/// If it cannot be packed.
pub(crate) fn packed(
    set: &TaskSet,
    descriptions: &BTreeMap<TaskId, Value>,
) -> Result<Vec<u8>, String> {
    let mut rows = String::new();
    for task in &set.tasks {
        let mut row = row(task);
        if let (Value::Object(row), Some(Value::Object(found))) =
            (&mut row, descriptions.get(&task.id))
        {
            row.extend(found.clone());
        }
        rows += &format!("{row}\n");
    }
    zipped::packed(&rows, set.pictures.iter().map(|(digest, png)| (digest, &**png)))
}

/// A task as a row.
fn row(task: &Task) -> Value {
    let text = |name| task.field(name).unwrap_or_default();
    let picture = text(field::PICTURE).parse::<PictureRef>();
    let mut row = json!({
        "id": task.id,
        "picture": picture.map(|picture| picture.file_name()).unwrap_or_default(),
        "description": text(field::DESCRIPTION),
        "omits": text(field::OMITS).lines().collect::<Vec<_>>(),
        "spec": text(field::SPEC),
        "layout": text(field::LAYOUT),
    });
    for (name, value) in task.labels.iter().filter(|(name, _)| *name != SIZE) {
        row[name] = value.as_str().into();
    }
    row
}
