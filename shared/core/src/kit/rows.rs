//! Rows of task files and of result files: one JSON object a line, or one JSON list of objects. An error says in which row and field
//! it is and what is accepted, and holds no text of the file but ids, numbers and words of closed lists.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::{self, Display};

use serde::de::DeserializeOwned;

use crate::benchmark::BadTasks;
use crate::json::{self, Dialect, Json, Object};
use crate::lenient;
use crate::misfit;
use crate::task::{Task, TaskId, TaskSet, TaskSetOrigin};

/// The most bytes of a row of a task file.
pub const ROW_LIMIT: usize = 1 << 20;

/// What is wrong with a file, where, and how to fix it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadRow {
    /// From 1; blank lines count. `None` if it concerns the whole file.
    pub row: Option<usize>,
    /// With dots between the levels, e.g. `history[0].turn`; empty where it concerns the whole row.
    pub field: String,
    pub problem: String,
}

impl BadRow {
    pub fn file(problem: impl Display) -> Self {
        BadRow { row: None, field: String::new(), problem: problem.to_string() }
    }

    pub fn row(row: usize, problem: impl Display) -> Self {
        BadRow { row: Some(row), ..BadRow::file(problem) }
    }

    /// The same of a task file of this name.
    pub fn of_tasks(&self, name: &str) -> BadTasks {
        BadTasks { message: format!("{name}: {self}") }
    }
}

impl Display for BadRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = self.row.map(|row| format!("row {row}"));
        let field = Some(&self.field).filter(|field| !field.is_empty());
        let place: Vec<String> =
            row.into_iter().chain(field.map(|field| format!("field {field}"))).collect();
        match place.is_empty() {
            true => f.write_str(&self.problem),
            false => write!(f, "{}: {}", place.join(", "), self.problem),
        }
    }
}

impl std::error::Error for BadRow {}

/// The objects of a file with their rows, of at most `limit` bytes each: the lines that are not blank, or the items of a list.
pub fn objects(
    file: &[u8],
    dialect: Dialect,
    limit: usize,
) -> Box<dyn Iterator<Item = Result<(usize, Object), BadRow>> + '_> {
    let Some(text) = lenient::unmarked(file) else {
        let bad = BadRow::file("it is neither UTF-8 nor UTF-16; save it as UTF-8");
        return Box::new(std::iter::once(Err(bad)));
    };
    let line = move |(row, line): (usize, &[u8])| {
        if line.len() > limit {
            let problem = format!("it has {} bytes, the most are {limit}", line.len());
            return Err(BadRow::row(row, problem));
        }
        let value = parsed(line, dialect).map_err(|bad| BadRow::row(row, bad))?;
        object(row, value)
    };
    if text.trim_ascii_start().starts_with(b"[") {
        let items = match parsed(&text, dialect) {
            Ok(Json::List(items)) => items,
            Ok(_) => Vec::new(),
            Err(bad) => return Box::new(std::iter::once(Err(BadRow::file(bad)))),
        };
        return Box::new((1..).zip(items).map(|(row, item)| object(row, item)));
    }
    match text {
        Cow::Borrowed(text) => Box::new(lines(text).map(line)),
        Cow::Owned(text) => Box::new(lines(&text).map(line).collect::<Vec<_>>().into_iter()),
    }
}

fn lines(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let lines = (1..).zip(lenient::rows(text));
    lines.filter(|(_, line)| !line.trim_ascii().is_empty())
}

fn parsed(text: &[u8], dialect: Dialect) -> Result<Json, String> {
    let text = str::from_utf8(text).map_err(|_| "it is not UTF-8; save the file as UTF-8")?;
    json::parse(text, dialect).map_err(|error| format!("it is not JSON: {error}"))
}

fn object(row: usize, value: Json) -> Result<(usize, Object), BadRow> {
    match value {
        Json::Object(object) => Ok((row, object)),
        other => Err(BadRow::row(row, format!("expected an object, got {}", other.kind()))),
    }
}

/// What `read` makes of each row of a task file. `id` is of each, from the field of this name; ids differ.
pub fn each<'a, T: 'a>(
    file: &'a [u8],
    mut read: impl FnMut(&Fields<'_>) -> Result<T, BadRow> + 'a,
    (field, id): (&'a str, impl Fn(&T) -> TaskId + 'a),
) -> impl Iterator<Item = Result<T, BadRow>> + 'a {
    let mut ids: BTreeMap<TaskId, usize> = BTreeMap::new();
    objects(file, Dialect::Strict, ROW_LIMIT).map(move |object| {
        let (row, object) = object?;
        let fields = Fields::new(row, &object);
        let read = read(&fields)?;
        let id = id(&read);
        match ids.insert(id.clone(), row) {
            Some(first) => {
                let problem = format!("{id} is the id of row {first}, too; ids must differ");
                Err(fields.bad(field, problem))
            }
            None => Ok(read),
        }
    })
}

