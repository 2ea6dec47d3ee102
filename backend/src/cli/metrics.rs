//! `turnwise metrics`: the numbers of a run, from its transcripts and from nothing else.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use clap::{Args, ValueEnum};

use turnwise_backend::run_folder::{self, at};
use turnwise_shared::benchmarks::interactcomp::imported;
use turnwise_shared::hash::Digest;
use turnwise_shared::metrics::cost::{Day, PriceBook};
use turnwise_shared::metrics::report::{MeasureOptions, Rounding};
use turnwise_shared::metrics::summary::{Summary, summarise};
use turnwise_shared::registry;
use turnwise_shared::run::{EpisodeKey, choose};
use turnwise_shared::seat::Seat;
use turnwise_shared::spec::Spec;
use turnwise_shared::task::TaskSet;
use turnwise_shared::transcript::{Event, Part, Request, Transcript};

use super::difference::difference;
use super::files::{self, Extent};
use super::out::{self, say};
use super::tasks::Tasks;
use super::trouble::Trouble;
use super::{Status, day, table};

/// Compute the numbers of a run from its transcripts
///
/// Several folders are runs of one spec; their repeats are counted on. Transcripts of different specs are never mixed.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Run folders, or transcripts
    #[arg(required = true, value_name = "DIR|FILE")]
    files: Vec<PathBuf>,

    /// Print JSON for programs. Rates, accuracies and calibration errors are fractions from 0 to 1
    #[arg(long)]
    json: bool,

    /// How repeats are rounded before their mean is taken: none, or as the published tables were made (each repeat's
    /// percentage to two decimals, half up)
    #[arg(long, value_enum, default_value_t, value_name = "HOW")]
    rounding: Round,

    /// Which grading counts where a play has several: the newest or the oldest complete one, by the time of its file
    #[arg(long, value_enum, default_value_t, value_name = "WHICH")]
    grading: Which,

    /// A task file from which ids and labels (domain, language) are taken where transcripts lack them, as imported ones do
    #[arg(long, value_name = "PATH")]
    tasks: Option<PathBuf>,

    /// What models cost: a JSON list of objects with model (its exact name), from (the first day of the price, e.g.
    /// 2025-11-10), input and output (millionths of a US dollar per million tokens read and written: 150000 is 0.15 dollars
    /// per million). A model that is not listed has an unknown cost, and so has the run
    #[arg(long, value_name = "FILE")]
    prices: Option<PathBuf>,

    /// The day whose prices hold. Default: the day on which the run was opened, else today
    #[arg(long, value_name = "YYYY-MM-DD")]
    day: Option<Day>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Round {
    #[default]
    None,
    Published,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Which {
    #[default]
    Newest,
    Oldest,
}

/// Computes and prints.
///
/// # Errors
/// If a transcript is not sound, or transcripts of different specs were given.
pub fn metrics(arguments: &Arguments) -> Result<Status, Trouble> {
    let mut given = Given::read(&arguments.files)?;
    let plays = std::mem::take(&mut given.plays);
    let Some(first) = plays.first() else {
        return Err(Trouble::new(
            "there is no play among the transcripts; gradings alone have no numbers",
        ));
    };
    let spec = first.transcript.header.spec.clone();
    let benchmark = registry::find(&spec.benchmark)?;
    same_spec(&plays)?;
    let tasks = match &arguments.tasks {
        Some(path) => Some(Tasks::load(benchmark, Some(path))?.set),
        None => None,
    };
    let chosen = given.choose(&plays, arguments.grading)?;
    let repeats = repeats(&plays)?;
    let mut summaries = Vec::with_capacity(plays.len());
    for (play, repeat) in plays.iter().zip(repeats) {
        let grading = chosen.get(&play.transcript.chain).copied();
        let measured = benchmark.measure_episode(&play.transcript, grading);
        let mut summary = summarise(&play.transcript, grading, measured);
        summary.repeat = repeat;
        if let Some(tasks) = &tasks {
            label(&mut summary, tasks);
        }
        summaries.push(summary);
    }
    say_what_lacks(&given.folders, &spec, &plays);
    let options = MeasureOptions {
        rounding: match arguments.rounding {
            Round::None => Rounding::None,
            Round::Published => Rounding::Published,
        },
        prices: match &arguments.prices {
            Some(path) => price_book(path)?,
            None => PriceBook::default(),
        },
        day: arguments
            .day
            .clone()
            .or_else(|| opened(&given.folders))
            .or_else(|| day::of(day::now())),
        times: times(&given.folders, &plays)?,
    };
    let report = benchmark.report(&spec, &summaries, &options);
    if arguments.json {
        say!("{}", serde_json::to_string_pretty(&report.record)?);
    } else {
        out::text(table::report(&report));
    }
    Ok(Status::Done)
}

fn price_book(path: &Path) -> Result<PriceBook, Trouble> {
    let bytes = std::fs::read(path).map_err(at(path))?;
    serde_json::from_slice(&bytes)
        .map_err(|error| Trouble::with(path, format!("this is no price list: {error}")))
}

/// How long each seat took for its decisions, in milliseconds, from the side files of the folders.
fn times(
    folders: &[(PathBuf, Extent)],
    plays: &[Play],
) -> Result<BTreeMap<Seat, Vec<f64>>, Trouble> {
    let mut times: BTreeMap<Seat, Vec<f64>> = BTreeMap::new();
    for (number, (folder, _)) in folders.iter().enumerate() {
        let took: HashMap<_, _> = run_folder::timings(folder)?
            .into_iter()
            .map(|call| ((call.episode, call.call), call.timing.took))
            .collect();
        for play in plays.iter().filter(|play| play.folder == number) {
            let header = &play.transcript.header;
            let episode = EpisodeKey::play(&header.task.id, header.repeat);
            for event in play.transcript.events.iter().flatten() {
                if let Event::Asked {
                    call,
                    request: Request::Ask { seat, .. },
                } = event
                    && let Some(took) = took.get(&(episode.clone(), *call))
                {
                    times.entry(seat.clone()).or_default().push(*took as f64);
                }
            }
        }
    }
    Ok(times)
}

/// The day on which the first of the runs was opened.
fn opened(folders: &[(PathBuf, Extent)]) -> Option<Day> {
    folders
        .iter()
        .find_map(|(folder, _)| day::of(run_folder::run_file(folder).ok()??.opened))
}

/// A play, and where it was found.
struct Play {
    file: PathBuf,
    /// Which of the folders, from 0.
    folder: usize,
    transcript: Transcript,
}

/// A grading, and where it was found.
struct Grading {
    file: PathBuf,
    written: SystemTime,
    transcript: Transcript,
}

/// Everything that was given.
#[derive(Default)]
struct Given {
    /// The folders in which it lies, in order, and whether each was meant as a whole.
    folders: Vec<(PathBuf, Extent)>,
    plays: Vec<Play>,
    gradings: HashMap<Digest, Vec<Grading>>,
}

impl Given {
    fn read(paths: &[PathBuf]) -> Result<Self, Trouble> {
        let mut given = Given::default();
        for named in files::find(paths)? {
            let number = given.folders.len();
            given.folders.push((named.folder, named.extent));
            let files = named.files;
            for file in files {
                let transcript = run_folder::read_transcript(&file)?;
                match transcript.header.part.clone() {
                    Part::Play => given.plays.push(Play {
                        file,
                        folder: number,
                        transcript,
                    }),
                    Part::Grading { play } => {
                        let written = std::fs::metadata(&file)
                            .and_then(|metadata| metadata.modified())
                            .unwrap_or(SystemTime::UNIX_EPOCH);
                        given.gradings.entry(play).or_default().push(Grading {
                            file,
                            written,
                            transcript,
                        });
                    }
                }
            }
        }
        Ok(given)
    }

    /// The grading of each play that counts. All have one spec, which differs from the plays' in the grader at most.
    fn choose(
        &self,
        plays: &[Play],
        which: Which,
    ) -> Result<HashMap<Digest, &Transcript>, Trouble> {
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
                &without_grader(&play.transcript.header.spec),
                &without_grader(spec),
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
            eprintln!(
                "{} gradings belong to plays that were not given and do not count",
                all - used
            );
        }
        Ok(chosen)
    }
}

