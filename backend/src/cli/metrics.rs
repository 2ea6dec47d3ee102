//! `turnwise metrics`: the numbers of a run, from its transcripts and from nothing else.

mod again;
mod dated;
mod given;
mod graders;

use std::collections::HashMap;
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};

use turnwise_backend::run_folder;
use turnwise_shared::compare::{self, Entrant};
use turnwise_shared::metrics::calibration::Scale;
use turnwise_shared::metrics::spread::Rounding;
use turnwise_shared::metrics::times::{Collected, Times};
use turnwise_shared::prelude::*;
use turnwise_shared::reread::Recorded;
use turnwise_shared::task::question_id;

use super::files::Extent;
use super::out::{self, say_err};
use super::tasks::Tasks;

use super::{Status, day, prices, table};
use again::{Again, Surroundings};
use given::{Given, Play};

/// Compute the numbers of a run from its transcripts
///
/// Several folders are runs of one spec; their repeats are counted on. Transcripts of different specs are never mixed; with
/// --compare every folder is a run of its own, and they are set side by side.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Run folders, or transcripts
    #[arg(required = true, value_name = "DIR|FILE")]
    files: Vec<PathBuf>,

    #[arg(long, value_name = "strict|reference", help = profile_help())]
    profile: Option<Profile>,

    #[arg(long, help = compare_help())]
    compare: bool,

    /// Print JSON for programs. Rates, accuracies and calibration errors are fractions from 0 to 1
    #[arg(long)]
    json: bool,

    /// How repeats are rounded before their mean is taken: none, or as the published tables were made (each repeat's
    /// percentage to two decimals, half up)
    #[arg(long, value_enum, default_value_t, value_name = "HOW")]
    rounding: Round,

    /// How stated confidences are read: in percent, as players are asked for, or as fractions where no confidence of the whole
    /// run is above 1
    #[arg(long, value_enum, default_value_t, value_name = "percent|fractions")]
    confidence: Confidences,

    /// Which grading counts where an episode has several: the newest or the oldest complete one, by the time of its file
    #[arg(long, value_enum, default_value_t, value_name = "WHICH")]
    grading: Which,

    /// A task file from which ids and labels (domain, language) are taken where transcripts lack them, as imported ones do
    #[arg(long, value_name = "PATH")]
    tasks: Option<PathBuf>,

    /// What services ask, before the list that comes with the program and the prices of turnwise.toml: a TOML file with
    /// [[price]] (provider, model: exact names; from: the first day; input, output and where known cached, cache_write,
    /// reasoning: US dollars per million tokens) and [[search_price]] (engine, from, per_thousand: US dollars for a thousand
    /// requests). What is not listed has an unknown cost, and so has the run
    #[arg(long, value_name = "FILE")]
    prices: Option<PathBuf>,

    /// The folder in which turnwise.toml lies, for its prices. Default: as for `turnwise serve`
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,

    /// The day whose prices hold for calls of which the day is not known (times lie beside transcripts). Default: the day on
    /// which the run was opened, else today
    #[arg(long, value_name = "YYYY-MM-DD")]
    day: Option<Day>,
}

fn profile_help() -> String {
    let both = registry::BENCHMARKS.iter();
    let both = both.filter(|benchmark| benchmark.reports_either_profile());
    let names: Vec<_> = both.map(|benchmark| benchmark.name()).collect();
    format!(
        "By which profile numbers are taken. Default: that in which the run was played. Where numbers follow from the same notes \
         ({}) they are taken anew; elsewhere the recorded replies are read again by the other profile's parser, and scores are \
         given as bounds, because plays that would have gone on in another way have none",
        names.join(", ")
    )
}

