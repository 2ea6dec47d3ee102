//! Built-in players: which a benchmark has, whether one fits a seat, and what it is asked.

use super::Benchmark;
use crate::dice;
use crate::episode::CallId;
use crate::prompt::Ask;
use crate::seat::{Player, Seat};
use crate::spec::{BadSpec, Spec};
use crate::task::Task;

/// A built-in player.
#[derive(Debug, Clone, Copy)]
pub struct BotInfo {
    /// Its name after `bot:`.
    pub name: &'static str,
    /// The seat for which it is made, or [`BotInfo::ANY_SEAT`].
    pub seat: &'static str,
    /// What it does, in a sentence.
    pub about: &'static str,
}

impl BotInfo {
    /// Stands for every seat, where participants are numbered.
    pub const ANY_SEAT: &'static str = "*";

    /// Whether it is made for this seat.
    pub fn fits(&self, seat: &Seat) -> bool {
        self.seat == Self::ANY_SEAT || self.seat == seat.as_str()
    }
}

/// Checks that a built-in player is one of a benchmark's, for this seat.
///
/// # Errors
/// If it is not; the words name those that there are.
pub fn check_bot(benchmark: &dyn Benchmark, seat: &Seat, name: &str) -> Result<(), BadSpec> {
    if benchmark.seats_bot(seat, name) {
        return Ok(());
    }
    let fitting = benchmark.bots().iter().filter(|bot| bot.fits(seat));
    let names: Vec<_> = fitting.map(|bot| format!("bot:{}", bot.name)).collect();
    Err(BadSpec::new(
        format!("seats.{seat}"),
        format!("there is no such bot for this seat; there is {}", names.join(", ")),
    ))
}

/// Checks every built-in player of a spec. What was played elsewhere was played by whoever its file names.
///
/// # Errors
/// The first that is none of the benchmark's, or in a seat that it does not fit.
pub fn check_bots(benchmark: &dyn Benchmark, spec: &Spec) -> Result<(), BadSpec> {
    if spec.is_imported() {
        return Ok(());
    }
    spec.seats.iter().try_for_each(|(seat, sitting)| match &sitting.player {
        Player::Bot(name) => check_bot(benchmark, seat, name),
        _ => Ok(()),
    })
}

/// A request to a bot: its variables, with hidden fields filled in where the request names them, and chance.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    ask: &'a Ask,
    task: &'a Task,
    chance: Chance,
}

/// From what a bot's chance follows: told again, it is the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chance {
    /// The run's seed.
    pub seed: u64,
    /// Which repeat of the task, from 1.
    pub repeat: u32,
    /// The call that the bot answers.
    pub call: CallId,
}

impl<'a> Asked<'a> {
    /// A request over a task.
    pub fn new(ask: &'a Ask, task: &'a Task, chance: Chance) -> Self {
        Asked { ask, task, chance }
    }

    /// Draws `take` different numbers from `0..below` for this call alone.
    pub fn draw(&self, stream: &str, below: u32, take: u32) -> Vec<u32> {
        let Chance { seed, repeat, call } = self.chance;
        let stream = format!("bot:{}:{repeat}:{call}:{stream}", self.task.id);
        dice::draw(seed, &stream, below, take)
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
