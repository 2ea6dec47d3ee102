//! Runs over the same tasks, of any benchmark: how far they lie apart, which cannot be told apart, where they flipped, and how
//! many tasks it would take. The statistics are in [`crate::metrics::paired`]; here is what they are taken over.
//!
//! - What is compared of an episode is the benchmark's to say ([`Benchmark::sample`]): the player's score, or in games what
//!   each seat won. Games are compared seat by seat: those in which the lineups differ, or all where they do not.
//! - Only **tasks that all runs have** count, each with the mean of its repeats. What some have and others do not, and plays
//!   without a score, are left out and counted.
//! - Specs may differ; every difference is **named**. What cannot be compared is refused, with the reason.
//! - Of several runs, two are **told apart** if Holm's correction over all pairs leaves the test below 5 %. Runs that share
//!   a group cannot be told apart; a run may be in several groups.

mod crossed;
mod differs;
mod grid;
mod shown;
mod subject;
mod verdict;

use serde::Serialize;

pub use crossed::{Crossed, MOST_CELLS, crossed, evaluated};
pub use differs::{Differs, differs, names};
pub use grid::{GridCell, GridRow, grid};
use subject::subject;

use crate::benchmark::Benchmark;
use crate::key::EpisodeKey;
use crate::metrics::paired::{Paired, Sample};
use crate::metrics::report::{Column, Report};
use crate::metrics::summary::Summary;
use crate::metrics::unread;
use crate::saturated;
use crate::seat::Seat;
use crate::spec::{BadSpec, Spec};
use crate::task::TaskId;

/// The most runs that are compared at once.
pub const MOST_RUNS: usize = 20;

/// A run that is compared.
#[derive(Debug, Clone, Copy)]
pub struct Entrant<'a> {
    /// What it is called beside the others.
    pub name: &'a str,
    /// The benchmark that its spec names.
    pub benchmark: &'static dyn Benchmark,
    pub spec: &'a Spec,
    pub episodes: &'a [Summary],
}

/// Runs over the same tasks.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    pub benchmark: String,
    pub number: Column,
    /// What the runs are called, in the order in which they were given. Everything else names them by their place here.
    pub runs: Vec<String>,
    pub differs: Vec<Differs>,
    /// What is compared, seat by seat; at least one.
    pub subjects: Vec<Subject>,
    /// Plays without a score, by run.
    pub unscored: Vec<u32>,
    /// What a reader must know, each in a sentence.
    pub remarks: Vec<String>,
}

/// One seat over the tasks that all runs have.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Subject {
    pub seat: Seat,
    /// Who sits there, by run.
    pub players: Vec<String>,
    /// Tasks that all runs have.
    pub tasks: u32,
    pub clusters: u32,
    /// Tasks that only some of the runs have with a score.
    pub left_out: u32,
    /// Each run's number, by run.
    pub sides: Vec<Side>,
    pub pairs: Vec<Pair>,
    /// Which runs cannot be told apart, each group by its runs. A run is in at least one.
    pub groups: Vec<Vec<usize>>,
}

/// One run's number over the common tasks.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Side {
    pub plays: u32,
    pub value: f64,
    /// Its 95 % interval, as the run's own report has it over these episodes where tasks were played equally often: of shares
    /// Wilson's, clustered where there is more than one episode in a cluster; of other numbers by drawing clusters anew.
    pub interval: Option<(f64, f64)>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Pair {
    /// The first.
    pub one: usize,
    /// The one whose number is taken away from it.
    pub other: usize,
    #[serde(flatten)]
    pub paired: Paired,
    /// The p-value after Holm's correction over all pairs of this seat.
    pub p_holm: f64,
    /// Whether they can be told apart.
    pub apart: bool,
    /// How many tasks more than there are it would take; absent where that cannot be said.
    pub more_tasks: Option<u32>,
    /// What came of it, in a sentence.
    pub verdict: String,
    /// The tasks in which they differ: first those that the first run won, each in the order of tasks.
    pub flips: Vec<Flip>,
}

/// A task that two runs ended differently.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Flip {
    pub task: TaskId,
    /// The first run's number.
    pub one: f64,
    pub other: f64,
    /// The first run's play: of several repeats one that shows the difference best.
    pub one_play: EpisodeKey,
    pub other_play: EpisodeKey,
}

