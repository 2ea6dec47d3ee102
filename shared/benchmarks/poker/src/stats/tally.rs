//! What one participant did, counted over hands. The definitions of specification 4.d stand with each counter; everything
//! else in the module is a quotient of these.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use super::chart;
use crate::action::{Kind, Street};
use crate::record::{ActionRecord, HandRecord, Place};
use crate::table::position;
use turnwise_core::metrics::spread::ratio;

/// Counts that add up over hands; those of nothing are left out of files.
macro_rules! counts {
    ($(#[$meta:meta])* pub struct $Counts:ident { $($(#[$doc:meta])* $count:ident: $type:ty,)+ }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(default)]
        pub struct $Counts {
            $($(#[$doc])* #[serde(skip_serializing_if = "Count::is_nothing")] pub $count: $type,)+
        }

        impl AddAssign<&$Counts> for $Counts {
            fn add_assign(&mut self, other: &$Counts) {
                $(self.$count.add(&other.$count);)+
            }
        }
    };
}

trait Count {
    fn is_nothing(&self) -> bool;
    fn add(&mut self, other: &Self);
}

impl Count for u32 {
    fn is_nothing(&self) -> bool {
        *self == 0
    }

    fn add(&mut self, other: &Self) {
        *self += other;
    }
}

impl Count for BTreeMap<String, Cell> {
    fn is_nothing(&self) -> bool {
        self.is_empty()
    }

    fn add(&mut self, other: &Self) {
        for (name, cell) in other {
            *self.entry(name.clone()).or_default() += *cell;
        }
    }
}

counts! {
    pub struct Tally {
        hands: u32,
        /// Hands in which everybody else folded to the big blind, who was never asked.
        walks: u32,
        folded: u32,
        /// Hands with chips put in before the flop of one's own will; blinds do not count. Of `hands − walks`.
        vpip: u32,
        /// As the authors' app counts it: a call (also of nothing), raise or all-in before the flop, in a hand that went beyond
        /// it, and not folded by then. Of `hands`.
        vpip_coded: u32,
        /// Hands with a raise before the flop.
        pfr: u32,
        /// Hands in which another player's raise before the flop, the only one so far, had to be answered.
        three_bet_chances: u32,
        /// Of these, hands in which it was answered with a raise.
        three_bets: u32,
        /// Decisions, those that a rule took included.
        decisions: u32,
        folds: u32,
        /// Of these, folds where checking was free.
        needless_folds: u32,
        /// Bets and raises after the flop.
        bets_later: u32,
        /// Calls after the flop.
        calls_later: u32,
        /// Folds after the flop.
        folds_later: u32,
        /// Hands in which a flop was dealt and the participant had not folded; all-in before it counts.
        saw_flop: u32,
        showdowns: u32,
        /// Of these, hands that were paid something.
        won_showdowns: u32,
        /// Hands with winnings above zero.
        won: u32,
        /// Replies that were no action.
        invalid: u32,
        /// Replies whose form had to be forgiven.
        eased: u32,
        /// Actions that the rules put right.
        repaired: u32,
        /// Decisions that a rule took.
        auto: u32,
        positions: BTreeMap<String, Cell>,
        /// By hole cards, e.g. `AKs` (see [`chart`]).
        chart: BTreeMap<String, Cell>,
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Cell {
    pub hands: u32,
    /// Of these, voluntarily played (standard).
    #[serde(skip_serializing_if = "Count::is_nothing")]
    pub vpip: u32,
    /// Of these, raised before the flop.
    #[serde(skip_serializing_if = "Count::is_nothing")]
    pub raised: u32,
    /// What was won in them, in units of the hand.
    pub won: i64,
}

impl Tally {
    /// Counts a hand in which the participant had this place.
    pub fn count(&mut self, hand: &HandRecord, place: Place) {
        let own = || hand.actions.iter().filter(|action| action.place == place);
        let early = || own().filter(|action| action.street == Street::Preflop);
        let fold = hand.fold_of(place);
        let folded_early = fold.is_some_and(|fold| fold.street == Street::Preflop);
        let saw_flop = hand.board.len() >= Street::Flop.cards() && !folded_early;
        let vpip = early().any(|action| !action.happened.put.is_zero());
        let raised = early().any(ActionRecord::is_raise);
        let meant = |action: &ActionRecord| {
            matches!(action.happened.kind, Kind::Call | Kind::Raise | Kind::AllIn)
        };
        let shown = hand.shown.contains(&place);
        let delta = hand.deltas.get(place).copied().unwrap_or(0);
        let is_walk = hand.big_blind() == place && own().next().is_none() && !hand.is_showdown();

        self.hands += 1;
        self.walks += u32::from(is_walk);
        self.folded += u32::from(fold.is_some());
        self.vpip += u32::from(vpip);
        self.vpip_coded += u32::from(saw_flop && early().any(meant));
        self.pfr += u32::from(raised);
        self.count_three_bet(hand, place);
        for action in own() {
            self.count_action(action);
        }
        self.saw_flop += u32::from(saw_flop);
        self.showdowns += u32::from(shown);
        self.won_showdowns += u32::from(shown && !hand.paid(place).is_zero());
        self.won += u32::from(delta > 0);
        let cell = Cell { hands: 1, vpip: u32::from(vpip), raised: u32::from(raised), won: delta };
        let position = position(hand, place).to_owned();
        *self.positions.entry(position).or_default() += cell;
        let [first, second] = hand.places[place].hole;
        *self.chart.entry(chart::name(first, second)).or_default() += cell;
    }

    fn count_action(&mut self, action: &ActionRecord) {
        self.decisions += 1;
        self.auto += u32::from(!action.by.is_player());
        self.repaired += u32::from(!action.happened.repairs.is_empty());
        self.folds += u32::from(action.is_fold());
        self.needless_folds += u32::from(action.is_needless_fold());
        if action.street == Street::Preflop {
            return;
        }
        let is_call = !action.is_raise() && !action.happened.put.is_zero();
        self.bets_later += u32::from(action.is_raise());
        self.calls_later += u32::from(is_call);
        self.folds_later += u32::from(action.is_fold());
    }

    fn count_three_bet(&mut self, hand: &HandRecord, place: Place) {
        let mut raisers = Vec::new();
        for action in hand.actions.iter() {
            if action.street != Street::Preflop || raisers.len() > 1 {
                return;
            }
            let answers = matches!(raisers[..], [raiser] if raiser != place);
            if action.place == place && answers {
                self.three_bet_chances += 1;
                self.three_bets += u32::from(action.is_raise());
                return;
            }
            if action.is_raise() {
                raisers.push(action.place);
            }
        }
    }

    /// Hands with a fold, of all hands.
    pub fn fold_rate(&self) -> Option<f64> {
        ratio(self.folded, self.hands)
    }

    /// Voluntarily played hands, of those that were not walks.
    pub fn vpip_rate(&self) -> Option<f64> {
        ratio(self.vpip, self.hands - self.walks)
    }

    /// Bets and raises for each call, after the flop.
    pub fn aggression_factor(&self) -> Option<f64> {
        ratio(self.bets_later, self.calls_later)
    }

    /// Bets and raises of all bets, raises, calls and folds after the flop.
    pub fn aggression_frequency(&self) -> Option<f64> {
        let all = self.bets_later + self.calls_later + self.folds_later;
        ratio(self.bets_later, all)
    }
}

impl AddAssign for Cell {
    fn add_assign(&mut self, other: Cell) {
        self.hands += other.hands;
        self.vpip += other.vpip;
        self.raised += other.raised;
        self.won += other.won;
    }
}
