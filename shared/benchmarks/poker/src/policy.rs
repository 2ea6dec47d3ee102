//! Stacks between hands: who is dealt in with how much, where the button is, and when a table is over (specification
//! 4.b.2).

use super::chips::Chips;
use turnwise_core::prelude::*;

choices! {
    /// What happens to stacks before the next hand.
    #[derive(Default)]
    pub enum Policy {
        /// Everybody begins every hand with the opening stack: hands are independent.
        #[default]
        ResetEveryHand = "reset-every-hand" => "everybody starts every hand afresh",
        /// As soon as one player has nothing left, all get the opening stack again.
        ResetAllOnBust = "reset-all-on-bust" => "all start afresh once one has nothing",
        /// Who has nothing left gets the opening stack again.
        RebuyBusted = "rebuy-busted" => "whoever has nothing buys in again",
        /// Who has nothing left is out; the table is over when one is left.
        Freezeout = "freezeout" => "nobody buys in; the last one wins",
    }
}

/// The stacks of a table between its hands. Places here are those of the *table*; they never change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    profile: Profile,
    policy: Policy,
    opening: Chips,
    stacks: Vec<Chips>,
    /// The number of the last hand, from 1 in each game.
    hand: u32,
    game: u32,
    button: usize,
}

/// How the next hand begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deal {
    /// Its number, from 1.
    pub hand: u32,
    /// The number of the game, from 1. Only `reference` begins a second one: when one player has all chips.
    pub game: u32,
    /// Who is dealt in: places of the table, clockwise. Place `i` of the hand is `dealt_in[i]` of the table.
    pub dealt_in: Vec<usize>,
    /// The button, as a place of the *hand*.
    pub button: usize,
    /// The stacks, one for each place of the hand.
    pub stacks: Vec<Chips>,
    /// Places of the table that got the opening stack again since the last hand, where that was no matter of course: all of
    /// them after a bust under `reset-all-on-bust`, the busted under `rebuy-busted`.
    pub renewed: Vec<usize>,
}

impl Table {
    /// A table where nothing has been played.
    pub fn new(profile: Profile, policy: Policy, places: usize, opening: Chips) -> Self {
        Table {
            profile,
            policy,
            opening,
            stacks: vec![opening; places],
            hand: 0,
            game: 1,
            button: 0,
        }
    }

    /// The same table before its hand number `hand`, from 1, with everybody's opening stack: where hands are independent, any
    /// of them can be played alone.
    #[must_use]
    pub fn before_hand(mut self, hand: u32) -> Self {
        self.hand = hand.saturating_sub(1);
        self.button = self.hand.saturating_sub(1) as usize % self.stacks.len();
        self
    }

    /// The stacks now, one for each place of the table.
    pub fn stacks(&self) -> &[Chips] {
        &self.stacks
    }

    /// How many hands were dealt; under `reference` since the last new game.
    pub fn hands(&self) -> u32 {
        self.hand
    }

    /// Is there no opponent left to play against? Only `freezeout` ends a table.
    pub fn is_over(&self) -> bool {
        self.policy == Policy::Freezeout && self.with_chips().count() < 2
    }

    /// Makes the next hand, and gives out stacks as the policy says; `None` if the table is over.
    ///
    /// The button begins at place 0 and goes to the next place with chips. Under `reference` it goes by the number of the
    /// hand, and everything begins anew when one player has all chips.
    pub fn deal(&mut self) -> Option<Deal> {
        if self.is_over() {
            return None;
        }
        if self.profile == Profile::Reference && self.hand > 0 && self.with_chips().count() < 2 {
            self.game += 1;
            self.hand = 0;
        }
        let busted: Vec<usize> =
            self.places().filter(|place| self.stacks[*place].is_zero()).collect();
        let renewed = match self.policy {
            Policy::ResetAllOnBust if !busted.is_empty() => self.places().collect(),
            Policy::RebuyBusted => busted,
            _ => Vec::new(),
        };
        if self.policy == Policy::ResetEveryHand {
            self.stacks.fill(self.opening);
        }
        for place in &renewed {
            self.stacks[*place] = self.opening;
        }
        let dealt_in: Vec<usize> = self.with_chips().collect();
        self.button = match (self.profile, self.hand) {
            (_, 0) => dealt_in[0],
            (Profile::Strict, _) => {
                *dealt_in.iter().find(|place| **place > self.button).unwrap_or(&dealt_in[0])
            }
            (Profile::Reference, played) => dealt_in[played as usize % dealt_in.len()],
        };
        self.hand += 1;
        Some(Deal {
            hand: self.hand,
            game: self.game,
            button: dealt_in
                .iter()
                .position(|place| *place == self.button)
                .expect("the button goes to somebody who is dealt in"),
            stacks: dealt_in.iter().map(|place| self.stacks[*place]).collect(),
            dealt_in,
            renewed,
        })
    }

