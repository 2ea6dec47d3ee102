//! The flags of `turnwise run`.

use std::path::PathBuf;

use clap::{ArgAction, Args};

use turnwise_shared::prelude::*;

use super::REPEATS;
use super::driving::DrivingFlags;
use super::settings::SettingFlags;
use crate::cli::searched::Searched;
use crate::cli::seats::ForSeat;
use crate::cli::subset;
use crate::cli::web::Web;

/// Run a benchmark and write one transcript a file into a folder
///
/// Without --tasks and --seat the built-in sample tasks are played by built-in bots: no key, no network.
#[derive(Debug, Clone, Args)]
#[command(after_help = "\
Exit status: 0 all episodes complete; 3 some are not, because calls failed, or the run was stopped or has paused by \
itself (--resume takes them up); 1 the input is wrong; 2 wrong usage.

Ctrl-C once: nothing more is sent, calls in flight are waited for (at most 10 seconds). Twice: stops at once. Either way \
the folder can be resumed.")]
pub struct Arguments {
    #[arg(
        long,
        value_name = "NAME",
        help = benchmarks(),
        required_unless_present_any = ["redrive", "resume"]
    )]
    pub benchmark: Option<String>,

    /// The task file; an encrypted one is decrypted in memory. Default: the built-in sample tasks
    #[arg(long, value_name = "PATH")]
    pub tasks: Option<PathBuf>,

    /// Which reading of the benchmark: strict (what the paper says, holes closed) or reference (what the authors' code
    /// does). Default: strict
    #[arg(long, value_name = "PROFILE")]
    pub profile: Option<Profile>,

    /// Who sits in a seat (1, 2, … where seats are numbered): SEAT=bot:NAME, SEAT=model:PROVIDER/MODEL (a provider of the configuration) or SEAT=tape:DIR (a
    /// run folder that answers again). Once for each seat. Default: the benchmark's bots
    #[arg(long, value_name = "SEAT=WHO")]
    pub seat: Vec<ForSeat<Player>>,

    #[arg(
        long,
        value_name = "LIST",
        help = players(),
        value_delimiter = ',',
        conflicts_with = "seat"
    )]
    pub players: Vec<String>,

    /// Who is searched: local (the sample documents), local:PATH (your documents: a JSON Lines file or a folder), tape:DIR
    /// (a recorded run, call by call), frozen:DIR (what recorded runs have found, by query; several with commas), sample (the
    /// built-in pages) or an engine of the configuration. Default: the player's recording if the player is one; else local;
    /// in the profile reference with tasks of your own there is no engine, and every search comes to nothing
    #[arg(long, value_name = "ENGINE", action = ArgAction::Set)]
    pub search: Vec<Searched>,

    /// Where pages are read: live (the web, behind the guard), sample (the built-in pages), frozen:DIR (what recorded runs
    /// have read, by address; several with commas) or tape:DIR (a recorded run, call by call). Default: the player's recording
    /// if the player is one; else sample for the sample tasks of a benchmark that reads pages
    #[arg(long, value_name = "WEB")]
    pub web: Option<Web>,

    /// Another setting of the benchmark, as JSON or plain text. May be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<String>,

    #[arg(long, value_name = "CONDITIONS", help = subset::HELP)]
    pub subset: Option<String>,

    /// Only the first N of the chosen tasks. Default: all
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub limit: Option<u32>,

    #[command(flatten)]
    pub driving: DrivingFlags,

    /// From which chance is drawn. Default: 1
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,

    #[arg(long, value_name = "N", help = repeats(), value_parser = clap::value_parser!(u32).range(1..))]
    pub repeats: Option<u32>,

    /// A prompt pack (JSON, as `turnwise prompts import` writes it). Default: the benchmark's own
    #[arg(long, value_name = "FILE")]
    pub pack: Option<PathBuf>,

    /// A name for people. Default: the player and the condition
    #[arg(long, visible_alias = "name", value_name = "TEXT")]
    pub title: Option<String>,

    /// A tag by which people find the run. May be given several times
    #[arg(long = "tag", value_name = "TAG")]
    pub tags: Vec<String>,

    /// Go on with the run in --out. The flags are those of the run, or none: then run.json says everything, its budget too.
    /// A folder with transcripts only, e.g. from a browser, needs the flags. Nothing there yet: the run begins
    #[arg(long)]
    pub resume: bool,

    /// With --resume: grade again where a grading gave no score, because the grader's replies could not be read. The old
    /// grading is kept as *.old
    #[arg(long, requires = "resume")]
    pub regrade: bool,

    /// Drive a recorded run again: everything from DIR/run.json, all replies from its transcripts. The transcripts come
    /// out the same, byte for byte
    #[arg(
        long,
        value_name = "DIR",
        conflicts_with_all = [
            "benchmark", "profile", "seat", "players", "search", "web", "set", "subset", "limit", "seed", "repeats", "temperature",
            "top_p", "max_tokens", "stop", "model_seed", "effort", "thinking_tokens", "form", "budget_calls", "budget_tokens",
            "budget_searches",
            "resume"
        ]
    )]
    pub redrive: Option<PathBuf>,

    /// The folder of the run. It is made; one with transcripts in it is refused without --resume
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,

    /// The folder in which turnwise.toml lies, with the endpoints of models. Default: turnwise-data
    #[arg(long, value_name = "DIR", help_heading = "Models")]
    pub data: Option<PathBuf>,

    /// The temperature of a model, 0 to 2. Default: the benchmark's. Once for each seat
    #[arg(long, value_name = "SEAT=T", help_heading = "Models")]
    pub temperature: Vec<ForSeat<f64>>,

    /// Nucleus sampling of a model, above 0 to 1. Default: the benchmark's. Once for each seat
    #[arg(long, value_name = "SEAT=P", help_heading = "Models")]
    pub top_p: Vec<ForSeat<f64>>,

    /// The most tokens of one reply of a model. Default: the endpoint's. Once for each seat
    #[arg(long, value_name = "SEAT=N", help_heading = "Models")]
    pub max_tokens: Vec<ForSeat<u32>>,

    /// A text at which a model's reply ends. May be repeated, also for the same seat
    #[arg(long, value_name = "SEAT=TEXT", help_heading = "Models")]
    pub stop: Vec<ForSeat<String>>,

    /// From which a service is to draw, 0 to 2147483647. Default: its own. Once for each seat
    #[arg(long, value_name = "SEAT=N", help_heading = "Models")]
    pub model_seed: Vec<ForSeat<u32>>,

    /// How hard a model that reasons is to think: none, minimal, low, medium, high, xhigh or max, as far as its service has
    /// these words. Default: the service's. Once for each seat
    #[arg(long, value_name = "SEAT=WORD", help_heading = "Models")]
    pub effort: Vec<ForSeat<Effort>>,

    /// The most tokens that a model may think (Anthropic, Gemini); 0: not at all. Default: the service's. Once for each seat
    #[arg(long, value_name = "SEAT=N", help_heading = "Models")]
    pub thinking_tokens: Vec<ForSeat<u32>>,

    /// In which form a model is to reply: text or json (OpenAI, Gemini). Default: text. Once for each seat
    #[arg(long, value_name = "SEAT=FORM", help_heading = "Models")]
    pub form: Vec<ForSeat<ReplyForm>>,

    /// Calls that one episode may make, searches included. Default: 1000
    #[arg(long, value_name = "N", help_heading = "Budget of one episode")]
    pub budget_calls: Option<u32>,

    /// Tokens that one episode may use, read and written. Default: no limit
    #[arg(long, value_name = "N", help_heading = "Budget of one episode")]
    pub budget_tokens: Option<u64>,

    /// Searches that one episode may make. Default: no limit
    #[arg(long, value_name = "N", help_heading = "Budget of one episode")]
    pub budget_searches: Option<u32>,

    /// The last: what all benchmarks have goes before it.
    #[command(flatten)]
    pub settings: SettingFlags,
}

