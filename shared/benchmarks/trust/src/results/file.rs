//! The file as it stands (specification 5.g). Members that no number needs are not looked at.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use crate::game::Action;
use crate::metrics::Match;

/// The most rounds of a match in a file: with a δ of 1 as many numbers are drawn for every match.
const MOST_ROUNDS: u32 = 10_000;

/// The most resamples of an interval; all of them are in memory at once.
const MOST_RESAMPLES: u32 = 100_000;

/// The whole file.
#[derive(Debug, Clone, Deserialize)]
pub struct File {
    pub config: Config,
    #[serde(default)]
    pub agents: Vec<Value>,
    #[serde(default)]
    pub per_agent: BTreeMap<String, Recorded>,
    pub game_results: Vec<Game>,
    #[serde(default)]
    pub total_games: Option<u64>,
}

/// What was set.
#[derive(Debug, Clone, Deserialize)]
pub struct Config {
    pub delta: f64,
    #[serde(default)]
    pub repeats: Option<u32>,
    #[serde(default)]
    pub swap_seats: Option<bool>,
    pub max_rounds: u32,
    /// Beyond 2^53.
    pub seed: u64,
    #[serde(default = "resamples")]
    pub bootstrap_samples: u32,
    #[serde(default = "alpha")]
    pub ci_alpha: f64,
}

fn resamples() -> u32 {
    2000
}

fn alpha() -> f64 {
    0.05
}

/// What the reference code found out about one player.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Recorded {
    #[serde(default)]
    pub total_score: Option<f64>,
    #[serde(default)]
    pub total_rounds: Option<u64>,
    #[serde(default)]
    pub avg_score_per_round: Option<f64>,
    #[serde(default)]
    pub avg_score_ci: Option<Interval>,
}

/// An interval.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Interval {
    #[serde(default)]
    pub low: Option<f64>,
    #[serde(default)]
    pub high: Option<f64>,
}

/// One match.
#[derive(Debug, Clone, Deserialize)]
pub struct Game {
    pub pair: [String; 2],
    pub repeat: u32,
    #[serde(default)]
    pub match_seed: Option<u64>,
    #[serde(default)]
    pub game_seed: Option<u64>,
    pub result: Played,
}

/// What was played.
#[derive(Debug, Clone, Deserialize)]
pub struct Played {
    pub agent1_name: String,
    pub agent2_name: String,
    pub total_rounds: u32,
    pub agent1_total_payoff: f64,
    pub agent2_total_payoff: f64,
    pub history: Vec<Round>,
}

/// One round.
#[derive(Debug, Clone, Deserialize)]
pub struct Round {
    pub agent1_action: Action,
    pub agent2_action: Action,
    pub agent1_payoff: f64,
    pub agent2_payoff: f64,
}

impl File {
    /// The players in the order of the list; where the list does not name them, in the order in which they play.
    pub fn players(&self) -> Vec<String> {
        let listed: Option<Vec<String>> = self
            .agents
            .iter()
            .map(|agent| {
                let name = agent.as_str().or_else(|| agent.get("name")?.as_str());
                name.map(str::to_owned)
            })
            .collect();
        let mut players = listed.unwrap_or_default();
        for name in self.game_results.iter().flat_map(|game| &game.pair) {
            if !players.contains(name) {
                players.push(name.clone());
            }
        }
        players
    }
}

impl Config {
    /// The first member that no run of the reference code can have, or whose numbers would take for ever to compute, and what
    /// would be right.
    pub fn wrong(&self) -> Option<(&'static str, String)> {
        let is_share = |share: f64| (0.0..=1.0).contains(&share);
        let share = |value: f64| format!("{value} is no probability; 0 to 1 is one");
        let most = |value: u32, most: u32| format!("{value} is not possible; 1 to {most} is");
        let fits = |value: u32, most: u32| (1..=most).contains(&value);
        [
            ("delta", !is_share(self.delta), share(self.delta)),
            ("ci_alpha", !is_share(self.ci_alpha), share(self.ci_alpha)),
            (
                "max_rounds",
                !fits(self.max_rounds, MOST_ROUNDS),
                most(self.max_rounds, MOST_ROUNDS),
            ),
            (
                "bootstrap_samples",
                !fits(self.bootstrap_samples, MOST_RESAMPLES),
                most(self.bootstrap_samples, MOST_RESAMPLES),
            ),
        ]
        .into_iter()
        .find_map(|(field, is_wrong, problem)| is_wrong.then_some((field, problem)))
    }
}

/// What is wrong with a match, and where.
type Wrong = (String, &'static str);

impl Game {
    /// The match as our metrics see it. Payoffs are taken as they are written, round by round.
    pub fn as_match(&self, players: &[String]) -> Result<Match, Wrong> {
        let result = &self.result;
        let player = |name: &String, path: &str| {
            let known = self.pair.contains(name);
            let place = players.iter().position(|player| player == name);
            place.filter(|_| known).ok_or((
                format!("result.{path}"),
                "nobody of this pair has that name",
            ))
        };
        let first = player(&result.agent1_name, "agent1_name")?;
        let second = player(&result.agent2_name, "agent2_name")?;
        if first == second {
            return Err((
                "result.agent2_name".to_owned(),
                "a player cannot meet itself",
            ));
        }
        if result.history.is_empty() {
            return Err((
                "result.history".to_owned(),
                "a match has at least one round",
            ));
        }
        let mut game = Match {
            players: [first, second],
            actions: [Vec::new(), Vec::new()],
            earned: [0, 0],
            repeat: self.repeat,
            flagged: false,
        };
        for (position, round) in result.history.iter().enumerate() {
            let rounds = [
                (round.agent1_action, round.agent1_payoff, "agent1_payoff"),
                (round.agent2_action, round.agent2_payoff, "agent2_payoff"),
            ];
            for (place, (action, payoff, name)) in rounds.into_iter().enumerate() {
                let whole = whole(payoff).ok_or_else(|| {
                    (
                        format!("result.history[{position}].{name}"),
                        "a payoff is a whole number within a million of zero",
                    )
                })?;
                game.actions[place].push(action);
                game.earned[place] += whole;
            }
        }
        Ok(game)
    }
}

/// A payoff as a whole number.
fn whole(payoff: f64) -> Option<i64> {
    (payoff.fract() == 0.0 && payoff.abs() <= 1e6).then_some(payoff as i64)
}
