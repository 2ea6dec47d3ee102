//! Reading puzzles: the authors' JSON list (specification 1.a) as it is, and JSON Lines, where a puzzle may also have a language
//! and a bank of questions and final answers with the judge's right token.

use serde::{Deserialize, Serialize};
use turnwise_core::hash::canonical;
use turnwise_core::kit::rows;
use turnwise_core::prelude::*;
use turnwise_core::task::{self, OPEN_FIELD};

use crate::reading::{Kind, Token};

/// Names of a task's fields.
pub mod field {
    /// The public story; the only field that a player sees.
    pub const SETUP: &str = turnwise_core::task::OPEN_FIELD;
    /// It may give the solution away, so it is hidden from players.
    pub const TITLE: &str = "title";
    pub const SOLUTION: &str = "solution";
    /// Remarks for the judge; may be empty.
    pub const NOTES: &str = "notes";
    /// The bank as JSON; empty without one.
    pub const BANK: &str = "bank";
}

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

/// Reads a file of puzzles.
///
/// # Errors
/// The first mistake, with row and field and how to fix it.
pub fn read(name: &str, file: &[u8]) -> Result<TaskSet, BadTasks> {
    rows::tasks(name, file, of_row)
}

/// A text without the white space around it. Numbers are taken as text, as by the authors' loader; fields that are not known are left
/// out, as there.
fn trimmed(row: &Fields<'_>, field: &str) -> Result<String, BadRow> {
    let text: Option<String> = row.maybe(field)?;
    short(text.unwrap_or_default().trim()).map_err(|problem| row.bad(field, problem))
}

fn needed(row: &Fields<'_>, field: &str) -> Result<String, BadRow> {
    match trimmed(row, field)? {
        blank if blank.is_empty() => Err(row.bad(field, BLANK)),
        text => Ok(text),
    }
}

const BLANK: &str = "it is missing or blank; every puzzle needs id, title, setup and solution";

fn short(text: &str) -> Result<String, String> {
    match text.chars().nth(TEXT_LIMIT) {
        Some(_) => Err(format!("it has more than {TEXT_LIMIT} characters")),
        None => Ok(text.to_owned()),
    }
}

fn of_row(row: &Fields<'_>) -> Result<Task, BadRow> {
    let mut entries = Vec::new();
    for (field, kind) in [("questions", Kind::Question), ("finals", Kind::Final)] {
        let pairs: Option<Vec<(String, Token)>> = row.typed(field)?;
        for (text, token) in pairs.unwrap_or_default() {
            let text = short(text.trim()).map_err(|problem| row.bad(field, problem))?;
            if text.is_empty() {
                return Err(row.bad(field, "a text of the bank is blank"));
            }
            if !kind.vocabulary().contains(&token) {
                return Err(row.bad(field, format!("{token} does not answer a {}", kind.name())));
            }
            entries.push(Entry { kind, text, token });
        }
    }
    let bank = match entries.len() {
        0 => String::new(),
        1..=BANK_LIMIT => canonical(&entries),
        count => {
            let problem = format!("a bank has at most {BANK_LIMIT} entries, got {count}");
            return Err(row.bad("questions", problem));
        }
    };
    let mut task = puzzle(
        &row.id("id")?.0,
        [
            needed(row, "title")?,
            needed(row, "setup")?,
            needed(row, "solution")?,
            trimmed(row, "notes")?,
            bank,
        ],
    );
    let language = trimmed(row, LANGUAGE)?;
    if !language.is_empty() {
        let is_code = language.bytes().all(|byte| byte.is_ascii_lowercase());
        if !is_code || !(2..=3).contains(&language.len()) {
            let problem = "expected a code of two or three lower-case letters, e.g. en or zh";
            return Err(row.bad(LANGUAGE, problem));
        }
        task.labels.insert(LANGUAGE.to_owned(), language);
    }
    Ok(task)
}

/// A puzzle as a task; its language follows from the script of the setup. `texts` are title, setup, solution, notes and bank.
pub fn puzzle(id: &str, texts: [String; 5]) -> Task {
    let language = if texts[1].contains(is_han) { "zh" } else { "en" };
    let names = [field::TITLE, OPEN_FIELD, field::SOLUTION, field::NOTES, field::BANK];
    let fields = task::texts(names.into_iter().zip(texts));
    Task {
        id: TaskId::from(id),
        digest: Digest::of_value(&(id, &fields)),
        labels: task::texts([(LANGUAGE, language)]),
        fields,
    }
}
