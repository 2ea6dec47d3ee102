//! What the others put into a pot, cut at the levels at which the rules cut it.

use turnwise_shared::benchmarks::poker::imported::Amount;
use turnwise_shared::benchmarks::poker::imported::stats_log::Evidence;

/// A pot of which the winner had too little to win all.
#[derive(Debug, Clone, PartialEq)]
pub struct Pot {
    /// Who won.
    pub winner: String,
    /// The winner's chips before the hand: the most that can be won from one opponent.
    pub stack: Amount,
    /// What the others put in.
    pub others: Vec<Put>,
}

/// What an opponent of the winner put in, in three parts.
#[derive(Debug, Clone, PartialEq)]
pub struct Put {
    /// Who.
    pub name: String,
    /// Up to the winner's stack: the winner's to win.
    pub main: Amount,
    /// Above it, and called by another: a side pot among the others.
    pub side: Amount,
    /// Called by nobody: it goes back.
    pub back: Amount,
}

impl Put {
    /// All of it.
    pub fn all(&self) -> Amount {
        self.main + self.side + self.back
    }
}

impl Pot {
    /// A pot from what each of the others put in.
    pub fn new(winner: &str, stack: Amount, others: &[(&str, Amount)]) -> Self {
        let mut sizes: Vec<Amount> = others.iter().map(|(_, put)| *put).collect();
        sizes.sort();
        let second = sizes.iter().rev().nth(1).copied().unwrap_or_default();
        let called = second.max(stack);
        Pot {
            winner: winner.to_owned(),
            stack,
            others: others
                .iter()
                .map(|(name, put)| {
                    let main = (*put).min(stack);
                    let back = (*put - called).max(Amount::ZERO);
                    Put { name: (*name).to_owned(), main, side: *put - main - back, back }
                })
                .collect(),
        }
    }

    /// The pot of a hand from a log.
    pub fn of(hand: &Evidence) -> Self {
        let others: Vec<(&str, Amount)> =
            hand.losses.iter().map(|loss| (loss.name.as_str(), loss.lost)).collect();
        Pot::new(&hand.winner, hand.winner_stack, &others)
    }

    /// What the app let the winner win: everything.
    pub fn paid(&self) -> Amount {
        self.others.iter().map(Put::all).sum()
    }

    /// What the winner may win.
    pub fn main(&self) -> Amount {
        self.others.iter().map(|put| put.main).sum()
    }

    /// What is between the others.
    pub fn side(&self) -> Amount {
        self.others.iter().map(|put| put.side).sum()
    }

    /// What nobody called, and whose it is.
    pub fn back(&self) -> Option<(&str, Amount)> {
        let put = self.others.iter().find(|put| put.back > Amount::ZERO)?;
        Some((&put.name, put.back))
    }

    /// The most that anybody put in or had; the length of the longest bar.
    pub fn longest(&self) -> Amount {
        let puts = self.others.iter().map(Put::all);
        puts.fold(self.stack, Amount::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chips(number: i64) -> Amount {
        Amount::chips(number)
    }

    fn parts(put: &Put) -> [Amount; 3] {
        [put.main, put.side, put.back]
    }

    #[test]
    fn a_pot_is_cut_where_the_rules_cut_it() {
        let pot = Pot::new("B", chips(4_000), &[("A", chips(9_000)), ("C", chips(10_000))]);
        assert_eq!(parts(&pot.others[0]), [chips(4_000), chips(5_000), chips(0)]);
        assert_eq!(parts(&pot.others[1]), [chips(4_000), chips(5_000), chips(1_000)]);
        assert_eq!(pot.paid(), chips(19_000));
        assert_eq!((pot.main(), pot.side()), (chips(8_000), chips(10_000)));
        assert_eq!(pot.back(), Some(("C", chips(1_000))));
        assert_eq!(pot.longest(), chips(10_000));
    }

    #[test]
    fn against_one_opponent_there_is_no_side_pot() {
        let pot = Pot::new("B", chips(300), &[("A", chips(2_000)), ("C", chips(100))]);
        assert_eq!(parts(&pot.others[0]), [chips(300), chips(0), chips(1_700)]);
        assert_eq!(parts(&pot.others[1]), [chips(100), chips(0), chips(0)]);
        let equal = Pot::new("B", chips(300), &[("A", chips(900)), ("C", chips(900))]);
        assert_eq!((equal.side(), equal.back()), (chips(1_200), None));
    }
}
