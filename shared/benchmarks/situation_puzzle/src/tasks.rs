//! Reading puzzles: the authors' JSON list (specification 1.a) as it is, and JSON Lines, where a puzzle may also have a language
//! and a bank of questions and final answers with the judge's right token.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};
use turnwise_core::hash::{Digest, canonical};
use turnwise_core::lenient;
use turnwise_core::task::{OPEN_FIELD, Task, TaskId, TaskSet, TaskSetOrigin};

use crate::reading::{Kind, Token};

/// Names of a task's fields.
pub mod field {
    /// The public story; the only field that a player sees.
    pub const SETUP: &str = turnwise_core::task::OPEN_FIELD;
    /// It may give the solution away, so it is hidden from players.
    pub const TITLE: &str = "title";
    /// The hidden story.
    pub const SOLUTION: &str = "solution";
    /// Remarks for the judge; may be empty.
    pub const NOTES: &str = "notes";
    /// The bank as JSON; empty without one.
    pub const BANK: &str = "bank";
}

/// The label of a task's language.
pub const LANGUAGE: &str = "language";
/// The ending of the names of Chinese templates; every other language is prompted in English.
pub const CHINESE: &str = "_zh";

/// The most characters of one text.
pub const TEXT_LIMIT: usize = 20_000;
/// The most entries of a bank.
pub const BANK_LIMIT: usize = 200;

/// The ending of the names of templates in the language of a task.
pub fn suffix(task: &Task) -> &'static str {
    match task.labels.get(LANGUAGE).map(String::as_str) {
        Some("zh") => CHINESE,
        _ => "",
    }
}

