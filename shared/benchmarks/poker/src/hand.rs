//! One hand: dealt from a deck that the caller gives, played by actions that the caller tells, paid at its end.
//!
//! `rules` says what the two profiles (`strict`, `reference`) do differently. Streets are dealt inside.
//!
//! ```
//! use turnwise_core::spec::Profile;
//! use turnwise_poker::action::Action;
//! use turnwise_poker::card::Deck;
//! use turnwise_poker::chips::Chips;
//! use turnwise_poker::hand::{Hand, Setup};
//! use turnwise_poker::record::Blinds;
//!
//! let setup = Setup {
//!     hand: 1,
//!     profile: Profile::Strict,
//!     button: 0,
//!     blinds: Blinds { small: Chips::new(50), big: Chips::new(100) },
//!     seated: vec![("1".into(), Chips::new(10_000)), ("2".into(), Chips::new(10_000))],
//! };
//! let deck = Deck::new(&(0..52).collect::<Vec<_>>()).expect("52 cards, each once");
//! let mut hand = Hand::deal(setup, &deck).expect("two players with chips");
//! assert_eq!(hand.to_act(), Some(0));
//! hand.act(0, Action::FOLD).expect("it is their turn");
//! assert!(hand.is_over());
//! assert_eq!(hand.record().deltas, [-50, 50]);
//! ```

mod look;
mod reference;
mod rules;
mod strict;

use super::action::{Action, By, Happened, Kind, Street};
use super::card::{Card, Deck};
use super::chips::{Chips, Unit};
use super::record::{ActionRecord, Blinds, HandRecord, Place, PlaceRecord, small_blind};
use rules::{Dealing, Next, Pockets};
use turnwise_core::prelude::*;

/// At how many places a hand can be played.
pub const PLACES: std::ops::RangeInclusive<usize> = 2..=10;
/// How many units all stacks of a hand may have together, and all stacks that a run can give out, so that no sum overflows.
pub const MOST_UNITS: u64 = 100_000_000_000_000_000;

/// What is known before the cards are dealt. Amounts count the unit of the profile ([`unit_of`]).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setup {
    /// The number of the hand at its table, from 1.
    pub hand: u32,
    pub profile: Profile,
    /// The place with the button.
    pub button: Place,
    /// The blinds; a stack that is smaller than its blind is posted whole.
    pub blinds: Blinds,
    /// Who is dealt in and with how much, clockwise.
    pub seated: Vec<(Seat, Chips)>,
}

/// A hand that is being played or is over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hand {
    record: HandRecord,
    deck: Deck,
    /// How many cards of the deck are gone.
    gone: usize,
    street: Street,
    standings: Vec<Standing>,
    current_bet: Chips,
    smallest_raise: Chips,
    /// From where the next to act is looked for, clockwise.
    from: Place,
    phase: Phase,
}

/// How a player stands in the hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    pub stack: Chips,
    /// Put in on this street.
    pub bet: Chips,
    /// Put in during this hand.
    pub total: Chips,
    /// Has the player given up the hand?
    pub folded: bool,
    /// Has the player acted on this street? Posting a blind is no action.
    pub acted: bool,
}

/// What the player who is to act may do. Folding is always legal, so no list is ever empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Legal {
    pub check: bool,
    /// The chips that a call puts in: all of the player's if they are fewer than the bet.
    pub call: Option<Chips>,
    /// To which totals for this street the player may raise, short of all-in.
    pub raise: Option<RaiseRange>,
    /// The player's total for this street after going all-in, where that is legal.
    pub all_in: Option<Chips>,
}

/// From where to where a raise may go, as totals for this street.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RaiseRange {
    pub min: Chips,
    /// The largest total that leaves something behind.
    pub max: Chips,
}

