//! Task sets: a zip of PNG files and, if there is one, `tasks.jsonl`; or a single PNG.

use turnwise_core::effect::Job;
use turnwise_core::kit::rows;
use turnwise_core::kit::zipped::{self, Pictures, ROWS};
use turnwise_core::layout::Layout;
use turnwise_core::picture::PictureRef;
use turnwise_core::prelude::*;
use turnwise_core::task::texts;

/// Names of a task's fields.
pub mod field {
    /// The description of the target, the only field that the player sees; empty where there is none.
    pub const DESCRIPTION: &str = turnwise_core::task::OPEN_FIELD;
    pub const PICTURE: &str = "picture";
    /// Its layout; empty of a bare picture.
    pub const LAYOUT: &str = "layout";
    /// What it looks like in words; may be empty.
    pub const SPEC: &str = "spec";
    /// What the description leaves out, a fact a line; may be empty.
    pub const OMITS: &str = "omits";
}

/// The label with width and height of the target, e.g. `1280x720`.
pub const SIZE: &str = "size";
pub const LANGUAGE: &str = "language";
/// The paper's criteria of curation: labels, each `low`, `medium` or `high`.
pub const CRITERIA: [&str; 4] = ["clarity", "diversity", "complexity", "feasibility"];

/// The most characters of a description: it is deliberately incomplete.
pub const MOST_DESCRIPTION: usize = 2_000;
/// The most characters of any other text but a layout.
const MOST_TEXT: usize = 20_000;
/// The most tasks of a set.
const MOST_TASKS: usize = 1_000;

/// Width and height of the target of a task, in pixels.
pub fn size(task: &Task) -> Option<(u32, u32)> {
    let (width, height) = task.labels.get(SIZE)?.split_once('x')?;
    Some((width.parse().ok()?, height.parse().ok()?))
}

/// Reads a set.
///
/// # Errors
/// The first mistake, with row and field or the file of the zip, and what is accepted.
pub fn read(name: &str, file: &[u8]) -> Result<TaskSet, BadTasks> {
    read_set(name, file).map_err(|bad| bad.of_tasks(name))
}

fn read_set(name: &str, file: &[u8]) -> Result<TaskSet, BadRow> {
    if file.starts_with(b"\x89PNG") {
        let mut pictures = Pictures::default();
        let file_name = name.rsplit(['/', '\\']).next().unwrap_or(name);
        let task = bare(&mut pictures, file_name, file.to_vec())?;
        return Ok(pictures.set(name, vec![task], TaskSetOrigin::Plain));
    }
    let zip = zipped::open(file)?;
    let unpacked = |name: &str, limit| zipped::unpacked(&zip, name, limit);
    let mut pictures = Pictures::default();
    let tasks: Vec<Task> = match zip.has(ROWS) {
        true => {
            let file = unpacked(ROWS, MOST_TASKS * rows::ROW_LIMIT / 8).map_err(BadRow::file)?;
            let read = |row: &Fields<'_>| {
                let name: &str = row.get(field::PICTURE)?;
                let png = unpacked(name, PictureRef::MOST_BYTES);
                let png = png.map_err(|problem| row.bad(field::PICTURE, problem))?;
                let picture = target(&mut pictures, png);
                let picture = picture.map_err(|problem| row.bad(field::PICTURE, problem))?;
                described(row, picture)
            };
            let tasks = rows::each(&file, read, ("id", |task: &Task| task.id.clone()));
            tasks.take(MOST_TASKS + 1).collect::<Result<_, _>>()?
        }
        false => {
            let names = zip.names().filter(|name| is_picture(name)).take(MOST_TASKS + 1);
            let bare = |name: &str| {
                let png = unpacked(name, PictureRef::MOST_BYTES).map_err(BadRow::file)?;
                bare(&mut pictures, name, png)
            };
            names.map(bare).collect::<Result<_, _>>()?
        }
    };
    match tasks.len() {
        0 => Err(BadRow::file(format!("the zip has neither rows in {ROWS} nor PNG files"))),
        1..=MOST_TASKS => Ok(pictures.set(name, tasks, TaskSetOrigin::Plain)),
        _ => Err(BadRow::file(format!("a set has at most {MOST_TASKS} tasks"))),
    }
}

