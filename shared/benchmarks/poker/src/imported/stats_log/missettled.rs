//! What the app paid wrongly, as far as the statistics prove it (ARCHITECTURE.md, rule 36; specification 4.h.1).
//!
//! The app has one pot and never returns an uncalled bet: a winner who was all-in for little takes all that the others put
//! in. A showdown has no line of its own; but if exactly one hand number is missing before a line, and all stacks were
//! reset in between, then the line's chips reveal its own winnings, and what is left of its `handWinnings` belongs to the
//! missing hand:
//!
//! `delta = handWinnings − (chips − starting stack)`
//!
//! One player lost his whole stack in that hand, so it is certain what each player had and won. A winner with a stack of S
//! can win at most S from each opponent; what was taken beyond is *overpaid*. The corrected row returns less, only what no
//! rule could have let the winner take: the largest loss came from a bet of which everything above the second largest loss
//! and above the winner's stack was not called. It is a lower bound.

use serde::Serialize;

use super::{Line, StatsLog};
use crate::imported::Amount;
use crate::stats::spread::Mean;

/// The app's starting stack (specification 4.a).
pub const STARTING_STACK: Amount = Amount::chips(10_000);

/// What was paid wrongly in some logs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MisSettled {
    pub rule: &'static str,
    /// Hands that ended in a bust and can be recovered exactly.
    pub hands: usize,
    /// Of these, hands that paid the winner more from an opponent than the winner had.
    pub overpaid_hands: usize,
    pub overpaid_chips: Amount,
    /// What the corrected row returns.
    pub returned_chips: Amount,
    /// Hands that ended in a bust and have several winners, whose shares cannot be separated; they are left alone.
    pub several_winners: usize,
    /// Per player, in seat order.
    pub players: Vec<MisSettledPlayer>,
    pub evidence: Vec<Evidence>,
}

/// A player's winnings per hand over tables, as published and corrected.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MisSettledPlayer {
    pub name: String,
    /// As the files say it.
    pub published_mean: Option<f64>,
    /// Its sample deviation over tables.
    pub published_sd: Option<f64>,
    /// With the uncalled parts returned.
    pub corrected_mean: Option<f64>,
    /// Its sample deviation over tables.
    pub corrected_sd: Option<f64>,
}

/// A hand that was paid wrongly.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Evidence {
    pub file: String,
    pub table: u32,
    /// The hand, which is missing in the file.
    pub hand: u32,
    /// The line that tells of it, from 1.
    pub line: usize,
    pub winner: String,
    /// The winner's chips before the hand: the most that could be won from one opponent.
    pub winner_stack: Amount,
    pub won: Amount,
    /// What the others lost, in seat order; only those who lost something.
    pub losses: Vec<Loss>,
    /// What the winner took beyond the own stack, over all opponents.
    pub overpaid: Amount,
    /// What the corrected row gives back to the largest loser.
    pub returned: Amount,
    /// Who gets it back; `None` if nothing was uncalled.
    pub returned_to: Option<String>,
}

/// What a player lost in a hand.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Loss {
    pub name: String,
    /// Chips before the hand.
    pub stack: Amount,
    pub lost: Amount,
    /// Of it, what the winner could not have won.
    pub beyond: Amount,
}

/// The rule, for readers of the numbers who do not have the code.
pub(super) const RULE: &str = "A hand number is missing and all stacks were reset before the next line: the missing hand's \
deltas are handWinnings - (chips - 10000). Overpaid is what the winner took from one opponent beyond the winner's own stack. \
The corrected row returns only the uncalled part to the largest loser: largest loss - max(second largest loss, winner's stack).";

/// A hand that ended in a bust, recovered.
pub(super) enum Busted {
    Won(Hand),
    Shared,
}

/// Deltas of a recovered hand, by seat.
pub(super) struct Hand {
    number: u32,
    line: usize,
    winner: usize,
    stacks: Vec<Amount>,
    deltas: Vec<Amount>,
}

impl Hand {
    fn lost(&self, seat: usize) -> Amount {
        (-self.deltas[seat]).max(Amount::ZERO)
    }

    /// What the winner took from a seat beyond the own stack.
    fn beyond(&self, seat: usize) -> Amount {
        (self.lost(seat) - self.stacks[self.winner]).max(Amount::ZERO)
    }

