//! The formats that benchmarks declare.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use turnwise_backend::run_folder::{self, at};
use turnwise_shared::formats::{Exporter, KEPT_FILE, PlayedRun, Write};
use turnwise_shared::prelude::*;
use turnwise_shared::task::Point;

use super::run;
use crate::cli::Status;
use crate::cli::files::{self, Named};
use crate::cli::import;
use crate::cli::out::{say, say_err};
use crate::cli::tasks::Tasks;
use crate::cli::trouble::with_path;

/// Writes transcripts of a benchmark in a format of its own.
///
/// # Errors
/// If a transcript is not sound or of another benchmark, a task is not at hand, or a file cannot be written.
pub fn write(
    benchmark: &'static dyn Benchmark,
    exporter: &Exporter,
    paths: &[PathBuf],
    out: &Path,
    tasks: Option<&Path>,
) -> Result<Status> {
    let source = Source { benchmark, exporter };
    let write = match exporter.write {
        Write::File(write) => write,
        Write::Folder { what, files } => return source.folder(paths, out, what, files),
    };
    let given = tasks.map(|path| Tasks::load(benchmark, Some(path))).transpose()?;
    let runs: Vec<PlayedRun> = files::find(paths)?
        .into_iter()
        .map(|named| source.read(named, given.as_ref()))
        .collect::<Result<_, _>>()?;
    let points = match &runs[..] {
        [run] if run.kept.is_none() => benchmark.points(run.spec()?),
        _ => Vec::new(),
    };
    let written = |runs: &[PlayedRun], out: &Path| {
        let export = write(runs)?;
        std::fs::write(out, &export.bytes).map_err(at(out))?;
        let remarks = export.remarks.iter();
        remarks.for_each(|remark| say_err!("{remark}"));
        say!("{} written to {}", export.said, out.display());
        Ok(Status::Done)
    };
    let [swept] = &runs[..] else {
        return written(&runs, out);
    };
    if points.is_empty() {
        return written(&runs, out);
    }
    // A file for each value of a sweep.
    for (point, run) in points.iter().zip(swept.at_values(&points)) {
        written(&[run], &beside(out, point))?;
    }
    Ok(Status::Done)
}

/// The place of the part of a file that is of one value of a sweep: `mine.json` becomes `mine-b5.json`.
fn beside(out: &Path, point: &Point) -> PathBuf {
    let mut name = out.file_stem().unwrap_or_default().to_owned();
    name.push(format!("-{}{}", point.mark, point.value));
    if let Some(ending) = out.extension() {
        name.push(".");
        name.push(ending);
    }
    out.with_file_name(name)
}

#[derive(Clone, Copy)]
struct Source<'a> {
    benchmark: &'static dyn Benchmark,
    exporter: &'a Exporter,
}

impl Source<'_> {
    fn read(self, named: Named, given: Option<&Tasks>) -> Result<PlayedRun> {
        let folder = &named.folder;
        let mut run = PlayedRun {
            folder: folder.display().to_string(),
            kept: None,
            plays: Vec::new(),
            tasks: Vec::new(),
            pack: None,
        };
        let kept = folder.join(KEPT_FILE);
        if kept.is_file() {
            // What was imported goes out as it came in; that it is of this benchmark, its first transcript says.
            if let Some(file) = named.files.first() {
                self.check_name(file, &run_folder::read_transcript(file)?)?;
            }
            run.kept = Some(import::read(&kept)?);
            return Ok(run);
        }
        run.tasks.extend(given.map(|tasks| tasks.set.clone()));
        if let Some(file) = run_folder::run_file(folder)?
            && let Some(tasks) = Tasks::of_folder(self.benchmark, folder, &file.tasks, &file.spec)?
        {
            run.tasks.push(tasks.set);
        }
        run.tasks.push(self.benchmark.samples());
        run.pack = run_folder::pack_file(folder)?;
        run.plays = run::played(named.files, |file, transcript| {
            self.check_name(file, transcript)?;
            match transcript.header.origin {
                Origin::Imported => Err(with_path(
                    file,
                    format!("it was imported, and the file {KEPT_FILE} that belongs to it is gone"),
                )),
                _ => Ok(()),
            }
        })?;
        Ok(run)
    }

    /// Writes the files of one episode after the other.
    fn folder(
        self,
        paths: &[PathBuf],
        out: &Path,
        what: &str,
        files: fn(&Transcript) -> Vec<(String, String)>,
    ) -> Result<Status> {
        let mut written = HashSet::new();
        for file in files::find(paths)?.into_iter().flat_map(|named| named.files) {
            let transcript = run_folder::read_transcript(&file)?;
            self.check_name(&file, &transcript)?;
            if transcript.header.part != Part::Play {
                continue;
            }
            for (name, text) in files(&transcript) {
                if written.is_empty() {
                    std::fs::create_dir_all(out).map_err(at(out))?;
                }
                let path = out.join(&name);
                if !written.insert(name) {
                    return Err(with_path(
                        &file,
                        format!(
                            "another transcript of the same episode was written as {}; export each run into a folder of its own",
                            path.display()
                        ),
                    ));
                }
                std::fs::write(&path, text).map_err(at(&path))?;
            }
        }
        if written.is_empty() {
            bail!("there are no finished {what} in these transcripts");
        }
        say!("{} {what} written to {}", written.len(), out.display());
        Ok(Status::Done)
    }

    fn check_name(self, file: &Path, transcript: &Transcript) -> Result<()> {
        let found = &transcript.header.spec.benchmark;
        if *found == self.benchmark.name() {
            return Ok(());
        }
        Err(with_path(
            file,
            format!(
                "it is a transcript of {found}; --format {} is of {} alone",
                self.exporter.name,
                self.benchmark.name()
            ),
        ))
    }
}
