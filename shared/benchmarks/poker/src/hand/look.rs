//! What can be seen of a hand while it is played.

use super::{Hand, Legal, Phase, Standing, rules};
use crate::action::{Kind, Street};
use crate::card::{Card, Deck};
use crate::chips::{Chips, Unit};
use crate::rank::{CardSet, Strength};
use crate::record::{ActionRecord, HandRecord, Place};

impl Hand {
    /// The place that is to act; none once the hand is over.
    pub fn to_act(&self) -> Option<Place> {
        match self.phase {
            Phase::Asking(place) => Some(place),
            Phase::Over => None,
        }
    }

    /// Has the hand been paid?
    pub fn is_over(&self) -> bool {
        self.phase == Phase::Over
    }

    /// What the player who is to act may do; none once the hand is over.
    pub fn legal(&self) -> Option<Legal> {
        let place = self.to_act()?;
        Some(rules::of(self.record.profile).legal(self, place))
    }

    /// The hand so far, with everybody's cards. Pots, stacks and deltas are there once it is over.
    pub fn record(&self) -> &HandRecord {
        &self.record
    }

    /// The record of a hand that will not be played on.
    pub fn into_record(self) -> HandRecord {
        self.record
    }

    pub fn standings(&self) -> &[Standing] {
        &self.standings
    }

    /// The street that is being played, or was when the hand ended.
    pub fn street(&self) -> Street {
        self.street
    }

    pub fn board(&self) -> &[Card] {
        &self.record.board
    }

    /// The hole cards of a place.
    pub fn hole(&self, place: Place) -> [Card; 2] {
        self.record.places[place].hole
    }

    /// The place with the button.
    pub fn button(&self) -> Place {
        self.record.button
    }

    pub fn unit(&self) -> Unit {
        self.record.unit
    }

    /// All chips that were put in during this hand, this street included.
    pub fn pot(&self) -> Chips {
        self.standings.iter().map(|standing| standing.total).sum()
    }

    /// The largest bet of this street. Before the flop at least the big blind, also if it was posted short.
    pub fn current_bet(&self) -> Chips {
        self.current_bet
    }

    /// By how much a raise must lift the current bet at least.
    pub fn smallest_raise(&self) -> Chips {
        self.smallest_raise
    }

    /// The current bet less what the place has put in on this street; may be more than it has.
    pub fn to_call(&self, place: Place) -> Chips {
        self.current_bet.less(self.standings[place].bet)
    }

    /// Everybody who has not folded, in the order of places.
    pub fn live(&self) -> impl Iterator<Item = Place> {
        (0..self.standings.len()).filter(|place| !self.standings[*place].folded)
    }

    /// Has the place put in every chip that it had, and not folded?
    pub fn is_all_in(&self, place: Place) -> bool {
        let standing = &self.standings[place];
        !standing.folded && standing.total == self.record.places[place].opening
    }

    pub fn actions(&self) -> &[ActionRecord] {
        &self.record.actions
    }

    /// The deck. It holds cards that no player may see.
    pub fn deck(&self) -> &Deck {
        &self.deck
    }

    /// All places, beginning with the one from which the next to act is looked for.
    pub(super) fn clockwise(&self) -> impl Iterator<Item = Place> {
        let places = self.standings.len();
        (0..places).map(move |step| (self.from + step) % places)
    }

    /// Those with the best hand; who is alone needs none.
    pub(super) fn best_of(&self, places: &[Place]) -> Vec<Place> {
        if places.len() < 2 {
            return places.to_vec();
        }
        let board: CardSet = self.record.board.iter().copied().collect();
        let strengths: Vec<Strength> = places
            .iter()
            .map(|place| {
                let [first, second] = self.hole(*place);
                board.with(first).with(second).strength()
            })
            .collect();
        let best = strengths.iter().max();
        places
            .iter()
            .zip(&strengths)
            .filter(|(_, strength)| Some(*strength) == best)
            .map(|(place, _)| *place)
            .collect()
    }
}

impl Standing {
    /// The total for this street if everything goes in.
    pub fn all(&self) -> Chips {
        self.bet + self.stack
    }
}

impl Legal {
    /// The legal kinds of action, folding first.
    pub fn kinds(&self) -> Vec<Kind> {
        let mut kinds = vec![Kind::Fold];
        if self.check {
            kinds.push(Kind::Check);
        }
        if self.call.is_some() {
            kinds.push(Kind::Call);
        }
        if self.raise.is_some() {
            kinds.push(Kind::Raise);
        }
        if self.all_in.is_some() {
            kinds.push(Kind::AllIn);
        }
        kinds
    }
}
