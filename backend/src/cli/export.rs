//! `turnwise export`: what was played, in the formats of other tools.

mod episodes;
mod paraworld;
mod run;

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use turnwise_backend::run_folder::{self, at};
use turnwise_shared::benchmark::Benchmark;
use turnwise_shared::benchmarks::poker::{self, Poker, phh};
use turnwise_shared::exchange::Texts;
use turnwise_shared::exchange::html::Transcripts;
use turnwise_shared::exchange::row::Messages;
use turnwise_shared::run::EpisodeKey;

use super::Status;
use super::files;
use super::out::say;
use super::trouble::Trouble;

/// Write what was played in a format that other tools read
#[derive(Debug, Args)]
pub struct Arguments {
    /// The format
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Format,

    /// Run folders or transcripts
    #[arg(required = true, value_name = "DIR|FILE")]
    files: Vec<PathBuf>,

    /// Where to write: a folder for phh, which is made; a file for all others
    #[arg(long, value_name = "PATH")]
    out: PathBuf,

    /// The task file, where the run's folder has no copy; not for phh
    #[arg(long, value_name = "FILE")]
    tasks: Option<PathBuf>,

    /// jsonl: what was said as well, and what came back
    #[arg(long)]
    messages: bool,

    /// How much of the tasks' text is told in eval and html. Default: question; of an encrypted task file none. The canary of
    /// such a file is written in any case. What models said is told as it was said
    #[arg(long, value_enum, value_name = "TEXT")]
    texts: Option<Told>,

    /// html: how much of the transcripts is on the page. Default: all
    #[arg(long, value_enum, value_name = "TURNS")]
    transcripts: Option<Turns>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Turns {
    /// Every turn
    #[default]
    All,
    /// The first two and the last two turns of every episode
    Ends,
    /// Numbers and ribbons only
    None,
}

impl From<Turns> for Transcripts {
    fn from(turns: Turns) -> Transcripts {
        match turns {
            Turns::All => Transcripts::All,
            Turns::Ends => Transcripts::Ends,
            Turns::None => Transcripts::None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Told {
    /// Fields are named and not told
    None,
    /// The question; of other fields the name
    Question,
    /// Everything, answers included
    All,
}

impl From<Told> for Texts {
    fn from(told: Told) -> Texts {
        match told {
            Told::None => Texts::Named,
            Told::Question => Texts::Question,
            Told::All => Texts::All,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// One JSON object an episode and line: task, repeat, seats, ending, score, answer, the benchmark's own figures, tokens,
    /// cost
    Jsonl,
    /// The same as a table, one row an episode. Cells that a spreadsheet would run begin with an apostrophe
    Csv,
    /// A log of Inspect (inspect_ai), which its viewer opens
    Eval,
    /// One page that stands alone: numbers, diagrams, ribbons, transcripts. It loads nothing and runs nothing
    Html,
    /// Poker hand histories as PokerKit reads them, one file a hand
    Phh,
    /// Mind-ParaWorld: judged JSON Lines as the authors' engines write them. Imported results come back as they were given,
    /// equal as JSON values, all lines and unknown fields kept; recorded plays are written in the same form
    MpwResults,
}

/// Exports.
///
/// # Errors
/// If a transcript is not sound or of another benchmark, or a file cannot be written.
pub fn export(arguments: &Arguments) -> Result<Status, Trouble> {
    let Arguments {
        files, out, tasks, ..
    } = arguments;
    check(arguments)?;
    let texts = arguments.texts.map(Texts::from);
    let runs = || run::read(files, tasks.as_deref());
    match arguments.format {
        Format::Jsonl if arguments.messages => {
            episodes::lines(&runs()?, out, texts, Messages::With)
        }
        Format::Jsonl => episodes::lines(&runs()?, out, texts, Messages::Without),
        Format::Csv => episodes::csv(&runs()?, out),
        Format::Eval => episodes::log(&runs()?, out, texts),
        Format::Html => {
            let turns = arguments.transcripts.unwrap_or_default();
            episodes::page(&runs()?, out, texts, turns.into())
        }
        Format::Phh => hands(arguments),
        Format::MpwResults => paraworld::results(files, out, tasks.as_deref()),
    }
}

/// Refuses flags that belong to another format.
fn check(arguments: &Arguments) -> Result<(), Trouble> {
    let refused = |flag: &str, owner: &str| Err(Trouble::new(format!("{flag} belongs to {owner}")));
    if arguments.messages && arguments.format != Format::Jsonl {
        return refused("--messages", "--format jsonl");
    }
    if arguments.transcripts.is_some() && arguments.format != Format::Html {
        return refused("--transcripts", "--format html");
    }
    if arguments.texts.is_some() && !matches!(arguments.format, Format::Eval | Format::Html) {
        return refused("--texts", "--format eval and html");
    }
    if arguments.tasks.is_some() && arguments.format == Format::Phh {
        return refused("--tasks", "the other formats");
    }
    Ok(())
}

fn hands(arguments: &Arguments) -> Result<Status, Trouble> {
    std::fs::create_dir_all(&arguments.out).map_err(at(&arguments.out))?;
    let mut written = 0_usize;
    for file in files::find(&arguments.files)?
        .into_iter()
        .flat_map(|named| named.files)
    {
        let play = run_folder::read_transcript(&file)?;
        let header = &play.header;
        if header.spec.benchmark != Poker.name() {
            return Err(Trouble::with(
                &file,
                format!(
                    "it is a transcript of {}; only hands of poker are written as PHH",
                    header.spec.benchmark
                ),
            ));
        }
        let key = EpisodeKey::play(&header.task.id, header.repeat);
        let stem = key.as_str().trim_end_matches(".play").replace('.', "-");
        for hand in poker::hands(&play) {
            let path = arguments.out.join(format!("{stem}-{:05}.phh", hand.hand));
            std::fs::write(&path, phh::write(&hand)).map_err(at(&path))?;
            written += 1;
        }
    }
    if written == 0 {
        return Err(Trouble::new(
            "there is no finished hand in these transcripts",
        ));
    }
    say!("{written} hands written to {}", arguments.out.display());
    Ok(Status::Done)
}
