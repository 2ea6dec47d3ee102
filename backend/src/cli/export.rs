//! `turnwise export`: what was played, in the formats of other tools.

mod paraworld;

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use turnwise_backend::run_folder::{self, at};
use turnwise_shared::benchmark::Benchmark;
use turnwise_shared::benchmarks::poker::{self, Poker, phh};
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

    /// Where to write: a folder for phh, which is made; a file for mpw-results
    #[arg(long, value_name = "PATH")]
    out: PathBuf,

    /// mpw-results: the task file, where the run's folder has no copy
    #[arg(long, value_name = "FILE")]
    tasks: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
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
    match arguments.format {
        Format::Phh if arguments.tasks.is_some() => {
            Err(Trouble::new("--tasks belongs to --format mpw-results"))
        }
        Format::Phh => hands(arguments),
        Format::MpwResults => {
            paraworld::results(&arguments.files, &arguments.out, arguments.tasks.as_deref())
        }
    }
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
