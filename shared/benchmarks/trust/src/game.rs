//! The game itself: two actions, a payoff matrix, and what has been played so far. Pure, without seats and prompts.

use serde::{Deserialize, Serialize};
use turnwise_core::prelude::*;

use super::strategy::Strategy;

choices! {
    /// One of the two actions.
    pub enum Action {
        Cooperate = "cooperate" => "COOPERATE",
        Defect = "defect" => "DEFECT",
    }
}

impl Action {
    pub fn letter(self) -> char {
        match self {
            Action::Cooperate => 'C',
            Action::Defect => 'D',
        }
    }

    /// The action of a letter.
    pub fn of_letter(letter: char) -> Option<Self> {
        match letter {
            'C' => Some(Action::Cooperate),
            'D' => Some(Action::Defect),
            _ => None,
        }
    }

    /// The verb for a player who takes it: `cooperates`, `defects`.
    pub fn verb(self) -> &'static str {
        match self {
            Action::Cooperate => "cooperates",
            Action::Defect => "defects",
        }
    }

    pub fn other(self) -> Self {
        match self {
            Action::Cooperate => Action::Defect,
            Action::Defect => Action::Cooperate,
        }
    }
}

/// What a player earns in a round, by its own action and the other's. The game is the same from both sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Payoffs {
    pub cc: i64,
    /// The player cooperates and the other defects.
    pub cd: i64,
    /// The player defects and the other cooperates.
    pub dc: i64,
    pub dd: i64,
}

impl Default for Payoffs {
    /// Specification 5.a.
    fn default() -> Self {
        Payoffs { cc: 2, cd: -1, dc: 3, dd: 0 }
    }
}

impl Payoffs {
    pub fn of(&self, own: Action, other: Action) -> i64 {
        match (own, other) {
            (Action::Cooperate, Action::Cooperate) => self.cc,
            (Action::Cooperate, Action::Defect) => self.cd,
            (Action::Defect, Action::Cooperate) => self.dc,
            (Action::Defect, Action::Defect) => self.dd,
        }
    }

    pub fn both(&self, [first, second]: [Action; 2]) -> [i64; 2] {
        [self.of(first, second), self.of(second, first)]
    }

    /// Whether it is a Prisoner's Dilemma in which taking turns does not beat cooperation.
    pub fn is_dilemma(&self) -> bool {
        self.dc > self.cc
            && self.cc > self.dd
            && self.dd > self.cd
            && 2 * self.cc > self.dc + self.cd
    }
}

/// What two players have played against each other so far.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Played {
    /// The actions of both, oldest first; always equally many.
    pub actions: [Vec<Action>; 2],
    pub totals: [i64; 2],
}

impl Played {
    /// Plays a round; both actions are known at once. What both earn in it.
    pub fn round(&mut self, payoffs: &Payoffs, actions: [Action; 2]) -> [i64; 2] {
        let earned = payoffs.both(actions);
        for place in 0..2 {
            self.actions[place].push(actions[place]);
            self.totals[place] += earned[place];
        }
        earned
    }

    /// How many rounds have been played.
    pub fn rounds(&self) -> u32 {
        saturated(self.actions[0].len())
    }

    /// What a player and the other did in the last round.
    pub fn last(&self, place: usize) -> Option<(Action, Action)> {
        Some((*self.actions[place].last()?, *self.actions[1 - place].last()?))
    }
}

/// A whole match between two rules, each with its own numbers in `[0, 1)`: the bare engine, without seats and prompts.
pub fn contest(
    strategies: [Strategy; 2],
    rounds: u32,
    payoffs: &Payoffs,
    mut chance: [impl FnMut() -> f64; 2],
) -> Played {
    let mut played = Played::default();
    for _ in 0..rounds {
        let [first, second] = &mut chance;
        let actions =
            [strategies[0].next(played.last(0), first), strategies[1].next(played.last(1), second)];
        played.round(payoffs, actions);
    }
    played
}

/// Actions as letters, oldest first: `CCD`.
pub fn letters(actions: &[Action]) -> String {
    actions.iter().map(|action| action.letter()).collect()
}

/// Actions from their letters; `None` if there is any other letter.
pub fn of_letters(letters: &str) -> Option<Vec<Action>> {
    letters.chars().map(Action::of_letter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use Action::{Cooperate, Defect};

    #[test]
    fn payoffs_are_those_of_the_specification() {
        let payoffs = Payoffs::default();
        assert_eq!(payoffs.both([Cooperate, Cooperate]), [2, 2]);
        assert_eq!(payoffs.both([Cooperate, Defect]), [-1, 3]);
        assert_eq!(payoffs.both([Defect, Cooperate]), [3, -1]);
        assert_eq!(payoffs.both([Defect, Defect]), [0, 0]);
        assert!(payoffs.is_dilemma());
        let flat = Payoffs { cc: 1, cd: 1, dc: 1, dd: 1 };
        assert!(!flat.is_dilemma());
    }

    #[test]
    fn rounds_add_up() {
        let mut played = Played::default();
        assert_eq!(played.last(0), None);
        assert_eq!(played.round(&Payoffs::default(), [Cooperate, Defect]), [-1, 3]);
        played.round(&Payoffs::default(), [Defect, Defect]);
        assert_eq!(played.totals, [-1, 3]);
        assert_eq!(played.rounds(), 2);
        assert_eq!(played.last(1), Some((Defect, Defect)));
        assert_eq!(letters(&played.actions[0]), "CD");
        assert_eq!(of_letters("DD"), Some(played.actions[1].clone()));
        assert_eq!(of_letters("CX"), None);
    }
}
