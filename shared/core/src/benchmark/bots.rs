//! Built-in players: which a benchmark has, whether one fits a seat, and what it is asked.

use super::Benchmark;
use crate::dice;
use crate::effect::CallId;
use crate::prompt::Ask;
use crate::seat::{Player, Seat};
use crate::spec::{BadSpec, Spec};
use crate::task::Task;

#[derive(Debug, Clone, Copy)]
pub struct BotInfo {
    /// Its name after `bot:`.
    pub name: &'static str,
    /// A second name for it.
    pub alias: Option<&'static str>,
    /// The seat for which it is made, or [`BotInfo::ANY_SEAT`].
    pub seat: &'static str,
    /// What it does, in a sentence.
    pub about: &'static str,
    /// The share, 0 to 1, that it uses where none follows its name (`random:0.3`); `None` if none may follow.
    pub share: Option<f64>,
    /// What it replies. It reads the variables of the request and nothing else.
    pub reply: fn(&Asked<'_>) -> String,
}

impl BotInfo {
    /// Stands for every seat, where participants are numbered.
    pub const ANY_SEAT: &'static str = "*";

    /// A bot without alias and share.
    pub const fn new(
        name: &'static str,
        seat: &'static str,
        about: &'static str,
        reply: fn(&Asked<'_>) -> String,
    ) -> Self {
        BotInfo { name, alias: None, seat, about, share: None, reply }
    }

    /// The same, with a share that may follow its name after a colon.
    pub const fn with_share(self, usual: f64) -> Self {
        BotInfo { share: Some(usual), ..self }
    }

    /// Whether it is made for this seat.
    pub fn fits(&self, seat: &Seat) -> bool {
        self.seat == Self::ANY_SEAT || self.seat == seat.as_str()
    }

    /// The share with which `name` calls it, 0 if it takes none; `None` if `name` does not call it.
    fn called(&self, name: &str) -> Option<f64> {
        let (name, share) = match name.split_once(':') {
            Some((name, share)) => (name, Some(share)),
            None => (name, None),
        };
        let is_own = name == self.name || Some(name) == self.alias;
        match (is_own, share, self.share) {
            (true, None, usual) => Some(usual.unwrap_or_default()),
            (true, Some(share), Some(_)) => {
                share.parse().ok().filter(|share| (0.0..=1.0).contains(share))
            }
            _ => None,
        }
    }
}

/// Which of these is called so in a seat, and with which share.
pub(super) fn called(
    bots: &'static [BotInfo],
    seat: &Seat,
    name: &str,
) -> Option<(&'static BotInfo, f64)> {
    let mut fitting = bots.iter().filter(|bot| bot.fits(seat));
    fitting.find_map(|bot| Some((bot, bot.called(name)?)))
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

/// Checks every built-in player of a spec. Imported episodes were played by the players that their file names.
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
    share: f64,
}

/// What a bot's randomness follows from: in a replay it is the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chance {
    pub seed: u64,
    /// Which repeat of the task, from 1.
    pub repeat: u32,
    /// The call that the bot answers.
    pub call: CallId,
}

impl<'a> Asked<'a> {
    /// A request over a task.
    pub fn new(ask: &'a Ask, task: &'a Task, chance: Chance) -> Self {
        Asked { ask, task, chance, share: 0.0 }
    }

    pub(super) fn sharing(&self, share: f64) -> Self {
        Asked { share, ..*self }
    }

    /// The same over the same task, of another request.
    pub fn of(&self, ask: &'a Ask) -> Self {
        Asked { ask, ..*self }
    }

    /// The task over which it is made.
    pub fn task(&self) -> &'a Task {
        self.task
    }

    /// Draws `take` different numbers from `0..below` for this call alone.
    pub fn draw(&self, stream: &str, below: u32, take: u32) -> Vec<u32> {
        let Chance { seed, repeat, call } = self.chance;
        let stream = format!("bot:{}:{repeat}:{call}:{stream}", self.task.id);
        dice::draw(seed, &stream, below, take)
    }

    /// The share that its name gives the bot, else its usual one, 0 to 1; 0 if it takes none.
    pub fn share(&self) -> f64 {
        self.share
    }

    /// The seat that is asked.
    pub fn seat(&self) -> &'a Seat {
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
