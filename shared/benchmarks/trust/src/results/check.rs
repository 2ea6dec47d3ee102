//! Does a file agree with the rules of the reference code? Each rule is counted; the first differences are named.

use serde_json::{Value, json};

use super::file::File;
use crate::lengths;
use crate::metrics::Match;
use crate::seeds::PairSeed;

/// How many differences are named; further ones are only counted.
const NAMED: usize = 20;

/// What was compared.
#[derive(Debug, Clone, Default)]
pub struct Check {
    rules: Vec<Rule>,
    differences: Vec<String>,
}

#[derive(Debug, Clone)]
struct Rule {
    name: &'static str,
    compared: u64,
    equal: u64,
}

impl Check {
    /// Compares a file with what follows from its own configuration and histories. `own` are the players as we measure
    /// them, in the order of `players`.
    pub fn of(file: &File, players: &[String], games: &[Match], own: &[Value]) -> Self {
        let mut check = Check::default();
        if let Some(total) = file.total_games {
            let same = total == games.len() as u64;
            check.compare("total_games", same, || {
                format!("total_games is {total}, and there are {}", games.len())
            });
        }
        for (position, (game, played)) in file.game_results.iter().zip(games).enumerate() {
            let at = |what: String| format!("game_results[{position}]: {what}");
            let pair = PairSeed {
                seed: file.config.seed,
                names: [&game.pair[0], &game.pair[1]],
                repeat: game.repeat,
                delta: file.config.delta,
                cap: file.config.max_rounds,
            };
            if let Some(seed) = game.match_seed {
                check.compare("match_seed", seed == pair.of_match(), || {
                    at(format!(
                        "match_seed is {seed}, by the rule {}",
                        pair.of_match()
                    ))
                });
            }
            let direction = u32::from(game.result.agent1_name != game.pair[0]);
            if let Some(seed) = game.game_seed {
                check.compare("game_seed", seed == pair.of_game(direction), || {
                    at(format!(
                        "game_seed is {seed}, by the rule {}",
                        pair.of_game(direction)
                    ))
                });
            }
            let length = lengths::reference(&pair);
            check.compare("length", played.rounds() == length, || {
                at(format!(
                    "{} rounds were played, by the seed {length}",
                    played.rounds()
                ))
            });
            let result = &game.result;
            let told = [result.agent1_total_payoff, result.agent2_total_payoff];
            let sums = played.earned.map(|earned| earned as f64);
            check.compare("total_payoff", told == sums, || {
                at(format!(
                    "the totals are {told:?}, and the rounds add up to {sums:?}"
                ))
            });
            check.compare(
                "total_rounds",
                result.total_rounds == played.rounds(),
                || {
                    at(format!(
                        "total_rounds is {}, and the history has {}",
                        result.total_rounds,
                        played.rounds()
                    ))
                },
            );
        }
        for (name, own) in players.iter().zip(own) {
            let Some(recorded) = file.per_agent.get(name) else {
                continue;
            };
            let interval = recorded.avg_score_ci.clone().unwrap_or_default();
            for (rule, told, member) in [
                ("total_score", recorded.total_score, "total"),
                (
                    "total_rounds of players",
                    recorded.total_rounds.map(|rounds| rounds as f64),
                    "rounds",
                ),
                ("avg_score_per_round", recorded.avg_score_per_round, "score"),
                ("avg_score_ci.low", interval.low, "score_low"),
                ("avg_score_ci.high", interval.high, "score_high"),
            ] {
                let Some(told) = told else { continue };
                let measured = own[member].as_f64();
                let same = measured.is_some_and(|measured| (measured - told).abs() < 1e-9);
                check.compare(rule, same, || {
                    format!(
                        "per_agent.{name}: {rule} is {told}, and we measure {}",
                        own[member]
                    )
                });
            }
        }
        check
    }

    fn compare(&mut self, name: &'static str, same: bool, difference: impl FnOnce() -> String) {
        let position = self.rules.iter().position(|rule| rule.name == name);
        let position = position.unwrap_or_else(|| {
            self.rules.push(Rule {
                name,
                compared: 0,
                equal: 0,
            });
            self.rules.len() - 1
        });
        self.rules[position].compared += 1;
        self.rules[position].equal += u64::from(same);
        if !same && self.differences.len() < NAMED {
            self.differences.push(difference());
        }
    }

    /// For programs.
    pub fn record(&self) -> Value {
        let rules: Vec<Value> = self
            .rules
            .iter()
            .map(
                |rule| json!({ "rule": rule.name, "compared": rule.compared, "equal": rule.equal }),
            )
            .collect();
        json!({ "rules": rules, "differences": self.differences })
    }
}
