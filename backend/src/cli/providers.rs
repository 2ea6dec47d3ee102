//! `turnwise providers`: the operator's endpoints of models.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use turnwise_shared::effect::Reply;
use turnwise_shared::prompt::{Departed, Departure, Rendered, Role};
use turnwise_shared::seat::{Player, Sampling, Seat};
use turnwise_shared::wire::{ModelCall, Outgoing};

use super::Status;
use super::out::say;
use super::outside::Connections;
use super::trouble::Trouble;

/// List and try the endpoints of the configuration
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,

    /// The folder in which turnwise.toml lies. Default: turnwise-data
    #[arg(long, value_name = "DIR", global = true)]
    data: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List them; no key and no address is shown
    List,
    /// Ask a model for one word, once, and say what came back
    Test {
        /// The endpoint's name and the model's, e.g. openai/gpt-4o
        #[arg(value_name = "NAME/MODEL")]
        model: String,
    },
}

/// Lists or tries.
///
/// # Errors
/// If the configuration is wrong.
pub fn providers(arguments: Arguments) -> Result<Status, Trouble> {
    let mut connections = Connections::new(arguments.data)?;
    let known = connections.endpoints()?.providers();
    match arguments.command {
        Command::List => {
            let endpoints = connections.endpoints()?;
            for info in known {
                say!("{}  {}  {}", info.name, info.format, info.models.join(" "));
                for model in &info.models {
                    let left_out = endpoints.left_out(&info.name, model).unwrap_or_default();
                    if !left_out.is_empty() {
                        say!("    {model} is never sent {}", left_out.join(", "));
                    }
                }
            }
            Ok(Status::Done)
        }
        Command::Test { model } => {
            let Ok(Player::Model { provider, model }) = format!("model:{model}").parse() else {
                return Err(Trouble::new(format!(
                    "{model:?}: write NAME/MODEL, e.g. openai/gpt-4o"
                )));
            };
            let request = Outgoing::Model(ModelCall {
                provider,
                model,
                seat: Seat::new(Seat::PLAYER),
                messages: vec![Rendered::text(
                    Role::User,
                    "This is a test of the connection. Reply with the word: ready",
                )],
                sampling: Sampling::default(),
            });
            let (reply, timing, words) = connections.probe(&request);
            match reply {
                Reply::Said(said) => {
                    let text = said.text.unwrap_or_default();
                    say!("{text}");
                    if let Some(refusal) = &said.refusal {
                        say!("the service says: {refusal}");
                    }
                    for departure in &said.departures {
                        say!("{}", sent_otherwise(departure));
                    }
                    say!(
                        "{} ms; {} tokens read, {} written; the service calls the model {}",
                        timing.took,
                        shown(said.usage.input),
                        shown(said.usage.output),
                        said.model.as_deref().unwrap_or("nothing")
                    );
                    Ok(Status::Done)
                }
                Reply::Failed(failure) => {
                    let words = words.map(|words| format!("\nthe service says: {words}"));
                    Err(Trouble::new(format!(
                        "{}{}",
                        failure.message,
                        words.unwrap_or_default()
                    )))
                }
                Reply::Found { .. } | Reply::Drawn { .. } => {
                    Err(Trouble::new("the service did not answer with a text"))
                }
            }
        }
    }
}

/// What became of a parameter that was not sent as chosen.
fn sent_otherwise(departure: &Departure) -> String {
    let how = match departure.how {
        Departed::NotTaken => "left out, the model does not take it".to_owned(),
        Departed::Refused => "left out, the service refused it".to_owned(),
        Departed::Supplied(value) => format!("{value}, because the format must have one"),
        Departed::Moved => "sent within the first message".to_owned(),
    };
    format!("{}: {how}", departure.parameter)
}

fn shown(count: Option<u64>) -> String {
    count.map_or_else(|| "?".to_owned(), |count| count.to_string())
}
