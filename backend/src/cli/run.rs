//! `turnwise run`: drives a run from the terminal.

mod arguments;
mod driving;
mod plan;
mod players;
mod recorder;
mod settings;

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, anyhow};
use tokio::runtime::Runtime;
use tokio::sync::watch;

use turnwise_backend::driver::{self, Finish, Recorder, Stop};
use turnwise_backend::outbound::budget::Account;
use turnwise_backend::outbound::budget::journal::{self, JOURNAL_FILE};
use turnwise_backend::run_folder::{self, Driving, FolderError, RunFile, RunFolder};
use turnwise_backend::store::under_way;
use turnwise_shared::difference::difference;
use turnwise_shared::metrics::spending;
use turnwise_shared::metrics::summary::SeatUsage;
use turnwise_shared::prelude::*;
use turnwise_shared::run::FAILURES_IN_A_ROW;
use turnwise_shared::transcript::BadTranscript;

use super::files::key_of;
use super::out::say_err;
use super::outside::{Connections, Wired};
use super::trouble::with_path;
use super::{Status, day, prices, signals};
use recorder::RunRecorder;

pub use arguments::Arguments;
pub use driving::{CONCURRENCY, CapFlags, account};
pub use plan::Plan;
pub use players::{Players, lineup};

/// The setting of a benchmark whose tasks are the repeats; the flag of that name sets it.
const REPEATS: &str = "repeats";

/// So often the time of a run is written down.
const SIGN: Duration = Duration::from_secs(5);

/// Drives a run.
///
/// # Errors
/// If the input is wrong, or a transcript cannot be written.
pub fn run(flags: Arguments) -> Result<Status> {
    let mut connections = Connections::new(flags.data.clone())?;
    let begun = match flags.resume {
        true => run_folder::run_file(&flags.out)?,
        false => None,
    };
    let plan = plan(&flags, begun.as_ref(), &mut connections)?.named(&flags)?;
    plan.notes.iter().for_each(|note| say_err!("note: {note}"));
    let Driven { run, recorder, finish } = drive(flags, plan, begun, connections)?;
    recorder.say_numbers(&run);
    Ok(recorder.conclude(&run, finish))
}

/// A run that was driven.
pub struct Driven {
    pub run: Run,
    /// What its episodes came to.
    pub recorder: RunRecorder,
    pub finish: Finish,
}

/// Drives the run of a plan, which the flags say how to drive, as one that was `begun` where there is such a one.
///
/// # Errors
/// If the run cannot be taken up, what it needs is not there, or a transcript cannot be written.
pub fn drive(
    flags: Arguments,
    plan: Plan,
    begun: Option<RunFile>,
    connections: Connections,
) -> Result<Driven> {
    let before = begun.as_ref().and_then(|begun| begun.driving.clone());
    let driving = flags.driving.over(&before.unwrap_or_default());
    if flags.resume {
        flags.driving.caps().known(begun.as_ref(), &flags.out)?;
    }
    let concurrency = driving.concurrency.unwrap_or(CONCURRENCY);
    let mut run =
        Run::new(plan.ingredients(concurrency, &driving.permits))?.reading(plan.archives());
    if let Some(begun) = &begun {
        same_spec(begun, run.spec())?;
    }
    let driven = match flags.resume {
        true => driven_before(&flags.out)?,
        false => Duration::ZERO,
    };
    let account = account(&driving.caps, driven);
    let connected = connections.connect(
        run.spec(),
        plan.answered_by(),
        account.clone(),
        (&flags.out, &plan.tasks.set),
    )?;
    let new = run_file(&plan, &run, driving.clone());
    let file = match &begun {
        Some(begun) => taken_up(begun, new, &flags),
        None => new,
    };
    let tasks = plan.tasks.bytes.as_deref();
    let options = measured_now(flags.data.as_deref());
    let mut before = Spent::default();
    let folder = if flags.resume {
        let mut folder = RunFolder::take_up(&flags.out)?;
        let found = restore(&mut run, &mut folder, flags.regrade)?;
        before = spent_before(run.spec(), &found, run_folder::timings(&flags.out)?, &options);
        match &begun {
            None => folder.describe(&file, tasks, &plan.pack)?,
            Some(begun) if *begun != file => run_folder::rewrite(&flags.out, &file)?,
            Some(_) => {}
        }
        folder
    } else {
        RunFolder::create(&flags.out, &file, tasks, &plan.pack)?
    };
    keep_journal(&account, folder.path(), before)?;
    let pause_after = driving.pause_after.unwrap_or(FAILURES_IN_A_ROW);
    let mut recorder =
        RunRecorder::new(folder, run.spec().clone(), options, driving.caps, flags.data);
    run.pause_on_failures(pause_after);
    let finish = to_its_end(&mut run, connected, &account, &mut recorder);
    recorder.end(&run.progress());
    Ok(Driven { run, recorder, finish: finish? })
}

