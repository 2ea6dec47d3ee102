//! Reading puzzles: the authors' JSON list (specification 1.a) as it is, and JSON Lines, where a puzzle may also have a language
//! and a bank of questions and final answers with the judge's right token.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use turnwise_shared::hash::Digest;
use turnwise_shared::json::{self, Dialect, Json, Object};
use turnwise_shared::task::{OPEN_FIELD, Task, TaskId, TaskSet, TaskSetOrigin};

use crate::reading::{Kind, Token};

/// Names of a task's fields.
pub mod field {
    /// The public story; the only field that a player sees.
    pub const SETUP: &str = turnwise_shared::task::OPEN_FIELD;
    /// The title; it may give the solution away, so it is hidden from players.
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

/// The most characters of one text.
pub const TEXT_LIMIT: usize = 20_000;
/// The most entries of a bank.
pub const BANK_LIMIT: usize = 200;

/// A language that has prompts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// English, and every language without prompts of its own.
    English,
    /// Chinese.
    Chinese,
}

impl Language {
    /// The language of a task, by its label.
    pub fn of(task: &Task) -> Self {
        match task.labels.get(LANGUAGE).map(String::as_str) {
            Some("zh") => Language::Chinese,
            _ => Language::English,
        }
    }

    /// The ending of the names of templates in this language.
    pub fn suffix(self) -> &'static str {
        match self {
            Language::English => "",
            Language::Chinese => "_zh",
        }
    }
}

/// Whether a character is a Chinese one.
pub fn is_han(character: char) -> bool {
    matches!(character, '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// Questions and final answers with the token that a judge should give.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bank(pub Vec<Entry>);

/// One entry of a bank.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Whether it is a question or a final answer.
    pub kind: Kind,
    /// Its text.
    pub text: String,
    /// What a judge should answer.
    pub token: Token,
}

impl Bank {
    /// The bank of a task's field; empty where there is none or it cannot be read.
    pub fn read(field: &str) -> Self {
        serde_json::from_str(field).unwrap_or_default()
    }

    /// The entries of a kind.
    pub fn of(&self, kind: Kind) -> impl Iterator<Item = &Entry> {
        self.0.iter().filter(move |entry| entry.kind == kind)
    }
}

/// Reads a file of puzzles. A file that begins with `[` is one JSON list, any other has one JSON object a line.
///
/// # Errors
/// The first mistake, with row and field and how to fix it. Rows are counted from 1.
pub fn read(name: &str, file: &[u8]) -> Result<TaskSet, BadPuzzle> {
    let text = file.strip_prefix(b"\xef\xbb\xbf").unwrap_or(file);
    let text = std::str::from_utf8(text).map_err(|error| {
        let row = text[..error.valid_up_to()]
            .iter()
            .filter(|byte| **byte == b'\n');
        BadPuzzle::row(
            row.count() + 1,
            "the line is not UTF-8; save the file in that encoding",
        )
    })?;
    let mut rows: BTreeMap<String, usize> = BTreeMap::new();
    let mut tasks = Vec::new();
    for (row, value) in values(text)? {
        let Json::Object(object) = value else {
            let problem = format!(
                "expected an object with id, title, setup and solution, got {}",
                value.kind()
            );
            return Err(BadPuzzle::row(row, problem));
        };
        let task = Row {
            row,
            object: &object,
        }
        .task()?;
        if let Some(first) = rows.insert(task.id.0.clone(), row) {
            let problem = format!(
                "the id {} is already used in row {first}; ids must differ",
                task.id
            );
            return Err(BadPuzzle::field(row, "id", problem));
        }
        tasks.push(task);
    }
    if tasks.is_empty() {
        return Err(BadPuzzle {
            row: None,
            field: None,
            problem:
                "the file has no puzzles; expected a JSON list of objects, or one object a line"
                    .to_owned(),
        });
    }
    Ok(TaskSet::new(name, tasks, TaskSetOrigin::Plain))
}

fn values(text: &str) -> Result<Vec<(usize, Json)>, BadPuzzle> {
    if text.trim_start().starts_with('[') {
        let list = json::parse(text, Dialect::Strict).map_err(|error| BadPuzzle {
            row: None,
            field: None,
            problem: format!("the file begins with [ and is not a JSON list: {error}"),
        })?;
        let Json::List(items) = list else {
            return Ok(Vec::new());
        };
        return Ok((1..).zip(items).collect());
    }
    (1..)
        .zip(text.split('\n'))
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(row, line)| match json::parse(line, Dialect::Strict) {
            Ok(value) => Ok((row, value)),
            Err(error) => Err(BadPuzzle::row(
                row,
                format!("the line is not JSON: {error}"),
            )),
        })
        .collect()
}

struct Row<'a> {
    row: usize,
    object: &'a Object,
}

