//! The rules of no-limit hold'em: the standard column of the specification (4.b), with what is settled beside it
//! (ARCHITECTURE.md, rule 33).

use super::rules::{
    Dealing, Decision, Next, Pockets, Rules, Settlement, check_against_a_bet, raise,
};
use super::{Hand, Legal, RaiseRange};
use crate::action::{Action, Kind, Repair, Street};
use crate::chips::{Chips, Unit};
use crate::pots;
use crate::record::{Place, PotRecord};

pub(super) struct Strict;

impl Rules for Strict {
    fn unit(&self) -> Unit {
        Unit::Chip
    }

    fn legal(&self, hand: &Hand, place: Place) -> Legal {
        let standing = &hand.standings()[place];
        let to_call = hand.to_call(place);
        let all = standing.all();
        let may_raise = may_raise(hand, place);
        let range = RaiseRange {
            min: hand.current_bet() + hand.smallest_raise(),
            max: all.less(Chips::new(1)),
        };
        Legal {
            check: to_call.is_zero(),
            call: (!to_call.is_zero()).then(|| to_call.min(standing.stack)),
            raise: (may_raise && range.min <= range.max).then_some(range),
            all_in: (may_raise || all <= hand.current_bet()).then_some(all),
        }
    }

    fn decide(&self, hand: &Hand, place: Place, action: Action) -> Decision {
        let standing = &hand.standings()[place];
        let is_free = hand.to_call(place).is_zero();
        // Where the player may not raise: what is asked for becomes a call, or a check if there is nothing to call.
        let no_raise = |calls: Repair, checks: Repair| {
            if is_free {
                Decision::repaired(Kind::Check, standing.bet, checks)
            } else {
                Decision::repaired(Kind::Call, hand.current_bet(), calls)
            }
        };
        match action.kind {
            Kind::Fold => Decision::plain(Kind::Fold, standing.bet),
            Kind::Check if is_free => Decision::plain(Kind::Check, standing.bet),
            Kind::Check => check_against_a_bet(hand, place),
            Kind::Call if is_free => {
                Decision::repaired(Kind::Check, standing.bet, Repair::CallChecks)
            }
            Kind::Call => Decision::plain(Kind::Call, hand.current_bet()),
            Kind::Raise if !may_raise(hand, place) => {
                no_raise(Repair::RaiseCalls, Repair::RaiseChecks)
            }
            Kind::Raise => raise(hand, place, action.amount),
            Kind::AllIn if standing.all() <= hand.current_bet() || may_raise(hand, place) => {
                Decision::plain(Kind::AllIn, standing.all())
            }
            Kind::AllIn => no_raise(Repair::AllInCalls, Repair::AllInChecks),
        }
    }

    fn label(&self, kind: Kind, _after: Pockets) -> Kind {
        kind
    }

    fn next(&self, hand: &Hand) -> Next {
        if hand.live().count() == 1 {
            return Next::LastOneLeft;
        }
        if let Some(place) = hand.clockwise().find(|place| must_act(hand, *place)) {
            return Next::Ask(place);
        }
        let able = hand.live().filter(|place| !hand.is_all_in(*place)).count();
        match (able, hand.street()) {
            (0 | 1, _) => Next::RunOut,
            (_, Street::River) => Next::Showdown,
            _ => Next::Street,
        }
    }

    /// One for each street, run-out or not.
    fn burns(&self, _dealing: Dealing, missing: usize) -> Vec<usize> {
        (0..missing).map(|card| usize::from(card == 0)).collect()
    }

    fn settle(&self, hand: &Hand) -> Settlement {
        let mut totals: Vec<Chips> = hand.standings().iter().map(|s| s.total).collect();
        let live: Vec<bool> = hand.standings().iter().map(|s| !s.folded).collect();
        let returned = pots::uncalled(&totals, &live);
        if let Some(back) = returned {
            totals[back.place] -= back.chips;
        }
        let pots = pots::layers(&totals, &live)
            .into_iter()
            .map(|layer| {
                let winners = hand.best_of(&layer.eligible);
                let places = hand.standings().len();
                PotRecord {
                    amount: layer.amount,
                    winners: pots::shares(layer.amount, &winners, hand.button(), places),
                    eligible: layer.eligible,
                }
            })
            .collect();
        Settlement { returned, pots, lost: Chips::ZERO }
    }
}

/// May the player raise? Another player must be able to put in more than the current bet; and a player who has acted on
/// this street may raise again only if the bet has risen by a full raise since, in one step or in several.
fn may_raise(hand: &Hand, place: Place) -> bool {
    let current = hand.current_bet();
    let standing = &hand.standings()[place];
    let somebody_can_answer = hand.live().any(|other| {
        other != place && !hand.is_all_in(other) && hand.standings()[other].all() > current
    });
    let is_open = !standing.acted || hand.to_call(place) >= hand.smallest_raise();
    standing.all() > current && somebody_can_answer && is_open
}

/// Is the player still to be asked on this street? A player who covers all live bets, with no opponent left to bet
/// against, is not.
fn must_act(hand: &Hand, place: Place) -> bool {
    let standing = &hand.standings()[place];
    if standing.folded || hand.is_all_in(place) {
        return false;
    }
    let others = || hand.live().filter(move |other| *other != place);
    if others().any(|other| !hand.is_all_in(other)) {
        !standing.acted || standing.bet < hand.current_bet()
    } else {
        others().any(|other| hand.standings()[other].bet > standing.bet)
    }
}
