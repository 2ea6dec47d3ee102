//! `turnwise run`: drives a run from the terminal.

use std::collections::{BTreeMap, HashMap};
use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;
use tokio::sync::watch;

use turnwise_backend::driver::{self, Finish, Recorder, Stop};
use turnwise_backend::run_folder::{self, FolderError, RunFile, RunFolder};
use turnwise_shared::episode::Outcome;
use turnwise_shared::hash::Digest;
use turnwise_shared::metrics::report::MeasureOptions;
use turnwise_shared::metrics::summary::Summary;
use turnwise_shared::registry;
use turnwise_shared::run::{EpisodeKey, PartKey, Progress, Run, Ticket};
use turnwise_shared::seat::Player;
use turnwise_shared::spec::{BadSpec, Profile, Spec};
use turnwise_shared::transcript::{BadTranscript, Origin, Part, Transcript};
use turnwise_shared::wire::Timing;

use super::difference::difference;
use super::outside::Connections;
use super::plan::{Plan, Searched};
use super::screen::Screen;
use super::seats::ForSeat;
use super::trouble::Trouble;
use super::{Status, day, signals, subset, table};

/// Run a benchmark and write one transcript a file into a folder
///
/// Without --tasks and --seat the built-in sample tasks are played by built-in bots: no key, no network.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit status: 0 all episodes complete; 3 some are not, because calls failed or the run was stopped (--resume takes them \
up); 1 the input is wrong; 2 wrong usage.