    /// Takes over the stacks at the end of a hand, one for each place of the hand.
    pub fn settle(&mut self, deal: &Deal, stacks: &[Chips]) {
        for (place, stack) in deal.dealt_in.iter().zip(stacks) {
            self.stacks[*place] = *stack;
        }
    }

    fn places(&self) -> impl Iterator<Item = usize> + use<> {
        0..self.stacks.len()
    }

    fn with_chips(&self) -> impl Iterator<Item = usize> {
        self.places().filter(|place| !self.stacks[*place].is_zero())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chips(amounts: &[u64]) -> Vec<Chips> {
        amounts.iter().map(|amount| Chips::new(*amount)).collect()
    }

    /// A table of three with stacks of 100, and its first hand ended with these.
    fn after(profile: Profile, policy: Policy, stacks: &[u64]) -> Table {
        let mut table = Table::new(profile, policy, stacks.len(), Chips::new(100));
        let deal = table.deal().expect("it goes on");
        assert_eq!((deal.hand, deal.button), (1, 0));
        assert_eq!(deal.stacks, vec![Chips::new(100); stacks.len()]);
        table.settle(&deal, &chips(stacks));
        table
    }

    #[test]
    fn policies() {
        for (policy, stacks, renewed) in [
            (Policy::ResetEveryHand, [100, 100, 100], &[][..]),
            (Policy::ResetAllOnBust, [100, 100, 100], &[0, 1, 2]),
            (Policy::RebuyBusted, [250, 100, 50], &[1]),
        ] {
            let deal = after(Profile::Strict, policy, &[250, 0, 50]).deal().expect("it goes on");
            assert_eq!(deal.stacks, chips(&stacks), "{policy}");
            assert_eq!(deal.renewed, renewed, "{policy}");
            assert_eq!((deal.hand, deal.button), (2, 1), "{policy}");
        }
        let deal = after(Profile::Strict, Policy::ResetAllOnBust, &[150, 50, 100])
            .deal()
            .expect("it goes on");
        assert_eq!(deal.stacks, chips(&[150, 50, 100]));
        assert!(deal.renewed.is_empty());
    }

    #[test]
    fn a_freezeout_goes_on_with_those_who_have_chips_until_one_is_left() {
        let mut table = after(Profile::Strict, Policy::Freezeout, &[250, 0, 50]);
        let deal = table.deal().expect("it goes on");
        assert_eq!(deal.dealt_in, [0, 2]);
        assert_eq!((deal.button, deal.stacks.clone()), (1, chips(&[250, 50])));
        table.settle(&deal, &chips(&[240, 60]));
        let deal = table.deal().expect("it goes on");
        assert_eq!(deal.button, 0);
        table.settle(&deal, &chips(&[300, 0]));
        assert!(table.is_over());
        assert_eq!(table.deal(), None);
        assert_eq!(table.stacks(), chips(&[300, 0, 0]));
        assert_eq!(table.hands(), 3);
    }

    #[test]
    fn under_reference_the_button_goes_by_the_hand_and_a_new_game_may_begin() {
        let mut table = after(Profile::Reference, Policy::ResetAllOnBust, &[250, 0, 50]);
        let deal = table.deal().expect("it goes on");
        assert_eq!((deal.game, deal.hand, deal.button), (1, 2, 1));
        table.settle(&deal, &chips(&[300, 0, 0]));
        let deal = table.deal().expect("it goes on");
        assert_eq!((deal.game, deal.hand, deal.button), (2, 1, 0));
        assert_eq!(deal.stacks, chips(&[100; 3]));
    }
}
