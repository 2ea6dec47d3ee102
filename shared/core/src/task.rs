//! A task as the core sees it: an id, labels to count by, and text fields, some of which are hidden.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::hash::Digest;
use crate::lenient::line_feeds;

/// The field of a task that every player is shown. The other fields are hidden from players; a reader sees the reference answer
/// once the episode has ended.
pub const OPEN_FIELD: &str = "question";

/// The field with the reference answer, where a benchmark does not name another
/// ([`Benchmark::reference_field`](crate::benchmark::Benchmark::reference_field)).
pub const ANSWER_FIELD: &str = "answer";

/// The label of a task that follows from a lineup: which players meet. It is not true of a branch, whose tasks are its parent's.
pub const LINEUP_LABEL: &str = "class";

/// A task's id within its set.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TaskId(pub String);

shown_as_held!(TaskId);

impl From<&str> for TaskId {
    fn from(id: &str) -> Self {
        TaskId(id.to_owned())
    }
}

/// The id of a task of which only the question is known: the same question has the same id in every file, whatever its line ends.
pub fn question_id(question: &str) -> TaskId {
    let question = line_feeds(question);
    let digest = Digest::of_parts([b"turnwise question 1\0".as_slice(), question.as_bytes()]);
    TaskId(format!("q-{}", &digest.to_string()[..16]))
}

/// One task of a benchmark. What its fields mean is the benchmark's business.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    pub id: TaskId,
    /// SHA-256 of the task's canonical form; every transcript names it.
    pub digest: Digest,
    /// What results are broken down by, e.g. `domain`, `language`. Not secret.
    pub labels: BTreeMap<String, String>,
    /// Texts by name, e.g. `question`, `context`, `answer`.
    pub fields: BTreeMap<String, String>,
}

impl Task {
    /// A field's text; `None` if there is none, or if it is sealed here.
    pub fn field(&self, name: &str) -> Option<&str> {
        self.fields.get(name).map(String::as_str)
    }
}

/// Task text stays out of logs: only id, digest and the names of fields are shown.
impl fmt::Debug for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Task")
            .field("id", &self.id)
            .field("digest", &self.digest.short())
            .field("fields", &self.fields.keys().collect::<Vec<_>>())
            .finish()
    }
}

/// Labels or fields of a task from their names and texts.
pub fn texts<V: Into<String>>(
    pairs: impl IntoIterator<Item = (&'static str, V)>,
) -> BTreeMap<String, String> {
    pairs.into_iter().map(|(name, text)| (name.to_owned(), text.into())).collect()
}

/// The values of a label that can have several, which are joined by a comma and a space.
pub fn label_values(label: &str) -> impl Iterator<Item = &str> {
    label.split(", ").filter(|value| !value.is_empty())
}

/// The language of a task's text, for the `lang` attribute.
pub fn language(labels: &BTreeMap<String, String>) -> Option<String> {
    labels
        .get("language")
        .filter(|code| {
            (2..=12).contains(&code.len())
                && code.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        })
        .cloned()
}

/// A set of tasks of one benchmark, as read from a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskSet {
    /// What to call it, e.g. the file's name.
    pub name: String,
    /// Over the tasks' digests, in order: the same tasks have the same digest, encrypted or not.
    pub digest: Digest,
    /// The tasks, in the file's order.
    pub tasks: Vec<Task>,
    /// Whether the file was encrypted; then its text must be kept encrypted at rest and out of shared pages.
    pub origin: TaskSetOrigin,
    /// The bytes of the pictures that fields name, as far as they came with the file. They are kept beside the tasks and never in a
    /// transcript.
    pub pictures: BTreeMap<Digest, Arc<[u8]>>,
}

/// How a set of tasks is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskSetOrigin {
    Plain,
    /// Encrypted under a canary that has to stay with every copy.
    Encrypted {
        canary: String,
    },
    /// On a server; what is handed out has no hidden field ([`sealed`](crate::sealed)).
    Sealed,
}

impl TaskSet {
    /// A set of tasks under a name.
    pub fn new(name: impl Into<String>, tasks: Vec<Task>, origin: TaskSetOrigin) -> Self {
        let digest = Digest::of_parts(tasks.iter().map(|task| task.digest.bytes().as_slice()));
        TaskSet { name: name.into(), digest, tasks, origin, pictures: BTreeMap::new() }
    }

    pub fn task(&self, id: &TaskId) -> Option<&Task> {
        self.tasks.iter().find(|task| &task.id == id)
    }

    /// Whether a task is one of these, and in this version.
    pub fn holds(&self, id: &TaskId, version: Digest) -> bool {
        self.task(id).is_some_and(|task| task.digest == version)
    }

    /// The tasks that a word stands for: the one with this id, else those whose ids are whole numbers of a range, e.g. `1-50`.
    ///
    /// # Errors
    /// Which tasks there are none of.
    pub fn meant(&self, word: &str) -> Result<Vec<TaskId>, String> {
        let id = TaskId::from(word);
        if self.task(&id).is_some() {
            return Ok(vec![id]);
        }
        let (from, to) = word
            .split_once('-')
            .and_then(|(from, to)| Some((from.parse::<u64>().ok()?, to.parse::<u64>().ok()?)))
            .ok_or_else(|| format!("{} has no task with the id {word:?}", self.name))?;
        let is_in = |id: &TaskId| id.0.parse().is_ok_and(|number| (from..=to).contains(&number));
        let ids = self.tasks.iter().map(|task| &task.id);
        let found: Vec<_> = ids.filter(|id| is_in(id)).cloned().collect();
        match found.is_empty() {
            true => Err(format!("{} has no task with an id from {from} to {to}", self.name)),
            false => Ok(found),
        }
    }
}

/// One value of the setting that a run sweeps over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Point {
    /// The setting, and the label of tasks that holds its value, e.g. `rounds`.
    pub setting: &'static str,
    /// What stands for it in ids, e.g. `k`.
    pub mark: char,
    pub value: u32,
}

impl Point {
    /// The task at this value.
    pub fn place(&self, task: &Task) -> Task {
        let mut placed = task.clone();
        placed.id = TaskId(format!("{}{}", task.id, self.ending()));
        placed.labels.insert(self.setting.to_owned(), self.value.to_string());
        placed
    }

    /// The id of the task that was placed, if it was placed here.
    pub fn original<'a>(&self, id: &'a TaskId) -> Option<&'a str> {
        id.0.strip_suffix(&self.ending())
    }

    /// The id in its set of a task that may be placed at one of these points.
    pub fn unplaced(points: &[Point], id: &TaskId) -> TaskId {
        let original = points.iter().find_map(|point| point.original(id));
        original.map_or_else(|| id.clone(), TaskId::from)
    }

    /// What stands at the end of the ids of tasks that are placed here.
    pub fn ending(&self) -> String {
        format!("-{}{}", self.mark, self.value)
    }
}
