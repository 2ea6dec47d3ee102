//! The file of tasks (specification 2): the authors' encrypted one, or one's own as plain JSON Lines.
//!
//! Task text is secret to the player and must stay out of logs: nothing here prints it, neither `Debug` nor an error.

mod load;
#[cfg(test)]
mod tests;
mod write;

use std::fmt;

use serde::{Deserialize, Serialize};

pub use turnwise_core::kit::cipher::{BadCipher, Cipher};
use turnwise_core::prelude::*;
use turnwise_core::task;

pub use load::load;
pub use write::{encrypted_lines, plain_lines};

/// SHA-256 of the authors' file, byte for byte.
pub const OFFICIAL_FILE: &str = "0bd0ccc4b69c228c04c15b1147211adc6c6483b852d74e5ac7e5a34c9db80496";

/// SHA-256 of the authors' tasks after decryption, written as [`plain_lines`] does.
pub const OFFICIAL_TASKS: &str = "fe51315e2e9b606aca5a09e3f23c1f0bc68bef5186c376eb3c8a230f3b540297";
pub const OFFICIAL_CANARY: &str = "InteractComp";

#[derive(Clone, PartialEq, Eq)]
pub struct Task {
    /// Unique within the file. Whole numbers of the file are kept as their digits.
    pub id: TaskId,
    /// What results are broken down by.
    pub domain: String,
    /// The language, as the file says, else by the script of the question.
    pub language: Language,
    pub question: String,
    /// What only the target has; for the responder alone. May be empty.
    pub context: String,
    pub answer: String,
    /// Other names of the truth; the authors' file has none.
    pub aliases: Vec<String>,
}

impl Task {
    /// SHA-256 of the task's line in [`plain_lines`]: the same for an encrypted and a plain copy.
    pub fn digest(&self) -> Digest {
        Digest::of(write::plain_line(self))
    }

    /// The id as a number, if it is one.
    pub fn number(&self) -> Option<i64> {
        self.id.0.parse().ok().filter(|number: &i64| number.to_string() == self.id.0)
    }

    /// The task as the core knows it: labels `domain` and `language`, fields `question`, `context`, `answer` and
    /// `aliases`, one a line.
    pub fn into_core(self) -> task::Task {
        let digest = self.digest();
        let fields = task::texts([
            ("question", self.question),
            ("context", self.context),
            ("answer", self.answer),
            ("aliases", self.aliases.join("\n")),
        ]);
        let labels = task::texts([("domain", self.domain), ("language", self.language.0)]);
        task::Task { id: self.id, digest, labels, fields }
    }
}

/// Question, context and answer stay out of logs.
impl fmt::Debug for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Task")
            .field("id", &self.id)
            .field("domain", &self.domain)
            .field("language", &self.language.0)
            .field("digest", &self.digest().short())
            .finish_non_exhaustive()
    }
}

/// A task's language: two or three lower-case letters, e.g. `en`, `zh`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Language(String);

impl Language {
    /// By script: `zh` if the text has a Han character (U+4E00 to U+9FFF; kana does not count), else `en`.
    pub fn of(text: &str) -> Self {
        let has_han = text.chars().any(|character| matches!(character, '\u{4e00}'..='\u{9fff}'));
        Language(if has_han { "zh" } else { "en" }.to_owned())
    }

    /// From a code of two or three lower-case letters.
    pub fn named(code: &str) -> Option<Self> {
        let fits =
            (2..=3).contains(&code.len()) && code.bytes().all(|letter| letter.is_ascii_lowercase());
        fits.then(|| Language(code.to_owned()))
    }

    pub fn code(&self) -> &str {
        &self.0
    }
}

/// What a file of tasks contains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dataset {
    /// The tasks in the file's order; at least one.
    pub tasks: Vec<Task>,
    /// How the file is kept.
    pub origin: TaskSetOrigin,
    /// SHA-256 of the file.
    pub file: Digest,
    /// SHA-256 of the tasks as [`plain_lines`] writes them.
    pub plain: Digest,
}

impl Dataset {
    /// Whether these are the authors' tasks.
    pub fn provenance(&self) -> Provenance {
        if self.plain.to_string() != OFFICIAL_TASKS {
            Provenance::Own
        } else if self.file.to_string() != OFFICIAL_FILE {
            Provenance::OfficialTasks
        } else {
            Provenance::OfficialFile
        }
    }

    /// The tasks as the core knows them, under a name.
    pub fn into_task_set(self, name: impl Into<String>) -> TaskSet {
        let tasks = self.tasks.into_iter().map(Task::into_core).collect();
        TaskSet::new(name, tasks, self.origin)
    }
}

/// Whose tasks a file contains, by digest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Provenance {
    /// The authors' file, byte for byte.
    OfficialFile,
    /// The authors' tasks in another file, e.g. decrypted.
    OfficialTasks,
    Own,
}

impl fmt::Display for Provenance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Provenance::OfficialFile => "the authors' official file, byte for byte",
            Provenance::OfficialTasks => "the authors' tasks in another file",
            Provenance::Own => "not the authors' tasks",
        })
    }
}
