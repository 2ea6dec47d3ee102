//! `turnwise import`: other systems' files in, ours out.

mod games;
mod inspect;
mod new_folder;
pub mod paraworld;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use turnwise_backend::run_folder::at;
use turnwise_shared::benchmarks::interactcomp::dataset::{self, Dataset};
use turnwise_shared::benchmarks::interactcomp::imported::{self, CannotImport, Known};
use turnwise_shared::benchmarks::interactcomp::mode::Mode;
use turnwise_shared::benchmarks::interactcomp::results_csv;
use turnwise_shared::benchmarks::paraworld::settings::Setting;
use turnwise_shared::exchange::bundle;
use turnwise_shared::run::EpisodeKey;

use new_folder::NewFolder;

use super::Status;
use super::out::{say, say_err};
use super::trouble::Trouble;

/// Bring in files of other systems
///
/// Files of games are read and summed up on stdout; files of InteractComp and Mind-ParaWorld and logs of
/// Inspect become ours, and a run that a page saved becomes a folder again.
#[derive(Debug, Args)]
pub struct Arguments {
    /// What the file is
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Format,

    /// The file; of poker logs and trust results several
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Games: print JSON for programs. Rates are fractions from 0 to 1
    #[arg(long)]
    json: bool,

    /// Where to write, a file for tasks, a folder for results, logs and transcripts; formats of games write nothing
    #[arg(long, value_name = "PATH")]
    out: Option<PathBuf>,

    /// Results: the task file, from which ids, domains and languages are taken by the question's text
    #[arg(
        long,
        value_name = "FILE",
        help_heading = "interactcomp-results and mpw-results"
    )]
    tasks: Option<PathBuf>,

    /// The word under which a task file is encrypted from which the column `canary` was removed. Default: what the rows say
    #[arg(
        long,
        value_name = "WORD",
        help_heading = "interactcomp-tasks and interactcomp-results"
    )]
    canary: Option<String>,

    /// Results: the player's model. Default: the name of the folder in which the file lies, as the reference code names it
    #[arg(
        long,
        value_name = "NAME",
        help_heading = "interactcomp-results and mpw-results"
    )]
    model: Option<String>,

    /// Results: the setting: A, B-guidance, B-few-shot, C, custom or control. Default: what the lines tell (A, and all that
    /// `turnwise export` wrote) or the path, laid out as SETTING_results/[PROMPT/]MODEL/FILE
    #[arg(long, value_name = "SETTING", help_heading = "mpw-results")]
    setting: Option<Setting>,

    /// Results: the mode, where the rows do not tell it. Default: what they tell
    #[arg(long, value_name = "MODE", help_heading = "interactcomp-results")]
    mode: Option<Mode>,

    /// Results: the round limit. Default: not known
    #[arg(long, value_name = "N", help_heading = "interactcomp-results")]
    rounds: Option<u32>,

    /// Results: the least number of asks in forced_ask. Default: not known
    #[arg(long, value_name = "M", help_heading = "interactcomp-results")]
    min_asks: Option<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// The authors' encrypted task file, or a plain one: writes one JSON object a line with id, domain, answer, question and
    /// context. The text is no longer encrypted then: keep it to yourself
    InteractcompTasks,
    /// The reference code's per-model CSV: writes transcripts that `turnwise metrics` reads. They are marked as imported and
    /// cannot be replayed
    InteractcompResults,
    /// Mind-ParaWorld, a task file as the authors write it: checked and written back, unknown fields kept
    MpwTasks,
    /// Mind-ParaWorld, judged lines of the authors' engines (evaluated_results.jsonl): writes transcripts that `turnwise
    /// metrics` reads, marked as imported, and keeps the lines for `turnwise export`. Of several lines with one index the
    /// last that was judged successfully counts, else the last
    MpwResults,
    /// Poker, the authors' stats-log-N.ndjson: totals per table, means over tables, and what was paid wrongly
    PokerStats,
    /// Poker, the authors' game-log-N.ndjson: hands, counts, and each hand replayed with our reference engine
    PokerGameLog,
    /// The Trust Game, the authors' results: checked against their rules and measured as ours are
    TrustResults,
    /// A log of Inspect (.eval) of any task: writes transcripts that `turnwise metrics` and `turnwise export` read, marked as
    /// imported. Without --out it tells what is in the log, from its header and summaries
    Inspect,
    /// All transcripts of a run in one file, as its page saves them (Transcripts): writes them out as they were, for `turnwise
    /// metrics`, `turnwise replay` and `turnwise export`
    Transcripts,
}

