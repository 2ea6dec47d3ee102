//! The task sets on the server: those that come with the benchmarks, those in the operator's folders, those that were
//! uploaded. Files stay as they are: what is encrypted is handed out encrypted, and no task text gets into the log.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::SystemTime;

use turnwise_shared::prelude::*;
use turnwise_shared::registry;
use turnwise_shared::wire::TaskSetInfo;
use turnwise_shared::wire::sealed::SealedTasks;

use crate::config::Config;
use crate::error::{Answer, Problem};
use crate::sealed::Sets;
use crate::store::Store;
use crate::task_files::{files, is_task_file, tasks_of};

/// The name of the task sets that come with the product.
pub const SAMPLES: &str = "samples";

pub const LARGEST: u64 = 64_000_000;

#[derive(Debug)]
pub struct TaskLibrary {
    own: PathBuf,
    /// Files are looked for here, in this order.
    folders: Vec<PathBuf>,
    /// What was found in files at their last look.
    seen: Mutex<BTreeMap<PathBuf, Seen>>,
    /// Of these only what is handed out is known here.
    sealed: Arc<Sets>,
    /// Sets whose pictures are in the database.
    with_pictures: Mutex<BTreeSet<Digest>>,
}

#[derive(Debug, Clone)]
struct Seen {
    stamp: Stamp,
    /// `None` if the file is no task file of any benchmark.
    info: Option<Arc<TaskSetInfo>>,
}

/// A task set in a file.
#[derive(Debug, Clone)]
pub struct LibrarySet {
    /// What may be shown of it.
    pub info: TaskSetInfo,
    /// Where it lies; absent for samples and for what is sealed.
    pub path: Option<PathBuf>,
    /// What tells its file from one that was put in its place; absent where the path is.
    pub stamp: Option<Stamp>,
}

/// When a file was changed last, and how many bytes it has.
pub type Stamp = (SystemTime, u64);

impl TaskLibrary {
    /// The library of a server.
    pub fn new(config: &Config, sealed: Arc<Sets>) -> Self {
        let own = config.tasks();
        let mut folders = vec![own.clone()];
        folders.extend(config.task_folders.iter().cloned());
        TaskLibrary {
            own,
            folders,
            seen: Mutex::default(),
            sealed,
            with_pictures: Mutex::default(),
        }
    }

    /// Every task set, samples first, then sealed ones, then files by folder and name. Of two files with one name the later gets a
    /// number. Copies of sealed files are passed over.
    /// It reads files, so it belongs on a thread that may wait.
    pub fn look(&self) -> Vec<LibrarySet> {
        let mut all = self.without_files();
        for folder in &self.folders {
            let mut files = files(folder);
            files.sort();
            for path in files {
                if let Some((info, stamp)) = self.look_into(folder, &path) {
                    if self.sealed.hides(&info.digest) {
                        continue;
                    }
                    let mut info = TaskSetInfo::clone(&info);
                    info.name = free_name(&all, &info.name);
                    all.push(LibrarySet { info, path: Some(path), stamp: Some(stamp) });
                }
            }
        }
        all
    }

    fn without_files(&self) -> Vec<LibrarySet> {
        static OF_SAMPLES: OnceLock<Vec<LibrarySet>> = OnceLock::new();
        let mut all = OF_SAMPLES.get_or_init(samples).clone();
        all.extend(self.sealed.all().map(|set| LibrarySet {
            info: describe(set.benchmark, &set.told),
            path: None,
            stamp: None,
        }));
        all
    }

    /// The set that a spec names as it lies here now. It reads files, so it belongs on a thread that may wait.
    pub fn find(&self, benchmark: &dyn Benchmark, wanted: &Named) -> Option<LibrarySet> {
        let is_wanted = |found: &LibrarySet| {
            found.info.benchmark == benchmark.name() && found.info.digest == wanted.digest
        };
        let known = self.without_files().into_iter().find(is_wanted);
        known.or_else(|| self.look().into_iter().find(is_wanted))
    }

    /// What is handed out of the sealed set of that name, if there is one.
    pub fn sealed(&self, name: &str) -> Option<SealedTasks> {
        let set = self.sealed.named(name)?;
        Some(SealedTasks::of(set.benchmark.name(), set.told.clone()))
    }

