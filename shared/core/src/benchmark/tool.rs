//! Commands that a benchmark adds to the command line: `turnwise COMMAND VERB ARGUMENT…`. They are pure: what files hold comes in,
//! texts and what files shall hold go out. A benchmark declares them in its file `tools.toml`.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use super::given;
use crate::transcript::Transcript;

/// The commands of a benchmark.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tools {
    /// The word after `turnwise`.
    pub command: String,
    /// What they are for, in a sentence.
    pub about: String,
    pub tools: Vec<Tool>,
}

pub type Work = fn(&Given<'_>) -> Result<Done, String>;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tool {
    /// The word after the command's, e.g. `grade`.
    pub verb: String,
    /// What it does, in a sentence.
    pub about: String,
    /// More about it, for `--help`; may be empty.
    #[serde(default)]
    pub details: String,
    /// Its arguments, those without a flag in their order.
    pub arguments: Vec<Argument>,
    /// The endings of the files that it writes, each in place of that of `--out FILE`; the empty one is FILE itself. Without any it
    /// writes nothing.
    #[serde(default)]
    pub writes: Vec<String>,
    #[serde(skip, default = "undeclared")]
    pub run: Work,
}

fn undeclared() -> Work {
    |_| Err("the benchmark has no function of this name".to_owned())
}

impl Tools {
    /// Reads a benchmark's file of commands; each verb runs its function.
    ///
    /// # Panics
    /// If it is no such file, or a verb has no function.
    pub fn read(text: &str, works: &[(&str, Work)]) -> Self {
        let mut tools: Tools = toml::from_str(text).expect("a test reads each of them");
        for tool in &mut tools.tools {
            let work = works.iter().find(|(verb, _)| *verb == tool.verb);
            tool.run = work.expect("a test reads each of them").1;
        }
        tools
    }
}

/// An argument of a command.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Argument {
    /// Its name, for [`Given`].
    #[serde(default)]
    pub name: String,
    /// Its flag, without dashes in front; empty where it has none and its place says what it is.
    #[serde(default)]
    pub flag: String,
    #[serde(default)]
    pub help: String,
    pub takes: Takes,
    /// Whether it may be left out; usually what has a flag may.
    presence: Option<Presence>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Takes {
    Text,
    /// A whole number within these bounds.
    Whole {
        least: u64,
        most: Option<u64>,
    },
    Word(Vec<String>),
    /// Nothing: the flag is there or not.
    Switch,
    File,
    /// A file, and the one with this ending beside it, where there is one.
    FileWith(String),
    /// Folders of runs, or transcripts; several.
    Transcripts,
    /// The same, as whole runs with their tasks and prompt packs.
    Runs,
}

/// Whether an argument may be left out.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Presence {
    Required,
    Optional,
    /// It may, and then it is this.
    Default(String),
}

impl Argument {
    pub fn is_required(&self) -> bool {
        match &self.presence {
            None => self.flag.is_empty(),
            Some(presence) => *presence == Presence::Required,
        }
    }

    /// What it is where it is left out.
    pub fn default(&self) -> Option<&str> {
        match &self.presence {
            Some(Presence::Default(value)) => Some(value),
            _ => None,
        }
    }

    /// Under which name it is given: its flag, or its name where it has none.
    pub fn key(&self) -> &str {
        if self.flag.is_empty() { &self.name } else { &self.flag }
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
