//! What a benchmark is to the rest of Turnwise: one implementation of [`Benchmark`], one line in the registry.

mod bots;
mod declared;
mod facts;
pub mod given;
mod imported_pack;
pub mod people;
pub mod schema;
pub mod scripted;
mod sealing;
pub mod tool;
pub mod verbatim;

use std::collections::BTreeMap;
use std::fmt;

use serde_json::{Map, Value};

use crate::board::Boards;
use crate::call::ModelCall;
use crate::effect;
use crate::episode::{Episode, Outcome};
use crate::evidence::{Evidence, ShownResult};
use crate::formats::Formats;
use crate::hash::Digest;
use crate::metrics::metric::{Metric, Section};
use crate::metrics::options::MeasureOptions;
use crate::metrics::paired::Sample;
use crate::metrics::report::Report;
use crate::metrics::spending;
use crate::metrics::summary::{Measured, Summary};
use crate::prompt::{Ask, Pack, Said};
use crate::scheduler::Permits;
use crate::sealed::Sealing;
use crate::seat::{Lineup, Player, Sampling, Seat, Sitting};
use crate::spec::{BadSpec, Budget, Named, Profile, Spec, Subset};
use crate::task::{ANSWER_FIELD, Point, Task, TaskSet};
use crate::transcript::{TaskRef, Transcript};

pub use facts::Facts;
pub use imported_pack::ImportedPack;
pub use people::People;
pub use schema::{Flag, Schema};
pub use scripted::{Dice, Prompt};
pub use sealing::{check_sealed, sealing_of};
pub use tool::{Tool, Tools};

pub use bots::{Asked, BotInfo, Chance, check_bot, check_bots};

/// How often one call is sent at most, the first time included, where neither benchmark nor operator say otherwise.
pub const USUAL_ATTEMPTS: u32 = 3;

/// How often one call is sent at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attempts {
    /// The first time included; at least 1.
    pub most: u32,
    /// Whether a model's reply without text counts as a failed attempt, as in clients that ask again after one.
    pub blank_fails: bool,
}

impl From<u32> for Attempts {
    fn from(most: u32) -> Self {
        Attempts { most, blank_fails: false }
    }
}

/// The part of a run that decides how its models are sampled by default.
#[derive(Debug, Clone, Copy)]
pub struct Setup<'a> {
    pub profile: Profile,
    pub settings: &'a Value,
    pub repeats: u32,
}

impl Setup<'static> {
    /// Of a run of which nothing was chosen.
    pub const USUAL: Setup<'static> =
        Setup { profile: Profile::Strict, settings: &Value::Null, repeats: 1 };
}

impl<'a> From<&'a Spec> for Setup<'a> {
    fn from(spec: &'a Spec) -> Self {
        Setup { profile: spec.profile, settings: &spec.settings, repeats: spec.repeats }
    }
}

/// How many results a search brings where the benchmark does not say otherwise.
pub const USUAL_SEARCH_RESULTS: u32 = 5;

/// A benchmark: how its tasks are read, how its episodes go, what its numbers are. What it only has to declare is in its
/// [`Facts`]; the methods that say "[`Facts`]" return them, and no benchmark writes them.
pub trait Benchmark: Sync {
    fn facts(&self) -> &'static Facts;

    /// Whether a built-in player of that name, with its share if it takes one, can sit in a seat.
    fn seats_bot(&self, seat: &Seat, name: &str) -> bool {
        bots::called(self.facts().bots, seat, name).is_some()
    }

    /// What a built-in player replies; `None` if the seat that is asked has none of that name.
    fn bot(&self, name: &str, asked: &Asked<'_>) -> Option<Said> {
        let (bot, share) = bots::called(self.facts().bots, asked.seat(), name)?;
        Some(Said::text((bot.reply)(&asked.sharing(share))))
    }

    /// Settings under which it is tested: all kinds of its episodes.
    fn trials(&self) -> Vec<(Profile, serde_json::Value)> {
        let facts = self.facts();
        let usual = |profile: &Profile| (*profile, facts.settings(*profile, Map::new()));
        let read = |line: &str| serde_json::from_str(line).expect("a test reads each of them");
        match facts.trials {
            "" => facts.profiles.iter().map(usual).collect(),
            trials => trials.lines().map(read).collect(),
        }
    }