fn compare_help() -> String {
    let mut help = "Set runs side by side over the tasks that all of them have, every path a run of its own: differences with \
                    intervals and p-values of one paired test (McNemar's exact test for right and wrong), which runs cannot be told apart (Holm), the tasks that flipped, and \
                    how many tasks it would take to separate them"
        .to_owned();
    for benchmark in registry::BENCHMARKS {
        if let Some(besides) = benchmark.compares() {
            help.push_str(&format!(". {}: besides, {besides}", benchmark.name()));
        }
    }
    help
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Round {
    #[default]
    None,
    Published,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Confidences {
    #[default]
    Percent,
    Fractions,
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
pub fn metrics(arguments: &Arguments) -> Result<Status> {
    let report = if arguments.compare {
        compare(arguments)?
    } else {
        let run = Run::read(&arguments.files, arguments)?;
        let summaries: Vec<&Summary> = run.summaries.iter().collect();
        let mut report = run.benchmark.report(&run.spec, &summaries, &run.options);
        graders::add(&mut report, run.benchmark, &run.given);
        if let Some(again) = &run.again {
            again.mark(&mut report, run.played_in, run.spec.profile);
        }
        if run.benchmark.reports_either_profile() {
            report.record["played_in"] = serde_json::to_value(run.played_in)?;
        }
        let is_unranked = run.spec.is_imported() || run.benchmark.unranked(&run.spec).is_some();
        if let (true, Some(rankable)) = (is_unranked, report.record.get_mut("rankable")) {
            *rankable = false.into();
        }
        report
    };
    if arguments.json {
        out::json(&report.record)?;
    } else {
        out::text(table::report(&report));
    }
    Ok(Status::Done)
}

/// Every path is a run of its own.
fn compare(arguments: &Arguments) -> Result<Report> {
    let runs: Vec<Run> = arguments
        .files
        .iter()
        .map(|path| Run::read(std::slice::from_ref(path), arguments))
        .collect::<Result<_, _>>()?;
    let names: Vec<String> =
        arguments.files.iter().map(|path| path.display().to_string()).collect();
    let entrants: Vec<Entrant<'_>> = runs
        .iter()
        .zip(&names)
        .map(|(run, name)| Entrant {
            name,
            benchmark: run.benchmark,
            spec: &run.spec,
            episodes: &run.summaries,
        })
        .collect();
    Ok(compare::report(&entrants)?)
}

/// A run that was read.
struct Run {
    benchmark: &'static dyn Benchmark,
    /// Its spec, with the profile by which numbers are taken.
    spec: Spec,
    /// The profile in which it was played.
    played_in: Profile,
    summaries: Vec<Summary>,
    options: MeasureOptions,
    given: Given,
    /// What came of it where replies were read again.
    again: Option<Again>,
}

impl Run {
    fn read(paths: &[PathBuf], arguments: &Arguments) -> Result<Self> {
        let mut given = Given::read(paths)?;
        let plays = std::mem::take(&mut given.plays);
        let Some(first) = plays.first() else {
            bail!("there is no episode among the transcripts; gradings alone have no numbers");
        };
        let mut spec = first.transcript.header.spec.clone();
        let benchmark = registry::find(&spec.benchmark)?;
        given::same_spec(&plays)?;
        let tasks = match &arguments.tasks {
            Some(path) => Some(Tasks::load(benchmark, Some(path))?.set),
            None => None,
        };
        let chosen = given.choose(benchmark, &plays, arguments.grading)?;
        let repeats = given::repeats(&plays)?;
        let mut summaries = Vec::with_capacity(plays.len());
        for (play, repeat) in plays.iter().zip(repeats) {
            let grading = chosen.get(&play.transcript.chain).copied();
            let measured = benchmark.measure(&play.transcript, grading);
            let mut summary = summarise(&play.transcript, grading, measured);
            summary.repeat = repeat;
            if let Some(tasks) = &tasks {
                label(&mut summary, tasks);
            }
            summaries.push(summary);
        }
        dated::date(&given.folders, &plays, &chosen, &mut summaries)?;
        say_what_lacks(&given.folders, &spec, &plays);
        let played_in = spec.profile;
        let mut again = None;
        if let Some(profile) = arguments.profile
            && profile != played_in
        {
            if !benchmark.reports_either_profile() {
                again = Some(read_again(
                    benchmark,
                    &plays,
                    &chosen,
                    &mut summaries,
                    profile,
                    arguments,
                    &given.folders,
                )?);
            }
            spec.profile = profile;
        }
        let (times, conversations) = times(&given.folders, &plays)?.in_numbers();
        let options = MeasureOptions {
            rounding: match arguments.rounding {
                Round::None => Rounding::None,
                Round::Published => Rounding::Published,
            },
            confidences: match arguments.confidence {
                Confidences::Percent => Scale::Percent,
                Confidences::Fractions => Scale::Fractions,
            },
            prices: prices::book(arguments.data.as_deref(), arguments.prices.as_deref())?,
            day: arguments
                .day
                .clone()
                .or_else(|| opened(&given.folders))
                .or_else(|| Day::of(day::now())),
            times,
            conversations,
        };
        given.plays = plays;
        Ok(Run { benchmark, spec, played_in, summaries, options, given, again })
    }
}

/// Reads plays again under another profile; their summaries become those of that reading.
fn read_again(
    benchmark: &dyn Benchmark,
    plays: &[Play],
    gradings: &HashMap<Digest, &Transcript>,
    summaries: &mut Vec<Summary>,
    profile: Profile,
    arguments: &Arguments,
    folders: &[(PathBuf, Extent)],
) -> Result<Again> {
    let mut again = Again::default();
    let mut around: Option<(usize, Surroundings)> = None;
    let mut read = Vec::with_capacity(summaries.len());
    for (play, before) in plays.iter().zip(summaries.iter()) {
        let here = match around.take() {
            Some((folder, here)) if folder == play.folder => here,
            _ => {
                let spec = &play.transcript.header.spec;
                let folder = &folders[play.folder].0;
                Surroundings::find(benchmark, spec, folder, arguments.tasks.as_ref())?
            }
        };
        let recorded = Recorded {
            play: &play.transcript,
            grading: gradings.get(&play.transcript.chain).copied(),
        };
        read.extend(again.read(benchmark, &here, recorded, before, profile));
        around = Some((play.folder, here));
    }
    *summaries = read;
    Ok(again)
}

/// How long each seat took for its calls, in milliseconds, from the side files of the folders.
fn times(folders: &[(PathBuf, Extent)], plays: &[Play]) -> Result<Times> {
    let mut times = Collected::default();
    for (number, (folder, _)) in folders.iter().enumerate() {
        let took: HashMap<_, _> = run_folder::timings(folder)?
            .into_iter()
            .map(|call| ((call.episode, call.call), call.timing.took))
            .collect();
        // Several folders may have an episode of one name.
        let in_folder = plays.iter().enumerate();
        for (at, play) in in_folder.filter(|(_, play)| play.folder == number) {
            let header = &play.transcript.header;
            let episode = EpisodeKey::play(&header.task.id, header.repeat);
            for event in play.transcript.events.iter().flatten() {
                if let Event::Asked { call, request: Request::Ask { seat, thread, .. } } = event
                    && let Some(took) = took.get(&(episode.clone(), *call))
                {
                    times.add(seat, at, episode.clone(), Some(*thread), *took);
                }
            }
        }
    }
    Ok(times.times())
}

/// The day on which the first of the runs was opened.
fn opened(folders: &[(PathBuf, Extent)]) -> Option<Day> {
    folders.iter().find_map(|(folder, _)| Day::of(run_folder::run_file(folder).ok()??.opened))
}

/// Takes the id and labels from a task, where the summary lacks them: results that were imported without tasks know them by
/// their question only.
fn label(summary: &mut Summary, tasks: &TaskSet) {
    let by_question = || {
        tasks.tasks.iter().find(|task| {
            task.field("question").is_some_and(|question| question_id(question) == summary.task.id)
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

/// Says on stderr how many episodes of a run have not begun: numbers over the others are numbers over a part.
fn say_what_lacks(folders: &[(PathBuf, Extent)], spec: &Spec, plays: &[Play]) {
    for (number, (path, extent)) in folders.iter().enumerate() {
        if *extent == Extent::Some {
            continue;
        }
        let planned = || {
            let run = run_folder::run_file(path).ok()??;
            let benchmark = registry::find(&spec.benchmark).ok()?;
            let tasks = Tasks::of_folder(benchmark, path, &run.tasks, &run.spec).ok()??;
            let chosen = sweep::tasks(benchmark, &run.spec, &tasks.set).ok()?;
            Some(chosen.len() * usize::try_from(run.spec.repeats).ok()?)
        };
        let there = plays.iter().filter(|play| play.folder == number).count();
        // A folder that only grades again has none of its own.
        if there > 0
            && let Some(planned) = planned()
            && there < planned
        {
            say_err!(
                "{}: {} of {planned} episodes have not begun and are not in these numbers",
                path.display(),
                planned - there
            );
        }
    }
}
