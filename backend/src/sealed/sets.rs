//! The sealed sets of tasks: read once, when the server starts, from the files that the operator named.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use turnwise_shared::prelude::*;
use turnwise_shared::sealed::{Seal, Sealing, handed_out};

use crate::config::Config;
use crate::task_files;

/// The fewest signs of a field of a [cover](SealedSet::cover).
const SHORTEST_COVER: usize = 256;

/// A set whose hidden fields stay here. Both forms have the same digests.
#[derive(Debug)]
pub struct SealedSet {
    pub benchmark: &'static dyn Benchmark,
    /// How that is played over it.
    pub sealing: &'static dyn Sealing,
    pub whole: TaskSet,
    /// As it is handed out.
    pub told: TaskSet,
    /// A task as long as any of them: each field has as many signs as the longest of its name, and up to twice as many, so that
    /// it tells of no task how long anything in it is.
    pub cover: Task,
    pub file: TaskSetOrigin,
    /// What its digest would be if it were not sealed.
    open: Digest,
}

/// The sealed sets of a server, by the digest under which they are known outside.
#[derive(Debug, Default)]
pub struct Sets(BTreeMap<Digest, Arc<SealedSet>>);

/// A file that was to be sealed cannot be, so the server must not start: it might hand it out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file} cannot be sealed: {why}")]
pub struct CannotSeal {
    /// As the operator named it.
    pub file: String,
    pub why: String,
}

impl SealedSet {
    /// Whether the operator may open it to everyone: not if its file is encrypted, for then its text is shown nowhere in the
    /// clear.
    pub fn can_be_opened(&self) -> bool {
        self.file == TaskSetOrigin::Plain
    }
}

impl Sets {
    /// Reads the files that the configuration names, by path or by the name of a file in the task folders.
    ///
    /// # Errors
    /// The first that is not there, is no task file, or is of a benchmark that cannot be played over sealed tasks.
    pub fn read(config: &Config, seal: &Seal) -> Result<Self, CannotSeal> {
        let mut sets = BTreeMap::new();
        for named in &config.sealed {
            let cannot = |why: String| CannotSeal { file: named.display().to_string(), why };
            let files = files(config, named);
            if files.is_empty() {
                let why = "there is no such file, neither here nor in the task folders";
                return Err(cannot(why.to_owned()));
            }
            for (folder, path) in files {
                let (benchmark, tasks) = task_files::tasks_of(&folder, &path)
                    .ok_or_else(|| cannot("it holds no tasks of a known benchmark".to_owned()))?;
                let sealing = benchmark.sealing().ok_or_else(|| {
                    cannot(format!("{} cannot be played sealed", benchmark.title()))
                })?;
                if tasks.digest == benchmark.samples().digest {
                    return Err(cannot("everybody has the samples".to_owned()));
                }
                let (open, file) = (tasks.digest, tasks.origin.clone());
                let whole = seal.keep(tasks);
                let told = handed_out(sealing, &whole);
                let cover = cover(&whole);
                let set = SealedSet { benchmark, sealing, whole, told, cover, file, open };
                sets.insert(set.told.digest, Arc::new(set));
            }
        }
        Ok(Sets(sets))
    }

    /// The set that a spec names; `None` if it names none of them.
    pub fn of(&self, spec: &Spec) -> Option<Arc<SealedSet>> {
        let set = self.0.get(&spec.tasks.digest)?;
        (set.benchmark.name() == spec.benchmark).then(|| Arc::clone(set))
    }

    /// The set of that name.
    pub fn named(&self, name: &str) -> Option<Arc<SealedSet>> {
        let mut sets = self.0.values();
        sets.find(|set| set.told.name == name).cloned()
    }

    pub fn all(&self) -> impl Iterator<Item = &Arc<SealedSet>> {
        self.0.values()
    }

    /// Whether tasks with this digest, as an open set has it, are sealed here: another copy of the file must not be shown
    /// either.
    pub fn hides(&self, open: &Digest) -> bool {
        self.0.values().any(|set| set.open == *open)
    }
}

/// See [`SealedSet::cover`]. What is counted are bytes as JSON.
fn cover(set: &TaskSet) -> Task {
    let mut longest: BTreeMap<&str, usize> = BTreeMap::new();
    for (name, text) in set.tasks.iter().flat_map(|task| &task.fields) {
        let length = serde_json::to_string(text).expect("a text can be written as JSON").len();
        let known = longest.entry(name).or_default();
        *known = length.max(*known);
    }
    // A picture is covered by the largest of its field.
    let largest = |name: &str| {
        let texts = set.tasks.iter().filter_map(|task| task.field(name));
        let pictures = texts.filter_map(|text| text.parse::<PictureRef>().ok());
        pictures.max_by_key(PictureRef::most_tokens)
    };
    let filled = |(name, length): (&str, usize)| {
        if let Some(picture) = largest(name) {
            return (name.to_owned(), picture.to_string());
        }
        let length = length.max(SHORTEST_COVER).next_power_of_two();
        (name.to_owned(), "x".repeat(length))
    };
    Task {
        id: "cover".into(),
        digest: Digest::of("cover"),
        labels: BTreeMap::new(),
        fields: longest.into_iter().map(filled).collect(),
    }
}

/// The files that a name means, each with the folder in which it was looked for.
fn files(config: &Config, named: &Path) -> Vec<(PathBuf, PathBuf)> {
    if named.is_file() {
        let parent = named.parent().and_then(Path::parent);
        let folder = parent.unwrap_or(Path::new("")).to_owned();
        return vec![(folder, named.to_owned())];
    }
    let own = config.tasks();
    let folders = std::iter::once(&own).chain(&config.task_folders);
    let all = folders.flat_map(|folder| {
        let files = task_files::files(folder).into_iter();
        files.map(|path| (folder.clone(), path))
    });
    all.filter(|(_, path)| path.ends_with(named)).collect()
}
