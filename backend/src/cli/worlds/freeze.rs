//! `turnwise worlds freeze`: what a run of the world studio accepted, as a file of worlds.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use turnwise_backend::run_folder;
use turnwise_shared::benchmark::Benchmark;
use turnwise_shared::benchmarks::paraworld::worlds::{self, Severity};
use turnwise_shared::benchmarks::studio::Studio;
use turnwise_shared::benchmarks::studio::freeze::{Finished, freeze};
use turnwise_shared::benchmarks::studio::settings::{Settings, Unit};
use turnwise_shared::spec::Spec;
use turnwise_shared::transcript::Part;

use super::super::Status;
use super::super::difference::difference;
use super::super::files;
use super::super::out::say;
use super::super::trouble::Trouble;
use super::{counted, manifest_path, must_be_free, must_have_folder, name_of, write};

#[derive(Debug, Args)]
pub struct Freeze {
    /// The folders of one run of the benchmark worlds, or its transcripts
    #[arg(required = true, value_name = "DIR|FILE")]
    files: Vec<PathBuf>,

    /// What one rejected question takes with it: its whole pair, or nothing. Default: as the run's settings say
    #[arg(long, value_enum, value_name = "UNIT")]
    filter: Option<UnitName>,

    /// Where to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Write over files that are there
    #[arg(long)]
    force: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum UnitName {
    Pair,
    Question,
}

/// The pairs of a run that came to their end, and how many did not.
struct Read {
    spec: Spec,
    finished: Vec<Finished>,
    incomplete: usize,
}

impl Freeze {
    /// Freezes.
    ///
    /// # Errors
    /// If the transcripts are not those of one run of the studio, nothing is left of them, or a file cannot be written.
    pub fn run(&self) -> Result<Status, Trouble> {
        let beside = manifest_path(&self.out);
        must_have_folder(&self.out)?;
        if !self.force {
            must_be_free([&self.out, &beside])?;
        }
        let Read {
            spec,
            finished,
            incomplete,
        } = self.read()?;
        let unit = match self.filter {
            Some(UnitName::Pair) => Unit::Pair,
            Some(UnitName::Question) => Unit::Question,
            None => Settings::of(&spec)?.filter,
        };
        let frozen = freeze(&name_of(&self.out), &spec, &finished, unit)?;
        write(&self.out, frozen.file.as_bytes())?;
        let manifest = serde_json::to_string_pretty(&frozen.manifest)?;
        write(&beside, format!("{manifest}\n").as_bytes())?;
        let questions: usize = finished.iter().map(|one| one.made.questions.len()).sum();
        say!(
            "{} of {questions} questions of {} pairs are worlds",
            frozen.worlds.len(),
            finished.len()
        );
        if incomplete > 0 {
            say!(
                "note: {incomplete} pairs are incomplete and left out; take the run up with --resume"
            );
        }
        let errors: usize = frozen
            .worlds
            .iter()
            .flat_map(worlds::check)
            .filter(|finding| finding.severity == Severity::Error)
            .count();
        say!("{}: {}", self.out.display(), counted(&frozen.manifest));
        say!("{}: sha256 {}", beside.display(), frozen.manifest.sha256);
        if errors > 0 {
            say!("{errors} errors in these worlds; `turnwise worlds check` names them");
            return Ok(Status::Failed);
        }
        Ok(Status::Done)
    }

    fn read(&self) -> Result<Read, Trouble> {
        let mut read: Option<Read> = None;
        let named = files::find(&self.files)?;
        for file in named.into_iter().flat_map(|named| named.files) {
            let play = run_folder::read_transcript(&file)?;
            let header = &play.header;
            if header.spec.benchmark != Studio.name() {
                return Err(Trouble::with(
                    &file,
                    format!(
                        "it is a transcript of {}; only what the world studio made is frozen (benchmark {})",
                        header.spec.benchmark,
                        Studio.name()
                    ),
                ));
            }
            if header.part != Part::Play {
                continue;
            }
            let read = read.get_or_insert_with(|| Read {
                spec: header.spec.clone(),
                finished: Vec::new(),
                incomplete: 0,
            });
            if let Some(found) = difference(&read.spec, &header.spec) {
                return Err(Trouble::with(
                    &file,
                    format!(
                        "it is of another run: {} is {} and {}",
                        found.path, found.one, found.other
                    ),
                ));
            }
            match play.outcome().filter(|outcome| outcome.is_complete()) {
                None => read.incomplete += 1,
                Some(outcome) => {
                    let made = serde_json::from_value(outcome.result.clone())
                        .map_err(|error| Trouble::with(&file, error))?;
                    read.finished.push(Finished {
                        made,
                        repeat: header.repeat,
                    });
                }
            }
        }
        read.ok_or_else(|| Trouble::new("there is no play among the transcripts"))
    }
}