impl Row<'_> {
    fn bad<T>(&self, field: &str, problem: impl Into<String>) -> Result<T, BadPuzzle> {
        Err(BadPuzzle::field(self.row, field, problem))
    }

    /// A text without the white space around it; `None` if it is missing, null or blank. Numbers are taken as text, as the
    /// authors' loader does.
    fn text(&self, field: &str) -> Result<Option<String>, BadPuzzle> {
        let text = match self.object.get(field) {
            None | Some(Json::Null) => return Ok(None),
            Some(Json::Text(text)) => text.trim().to_owned(),
            Some(Json::Int(number)) => number.digits().to_owned(),
            Some(other) => return self.bad(field, format!("expected text, got {}", other.kind())),
        };
        if text.chars().nth(TEXT_LIMIT).is_some() {
            return self.bad(field, format!("it has more than {TEXT_LIMIT} characters"));
        }
        Ok((!text.is_empty()).then_some(text))
    }

    fn needed(&self, field: &str) -> Result<String, BadPuzzle> {
        match self.text(field)? {
            Some(text) => Ok(text),
            None => self.bad(
                field,
                "it is missing or blank; every puzzle needs id, title, setup and solution",
            ),
        }
    }

    fn task(&self) -> Result<Task, BadPuzzle> {
        let id = self.needed("id")?;
        if id.chars().count() > 100 || id.contains(char::is_control) {
            return self.bad(
                "id",
                "expected 1 to 100 characters without control characters",
            );
        }
        let (title, setup) = (self.needed("title")?, self.needed("setup")?);
        let solution = self.needed("solution")?;
        let language = match self.text(LANGUAGE)? {
            Some(code)
                if (2..=3).contains(&code.len())
                    && code.bytes().all(|byte| byte.is_ascii_lowercase()) =>
            {
                code
            }
            Some(_) => {
                return self.bad(
                    LANGUAGE,
                    "expected a code of two or three lower-case letters, e.g. en or zh",
                );
            }
            None if setup.contains(is_han) => "zh".to_owned(),
            None => "en".to_owned(),
        };
        let bank = self.bank()?;
        let bank = match bank.0.is_empty() {
            true => String::new(),
            false => turnwise_shared::hash::canonical(&bank),
        };
        let notes = self.text("notes")?.unwrap_or_default();
        Ok(puzzle(
            &id,
            &language,
            [title, setup, solution, notes, bank],
        ))
    }

    fn bank(&self) -> Result<Bank, BadPuzzle> {
        let mut bank = Bank::default();
        for (field, kind) in [("questions", Kind::Question), ("finals", Kind::Final)] {
            let pairs = match self.object.get(field) {
                None | Some(Json::Null) => continue,
                Some(Json::List(pairs)) => pairs,
                Some(other) => {
                    return self.bad(field, format!("expected a list, got {}", other.kind()));
                }
            };
            for (at, pair) in (1..).zip(pairs) {
                let words: Vec<&str> = kind.vocabulary().iter().map(|token| token.name()).collect();
                let read = match pair {
                    Json::List(pair) => match pair.as_slice() {
                        [Json::Text(text), Json::Text(token)] => {
                            Some((text.trim(), token.as_str()))
                        }
                        _ => None,
                    },
                    _ => None,
                };
                let token = read.and_then(|(_, token)| Token::named(token));
                let token = token.filter(|token| kind.vocabulary().contains(token));
                let (Some((text, _)), Some(token)) = (read, token) else {
                    let problem = format!(
                        "entry {at}: expected [TEXT, TOKEN] with one of the tokens {}",
                        words.join(", ")
                    );
                    return self.bad(field, problem);
                };
                if text.is_empty() || text.chars().nth(TEXT_LIMIT).is_some() {
                    return self.bad(
                        field,
                        format!("entry {at}: expected 1 to {TEXT_LIMIT} characters of text"),
                    );
                }
                bank.0.push(Entry {
                    kind,
                    text: text.to_owned(),
                    token,
                });
            }
        }
        match bank.0.len() {
            0..=BANK_LIMIT => Ok(bank),
            entries => self.bad(
                "questions",
                format!("a bank has at most {BANK_LIMIT} entries, got {entries}"),
            ),
        }
    }
}

/// A puzzle as a task. `texts` are title, setup, solution, notes and bank.
pub fn puzzle(id: &str, language: &str, texts: [String; 5]) -> Task {
    let names = [
        field::TITLE,
        OPEN_FIELD,
        field::SOLUTION,
        field::NOTES,
        field::BANK,
    ];
    let fields: BTreeMap<String, String> =
        names.map(str::to_owned).into_iter().zip(texts).collect();
    Task {
        id: TaskId::from(id),
        digest: Digest::of_value(&(id, &fields)),
        labels: BTreeMap::from([(LANGUAGE.to_owned(), language.to_owned())]),
        fields,
    }
}

/// Why a file of puzzles cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct BadPuzzle {
    /// The row, from 1: the position in a list, the line of JSON Lines. `None` if it concerns the whole file.
    pub row: Option<usize>,
    /// The field of the row.
    pub field: Option<String>,
    /// What is wrong, and how to fix it. It has no text of the file except ids.
    pub problem: String,
}

impl BadPuzzle {
    fn row(row: usize, problem: impl Into<String>) -> Self {
        BadPuzzle {
            row: Some(row),
            field: None,
            problem: problem.into(),
        }
    }

    fn field(row: usize, field: &str, problem: impl Into<String>) -> Self {
        BadPuzzle {
            field: Some(field.to_owned()),
            ..BadPuzzle::row(row, problem)
        }
    }
}

impl fmt::Display for BadPuzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.row, &self.field) {
            (Some(row), Some(field)) => write!(f, "row {row}, field {field:?}: {}", self.problem),
            (Some(row), None) => write!(f, "row {row}: {}", self.problem),
            _ => f.write_str(&self.problem),
        }
    }
}
