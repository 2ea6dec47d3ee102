//! Commands that a benchmark adds to the command line: `turnwise COMMAND VERB ARGUMENT…`. They are pure: what files hold comes in,
//! texts and what files shall hold go out.

use std::collections::BTreeMap;

use serde_json::Value;

use super::given;
use crate::transcript::Transcript;

/// The commands of a benchmark.
#[derive(Debug, Clone, Copy)]
pub struct Tools {
    /// The word after `turnwise`.
    pub command: &'static str,
    /// What they are for, in a sentence.
    pub about: &'static str,
    pub tools: &'static [Tool],
}

#[derive(Debug, Clone, Copy)]
pub struct Tool {
    /// The word after the command's, e.g. `grade`.
    pub verb: &'static str,
    /// What it does, in a sentence.
    pub about: &'static str,
    /// More about it, for `--help`; may be empty.
    pub details: &'static str,
    /// Its arguments, those without a flag in their order.
    pub arguments: &'static [Argument],
    /// The endings of the files that it writes, each in place of that of `--out FILE`; the empty one is FILE itself. Without any it
    /// writes nothing.
    pub writes: &'static [&'static str],
    pub run: fn(&Given<'_>) -> Result<Done, String>,
}

/// An argument of a command.
#[derive(Debug, Clone, Copy)]
pub struct Argument {
    /// Its name, for [`Given`].
    pub name: &'static str,
    /// Its flag, without dashes in front; empty where it has none and its place says what it is.
    pub flag: &'static str,
    pub help: &'static str,
    pub takes: Takes,
    /// Whether it may be left out.
    pub presence: Presence,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    Text,
    /// A whole number from the first to the second.
    Whole(u64, u64),
    Word(&'static [&'static str]),
    /// Nothing: the flag is there or not.
    Switch,
    File,
    /// A file, and the one with this ending beside it, where there is one.
    FileWith(&'static str),
    /// Folders of runs, or transcripts; several.
    Transcripts,
    /// The same, as whole runs with their tasks and prompt packs.
    Runs,
}

/// Whether an argument may be left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    Required,
    Optional,
    /// It may, and then it is this.
    Default(&'static str),
}

impl Argument {
    /// A required argument that its place identifies.
    pub const fn at(name: &'static str, help: &'static str, takes: Takes) -> Self {
        Argument { name, flag: "", help, takes, presence: Presence::Required }
    }

    /// An optional argument with a flag.
    pub const fn flag(
        flag: &'static str,
        name: &'static str,
        help: &'static str,
        takes: Takes,
    ) -> Self {
        Argument { name, flag, help, takes, presence: Presence::Optional }
    }

    /// The same, less or more required.
    pub const fn presence(self, presence: Presence) -> Self {
        Argument { presence, ..self }
    }

    /// Under which name it is given: its flag, or its name where it has none.
    pub const fn key(&self) -> &'static str {
        match self.flag.is_empty() {
            true => self.name,
            false => self.flag,
        }
    }
}

/// A file that was named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Its path, as messages have it.
    pub path: String,
    /// Its name without the folder.
    pub name: String,
    pub bytes: Vec<u8>,
    /// The path and the content of the file beside it ([`Takes::FileWith`]), where there is one.
    pub beside: Option<(String, Vec<u8>)>,
}

/// A transcript with its path, as messages have it.
#[derive(Debug, Clone, PartialEq)]
pub struct Recorded {
    pub path: String,
    pub transcript: Transcript,
}

/// A run with its path, as messages have it. Each episode has the grading that counts.
pub struct Run<'a> {
    pub path: String,
    pub given: given::Given<'a>,
    pub episodes: Vec<given::Episode<'a>>,
}

pub type Load<'a> = Box<dyn Fn() -> Result<Recorded, String> + 'a>;

/// What a command was given, by [`Argument::key`].
#[derive(Default)]
pub struct Given<'a> {
    /// Texts, words, numbers; a switch that is there has the empty text.
    pub texts: BTreeMap<&'static str, String>,
    pub files: BTreeMap<&'static str, File>,
    /// Transcripts, read one by one, plays before gradings.
    pub transcripts: BTreeMap<&'static str, Vec<Load<'a>>>,
    pub runs: BTreeMap<&'static str, Vec<Run<'a>>>,
    /// The paths of the files that it writes, as messages have them, in the order of [`Tool::writes`].
    pub out: Vec<String>,
    /// Tells of a long command how far it is.
    pub progress: Option<&'a dyn Fn(&str)>,
}

impl<'a> Given<'a> {
    pub fn runs(&self, key: &str) -> &[Run<'a>] {
        self.runs.get(key).map_or(&[], Vec::as_slice)
    }

    /// A text; `None` where it was left out.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.texts.get(key).map(String::as_str)
    }

    /// A whole number; `None` where it was left out.
    pub fn whole(&self, key: &str) -> Option<u64> {
        self.text(key)?.parse().ok()
    }

    /// Whether a switch is there.
    pub fn has(&self, key: &str) -> bool {
        self.texts.contains_key(key)
    }

    /// A file; `None` where it was left out.
    pub fn file(&self, key: &str) -> Option<&File> {
        self.files.get(key)
    }

    /// Transcripts, read one by one.
    pub fn transcripts(&self, key: &str) -> impl Iterator<Item = Result<Recorded, String>> {
        let loads = self.transcripts.get(key).into_iter().flatten();
        loads.map(|load| load())
    }

    /// The path of a file that it writes; empty where there is none.
    pub fn out(&self, at: usize) -> &str {
        self.out.get(at).map_or("", String::as_str)
    }

    /// The name of the first file that it writes, without the folder.
    pub fn out_name(&self) -> &str {
        let path = self.out(0);
        path.rsplit(['/', '\\']).next().unwrap_or(path)
    }

    /// Tells how far it is.
    pub fn progress(&self, said: &str) {
        if let Some(progress) = self.progress {
            progress(said);
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Done {
    pub printed: Printed,
    /// What the files that it writes hold, in the order of [`Tool::writes`].
    pub files: Vec<Vec<u8>>,
    /// Whether all is well; else the exit status is 1.
    pub is_sound: bool,
}

impl Done {
    /// A text that is printed, and nothing else.
    pub fn text(text: impl Into<String>) -> Self {
        Done { printed: Printed::Text(text.into()), files: Vec::new(), is_sound: true }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum Printed {
    Text(String),
    Json(Value),
}