Ctrl-C once: nothing more is sent, calls in flight are waited for (at most 10 seconds). Twice: stops at once. Either way \
the folder can be resumed.")]
pub struct Arguments {
    /// The benchmark, e.g. interactcomp
    #[arg(
        long,
        value_name = "NAME",
        required_unless_present_any = ["redrive", "resume"]
    )]
    pub benchmark: Option<String>,

    /// The task file; an encrypted one is decrypted in memory. Default: the built-in sample tasks
    #[arg(long, value_name = "PATH")]
    pub tasks: Option<PathBuf>,

    /// What the player may do. For interactcomp: full, search_only, ask_only, answer_only, full_with_context, forced_ask,
    /// answer_only_with_context. Default: full
    #[arg(long, value_name = "MODE")]
    pub mode: Option<String>,

    /// Which reading of the benchmark: strict (what the paper says, holes closed) or reference (what the authors' code
    /// does). Default: strict
    #[arg(long, value_name = "PROFILE")]
    pub profile: Option<Profile>,

    /// Who sits in a seat: SEAT=bot:NAME, SEAT=model:PROVIDER/MODEL (a provider of the configuration) or SEAT=tape:DIR (a
    /// run folder that answers again). Once for each seat. Default: the benchmark's bots
    #[arg(long, value_name = "SEAT=WHO")]
    pub seat: Vec<ForSeat<Player>>,

    /// Who is searched: local (the sample documents), local:PATH (your documents: a JSON Lines file or a folder), tape:DIR
    /// (a recorded run) or an engine of the configuration. Default: the player's tape if the player is one; else local
    /// with the sample tasks, and nobody with others
    #[arg(long, value_name = "ENGINE")]
    pub search: Option<Searched>,

    /// How many hits a search asks for. Default: 5
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=50))]
    pub results: Option<u32>,

    /// The round limit of an episode, 1 to 100. Default: 10
    #[arg(long, value_name = "N")]
    pub rounds: Option<u32>,

    /// In the mode forced_ask: how many asks before an answer is accepted. Default: 5
    #[arg(long, value_name = "M")]
    pub min_asks: Option<u32>,

    /// Another setting of the benchmark, as JSON or plain text. May be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<String>,

    #[arg(long, value_name = "CONDITIONS", help = subset::HELP)]
    pub subset: Option<String>,

    /// Only the first N of the chosen tasks. Default: all
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub limit: Option<u32>,

    /// Calls in flight at once, over all episodes
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = at_least_one)]
    pub concurrency: usize,

    /// From which chance is drawn. Default: 1
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,

    /// How many times each task is played. Default: 1
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub repeats: Option<u32>,

    /// A prompt pack (JSON, as `turnwise prompts import` writes it). Default: the benchmark's own
    #[arg(long, value_name = "FILE")]
    pub pack: Option<PathBuf>,

    /// A name for people
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,

    /// Go on with the run in --out. The flags are those of the run, or none: then run.json says everything. A folder with
    /// transcripts only, e.g. from a browser, needs the flags. Nothing there yet: the run begins
    #[arg(long)]
    pub resume: bool,

    /// With --resume: grade again where a grading gave no score, because the grader's replies could not be read. The old
    /// grading is kept as *.old
    #[arg(long, requires = "resume")]
    pub regrade: bool,

    /// Drive a recorded run again: everything from DIR/run.json, all replies from its transcripts. The transcripts come
    /// out the same, byte for byte
    #[arg(
        long,
        value_name = "DIR",
        conflicts_with_all = [
            "benchmark", "mode", "profile", "seat", "search", "results", "rounds", "min_asks", "set", "subset", "limit",
            "seed", "repeats", "temperature", "top_p", "max_tokens", "budget_calls", "budget_tokens", "budget_searches",
            "resume"
        ]
    )]
    pub redrive: Option<PathBuf>,

    /// The folder of the run. It is made; one with transcripts in it is refused without --resume
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,

    /// The folder in which turnwise.toml lies, with the endpoints of models. Default: turnwise-data
    #[arg(long, value_name = "DIR", help_heading = "Models")]
    pub data: Option<PathBuf>,

    /// The temperature of a model, 0 to 2. Default: the benchmark's. Once for each seat
    #[arg(long, value_name = "SEAT=T", help_heading = "Models")]
    pub temperature: Vec<ForSeat<f64>>,

    /// Nucleus sampling of a model, above 0 to 1. Default: the benchmark's. Once for each seat
    #[arg(long, value_name = "SEAT=P", help_heading = "Models")]
    pub top_p: Vec<ForSeat<f64>>,

    /// The most tokens of one reply of a model. Default: the endpoint's. Once for each seat
    #[arg(long, value_name = "SEAT=N", help_heading = "Models")]
    pub max_tokens: Vec<ForSeat<u32>>,

    /// Calls that one episode may make, searches included. Default: 1000
    #[arg(long, value_name = "N", help_heading = "Budget of one episode")]
    pub budget_calls: Option<u32>,

    /// Tokens that one episode may use, read and written. Default: no limit
    #[arg(long, value_name = "N", help_heading = "Budget of one episode")]
    pub budget_tokens: Option<u64>,

    /// Searches that one episode may make. Default: no limit
    #[arg(long, value_name = "N", help_heading = "Budget of one episode")]
    pub budget_searches: Option<u32>,
}

fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("at least one call has to be in flight".into()),
        Ok(count) => Ok(count),
        Err(_) => Err("write a whole number".into()),
    }
}

impl Arguments {
    /// A flag that belongs to the run's spec, if one was given.
    fn a_flag_of_the_spec(&self) -> Option<&'static str> {
        [
            ("--tasks", self.tasks.is_some()),
            ("--mode", self.mode.is_some()),
            ("--profile", self.profile.is_some()),
            ("--seat", !self.seat.is_empty()),
            ("--search", self.search.is_some()),
            ("--results", self.results.is_some()),
            ("--rounds", self.rounds.is_some()),
            ("--min-asks", self.min_asks.is_some()),
            ("--set", !self.set.is_empty()),
            ("--subset", self.subset.is_some()),
            ("--limit", self.limit.is_some()),
            ("--seed", self.seed.is_some()),
            ("--repeats", self.repeats.is_some()),
            ("--pack", self.pack.is_some()),
            ("--temperature", !self.temperature.is_empty()),
            ("--top-p", !self.top_p.is_empty()),
            ("--max-tokens", !self.max_tokens.is_empty()),
            ("--budget-calls", self.budget_calls.is_some()),
            ("--budget-tokens", self.budget_tokens.is_some()),
            ("--budget-searches", self.budget_searches.is_some()),
        ]
        .into_iter()
        .find_map(|(flag, given)| given.then_some(flag))
    }
}

