//! What a benchmark is to the rest of Turnwise: one implementation of [`Benchmark`], one line in the registry.

use crate::episode::{Episode, Outcome};
use crate::metrics::report::{MeasureOptions, Report};
use crate::metrics::summary::{Measured, Summary};
use crate::prompt::{Ask, Pack, Said};
use crate::seat::{Sampling, Seat};
use crate::spec::{BadSpec, Spec};
use crate::task::{Task, TaskSet};
use crate::transcript::Transcript;

/// A benchmark: how its tasks are read, how its episodes go, what its numbers are.
pub trait Benchmark: Sync {
    /// Its name in specs, files and addresses, e.g. `interactcomp`.
    fn name(&self) -> &'static str;

    /// Its name for people.
    fn title(&self) -> &'static str;

    /// What it measures, in one or two sentences for somebody who has not read the paper.
    fn about(&self) -> &'static str;

    /// The version of its protocol. It changes whenever an old transcript would replay differently.
    fn protocol(&self) -> u32;

    /// Its seats; the first is the one under evaluation.
    fn seats(&self) -> &'static [SeatInfo];

    /// Its default prompt pack, in our own wording.
    fn pack(&self) -> Pack;

    /// The settings of a run when nobody chose any.
    fn default_settings(&self) -> serde_json::Value;

    /// How a model is sampled in a seat when nobody said otherwise.
    fn default_sampling(&self, seat: &Seat, model: &str) -> Sampling;

    /// Checks the settings and the lineup of a spec.
    ///
    /// # Errors
    /// The first part of the spec that cannot be run, and how to mend it.
    fn check(&self, spec: &Spec) -> Result<(), BadSpec>;

    /// Reads a file of tasks.
    ///
    /// # Errors
    /// What is wrong, with row and field, and how to mend it.
    fn read_tasks(&self, name: &str, bytes: &[u8]) -> Result<TaskSet, BadTasks>;

    /// The tasks that come with the product.
    fn samples(&self) -> TaskSet;

    /// Opens the play of a task.
    ///
    /// # Errors
    /// If the spec does not fit the benchmark or the task.
    fn open(&self, spec: &Spec, task: &Task, pack: &Pack) -> Result<Box<dyn Episode>, BadSpec>;

    /// Opens the grading of a play that ended so; `None` if its score needs no grading.
    ///
    /// # Errors
    /// If the spec does not fit the benchmark.
    fn grade(
        &self,
        spec: &Spec,
        task: &Task,
        pack: &Pack,
        play: &Outcome,
    ) -> Result<Option<Box<dyn Episode>>, BadSpec>;

    /// Its built-in players, by seat.
    fn bots(&self) -> &'static [BotInfo];

    /// What a built-in player replies. A bot reads the variables of the request and nothing else.
    ///
    /// `None` if there is no bot of that name.
    fn bot(&self, name: &str, asked: &Asked<'_>) -> Option<Said>;

    /// The benchmark's own numbers of one episode, from its transcripts.
    fn measure_episode(&self, play: &Transcript, grading: Option<&Transcript>) -> Measured;

    /// The numbers of a run.
    fn report(&self, spec: &Spec, episodes: &[Summary], options: &MeasureOptions) -> Report;
}

/// A request to a bot: its variables, with hidden fields filled in where the request names them.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    ask: &'a Ask,
    task: &'a Task,
}

impl<'a> Asked<'a> {
    /// A request over a task.
    pub fn new(ask: &'a Ask, task: &'a Task) -> Self {
        Asked { ask, task }
    }

    /// The seat that is asked.
    pub fn seat(&self) -> &Seat {
        &self.ask.seat
    }

    /// A variable of the request; empty if it has none of that name.
    pub fn variable(&self, name: &str) -> &'a str {
        self.ask.variable(name, self.task).unwrap_or_default()
    }

    /// Whether the request is made from this template.
    pub fn uses(&self, template: &str) -> bool {
        self.ask.templates().contains(&template)
    }
}

/// A seat of a benchmark.
#[derive(Debug, Clone, Copy)]
pub struct SeatInfo {
    /// Its name.
    pub seat: &'static str,
    /// What it does, in a few words.
    pub about: &'static str,
    /// Who sits there when nobody chose: a built-in bot.
    pub default: &'static str,
}

/// A built-in player.
#[derive(Debug, Clone, Copy)]
pub struct BotInfo {
    /// Its name after `bot:`.
    pub name: &'static str,
    /// The seat for which it is made.
    pub seat: &'static str,
    /// What it does, in a sentence.
    pub about: &'static str,
}

/// A file of tasks that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct BadTasks {
    /// What is wrong, with row and field, and how to mend it.
    pub message: String,
}
