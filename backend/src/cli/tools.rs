//! Commands that benchmarks add: `turnwise COMMAND VERB ARGUMENT…`. What a benchmark's command reads and writes, it reads and
//! writes through here.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use turnwise_backend::run_folder::{self, at};
use turnwise_shared::benchmark::tool::{
    Argument, Done, File, Given, Load, Printed, Recorded, Run, Takes,
};
use turnwise_shared::benchmark::{Tool, Tools};
use turnwise_shared::registry::BENCHMARKS;

use super::Status;
use super::export;
use super::files;
use super::out::{self, say_err};
use super::trouble::with_path;

const OUT: &str = "out";
/// Whether it writes over files.
const FORCE: &str = "force";

fn all() -> impl Iterator<Item = &'static Tools> {
    BENCHMARKS.iter().filter_map(|benchmark| benchmark.tools())
}

/// The command line with the commands of all benchmarks that have some.
pub(super) fn with_tools(command: Command) -> Command {
    all().fold(command, |command, tools| {
        let own = Command::new(tools.command.as_str())
            .about(tools.about.as_str())
            .subcommand_required(true)
            .arg_required_else_help(true)
            .subcommands(tools.tools.iter().map(verb));
        command.subcommand(own)
    })
}

fn verb(tool: &'static Tool) -> Command {
    let arguments = tool.arguments.iter().map(argument);
    let mut verb = Command::new(tool.verb.as_str()).about(tool.about.as_str()).args(arguments);
    if !tool.details.is_empty() {
        verb = verb.long_about(format!("{}\n\n{}", tool.about, tool.details));
    }
    if !tool.writes.is_empty() {
        let out = Arg::new(OUT)
            .long(OUT)
            .value_name("FILE")
            .value_parser(value_parser!(PathBuf))
            .required(true)
            .help("Where to write");
        let force = Arg::new(FORCE)
            .long(FORCE)
            .action(ArgAction::SetTrue)
            .help("Write over files that are there");
        verb = verb.args([out, force]);
    }
    verb
}

fn argument(argument: &'static Argument) -> Arg {
    let mut arg =
        Arg::new(argument.key()).help(argument.help.as_str()).required(argument.is_required());
    if !argument.name.is_empty() {
        arg = arg.value_name(argument.name.as_str());
    }
    arg = match argument.flag.is_empty() {
        // It may be a negative number, or a text that begins with a dash.
        true => arg.allow_hyphen_values(argument.takes == Takes::Text),
        false => arg.long(argument.flag.as_str()),
    };
    if let Some(value) = argument.default() {
        arg = arg.default_value(value);
    }
    match &argument.takes {
        Takes::Text => arg,
        Takes::Whole { least, most } => {
            arg.value_parser(value_parser!(u64).range(*least..=most.unwrap_or(u64::MAX)))
        }
        Takes::Word(words) => {
            arg.value_parser(words.iter().map(String::as_str).collect::<Vec<_>>())
        }
        Takes::Switch => arg.action(ArgAction::SetTrue),
        Takes::File | Takes::FileWith(_) => arg.value_parser(value_parser!(PathBuf)),
        Takes::Transcripts | Takes::Runs => arg.value_parser(value_parser!(PathBuf)).num_args(1..),
    }
}

/// Does what a benchmark's command does; `None` if the command line names none.
pub(super) fn run(matches: &ArgMatches) -> Option<Result<Status>> {
    let (command, own) = matches.subcommand()?;
    let tools = all().find(|tools| tools.command == command)?;
    let (verb, given) = own.subcommand()?;
    let tool = tools.tools.iter().find(|tool| tool.verb == verb)?;
    Some(work(tool, given))
}

fn work(tool: &'static Tool, matches: &ArgMatches) -> Result<Status> {
    let written = files_to_write(tool, matches)?;
    let progress = |said: &str| say_err!("{said}");
    let runs = tool.arguments.iter().filter(|argument| argument.takes == Takes::Runs);
    let runs = runs.map(|argument| {
        let paths = matches.get_many::<PathBuf>(argument.key()).into_iter().flatten();
        Ok((argument.key(), export::run::read(&paths.cloned().collect::<Vec<_>>(), None)?))
    });
    let runs: Vec<_> = runs.collect::<Result<_>>()?;
    let mut given = Given {
        out: written.iter().map(|path| shown(path)).collect(),
        progress: Some(&progress),
        runs: runs.iter().map(|(key, runs)| (*key, runs.iter().map(whole).collect())).collect(),
        ..Given::default()
    };
    for argument in &tool.arguments {
        take(argument, matches, &mut given)?;
    }
    let Done { printed, files, is_sound } = (tool.run)(&given).map_err(anyhow::Error::msg)?;
    for (path, bytes) in written.iter().zip(files) {
        write(path, &bytes)?;
    }
    match printed {
        Printed::Text(text) => out::text(format_args!("{text}\n")),
        Printed::Json(record) => out::json(&record)?,
    }
    Ok(match is_sound {
        true => Status::Done,
        false => Status::Failed,
    })
}