fn benchmarks() -> String {
    let names = BENCHMARKS.iter().map(|benchmark| benchmark.name());
    format!("The benchmark: {}", names.collect::<Vec<_>>().join(", "))
}

fn players() -> String {
    let numbered = BENCHMARKS.iter().filter(|benchmark| benchmark.participants().is_some());
    let named = numbered.map(|benchmark| {
        let bots = benchmark.bots().iter().take(3).map(|bot| bot.name);
        format!("{}: {}, …", benchmark.name(), bots.collect::<Vec<_>>().join(", "))
    });
    format!(
        "Who plays, in the order of seats, where these are numbered: names of built-in players ({}), players as in --seat \
         (model:PROVIDER/MODEL), or NAME=PLAYER",
        named.collect::<Vec<_>>().join("; ")
    )
}

fn repeats() -> String {
    let mut help = "How many times each task is played. Default: 1".to_owned();
    for benchmark in BENCHMARKS {
        let mut settings = benchmark.schema().settings.iter();
        let label = settings.find(|setting| setting.name == REPEATS);
        let usual = benchmark.default_settings();
        if let (Some(setting), Some(usual)) = (label, usual.get(REPEATS)) {
            let (name, label) = (benchmark.name(), setting.label.to_lowercase());
            help.push_str(&format!("; {name}: {label}, default {usual}"));
        }
    }
    help
}

impl Arguments {
    /// A flag that belongs to the run's spec, if one was given.
    pub fn a_flag_of_the_spec(&self) -> Option<String> {
        [
            ("--tasks", self.tasks.is_some()),
            ("--profile", self.profile.is_some()),
            ("--seat", !self.seat.is_empty()),
            ("--players", !self.players.is_empty()),
            ("--search", !self.search.is_empty()),
            ("--web", self.web.is_some()),
            ("--set", !self.set.is_empty()),
            ("--subset", self.subset.is_some()),
            ("--limit", self.limit.is_some()),
            ("--seed", self.seed.is_some()),
            ("--repeats", self.repeats.is_some()),
            ("--pack", self.pack.is_some()),
            ("--temperature", !self.temperature.is_empty()),
            ("--top-p", !self.top_p.is_empty()),
            ("--max-tokens", !self.max_tokens.is_empty()),
            ("--stop", !self.stop.is_empty()),
            ("--model-seed", !self.model_seed.is_empty()),
            ("--effort", !self.effort.is_empty()),
            ("--thinking-tokens", !self.thinking_tokens.is_empty()),
            ("--form", !self.form.is_empty()),
            ("--budget-calls", self.budget_calls.is_some()),
            ("--budget-tokens", self.budget_tokens.is_some()),
            ("--budget-searches", self.budget_searches.is_some()),
        ]
        .into_iter()
        .find_map(|(flag, given)| given.then(|| flag.to_owned()))
        .or_else(|| self.settings.given().map(|flag| format!("--{flag}")))
    }
}
