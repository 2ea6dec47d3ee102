//! The numbers of the Trust Game (specification 5.d), from transcripts and summaries only.

pub mod record;
mod shown;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::game::{Action, letters, of_letters};
use super::lineup::Participant;
use super::metrics::{Bootstrap, Intervals, Match, Pair, Standing, Tally, pairs, standings};
use super::protocol::noted;
use super::seeds;
use super::settings::Settings;
use super::tasks::label;
use turnwise_core::metrics::paired::Sample;
use turnwise_core::metrics::replies;
use turnwise_core::prelude::*;
use turnwise_core::python::float;

/// What the numbers need of one match.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Numbers {
    /// What both places did, as letters.
    pub actions: [String; 2],
    pub earned: [i64; 2],
    /// Moves that were the declared fallback.
    pub fallbacks: u32,
}

/// A round's event, as far as it is counted.
#[derive(Deserialize)]
struct Round {
    actions: [Action; 2],
    forced: [bool; 2],
    payoffs: [i64; 2],
}

/// Measures one match. It has no score between 0 and 1: what a player earned says nothing without its opponent.
pub fn measure(play: &Transcript) -> Measured {
    let mut numbers = Numbers::default();
    for round in play.noted::<Round>(noted::ROUND) {
        for place in 0..2 {
            numbers.actions[place].push(round.actions[place].letter());
            numbers.earned[place] += round.payoffs[place];
            numbers.fallbacks += u32::from(round.forced[place]);
        }
    }
    let complete = play.outcome().is_some_and(|outcome| outcome.is_complete());
    let [one, other] = numbers.earned;
    Measured::of(None, complete.then(|| format!("{one} : {other}")), &numbers)
}

/// The numbers of a run. Incomplete matches are left out and counted.
pub fn report(spec: &Spec, episodes: &[&Summary]) -> Report {
    match Run::of(spec, episodes) {
        Ok(run) => {
            let mut report = run.report();
            report.tables.extend(replies::table(episodes));
            report.record["faults_by_seat"] = replies::record(episodes);
            report
        }
        Err(bad) => Report {
            remarks: vec![format!("The lineup or the settings cannot be read: {bad}.")],
            ..Report::default()
        },
    }
}

/// What is compared of a match: what each of the two earned in a round. Matches are the same if the same seats meet equally
/// often, from the same side and for the same number of rounds; lengths are drawn by the repeat.
pub fn sample(summary: &Summary) -> Option<Sample> {
    let labels = &summary.task.labels;
    let numbers: Numbers = summary.measured.numbers.read().ok()?;
    let rounds = numbers.actions[0].chars().count();
    if !summary.complete || rounds == 0 {
        return None;
    }
    let earned = label::PLACES.iter().zip(numbers.earned);
    let numbers = earned.map(|(place, earned)| {
        let seat = labels.get(*place)?;
        Some((Seat::new(seat.as_str()), earned as f64 / rounds as f64))
    });
    Some(Sample {
        task: format!("{} of {rounds} rounds", summary.task.id),
        cluster: format!("{} {}", labels.get(label::DELTA)?, labels.get(label::REPEAT)?),
        numbers: numbers.collect::<Option<_>>()?,
    })
}

/// Everything that a report is made from.
struct Run<'a> {
    spec: &'a Spec,
    settings: Settings,
    players: Vec<Participant>,
    /// Over all values of δ.
    whole: MatchGroup,
    /// By δ, in the order of the settings; only where something was played.
    sweep: Vec<(f64, MatchGroup)>,
    incomplete: usize,
    flagged: usize,
    fallbacks: u32,
}

/// The matches of one δ or of all.
struct MatchGroup {
    games: Vec<Match>,
    standings: Vec<Standing>,
    pairs: Vec<Pair>,
}