/// Drives a run.
///
/// # Errors
/// If the input is wrong, or a transcript cannot be written.
pub fn run(flags: Arguments) -> Result<Status, Trouble> {
    let mut connections = Connections::new(flags.data.clone())?;
    let begun = match flags.resume {
        true => run_folder::run_file(&flags.out)?,
        false => None,
    };
    let plan = plan(&flags, begun.as_ref(), &mut connections)?;
    let mut run = Run::new(plan.ingredients(flags.concurrency))?;
    if let Some(begun) = &begun {
        same_spec(begun, run.spec())?;
    }
    let (runtime, outside) = connections.connect(plan.answered_by())?;
    let file = run_file(&plan, &run);
    let tasks = plan.tasks.bytes.as_deref();
    let folder = if flags.resume {
        let mut folder = RunFolder::take_up(&flags.out)?;
        restore(&mut run, &mut folder, flags.regrade)?;
        if begun.is_none() {
            folder.describe(&file, tasks, &plan.pack)?;
        }
        folder
    } else {
        RunFolder::create(&flags.out, &file, tasks, &plan.pack)?
    };
    let mut desk = Desk::new(folder);
    let finish = runtime.block_on(async {
        let (sender, stop) = watch::channel(Stop::No);
        tokio::spawn(listen(sender));
        driver::drive(&mut run, &outside, &mut desk, stop).await
    });
    desk.screen.end(&run.progress());
    // Calls that were given up are not waited for.
    runtime.shutdown_background();
    Ok(desk.conclude(&run, finish?))
}

fn plan(
    flags: &Arguments,
    begun: Option<&RunFile>,
    connections: &mut Connections,
) -> Result<Plan, Trouble> {
    if let Some(recorded) = &flags.redrive {
        return Plan::redriven(recorded, flags);
    }
    match (&flags.benchmark, begun, flags.a_flag_of_the_spec()) {
        (Some(_), _, _) => Plan::from_flags(flags, connections),
        (None, Some(begun), None) => Plan::of_run(&flags.out, begun.clone(), connections),
        (None, Some(_), Some(flag)) => Err(Trouble::new(format!(
            "--resume with {flag}: give all flags of the run, --benchmark among them, or none: then run.json says everything"
        ))),
        (None, None, _) => Err(Trouble::with(
            &flags.out,
            "there is no run (run.json) to resume; to begin one give --benchmark NAME",
        )),
    }
}

/// Checks that the flags are those of the run that was begun.
fn same_spec(begun: &RunFile, spec: &Spec) -> Result<(), Trouble> {
    match difference(&begun.spec, spec) {
        None => Ok(()),
        Some(found) => Err(Trouble::new(format!(
            "--resume: the run in this folder has {}: {}, and the flags say {}; give the same flags, or none but --resume \
             and --out",
            found.path, found.one, found.other
        ))),
    }
}

fn run_file(plan: &Plan, run: &Run) -> RunFile {
    RunFile {
        format: run_folder::FORMAT,
        program: env!("CARGO_PKG_VERSION").to_owned(),
        title: plan.title.clone(),
        spec: run.spec().clone(),
        answered_by: plan.answered_by().clone(),
        searched_by: plan.searched_by.as_ref().map(ToString::to_string),
        tasks: plan.tasks.file.clone(),
        opened: day::now(),
    }
}

