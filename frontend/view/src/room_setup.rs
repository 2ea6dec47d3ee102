//! From what a person chose on `/play` to the table that is opened. Pure, but for the chance that is handed in.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};
use turnwise_shared::benchmark::people::{Others, People};
use turnwise_shared::benchmark::schema::Setting;
use turnwise_shared::evidence_tier::Attendance;
use turnwise_shared::prelude::*;
use turnwise_shared::spec::RandomSubset;
use turnwise_shared::task::label_values;
use turnwise_shared::visitors::{Needs, table_needs_token};
use turnwise_shared::wire::live::{Clock, OpenLive};

use crate::address::Config;
use crate::number::counted;
use crate::plan;
use crate::strings::play as words;

/// The longest name of a person, in signs; the server takes 60 bytes.
pub const LONGEST_NAME: u32 = 20;

/// The most episodes of a task file at one table.
pub const MOST_EPISODES: u32 = 20;

/// Seconds of the time bank.
const BANK: u32 = 120;

/// A benchmark that people can play.
#[derive(Debug, Clone, Copy)]
pub struct Game {
    pub benchmark: &'static dyn Benchmark,
    pub people: &'static People,
}

impl PartialEq for Game {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Game {
    /// The one of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().into_iter().find(|game| game.name() == name)
    }

    /// Everything that people can play, games first: they begin at once, without anything to read.
    pub fn all() -> Vec<Self> {
        let mut all: Vec<_> = BENCHMARKS.iter().copied().filter_map(Self::of).collect();
        all.sort_by_key(|game| game.benchmark.reads_tasks());
        all
    }

    /// The benchmark as a game; `None` where it is not offered to people.
    pub fn of(benchmark: &'static dyn Benchmark) -> Option<Self> {
        Some(Game { people: benchmark.people()?, benchmark })
    }

    pub fn name(self) -> &'static str {
        self.benchmark.name()
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Which {
    /// Those that chance takes, perhaps with one value of the label by which they are narrowed.
    Any(Option<String>),
    One(TaskId),
}

#[derive(Debug, Clone, PartialEq)]
pub struct Setup {
    pub game: Game,
    pub kind: LiveKind,
    /// Whether people are invited who agree that their episodes count as human ones; the host of the table only watches then.
    pub attendance: Attendance,
    /// How long a decision may take.
    pub clock: Clock,
    /// The seat of the person who opens the table.
    pub seat: Seat,
    /// The settings that were chosen.
    pub settings: Map<String, Value>,
    /// How many take part, where participants are numbered.
    pub participants: u32,
    /// Who sits in the other seats, where a player was chosen.
    pub chosen: BTreeMap<Seat, Player>,
    /// Which tasks are played, where they come from a file.
    pub which: Which,
    pub episodes: u32,
    /// How many calls of models the table may make, if that is limited.
    pub calls: Option<u64>,
}

/// The clock for this many seconds per decision, with the usual bank; 0 = no clock.
pub fn clock_of(decision_seconds: u32) -> Clock {
    match decision_seconds {
        0 => Clock::NONE,
        _ => Clock { decision_seconds, bank_seconds: BANK },
    }
}

impl Setup {
    /// What is played if nothing is chosen but the game.
    pub fn new(game: Game) -> Self {
        let people = game.people;
        let usual = people.seats.first().copied().unwrap_or_default();
        Setup {
            game,
            kind: LiveKind::Practice,
            attendance: Attendance::Unattended,
            clock: clock_of(people.seconds),
            seat: Seat::new(usual),
            settings: people.begins(),
            participants: match people.others {
                Others::Numbered { usual, .. } => {
                    u32::try_from(usual.len() + 1).unwrap_or(u32::MAX)
                }
                Others::Hidden(_) => 2,
                Others::Parts => 1,
            },
            chosen: BTreeMap::new(),
            which: Which::Any(None),
            episodes: 1,
            calls: None,
        }
    }

    /// The seats of the others, in order.
    pub fn other_seats(&self) -> Vec<Seat> {
        match self.game.people.others {
            Others::Numbered { .. } | Others::Hidden(_) => {
                (2..=self.participants).map(|number| Seat::new(number.to_string())).collect()
            }
            Others::Parts => {
                let seats = self.game.benchmark.seats().iter();
                let seats = seats.map(|info| Seat::new(info.seat));
                seats.filter(|seat| *seat != self.seat).collect()
            }
        }
    }

