//! What was given to `turnwise metrics`: plays, their gradings, and which of those count.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Result, anyhow, bail};

use turnwise_backend::run_folder;
use turnwise_shared::difference::{Difference, difference};
use turnwise_shared::prelude::*;
use turnwise_shared::run::without_seats;

use super::Which;
use crate::cli::files::{self, Extent};
use crate::cli::out::say_err;

/// An episode, and where it was found.
pub(super) struct Play {
    pub(super) file: PathBuf,
    /// Which of the folders, from 0.
    pub(super) folder: usize,
    pub(super) transcript: Transcript,
}

/// A grading, and where it was found.
struct Grading {
    file: PathBuf,
    /// Which of the folders, from 0.
    folder: usize,
    written: SystemTime,
    transcript: Transcript,
}

#[derive(Default)]
pub(super) struct Given {
    /// The folders in which it lies, in order, and whether each was meant as a whole.
    pub(super) folders: Vec<(PathBuf, Extent)>,
    pub(super) plays: Vec<Play>,
    gradings: HashMap<Digest, Vec<Grading>>,
}

impl Given {
    pub(super) fn read(paths: &[PathBuf]) -> Result<Self> {
        let mut given = Given::default();
        // Deterministic players play alike again, so the same episode in another run is a repeat; one in a run that grades again
        // is the same episode once more, wherever its own run stands among the folders.
        let mut found = Vec::new();
        for named in files::find(paths)? {
            let regrades = run_folder::run_file(&named.folder)?.is_some_and(|run| run.regrades);
            found.push((regrades, named));
        }
        found.sort_by_key(|(regrades, _)| *regrades);
        let mut known: BTreeSet<(Digest, Option<OsString>)> = BTreeSet::new();
        for (regrades, named) in found {
            let number = given.folders.len();
            given.folders.push((named.folder, named.extent));
            let files = named.files;
            for file in files {
                let transcript = run_folder::read_transcript(&file)?;
                match transcript.header.part.clone() {
                    Part::Play
                        if !known
                            .insert((transcript.chain, file.file_name().map(OsStr::to_owned)))
                            && regrades => {}
                    Part::Play => given.plays.push(Play { file, folder: number, transcript }),
                    Part::Grading { play } => {
                        let written = std::fs::metadata(&file)
                            .and_then(|metadata| metadata.modified())
                            .unwrap_or(SystemTime::UNIX_EPOCH);
                        given.gradings.entry(play).or_default().push(Grading {
                            file,
                            folder: number,
                            written,
                            transcript,
                        });
                    }
                }
            }
        }
        Ok(given)
    }

    /// Every grading of an episode, with the number of its folder.
    pub(super) fn gradings_of(
        &self,
        play: &Transcript,
    ) -> impl Iterator<Item = (usize, &Transcript)> {
        let gradings = self.gradings.get(&play.chain).into_iter().flatten();
        gradings.map(|grading| (grading.folder, &grading.transcript))
    }

    /// The grading of each episode that counts. All have one spec, which differs from the episodes' in the seat that grades at
    /// most.
    pub(super) fn choose(
        &self,
        benchmark: &dyn Benchmark,
        plays: &[Play],
        which: Which,
    ) -> Result<HashMap<Digest, &Transcript>> {
        let mut chosen: HashMap<Digest, &Transcript> = HashMap::new();
        let mut first: Option<&Grading> = None;
        let mut used = 0;
        for play in plays {
            let Some(gradings) = self.gradings.get(&play.transcript.chain) else {
                continue;
            };
            used += gradings.len();
            let Some(grading) = pick(gradings, which) else {
                continue;
            };
            let spec = &grading.transcript.header.spec;
            if let Some(found) = difference(
                &without_grader(benchmark, &play.transcript.header.spec),
                &without_grader(benchmark, spec),
            ) {
                return Err(mixed(&play.file, &grading.file, &found));
            }
            let one = *first.get_or_insert(grading);
            if let Some(found) = difference(&one.transcript.header.spec, spec) {
                return Err(mixed(&one.file, &grading.file, &found));
            }
            chosen.insert(play.transcript.chain, &grading.transcript);
        }
        let all: usize = self.gradings.values().map(Vec::len).sum();
        if used < all {
            say_err!(
                "{} gradings belong to episodes that were not given and do not count",
                all - used
            );
        }
        Ok(chosen)
    }
}

/// The newest or oldest complete grading; an incomplete one only where there is no other.
fn pick(gradings: &[Grading], which: Which) -> Option<&Grading> {
    let is_complete = |grading: &&Grading| {
        grading.transcript.outcome().is_some_and(|outcome| outcome.is_complete())
    };
    let complete: Vec<_> = gradings.iter().filter(is_complete).collect();
    if complete.is_empty() {
        return gradings.last();
    }
    match which {
        // Of equal ones `max_by_key` takes the last and `min_by_key` the first.
        Which::Newest => complete.into_iter().max_by_key(|grading| grading.written),
        Which::Oldest => complete.into_iter().min_by_key(|grading| grading.written),
    }
}

fn without_grader(benchmark: &dyn Benchmark, spec: &Spec) -> Spec {
    without_seats(spec, benchmark.grading_seats())
}

pub(super) fn same_spec(plays: &[Play]) -> Result<()> {
    let Some((first, others)) = plays.split_first() else {
        return Ok(());
    };
    for other in others {
        let (one, two) = (&first.transcript.header.spec, &other.transcript.header.spec);
        if one != two
            && let Some(found) = difference(one, two)
        {
            return Err(mixed(&first.file, &other.file, &found));
        }
    }
    Ok(())
}

fn mixed(one: &Path, other: &Path, found: &Difference) -> anyhow::Error {
    anyhow!(
        "{} and {} have different specs: {} is {} and {}; numbers are taken over one spec only",
        one.display(),
        other.display(),
        found.path,
        found.one,
        found.other
    )
}

/// The repeat of each episode, those of a later folder counted after those of the folders before it.
pub(super) fn repeats(plays: &[Play]) -> Result<Vec<u32>> {
    let mut before = 0;
    let mut highest = 0;
    let mut folder = 0;
    let mut seen: BTreeMap<(String, u32), &Path> = BTreeMap::new();
    let mut repeats = Vec::with_capacity(plays.len());
    for play in plays {
        if play.folder != folder {
            folder = play.folder;
            before = highest;
        }
        let header = &play.transcript.header;
        let repeat = before + header.repeat;
        highest = highest.max(repeat);
        if let Some(other) = seen.insert((header.task.id.0.clone(), repeat), &play.file) {
            bail!(
                "{} and {} are episodes of the same task and repeat",
                other.display(),
                play.file.display()
            );
        }
        repeats.push(repeat);
    }
    Ok(repeats)
}