/// All of them.
///
/// # Errors
/// The first mistake, or that there is no row.
pub fn all<T>(rows: impl Iterator<Item = Result<T, BadRow>>) -> Result<Vec<T>, BadRow> {
    let all: Vec<T> = rows.collect::<Result<_, _>>()?;
    match all.is_empty() {
        true => Err(BadRow::file(
            "the file has no rows; expected one JSON object a line, or a list of objects",
        )),
        false => Ok(all),
    }
}

/// A file of tasks that is not encrypted.
///
/// # Errors
/// The first mistake, with row and field and how to fix it.
pub fn tasks(
    name: &str,
    file: &[u8],
    read: impl FnMut(&Fields<'_>) -> Result<Task, BadRow>,
) -> Result<TaskSet, BadTasks> {
    let tasks = all(each(file, read, ("id", |task: &Task| task.id.clone())));
    let tasks = tasks.map_err(|bad| bad.of_tasks(name))?;
    Ok(TaskSet::new(name, tasks, TaskSetOrigin::Plain))
}

/// The members of an object of a file. A field within others is named with dots, e.g. `meta.max_rounds`; null is as if it were
/// missing.
#[derive(Debug, Clone)]
pub struct Fields<'a> {
    row: usize,
    path: String,
    object: &'a Object,
}

impl<'a> Fields<'a> {
    pub fn new(row: usize, object: &'a Object) -> Self {
        Fields { row, path: String::new(), object }
    }

    /// From 1.
    pub fn row(&self) -> usize {
        self.row
    }

    pub fn object(&self) -> &'a Object {
        self.object
    }

    /// What is wrong with a field.
    pub fn bad(&self, field: &str, problem: impl Display) -> BadRow {
        BadRow { field: self.place(field), ..BadRow::row(self.row, problem) }
    }

    fn place(&self, field: &str) -> String {
        match self.path.as_str() {
            "" => field.to_owned(),
            path => format!("{path}.{field}"),
        }
    }

    pub fn value(&self, field: &str) -> Option<&'a Json> {
        let mut names = field.split('.');
        let first = self.object.get(names.next()?)?;
        let value = names.try_fold(first, |value, name| value.as_object()?.get(name))?;
        Some(value).filter(|value| **value != Json::Null)
    }

    /// A field that may be missing.
    ///
    /// # Errors
    /// If it is of another type.
    pub fn maybe<T: Field<'a>>(&self, field: &str) -> Result<Option<T>, BadRow> {
        let Some(value) = self.value(field) else {
            return Ok(None);
        };
        match (T::read(value), value) {
            (None, Json::Text(text)) if lenient::is_nothing(text) => Ok(None),
            (None, _) => {
                let problem = format!("expected {}, got {}", T::WANTED, value.kind());
                Err(self.bad(field, problem))
            }
            (read, _) => Ok(read),
        }
    }

    /// A field that every such object has.
    ///
    /// # Errors
    /// If it is missing or of another type.
    pub fn get<T: Field<'a>>(&self, field: &str) -> Result<T, BadRow> {
        let missing = || self.bad(field, format!("it is missing; expected {}", T::WANTED));
        self.maybe(field)?.ok_or_else(missing)
    }

    /// A word of a closed list that may be missing, without white space, quotes and marks of emphasis around it.
    ///
    /// # Errors
    /// If it is no text.
    pub fn word(&self, field: &str) -> Result<Option<&'a str>, BadRow> {
        Ok(self.maybe(field)?.map(lenient::word))
    }

    /// A text that is not blank.
    ///
    /// # Errors
    /// If it is missing, blank or of another type.
    pub fn filled(&self, field: &str) -> Result<&'a str, BadRow> {
        let text: Option<&str> = self.maybe(field)?;
        let text = text.filter(|text| !text.trim().is_empty());
        text.ok_or_else(|| self.bad(field, "it is missing or blank; every row needs it"))
    }

    /// An id without white space around it; a whole number has one spelling.
    ///
    /// # Errors
    /// If it is missing or none.
    pub fn id(&self, field: &str) -> Result<TaskId, BadRow> {
        let id = match self.value(field) {
            Some(Json::Text(text)) => Some(text.trim().to_owned()),
            Some(Json::Int(number)) => Some(number.digits().to_owned()),
            Some(Json::Float(number)) if number.fract() == 0.0 => Some(format!("{number:.0}")),
            _ => None,
        };
        let fits =
            |id: &String| (1..=100).contains(&id.chars().count()) && !id.contains(char::is_control);
        let problem = "expected a whole number, or 1 to 100 characters without control characters";
        id.filter(fits).map(TaskId).ok_or_else(|| self.bad(field, problem))
    }

    /// The objects of a list; none where it is missing.
    ///
    /// # Errors
    /// If it is no list of objects.
    pub fn objects(&self, field: &str) -> Result<Vec<Fields<'a>>, BadRow> {
        let items: Option<&[Json]> = self.maybe(field)?;
        let object = |(at, item): (usize, &'a Json)| match item {
            Json::Object(object) => {
                let path = self.place(&format!("{field}[{at}]"));
                Ok(Fields { row: self.row, path, object })
            }
            other => {
                let problem = format!("expected an object, got {}", other.kind());
                Err(self.bad(&format!("{field}[{at}]"), problem))
            }
        };
        items.unwrap_or_default().iter().enumerate().map(object).collect()
    }

    /// A value of any shape.
    ///
    /// # Errors
    /// The part of it that does not fit.
    pub fn typed<T: DeserializeOwned>(&self, field: &str) -> Result<Option<T>, BadRow> {
        let Some(value) = self.value(field) else {
            return Ok(None);
        };
        let value = serde_json::to_value(value).unwrap_or_default();
        let typed = serde_path_to_error::deserialize(value);
        typed.map(Some).map_err(|error| {
            let place = match error.path().to_string().as_str() {
                "." => field.to_owned(),
                part if part.starts_with('[') => format!("{field}{part}"),
                part => format!("{field}.{part}"),
            };
            let problem = misfit::plain(&error.inner().to_string());
            // What was found may be a hidden text.
            self.bad(&place, problem.split(", not ").next().unwrap_or_default())
        })
    }
}