    /// What the winner took beyond the own stack, from everybody.
    pub(super) fn overpaid(&self) -> Amount {
        (0..self.deltas.len()).map(|seat| self.beyond(seat)).sum()
    }

    /// Who lost most, and how much of it was not called.
    fn uncalled(&self) -> (usize, Amount) {
        let mut losers: Vec<usize> = (0..self.deltas.len()).collect();
        // Sorting is stable: of equal losses the first seat's comes first, and then nothing is uncalled anyway.
        losers.sort_by_key(|seat| -self.lost(*seat));
        let (largest, second) = (losers[0], losers[1]);
        let called = self.lost(second).max(self.stacks[self.winner]);
        (largest, (self.lost(largest) - called).max(Amount::ZERO))
    }

    /// What the correction adds to each seat.
    pub(super) fn corrections(&self) -> Vec<Amount> {
        let mut corrections = vec![Amount::ZERO; self.deltas.len()];
        let (loser, uncalled) = self.uncalled();
        corrections[loser] += uncalled;
        corrections[self.winner] += -uncalled;
        corrections
    }

    pub(super) fn evidence(&self, log: &StatsLog) -> Evidence {
        let name = |seat: usize| log.last().players[seat].name.clone();
        let losers = (0..self.deltas.len()).filter(|seat| self.lost(*seat) > Amount::ZERO);
        let (loser, returned) = self.uncalled();
        Evidence {
            file: log.file.clone(),
            table: log.table,
            hand: self.number,
            line: self.line,
            winner: name(self.winner),
            winner_stack: self.stacks[self.winner],
            won: self.deltas[self.winner],
            losses: losers
                .map(|seat| Loss {
                    name: name(seat),
                    stack: self.stacks[seat],
                    lost: self.lost(seat),
                    beyond: self.beyond(seat),
                })
                .collect(),
            overpaid: self.overpaid(),
            returned,
            returned_to: (returned > Amount::ZERO).then(|| name(loser)),
        }
    }
}

/// The hands of a log that ended in a bust and can be recovered.
pub(super) fn busted(log: &StatsLog) -> Vec<Busted> {
    let before = std::iter::once(None).chain(log.accepted.iter().map(Some));
    before.zip(&log.accepted).filter_map(|(before, line)| recovered(before, line)).collect()
}

/// The one hand that is missing between two lines, if it ended in a bust.
fn recovered(before: Option<&Line>, line: &Line) -> Option<Busted> {
    let last = before.map_or(0, |before| before.hand);
    if line.hand != last + 2 {
        return None;
    }
    let stacks: Vec<Amount> = match before {
        // A player with nothing left causes a reset before the next hand.
        Some(before) if before.players.iter().all(|one| one.chips > Amount::ZERO) => {
            before.players.iter().map(|one| one.chips).collect()
        }
        _ => vec![STARTING_STACK; line.players.len()],
    };
    let deltas: Vec<Amount> =
        line.players.iter().map(|one| one.winnings - (one.chips - STARTING_STACK)).collect();
    let after: Vec<Amount> =
        stacks.iter().zip(&deltas).map(|(stack, delta)| *stack + *delta).collect();
    // Without a bust there was no reset, and the line's chips reveal nothing. A player cannot lose more than there was:
    // where the numbers say so, they are not those of a reset.
    if after.iter().min() != Some(&Amount::ZERO) {
        return None;
    }
    let winners: Vec<usize> =
        (0..deltas.len()).filter(|seat| deltas[*seat] > Amount::ZERO).collect();
    Some(match winners[..] {
        [winner] => Busted::Won(Hand { number: last + 1, line: line.line, winner, stacks, deltas }),
        _ => Busted::Shared,
    })
}

pub(super) fn player(
    name: &str,
    published: Option<Mean>,
    corrected: Option<Mean>,
) -> MisSettledPlayer {
    MisSettledPlayer {
        name: name.to_owned(),
        published_mean: published.map(|mean| mean.mean),
        published_sd: published.and_then(|mean| mean.sd),
        corrected_mean: corrected.map(|mean| mean.mean),
        corrected_sd: corrected.and_then(|mean| mean.sd),
    }
}
