//! `turnwise export`: what was played, in the formats of other tools.

mod benchmark;
mod episodes;
pub(super) mod run;

use std::path::PathBuf;

use anyhow::{Result, anyhow};
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, ValueEnum};

use turnwise_shared::benchmark::given::Texts;
use turnwise_shared::exchange::html::Transcripts;
use turnwise_shared::exchange::row::Messages;
use turnwise_shared::formats::{Exporter, Write};
use turnwise_shared::prelude::*;

use super::Status;

/// Write what was played in a format that other tools read
#[derive(Debug, Args)]
pub struct Arguments {
    /// The format
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    format: String,

    /// Run folders or transcripts
    #[arg(required = true, value_name = "DIR|FILE")]
    files: Vec<PathBuf>,

    #[arg(long, value_name = "PATH", help = out())]
    out: PathBuf,

    #[arg(long, value_name = "FILE", help = tasks())]
    tasks: Option<PathBuf>,

    /// jsonl: what was said as well, and what came back
    #[arg(long)]
    messages: bool,

    /// How much of the tasks' text is included in eval and html. Default: question; of an encrypted task file none. The canary of
    /// such a file is written in any case. What models said is included as it was said
    #[arg(long, value_enum, value_name = "TEXT")]
    texts: Option<Told>,

    /// html: how much of the transcripts is on the page. Default: all
    #[arg(long, value_enum, value_name = "TURNS")]
    transcripts: Option<Turns>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Turns {
    /// Every turn
    #[default]
    All,
    /// The first two and the last two turns of every episode
    Ends,
    /// Numbers and ribbons only
    None,
}

impl From<Turns> for Transcripts {
    fn from(turns: Turns) -> Transcripts {
        match turns {
            Turns::All => Transcripts::All,
            Turns::Ends => Transcripts::Ends,
            Turns::None => Transcripts::None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Told {
    /// Fields are named without their contents
    None,
    /// The question; of other fields the name
    Question,
    /// Everything, answers included
    All,
}

impl From<Told> for Texts {
    fn from(told: Told) -> Texts {
        match told {
            Told::None => Texts::Named,
            Told::Question => Texts::Question,
            Told::All => Texts::All,
        }
    }
}

/// The formats of every benchmark.
const FORMATS: [(&str, &str); 4] = [
    (
        JSONL,
        "One JSON object an episode and line: task, repeat, seats, ending, score, answer, the benchmark's own figures, tokens, cost",
    ),
    (
        CSV,
        "The same as a table, one row an episode. Cells that a spreadsheet would run begin with an apostrophe",
    ),
    (EVAL, "A log of Inspect (inspect_ai), which its viewer opens"),
    (
        HTML,
        "One page that stands alone: numbers, diagrams, ribbons, transcripts. It loads nothing and runs nothing",
    ),
];

const JSONL: &str = "jsonl";
const CSV: &str = "csv";
const EVAL: &str = "eval";
const HTML: &str = "html";

/// The formats that benchmarks declare, each with its benchmark.
fn exporters() -> impl Iterator<Item = (&'static dyn Benchmark, &'static Exporter)> {
    BENCHMARKS.iter().flat_map(|benchmark| {
        let exporters = benchmark.formats().exporters.iter();
        exporters.map(|exporter| (*benchmark, exporter))
    })
}

/// The formats that write a folder.
fn folders() -> String {
    let folders =
        exporters().filter(|(_, exporter)| matches!(exporter.write, Write::Folder { .. }));
    let names: Vec<&str> = folders.map(|(_, exporter)| exporter.name).collect();
    names.join(", ")
}

fn out() -> String {
    match folders().as_str() {
        "" => "The file to write".to_owned(),
        names => {
            format!("Where to write: a folder for {names}, which is made; a file for all others")
        }
    }
}

fn tasks() -> String {
    let help = "The task file, where the run's folder has no copy";
    match folders().as_str() {
        "" => help.to_owned(),
        names => format!("{help}; not for {names}"),
    }
}

fn format_parser() -> PossibleValuesParser {
    let own = exporters().map(|(_, exporter)| (exporter.name, exporter.about));
    FORMATS.into_iter().chain(own).map(|(name, about)| PossibleValue::new(name).help(about)).into()
}

/// Exports.
///
/// # Errors
/// If a transcript is not sound or of another benchmark, or a file cannot be written.
pub fn export(arguments: &Arguments) -> Result<Status> {
    let Arguments { files, out, tasks, .. } = arguments;
    let tasks = tasks.as_deref();
    let own = exporters().find(|(_, exporter)| exporter.name == arguments.format);
    check(arguments, own.map(|(_, exporter)| exporter))?;
    if let Some((benchmark, exporter)) = own {
        return benchmark::write(benchmark, exporter, files, out, tasks);
    }
    let texts = arguments.texts.map(Texts::from);
    let runs = run::read(files, tasks)?;
    match arguments.format.as_str() {
        CSV => episodes::csv(&runs, out),
        EVAL => episodes::log(&runs, out, texts),
        HTML => {
            let turns = arguments.transcripts.unwrap_or_default();
            episodes::page(&runs, out, texts, turns.into())
        }
        _ => {
            let messages = match arguments.messages {
                true => Messages::With,
                false => Messages::Without,
            };
            episodes::lines(&runs, out, texts, messages)
        }
    }
}

/// Refuses flags that belong to another format.
fn check(arguments: &Arguments, own: Option<&Exporter>) -> Result<()> {
    let format = arguments.format.as_str();
    let refused = |flag: &str, owner: &str| Err(anyhow!("{flag} belongs to {owner}"));
    if arguments.messages && format != JSONL {
        return refused("--messages", "--format jsonl");
    }
    if arguments.transcripts.is_some() && format != HTML {
        return refused("--transcripts", "--format html");
    }
    if arguments.texts.is_some() && ![EVAL, HTML].contains(&format) {
        return refused("--texts", "--format eval and html");
    }
    if arguments.tasks.is_some() && own.is_some_and(|own| matches!(own.write, Write::Folder { .. }))
    {
        return refused("--tasks", "the other formats");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_has_a_name_of_its_own() {
        let own = exporters().map(|(_, exporter)| exporter.name);
        let mut names: Vec<&str> = FORMATS.map(|(name, _)| name).into_iter().chain(own).collect();
        names.sort_unstable();
        let all = names.len();
        names.dedup();
        assert_eq!(names.len(), all, "{names:?}");
    }
}
