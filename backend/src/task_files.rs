//! Task files in folders: where they are, and of which benchmark they are.

use std::path::{Path, PathBuf};

use turnwise_shared::prelude::*;

/// How many folders deep files are looked for.
const DEPTH: usize = 3;

/// The task files in a folder and those below it.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    walk(folder, DEPTH, &mut files);
    files
}

fn walk(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
        match entry.file_type() {
            _ if is_hidden => {}
            Ok(kind) if kind.is_dir() && depth > 0 => walk(&path, depth - 1, files),
            Ok(kind) if kind.is_file() && is_task_file(&path) => files.push(path),
            _ => {}
        }
    }
}

/// Whether a file's name is that of a task file.
pub fn is_task_file(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ["jsonl", "json", "zip"].iter().any(|one| ending == *one))
}

/// Reads a file as tasks of the benchmark whose name a folder between it and `folder` has, else of the first that can read
/// it.
pub fn tasks_of(folder: &Path, path: &Path) -> Option<(&'static dyn Benchmark, TaskSet)> {
    let inside = path.strip_prefix(folder).unwrap_or(path);
    let named = |benchmark: &dyn Benchmark| inside.iter().any(|part| part == benchmark.name());
    let name = path.file_name()?.to_string_lossy();
    let bytes = std::fs::read(path).ok()?;
    let fits = BENCHMARKS
        .iter()
        .filter(|benchmark| named(**benchmark) || !BENCHMARKS.iter().any(|other| named(*other)));
    for benchmark in fits {
        if let Ok(tasks) = benchmark.read_tasks(&name, &bytes) {
            return Some((*benchmark, tasks));
        }
    }
    // Why it cannot be read may repeat what is in it, so only the name is written down.
    tracing::info!(file = %inside.display(), "this file holds no tasks of a known benchmark");
    None
}
