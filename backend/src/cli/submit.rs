//! `turnwise submit`: brings a run to a server and publishes it there.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use turnwise_backend::secret::Secret;
use turnwise_backend::submission::{self, Server, Source, Step};
use turnwise_shared::key::RunId;

use super::Status;
use super::out::{say, say_err};

/// Bring a run to a server and publish it there
///
/// Its transcripts go in pieces; a submission that broke off goes on where it was. The server plays everything again over its
/// own tasks, computes every number anew, and says what it found. Receipts are a server's own word of its own calls and do
/// not travel: a run that was made elsewhere is self-reported unless everything in it can be computed again.
#[derive(Debug, Args)]
#[command(after_help = "\
Environment: TURNWISE_ACCESS_TOKEN, if the server wants one; TURNWISE_OWNER_KEY, under which the run is counted as yours. \
Exit status: 0 it stands on its board; 1 it was refused (the message says where and why), or could not be brought there.")]
pub struct Arguments {
    /// The folder of a run, or the id of a run at the server --from
    #[arg(value_name = "DIR|RUN")]
    run: String,

    /// The server, e.g. https://turnwise.example.org
    #[arg(long, value_name = "URL")]
    to: String,

    /// The server that has the run, if an id is given
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:8080")]
    from: String,
}

/// Submits.
///
/// # Errors
/// If the run cannot be brought there, or is refused.
pub fn submit(arguments: &Arguments) -> Result<Status> {
    let variable = |name: &str| std::env::var(name).ok().filter(|text| !text.is_empty());
    let access = variable("TURNWISE_ACCESS_TOKEN").map(Secret::new);
    let owner = variable("TURNWISE_OWNER_KEY").map(Secret::new);
    let to = Server::at(&arguments.to, access)?;
    let folder = PathBuf::from(&arguments.run);
    let source = match arguments.run.parse::<RunId>() {
        Ok(run) if !folder.exists() => {
            Source::Run { server: Server::at(&arguments.from, None)?, run }
        }
        _ => Source::Folder(folder),
    };
    let watch = |step: Step<'_>| match step {
        Step::Opened(run) => say_err!("run {run}"),
        Step::Sent(sent, of) if sent == of || sent % 100 == 0 => {
            say_err!("{sent} of {of} transcripts");
        }
        Step::Sent(..) => {}
        Step::Checking => say_err!("the server checks it"),
    };
    let admission = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?
        .block_on(submission::submit(&source, &to, owner.as_ref(), watch))?;
    let entry = &admission.entry;
    say!("run {}", entry.run);
    say!("board {}", entry.board);
    say!("evidence tier {}", entry.tier);
    if let Some(headline) = entry.numbers.headline() {
        let value = headline.value.map_or("none".to_owned(), |value| value.to_string());
        say!("{} {value}", headline.label);
    }
    for finding in &admission.findings {
        say!("{}", finding.words);
    }
    Ok(Status::Done)
}
