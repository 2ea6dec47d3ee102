//! `turnwise runs`: the runs of this server for its operator, found, named and tagged; and names of runs in folders.

use std::path::PathBuf;

use anyhow::{Result, anyhow};
use clap::{Args, Subcommand};

use turnwise_backend::config::{Config, Environment, Given};
use turnwise_backend::run_folder;
use turnwise_backend::store::{Listing, Store};
use turnwise_shared::prelude::*;
use turnwise_shared::wire::Listed;
use turnwise_shared::wire::naming::{self, EditRun, title_or_default};

use super::Status;
use super::out::{json, say, text};
use super::stored::stored;
use super::table::aligned;
use super::trouble::with_path;

/// Characters of an id in the list.
const DIGITS: usize = 8;
/// Runs that are read at a time.
const PORTION: u32 = 200;

/// List runs, name them, tag them
#[derive(Debug, Args)]
#[command(after_help = "\
Without a command the runs of the server's database are listed, newest first; private runs are not. RUN is a run's id, the \
beginning of one that no other run in the list has, or the folder of a run. Names and tags are no part of the configuration: \
hashes, receipts and boards stay as they are.")]
pub struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,

    /// Only runs with these words in their name, tags, players, tasks or benchmark
    #[arg(long, value_name = "WORDS", default_value = "")]
    search: String,

    /// Only runs of this benchmark
    #[arg(long, value_name = "NAME")]
    benchmark: Option<String>,

    /// Only runs with a player whose name contains this
    #[arg(long, value_name = "NAME", default_value = "")]
    model: String,

    /// Only runs in this state: open, running, paused, idle, closed, cancelled
    #[arg(long, value_name = "STATE", value_parser = state)]
    state: Option<RunState>,

    /// Only runs with this tag
    #[arg(long, value_name = "TAG")]
    tag: Option<String>,

    /// List at most N runs
    #[arg(long, value_name = "N", default_value_t = 50)]
    limit: u32,

    /// Print JSON, as the service does
    #[arg(long)]
    json: bool,

    /// The folder of the database. Default: turnwise-data
    #[arg(long, value_name = "DIR", global = true)]
    data: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Give a run another name; without one it is called by its player and condition again
    Rename {
        /// The run
        run: String,
        /// The name
        #[arg(default_value = "")]
        name: String,
    },
    /// Give a run these tags in place of those it has; without any it has none
    Tag {
        /// The run
        run: String,
        /// The tags
        tags: Vec<String>,
    },
}

fn state(text: &str) -> Result<RunState, String> {
    let mut states = RunState::ALL.into_iter();
    states
        .find(|state| state.name() == text)
        .ok_or_else(|| "write open, running, paused, idle, closed or cancelled".to_owned())
}

/// Lists or names.
///
/// # Errors
/// If the configuration is wrong, the database cannot be used, or there is no such run.
pub fn runs(arguments: Arguments) -> Result<Status> {
    if let Some(command) = &arguments.command {
        let (run, edit) = edit_of(command)?;
        let folder = PathBuf::from(run);
        if folder.is_dir() {
            return name_folder(&folder, &edit);
        }
    }
    let given = Given { addr: None, data: arguments.data.clone() };
    let config = Config::load(given, &Environment::of_process())?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let store = stored(&config).await?;
        let done = match &arguments.command {
            Some(command) => {
                let (run, edit) = edit_of(command)?;
                name_run(&store, run, &edit).await
            }
            None => list(&store, &arguments).await,
        };
        store.close().await;
        done
    })
}

fn edit_of(command: &Command) -> Result<(&str, EditRun)> {
    Ok(match command {
        Command::Rename { run, name } => {
            let title = Some(naming::title(name)?);
            (run, EditRun { title, tags: None })
        }
        Command::Tag { run, tags } => {
            let tags = Some(naming::tags(tags)?);
            (run, EditRun { title: None, tags })
        }
    })
}