/// Our own pages: rows whose pictures are references, and a zip of these pictures; it may be empty.
///
/// # Errors
/// The first mistake.
pub(crate) fn own(pages: &[u8], zip: &[u8]) -> Result<TaskSet, BadRow> {
    let mut pictures = Pictures::default();
    if !zip.is_empty() {
        let zip = zipped::open(zip)?;
        for name in zip.names() {
            let png = zipped::unpacked(&zip, name, PictureRef::MOST_BYTES).map_err(BadRow::file)?;
            pictures.take(png).map_err(BadRow::file)?;
        }
    }
    let read = |row: &Fields<'_>| {
        let picture: &str = row.get(field::PICTURE)?;
        described(row, picture.parse().map_err(|bad| row.bad(field::PICTURE, bad))?)
    };
    let tasks = rows::all(rows::each(pages, read, ("id", |task: &Task| task.id.clone())))?;
    Ok(pictures.set("samples", tasks, TaskSetOrigin::Plain))
}

/// A picture of a zip; a Mac adds files of its own beside each.
fn is_picture(name: &str) -> bool {
    let is_png = name
        .get(name.len().saturating_sub(4)..)
        .is_some_and(|end| end.eq_ignore_ascii_case(".png"));
    is_png && !name.starts_with("__MACOSX/")
}

fn target(pictures: &mut Pictures, png: Vec<u8>) -> Result<PictureRef, String> {
    let picture = pictures.take(png)?;
    let PictureRef { width, height, .. } = picture;
    match Job::MOST_PIXELS {
        most if width.max(height) > most => {
            Err(format!("a target has at most {most} pixels a side, got {width} x {height}"))
        }
        _ => Ok(picture),
    }
}

/// The task of a picture without a row: it is called as its file.
fn bare(pictures: &mut Pictures, name: &str, png: Vec<u8>) -> Result<Task, BadRow> {
    let bad = |problem: String| BadRow::file(format!("{name}: {problem}"));
    let picture = target(pictures, png).map_err(bad)?;
    let id = if is_picture(name) { &name[..name.len() - 4] } else { name };
    match (1..=100).contains(&id.chars().count()) && !id.contains(char::is_control) {
        true => Ok(task(TaskId::from(id), picture, [""; 4].map(str::to_owned), [])),
        false => {
            Err(bad("its name is the id of a task, which has at most 100 characters".to_owned()))
        }
    }
}

/// The task of a row.
fn described(row: &Fields<'_>, picture: PictureRef) -> Result<Task, BadRow> {
    let text = |field: &str, most: usize| -> Result<String, BadRow> {
        let text: Option<&str> = row.maybe(field)?;
        let text = text.unwrap_or_default().trim();
        match text.chars().nth(most) {
            None => Ok(text.to_owned()),
            Some(_) => Err(row.bad(field, format!("it has more than {most} characters"))),
        }
    };
    let layout: String = row.maybe::<&str>(field::LAYOUT)?.unwrap_or_default().trim().to_owned();
    if !layout.is_empty() {
        let layout: Layout = layout.parse().map_err(|bad| row.bad(field::LAYOUT, bad))?;
        let sizes = [(layout.width, layout.height), (picture.width, picture.height)];
        if sizes[0] != sizes[1] {
            let [(width, height), (wide, high)] = sizes;
            let problem =
                format!("it is {width} x {height}, but the picture {wide} x {high} pixels");
            return Err(row.bad(field::LAYOUT, problem));
        }
    }
    let omits: Vec<String> = row.typed(field::OMITS)?.unwrap_or_default();
    let omits: Vec<String> =
        omits.iter().map(|fact| fact.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    let fields = [
        text("description", MOST_DESCRIPTION)?,
        layout,
        text(field::SPEC, MOST_TEXT)?,
        omits.join("\n"),
    ];
    let mut labels = Vec::new();
    for name in CRITERIA {
        if let Some(grade) = row.word(name)? {
            if !["low", "medium", "high"].contains(&grade) {
                return Err(row.bad(name, "expected low, medium or high"));
            }
            labels.push((name, grade.to_owned()));
        }
    }
    let language = text(LANGUAGE, 20)?;
    labels.extend((!language.is_empty()).then_some((LANGUAGE, language)));
    Ok(task(row.id("id")?, picture, fields, labels))
}

/// `fields` are description, layout, specification and what is left out.
fn task(
    id: TaskId,
    picture: PictureRef,
    fields: [String; 4],
    labels: impl IntoIterator<Item = (&'static str, String)>,
) -> Task {
    let names = [field::DESCRIPTION, field::LAYOUT, field::SPEC, field::OMITS];
    let picture_field = (field::PICTURE, picture.to_string());
    let fields = texts(names.into_iter().zip(fields).chain([picture_field]));
    let size = (SIZE, format!("{}x{}", picture.width, picture.height));
    let labels = texts(labels.into_iter().chain([size]));
    Task { digest: Digest::of_value(&(&id, &fields)), id, labels, fields }
}

#[cfg(test)]
mod tests;
