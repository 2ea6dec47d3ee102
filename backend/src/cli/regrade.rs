//! `turnwise regrade`: grades the episodes of a finished run again, with another grader. The episodes stay as they are.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, anyhow};
use clap::Args;
use turnwise_backend::driver::{Finish, Recorder};
use turnwise_backend::pictures::{FOLDER, write};
use turnwise_backend::run_folder::{self, Driving, FolderError, RunFile, RunFolder};
use turnwise_shared::benchmark::Setup;
use turnwise_shared::metrics::summary::SeatUsage;
use turnwise_shared::prelude::*;

use super::files::key_of;
use super::out::{say, say_err};
use super::outside::Connections;
use super::run::{CONCURRENCY, CapFlags, Plan};
use super::screen::Screen;
use super::seats::{ForSeat, Sampled, lineup};
use super::trouble::with_path;
use super::{Status, day, run};

/// Grade the episodes of a finished run again, with another grader
///
/// The episodes are copied into --out unchanged, with new gradings beside them. `turnwise metrics DIR OUT` then counts the newest
/// grading of each episode and says how far the graders agree (raw agreement and Cohen's kappa).
#[derive(Debug, Args)]
#[command(after_help = "\
Exit status: 0 every episode that needs a grading has one; 3 some gradings are not complete (--resume takes them up); 1 the \
input is wrong; 2 wrong usage.")]
pub struct Arguments {
    /// The folder of the run
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// Who grades: bot:NAME, model:PROVIDER/MODEL or tape:DIR (a run folder whose grader answers again)
    #[arg(long, value_name = "WHO", required_unless_present = "seats")]
    grader: Option<Player>,

    /// Who sits in one of several grading seats, e.g. scorer=model:PROVIDER/MODEL; seats that are not named keep who sat there
    #[arg(long = "seat", value_name = "SEAT=WHO", conflicts_with = "grader")]
    seats: Vec<ForSeat<Player>>,

    /// The temperature of a grader that is a model. Default: the benchmark's
    #[arg(long, value_name = "T")]
    temperature: Option<f64>,

    /// The most tokens that a grader which is a model may write in a reply; a cap on money needs it. Default: the benchmark's
    #[arg(long, value_name = "N")]
    max_tokens: Option<u32>,

    /// The folder of the new gradings. It is made; one with transcripts in it is refused without --resume
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// Go on with the gradings in --out
    #[arg(long)]
    resume: bool,

    /// Calls in flight at once. Default: 64, after --resume as before
    #[arg(long, value_name = "N")]
    concurrency: Option<NonZeroUsize>,

    #[command(flatten)]
    caps: CapFlags,

    /// The folder in which turnwise.toml lies, for graders that are models
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
}