fn name_folder(folder: &std::path::Path, edit: &EditRun) -> Result<Status> {
    let run = run_folder::run_file(folder)?;
    let mut run = run.ok_or_else(|| with_path(folder, "there is no run (run.json) in it"))?;
    if let Some(title) = &edit.title {
        let benchmark = registry::find(&run.spec.benchmark)?;
        run.title = title_or_default(title.clone(), benchmark, &run.spec);
    }
    if let Some(tags) = &edit.tags {
        run.tags.clone_from(tags);
    }
    run_folder::rewrite(folder, &run)?;
    said(&folder.display().to_string(), &run.title, &run.tags);
    Ok(Status::Done)
}

async fn name_run(store: &Store, named: &str, edit: &EditRun) -> Result<Status> {
    let id = found(store, named).await?;
    let none = || anyhow!("there is no run {named}");
    let info = store.run(&id).await?.ok_or_else(none)?;
    let title = match edit.title.clone() {
        Some(title) => {
            let benchmark = registry::find(&info.spec.benchmark)?;
            Some(title_or_default(title, benchmark, &info.spec))
        }
        None => None,
    };
    let tags = edit.tags.as_deref();
    let named = store.name_run(&id, title.as_deref(), tags).await;
    named?;
    let info = store.run(&id).await?.ok_or_else(none)?;
    said(info.run.as_str(), &info.title, &info.tags);
    Ok(Status::Done)
}

fn said(run: &str, title: &str, tags: &[String]) {
    match tags {
        [] => say!("{run}: {title}"),
        tags => say!("{run}: {title} [{}]", tags.join(", ")),
    }
}

/// The run of an id, or of the beginning of one.
async fn found(store: &Store, named: &str) -> Result<RunId> {
    if let Ok(id) = named.parse() {
        return Ok(id);
    }
    let all = filtered(store, &Filter::default(), u32::MAX).await?;
    let mut fitting = all.iter().filter(|run| run.run.as_str().starts_with(named));
    match (fitting.next(), fitting.next()) {
        (Some(run), None) => Ok(run.run.clone()),
        (None, _) => Err(anyhow!(
            "no run begins with {named}; `turnwise runs` lists them, and private runs are named by their whole id"
        )),
        (Some(_), Some(_)) => Err(anyhow!("several runs begin with {named}; write more of the id")),
    }
}

async fn filtered(store: &Store, filter: &Filter, most: u32) -> Result<Vec<RunInfo>> {
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let mut all = Vec::new();
    let mut after = None;
    while all.len() < most {
        let some = store.portion(&Listing::All, after.as_ref(), PORTION).await;
        let some = some?;
        let Some(last) = some.last() else { break };
        after = Some(Listed::after(last));
        all.extend(some.into_iter().filter(|run| filter.takes(run)));
    }
    all.truncate(most);
    Ok(all)
}

async fn list(store: &Store, arguments: &Arguments) -> Result<Status> {
    let filter = Filter {
        q: arguments.search.clone(),
        benchmark: arguments.benchmark.clone(),
        model: arguments.model.clone(),
        state: arguments.state,
        tag: arguments.tag.clone(),
    };
    let runs = filtered(store, &filter, arguments.limit).await?;
    if arguments.json {
        json(&runs)?;
        return Ok(Status::Done);
    }
    if runs.is_empty() {
        say!("no run fits");
        return Ok(Status::Done);
    }
    let head = ["run", "name", "benchmark", "done", "state", "tags"].map(str::to_owned);
    let mut lines = vec![head.to_vec()];
    lines.extend(runs.iter().map(|run| {
        vec![
            run.run.as_str().chars().take(DIGITS).collect(),
            run.title.clone(),
            run.spec.benchmark.clone(),
            format!("{} of {}", run.finished, run.episodes),
            run.state.to_string(),
            run.tags.join(", "),
        ]
    }));
    text(aligned(&lines));
    Ok(Status::Done)
}
