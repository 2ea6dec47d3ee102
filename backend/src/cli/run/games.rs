//! The flags of games, and which settings they are.

use clap::{ArgAction, Args};
use serde_json::{Value, json};

use turnwise_shared::benchmark::Benchmark;
use turnwise_shared::benchmarks::poker::policy::Policy;
use turnwise_shared::seat::{Player, Seat};

use crate::cli::seats::ForSeat;
use crate::cli::trouble::Trouble;

/// Flags that belong to games.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Games")]
pub struct GameFlags {
    /// poker: how many tables are played
    #[arg(long, value_name = "N")]
    pub tables: Option<u32>,

    /// poker: how many hands each table plays; with --duplicate how many decks, each played once for every seat
    #[arg(long, value_name = "N")]
    pub hands: Option<u32>,

    /// poker: what happens to stacks between hands: reset-every-hand, reset-all-on-bust, rebuy-busted, freezeout. Default:
    /// reset-every-hand under strict, reset-all-on-bust under reference
    #[arg(long, value_name = "POLICY")]
    pub policy: Option<Policy>,

    /// poker: every deck is played once for every rotation of the seats, so that luck with cards cancels
    #[arg(long)]
    pub duplicate: bool,

    /// poker: participants sit in another order at every table
    #[arg(long)]
    pub permute_seats: bool,

    /// poker: the stack with which everybody begins
    #[arg(long, value_name = "CHIPS")]
    pub stack: Option<u64>,

    /// poker: the blinds, e.g. 50/100
    #[arg(long, value_name = "SMALL/BIG")]
    pub blinds: Option<String>,

    /// poker: what a player is told of earlier hands: none or table
    #[arg(long, value_name = "MEMORY")]
    pub memory: Option<String>,

    /// poker: the character that the system prompt gives to a player: bold (as in the paper) or neutral
    #[arg(long, value_name = "PERSONA")]
    pub persona: Option<String>,

    /// Who plays, in the order of seats: names of built-in players (grim, random:0.5, tft), players as in --seat
    /// (model:PROVIDER/MODEL), or NAME=PLAYER
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        conflicts_with = "seat"
    )]
    pub players: Vec<String>,

    /// trust: the probability that a match goes on after a round; several, joined by commas, are a sweep
    #[arg(long, value_name = "P", value_delimiter = ',')]
    pub delta: Vec<f64>,

    /// trust: the most rounds of a match
    #[arg(long, value_name = "N")]
    pub cap: Option<u32>,

    /// trust: whether every match is played again with changed sides. Default: true
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true", action = ArgAction::Set)]
    pub swap: Option<bool>,
}

/// Who plays by `--players`.
#[derive(Debug, Default)]
pub struct Players {
    /// Who sits where.
    pub seats: Vec<ForSeat<Player>>,
    /// Names that were given, with their seats.
    pub names: Vec<(String, String)>,
}