/// A hand that cannot be dealt.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadSetup {
    /// Too few or too many players.
    #[error("2 to 10 can play, not {0}")]
    Players(usize),
    /// The button is at a place without a player.
    #[error("there is no place {button} for the button: {places} play")]
    Button {
        /// The place that was named.
        button: Place,
        places: usize,
    },
    /// A player has no chips.
    #[error("seat {0} has no chips and cannot be dealt in")]
    NoChips(Seat),
    /// No big blind, or one that is smaller than the small one.
    #[error("the big blind must be above zero and no smaller than the small blind")]
    Blinds,
    /// More chips than can be counted safely.
    #[error("there are too many chips on the table")]
    TooMuch,
}

/// An action of a player who is not to act.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadAct {
    #[error("place {to_act} is to act, not place {place}")]
    OutOfTurn { place: Place, to_act: Place },
    #[error("the hand is over")]
    Over,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Asking(Place),
    Over,
}

/// What amounts count under a profile.
pub fn unit_of(profile: Profile) -> Unit {
    rules::of(profile).unit()
}

impl Hand {
    /// Deals a hand: two cards to each place in order, blinds posted. If the blinds leave no player to ask, the hand is over.
    ///
    /// # Errors
    ///
    /// If the setup makes no hand.
    pub fn deal(setup: Setup, deck: &Deck) -> Result<Self, BadSetup> {
        setup.check()?;
        let places = setup.seated.len();
        let small = small_blind(setup.profile, setup.button, places);
        let big = (small + 1) % places;
        let mut hand = Hand {
            gone: 2 * places,
            street: Street::Preflop,
            standings: Vec::with_capacity(places),
            current_bet: setup.blinds.big,
            smallest_raise: setup.blinds.big,
            from: (big + 1) % places,
            phase: Phase::Over,
            deck: deck.clone(),
            record: HandRecord {
                hand: setup.hand,
                profile: setup.profile,
                unit: unit_of(setup.profile),
                button: setup.button,
                blinds: setup.blinds,
                places: Vec::with_capacity(places),
                actions: Vec::new(),
                board: Vec::new(),
                burnt: Vec::new(),
                run_out: None,
                returned: None,
                pots: Vec::new(),
                shown: Vec::new(),
                lost: Chips::ZERO,
                stacks: Vec::new(),
                deltas: Vec::new(),
            },
        };
        let cards = deck.cards();
        for (place, (seat, opening)) in setup.seated.into_iter().enumerate() {
            let due = match place {
                _ if place == small => setup.blinds.small,
                _ if place == big => setup.blinds.big,
                _ => Chips::ZERO,
            };
            let blind = due.min(opening);
            hand.standings.push(Standing {
                stack: opening - blind,
                bet: blind,
                total: blind,
                folded: false,
                acted: false,
            });
            hand.record.places.push(PlaceRecord {
                seat,
                opening,
                hole: [cards[2 * place], cards[2 * place + 1]],
                blind,
            });
        }
        hand.go_on();
        Ok(hand)
    }

    /// What the player says is done, or what the rules make of it; then everything up to the next question happens.
    ///
    /// # Errors
    ///
    /// If this place is not to act.
    pub fn act(&mut self, place: Place, action: Action) -> Result<Happened, BadAct> {
        self.act_by(place, action, By::Player)
    }

    /// As [`act`](Self::act) with the same errors, and says whose action it was.
    pub fn act_by(&mut self, place: Place, asked: Action, by: By) -> Result<Happened, BadAct> {
        match self.phase {
            Phase::Over => return Err(BadAct::Over),
            Phase::Asking(to_act) if to_act != place => {
                return Err(BadAct::OutOfTurn { place, to_act });
            }
            Phase::Asking(_) => {}
        }
        let rules = rules::of(self.record.profile);
        let decision = rules.decide(self, place, asked);
        let to_call = self.to_call(place);
        let standing = &mut self.standings[place];
        let put = decision.total.less(standing.bet).min(standing.stack);
        standing.stack -= put;
        standing.bet += put;
        standing.total += put;
        standing.acted = true;
        standing.folded = decision.kind == Kind::Fold;
        let total = standing.bet;
        let all_in = standing.stack.is_zero();
        let pockets = if all_in { Pockets::Empty } else { Pockets::Filled };
        let raised = total.less(self.current_bet);
        self.current_bet += raised;
        self.smallest_raise = self.smallest_raise.max(raised);
        let happened = Happened {
            kind: rules.label(decision.kind, pockets),
            put,
            total,
            raised,
            all_in,
            repairs: decision.repairs,
        };
        self.record.actions.push(ActionRecord {
            street: self.street,
            place,
            by,
            asked,
            to_call,
            happened: happened.clone(),
            pot: self.pot(),
        });
        self.from = (place + 1) % self.standings.len();
        self.go_on();
        Ok(happened)
    }