/// Compares runs.
///
/// # Errors
/// Why they cannot be compared, and what would be needed.
pub fn compare(runs: &[Entrant<'_>]) -> Result<Comparison, BadSpec> {
    let benchmark = same_benchmark(runs, MOST_RUNS)?;
    let specs: Vec<&Spec> = runs.iter().map(|run| run.spec).collect();
    for other in &specs[1..] {
        benchmark.comparable(specs[0], other)?;
    }
    let (sampled, unscored) = sampled(benchmark, runs);
    if let Some(empty) = sampled.iter().position(Vec::is_empty) {
        return Err(BadSpec::new(
            "tasks",
            format!("no episode of {} has a score yet; let it end, or grade it", runs[empty].name),
        ));
    }
    let subjects: Vec<Subject> = seats(benchmark, &specs)
        .into_iter()
        .filter_map(|seat| subject(benchmark, &seat, &specs, &sampled))
        .collect();
    if subjects.is_empty() {
        return Err(nothing_in_common(runs));
    }
    let differs = differs(benchmark, &specs);
    let mut remarks = shown::remarks(&specs, &subjects, &differs, &unscored);
    for run in runs {
        let unread = unread::unread(run.episodes);
        remarks.extend(unread.iter().map(|one| format!("{}: {one}", run.name)));
    }
    let mut found = Comparison {
        benchmark: benchmark.name().to_owned(),
        number: benchmark.compared_by().column(),
        runs: runs.iter().map(|run| run.name.to_owned()).collect(),
        remarks,
        differs,
        subjects,
        unscored,
    };
    let verdicts: Vec<Vec<String>> = found
        .subjects
        .iter()
        .map(|subject| {
            let pairs = subject.pairs.iter();
            pairs.map(|pair| found.verdict(subject, pair)).collect()
        })
        .collect();
    for (subject, verdicts) in found.subjects.iter_mut().zip(verdicts) {
        for (pair, verdict) in subject.pairs.iter_mut().zip(verdicts) {
            pair.verdict = verdict;
        }
    }
    Ok(found)
}

/// Compares runs, and says whatever their benchmark says of them besides, as one report.
///
/// # Errors
/// As [`compare`].
pub fn report(runs: &[Entrant<'_>]) -> Result<Report, BadSpec> {
    let comparison = compare(runs)?;
    let benchmark = same_benchmark(runs, MOST_RUNS)?;
    let plain: Vec<(&Spec, &[Summary])> = runs.iter().map(|run| (run.spec, run.episodes)).collect();
    Ok(shown::with_more(comparison.report(), benchmark.compare(&plain)))
}

/// Episodes with what is compared of them.
type Sampled<'a> = Vec<(Sample, &'a Summary)>;

/// The episodes of each run that have a number, and how many have none.
fn sampled<'a>(benchmark: &dyn Benchmark, runs: &[Entrant<'a>]) -> (Vec<Sampled<'a>>, Vec<u32>) {
    let of_run = |run: &Entrant<'a>| {
        // Numbers are taken by the profile of the first, so that they mean the same.
        let spec = Spec { profile: runs[0].spec.profile, ..run.spec.clone() };
        let sampled =
            run.episodes.iter().map(|summary| (benchmark.sample(&spec, summary), summary));
        let sampled: Vec<_> =
            sampled.filter_map(|(sample, summary)| Some((sample?, summary))).collect();
        let unscored = saturated(run.episodes.len() - sampled.len());
        (sampled, unscored)
    };
    runs.iter().map(of_run).unzip()
}

fn same_benchmark(runs: &[Entrant<'_>], most: usize) -> Result<&'static dyn Benchmark, BadSpec> {
    let [first, others @ ..] = runs else {
        return Err(BadSpec::new("runs", "there is no run to compare"));
    };
    if others.is_empty() || runs.len() > most {
        return Err(BadSpec::new(
            "runs",
            format!("2 to {most} runs are compared at once, and here are {}", runs.len()),
        ));
    }
    if let Some(other) = others.iter().find(|other| other.spec.benchmark != first.spec.benchmark) {
        return Err(BadSpec::new(
            "benchmark",
            format!(
                "{} is a run of {} and {} one of {}; runs of one benchmark are compared",
                first.name, first.spec.benchmark, other.name, other.spec.benchmark
            ),
        ));
    }
    Ok(first.benchmark)
}

/// The seats that are compared: the one under evaluation, or in games those in which the lineups differ, else all.
fn seats(benchmark: &dyn Benchmark, specs: &[&Spec]) -> Vec<Seat> {
    if benchmark.participants().is_none() {
        let first = benchmark.seats().first();
        return first.map(|info| Seat::new(info.seat)).into_iter().collect();
    }
    let everywhere: Vec<&Seat> = specs[0]
        .seats
        .keys()
        .filter(|seat| specs.iter().all(|spec| spec.seats.contains_key(*seat)))
        .collect();
    let changes = |seat: &Seat| {
        let player = |spec: &Spec| spec.seats.get(seat).map(|sitting| sitting.player.clone());
        specs[1..].iter().any(|spec| player(spec) != player(specs[0]))
    };
    let changed: Vec<Seat> =
        everywhere.iter().filter(|seat| changes(seat)).map(|seat| (*seat).clone()).collect();
    match changed.is_empty() {
        true => everywhere.into_iter().cloned().collect(),
        false => changed,
    }
}

fn nothing_in_common(runs: &[Entrant<'_>]) -> BadSpec {
    let tasks: Vec<String> = runs
        .iter()
        .map(|run| {
            let sweep =
                if !run.benchmark.points(run.spec).is_empty() { ", as a sweep" } else { "" };
            format!("{} has {}{sweep}", run.name, run.spec.tasks.name)
        })
        .collect();
    BadSpec::new(
        "tasks",
        format!(
            "the runs have no task in common that all of them ended with a score: {}. Tasks are told apart by what is in them, and \
             in a sweep by the value at which they are played",
            tasks.join("; ")
        ),
    )
}
