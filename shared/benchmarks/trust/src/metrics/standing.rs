//! How every player stands after some matches, and how every pair got on.

use std::collections::BTreeMap;

use super::{Bootstrap, Match, Sample, Tally};
use crate::seeds::Twister;

/// The numbers of one player.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Standing {
    pub all: Tally,
    /// Over matches without a fallback.
    pub clean: Tally,
    /// The 95 % interval of the payoff per round.
    pub interval: Option<(f64, f64)>,
    /// The payoff per round, taken match by match and then averaged: long matches count no more than short ones.
    pub mean_by_match: Option<f64>,
    /// Against every class of opponents.
    pub by_class: BTreeMap<String, Tally>,
}

/// What is resampled for the intervals, and from which numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Intervals {
    /// As the reference code: match by match in their order, one generator of this seed for all players in theirs.
    ByMatch(u64),
    /// Ours: the directions of a repeat of a pair together, because they share their length; a generator of its own for
    /// each player, so that no player's interval depends on what happened in matches of others. A single repeat does not
    /// vary, so a player with only one has no interval, where the reference code prints one without width.
    ByRepeat(u64),
}

/// How every player stands. `classes` names what each player is to the others, and says how many there are.
pub fn standings(
    games: &[Match],
    classes: &[String],
    intervals: Intervals,
    bootstrap: Bootstrap,
) -> Vec<Standing> {
    let mut shared = match intervals {
        Intervals::ByMatch(seed) => Some(Twister::seeded(seed)),
        Intervals::ByRepeat(_) => None,
    };
    (0..classes.len())
        .map(|player| {
            let mut standing = standing(games, classes, player);
            let samples = match intervals {
                Intervals::ByMatch(_) => by_match(games, player),
                Intervals::ByRepeat(_) => by_repeat(games, player),
            };
            standing.interval = match (&mut shared, intervals) {
                (Some(chance), _) => bootstrap.interval(&samples, chance),
                (None, _) if samples.len() < 2 => None,
                (None, Intervals::ByMatch(seed) | Intervals::ByRepeat(seed)) => {
                    let own = seed.wrapping_add(player as u64);
                    bootstrap.interval(&samples, &mut Twister::seeded(own))
                }
            };
            standing
        })
        .collect()
}

fn standing(games: &[Match], classes: &[String], player: usize) -> Standing {
    let mut standing = Standing::default();
    let (mut sum, mut count) = (0.0, 0.0);
    for game in games {
        let Some(place) = game.place(player) else {
            continue;
        };
        standing.all.add(game, place);
        if !game.flagged {
            standing.clean.add(game, place);
        }
        if game.rounds() > 0 {
            sum += game.earned[place] as f64 / f64::from(game.rounds());
            count += 1.0;
        }
        if let Some(class) = classes.get(game.players[1 - place]) {
            standing.by_class.entry(class.clone()).or_default().add(game, place);
        }
    }
    standing.mean_by_match = (count > 0.0).then(|| sum / count);
    standing
}

fn by_match(games: &[Match], player: usize) -> Vec<Sample> {
    games.iter().filter_map(|game| Some(sample(game, game.place(player)?))).collect()
}

fn by_repeat(games: &[Match], player: usize) -> Vec<Sample> {
    let mut units: BTreeMap<(usize, u32), Sample> = BTreeMap::new();
    for game in games {
        let Some(place) = game.place(player) else {
            continue;
        };
        let unit = units.entry((game.players[1 - place], game.repeat)).or_default();
        let sample = sample(game, place);
        unit.earned += sample.earned;
        unit.rounds += sample.rounds;
    }
    units.into_values().collect()
}

fn sample(game: &Match, place: usize) -> Sample {
    Sample { earned: game.earned[place], rounds: game.rounds() }
}

/// How a pair of players got on.
#[derive(Debug, Clone, PartialEq)]
pub struct Pair {
    /// Who, by their places in the list, the earlier one first.
    pub players: [usize; 2],
    pub tallies: [Tally; 2],
}

/// Every pair that met, in the order of the list.
pub fn pairs(games: &[Match]) -> Vec<Pair> {
    let mut pairs: BTreeMap<[usize; 2], [Tally; 2]> = BTreeMap::new();
    for game in games {
        let mut players = game.players;
        players.sort_unstable();
        let tallies = pairs.entry(players).or_default();
        for (player, tally) in players.into_iter().zip(tallies) {
            if let Some(place) = game.place(player) {
                tally.add(game, place);
            }
        }
    }
    pairs.into_iter().map(|(players, tallies)| Pair { players, tallies }).collect()
}
