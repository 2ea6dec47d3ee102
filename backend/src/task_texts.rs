//! What the tasks of a run ask and what is right, beside its summaries. Stored summaries are made of transcripts alone, which do not
//! have these texts; they are added when summaries are sent, and only of sets that are plain here and now.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use turnwise_shared::benchmark::{Benchmark, TaskSource};
use turnwise_shared::hash::Digest;
use turnwise_shared::metrics::summary::Summary;
use turnwise_shared::registry;
use turnwise_shared::spec::Spec;
use turnwise_shared::sweep::{self, Point};
use turnwise_shared::task::TaskId;
use turnwise_shared::task_texts::TaskTexts;

use crate::App;

/// How many sets of tasks are kept.
const KEPT: usize = 8;

type Known = Arc<BTreeMap<TaskId, TaskTexts>>;

/// The texts of the tasks of one run.
#[derive(Default)]
pub struct RunTexts {
    by_task: Known,
    points: Vec<Point>,
}

impl RunTexts {
    /// Those of a spec; none if the set of its tasks is not at hand, sealed or encrypted.
    pub async fn of(app: &App, spec: &Spec) -> Self {
        let Ok(benchmark) = registry::find(&spec.benchmark) else {
            return RunTexts::default();
        };
        if benchmark.task_source() == TaskSource::Spec {
            return RunTexts::default();
        }
        RunTexts {
            by_task: known(app, benchmark, spec).await,
            points: benchmark.points(spec),
        }
    }

    /// Whether there is nothing to add.
    pub fn is_empty(&self) -> bool {
        self.by_task.is_empty()
    }

    /// Adds them to a summary.
    pub fn add_to(&self, summary: &mut Summary) {
        let id = sweep::original(&self.points, &summary.task.id);
        if let Some(texts) = self.by_task.get(&id) {
            summary.add_texts(texts.clone());
        }
    }
}

async fn known(app: &App, benchmark: &'static dyn Benchmark, spec: &Spec) -> Known {
    /// By the digest of the set, whose content it follows from.
    static KNOWN: Mutex<BTreeMap<(&'static str, Digest), Known>> = Mutex::new(BTreeMap::new());
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (benchmark.name(), spec.tasks.digest);
    if let Some(texts) = known().get(&key) {
        return Arc::clone(texts);
    }
    let Ok(set) = app.tasks(benchmark, &spec.tasks).await else {
        return Known::default();
    };
    let texts = set.tasks.iter().map(|task| {
        let texts = TaskTexts::of(benchmark, task, &set.origin);
        (task.id.clone(), texts)
    });
    let all = texts.filter(|(_, texts)| *texts != TaskTexts::default());
    let texts = Arc::new(all.collect());
    let mut known = known();
    if known.len() >= KEPT {
        known.clear();
    }
    known.insert(key, Arc::clone(&texts));
    texts
}