    /// The tasks of a spec as they may be played and read: the samples, a sealed set as it is handed out, or those of a file.
    /// It reads files, so it belongs on a thread that may wait.
    ///
    /// # Errors
    /// If the server has no such set.
    pub fn tasks(&self, benchmark: &dyn Benchmark, wanted: &Named) -> Answer<TaskSet> {
        let samples = benchmark.samples();
        if samples.digest == wanted.digest {
            return Ok(samples);
        }
        let mut sealed = self.sealed.all();
        if let Some(set) = sealed.find(|set| set.told.digest == wanted.digest) {
            return Ok(set.told.clone());
        }
        let found = self.find(benchmark, wanted);
        let Some((path, name)) = found.and_then(|found| Some((found.path?, found.info.name)))
        else {
            return Err(Problem::unfit("The server has no such set of tasks")
                .mend("Upload the task file first."));
        };
        let bytes = std::fs::read(path).map_err(Problem::internal)?;
        benchmark.read_tasks(&name, &bytes).map_err(|bad| Problem::unfit(bad.message))
    }

    /// Keeps the pictures of the tasks of a spec, sealed ones too, for the calls of its runs. Of each set this is done once.
    ///
    /// # Errors
    /// If they cannot be read or kept.
    pub async fn keep_pictures(self: &Arc<Self>, spec: &Spec, store: &Store) -> Answer<()> {
        let kept = || self.with_pictures.lock().unwrap_or_else(|broken| broken.into_inner());
        let wanted = spec.tasks.clone();
        if kept().contains(&wanted.digest) {
            return Ok(());
        }
        let pictures = match (self.sealed.of(spec), registry::find(&spec.benchmark)) {
            (Some(set), _) => set.whole.pictures.clone(),
            (None, Ok(benchmark)) if benchmark.reads_tasks() => {
                let (library, wanted) = (Arc::clone(self), wanted.clone());
                let found = tokio::task::spawn_blocking(move || library.tasks(benchmark, &wanted));
                found.await.map_err(Problem::internal)??.pictures
            }
            _ => BTreeMap::new(),
        };
        for png in pictures.values() {
            store.keep_picture(png).await?;
        }
        kept().insert(wanted.digest);
        Ok(())
    }

    fn look_into(&self, folder: &Path, path: &Path) -> Option<(Arc<TaskSetInfo>, Stamp)> {
        let about = std::fs::metadata(path).ok()?;
        let stamp = (about.modified().ok()?, about.len());
        if about.len() > LARGEST {
            return None;
        }
        let lock = || self.seen.lock().unwrap_or_else(|broken| broken.into_inner());
        if let Some(seen) = lock().get(path)
            && seen.stamp == stamp
        {
            return Some((seen.info.clone()?, stamp));
        }
        let info =
            tasks_of(folder, path).map(|(benchmark, tasks)| Arc::new(describe(benchmark, &tasks)));
        let seen = Seen { stamp, info: info.clone() };
        lock().insert(path.to_owned(), seen);
        Some((info?, stamp))
    }

    /// Stores a task file after checking it, under a name that is safe for a file. The same file twice is stored once.
    ///
    /// # Errors
    /// If it is no task file of that benchmark (with row and field), or another file has the name.
    pub fn store(&self, benchmark: &str, name: &str, bytes: &[u8]) -> Answer<TaskSetInfo> {
        let benchmark = registry::find(benchmark).map_err(|bad| Problem::unfit(bad.problem))?;
        let name = safe_name(name)?;
        let tasks =
            benchmark.read_tasks(&name, bytes).map_err(|bad| Problem::unfit(bad.message))?;
        let info = describe(benchmark, &tasks);
        if self.sealed.named(&name).is_some() {
            return Err(Problem::conflict(format!("A sealed set of tasks is named {name}."))
                .mend("Give the file another name."));
        }
        let folder = self.own.join(benchmark.name());
        let path = folder.join(&name);
        match std::fs::read(&path) {
            Ok(there) if there == bytes => return Ok(info),
            Ok(_) => {
                return Err(Problem::conflict(format!(
                    "There is another file named {name} on the server."
                ))
                .mend("Give the file another name."));
            }
            Err(_) => {}
        }
        let draft = folder.join(format!(".{name}.draft"));
        std::fs::create_dir_all(&folder)
            .and_then(|()| std::fs::write(&draft, bytes))
            .and_then(|()| std::fs::rename(&draft, &path))
            .map_err(Problem::internal)?;
        Ok(info)
    }
}

/// A file's name without anything that leads out of its folder or hides it; other signs become `_`.
fn safe_name(name: &str) -> Answer<String> {
    let safe: String =
        name.chars()
            .map(|character| {
                if character.is_alphanumeric() || "-_.".contains(character) {
                    character
                } else {
                    '_'
                }
            })
            .collect();
    let safe = safe.trim_start_matches('.');
    if !is_task_file(Path::new(safe)) || safe.len() > 120 {
        return Err(Problem::bad_request(
            "A task file's name ends in .jsonl, .json or .zip and has at most 120 bytes.",
        ));
    }
    Ok(safe.to_owned())
}