/// Grades again.
///
/// # Errors
/// If the run is not at hand, its episodes need no grading, or something cannot be written.
pub fn regrade(arguments: &Arguments) -> Result<Status> {
    let folder = &arguments.folder;
    let mut connections = Connections::new(arguments.data.clone())?;
    let file = run_folder::run_file(folder)?
        .ok_or_else(|| with_path(folder, "there is no run (run.json) in it"))?;
    let benchmark = registry::find(&file.spec.benchmark)?;
    let named = named(benchmark, &file.spec, arguments).map_err(|why| with_path(folder, why))?;
    let mut only = Lineup::new();
    for grader in &named {
        let sitting = sitting(benchmark, &file.spec, grader, arguments)?;
        only.insert(grader.seat.clone(), sitting);
    }
    let mut answered_by = file.spec.seats.clone();
    answered_by.extend(only.clone());
    let names: Vec<_> = only.values().map(|sitting| sitting.player.to_string()).collect();
    let begun = match arguments.resume {
        true => run_folder::run_file(&arguments.out)?,
        false => None,
    };
    if arguments.resume {
        arguments.caps.known(begun.as_ref(), &arguments.out)?;
    }
    let before = begun.as_ref().and_then(|begun| begun.driving.clone());
    let before = before.unwrap_or_default();
    let driving = Driving {
        caps: arguments.caps.over(&before.caps),
        concurrency: arguments.concurrency.or(before.concurrency),
        ..Driving::default()
    };
    let wanted = RunFile {
        driving: Some(driving.clone()),
        answered_by,
        // Nothing is searched while answers are graded.
        searched_by: None,
        web: None,
        regrades: true,
        tags: Vec::new(),
        title: format!("graded again by {}", names.join(" and ")),
        ..file
    };
    let plan = Plan::of_run(folder, wanted.clone(), &mut connections)?;
    let plays = plays(folder)?;
    // Who grades sees what was rendered then.
    for picture in plays.iter().flat_map(|(.., play)| play.pictures()) {
        let kept = folder.join(FOLDER).join(picture.file_name());
        let copied = std::fs::read(&kept).ok().map(|png| write(&arguments.out.join(FOLDER), &png));
        copied.transpose().map_err(|why| with_path(&kept, why))?;
    }
    let texts: Vec<(EpisodeKey, String)> = plays
        .iter()
        .map(|(key, path, _)| Ok((key.clone(), std::fs::read_to_string(path)?)))
        .collect::<Result<_, std::io::Error>>()?;
    let mut run = Run::regrading(
        plan.ingredients(driving.concurrency.unwrap_or(CONCURRENCY), &driving.permits),
        plays.into_iter().map(|(_, _, play)| play),
    )?;
    if run.progress().planned == 0 {
        return Err(with_path(folder, "no episode in it needs a grading"));
    }
    let described = RunFile {
        program: env!("CARGO_PKG_VERSION").to_owned(),
        spec: run.spec().clone(),
        opened: day::now(),
        ..wanted
    };
    let driven = match arguments.resume {
        true => run::driven_before(&arguments.out)?,
        false => Duration::ZERO,
    };
    let account = run::account(&driving.caps, driven);
    let connected = connections.connect(
        run.spec(),
        &only,
        account.clone(),
        (&arguments.out, &plan.tasks.set),
    )?;
    let mut before = Spent::default();
    let kept = if arguments.resume {
        let (kept, used) = take_up(&mut run, &arguments.out)?;
        if let Some(begun) = begun.filter(|begun| begun.driving != described.driving) {
            let again = RunFile { driving: described.driving.clone(), ..begun };
            run_folder::rewrite(&arguments.out, &again)?;
        }
        let mut spec = run.spec().clone();
        spec.seats.extend(only);
        let timings = run_folder::timings(&arguments.out)?;
        let options = run::measured_now(arguments.data.as_deref());
        before = run::spent_before(&spec, &used, timings, &options);
        kept
    } else {
        let tasks = plan.tasks.bytes.as_deref();
        let mut kept = RunFolder::create(&arguments.out, &described, tasks, &plan.pack)?;
        for (key, text) in texts {
            let lines: Vec<String> = text.lines().map(str::to_owned).collect();
            kept.append(&key, 0, &lines)?;
        }
        kept
    };
    run::keep_journal(&account, &arguments.out, before)?;
    let mut recorder =
        GradingRecorder { folder: kept, screen: Screen::new(), unread: 0, scores: BTreeMap::new() };
    let finish = run::to_its_end(&mut run, connected, &account, &mut recorder);
    recorder.screen.end(&run.progress());
    Ok(recorder.conclude(folder, &run, finish?))
}

/// Which grading seats are taken by others, and by whom.
fn named(
    benchmark: &dyn Benchmark,
    spec: &Spec,
    arguments: &Arguments,
) -> Result<Vec<ForSeat<Player>>, String> {
    let seats = benchmark.grading_seats().iter().map(|seat| Seat::new(*seat));
    let seats: Vec<_> = seats.filter(|seat| spec.seats.contains_key(seat)).collect();
    let Some(first) = seats.first() else {
        return Err(format!("nobody grades in this run of {}", benchmark.name()));
    };
    if let Some(value) = &arguments.grader {
        return Ok(vec![ForSeat { seat: first.clone(), value: value.clone() }]);
    }
    match arguments.seats.iter().find(|named| !seats.contains(&named.seat)) {
        None => Ok(arguments.seats.clone()),
        Some(other) => {
            let seats: Vec<_> = seats.iter().map(Seat::as_str).collect();
            Err(format!("{} grades nothing in this run; use {}", other.seat, seats.join(" or ")))
        }
    }
}