impl<'a> Run<'a> {
    fn of(spec: &'a Spec, episodes: &[&Summary]) -> Result<Self, BadSpec> {
        let (settings, players) = Settings::of(spec)?;
        let mut played: Vec<(usize, Match)> = Vec::new();
        let (mut incomplete, mut fallbacks) = (0, 0);
        for summary in episodes {
            let found = summary.complete.then(|| game(summary, &settings, &players)).flatten();
            match found {
                Some((delta, game, forced)) => {
                    fallbacks += forced;
                    played.push((delta, game));
                }
                None => incomplete += 1,
            }
        }
        // The order of the plan, whatever the order in which matches ended.
        played.sort_by_key(|(delta, game)| {
            let [first, second] = game.players;
            let pair = [first.min(second), first.max(second)];
            (*delta, pair, game.repeat, first > second)
        });
        let classes: Vec<String> = players.iter().map(|player| player.class.clone()).collect();
        let part = |games: Vec<Match>, seed: u64, by_match: bool| {
            let intervals = match by_match {
                true => Intervals::ByMatch(seed),
                false => Intervals::ByRepeat(seed),
            };
            MatchGroup {
                standings: standings(&games, &classes, intervals, Bootstrap::default()),
                pairs: pairs(&games),
                games,
            }
        };
        let reference = spec.profile == Profile::Reference;
        let sweep: Vec<(f64, MatchGroup)> = settings
            .delta
            .0
            .iter()
            .enumerate()
            .filter_map(|(position, delta)| {
                let games: Vec<Match> = played
                    .iter()
                    .filter(|(at, _)| *at == position)
                    .map(|(_, game)| game.clone())
                    .collect();
                let seed = seeds::intervals(spec.seed, *delta);
                (!games.is_empty()).then(|| (*delta, part(games, seed, reference)))
            })
            .collect();
        let all: Vec<Match> = played.into_iter().map(|(_, game)| game).collect();
        let whole = match settings.delta.0.as_slice() {
            [delta] => part(all, seeds::intervals(spec.seed, *delta), reference),
            // The reference code has no interval over several values of δ: this is ours.
            _ => {
                let seed = seeds::hash(&["turnwise sweep", &spec.seed.to_string()]);
                part(all, seed, false)
            }
        };
        Ok(Run {
            flagged: whole.games.iter().filter(|game| game.flagged).count(),
            spec,
            settings,
            players,
            whole,
            sweep,
            incomplete,
            fallbacks,
        })
    }

    fn record(&self) -> Value {
        let sweep: Vec<Value> = self
            .sweep
            .iter()
            .map(|(delta, part)| {
                json!({
                    "delta": delta,
                    "games": part.games.len(),
                    "rounds": part.games.iter().map(|game| u64::from(game.rounds())).sum::<u64>(),
                    "players": self.player_records(part),
                })
            })
            .collect();
        let names: Vec<&str> = self.names().collect();
        let mut all = Tally::default();
        for game in &self.whole.games {
            all.add(game, 0);
            all.add(game, 1);
        }
        let games = self.whole.games.len();
        json!({
            "n": games,
            "rounds_per_match": (games > 0).then(|| f64::from(all.rounds) / 2.0 / games as f64),
            "all": { "cooperation": all.cooperation(), "score": all.score() },
            "incomplete": self.incomplete,
            "flagged": self.flagged,
            "fallbacks": self.fallbacks,
            "rankable": self.incomplete == 0 && !self.whole.games.is_empty(),
            "delta": self.settings.delta.0,
            "cap": self.settings.cap,
            "repeats": self.settings.repeats,
            "payoffs": self.settings.payoffs,
            "players": self.player_records(&self.whole),
            "pairs": record::pairs(&self.whole.pairs, &names),
            "sweep": sweep,
        })
    }

    fn player_records(&self, part: &MatchGroup) -> Vec<Value> {
        self.players
            .iter()
            .zip(&part.standings)
            .map(|(player, standing)| {
                let mut record = record::player(&player.name, &player.class, standing);
                record["seat"] = json!(player.seat);
                record["who"] = json!(player.player);
                record
            })
            .collect()
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.players.iter().map(|player| player.name.as_str())
    }
}

/// A summary as a match, with the position of its δ and how many moves were the fallback; `None` if it is not a match of
/// this run.
fn game(
    summary: &Summary,
    settings: &Settings,
    players: &[Participant],
) -> Option<(usize, Match, u32)> {
    let labels = &summary.task.labels;
    let numbers: Numbers = summary.measured.numbers.read().ok()?;
    let delta = labels.get(label::DELTA)?;
    let player = |place: usize| {
        let seat = labels.get(label::PLACES[place])?;
        players.iter().position(|player| player.seat.as_str() == seat)
    };
    let actions = [of_letters(&numbers.actions[0])?, of_letters(&numbers.actions[1])?];
    let game = Match {
        players: [player(0)?, player(1)?],
        actions,
        earned: numbers.earned,
        repeat: labels.get(label::REPEAT)?.parse().ok()?,
        flagged: numbers.fallbacks > 0,
    };
    let position = settings.delta.0.iter().position(|known| float(*known) == *delta)?;
    Some((position, game, numbers.fallbacks))
}

impl Numbers {
    /// The numbers of a match that was played elsewhere.
    pub fn of(game: &Match) -> Self {
        Numbers {
            actions: [letters(&game.actions[0]), letters(&game.actions[1])],
            earned: game.earned,
            fallbacks: u32::from(game.flagged),
        }
    }
}