    /// The most calls of each seat, of the search engine ([`effect::SEARCH`]) and of each tool ([`effect::RENDER`], [`effect::PAGE`]) in one
    /// episode of a task, attempts after a failure left aside. A tool that is not named cannot be used. By default every seat may be
    /// asked as often as the budget allows.
    ///
    /// # Errors
    /// If the spec's settings cannot be read.
    fn most_calls(&self, spec: &Spec, _task: &Task) -> Result<Vec<(&'static str, u32)>, BadSpec> {
        let seats = self.facts().seats.iter();
        Ok(seats.map(|info| (info.seat, spec.budget.calls)).collect())
    }

    /// Whether a seat must be filled under a spec. Where participants are numbered it is not asked.
    fn needs_seat(&self, _spec: &Spec, _seat: &str) -> bool {
        true
    }

    /// Checks of a spec what neither [`Facts::schema`] nor [`Benchmark::needs_seat`] says. [`check_spec`](Self::check_spec) asks
    /// all three.
    ///
    /// # Errors
    /// The first part of the spec that cannot be run, and how to mend it.
    fn check(&self, _spec: &Spec) -> Result<(), BadSpec> {
        Ok(())
    }

    /// What one episode of a spec may use by default.
    fn default_budget(&self, _spec: &Spec) -> Budget {
        Budget::default()
    }

    /// How often one call of a run is sent at most, the first time included, as long as what it fails with can succeed later
    /// ([`FailureClass::can_succeed_later`](crate::effect::FailureClass::can_succeed_later)). A number of the
    /// operator's goes before it. Attempts stand in no transcript, so it is no part of the protocol.
    fn attempts(&self, _spec: &Spec) -> Attempts {
        USUAL_ATTEMPTS.into()
    }

    /// The tasks that a spec means: hands, tables, matches. Only where [`TaskSource::Spec`] says so; what the spec says of
    /// its set of tasks is not looked at.
    ///
    /// # Errors
    /// The first part of the spec that cannot be run, and how to mend it.
    fn plan(&self, _spec: &Spec) -> Result<TaskSet, BadSpec> {
        Err(BadSpec::new(
            "tasks",
            format!("the tasks of {} are read from a file", self.facts().name),
        ))
    }

    /// Reads a file of tasks. Only where [`TaskSource::File`] says so.
    ///
    /// # Errors
    /// What is wrong, with row and field, and how to mend it.
    fn read_tasks(&self, name: &str, _bytes: &[u8]) -> Result<TaskSet, BadTasks> {
        Err(BadTasks {
            message: format!(
                "{name}: {} reads no task file; its tasks follow from its settings",
                self.facts().name
            ),
        })
    }

    /// The tasks that come with the product; where tasks follow from the spec, those of its default.
    fn samples(&self) -> TaskSet {
        self.read_tasks("samples", self.facts().samples)
            .expect("the samples are part of the program, and a test reads them")
    }

    /// Opens the episode of a task.
    ///
    /// # Errors
    /// If the spec does not fit the benchmark or the task.
    fn open(&self, spec: &Spec, task: &Task, pack: &Pack) -> Result<Box<dyn Episode>, BadSpec>;

    /// Opens the grading of an episode that ended so; `None` if its score needs no grading, as of games, which are scored by what
    /// they paid. A grading that came to a verdict says it in its outcome ([`Outcome::verdict`]); without one the episode has no
    /// score, and its run no place on a board.
    ///
    /// # Errors
    /// If the spec does not fit the benchmark.
    fn grade(
        &self,
        _spec: &Spec,
        _task: &Task,
        _pack: &Pack,
        _play: &Outcome,
    ) -> Result<Option<Box<dyn Episode>>, BadSpec> {
        Ok(None)
    }

    /// What an episode came to in words, where nothing is answered: who won, and by how much.
    fn result_in_words(&self, _play: &Transcript) -> Option<String> {
        None
    }

    /// An event of the world ([`Note::Event`](crate::note::Note::Event)) in words; empty where a reader misses nothing without it.
    /// By default its members are listed.
    fn event_in_words(&self, _spec: &Spec, _name: &str, _detail: &Value) -> Option<String> {
        None
    }

    /// The numbers of a run. Summaries are borrowed one by one, so that callers that share them need not copy them.
    fn report(&self, spec: &Spec, episodes: &[&Summary], options: &MeasureOptions) -> Report {
        let report = (self.facts().report)(spec, episodes, options);
        spending::reported(report, spec, episodes, options)
    }

