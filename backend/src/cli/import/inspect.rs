//! Logs of Inspect: what is in one, or its samples as transcripts.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use anyhow::Result;

use turnwise_backend::run_folder::{at, must_be_file};
use turnwise_shared::benchmarks::inspect::number;
use turnwise_shared::exchange::inspect::NO_MODEL;
use turnwise_shared::exchange::inspect::archive::{FileReader, ReaderAt};
use turnwise_shared::exchange::inspect::import::{self, Doubts, Origins, id};
use turnwise_shared::exchange::inspect::own::{self, OwnRun};
use turnwise_shared::exchange::inspect::read::{BadLog, Log, archived};
use turnwise_shared::key::EpisodeKey;
use turnwise_shared::registry;

use crate::cli::Status;
use crate::cli::import::new_folder::NewFolder;
use crate::cli::out::{say, say_err};
use crate::cli::trouble::with_path;

/// Prints what is in a log, from its header and summaries; no sample is read.
///
/// # Errors
/// If it is no log.
pub fn list(file: &Path) -> Result<Status> {
    match json(file)? {
        Some(log) => list_of(&log, file),
        None => list_of(&open(file)?, file),
    }
}

fn list_of<R: ReaderAt>(log: &Log<R>, file: &Path) -> Result<Status> {
    let eval = &log.header.eval;
    say!("{}: {}, {}", file.display(), eval.task, log.header.status);
    if eval.model != NO_MODEL {
        say!("  model    {}", eval.model);
    }
    for role in eval.model_roles.iter().flatten() {
        say!("  {:<8} {}", role.0, role.1["model"].as_str().unwrap_or("?"));
    }
    say!("  created  {}", eval.created);
    for scored in log.header.results.iter().flat_map(|results| &results.scores) {
        let metrics: Vec<String> = scored
            .metrics
            .iter()
            .filter_map(|(name, metric)| Some(format!("{name} {}", metric.value?)))
            .collect();
        say!("  {:<8} {}", scored.name, metrics.join(", "));
    }
    let summaries = log.summaries().map_err(|error| with_path(file, error))?;
    say_contradictions(log, file)?;
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
        let error = sample.error.as_ref().map_or("", |error| &error.message);
        say!("    {} {} {}{error}", id(&sample.id), sample.epoch, scores.join(" "));
    }
    Ok(Status::Done)
}

/// Writes the samples as transcripts, one after the other, so that only one is held.
///
/// # Errors
/// If it is no log, or a sample is not in order.
pub fn transcripts(file: &Path, out: &Path) -> Result<Status> {
    match json(file)? {
        Some(log) => transcripts_of(&log, file, out),
        None => transcripts_of(&open(file)?, file, out),
    }
}

fn transcripts_of<R: ReaderAt>(log: &Log<R>, file: &Path, out: &Path) -> Result<Status> {
    if let Some(run) = own::run(&log.header) {
        match run.map_err(|why| why.to_string()).and_then(|run| {
            let all = restored(log, &run)?;
            Ok((run, all))
        }) {
            Ok((run, all)) => return write_back(out, &run, &all),
            Err(why) => say_err!(
                "{}: Turnwise wrote this log, but {why}; it is imported as a log of Inspect, which is never verified",
                file.display()
            ),
        }
    }
    let spec = import::spec(&log.header);
    let folder = NewFolder::new(out)?;
    let names = log.samples();
    if names.is_empty() {
        return Err(with_path(file, "there are no samples in it"));
    }
    say_contradictions(log, file)?;
    let mut doubts = Doubts::default();
    let mut origins = Origins::default();
    for name in &names {
        let sample = log.sample(name).map_err(|error| with_path(file, error))?;
        let imported = import::transcript(&spec, &sample);
        origins.add(name, &sample, &imported).map_err(|error| with_path(file, error))?;
        if let Some(sentence) = imported.doubts.sentence() {
            say_err!("{name}: {sentence}");
        }
        doubts += imported.doubts;
        folder.transcript(&imported.key, &imported.lines)?;
    }
    folder.finish()?;
    if let Some(sentence) = doubts.sentence().filter(|_| names.len() > 1) {
        say_err!("{}: in all, {sentence}", file.display());
    }
    say!("{}: {} episodes of {}", out.display(), names.len(), log.header.eval.task);
    Ok(Status::Done)
}

/// The transcripts of a log that this program wrote, byte for byte.
fn restored<R: ReaderAt>(
    log: &Log<R>,
    run: &OwnRun,
) -> Result<BTreeMap<EpisodeKey, String>, String> {
    let benchmark = registry::find(&run.spec.benchmark).map_err(|bad| bad.to_string())?;
    let text = |bad: BadLog| bad.to_string();
    if let Some(found) = log.contradictions().map_err(text)?.into_iter().next() {
        return Err(found);
    }
    let mut all = BTreeMap::new();
    for name in log.samples() {
        let sample = log.sample(&name).map_err(text)?;
        let found = own::transcripts(run, benchmark, &sample).map_err(|why| why.to_string())?;
        for (key, text) in found {
            if all.insert(key.clone(), text).is_some() {
                return Err(format!("the episode {key} is in it twice"));
            }
        }
    }
    match all.is_empty() {
        true => Err("there are no samples in it".to_owned()),
        false => Ok(all),
    }
}

fn write_back(out: &Path, run: &OwnRun, all: &BTreeMap<EpisodeKey, String>) -> Result<Status> {
    let folder = NewFolder::new(out)?;
    for (key, text) in all {
        folder.file(&key.file_name(), text.as_bytes())?;
    }
    folder.finish()?;
    let name = match run.title.as_str() {
        "" => "the run",
        title => title,
    };
    say!("{}: {name}, {} transcripts as Turnwise recorded them", out.display(), all.len());
    Ok(Status::Done)
}

fn say_contradictions<R: ReaderAt>(log: &Log<R>, file: &Path) -> Result<()> {
    let found = log.contradictions().map_err(|error| with_path(file, error))?;
    for sentence in found {
        say_err!("{}: {sentence}", file.display());
    }
    Ok(())
}

/// A log that is one JSON file; `None` for an archive, of which no more than a sample is held at a time.
fn json(file: &Path) -> Result<Option<Log<Vec<u8>>>> {
    let mut first = [0];
    must_be_file(file).map_err(at(file))?;
    let mut opened = File::open(file).map_err(at(file))?;
    let count = opened.read(&mut first).map_err(at(file))?;
    if count == 0 || first == *b"P" {
        return Ok(None);
    }
    let bad = |error: BadLog| with_path(file, error);
    let bytes = archived(std::fs::read(file).map_err(at(file))?).map_err(bad)?;
    let length = bytes.len() as u64;
    Log::open(bytes, length).map(Some).map_err(bad)
}

fn open(file: &Path) -> Result<Log<FileReader>> {
    let opened = File::open(file).map_err(at(file))?;
    let length = opened.metadata().map_err(at(file))?.len();
    Log::open(FileReader::from(opened), length).map_err(|error| with_path(file, error))
}
