//! `turnwise admin` and `turnwise rescore`: what the operator does to boards and to sealed tasks, which stands in the public log with
//! its reason, and what only the operator sees.

use std::path::PathBuf;

use anyhow::{Result, anyhow, bail};
use clap::{Args, Subcommand};

use turnwise_backend::App;
use turnwise_backend::config::{Config, Environment, Given, Receipting};
use turnwise_backend::publishing;
use turnwise_backend::store::Logging;
use turnwise_shared::prelude::*;
use turnwise_shared::wire::publishing::{Change, Subject};

use super::Status;
use super::budgets::budgets;
use super::out::{say, say_err};
use super::stored::stored;

/// Rows that are computed anew in one go.
const CHUNK: u32 = 100;

/// Take runs off their boards, open sealed tasks, see what was spent today
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,

    /// The folder of the database. Default: turnwise-data
    #[arg(long, value_name = "DIR", global = true)]
    data: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Take a run off its board; it cannot be published again
    Remove {
        /// The run's id, or a beginning of it that no other run on a board has
        run: String,
        /// Why, in a sentence that everybody may read
        #[arg(long)]
        reason: String,
    },
    /// Tell everybody what is hidden in a sealed set of tasks, for good; runs that are opened later get no row
    OpenTasks {
        /// The set's name, e.g. secret.jsonl
        name: String,
        /// A task file that the server seals because its --sealed says so, and neither turnwise.toml nor TURNWISE_SEALED. May be
        /// given several times
        #[arg(long, value_name = "FILE")]
        sealed: Vec<PathBuf>,
        /// Why, in a sentence that everybody may read
        #[arg(long)]
        reason: String,
    },
    /// What was spent today of the budgets that the server and its access tokens have for a day, exactly
    #[command(alias = "purses")]
    Budgets {
        /// As JSON
        #[arg(long)]
        json: bool,
    },
}

/// Does it.
///
/// # Errors
/// If the database cannot be used, or the run stands on no board.
pub fn admin(arguments: Arguments) -> Result<Status> {
    if let Command::Remove { reason, .. } | Command::OpenTasks { reason, .. } = &arguments.command
        && reason.trim().is_empty()
    {
        bail!("--reason: everybody may read why, so say it");
    }
    let mut config = config(arguments.data)?;
    match arguments.command {
        Command::Remove { run, reason } => remove(config, run, reason),
        Command::OpenTasks { name, sealed, reason } => {
            config.sealed.extend(sealed);
            open_tasks(config, &name, &reason)
        }
        Command::Budgets { json } => runtime()?.block_on(budgets(&config, json)),
    }
}

fn open_tasks(config: Config, name: &str, reason: &str) -> Result<Status> {
    runtime()?.block_on(async {
        let app = App::beside(without_receipts(config)).await?;
        let set = app.sealed().named(name);
        let set = set.ok_or_else(|| {
            anyhow!("no sealed set is named {name}; one that `turnwise serve --sealed FILE` seals is named by the same --sealed here")
        })?;
        if !set.can_be_opened() {
            bail!("{name} is encrypted, so its text is not told in the clear; no longer sealed, its file is handed out as it is");
        }
        let now = turnwise_backend::clock::now();
        let digest = &set.told.digest;
        let logged = app.store().open_tasks(digest, name, reason, now).await;
        app.store().close().await;
        tell(&logged?);
        say!("{} tasks of {name} are open to everybody", set.whole.tasks.len());
        Ok(Status::Done)
    })
}

fn remove(config: Config, run: String, reason: String) -> Result<Status> {
    let logged = runtime()?.block_on(async {
        let store = stored(&config).await?;
        let logging = Logging::new(Change::Removed, reason, turnwise_backend::clock::now());
        let found = store.on_boards(&run).await;
        let logged = match found.map(|found| named(&run, &found)) {
            Ok(Ok(run)) => store.leave_board(&run, &logging).await.map_err(Into::into),
            Ok(Err(trouble)) => Err(trouble),
            Err(failed) => Err(failed.into()),
        };
        store.close().await;
        logged
    })?;
    match logged {
        Some(logged) => {
            tell(&logged);
            Ok(Status::Done)
        }
        None => Err(nowhere(&run)),
    }
}

/// The one run on a board whose id begins so.
fn named(wanted: &str, found: &[RunId]) -> Result<RunId> {
    match found {
        [run] => Ok(run.clone()),
        [] => Err(nowhere(wanted)),
        _ => Err(anyhow!("several runs on boards begin with {wanted}; name more of the id")),
    }
}

fn nowhere(wanted: &str) -> anyhow::Error {
    anyhow!("the run {wanted} stands on no board")
}

/// Compute the numbers of published runs anew where this program computes them otherwise
///
/// Every row whose numbers change gets an entry in the public log. The server may run meanwhile.
#[derive(Debug, Args)]
pub struct Rescore {
    /// The folder of the database. Default: turnwise-data
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
}

/// Computes anew.
///
/// # Errors
/// If the database cannot be used.
pub fn rescore(arguments: Rescore) -> Result<Status> {
    let config = without_receipts(config(arguments.data)?);
    runtime()?.block_on(async {
        let app = App::beside(config).await?;
        let mut after: Option<RunId> = None;
        let (mut seen, mut changed, mut failed) = (0, 0, 0);
        loop {
            let rows =
                app.store().entries_of_others(publishing::maker(), after.as_ref(), CHUNK).await?;
            let Some(last) = rows.last() else {
                break;
            };
            after = Some(last.entry.run.clone());
            for row in &rows {
                seen += 1;
                match publishing::rescore(&app, row).await {
                    Ok(Some(logged)) => {
                        changed += 1;
                        tell(&logged);
                    }
                    Ok(None) => {}
                    Err(refused) => {
                        failed += 1;
                        say_err!("{}: {refused}", row.entry.run);
                    }
                }
            }
        }
        app.store().close().await;
        say!("{seen} rows computed anew, {changed} have other numbers");
        Ok(match failed {
            0 => Status::Done,
            _ => Status::Failed,
        })
    })
}

/// Nothing is called here, so nothing is signed.
fn without_receipts(mut config: Config) -> Config {
    config.signing.receipts = Receipting::Off;
    config
}

fn tell(logged: &LogEntry) {
    say!(
        "{}  {}  {}  {}",
        logged.number,
        logged.change.name(),
        match &logged.subject {
            Subject::Row { run, .. } => run.to_string(),
            Subject::Tasks { tasks, name } => format!("{name} {tasks}"),
        },
        logged.reason
    );
}

fn config(data: Option<PathBuf>) -> Result<Config> {
    let given = Given { addr: None, data };
    Ok(Config::load(given, &Environment::of_process())?)
}

fn runtime() -> Result<tokio::runtime::Runtime> {
    Ok(tokio::runtime::Builder::new_multi_thread().enable_all().build()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_beginning_names_one_run_or_none() {
        let run = |number| RunId::new([number; 16]);
        let said = |found: &[RunId]| named("abab", found).map_err(|trouble| trouble.to_string());
        assert_eq!(said(&[run(0xab)]), Ok(run(0xab)));
        let none = said(&[]).expect_err("nothing begins so");
        assert!(none.contains("abab stands on no board"), "{none}");
        let several = said(&[run(0xab), run(0xac)]).expect_err("two begin so");
        assert!(several.contains("name more of the id"), "{several}");
    }
}
