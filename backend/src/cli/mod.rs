//! The command line: one file a subcommand. Other programs call it, so what is here stays as it is.

mod admin;
mod boards;
mod browse;
mod budgets;
mod day;
mod export;
mod files;
mod grid;
mod import;
mod keys;
mod metrics;
mod out;
mod outside;
mod prices;
mod prompts;
mod providers;
mod recordings;
mod regrade;
mod render;
mod replay;
mod run;
mod runs;
mod screen;
mod search;
mod searched;
mod seats;
mod serve;
mod signals;
mod stored;
mod submit;
mod subset;
mod table;
mod tasks;
mod tools;
mod trouble;
mod web;

use std::process::ExitCode;

use anyhow::Result;
use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use out::say_err;

/// Interactive benchmarks of language models: ones in which a model asks, searches, browses or plays over many turns.
#[derive(Debug, Parser)]
#[command(name = "turnwise", version, max_term_width = 100, after_help = EXIT_STATUS)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXIT_STATUS: &str = "\
Exit status: 0 done; 1 the input is wrong, or something failed (the message says what); 2 wrong usage, or a transcript \
that cannot be replayed; 3 the run ended with incomplete episodes.";

#[derive(Debug, Subcommand)]
enum Command {
    Serve(serve::Arguments),
    Run(Box<run::Arguments>),
    Grid(Box<grid::Arguments>),
    Runs(runs::Arguments),
    Replay(replay::Arguments),
    Regrade(regrade::Arguments),
    Metrics(metrics::Arguments),
    Import(import::Arguments),
    Export(export::Arguments),
    Prompts(prompts::Arguments),
    Providers(providers::Arguments),
    Search(search::Arguments),
    Boards(boards::Arguments),
    Submit(submit::Arguments),
    Keys(keys::Arguments),
    Admin(admin::Arguments),
    Rescore(admin::Rescore),
    Render(render::Arguments),
    Browse(browse::Arguments),
}

/// The exit status after wrong usage.
const USAGE: u8 = 2;

/// What the command line asks for.
enum Asked {
    /// A command of this program.
    Command(Box<Command>),
    /// One of a benchmark, which is done.
    Tool(Result<Status>),
}

/// How the program ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Status {
    /// All is well.
    Done,
    /// The input is wrong, or something failed.
    Failed,
    /// A transcript cannot be replayed: it was imported, or what it needs is not at hand.
    NotReplayable,
    /// Some episodes of a run are incomplete; `--resume` takes them up again.
    Incomplete,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(match status {
            Status::Done => 0,
            Status::Failed => 1,
            Status::NotReplayable => 2,
            Status::Incomplete => 3,
        })
    }
}

impl Command {
    fn run(self) -> Result<Status> {
        match self {
            Command::Serve(arguments) => serve::serve(arguments),
            Command::Run(arguments) => run::run(*arguments),
            Command::Grid(arguments) => grid::grid(*arguments),
            Command::Runs(arguments) => runs::runs(arguments),
            Command::Replay(arguments) => replay::replay(&arguments),
            Command::Regrade(arguments) => regrade::regrade(&arguments),
            Command::Metrics(arguments) => metrics::metrics(&arguments),
            Command::Import(arguments) => import::import(&arguments),
            Command::Export(arguments) => export::export(&arguments),
            Command::Prompts(arguments) => prompts::prompts(&arguments),
            Command::Providers(arguments) => providers::providers(arguments),
            Command::Search(arguments) => search::search(arguments),
            Command::Submit(arguments) => submit::submit(&arguments),
            Command::Keys(arguments) => keys::keys(arguments),
            Command::Admin(arguments) => admin::admin(arguments),
            Command::Rescore(arguments) => admin::rescore(arguments),
            Command::Render(arguments) => render::render(&arguments),
            Command::Browse(arguments) => browse::browse(arguments),
            Command::Boards(arguments) => boards::boards(arguments),
        }
    }
}

/// Reads the command line and does what it says.
pub fn main() -> ExitCode {
    let parsed = tools::with_tools(Cli::command()).try_get_matches();
    let parsed = parsed.and_then(|matches| match tools::run(&matches) {
        Some(done) => Ok(Asked::Tool(done)),
        None => {
            let Cli { command } = Cli::from_arg_matches(&matches)?;
            let run = match &command {
                Command::Run(run) => Some(&**run),
                Command::Grid(grid) => Some(&grid.run),
                _ => None,
            };
            run.map_or(Ok(()), |run| run.settings.check(run.benchmark.as_deref()))?;
            Ok(Asked::Command(Box::new(command)))
        }
    });
    let result = match parsed {
        Ok(Asked::Tool(result)) => result,
        Ok(Asked::Command(command)) => command.run(),
        Err(wrong) if wrong.use_stderr() => {
            // It repeats what was given, e.g. the name of a file.
            out::error_text("", wrong.render());
            return ExitCode::from(USAGE);
        }
        Err(help) => help.exit(),
    };
    match result {
        Ok(status) => status.into(),
        Err(trouble) => {
            say_err!("error: {trouble}");
            Status::Failed.into()
        }
    }
}
