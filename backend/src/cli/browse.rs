//! `turnwise browse`: reads a page as a player does.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;
use serde_json::json;
use turnwise_shared::effect::{Page, Tool, Visit};
use turnwise_shared::prelude::*;

use super::Status;
use super::out::{self, say};
use super::outside::Connections;
use super::recordings::Recordings;

use super::web::Web;

/// Read a page as a player does, or see which rule refuses it
#[derive(Debug, Args)]
pub struct Arguments {
    /// The address of the page
    #[arg(value_name = "URL")]
    url: String,

    /// Where it is read: live (the web, behind the guard), sample (the built-in pages) or frozen:DIR (what recorded runs have
    /// read; several with commas)
    #[arg(long, value_name = "WEB", default_value = "live")]
    web: Web,

    /// The language to prefer, e.g. en or zh. Default: the site's own, of an archive one in which the page was read
    #[arg(long, value_name = "CODE")]
    locale: Option<String>,

    /// Print the reply as JSON: the page in `page`, or in `failed` why there is none, with the rule in `failed.detail.rule`
    #[arg(long)]
    json: bool,

    /// The folder in which turnwise.toml lies. Default: turnwise-data
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
}

/// Reads a page.
///
/// # Errors
/// If there is no such web, or the configuration is wrong.
pub fn browse(arguments: Arguments) -> Result<Status> {
    let Arguments { url, web, locale, json, data } = arguments;
    let visit = Visit { url, locale };
    let reply = match web {
        Web::Live => {
            let mut connections = Connections::new(data)?;
            connections.endpoints()?;
            connections.probe(&Outgoing::Use(Tool::Page(visit))).reply
        }
        Web::Sample | Web::Frozen(_) => {
            let mut recordings = Recordings::default();
            let archives = match recordings.web(&web)? {
                WebSpec::Archive { archive } => recordings.archives().remove(&archive),
                WebSpec::Live => None,
            };
            let archive = archives.expect("it was made just now");
            let locale = visit.locale.or_else(|| archive.locale_of(&visit.url));
            archive.page(&Visit { locale, ..visit })
        }
        Web::Recording(_) => {
            bail!("--web tape:…: a recording answers its own run only; write frozen:DIR");
        }
    };
    match reply {
        Reply::Made(Made::Page(page)) if json => out::json(&json!({ "page": page }))?,
        Reply::Made(Made::Page(page)) => show(&page),
        Reply::Failed(failure) if json => {
            out::json(&json!({ "failed": failure }))?;
            return Ok(Status::Failed);
        }
        Reply::Failed(failure) => return Err(anyhow::Error::msg(failure.message)),
        _ => bail!("no page came back"),
    }
    Ok(Status::Done)
}

fn show(page: &Page) {
    say!("{} (status {})", page.url, page.status);
    if let Some(title) = &page.title {
        say!("{title}");
    }
    say!("\n{}", page.text);
    if !page.links.is_empty() {
        say!("");
    }
    for link in &page.links {
        say!("{}  {}", link.url, link.text);
    }
    if page.cut {
        say!("\nThe page is longer: a player reads this much of it.");
    }
}