impl Format {
    /// Whether files are read and summed up, and nothing is written.
    fn sums_up(self) -> bool {
        !matches!(
            self,
            Format::InteractcompTasks
                | Format::InteractcompResults
                | Format::MpwTasks
                | Format::MpwResults
                | Format::Inspect
                | Format::Transcripts
        )
    }
}

/// Imports.
///
/// # Errors
/// The first row that is wrong, by its number.
pub fn import(arguments: &Arguments) -> Result<Status, Trouble> {
    check(arguments)?;
    let Arguments { files, json, .. } = arguments;
    match arguments.format {
        Format::InteractcompTasks => {
            let (file, out) = one_file(arguments)?;
            tasks(file, arguments.canary.as_deref(), out)
        }
        Format::InteractcompResults => results(arguments),
        Format::MpwTasks => {
            let (file, out) = one_file(arguments)?;
            paraworld::tasks(file, out)
        }
        Format::MpwResults => {
            let (file, out) = one_file(arguments)?;
            let told = paraworld::Told {
                model: arguments.model.as_deref(),
                setting: arguments.setting,
                tasks: arguments.tasks.as_deref(),
            };
            paraworld::results(file, out, &told)
        }
        Format::PokerStats => games::poker_stats(files, *json),
        Format::PokerGameLog => games::poker_game_log(files, *json),
        Format::TrustResults => games::trust_results(files, *json),
        Format::Transcripts => {
            let (file, out) = one_file(arguments)?;
            bundled(file, out)
        }
        Format::Inspect => match (&files[..], &arguments.out) {
            ([file], None) => inspect::list(file),
            _ => {
                let (file, out) = one_file(arguments)?;
                inspect::transcripts(file, out)
            }
        },
    }
}

/// Refuses flags that belong to another format.
fn check(arguments: &Arguments) -> Result<(), Trouble> {
    let refused = |flags: &[(&str, bool)], owner: &str| {
        let given = flags.iter().find(|(_, given)| *given);
        given.map_or(Ok(()), |(flag, _)| {
            Err(Trouble::new(format!("{flag} belongs to {owner}")))
        })
    };
    if !matches!(
        arguments.format,
        Format::InteractcompResults | Format::MpwResults
    ) {
        let results_only = [
            ("--tasks", arguments.tasks.is_some()),
            ("--model", arguments.model.is_some()),
        ];
        refused(
            &results_only,
            "--format interactcomp-results and mpw-results",
        )?;
    }
    if arguments.format != Format::MpwResults {
        let setting = [("--setting", arguments.setting.is_some())];
        refused(&setting, "--format mpw-results")?;
    }
    if arguments.format != Format::InteractcompResults {
        let results_only = [
            ("--mode", arguments.mode.is_some()),
            ("--rounds", arguments.rounds.is_some()),
            ("--min-asks", arguments.min_asks.is_some()),
        ];
        refused(&results_only, "--format interactcomp-results")?;
    }
    if !matches!(
        arguments.format,
        Format::InteractcompTasks | Format::InteractcompResults
    ) {
        let canary = [("--canary", arguments.canary.is_some())];
        refused(
            &canary,
            "--format interactcomp-tasks and interactcomp-results",
        )?;
    }
    if arguments.format.sums_up() {
        refused(
            &[("--out", arguments.out.is_some())],
            "the formats of InteractComp, Mind-ParaWorld and Inspect, and to transcripts",
        )
    } else {
        refused(&[("--json", arguments.json)], "the formats of games")
    }
}

/// The one file that a format which writes reads, and where it writes.
fn one_file(arguments: &Arguments) -> Result<(&Path, &Path), Trouble> {
    match (&arguments.files[..], &arguments.out) {
        ([file], Some(out)) => Ok((file, out)),
        ([_], None) => Err(Trouble::new("name where to write with --out")),
        _ => Err(Trouble::new("this format reads one file at a time")),
    }
}