/// Whether a character is a Chinese one.
pub fn is_han(character: char) -> bool {
    matches!(character, '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// A question or final answer with the token that a judge should give.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    pub kind: Kind,
    pub text: String,
    pub token: Token,
}

/// The bank of a task; empty where there is none or it cannot be read.
pub fn bank(task: &Task) -> Vec<Entry> {
    read_bank(task.field(field::BANK).unwrap_or_default())
}

/// The same from the field's text.
pub fn read_bank(text: &str) -> Vec<Entry> {
    serde_json::from_str(text).unwrap_or_default()
}

/// Why a file of puzzles cannot be read. It has no text of the file except ids and the names of fields.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadPuzzle(String);

/// Reads a file of puzzles. A file that begins with `[` is one JSON list, any other has one JSON object a line. Rows are
/// counted from 1: positions in a list, lines otherwise.
///
/// # Errors
/// The first mistake, with row and field and how to fix it.
pub fn read(name: &str, file: &[u8]) -> Result<TaskSet, BadPuzzle> {
    let file = &*lenient::unmarked(file).unwrap_or(file.into());
    let mut rows: BTreeMap<TaskId, usize> = BTreeMap::new();
    let mut tasks = Vec::new();
    for (row, value) in values(file)? {
        let bad = |problem: String| BadPuzzle(format!("row {row}{problem}"));
        let read: Row = serde_path_to_error::deserialize(value).map_err(|error| {
            let field = match error.path().to_string().as_str() {
                "." => String::new(),
                path => format!(", field {path}"),
            };
            bad(format!("{field}: {}", error.into_inner()))
        })?;
        let task =
            read.task().map_err(|(field, problem)| bad(format!(", field {field}: {problem}")))?;
        if let Some(first) = rows.insert(task.id.clone(), row) {
            let problem = "is already used in row";
            return Err(bad(format!(", field id: {} {problem} {first}; ids must differ", task.id)));
        }
        tasks.push(task);
    }
    if tasks.is_empty() {
        let problem =
            "the file has no puzzles; expected a JSON list of objects, or one object a line";
        return Err(BadPuzzle(problem.to_owned()));
    }
    Ok(TaskSet::new(name, tasks, TaskSetOrigin::Plain))
}

fn values(file: &[u8]) -> Result<Vec<(usize, Value)>, BadPuzzle> {
    if file.trim_ascii_start().starts_with(b"[") {
        let list: Vec<Value> = serde_json::from_slice(file).map_err(|error| {
            BadPuzzle(format!("the file begins with [ and is not a JSON list: {error}"))
        })?;
        return Ok((1..).zip(list).collect());
    }
    (1..)
        .zip(file.split(|byte| *byte == b'\n'))
        .filter(|(_, line)| !line.trim_ascii().is_empty())
        .map(|(row, line)| match serde_json::from_slice(line) {
            Ok(value) => Ok((row, value)),
            Err(error) => {
                Err(BadPuzzle(format!("row {row}: the line is not JSON in UTF-8: {error}")))
            }
        })
        .collect()
}

/// A puzzle as it is written. Fields that are not known are left out, as by the authors' loader.
#[derive(Deserialize)]
#[serde(expecting = "an object with id, title, setup and solution")]
struct Row {
    id: Option<Text>,
    title: Option<Text>,
    setup: Option<Text>,
    solution: Option<Text>,
    notes: Option<Text>,
    language: Option<Text>,
    questions: Option<Vec<(Text, Token)>>,
    finals: Option<Vec<(Text, Token)>>,
}

/// Text; numbers are taken as such, as by the authors' loader.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected text")]
enum Text {
    Text(String),
    Number(Number),
}

type Field = (&'static str, String);

/// A text without the white space around it.
fn trimmed(field: &'static str, text: Option<Text>) -> Result<String, Field> {
    let text = match text {
        None => String::new(),
        Some(Text::Text(text)) => text.trim().to_owned(),
        Some(Text::Number(number)) => lenient::id(&number.into()).unwrap_or_default(),
    };
    match text.chars().nth(TEXT_LIMIT) {
        Some(_) => Err((field, format!("it has more than {TEXT_LIMIT} characters"))),
        None => Ok(text),
    }
}

fn needed(field: &'static str, text: Option<Text>) -> Result<String, Field> {
    match trimmed(field, text)? {
        blank if blank.is_empty() => {
            let problem =
                "it is missing or blank; every puzzle needs id, title, setup and solution";
            Err((field, problem.to_owned()))
        }
        text => Ok(text),
    }
}

impl Row {
    fn task(self) -> Result<Task, Field> {
        let id = needed("id", self.id)?;
        if id.chars().count() > 100 || id.contains(char::is_control) {
            return Err((
                "id",
                "expected 1 to 100 characters without control characters".to_owned(),
            ));
        }
        let mut entries = Vec::new();
        for (field, kind, pairs) in
            [("questions", Kind::Question, self.questions), ("finals", Kind::Final, self.finals)]
        {
            for (text, token) in pairs.unwrap_or_default() {
                let text = needed(field, Some(text))?;
                if !kind.vocabulary().contains(&token) {
                    return Err((field, format!("{token} does not answer a {}", kind.name())));
                }
                entries.push(Entry { kind, text, token });
            }
        }
        let bank = match entries.len() {
            0 => String::new(),
            1..=BANK_LIMIT => canonical(&entries),
            count => {
                return Err((
                    "questions",
                    format!("a bank has at most {BANK_LIMIT} entries, got {count}"),
                ));
            }
        };
        let mut task = puzzle(
            &id,
            [
                needed("title", self.title)?,
                needed("setup", self.setup)?,
                needed("solution", self.solution)?,
                trimmed("notes", self.notes)?,
                bank,
            ],
        );
        let language = trimmed(LANGUAGE, self.language)?;
        if !language.is_empty() {
            if !(2..=3).contains(&language.len())
                || !language.bytes().all(|byte| byte.is_ascii_lowercase())
            {
                let problem = "expected a code of two or three lower-case letters, e.g. en or zh";
                return Err((LANGUAGE, problem.to_owned()));
            }
            task.labels.insert(LANGUAGE.to_owned(), language);
        }
        Ok(task)
    }
}

/// A puzzle as a task; its language follows from the script of the setup. `texts` are title, setup, solution, notes and bank.
pub fn puzzle(id: &str, texts: [String; 5]) -> Task {
    let language = if texts[1].contains(is_han) { "zh" } else { "en" };
    let names = [field::TITLE, OPEN_FIELD, field::SOLUTION, field::NOTES, field::BANK];
    let fields: BTreeMap<String, String> =
        names.map(str::to_owned).into_iter().zip(texts).collect();
    Task {
        id: TaskId::from(id),
        digest: Digest::of_value(&(id, &fields)),
        labels: BTreeMap::from([(LANGUAGE.to_owned(), language.to_owned())]),
        fields,
    }
}
