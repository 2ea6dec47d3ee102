//! `turnwise keys`: the keys with which a server signs receipts.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::{Args, Subcommand};

use turnwise_backend::config::{Config, Environment, Given};
use turnwise_backend::receipts::Key;
use turnwise_backend::store::Store;
use turnwise_shared::day::Day;

use super::Status;
use super::out::say;

/// Show and renew the keys with which the server signs receipts
///
/// The secret part lies in signing.key in the data folder, readable by its user alone, or in TURNWISE_SIGNING_KEY. It is
/// never shown. Keys that were used before stay published with their time, so that what they signed can be checked.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,

    /// The folder of the database. Default: turnwise-data
    #[arg(long, value_name = "DIR", global = true)]
    data: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, Default, Subcommand)]
enum Command {
    /// Show the public parts of all keys, as they are published under /api/keys
    #[default]
    Show,
    /// Make a new key; a server uses it from its next start on
    New,
}

/// Shows or renews.
///
/// # Errors
/// If the data folder or the database cannot be used.
pub fn keys(arguments: Arguments) -> Result<Status> {
    let given = Given { addr: None, data: arguments.data };
    let config = Config::load(given, &Environment::of_process())?;
    match arguments.command.unwrap_or_default() {
        Command::Show => show(&config),
        Command::New => {
            let key = Key::renew(&config)?;
            say!("{}  {}", key.id(), key.public());
            say!("The server signs with it from its next start on.");
            Ok(Status::Done)
        }
    }
}

fn show(config: &Config) -> Result<Status> {
    // A folder that is mistyped would else get a database and a key of its own.
    if !config.data.is_dir() {
        bail!(
            "there is no folder {}: a server makes it, and its key, at its first start",
            config.data.display()
        );
    }
    let key = Key::open(config)?;
    let published =
        tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
            let store = Store::beside(&config.database()).await?;
            let keys = store.keys().await;
            store.close().await;
            keys
        })?;
    if !published.iter().any(|other| other.id == key.id()) {
        say!("{}  {}  from its next start on", key.id(), key.public());
    }
    for other in published {
        let since = day(other.since);
        let until = other.until.map_or("now".to_owned(), day);
        say!("{}  {}  {since} to {until}", other.id, other.public);
    }
    Ok(Status::Done)
}

fn day(moment: u64) -> String {
    Day::of(moment).map_or_else(|| moment.to_string(), |day| day.to_string())
}
