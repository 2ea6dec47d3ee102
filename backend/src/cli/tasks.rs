//! Sets of tasks for the command line: a file, the built-in samples, or the copy in a run's folder.

use std::path::Path;

use anyhow::Result;

use turnwise_backend::run_folder::{self, TasksFile};
use turnwise_shared::prelude::*;
use turnwise_shared::wire::sealed::SealedTasks;

use super::trouble::with_path;

/// What the built-in samples are called in `run.json`.
const SAMPLES: &str = "samples";

/// A set of tasks and the file it came from.
#[derive(Debug)]
pub struct Tasks {
    pub set: TaskSet,
    /// The file's name and digest.
    pub file: TasksFile,
    /// The file's bytes as they were given; `None` for the samples.
    pub bytes: Option<Vec<u8>>,
}

impl Tasks {
    /// The tasks of a file, or the samples that come with the program.
    ///
    /// # Errors
    /// If the file cannot be read or is not one of tasks.
    pub fn load(benchmark: &dyn Benchmark, path: Option<&Path>) -> Result<Self> {
        let Some(path) = path else {
            return Ok(Tasks::samples(benchmark));
        };
        let bytes = run_folder::read_file(path).map_err(|error| with_path(path, error))?;
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        Tasks::read(benchmark, name, bytes)
    }

    /// The tasks of a run that was begun; `None` if its folder has no copy of them.
    ///
    /// # Errors
    /// If the copy cannot be read.
    pub fn of_folder(
        benchmark: &dyn Benchmark,
        folder: &Path,
        file: &TasksFile,
        spec: &Spec,
    ) -> Result<Option<Self>> {
        if benchmark.task_source() == TaskSource::Spec {
            return Ok(Some(Tasks::planned(benchmark, spec)?));
        }
        let Some(expected) = file.bytes else {
            return Ok((file.name == SAMPLES).then(|| Tasks::samples(benchmark)));
        };
        let Some(bytes) = run_folder::tasks_file(folder)? else {
            return Ok(None);
        };
        let path = folder.join(run_folder::TASKS_FILE);
        if Digest::of(&bytes) != expected {
            return Err(with_path(
                &path,
                "its bytes are not those of the run (the digest in run.json differs)",
            ));
        }
        Tasks::read(benchmark, file.name.clone(), bytes).map(Some)
    }

    /// The tasks that follow from a spec.
    ///
    /// # Errors
    /// If the spec cannot be played.
    pub fn planned(benchmark: &dyn Benchmark, spec: &Spec) -> Result<Self, BadSpec> {
        let set = benchmark.plan(spec)?;
        Ok(Tasks { file: TasksFile { name: set.name.clone(), bytes: None }, set, bytes: None })
    }

    /// Whose tasks a file has, where the digest of the authors' file is known.
    pub fn provenance(&self, benchmark: &dyn Benchmark) -> Option<String> {
        benchmark.provenance(self.bytes.as_ref()?)
    }

    fn samples(benchmark: &dyn Benchmark) -> Self {
        Tasks {
            set: benchmark.samples(),
            file: TasksFile { name: SAMPLES.to_owned(), bytes: None },
            bytes: None,
        }
    }

    fn read(benchmark: &dyn Benchmark, name: String, bytes: Vec<u8>) -> Result<Self> {
        // What a server hands out of a sealed set is enough to replay its runs.
        let handed_out = SealedTasks::read(&bytes).filter(|set| set.benchmark == benchmark.name());
        let set = match handed_out {
            Some(sealed) => sealed.into_set(&name),
            None => benchmark.read_tasks(&name, &bytes)?,
        };
        Ok(Tasks {
            set,
            file: TasksFile { name, bytes: Some(Digest::of(&bytes)) },
            bytes: Some(bytes),
        })
    }
}
