//! Logs of Inspect: what is in one, or its samples as transcripts.

use std::fs::File;
use std::path::Path;

use turnwise_backend::run_folder::{self, at};
use turnwise_shared::benchmarks::inspect::number;
use turnwise_shared::exchange::inspect::NO_MODEL;
use turnwise_shared::exchange::inspect::archive::FileReader;
use turnwise_shared::exchange::inspect::import::{self, id};
use turnwise_shared::exchange::inspect::read::Log;

use crate::cli::Status;
use crate::cli::out::say;
use crate::cli::trouble::Trouble;

/// Prints what is in a log, from its header and summaries; no sample is read.
///
/// # Errors
/// If it is no log.
pub fn list(file: &Path) -> Result<Status, Trouble> {
    let log = open(file)?;
    let eval = &log.header.eval;
    say!("{}: {}, {}", file.display(), eval.task, log.header.status);
    if eval.model != NO_MODEL {
        say!("  model    {}", eval.model);
    }
    for role in eval.model_roles.iter().flatten() {
        say!(
            "  {:<8} {}",
            role.0,
            role.1["model"].as_str().unwrap_or("?")
        );
    }
    say!("  created  {}", eval.created);
    for scored in log
        .header
        .results
        .iter()
        .flat_map(|results| &results.scores)
    {
        let metrics: Vec<String> = scored
            .metrics
            .iter()
            .filter_map(|(name, metric)| Some(format!("{name} {}", metric.value?)))
            .collect();
        say!("  {:<8} {}", scored.name, metrics.join(", "));
    }
    let summaries = log
        .summaries()
        .map_err(|error| Trouble::with(file, error))?;
    say!("  samples  {}", summaries.len());
    for sample in &summaries {
        let scores: Vec<String> = sample
            .scores
            .iter()
            .flatten()
            .map(|(name, score)| match number(&score.value) {
                Some(number) => format!("{name} {number}"),
                None => format!("{name} {}", score.value),
            })
            .collect();
        let error = sample.error.as_deref().unwrap_or_default();
        say!(
            "    {} {} {}{error}",
            id(&sample.id),
            sample.epoch,
            scores.join(" ")
        );
    }
    Ok(Status::Done)
}

/// Writes the samples as transcripts, one after the other, so that only one is held.
///
/// # Errors
/// If it is no log, or a sample is not in order.
pub fn transcripts(file: &Path, out: &Path) -> Result<Status, Trouble> {
    let log = open(file)?;
    let spec = import::spec(&log.header);
    std::fs::create_dir_all(out).map_err(at(out))?;
    if !run_folder::transcript_files(out)?.is_empty() {
        return Err(Trouble::with(
            out,
            "there are transcripts in it already; name another folder",
        ));
    }
    let names = log.samples();
    if names.is_empty() {
        return Err(Trouble::with(file, "there are no samples in it"));
    }
    for name in &names {
        let sample = log
            .sample(name)
            .map_err(|error| Trouble::with(file, error))?;
        let imported = import::transcript(&spec, &sample);
        let path = out.join(imported.key.file_name());
        if path.exists() {
            return Err(Trouble::with(
                file,
                format!("{name} is the second sample with its id and epoch"),
            ));
        }
        let mut text = imported.lines.join("\n");
        text.push('\n');
        std::fs::write(&path, text).map_err(at(&path))?;
    }
    say!(
        "{}: {} episodes of {}",
        out.display(),
        names.len(),
        log.header.eval.task
    );
    Ok(Status::Done)
}

fn open(file: &Path) -> Result<Log<FileReader>, Trouble> {
    let opened = File::open(file).map_err(at(file))?;
    let length = opened.metadata().map_err(at(file))?.len();
    Log::open(FileReader::from(opened), length).map_err(|error| Trouble::with(file, error))
}