/// How a run that is driven now is measured.
pub fn measured_now(data: Option<&Path>) -> MeasureOptions {
    MeasureOptions {
        prices: prices::book(data, None).unwrap_or_default(),
        day: Day::of(day::now()),
        ..MeasureOptions::default()
    }
}

/// Writes into the folder of a run what its account pays from now on, and what was spent before.
pub fn keep_journal(account: &Account, folder: &Path, before: Spent) -> Result<()> {
    let path = folder.join(JOURNAL_FILE);
    account.keep_journal(&path, before).map_err(|error| with_path(&path, error))
}

/// Drives a run until it is over, or the user stops it.
pub fn to_its_end<R: Recorder>(
    run: &mut Run,
    (runtime, outside): (Runtime, Arc<Wired>),
    account: &Account,
    recorder: &mut R,
) -> Result<Finish, R::Error> {
    let finish = runtime.block_on(async {
        let (sender, stop) = watch::channel(Stop::No);
        tokio::spawn(listen(sender));
        tokio::spawn(keep_time(account.clone()));
        driver::drive(run, &outside, recorder, stop).await
    });
    account.goes_on();
    // Calls that were given up are not waited for.
    runtime.shutdown_background();
    finish
}

fn plan(flags: &Arguments, begun: Option<&RunFile>, connections: &mut Connections) -> Result<Plan> {
    if let Some(recorded) = &flags.redrive {
        return Plan::redriven(recorded, flags);
    }
    match (&flags.benchmark, begun, flags.a_flag_of_the_spec()) {
        (Some(_), _, _) => Plan::from_flags(flags, begun, connections),
        (None, Some(begun), None) => Plan::of_run(&flags.out, begun.clone(), connections),
        (None, Some(_), Some(flag)) => Err(anyhow!(
            "--resume with {flag}: give all flags of the run, --benchmark among them, or none: then run.json says everything"
        )),
        (None, None, _) => Err(with_path(
            &flags.out,
            "there is no run (run.json) to resume; to begin one give --benchmark NAME",
        )),
    }
}

/// Checks that the flags are those of the run that was begun.
fn same_spec(begun: &RunFile, spec: &Spec) -> Result<()> {
    match difference(&begun.spec, spec) {
        None => Ok(()),
        Some(found) => Err(anyhow!(
            "--resume: the run in this folder has {}: {}, and the flags say {}; give the same flags, or none but --resume \
             and --out",
            found.path,
            found.one,
            found.other
        )),
    }
}

fn run_file(plan: &Plan, run: &Run, driving: Driving) -> RunFile {
    RunFile {
        format: run_folder::FORMAT,
        program: env!("CARGO_PKG_VERSION").to_owned(),
        title: plan.title_of(run.spec()),
        tags: plan.tags.clone(),
        spec: run.spec().clone(),
        answered_by: plan.answered_by().clone(),
        searched_by: plan.searched_by.as_ref().map(ToString::to_string),
        web: plan.web.as_ref().map(ToString::to_string),
        regrades: false,
        tasks: plan.tasks.file.clone(),
        driving: Some(driving),
        opened: day::now(),
    }
}

