//! `turnwise search`: lists and tries search engines.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::{Args, Subcommand};

use turnwise_shared::prelude::*;
use turnwise_shared::wire::Promise;

use super::Status;
use super::out::say;
use super::outside::Connections;
use super::searched::{Corpora as _, Searched};

/// List and try search engines
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List the engines of the configuration; no key and no address is shown
    List {
        /// The folder in which turnwise.toml lies. Default: turnwise-data
        #[arg(long, value_name = "DIR")]
        data: Option<PathBuf>,
    },
    /// Search for a text and print what a player would be shown
    Test {
        /// What is looked for
        text: String,
        /// Who is searched: local (the sample documents), local:PATH (your documents) or an engine of the configuration
        #[arg(long, value_name = "ENGINE", default_value = "local")]
        search: Searched,
        /// The most hits
        #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=50))]
        results: u32,
        /// The language to prefer, e.g. en or zh. Default: none
        #[arg(long, value_name = "CODE")]
        locale: Option<String>,
        /// The first day of the pages that are wanted, e.g. 2026-01-31. Default: any
        #[arg(long, value_name = "DAY")]
        since: Option<Day>,
        /// The folder in which turnwise.toml lies. Default: turnwise-data
        #[arg(long, value_name = "DIR")]
        data: Option<PathBuf>,
    },
}

/// Searches.
///
/// # Errors
/// If there is no such engine, its documents cannot be read, or it fails.
pub fn search(arguments: Arguments) -> Result<Status> {
    match arguments.command {
        Command::List { data } => list(data),
        Command::Test { text, search, results, locale, since, data } => {
            let query = Query { text, results, locale, since };
            test(search, query, data)
        }
    }
}

fn list(data: Option<PathBuf>) -> Result<Status> {
    let mut connections = Connections::new(data)?;
    for info in connections.engines()? {
        let what = match (info.documents, info.promise) {
            (Some(documents), _) => format!("{documents} documents"),
            (None, Promise::Stable) => "the web".to_owned(),
            (None, Promise::BestEffort) => "the web, best effort".to_owned(),
        };
        say!("{}  {}  {what}", info.name, info.format);
    }
    Ok(Status::Done)
}

fn test(search: Searched, query: Query, data: Option<PathBuf>) -> Result<Status> {
    let Searched::Engine { name, documents } = search else {
        bail!(
            "--search tape:…, frozen:…, sample: only runs are answered by these; they cannot be tried"
        );
    };
    let mut connections = Connections::new(data)?;
    let results = query.results;
    let spec = connections.engine(&name, documents.as_deref(), results)?;
    let request = Outgoing::Search { engine: spec.engine, query };
    let CallAnswer { reply, timing } = connections.probe(&request);
    let (hits, by) = match reply {
        Reply::Found { hits, by } => (hits, by),
        Reply::Failed(failure) => {
            let words = timing.words.map(|words| format!("\nthe service says: {words}"));
            let message = format!("{}{}", failure.message, words.unwrap_or_default());
            return Err(anyhow::Error::msg(message));
        }
        _ => bail!("the engine did not answer with results"),
    };
    if let Some(by) = by {
        say!("answered by {by}");
    }
    match hits.len() {
        0 => say!("nothing was found"),
        found if u32::try_from(found).is_ok_and(|found| found < results) => {
            say!("{found} of {results} results that were asked for:");
        }
        _ => {}
    }
    for (number, hit) in hits.iter().enumerate() {
        say!("{}. {}", number + 1, hit.title.as_deref().unwrap_or("(no title)"));
        if let Some(url) = &hit.url {
            say!("   {url}");
        }
        if let Some(snippet) = &hit.snippet {
            say!("   {snippet}");
        }
    }
    Ok(Status::Done)
}