/// A flag, the setting that it is, its value where it was given, and the benchmark that has it.
type Setting = (&'static str, &'static str, Option<Value>, &'static str);

impl GameFlags {
    /// The settings that were given.
    ///
    /// # Errors
    /// If a flag cannot be read.
    pub fn settings(&self) -> Result<Vec<Setting>, Trouble> {
        let (small, big) = match &self.blinds {
            Some(text) => blinds(text).map(|(small, big)| (Some(small), Some(big)))?,
            None => (None, None),
        };
        let delta = match self.delta.as_slice() {
            [] => None,
            [one] => Some(json!(one)),
            several => Some(json!(several)),
        };
        const POKER: &str = "poker";
        const TRUST: &str = "trust";
        Ok(vec![
            ("--tables", "tables", self.tables.map(Value::from), POKER),
            ("--hands", "hands", self.hands.map(Value::from), POKER),
            (
                "--policy",
                "policy",
                self.policy.map(|policy| json!(policy)),
                POKER,
            ),
            (
                "--duplicate",
                "duplicate",
                self.duplicate.then_some(json!(true)),
                POKER,
            ),
            (
                "--permute-seats",
                "permute_seats",
                self.permute_seats.then_some(json!(true)),
                POKER,
            ),
            ("--stack", "stack", self.stack.map(Value::from), POKER),
            ("--blinds", "small_blind", small.map(Value::from), POKER),
            ("--blinds", "big_blind", big.map(Value::from), POKER),
            (
                "--memory",
                "memory",
                self.memory.clone().map(Value::from),
                POKER,
            ),
            (
                "--persona",
                "persona",
                self.persona.clone().map(Value::from),
                POKER,
            ),
            ("--delta", "delta", delta, TRUST),
            ("--cap", "cap", self.cap.map(Value::from), TRUST),
            ("--swap", "swap", self.swap.map(Value::from), TRUST),
        ])
    }

    /// A flag of games that was given.
    pub fn given(&self) -> Option<&'static str> {
        if !self.players.is_empty() {
            return Some("--players");
        }
        // Only whether a value is there matters, not whether it reads.
        if self.blinds.is_some() {
            return Some("--blinds");
        }
        let settings = self.settings().unwrap_or_default();
        settings
            .into_iter()
            .find_map(|(flag, _, value, _)| value.is_some().then_some(flag))
    }

    /// Who plays by `--players`.
    ///
    /// # Errors
    /// Which player cannot be read, with those that there are.
    pub fn lineup(&self, benchmark: &dyn Benchmark) -> Result<Players, Trouble> {
        let count = u32::try_from(self.players.len()).unwrap_or(u32::MAX);
        match benchmark.participants() {
            _ if count == 0 => {}
            Some((fewest, most)) if !(fewest..=most).contains(&count) => {
                return Err(Trouble::new(format!(
                    "--players names {count}; {fewest} to {most} play {}",
                    benchmark.name()
                )));
            }
            Some(_) => {}
            None => {
                return Err(Trouble::new(format!(
                    "--players is for games; the seats of {} have names, use --seat NAME=PLAYER",
                    benchmark.name()
                )));
            }
        }
        let (mut seats, mut names) = (Vec::new(), Vec::new());
        for (text, number) in self.players.iter().zip(1_u32..) {
            let seat = Seat::new(number.to_string());
            let (name, player) = match text.split_once('=') {
                Some((name, player)) => (Some(name.trim()), player.trim()),
                None => (None, text.trim()),
            };
            let value = if benchmark.seats_bot(&seat, player) {
                Player::Bot(player.to_owned())
            } else {
                player.parse().map_err(|error| {
                    let bots: Vec<_> = benchmark.bots().iter().map(|bot| bot.name).collect();
                    Trouble::new(format!(
                        "--players: {error}; or the bare name of a built-in player: {}",
                        bots.join(", ")
                    ))
                })?
            };
            names.extend(name.map(|name| (seat.to_string(), name.to_owned())));
            seats.push(ForSeat { seat, value });
        }
        Ok(Players { seats, names })
    }
}

fn blinds(text: &str) -> Result<(u64, u64), Trouble> {
    text.split_once('/')
        .and_then(|(small, big)| Some((small.trim().parse().ok()?, big.trim().parse().ok()?)))
        .ok_or_else(|| Trouble::new(format!("--blinds {text}: write SMALL/BIG, e.g. 50/100")))
}

#[cfg(test)]
mod tests {
    use turnwise_shared::registry;

    use super::*;

    #[test]
    fn players_are_population_names_seats_or_named() {
        let trust = registry::find("trust").expect("it is registered");
        let flags = |players: &[&str]| GameFlags {
            players: players.iter().map(|&player| player.to_owned()).collect(),
            ..GameFlags::default()
        };
        let Players { seats, names } = flags(&[
            "grim",
            "random:0.5",
            "model:up/a/b",
            "Bob=bot:tft",
            "Eve=tft",
        ])
        .lineup(trust)
        .expect("they all read");
        let players: Vec<_> = seats.iter().map(|seat| seat.value.to_string()).collect();
        assert_eq!(
            players,
            [
                "bot:grim",
                "bot:random:0.5",
                "model:up/a/b",
                "bot:tft",
                "bot:tft"
            ]
        );
        assert_eq!(seats[4].seat.as_str(), "5");
        assert_eq!(
            names,
            [("4".into(), "Bob".into()), ("5".into(), "Eve".into())]
        );
        assert!(flags(&["nobody", "tft"]).lineup(trust).is_err());
        assert!(flags(&["tft"]).lineup(trust).is_err());
        let other = registry::find("interactcomp").expect("it is registered");
        assert!(flags(&["grim"]).lineup(other).is_err());
    }

    #[test]
    fn blinds_are_two_numbers() {
        assert_eq!(blinds("50/100").ok(), Some((50, 100)));
        assert!(blinds("100").is_err());
    }
}