    /// The default player of another seat; `None` where it is drawn at random.
    pub fn usual(&self, seat: &Seat) -> Option<Player> {
        match self.game.people.others {
            Others::Numbered { usual, .. } => {
                let number: usize = seat.as_str().parse().ok()?;
                let at = number.checked_sub(2)?;
                let name = usual.iter().cycle().nth(at)?;
                Some(Player::Bot((*name).to_owned()))
            }
            Others::Hidden(_) => None,
            Others::Parts => {
                let mut seats = self.game.benchmark.seats().iter();
                let info = seats.find(|info| info.seat == seat.as_str())?;
                Some(info.default_sitting().player)
            }
        }
    }

    /// The player of another seat; `None` where it is drawn at random.
    pub fn player(&self, seat: &Seat) -> Option<Player> {
        let chosen = self.chosen.get(seat).cloned();
        chosen.or_else(|| self.usual(seat))
    }

    /// Chooses who sits in another seat; `None` and the usual player leave it open.
    pub fn choose(&mut self, seat: Seat, player: Option<Player>) {
        match player.filter(|player| Some(player) != self.usual(&seat).as_ref()) {
            Some(player) => drop(self.chosen.insert(seat, player)),
            None => drop(self.chosen.remove(&seat)),
        }
    }

    /// Takes another seat; the player chosen for it is removed.
    pub fn sit(&mut self, seat: Seat) {
        self.chosen.remove(&seat);
        self.seat = seat;
    }

    /// Whether a model sits somewhere.
    pub fn asks_models(&self) -> bool {
        let others = self.other_seats();
        let mut players = others.iter().filter_map(|seat| self.player(seat));
        players.any(|player| matches!(player, Player::Model { .. }))
    }

    /// A setting as it is now.
    pub fn setting(&self, name: &str) -> Option<Value> {
        let chosen = self.settings.get(name).cloned();
        chosen.or_else(|| self.game.benchmark.default_settings().get(name).cloned())
    }

    /// How many episodes are played: tasks that were chosen, else the setting that is called like them.
    pub fn length(&self) -> u32 {
        let people = self.game.people;
        if people.tasks.is_some() {
            return match self.which {
                Which::One(_) => 1,
                Which::Any(_) => self.episodes,
            };
        }
        let number = self.setting(people.episode.1).and_then(|it| it.as_u64());
        number.map_or(1, |number| u32::try_from(number).unwrap_or(u32::MAX))
    }

    /// What the server is asked to open. `chance` answers with a number below the one that it is given.
    ///
    /// # Errors
    /// The first part that cannot be played, and how to mend it.
    pub fn table(
        &self,
        engines: &[EngineInfo],
        chance: impl Fn(usize) -> usize,
    ) -> Result<OpenLive, BadSpec> {
        let benchmark = self.game.benchmark;
        let samples = match benchmark.task_source() {
            TaskSource::File => Some(benchmark.samples()),
            TaskSource::Spec => None,
        };
        let mut config = Config::new(benchmark.name());
        config.seed = 0;
        config.settings = self.settings.clone();
        config.seats.insert(self.seat.clone(), Player::Person);
        for seat in self.other_seats() {
            let player = self.player(&seat).or_else(|| self.drawn(&chance));
            config.seats.extend(player.map(|player| (seat, player)));
        }
        config.participants = match self.game.people.others {
            Others::Numbered { .. } | Others::Hidden(_) => Some(self.participants),
            Others::Parts => None,
        };
        match (self.game.people.tasks, &self.which) {
            (None, _) => {}
            (Some(_), Which::One(id)) => config.subset.ids = vec![id.clone()],
            (Some(tasks), Which::Any(value)) => {
                config.subset.random = Some(RandomSubset {
                    count: self.episodes,
                    seed: chance(usize::from(u16::MAX)) as u64,
                });
                if let Some((label, value)) = tasks.by.zip(value.clone()) {
                    let labels = &mut config.subset.labels;
                    labels.insert(label.to_owned(), vec![value]);
                }
            }
        }
        let mut spec = plan::chosen(&config, benchmark, samples.as_ref(), engines, None)?.spec;
        // It is mixed by everybody who sits down.
        spec.seed = 0;
        Ok(OpenLive {
            spec,
            title: format!("{}, played by hand", benchmark.title()),
            kind: self.kind,
            clock: self.clock,
            attendance: self.attendance,
            caps: Caps { calls: self.calls.filter(|_| self.asks_models()), ..Caps::default() },
        })
    }

