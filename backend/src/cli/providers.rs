//! `turnwise providers`: the operator's endpoints of models.

use std::path::PathBuf;

use anyhow::{Result, anyhow, bail};
use clap::{Args, Subcommand};

use turnwise_backend::outbound::probe;
use turnwise_shared::prelude::*;
use turnwise_shared::prompt::Departure;

use super::Status;
use super::out::say;
use super::outside::Connections;

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
    /// Ask a model for one word, once, as a run asks, and say what came back
    Test {
        /// The endpoint's name and the model's, e.g. openai/gpt-4o
        #[arg(value_name = "NAME/MODEL")]
        model: String,

        #[command(flatten)]
        sampled: Sampled,
    },
}

/// What is sent otherwise than runs do by default.
#[derive(Debug, Args)]
struct Sampled {
    /// The temperature, 0 to 2. Default: as runs send it
    #[arg(long, value_name = "T")]
    temperature: Option<f64>,

    /// Nucleus sampling, above 0 to 1. Default: as runs send it
    #[arg(long, value_name = "P")]
    top_p: Option<f64>,

    /// The most tokens of the reply. Default: the endpoint's
    #[arg(long, value_name = "N")]
    max_tokens: Option<u32>,

    /// How hard the model is to think. Default: not sent
    #[arg(long, value_name = "EFFORT")]
    effort: Option<Effort>,

    /// The most tokens of reasoning. Default: not sent
    #[arg(long, value_name = "N")]
    thinking_tokens: Option<u32>,
}

impl Sampled {
    fn of(self, model: &str) -> Sampling {
        let usual = probe::usual_sampling(model);
        Sampling {
            temperature: self.temperature.or(usual.temperature),
            top_p: self.top_p.or(usual.top_p),
            max_tokens: self.max_tokens,
            effort: self.effort,
            thinking_tokens: self.thinking_tokens,
            ..usual
        }
    }
}

/// Lists or tries.
///
/// # Errors
/// If the configuration is wrong.
pub fn providers(arguments: Arguments) -> Result<Status> {
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
        Command::Test { model, sampled } => {
            let Ok(Player::Model { provider, model }) = format!("model:{model}").parse() else {
                bail!("{model:?}: write NAME/MODEL, e.g. openai/gpt-4o");
            };
            let sampling = sampled.of(&model);
            let request = probe::call(provider, model, sampling);
            let CallAnswer { reply, timing } = connections.probe(&request);
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
                    if let Some(words) = timing.words.filter(|_| said.refusal.is_none()) {
                        say!("the service said first: {words}");
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
                    let words = timing.words.map(|words| format!("\nthe service says: {words}"));
                    Err(anyhow!("{}{}", failure.message, words.unwrap_or_default()))
                }
                Reply::Found { .. } | Reply::Drawn { .. } | Reply::Made(_) => {
                    Err(anyhow!("the service did not answer with a text"))
                }
            }
        }
    }
}

/// What became of a parameter that was not sent as chosen.
fn sent_otherwise(departure: &Departure) -> String {
    let how = match departure.how {
        Departed::Supplied(_) if departure.parameter == "stream" => {
            return "asked as a stream, because the model answers no other way".to_owned();
        }
        Departed::NotTaken => "left out, the model does not take it".to_owned(),
        Departed::Refused => "left out, the service refused it".to_owned(),
        Departed::Supplied(value) => format!("{value}, because the format must have one"),
        Departed::Lowered(value) => format!("lowered to {value}, the service takes no more"),
        Departed::Moved if departure.parameter == "system" => {
            "sent within the first message".to_owned()
        }
        Departed::Moved if departure.parameter == "role_order" => {
            "messages of one side sent as one".to_owned()
        }
        Departed::Moved => "another one was asked".to_owned(),
        Departed::Cut(bytes) => format!("cut after {bytes} bytes"),
    };
    format!("{}: {how}", departure.parameter)
}

fn shown(count: Option<u64>) -> String {
    count.map_or_else(|| "?".to_owned(), |count| count.to_string())
}
