//! Writing tasks.

use std::fmt::Write as _;

use super::Cipher;
use super::{Language, Task};
use turnwise_core::json::write_ascii;

/// The tasks as plain JSON Lines: `id`, `domain`, `answer`, `question`, `context`, and `language` and `aliases` where
/// they say something that the others do not. Compact, in ASCII, one line feed a row: the form whose SHA-256 identifies
/// the authors' tasks.
pub fn plain_lines(tasks: &[Task]) -> String {
    tasks.iter().map(|task| plain_line(task) + "\n").collect()
}

/// The tasks in the authors' encrypted format. Aliases and languages are left out: the format has no place for them.
pub fn encrypted_lines(tasks: &[Task], canary: &str) -> String {
    let cipher = Cipher::new(canary);
    let line = |task: &Task| {
        let mut out = head(task, |text| cipher.encrypt(text));
        out.push_str(",\"canary\":");
        write_ascii(canary, &mut out);
        out + "}\n"
    };
    tasks.iter().map(line).collect()
}

/// A task's line, without the line feed.
pub(super) fn plain_line(task: &Task) -> String {
    let mut out = head(task, str::to_owned);
    if task.language != Language::of(&task.question) {
        out.push_str(",\"language\":");
        write_ascii(task.language.code(), &mut out);
    }
    for (index, alias) in task.aliases.iter().enumerate() {
        out.push_str(if index == 0 { ",\"aliases\":[" } else { "," });
        write_ascii(alias, &mut out);
    }
    if !task.aliases.is_empty() {
        out.push(']');
    }
    out + "}"
}

/// The authors' five fields, without the closing brace.
fn head(task: &Task, write: impl Fn(&str) -> String) -> String {
    let mut out = "{\"id\":".to_owned();
    match task.number() {
        Some(number) => write!(out, "{number}").expect("a String takes every write"),
        None => write_ascii(&task.id.0, &mut out),
    }
    let fields = [
        ("domain", &task.domain),
        ("answer", &task.answer),
        ("question", &task.question),
        ("context", &task.context),
    ];
    for (key, text) in fields {
        write!(out, ",\"{key}\":").expect("a String takes every write");
        write_ascii(&write(text), &mut out);
    }
    out
}
