//! What the tasks of a run ask and what is right, beside its summaries, and how its set of tasks is kept. Stored summaries are made of
//! transcripts alone, which do not have these texts; they are added when summaries are sent, and only of sets that are plain here and now.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use turnwise_shared::prelude::*;
use turnwise_shared::task::Point;
use turnwise_shared::task_texts::TaskTexts;

use crate::App;
use crate::task_library::{Stamp, TaskLibrary};

/// How many sets of tasks are kept.
const KEPT: usize = 8;

/// A set of tasks as it lies on the server.
#[derive(Default)]
pub struct KnownSet {
    /// How it is kept; `None` if it is not at hand.
    pub origin: Option<TaskSetOrigin>,
    by_task: BTreeMap<TaskId, TaskTexts>,
}

/// The texts of the tasks of one run.
#[derive(Default)]
pub struct RunTexts {
    set: Arc<KnownSet>,
    points: Vec<Point>,
}

impl KnownSet {
    /// The set of a spec, as it lies there now. Tasks that follow from the spec are plain and have no texts.
    pub async fn of(app: &App, spec: &Spec) -> Arc<Self> {
        let Ok(benchmark) = registry::find(&spec.benchmark) else {
            return Arc::default();
        };
        if benchmark.task_source() == TaskSource::Spec {
            return Arc::new(KnownSet {
                origin: Some(TaskSetOrigin::Plain),
                ..KnownSet::default()
            });
        }
        let (library, tasks) = (app.task_library(), spec.tasks.clone());
        let known = tokio::task::spawn_blocking(move || known(&library, benchmark, &tasks));
        known.await.ok().flatten().unwrap_or_default()
    }
}

impl RunTexts {
    /// Those of a spec; none if the set of its tasks is not at hand, sealed or encrypted.
    pub async fn of(app: &App, spec: &Spec) -> Self {
        let benchmark = registry::find(&spec.benchmark);
        RunTexts {
            set: KnownSet::of(app, spec).await,
            points: benchmark.map_or_else(|_| Vec::new(), |benchmark| benchmark.points(spec)),
        }
    }

    /// Whether there is nothing to add.
    pub fn is_empty(&self) -> bool {
        self.set.by_task.is_empty()
    }

    /// Adds them to a summary.
    pub fn add_to(&self, summary: &mut Summary) {
        let id = Point::unplaced(&self.points, &summary.task.id);
        if let Some(texts) = self.set.by_task.get(&id) {
            summary.add_texts(texts.clone());
        }
    }
}

/// Reads files, so it belongs on a thread that may wait.
fn known(
    library: &TaskLibrary,
    benchmark: &'static dyn Benchmark,
    wanted: &Named,
) -> Option<Arc<KnownSet>> {
    /// A plain file and an encrypted one have the same digest, so the file counts as well.
    type Key = (&'static str, Digest, Option<PathBuf>, Option<Stamp>);
    static KNOWN: Mutex<BTreeMap<Key, Arc<KnownSet>>> = Mutex::new(BTreeMap::new());
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let found = library.find(benchmark, wanted)?;
    let key = (benchmark.name(), wanted.digest, found.path, found.stamp);
    if let Some(set) = known().get(&key) {
        return Some(Arc::clone(set));
    }
    let set = library.tasks(benchmark, wanted).ok()?;
    let texts = set.tasks.iter().map(|task| {
        let texts = TaskTexts::of(benchmark, task, &set.origin);
        (task.id.clone(), texts)
    });
    let all = texts.filter(|(_, texts)| *texts != TaskTexts::default());
    let set = Arc::new(KnownSet { by_task: all.collect(), origin: Some(set.origin.clone()) });
    let mut known = known();
    if known.len() >= KEPT {
        known.clear();
    }
    known.insert(key, Arc::clone(&set));
    Some(set)
}

#[cfg(test)]
mod tests {
    use turnwise_made_up::{encrypted_tasks, made_up_tasks};
    use turnwise_shared::examples::{QUESTIONS, example};

    use super::*;
    use crate::config::{Config, Environment, Given};

    #[test]
    fn a_plain_file_that_is_encrypted_or_removed_is_not_told_from_memory() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let given = Given { addr: None, data: Some(folder.path().to_path_buf()) };
        let config = Config::load(given, &Environment::default()).expect("it is sound");
        let library = TaskLibrary::new(&config, Arc::default());
        let benchmark = example(QUESTIONS);
        let plain = made_up_tasks(3, 20_261_126);
        let stored = library.store(QUESTIONS, "a.jsonl", plain.as_bytes()).expect("it is sound");
        let wanted = Named { name: stored.name, digest: stored.digest };
        let now = || known(&library, benchmark, &wanted);
        let set = now().expect("it is there");
        assert_eq!(set.origin, Some(TaskSetOrigin::Plain));
        assert_eq!(set.by_task.len(), 3);
        assert!(Arc::ptr_eq(&set, &now().expect("it is kept")));

        let path = folder.path().join("tasks").join(QUESTIONS).join("a.jsonl");
        let encrypted = encrypted_tasks(3, 20_261_126, "a canary");
        std::fs::write(&path, encrypted).expect("it writes");
        let set = now().expect("it has the same digest");
        assert!(matches!(set.origin, Some(TaskSetOrigin::Encrypted { .. })));
        assert!(set.by_task.is_empty());

        std::fs::write(&path, plain).expect("it writes");
        assert_eq!(now().expect("it is there").by_task.len(), 3);
        std::fs::remove_file(path).expect("it is there");
        assert!(now().is_none());
    }
}
