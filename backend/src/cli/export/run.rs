//! A run folder as the formats of [`exchange`](turnwise_shared::exchange) need it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use anyhow::Result;

use turnwise_backend::pictures::FOLDER;
use turnwise_backend::run_folder;
use turnwise_shared::benchmark::given::{Episode, Given, Texts};
use turnwise_shared::formats::Played;
use turnwise_shared::picture::Pictures;
use turnwise_shared::prelude::*;

use crate::cli::day;
use crate::cli::files::{self, Named};
use crate::cli::tasks::Tasks;
use crate::cli::trouble::with_path;

/// A run that was read.
pub struct Run {
    pub folder: PathBuf,
    benchmark: &'static dyn Benchmark,
    spec: Spec,
    id: String,
    title: String,
    tags: Vec<String>,
    opened: Option<u64>,
    tasks: Option<TaskSet>,
    pack: Option<Pack>,
    times: Vec<CallTiming>,
    report: Report,
    episodes: Vec<Loaded>,
    pictures: Pictures,
    pub options: MeasureOptions,
}

struct Loaded {
    key: EpisodeKey,
    summary: Summary,
    play: Transcript,
    grading: Option<Transcript>,
}

/// Reads transcripts, each play with the newest grading of it. Every one of them is checked.
///
/// # Errors
/// If a transcript is not sound, or the check refuses it.
pub fn played(
    files: Vec<PathBuf>,
    mut check: impl FnMut(&Path, &Transcript) -> Result<()>,
) -> Result<Vec<Played>> {
    let mut plays: Vec<Played> = Vec::new();
    let mut gradings: HashMap<Digest, Transcript> = HashMap::new();
    for file in files {
        let transcript = run_folder::read_transcript(&file)?;
        check(&file, &transcript)?;
        match transcript.header.part {
            Part::Play => plays.push(Played {
                file: file.display().to_string(),
                play: transcript,
                grading: None,
            }),
            Part::Grading { play } => {
                // The last by name is the newest; one that came to no end counts only where there is no other.
                let ended = |one: &Transcript| one.outcome().is_some_and(|it| it.is_complete());
                if ended(&transcript) || !gradings.get(&play).is_some_and(ended) {
                    gradings.insert(play, transcript);
                }
            }
        }
    }
    for played in &mut plays {
        played.grading = gradings.remove(&played.play.chain);
    }
    Ok(plays)
}

/// Reads the runs behind paths, one a folder.
///
/// # Errors
/// If a transcript is not sound, or those of one folder have different specs.
pub fn read(paths: &[PathBuf], tasks: Option<&Path>) -> Result<Vec<Run>> {
    files::find(paths)?.into_iter().map(|named| Run::read(named, tasks)).collect()
}

impl Run {
    fn read(named: Named, tasks: Option<&Path>) -> Result<Self> {
        let Named { folder, files, .. } = named;
        let mut spec: Option<Spec> = None;
        let plays = played(files, |file, transcript| {
            if transcript.header.part != Part::Play {
                return Ok(());
            }
            match spec.get_or_insert_with(|| transcript.header.spec.clone()) {
                first if *first == transcript.header.spec => Ok(()),
                _ => Err(with_path(
                    file,
                    "its spec differs from that of the episodes before it; a run has one spec",
                )),
            }
        })?;
        let Some(spec) = spec else {
            return Err(with_path(&folder, "there is no episode in it"));
        };
        let benchmark = registry::find(&spec.benchmark)?;
        let file = run_folder::run_file(&folder)?;
        let tasks = match (tasks, &file) {
            (Some(path), _) => Some(Tasks::load(benchmark, Some(path))?),
            (None, Some(run)) => Tasks::of_folder(benchmark, &folder, &run.tasks, &run.spec)?,
            (None, None) => None,
        };
        let pack = run_folder::pack_file(&folder)?.unwrap_or_else(|| benchmark.pack());
        let opened = file.as_ref().map(|run| run.opened);
        let options = MeasureOptions {
            day: opened.and_then(Day::of).or_else(|| Day::of(day::now())),
            prices: crate::cli::prices::book(None, None)?,
            ..MeasureOptions::default()
        };
        let episodes: Vec<Loaded> = plays
            .into_iter()
            .map(|Played { play, grading, .. }| {
                let measured = benchmark.measure(&play, grading.as_ref());
                Loaded {
                    key: EpisodeKey::play(&play.header.task.id, play.header.repeat),
                    summary: summarise(&play, grading.as_ref(), measured),
                    play,
                    grading,
                }
            })
            .collect();
        let transcripts = episodes.iter().flat_map(|one| one.grading.iter().chain([&one.play]));
        let mut pictures = Pictures::new();
        for picture in transcripts.flat_map(Transcript::pictures) {
            // Without its bytes a picture is named.
            if let Ok(png) = std::fs::read(folder.join(FOLDER).join(picture.file_name())) {
                pictures.insert(picture.digest, png);
            }
        }
        for (digest, png) in tasks.iter().flat_map(|tasks| &tasks.set.pictures) {
            pictures.insert(*digest, png.to_vec());
        }
        let ended: Vec<&Summary> = episodes.iter().map(|episode| &episode.summary).collect();
        Ok(Run {
            report: benchmark.report(&spec, &ended, &options),
            id: name_of(&folder),
            tags: file.as_ref().map(|run| run.tags.clone()).unwrap_or_default(),
            title: file.map(|run| run.title).unwrap_or_default(),
            opened,
            tasks: tasks.map(|tasks| tasks.set),
            pack: (pack.digest() == spec.pack.digest).then_some(pack),
            times: run_folder::timings(&folder)?,
            folder,
            benchmark,
            spec,
            episodes,
            pictures,
            options,
        })
    }

    /// The run as formats need it; `texts` as the user chose, else as [`Texts::of`] its tasks.
    pub fn given(&self, texts: Option<Texts>) -> Given<'_> {
        Given {
            benchmark: self.benchmark,
            spec: &self.spec,
            title: &self.title,
            tags: &self.tags,
            id: &self.id,
            opened: self.opened,
            program: env!("CARGO_PKG_VERSION"),
            tasks: self.tasks.as_ref(),
            pack: self.pack.as_ref(),
            texts: texts.unwrap_or_else(|| Texts::of(self.tasks.as_ref())),
            report: &self.report,
            pictures: &self.pictures,
        }
    }

    pub fn episodes(&self) -> impl ExactSizeIterator<Item = Episode<'_>> {
        self.episodes.iter().map(|loaded| Episode {
            key: &loaded.key,
            summary: &loaded.summary,
            play: &loaded.play,
            grading: loaded.grading.as_ref(),
            times: &self.times,
        })
    }
}

fn name_of(folder: &Path) -> String {
    std::path::absolute(folder)
        .ok()
        .and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned()))
        .unwrap_or_else(|| "run".to_owned())
}