fn dataset(file: &Path, canary: Option<&str>) -> Result<Dataset, Trouble> {
    let bytes = std::fs::read(file).map_err(at(file))?;
    dataset::load(&bytes, canary).map_err(|error| Trouble::with(file, error))
}

fn tasks(file: &Path, canary: Option<&str>, out: &Path) -> Result<Status, Trouble> {
    let set = dataset(file, canary)?;
    std::fs::write(out, dataset::plain_lines(&set.tasks)).map_err(at(out))?;
    let (tasks, provenance) = (set.tasks.len(), set.provenance());
    say!(
        "{}: {tasks} tasks; {} is {provenance}",
        out.display(),
        file.display()
    );
    Ok(Status::Done)
}

fn results(arguments: &Arguments) -> Result<Status, Trouble> {
    let (file, out) = one_file(arguments)?;
    let bytes = std::fs::read(file).map_err(at(file))?;
    let results = results_csv::read(&bytes).map_err(|error| Trouble::with(file, error))?;
    let tasks = match &arguments.tasks {
        Some(path) => {
            let set = dataset(path, arguments.canary.as_deref())?;
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            Some((name.into_owned(), set))
        }
        None => None,
    };
    let known = Known {
        model: arguments.model.clone().unwrap_or_else(|| folder_name(file)),
        mode: arguments.mode,
        rounds: arguments.rounds,
        min_asks: arguments.min_asks,
    };
    let tasks = tasks.as_ref().map(|(name, set)| (name.as_str(), set));
    let transcripts =
        imported::transcripts(&results, tasks, &known).map_err(|error| match error {
            CannotImport::NoMode => Trouble::with(file, format!("{error} with --mode")),
            error => Trouble::with(file, error),
        })?;
    if let Some((name, set)) = tasks {
        let unmatched = results.clone().match_tasks(set);
        if !unmatched.is_empty() {
            let rows: Vec<_> = unmatched.iter().map(ToString::to_string).collect();
            say_err!(
                "{} rows have a question that is not in {name}, and get ids of their own: {}",
                rows.len(),
                rows.join(", ")
            );
        }
    }
    for remark in &results.remarks {
        say_err!("{}: {remark}", file.display());
    }
    write(
        out,
        transcripts
            .iter()
            .map(|transcript| (&transcript.key, transcript.lines.as_slice())),
    )?
    .finish()?;
    say!(
        "{}: {} episodes of {}",
        out.display(),
        results.rows.len(),
        known.model
    );
    Ok(Status::Done)
}

/// A file as text, without a mark of byte order.
fn text(file: &Path) -> Result<String, Trouble> {
    let bytes = std::fs::read(file).map_err(at(file))?;
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    String::from_utf8(text.to_vec()).map_err(|_| Trouble::with(file, "it is not UTF-8"))
}

/// The transcripts of a run that a page saved, as they were.
fn bundled(file: &Path, out: &Path) -> Result<Status, Trouble> {
    let text = text(file)?;
    let all = bundle::read(&text).map_err(|error| Trouble::with(file, error))?;
    let lines: BTreeMap<&EpisodeKey, Vec<String>> = all
        .iter()
        .map(|(key, text)| (key, text.lines().map(str::to_owned).collect()))
        .collect();
    write(
        out,
        lines.iter().map(|(key, lines)| (*key, lines.as_slice())),
    )?
    .finish()?;
    say!("{}: {} transcripts", out.display(), all.len());
    Ok(Status::Done)
}

/// The folder of a run that was read.
fn write<'a>(
    out: &Path,
    transcripts: impl Iterator<Item = (&'a EpisodeKey, &'a [String])>,
) -> Result<NewFolder, Trouble> {
    let folder = NewFolder::new(out)?;
    for (key, lines) in transcripts {
        if !folder.transcript(key, lines)? {
            return Err(Trouble::new(format!(
                "two episodes would be the file {}; nothing was written",
                key.file_name()
            )));
        }
    }
    Ok(folder)
}

/// The name of the folder in which a file lies.
fn folder_name(file: &Path) -> String {
    std::path::absolute(file)
        .ok()
        .and_then(|path| Some(path.parent()?.file_name()?.to_string_lossy().into_owned()))
        .unwrap_or_else(|| "unknown".to_owned())
}