    /// What is compared of an episode; `None` while it has no score. By default the score of the first seat, and tasks are the
    /// same if the same is in them.
    fn sample(&self, spec: &Spec, summary: &Summary) -> Option<Sample> {
        let seat = Seat::new(self.facts().seats.first()?.seat);
        let digest = summary.task.digest.to_string();
        let points = self.facts().points(spec);
        let value = points.first().and_then(|point| summary.task.labels.get(point.setting));
        Some(Sample {
            task: value.map_or_else(|| digest.clone(), |value| format!("{digest} {value}")),
            cluster: digest,
            numbers: BTreeMap::from([(seat, summary.score? * self.facts().full_marks)]),
        })
    }

    /// What runs say together beyond their differences, e.g. the gaps between settings; `None` where there is nothing of the
    /// kind.
    ///
    /// # Errors
    /// Why it cannot be said of these runs.
    fn compare(&self, _runs: &[(&Spec, &[Summary])]) -> Result<Option<Report>, BadSpec> {
        Ok(None)
    }
}

fn check_seats(benchmark: &dyn Benchmark, spec: &Spec) -> Result<(), BadSpec> {
    let is_empty = |info: &&SeatInfo| {
        !spec.seats.contains_key(&Seat::new(info.seat)) && benchmark.needs_seat(spec, info.seat)
    };
    match benchmark.seats().iter().find(is_empty) {
        Some(info) if benchmark.participants().is_none() => Err(BadSpec::new(
            format!("seats.{}", info.seat),
            format!("the seat is empty; choose a player for it, e.g. {}", info.default),
        )),
        _ => Ok(()),
    }
}

/// What follows from a benchmark's own word for every spec of it.
impl<'a> dyn Benchmark + 'a {
    /// The hash of the board on which a spec is ranked (ARCHITECTURE.md, rule 19): the whole spec less the seats under
    /// evaluation, their sampling and the number of repeats, and less settings that do not bind. What a task set and a prompt pack
    /// are called does not count, only what is in them.
    ///
    /// Where tasks follow from the spec every participant is under evaluation; lineups, names and seeds differ from run to run, and
    /// with them the hands and matches that follow from the spec. So these are left out, and how many take part stays in.
    pub fn board(&self, spec: &Spec) -> Digest {
        let mut board = spec.clone();
        board.seats.retain(|seat, _| !self.is_evaluated(seat));
        board.repeats = 1;
        board.tasks.name.clear();
        board.pack.name.clear();
        board.settings = self.binding_settings(&spec.settings);
        if self.reads_tasks() {
            return board.digest();
        }
        board.tasks.digest = Digest::of("");
        board.seed = 0;
        Digest::of_value(&(spec.seats.len(), board))
    }

    /// Whether [`Benchmark::most_calls`] names a tool for an episode of a task, in a sweep for any value.
    pub fn uses(&self, spec: &Spec, task: &Task, tool: &str) -> bool {
        let names = |task: &Task| {
            let most = self.most_calls(spec, task).unwrap_or_default();
            most.iter().any(|(name, most)| *name == tool && *most > 0)
        };
        names(task) || self.points(spec).iter().any(|point| names(&point.place(task)))
    }

    /// Checks that an episode of a task may use a tool.
    ///
    /// # Errors
    /// Why not, in a sentence.
    pub fn check_tool(&self, spec: &Spec, task: &Task, tool: &effect::Tool) -> Result<(), String> {
        if !self.uses(spec, task, tool.name()) {
            return Err(format!("{} does not use the tool {:?}", self.name(), tool.name()));
        }
        if let (effect::Tool::Page(_), None) = (tool, &spec.web) {
            return Err("this run reads no pages of the web".to_owned());
        }
        tool.check()
    }

    /// Whether a seat is under evaluation: the first one, or all where participants are numbered.
    pub fn is_evaluated(&self, seat: &Seat) -> bool {
        let first = self.seats().first().map(|info| info.seat);
        self.participants().is_some() || first.is_some_and(|first| first == seat.as_str())
    }

    /// Who sits in the seats under evaluation.
    pub fn players(&self, lineup: &Lineup) -> BTreeMap<Seat, Player> {
        lineup
            .iter()
            .filter(|(seat, _)| self.is_evaluated(seat))
            .map(|(seat, sitting)| (seat.clone(), sitting.player.clone()))
            .collect()
    }