/// Reads what is there, plays before gradings, and cuts off what will be done again. Nothing is cut off if anything there
/// is not of this run.
fn restore(run: &mut Run, folder: &mut RunFolder, regrade: bool) -> Result<(), Trouble> {
    let benchmark = registry::find(&run.spec().benchmark)?;
    let mut plays: HashMap<Digest, Transcript> = HashMap::new();
    let mut stays = Vec::new();
    let mut aside = Vec::new();
    for path in run_folder::transcript_files(folder.path())? {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let key: EpisodeKey = stem.parse().map_err(|error| Trouble::with(&path, error))?;
        let stored = match run_folder::read_transcript(&path) {
            Ok(stored) => stored,
            Err(FolderError::Transcript {
                problem: BadTranscript::Empty,
                ..
            }) => {
                // Killed before its first line was whole: it has not begun.
                stays.push((key, 0));
                continue;
            }
            Err(error) => return Err(error.into()),
        };
        if stored.header.origin == Origin::Imported {
            return Err(Trouble::with(
                &path,
                "it was imported from another system and cannot be taken up",
            ));
        }
        if let (true, Part::Grading { play }) = (regrade, &stored.header.part)
            && let Some(play) = plays.get(play)
            && benchmark
                .measure_episode(play, Some(&stored))
                .score
                .is_none()
        {
            aside.push(key);
            continue;
        }
        let kept = run.restore(&key, &stored).map_err(|drift| {
            Trouble::with(
                &path,
                format!("{drift} (move the file away to play this episode anew)"),
            )
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
    Ok(())
}

/// Hears Ctrl-C: once asks to stop soon, twice at once.
async fn listen(sender: watch::Sender<Stop>) {
    for stop in [Stop::Soon, Stop::Now] {
        signals::end().await;
        let said = match stop {
            Stop::Soon => "stopping: waiting for calls in flight; Ctrl-C again stops at once",
            Stop::Now | Stop::No => "stopping at once",
        };
        eprintln!("\n{said}");
        if sender.send(stop).is_err() {
            return;
        }
    }
}

/// Where everything that a run says is written down: its folder, the screen, and the summaries for the end.
struct Desk {
    folder: RunFolder,
    screen: Screen,
    summaries: BTreeMap<EpisodeKey, Summary>,
    /// Tasks that cannot be played.
    unfit: u32,
    /// Gradings that ended without a score, because the grader could not be understood.
    unread: u32,
}

impl Desk {
    fn new(folder: RunFolder) -> Self {
        Desk {
            folder,
            screen: Screen::new(),
            summaries: BTreeMap::new(),
            unfit: 0,
            unread: 0,
        }
    }

    /// Says how the run went.
    fn conclude(self, run: &Run, finish: Finish) -> Status {
        let progress = run.progress();
        let summaries: Vec<_> = self.summaries.into_values().collect();
        if let Ok(benchmark) = registry::find(&run.spec().benchmark) {
            let options = MeasureOptions {
                day: day::of(day::now()),
                ..MeasureOptions::default()
            };
            let report = benchmark.report(run.spec(), &summaries, &options);
            let out = table::report(&report);
            let _ = std::io::stdout().write_all(out.as_bytes());
        }
        let folder = self.folder.path().display();
        println!("transcripts: {folder}");
        let missing = progress.planned.saturating_sub(progress.graded);
        if finish == Finish::Over && missing == 0 && self.unread == 0 {
            return Status::Done;
        }
        if self.unread > 0 {
            eprintln!(
                "{} plays have no score, because the grader's replies could not be read; grade them again with: \
                 turnwise run --resume --regrade --out {folder}",
                self.unread
            );
        }
        let resumable = missing.saturating_sub(self.unfit);
        if resumable > 0 {
            eprintln!(
                "{resumable} of {} episodes are not complete; go on with: turnwise run --resume --out {folder}",
                progress.planned
            );
        }
        if self.unfit > 0 {
            eprintln!("{} tasks cannot be played under this spec", self.unfit);
        }
        Status::Incomplete
    }
}

impl Recorder for Desk {
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
        if outcome.ending == Outcome::BROKEN {
            self.screen.say(&format!(
                "{episode} broke its own rules ({}); please report this",
                outcome.result
            ));
        }
        let play = match episode.part() {
            PartKey::Play => episode.clone(),
            PartKey::Grading => {
                let is_unread = outcome.is_complete() && summary.score.is_none();
                self.unread += u32::from(is_unread);
                episode.its_play()
            }
        };
        self.summaries.insert(play, summary);
    }

    fn unfit(&mut self, episode: &EpisodeKey, problem: &BadSpec) {
        self.unfit += 1;
        self.screen
            .say(&format!("{episode} is left out: {problem}"));
    }

    fn progress(&mut self, progress: &Progress) {
        self.screen.show(progress);
    }
}
