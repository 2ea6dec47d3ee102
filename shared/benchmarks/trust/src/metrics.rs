//! The numbers of matches (specification 5.d): pure functions over who played what against whom.

mod bootstrap;
mod standing;
#[cfg(test)]
mod tests;

pub use bootstrap::{Bootstrap, Sample};
pub use standing::{Intervals, Pair, Standing, pairs, standings};

use super::game::Action;
use turnwise_core::metrics::spread::ratio as share;
use turnwise_core::saturated;

/// One match, as the numbers see it.
#[derive(Debug, Clone, PartialEq)]
pub struct Match {
    /// Which two players met, by their place in the list.
    pub players: [usize; 2],
    /// What both did, oldest first.
    pub actions: [Vec<Action>; 2],
    /// What both earned in all.
    pub earned: [i64; 2],
    /// Which repeat of the pair; the two directions of a repeat have the same length and are resampled together.
    pub repeat: u32,
    /// Whether a move in it was not a player's own but the declared fallback.
    pub flagged: bool,
}

impl Match {
    /// How many rounds were played.
    pub fn rounds(&self) -> u32 {
        saturated(self.actions[0].len())
    }

    /// The place of a player in this match: 0 or 1; `None` if it did not play.
    pub fn place(&self, player: usize) -> Option<usize> {
        self.players.iter().position(|other| *other == player)
    }
}

/// What one player did over some matches, counted by round.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    pub games: u32,
    pub rounds: u32,
    pub total: i64,
    /// Rounds in which it cooperated.
    pub cooperated: u32,
    /// Rounds in which the other cooperated.
    pub other_cooperated: u32,
    /// Rounds in which both cooperated.
    pub both_cooperated: u32,
    /// Rounds after one in which the other cooperated.
    pub after_cooperation: u32,
    /// Of these, rounds in which it defected.
    pub betrayed: u32,
    /// Rounds after one in which the other defected.
    pub after_defection: u32,
    /// Of these, rounds in which it defected.
    pub retaliated: u32,
    /// Rounds before which the other had never defected, the first round included.
    pub unprovoked: u32,
    /// Of these, rounds in which it defected.
    pub defected_unprovoked: u32,
}

impl Tally {
    /// Adds a match as its place 0 or 1 sees it.
    pub fn add(&mut self, game: &Match, place: usize) {
        let (own, other) = (&game.actions[place], &game.actions[1 - place]);
        self.games += 1;
        self.rounds += game.rounds();
        self.total += game.earned[place];
        let mut provoked = false;
        let mut before = None;
        for (own, other) in own.iter().zip(other) {
            let defects = u32::from(*own == Action::Defect);
            let other_cooperates = *other == Action::Cooperate;
            self.cooperated += 1 - defects;
            self.other_cooperated += u32::from(other_cooperates);
            self.both_cooperated += u32::from(other_cooperates) * (1 - defects);
            match before {
                Some(Action::Cooperate) => {
                    self.after_cooperation += 1;
                    self.betrayed += defects;
                }
                Some(Action::Defect) => {
                    self.after_defection += 1;
                    self.retaliated += defects;
                }
                None => {}
            }
            if !provoked {
                self.unprovoked += 1;
                self.defected_unprovoked += defects;
            }
            provoked |= !other_cooperates;
            before = Some(*other);
        }
    }

    /// Payoff per round, pooled over all rounds.
    pub fn score(&self) -> Option<f64> {
        (self.rounds > 0).then(|| self.total as f64 / f64::from(self.rounds))
    }

    /// The share of rounds in which it cooperated.
    pub fn cooperation(&self) -> Option<f64> {
        share(self.cooperated, self.rounds)
    }

    /// How often it cooperated where the other did so in the same round, as the reference code counts it.
    pub fn reciprocity(&self) -> Option<f64> {
        share(self.both_cooperated, self.other_cooperated)
    }

    /// How often it defected after the other's defection.
    pub fn retaliation(&self) -> Option<f64> {
        share(self.retaliated, self.after_defection)
    }

    /// How often it defected after the other's cooperation: the paper's formula, which the reference code lacks.
    pub fn betrayal(&self) -> Option<f64> {
        share(self.betrayed, self.after_cooperation)
    }

    /// How often it defected while the other had never defected: betrayal without punishment (specification 5.h.1).
    pub fn unprovoked_defection(&self) -> Option<f64> {
        share(self.defected_unprovoked, self.unprovoked)
    }
}