/// What `run.json` says of a run that was begun, with what was chosen anew.
fn taken_up(begun: &RunFile, new: RunFile, flags: &Arguments) -> RunFile {
    let begun = begun.clone();
    RunFile {
        title: match flags.title {
            Some(_) => new.title,
            None => begun.title,
        },
        tags: match flags.tags.is_empty() {
            true => begun.tags,
            false => new.tags,
        },
        driving: new.driving,
        ..begun
    }
}

/// What a run has spent, as far as its folder tells: what had no cap before may have one now.
pub fn spent_before(
    spec: &Spec,
    used: &[BTreeMap<String, SeatUsage>],
    timings: Vec<CallTiming>,
    options: &MeasureOptions,
) -> Spent {
    let cost = spending::of(spec, used, options).total.known;
    let seats = used.iter().flatten();
    Spent {
        money: u64::try_from(cost.millionths()).unwrap_or(u64::MAX),
        tokens: seats.fold(0, |sum: u64, (_, seat)| sum.saturating_add(seat.tokens())),
        calls: timings.iter().map(|call| u64::from(call.timing.attempts)).sum(),
    }
}

/// For how long a run has gone on, as far as its folder tells: what had no cap before may have one now.
pub fn driven_before(out: &Path) -> Result<Duration> {
    let journal = out.join(JOURNAL_FILE);
    let (_, written) = journal::spent(&journal).map_err(|error| with_path(&journal, error))?;
    let calls = run_folder::timings(out)?;
    let spans = calls.iter().map(|call| {
        let Timing { started, took, .. } = call.timing;
        (started, started.saturating_add(took))
    });
    let called = under_way(spans.collect());
    Ok(written.max(Duration::from_millis(called)))
}

/// Writes down how long the run goes on while nothing else is written, so that a kill makes it no shorter.
async fn keep_time(account: Account) {
    loop {
        tokio::time::sleep(SIGN).await;
        account.goes_on();
    }
}

/// Reads what is there, plays before gradings, and cuts off what will be done again. Nothing is cut off if anything there
/// is not of this run. Says what each transcript used.
fn restore(
    run: &mut Run,
    folder: &mut RunFolder,
    regrade: bool,
) -> Result<Vec<BTreeMap<String, SeatUsage>>> {
    let mut used = Vec::new();
    let benchmark = registry::find(&run.spec().benchmark)?;
    let mut plays: HashMap<Digest, Transcript> = HashMap::new();
    let mut stays = Vec::new();
    let mut aside = Vec::new();
    for path in run_folder::transcript_files(folder.path())? {
        let key = key_of(&path)?;
        let stored = match run_folder::read_transcript(&path) {
            Ok(stored) => stored,
            Err(FolderError::Transcript { problem: BadTranscript::Empty, .. }) => {
                // Killed before its first line was whole: it has not begun.
                stays.push((key, 0));
                continue;
            }
            Err(error) => return Err(error.into()),
        };
        if stored.header.origin == Origin::Imported {
            return Err(with_path(
                &path,
                "it was imported from another system and cannot be taken up",
            ));
        }
        used.push(summarise(&stored, None, Measured::default()).usage);
        if let (true, Part::Grading { play }) = (regrade, &stored.header.part)
            && let Some(play) = plays.get(play)
            && benchmark.measure(play, Some(&stored)).score.is_none()
        {
            aside.push(key);
            continue;
        }
        let kept = run.restore(&key, &stored).map_err(|drift| {
            with_path(&path, format!("{drift} (move the file away to play this episode anew)"))
        })?;
        stays.push((key, kept));
        if regrade && stored.header.part == Part::Play {
            plays.insert(stored.chain, stored);
        }
    }
    for key in aside {
        folder.put_aside(&key)?;
    }
    for (key, lines) in stays {
        folder.keep(&key, lines)?;
    }
    Ok(used)
}

/// Hears Ctrl-C: once asks to stop soon, twice at once.
async fn listen(sender: watch::Sender<Stop>) {
    for stop in [Stop::Soon, Stop::Now] {
        signals::end().await;
        let said = match stop {
            Stop::Soon => "stopping: waiting for calls in flight; Ctrl-C again stops at once",
            Stop::Now | Stop::No => "stopping at once",
        };
        say_err!("\n{said}");
        if sender.send(stop).is_err() {
            return;
        }
    }
}