    /// Whether the strict reading refuses this spec for want of a search engine (`search`) or a web (`web`). Without an engine
    /// `reference` runs, too.
    pub fn lacks(&self, spec: &Spec, field: &str) -> bool {
        let strict = Spec { profile: Profile::Strict, search: None, ..spec.clone() };
        self.check_spec(&strict).is_err_and(|bad| bad.field == field)
    }

    /// Whether its tasks are read from a file, and do not follow from the spec.
    pub fn reads_tasks(&self) -> bool {
        self.task_source() == TaskSource::File
    }
}

impl fmt::Debug for dyn Benchmark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The seed of a run for which none is chosen.
pub const DEFAULT_SEED: u64 = 1;

/// A spec with everything that a benchmark does by default: settings, lineup, pack, budget. Tasks are not named; the caller says
/// which they are.
pub fn default_spec(benchmark: &dyn Benchmark) -> Spec {
    drafted(benchmark, Profile::default(), benchmark.default_settings())
}

/// The same under these settings, which are complete.
pub fn drafted(benchmark: &dyn Benchmark, profile: Profile, settings: Value) -> Spec {
    let mut spec = Spec {
        benchmark: benchmark.name().to_owned(),
        protocol: benchmark.protocol(),
        profile,
        settings,
        tasks: Named { name: String::new(), digest: Digest::of("") },
        subset: Subset::default(),
        pack: Named::from(&benchmark.pack()),
        seats: default_lineup(benchmark),
        search: None,
        web: None,
        budget: Budget::default(),
        seed: DEFAULT_SEED,
        repeats: 1,
    };
    spec.budget = benchmark.default_budget(&spec);
    spec
}

/// A benchmark's own bots in all its seats.
pub fn default_lineup(benchmark: &dyn Benchmark) -> Lineup {
    benchmark.seats().iter().map(|info| (Seat::new(info.seat), info.default_sitting())).collect()
}

impl SeatInfo {
    /// A seat, what it does in a few words, and the built-in bot that sits there by default.
    pub const fn new(seat: &'static str, about: &'static str, default: &'static str) -> SeatInfo {
        SeatInfo { seat, about, default, follows: "" }
    }

    /// The same, with the model of another seat where no player was chosen and a model sits there.
    pub const fn following(self, seat: &'static str) -> SeatInfo {
        SeatInfo { follows: seat, ..self }
    }

    /// The player of the seat where none was chosen, by those that were chosen for the other seats.
    pub fn usual<'a>(&self, chosen: impl FnOnce(&str) -> Option<&'a Player>) -> Player {
        match chosen(self.follows) {
            Some(model @ Player::Model { .. }) => model.clone(),
            _ => self.default_sitting().player,
        }
    }

    /// The bot that sits there by default.
    pub fn default_sitting(&self) -> Sitting {
        let name = self.default.strip_prefix("bot:").unwrap_or(self.default);
        Sitting { player: Player::Bot(name.to_owned()), sampling: Sampling::default() }
    }
}

/// Where the tasks of a benchmark come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaskSource {
    /// From a file: [`Benchmark::read_tasks`].
    File,
    /// From the spec: [`Benchmark::plan`].
    Spec,
}

/// A seat of a benchmark.
#[derive(Debug, Clone, Copy)]
pub struct SeatInfo {
    pub seat: &'static str,
    /// What it does, in a few words.
    pub about: &'static str,
    /// The default player of the seat: a built-in bot.
    pub default: &'static str,
    /// The seat whose model sits there, too, where no player was chosen; may be empty.
    pub follows: &'static str,
}

/// The tasks of a file one after the other, up to the first that cannot be read.
pub type TaskByTask<'a> = Box<dyn Iterator<Item = Result<Task, BadTasks>> + 'a>;

/// A set of tasks that is built from its name.
pub struct BuiltTasks {
    /// How many tasks it will have.
    pub count: u32,
    /// The attempts to build them, one after the other; of some nothing comes.
    pub attempts: Box<dyn Iterator<Item = Result<Option<Task>, String>>>,
}

/// What the signs of a ribbon mean beyond what all benchmarks share.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Legend {
    /// Signs and their meanings; a sign is the class of a bar, or the class and the letter of a cell with `|` between them. Empty:
    /// the usual ones.
    pub signs: &'static [(&'static str, &'static str)],
    /// What letters mean in a game; may be empty.
    pub letters: &'static str,
}

/// A file of tasks that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct BadTasks {
    /// What is wrong, with row and field, and how to mend it.
    pub message: String,
}