fn samples() -> Vec<LibrarySet> {
    let of_files =
        BENCHMARKS.iter().filter(|benchmark| benchmark.task_source() == TaskSource::File);
    let described = of_files.map(|benchmark| LibrarySet {
        info: TaskSetInfo {
            name: SAMPLES.to_owned(),
            ..describe(*benchmark, &benchmark.samples())
        },
        path: None,
        stamp: None,
    });
    described.collect()
}

fn describe(benchmark: &dyn Benchmark, tasks: &TaskSet) -> TaskSetInfo {
    let mut labels: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
    for task in &tasks.tasks {
        for (label, value) in &task.labels {
            let values = labels.entry(label.clone()).or_default();
            *values.entry(value.clone()).or_default() += 1;
        }
    }
    TaskSetInfo {
        name: tasks.name.clone(),
        benchmark: benchmark.name().to_owned(),
        digest: tasks.digest,
        count: tasks.tasks.len(),
        labels,
        encrypted: matches!(tasks.origin, TaskSetOrigin::Encrypted { .. }),
        sealed: tasks.origin == TaskSetOrigin::Sealed,
        opened: None,
    }
}

fn free_name(taken: &[LibrarySet], name: &str) -> String {
    let is_taken = |name: &str| taken.iter().any(|found| found.info.name == name);
    if !is_taken(name) {
        return name.to_owned();
    }
    (2_u32..)
        .map(|number| format!("{name} ({number})"))
        .find(|name| !is_taken(name))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use turnwise_shared::examples::QUESTIONS;

    use super::*;
    use crate::config::{Environment, Given};

    fn library(folder: &Path) -> TaskLibrary {
        let given = Given { addr: None, data: Some(folder.to_path_buf()) };
        let config = Config::load(given, &Environment::default()).expect("it is sound");
        TaskLibrary::new(&config, Arc::default())
    }

    fn tasks() -> Vec<u8> {
        let row = |id: u32| {
            serde_json::json!({
                "id": id, "domain": "Made up", "question": "Which one?", "context": "The green one.", "answer": "Green",
            })
            .to_string()
        };
        format!("{}\n{}\n", row(1), row(2)).into_bytes()
    }

    fn with_files() -> usize {
        BENCHMARKS.iter().filter(|benchmark| benchmark.task_source() == TaskSource::File).count()
    }

    #[test]
    fn samples_are_always_there() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let found = library(folder.path()).look();
        assert_eq!(found.len(), with_files());
        assert!(found.iter().all(|found| found.info.name == SAMPLES && found.info.count >= 5));
    }

    #[test]
    fn an_upload_is_found_and_stored_once() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let library = library(folder.path());
        let stored = library.store(QUESTIONS, "../my tasks.jsonl", &tasks()).expect("it is sound");
        assert_eq!((stored.count, stored.encrypted), (2, false));
        assert_eq!(stored.name, "_my_tasks.jsonl");
        let again =
            library.store(QUESTIONS, "../my tasks.jsonl", &tasks()).expect("it is the same");
        assert_eq!(again, stored);
        let found = library.look();
        let found = found.iter().find(|found| found.info == stored).expect("it is listed");
        let path = found.path.as_ref().expect("it is a file");
        assert!(path.starts_with(folder.path().join("tasks").join(QUESTIONS)));
        assert_eq!(std::fs::read(path).expect("it reads"), tasks());
    }

    #[test]
    fn what_is_no_task_file_is_refused_and_not_listed() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let library = library(folder.path());
        let refused = |name: &str, bytes: &[u8]| {
            library.store(QUESTIONS, name, bytes).expect_err("it is refused").error.code
        };
        assert_eq!(refused("a.jsonl", b"not tasks"), "unfit");
        assert_eq!(refused("a.exe", &tasks()), "bad_request");
        assert_eq!(refused("..", &tasks()), "bad_request");
        library.store(QUESTIONS, "a.jsonl", &tasks()).expect("it is sound");
        let mut other = tasks();
        other.truncate(other.len() / 2);
        assert_eq!(refused("a.jsonl", &other), "conflict");
        let missing = library.store("nothing", "a.jsonl", &tasks()).expect_err("no such benchmark");
        assert!(missing.error.message.contains(QUESTIONS), "{missing}");
        std::fs::write(folder.path().join("tasks/b.jsonl"), "{}").expect("it writes");
        assert_eq!(library.look().len(), with_files() + 1);
    }
}
