//! `turnwise import`: other systems' files in, ours out.

mod flags;
mod inspect;
mod new_folder;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};

use turnwise_backend::run_folder::{at, read_file};
use turnwise_shared::exchange::bundle;
use turnwise_shared::formats::{BadFile, File, Given, Importer, KEPT_FILE, Read};
use turnwise_shared::prelude::*;

use flags::Beside;
use new_folder::NewFolder;

use super::Status;
use super::out::{self, say, say_err};
use super::trouble::with_path;

/// Bring in files of other systems
///
/// Files of tasks, results and logs of Inspect become ours, and a run that a page saved becomes a folder again; some logs are only
/// summed up on stdout.
#[derive(Debug, Args)]
pub struct Arguments {
    /// What the file is
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    format: String,

    #[arg(required = true, value_name = "FILE", help = format!("The file; of {} several", summed()))]
    files: Vec<PathBuf>,

    #[arg(long, help = format!("{}: print JSON for programs. Rates are fractions from 0 to 1", summed()))]
    json: bool,

    #[arg(
        long,
        value_name = "PATH",
        help = format!(
            "Where to write, a file for tasks, a folder for results, logs and transcripts; {} writes nothing",
            summed()
        )
    )]
    out: Option<PathBuf>,

    #[command(flatten)]
    beside: Beside,
}

/// Logs of Inspect, of any task.
const INSPECT: (&str, &str) = (
    "inspect",
    "A log of Inspect (.eval) of any task: writes transcripts that `turnwise metrics` and `turnwise export` read, marked as \
     imported. Without --out it tells what is in the log, from its header and summaries",
);

/// What a page saved of a run.
const TRANSCRIPTS: (&str, &str) = (
    "transcripts",
    "All transcripts of a run in one file, as its page saves them (Transcripts): writes them out as they were, for `turnwise \
     metrics`, `turnwise replay` and `turnwise export`",
);

/// The formats that benchmarks declare.
fn importers() -> impl Iterator<Item = &'static Importer> {
    BENCHMARKS.iter().flat_map(|benchmark| benchmark.formats().importers)
}

/// The formats that are only summed up.
fn summed() -> String {
    let sums = importers().filter(|importer| matches!(importer.read, Read::Sums(_)));
    listed(&sums.map(|importer| importer.name).collect::<Vec<_>>())
}

/// The formats by name, each with what it is.
fn formats() -> impl Iterator<Item = (&'static str, &'static str)> {
    importers().map(|importer| (importer.name, importer.about)).chain([INSPECT, TRANSCRIPTS])
}

fn format_parser() -> PossibleValuesParser {
    formats().map(|(name, about)| PossibleValue::new(name).help(about)).into()
}

/// Names one after the other, as a sentence has them.
fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [before @ .., last] => format!("{} and {last}", before.join(", ")),
    }
}

/// Imports.
///
/// # Errors
/// What is wrong, with the first file, row and field.
pub fn import(arguments: &Arguments) -> Result<Status> {
    let importer = importers().find(|importer| importer.name == arguments.format);
    check(arguments, importer)?;
    let Some(importer) = importer else {
        return built_in(arguments);
    };
    if let Read::Sums(sum) = importer.read {
        return sums(arguments, sum);
    }
    let (path, out) = one_file(arguments)?;
    let file = read(path)?;
    let shown = out.display().to_string();
    let given = Given {
        file: &file,
        values: arguments.beside.values(importer),
        files: arguments.beside.files(importer)?,
        out: &shown,
    };
    match importer.read {
        Read::Tasks(tasks) => {
            let tasks = tasks(&given).map_err(|bad| hinted(bad, &file, importer))?;
            std::fs::write(out, tasks.bytes).map_err(at(out))?;
            tasks.remarks.iter().for_each(|remark| say_err!("{remark}"));
            say!("{shown}: {}", tasks.said);
        }
        Read::Run(run) => {
            let run = run(&given).map_err(|bad| hinted(bad, &file, importer))?;
            run.remarks.iter().for_each(|remark| say_err!("{remark}"));
            let episodes = run.episodes.iter();
            let folder =
                write(out, episodes.map(|episode| (&episode.key, episode.lines.as_slice())))?;
            if run.is_kept {
                folder.file(KEPT_FILE, &file.bytes)?;
            }
            folder.finish()?;
            say!("{shown}: {}", run.said);
        }
        Read::Sums(_) => {}
    }
    Ok(Status::Done)
}

