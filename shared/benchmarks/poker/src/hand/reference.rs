//! The rules of the authors' program, bug for bug: the reference column of the specification (4.b). Good for replaying
//! their logs and for showing what its defects mean; not for play.

use super::rules::{
    Dealing, Decision, Next, Pockets, Rules, Settlement, check_against_a_bet, raise,
};
use super::{Hand, Legal, RaiseRange};
use crate::action::{Action, Kind, Repair, Street};
use crate::chips::{Chips, Unit};
use crate::record::{Place, PotRecord, Share};

pub(super) struct Reference;

impl Rules for Reference {
    fn unit(&self) -> Unit {
        Unit::Millionth
    }

    /// The program itself shows players no list and accepts everything; this is what it takes without correcting it.
    fn legal(&self, hand: &Hand, place: Place) -> Legal {
        let standing = &hand.standings()[place];
        let to_call = hand.to_call(place);
        let range = RaiseRange {
            min: hand.current_bet() + hand.smallest_raise(),
            max: standing.all().less(self.unit().chips(1)),
        };
        Legal {
            check: to_call.is_zero(),
            call: (!to_call.is_zero()).then(|| to_call.min(standing.stack)),
            raise: (range.min <= range.max).then_some(range),
            all_in: Some(standing.all()),
        }
    }

    fn decide(&self, hand: &Hand, place: Place, action: Action) -> Decision {
        let standing = &hand.standings()[place];
        match action.kind {
            Kind::Fold => Decision::plain(Kind::Fold, standing.bet),
            Kind::Check if !hand.to_call(place).is_zero() => check_against_a_bet(hand, place),
            Kind::Check => match action.amount {
                Some(amount) if amount > standing.bet => {
                    Decision::repaired(Kind::Check, amount, Repair::CheckBets)
                }
                _ => Decision::plain(Kind::Check, standing.bet),
            },
            Kind::Call => Decision::plain(Kind::Call, hand.current_bet()),
            Kind::Raise => raise(hand, place, action.amount),
            Kind::AllIn => Decision::plain(Kind::AllIn, standing.all()),
        }
    }

    fn label(&self, kind: Kind, after: Pockets) -> Kind {
        match (kind, after) {
            (Kind::Fold, _) | (_, Pockets::Filled) => kind,
            (_, Pockets::Empty) => Kind::AllIn,
        }
    }

    /// The order of the tests matters. The run-out is tested after every action, even if the last player who has chips
    /// still faces a bet; the deal is no action.
    fn next(&self, hand: &Hand) -> Next {
        let live = hand.live().count();
        let able = hand.live().filter(|place| !hand.is_all_in(*place)).count();
        let has_begun = !hand.actions().is_empty();
        if live > 1 && (able == 0 || able == 1 && has_begun) {
            return Next::RunOut;
        }
        if live == 1 {
            return Next::LastOneLeft;
        }
        let waits = |place: &Place| {
            let standing = &hand.standings()[*place];
            !standing.folded && !hand.is_all_in(*place)
        };
        let is_complete = hand.clockwise().filter(waits).all(|place| {
            let standing = &hand.standings()[place];
            standing.acted && standing.bet == hand.current_bet()
        });
        match hand.clockwise().find(waits) {
            Some(place) if !is_complete => Next::Ask(place),
            _ if hand.street() == Street::River => Next::Showdown,
            _ => Next::Street,
        }
    }

    /// One for each street, but in a run-out one before every card, also between those of the flop.
    fn burns(&self, dealing: Dealing, missing: usize) -> Vec<usize> {
        (0..missing).map(|card| usize::from(card == 0 || dealing == Dealing::RunOut)).collect()
    }

    /// One pot, whatever each put in, shared in whole chips; the rest disappears.
    fn settle(&self, hand: &Hand) -> Settlement {
        let eligible: Vec<Place> = hand.live().collect();
        let winners = hand.best_of(&eligible);
        let amount = hand.pot();
        let share = match eligible.len() {
            1 => amount,
            _ => {
                let chips = amount.units() / self.unit().per_chip() / winners.len() as u64;
                self.unit().chips(chips)
            }
        };
        let winners: Vec<Share> =
            winners.into_iter().map(|place| Share { place, chips: share }).collect();
        let paid: Chips = winners.iter().map(|share| share.chips).sum();
        Settlement {
            returned: None,
            lost: amount - paid,
            pots: vec![PotRecord { amount, eligible, winners }],
        }
    }
}
