//! Results of the reference code (specification 5.g): read, checked against its own rules, and measured as ours are.
//!
//! No file of the authors is published. What is tested here are files of our own `reference` runs in their schema;
//! they are called synthetic wherever they are kept.

mod check;
mod file;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::metrics::{Bootstrap, Intervals, Match, pairs, standings};
use super::report::record;
use super::seeds;
use super::strategy::Strategy;
use check::Check;
use file::File;

/// The form of the record that `turnwise import --format trust-results --json` prints.
const SCHEMA: &str = "turnwise-trust-results/1";

/// A file of results that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}, {path}: {problem}")]
pub struct BadResults {
    /// The file.
    pub file: String,
    /// Where in it, e.g. `game_results[3].result.history[0].agent1_action`; `.` for the whole file.
    pub path: String,
    /// What is wrong there.
    pub problem: String,
}

/// One file of results.
#[derive(Debug, Clone)]
pub struct Results {
    name: String,
    file: File,
    players: Vec<String>,
    games: Vec<Match>,
    check: Check,
}

impl Results {
    /// Reads a file.
    ///
    /// # Errors
    /// What is wrong, and where in the file.
    pub fn read(name: &str, text: &str) -> Result<Self, BadResults> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut source = serde_json::Deserializer::from_str(text);
        let file: File =
            serde_path_to_error::deserialize(&mut source).map_err(|error| BadResults {
                file: name.to_owned(),
                path: error.path().to_string(),
                problem: error.inner().to_string(),
            })?;
        let wrong = |path: String, problem: &str| BadResults {
            file: name.to_owned(),
            path,
            problem: problem.to_owned(),
        };
        source
            .end()
            .map_err(|_| wrong(".".into(), "something follows after the end of the object"))?;
        if let Some((field, problem)) = file.config.wrong() {
            return Err(wrong(format!("config.{field}"), &problem));
        }
        let players = file.players();
        let games = file
            .game_results
            .iter()
            .enumerate()
            .map(|(position, game)| {
                game.as_match(&players).map_err(|(path, problem)| {
                    wrong(format!("game_results[{position}].{path}"), problem)
                })
            })
            .collect::<Result<Vec<Match>, BadResults>>()?;
        let mut results = Results {
            check: Check::default(),
            name: name.to_owned(),
            file,
            players,
            games,
        };
        results.check = Check::of(
            &results.file,
            &results.players,
            &results.games,
            &results.own_records(),
        );
        Ok(results)
    }

    /// The players of this file as our metrics see them, with the intervals of the reference code.
    fn own_records(&self) -> Vec<Value> {
        let config = &self.file.config;
        let bootstrap = Bootstrap {
            resamples: config.bootstrap_samples,
            alpha: config.ci_alpha,
        };
        let seed = seeds::intervals(config.seed, config.delta);
        player_records(
            &self.players,
            &self.games,
            Intervals::ByMatch(seed),
            bootstrap,
        )
    }

    fn record(&self) -> Value {
        let config = &self.file.config;
        json!({
            "file": self.name,
            "delta": config.delta,
            "cap": config.max_rounds,
            "repeats": config.repeats,
            "swap": config.swap_seats,
            "seed": config.seed,
            "n": self.games.len(),
            "players": self.own_records(),
            "pairs": record::pairs(&pairs(&self.games), &names(&self.players)),
            "checks": self.check.record(),
        })
    }
}

/// What `turnwise import --format trust-results --json` prints: every file by itself and, under `players`, all of them
/// together. For one file both are the same; over several the intervals are ours, because the reference code has none.
pub fn record(results: &[Results]) -> Value {
    let files: Vec<Value> = results.iter().map(Results::record).collect();
    let players = match results {
        [one] => one.own_records(),
        several => pooled(several),
    };
    json!({
        "schema": SCHEMA,
        "origin": "imported",
        "n": results.iter().map(|results| results.games.len()).sum::<usize>(),
        "players": players,
        "files": files,
    })
}

/// Players of the same name are the same player; repeats of different files are different repeats.
fn pooled(results: &[Results]) -> Vec<Value> {
    let mut players: Vec<String> = Vec::new();
    let mut games = Vec::new();
    let mut repeats = 0;
    for file in results {
        let places: Vec<usize> = file
            .players
            .iter()
            .map(|name| {
                players
                    .iter()
                    .position(|known| known == name)
                    .unwrap_or_else(|| {
                        players.push(name.clone());
                        players.len() - 1
                    })
            })
            .collect();
        games.extend(file.games.iter().map(|game| Match {
            players: game.players.map(|player| places[player]),
            repeat: game.repeat.saturating_add(repeats),
            ..game.clone()
        }));
        let most = file.games.iter().map(|game| game.repeat).max();
        repeats = repeats.saturating_add(most.unwrap_or(0));
    }
    let seeds: Vec<String> = results
        .iter()
        .map(|results| results.file.config.seed.to_string())
        .collect();
    let parts: Vec<&str> = std::iter::once("turnwise files")
        .chain(seeds.iter().map(String::as_str))
        .collect();
    let intervals = Intervals::ByRepeat(seeds::hash(&parts));
    player_records(&players, &games, intervals, Bootstrap::default())
}

fn player_records(
    players: &[String],
    games: &[Match],
    intervals: Intervals,
    bootstrap: Bootstrap,
) -> Vec<Value> {
    let classes: Vec<String> = players.iter().map(|name| class(name)).collect();
    standings(games, &classes, intervals, bootstrap)
        .iter()
        .zip(players.iter().zip(&classes))
        .map(|(standing, (name, class))| record::player(name, class, standing))
        .collect()
}

/// What a player is, from its name in the reference scripts.
fn class(name: &str) -> String {
    let titles: BTreeMap<&str, &str> = Strategy::ALL
        .iter()
        .map(|strategy| (strategy.title(), strategy.name()))
        .collect();
    let title = name.rsplit_once('-').map_or(name, |(title, _)| title);
    match titles.get(title) {
        Some(class) => (*class).to_owned(),
        None if name.starts_with("LLM-") => "model".to_owned(),
        None => "other".to_owned(),
    }
}

fn names(players: &[String]) -> Vec<&str> {
    players.iter().map(String::as_str).collect()
}