/// Formats of every benchmark.
fn built_in(arguments: &Arguments) -> Result<Status> {
    match (&arguments.files[..], &arguments.out) {
        ([file], None) if arguments.format == INSPECT.0 => inspect::list(file),
        _ => {
            let (file, out) = one_file(arguments)?;
            match arguments.format == INSPECT.0 {
                true => inspect::transcripts(file, out),
                false => bundled(file, out),
            }
        }
    }
}

/// Files that are read and summed up.
fn sums(
    arguments: &Arguments,
    sum: fn(&[File]) -> Result<turnwise_shared::formats::Sums, BadFile>,
) -> Result<Status> {
    let files = arguments.files.iter().map(|path| read(path));
    let files: Vec<File> = files.collect::<Result<_, _>>()?;
    let sums = sum(&files)?;
    match arguments.json {
        true => out::json_text(&sums.json),
        false => say!("{}", sums.text),
    }
    Ok(Status::Done)
}

/// What is wrong with a file; and of which format it looks, if of another one.
fn hinted(bad: BadFile, file: &File, importer: &Importer) -> anyhow::Error {
    let is_other = |other: &&Importer| other.name != importer.name;
    let mut others = importers().filter(is_other).filter(|other| (other.recognise)(&file.bytes));
    match (others.next(), others.next()) {
        (Some(other), None) => {
            anyhow!("{bad}; it looks like --format {}", other.name)
        }
        _ => bad.into(),
    }
}

/// Refuses flags that belong to another format.
fn check(arguments: &Arguments, importer: Option<&Importer>) -> Result<()> {
    arguments.beside.check(importer)?;
    let sums_up = |importer: &Importer| matches!(importer.read, Read::Sums(_));
    let given = match importer.is_some_and(sums_up) {
        true => ("--out", arguments.out.is_some()),
        false => ("--json", arguments.json),
    };
    let (flag, true) = given else {
        return Ok(());
    };
    let owners: Vec<&str> = formats()
        .map(|(name, _)| name)
        .filter(|name| {
            let sums = importers().any(|importer| importer.name == *name && sums_up(importer));
            sums == (flag == "--json")
        })
        .collect();
    let owners = listed(&owners);
    Err(anyhow!("{flag} belongs to --format {owners}"))
}

/// The one file that a format which writes reads, and where it writes.
fn one_file(arguments: &Arguments) -> Result<(&Path, &Path)> {
    match (&arguments.files[..], &arguments.out) {
        ([file], Some(out)) => Ok((file, out)),
        ([_], None) => Err(anyhow!("name where to write with --out")),
        _ => Err(anyhow!("this format reads one file at a time")),
    }
}

/// A file as formats take it.
pub fn read(path: &Path) -> Result<File> {
    Ok(File {
        shown: path.display().to_string(),
        bytes: read_file(path).map_err(at(path))?,
        path: std::path::absolute(path).map_err(at(path))?,
    })
}

/// The transcripts of a run that a page saved, as they were.
fn bundled(path: &Path, out: &Path) -> Result<Status> {
    let file = read(path)?;
    let text = file.text()?;
    let all = bundle::read(&text).map_err(|error| with_path(path, error))?;
    let pictures = bundle::pictures(&text).map_err(|error| with_path(path, error))?;
    let lines: BTreeMap<&EpisodeKey, Vec<String>> =
        all.iter().map(|(key, text)| (key, text.lines().map(str::to_owned).collect())).collect();
    let folder = write(out, lines.iter().map(|(key, lines)| (*key, lines.as_slice())))?;
    for png in pictures.values() {
        folder.picture(png)?;
    }
    folder.finish()?;
    say!("{}: {} transcripts", out.display(), all.len());
    Ok(Status::Done)
}

/// The folder of a run that was read.
fn write<'a>(
    out: &Path,
    transcripts: impl Iterator<Item = (&'a EpisodeKey, &'a [String])>,
) -> Result<NewFolder> {
    let folder = NewFolder::new(out)?;
    for (key, lines) in transcripts {
        if !folder.transcript(key, lines)? {
            bail!("two episodes would be the file {}; nothing was written", key.file_name());
        }
    }
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_has_a_name_of_its_own() {
        let mut names: Vec<&str> = formats().map(|(name, _)| name).collect();
        names.sort_unstable();
        let all = names.len();
        names.dedup();
        assert_eq!(names.len(), all, "{names:?}");
    }

    #[test]
    fn names_are_listed_as_in_a_sentence() {
        assert_eq!(listed(&[]), "");
        assert_eq!(listed(&["a"]), "a");
        assert_eq!(listed(&["a", "b"]), "a and b");
        assert_eq!(listed(&["a", "b", "c"]), "a, b and c");
    }
}