/// The paths that a command writes to, all of which are free, or may be written over.
fn files_to_write(tool: &Tool, matches: &ArgMatches) -> Result<Vec<PathBuf>> {
    if tool.writes.is_empty() {
        return Ok(Vec::new());
    }
    let Some(out) = matches.get_one::<PathBuf>(OUT) else {
        return Ok(Vec::new());
    };
    let endings = tool.writes.iter();
    let paths: Vec<_> = endings.map(|ending| with_ending(out, ending)).collect();
    // Nothing is computed for a folder that is not there.
    if !files::folder_of(out).is_dir() {
        return Err(with_path(out, "there is no such folder"));
    }
    match paths.iter().find(|path| path.exists()) {
        Some(path) if !matches.get_flag(FORCE) => Err(with_path(
            path,
            "it is there already; name another file, or write over it with --force",
        )),
        _ => Ok(paths),
    }
}

fn take(argument: &'static Argument, matches: &ArgMatches, given: &mut Given<'_>) -> Result<()> {
    let key = argument.key();
    let path = || matches.get_one::<PathBuf>(key);
    match &argument.takes {
        Takes::Text | Takes::Word(_) => {
            let text = matches.get_one::<String>(key).cloned();
            given.texts.extend(text.map(|text| (key, text)));
        }
        Takes::Whole { .. } => {
            let number = matches.get_one::<u64>(key).map(u64::to_string);
            given.texts.extend(number.map(|number| (key, number)));
        }
        Takes::Switch if matches.get_flag(key) => {
            given.texts.insert(key, String::new());
        }
        Takes::Switch => {}
        Takes::File => {
            if let Some(path) = path() {
                given.files.insert(key, file(path, "")?);
            }
        }
        Takes::FileWith(ending) => {
            if let Some(path) = path() {
                given.files.insert(key, file(path, ending)?);
            }
        }
        Takes::Runs => {}
        Takes::Transcripts => {
            let paths = matches.get_many::<PathBuf>(key).into_iter().flatten();
            let named = files::find(&paths.cloned().collect::<Vec<_>>())?;
            let files = named.into_iter().flat_map(|named| named.files);
            given.transcripts.insert(key, files.map(load).collect());
        }
    }
    Ok(())
}

fn whole(run: &export::run::Run) -> Run<'_> {
    Run { path: shown(&run.folder), given: run.given(None), episodes: run.episodes().collect() }
}

fn load(path: PathBuf) -> Load<'static> {
    Box::new(move || {
        let transcript = run_folder::read_transcript(&path).map_err(|error| error.to_string())?;
        Ok(Recorded { path: shown(&path), transcript })
    })
}

/// A file, with the one of another ending beside it, where there is one.
fn file(path: &Path, ending: &str) -> Result<File> {
    let read = |path: &Path| run_folder::read_file(path).map_err(at(path));
    let beside = with_ending(path, ending);
    let beside = match !ending.is_empty() && beside.is_file() {
        true => Some((shown(&beside), read(&beside)?)),
        false => None,
    };
    let name = path.file_name().unwrap_or(path.as_os_str());
    Ok(File {
        path: shown(path),
        name: name.to_string_lossy().into_owned(),
        bytes: read(path)?,
        beside,
    })
}

/// `a.jsonl` with the ending `manifest.json` is `a.manifest.json`.
fn with_ending(path: &Path, ending: &str) -> PathBuf {
    match ending.is_empty() {
        true => path.to_owned(),
        false => path.with_extension(ending),
    }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// Writes a file so that it is there as a whole or not at all.
fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    let part = PathBuf::from(part);
    std::fs::write(&part, bytes).map_err(at(&part))?;
    Ok(std::fs::rename(&part, path).map_err(at(path))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Clap checks that flags and commands are well formed and do not collide.
    #[test]
    fn commands_of_benchmarks_are_well_formed() {
        use clap::CommandFactory as _;
        with_tools(super::super::Cli::command()).debug_assert();
    }
}