/// Who grades in a seat, sampled as the benchmark samples a grader.
fn sitting(
    benchmark: &dyn Benchmark,
    spec: &Spec,
    named: &ForSeat<Player>,
    arguments: &Arguments,
) -> Result<Sitting> {
    let ForSeat { seat, value } = named;
    if let Player::Recording(_) = value {
        return Ok(Sitting { player: value.clone(), sampling: Default::default() });
    }
    let temperature = arguments.temperature.map(|value| ForSeat { seat: seat.clone(), value });
    let max_tokens = arguments.max_tokens.map(|value| ForSeat { seat: seat.clone(), value });
    let sampled = Sampled {
        temperature: temperature.into_iter().collect(),
        max_tokens: max_tokens.into_iter().collect(),
        ..Sampled::default()
    };
    lineup(benchmark, Setup::from(spec), std::slice::from_ref(named), &sampled)?
        .remove(seat)
        .ok_or_else(|| anyhow!("{} has no seat {seat}", benchmark.name()))
}

type Found = (EpisodeKey, PathBuf, Transcript);

/// The episodes of a folder.
fn plays(folder: &Path) -> Result<Vec<Found>> {
    let mut plays = Vec::new();
    for path in run_folder::transcript_files(folder)? {
        let key = key_of(&path)?;
        if key.part() == PartKey::Play {
            let play = run_folder::read_transcript(&path)?;
            plays.push((key, path, play));
        }
    }
    Ok(plays)
}

/// Takes up gradings that were begun, and says what each used.
fn take_up(run: &mut Run, out: &Path) -> Result<(RunFolder, Vec<BTreeMap<String, SeatUsage>>)> {
    let mut folder = RunFolder::take_up(out)?;
    let mut used = Vec::new();
    for path in run_folder::transcript_files(out)? {
        let key = key_of(&path)?;
        if key.part() == PartKey::Play {
            continue;
        }
        let stored = run_folder::read_transcript(&path)?;
        used.push(summarise(&stored, None, Measured::default()).usage);
        let kept = run.restore(&key, &stored).map_err(|drift| with_path(&path, drift))?;
        folder.keep(&key, kept)?;
    }
    Ok((folder, used))
}

/// Where gradings are written down.
struct GradingRecorder {
    folder: RunFolder,
    screen: Screen,
    /// Gradings that gave no score.
    unread: u32,
    scores: BTreeMap<EpisodeKey, f64>,
}

impl GradingRecorder {
    fn conclude(self, plays: &Path, run: &Run, finish: Finish) -> Status {
        let progress = run.progress();
        let out = self.folder.path().display();
        let right = self.scores.values().filter(|score| **score >= 0.5).count();
        say!("{} episodes graded again, {right} of them right: {out}", self.scores.len());
        say!("agreement with the grading before: turnwise metrics {} {out}", plays.display());
        let missing = progress.planned.saturating_sub(progress.graded);
        if self.unread > 0 {
            say_err!(
                "{} episodes have no score, because the grader's replies could not be read",
                self.unread
            );
        }
        if missing > 0 {
            say_err!(
                "{missing} of {} gradings are not complete; go on with the same command and --resume",
                progress.planned
            );
        }
        match finish == Finish::Over && missing == 0 && self.unread == 0 {
            true => Status::Done,
            false => Status::Incomplete,
        }
    }
}

impl Recorder for GradingRecorder {
    type Error = FolderError;

    fn keep(
        &mut self,
        episode: &EpisodeKey,
        from: u64,
        lines: &[String],
    ) -> Result<(), FolderError> {
        self.folder.append(episode, from, lines)
    }

    fn timed(&mut self, ticket: &Ticket, timing: &Timing) -> Result<(), FolderError> {
        self.folder.timed(ticket, timing)
    }

    fn ended(&mut self, episode: &EpisodeKey, outcome: &Outcome, summary: Summary) {
        match summary.score {
            Some(score) => drop(self.scores.insert(episode.its_play(), score)),
            None => self.unread += u32::from(outcome.is_complete()),
        }
    }

    fn unfit(&mut self, episode: &EpisodeKey, problem: &BadSpec) {
        self.screen.say(&format!("{episode} is left out: {problem}"));
    }

    fn progress(&mut self, progress: &Progress) {
        self.screen.show(progress, || None);
    }
}