/// A type that a field may have.
pub trait Field<'a>: Sized {
    /// What is accepted, in words for an error.
    const WANTED: &'static str;

    fn read(value: &'a Json) -> Option<Self>;
}

impl<'a> Field<'a> for &'a str {
    const WANTED: &'static str = "text";

    fn read(value: &'a Json) -> Option<Self> {
        value.as_text()
    }
}

/// Also a number, as it is written.
impl Field<'_> for String {
    const WANTED: &'static str = "text";

    fn read(value: &Json) -> Option<Self> {
        match value {
            Json::Text(text) => Some(text.clone()),
            Json::Int(number) => Some(number.digits().to_owned()),
            Json::Float(number) => Some(number.to_string()),
            _ => None,
        }
    }
}

impl<'a> Field<'a> for &'a [Json] {
    const WANTED: &'static str = "a list";

    fn read(value: &'a Json) -> Option<Self> {
        match value {
            Json::List(items) => Some(items),
            _ => None,
        }
    }
}

impl<'a> Field<'a> for &'a Object {
    const WANTED: &'static str = "an object";

    fn read(value: &'a Json) -> Option<Self> {
        value.as_object()
    }
}

/// Also `1.0` and `"1"`.
impl Field<'_> for u64 {
    const WANTED: &'static str = "a whole number from 0 on";

    fn read(value: &Json) -> Option<Self> {
        lenient::whole_json(value)
    }
}

/// Also `1.0` and `"1"`.
impl Field<'_> for u32 {
    const WANTED: &'static str = "a whole number from 0 to 4294967295";

    fn read(value: &Json) -> Option<Self> {
        lenient::whole_json(value)?.try_into().ok()
    }
}

/// Also `1.0` and `"1"`.
impl Field<'_> for i64 {
    const WANTED: &'static str = "a whole number";

    fn read(value: &Json) -> Option<Self> {
        match value {
            Json::Int(number) => number.as_i64(),
            other => lenient::whole_json(other)?.try_into().ok(),
        }
    }
}

impl Field<'_> for f64 {
    const WANTED: &'static str = "a number";

    fn read(value: &Json) -> Option<Self> {
        let number = match value {
            Json::Int(number) => number.digits().parse().ok(),
            Json::Float(number) => Some(*number),
            Json::Text(text) => lenient::number_text(text, false),
            _ => None,
        };
        number.filter(|number: &f64| number.is_finite())
    }
}

#[cfg(test)]
mod tests;