/// The newest or oldest complete grading; an incomplete one only where there is no other.
fn pick(gradings: &[Grading], which: Which) -> Option<&Grading> {
    let is_complete = |grading: &&Grading| {
        grading
            .transcript
            .outcome()
            .is_some_and(|outcome| outcome.is_complete())
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

fn without_grader(spec: &Spec) -> Spec {
    let mut spec = spec.clone();
    spec.seats.remove(&Seat::new(Seat::GRADER));
    spec
}

fn same_spec(plays: &[Play]) -> Result<(), Trouble> {
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

fn mixed(one: &Path, other: &Path, found: &super::difference::Difference) -> Trouble {
    Trouble::new(format!(
        "{} and {} have different specs: {} is {} and {}; numbers are taken over one spec only",
        one.display(),
        other.display(),
        found.path,
        found.one,
        found.other
    ))
}

/// The repeat of each play, those of a later folder counted after those of the folders before it.
fn repeats(plays: &[Play]) -> Result<Vec<u32>, Trouble> {
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
            return Err(Trouble::new(format!(
                "{} and {} are plays of the same task and repeat",
                other.display(),
                play.file.display()
            )));
        }
        repeats.push(repeat);
    }
    Ok(repeats)
}

/// Takes the id and labels from a task, where the summary lacks them: results that were imported without tasks know them by
/// their question only.
fn label(summary: &mut Summary, tasks: &TaskSet) {
    let by_question = || {
        tasks.tasks.iter().find(|task| {
            task.field("question")
                .is_some_and(|question| imported::question_id(question) == summary.task.id)
        })
    };
    if let Some(task) = tasks.task(&summary.task.id).or_else(by_question) {
        summary.task.id = task.id.clone();
        for (label, value) in &task.labels {
            let missing = summary.task.labels.entry(label.clone()).or_default();
            if missing.is_empty() {
                missing.clone_from(value);
            }
        }
    }
}

/// Says on stderr how many plays of a run have not begun: numbers over the others are numbers over a part.
fn say_what_lacks(folders: &[(PathBuf, Extent)], spec: &Spec, plays: &[Play]) {
    for (number, (path, extent)) in folders.iter().enumerate() {
        if *extent == Extent::Some {
            continue;
        }
        let planned = || {
            let run = run_folder::run_file(path).ok()??;
            let benchmark = registry::find(&spec.benchmark).ok()?;
            let tasks = Tasks::of_folder(benchmark, path, &run.tasks, &run.spec).ok()??;
            let chosen = choose(&tasks.set, &run.spec.subset).ok()?;
            Some(chosen.len() * usize::try_from(run.spec.repeats).ok()?)
        };
        let there = plays.iter().filter(|play| play.folder == number).count();
        if let Some(planned) = planned()
            && there < planned
        {
            eprintln!(
                "{}: {} of {planned} plays have not begun and are not in these numbers",
                path.display(),
                planned - there
            );
        }
    }
}