    /// Why a visitor without the access token cannot open the table, if so.
    pub fn needs_token(&self, engines: &[EngineInfo]) -> Option<Needs> {
        let wanted = self.table(engines, |_| 0).ok()?;
        if !wanted.caps.is_nothing() {
            return Some(Needs::Budget);
        }
        let episodes = u64::from(self.length());
        table_needs_token(self.game.benchmark, &wanted, episodes, engines, false)
    }

    /// The same in a language, where tasks have one and others are in another: people play in theirs.
    pub fn in_language(mut self, language: &str) -> Self {
        let by = self.game.people.tasks.and_then(|tasks| tasks.by);
        let (values, _) = tasks_of(self.game);
        if by.is_some() && values.len() > 1 && values.contains(language) {
            self.which = Which::Any(Some(language.to_owned()));
        }
        self
    }

    /// The bot that chance takes where the opponent is hidden.
    fn drawn(&self, chance: impl Fn(usize) -> usize) -> Option<Player> {
        let Others::Hidden(among) = self.game.people.others else {
            return None;
        };
        let name = among.get(chance(among.len()) % among.len().max(1))?;
        Some(Player::Bot((*name).to_owned()))
    }

    /// Who the others are, in a line.
    pub fn others(&self) -> String {
        let names: Vec<String> = self
            .other_seats()
            .iter()
            .filter_map(|seat| self.player(seat))
            .map(|player| short_name(&player).unwrap_or_else(|| words::A_FRIEND.to_owned()))
            .collect();
        names.join(", ")
    }

    /// What will be played, in a line.
    pub fn summary(&self) -> String {
        let people = self.game.people;
        let (one, several) = people.episode;
        let length = counted(self.length(), one, several);
        match people.others {
            Others::Parts => length,
            Others::Numbered { .. } => format!("{length} at a table of {}", self.participants),
            Others::Hidden(_) => {
                let seats = self.other_seats();
                let opponent = seats.first().and_then(|seat| self.player(seat));
                let opponent = match opponent {
                    None => words::HIDDEN.to_owned(),
                    Some(Player::Person) => words::A_FRIEND.to_owned(),
                    Some(player) => short_name(&player).unwrap_or_default(),
                };
                format!("{length} against {opponent}")
            }
        }
    }

    /// What the seats of the others are called on the page that opened the table; nothing where that is to be a surprise.
    pub fn names(&self) -> BTreeMap<Seat, String> {
        match self.game.people.others {
            Others::Numbered { .. } => self
                .other_seats()
                .into_iter()
                .filter_map(|seat| {
                    let name = short_name(&self.player(&seat)?)?;
                    Some((seat, name))
                })
                .collect(),
            Others::Hidden(_) | Others::Parts => BTreeMap::new(),
        }
    }
}

/// The values of the label by which tasks can be narrowed, and the tasks themselves.
pub fn tasks_of(game: Game) -> (BTreeSet<String>, Vec<Task>) {
    let Some(tasks) = game.people.tasks else {
        return Default::default();
    };
    let samples = game.benchmark.samples().tasks;
    let values = tasks.by.map(|label| {
        let labels = samples.iter().filter_map(|task| task.labels.get(label));
        labels.flat_map(|label| label_values(label)).map(str::to_owned).collect()
    });
    (values.unwrap_or_default(), samples)
}

/// What was chosen of a setting, as it is set: a number where it is written as one.
pub fn value_of(text: &str) -> Value {
    match serde_json::from_str::<Value>(text) {
        Ok(number @ Value::Number(_)) => number,
        _ => Value::from(text),
    }
}

/// The settings that can be chosen.
pub fn settings(game: Game) -> &'static [Setting] {
    game.people.settings.settings
}

/// A player's name in a few characters; `None` for a person, who has a name of their own.
pub fn short_name(player: &Player) -> Option<String> {
    match player {
        Player::Bot(name) => Some(name.clone()),
        Player::Model { model, .. } => {
            let last = model.rsplit('/').next().unwrap_or(model);
            Some(last.to_owned())
        }
        Player::Recording(_) | Player::Person => None,
    }
}

#[cfg(test)]
mod tests;