    /// Deals streets until a player is to act or the hand is paid.
    fn go_on(&mut self) {
        let rules = rules::of(self.record.profile);
        self.phase = loop {
            match rules.next(self) {
                Next::Ask(place) => break Phase::Asking(place),
                Next::Street => self.open_street(),
                Next::RunOut => {
                    self.record.run_out = Some(self.street);
                    self.deal_board(Street::River, Dealing::RunOut);
                    break self.pay();
                }
                Next::Showdown | Next::LastOneLeft => break self.pay(),
            }
        };
    }

    fn open_street(&mut self) {
        self.street = self.street.next().expect("the rules show hands after the river");
        self.deal_board(self.street, Dealing::Street);
        self.current_bet = Chips::ZERO;
        self.smallest_raise = self.record.blinds.big;
        self.from = (self.record.button + 1) % self.standings.len();
        for standing in &mut self.standings {
            standing.bet = Chips::ZERO;
            standing.acted = false;
        }
    }

    /// Deals the board up to a street.
    fn deal_board(&mut self, up_to: Street, dealing: Dealing) {
        let rules = rules::of(self.record.profile);
        for street in Street::ALL {
            let missing = street.cards().saturating_sub(self.record.board.len());
            if street > up_to || missing == 0 {
                continue;
            }
            for burns in rules.burns(dealing, missing) {
                for _ in 0..burns {
                    let burnt = self.next_card();
                    self.record.burnt.push(burnt);
                }
                let open = self.next_card();
                self.record.board.push(open);
            }
        }
    }

    fn next_card(&mut self) -> Card {
        let card = self.deck.cards()[self.gone];
        self.gone += 1;
        card
    }

    fn pay(&mut self) -> Phase {
        let settlement = rules::of(self.record.profile).settle(self);
        let paid = settlement.pots.iter().flat_map(|pot| &pot.winners);
        for share in paid.chain(&settlement.returned) {
            self.standings[share.place].stack += share.chips;
        }
        let record = &mut self.record;
        for (standing, place) in self.standings.iter().zip(&record.places) {
            record.stacks.push(standing.stack);
            record.deltas.push(standing.stack.since(place.opening));
        }
        record.returned = settlement.returned;
        record.pots = settlement.pots;
        record.lost = settlement.lost;
        let live: Vec<Place> = self.live().collect();
        if live.len() > 1 {
            self.record.shown = live;
        }
        Phase::Over
    }
}

impl Setup {
    fn check(&self) -> Result<(), BadSetup> {
        let places = self.seated.len();
        if !PLACES.contains(&places) {
            return Err(BadSetup::Players(places));
        }
        if self.button >= places {
            let button = self.button;
            return Err(BadSetup::Button { button, places });
        }
        if let Some((seat, _)) = self.seated.iter().find(|(_, stack)| stack.is_zero()) {
            return Err(BadSetup::NoChips(seat.clone()));
        }
        if self.blinds.big.is_zero() || self.blinds.small > self.blinds.big {
            return Err(BadSetup::Blinds);
        }
        let stacks = self.seated.iter().map(|(_, stack)| stack.units());
        let all = stacks.fold(0, u64::saturating_add);
        if all.max(self.blinds.big.units()) > MOST_UNITS {
            return Err(BadSetup::TooMuch);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
