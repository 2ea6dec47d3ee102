//! What a player is told before a decision (4.b.6): its own cards and what lies open, never another's cards.

use std::fmt::Write as _;

use super::action::{Action, Kind, Street};
use super::chips::{Chips, Unit};
use super::hand::{Hand, Legal};
use super::record::{ActionRecord, Place};
use super::table::Table;

/// Lines of the hand's log that `reference` shows.
const RECENT: usize = 5;

/// What the player in one place is told.
#[derive(Debug, Clone)]
pub struct Observation<'a> {
    table: &'a Table,
    hand: &'a Hand,
    place: Place,
    /// What the player may do.
    pub legal: Legal,
    /// What the amounts count.
    pub unit: Unit,
}

impl<'a> Observation<'a> {
    /// What the player who is to act is told; `None` if nobody is.
    pub fn of(table: &'a Table, hand: &'a Hand) -> Option<Self> {
        Some(Observation {
            table,
            hand,
            place: hand.to_act()?,
            legal: hand.legal()?,
            unit: hand.unit(),
        })
    }

    /// Everything by name, as prompts and bots read it.
    pub fn variables(&self) -> Vec<(&'static str, String)> {
        let hand = self.hand;
        let chips = |amount: Chips| self.unit.write(amount);
        let standing = &hand.standings()[self.place];
        let to_call = hand.to_call(self.place);
        let cards = |cards: &[super::card::Card]| {
            let texts: Vec<_> = cards.iter().map(ToString::to_string).collect();
            texts.join(" ")
        };
        let board = cards(hand.board());
        let range = self.legal.raise;
        vec![
            ("hand", hand.record().hand.to_string()),
            ("street", hand.street().name().to_owned()),
            ("small_blind", chips(hand.record().blinds.small)),
            ("big_blind", chips(hand.record().blinds.big)),
            ("hole", cards(&hand.hole(self.place))),
            (
                "board_or_none",
                if board.is_empty() {
                    "no cards yet".to_owned()
                } else {
                    board.clone()
                },
            ),
            ("board", board),
            ("name", self.table.name(self.place)),
            ("position", self.table.position(hand, self.place).to_owned()),
            ("players", hand.standings().len().to_string()),
            ("players_in", hand.live().count().to_string()),
            ("matched", self.matched().to_string()),
            ("table", self.seats()),
            ("stack", chips(standing.stack)),
            ("bet", chips(standing.bet)),
            ("pot", chips(hand.pot())),
            ("to_call", chips(to_call)),
            ("min_raise", chips(hand.smallest_raise())),
            (
                "min_raise_to",
                range.map(|range| chips(range.min)).unwrap_or_default(),
            ),
            (
                "max_raise_to",
                range.map(|range| chips(range.max)).unwrap_or_default(),
            ),
            (
                "can_check",
                if self.legal.check { "yes" } else { "no" }.to_owned(),
            ),
            (
                "can_go_all_in",
                if self.legal.all_in.is_some() {
                    "yes"
                } else {
                    "no"
                }
                .to_owned(),
            ),
            ("pot_odds", pot_odds(hand.pot(), to_call)),
            ("dealer_label", self.dealer_label()),
            ("history", self.history()),
            ("recent", self.recent()),
            ("memory", self.table.memory(self.place)),
            ("legal", self.legal_lines()),
        ]
    }

    /// How many others have put in as much as the current bet asks, or everything that they have.
    fn matched(&self) -> usize {
        let matched = |place: &Place| {
            let standing = &self.hand.standings()[*place];
            *place != self.place
                && (standing.bet >= self.hand.current_bet() || standing.stack.is_zero())
        };
        self.hand.live().filter(matched).count()
    }

    fn seats(&self) -> String {
        let lines: Vec<_> = self
            .hand
            .standings()
            .iter()
            .enumerate()
            .map(|(place, standing)| {
                let state = if standing.folded {
                    ", folded"
                } else if self.hand.is_all_in(place) {
                    ", all-in"
                } else {
                    ""
                };
                let own = if place == self.place { " (you)" } else { "" };
                format!(
                    "- {}{own}, {}: {}, {}{state}",
                    self.table.name(place),
                    self.table.position(self.hand, place),
                    self.unit.write(standing.stack),
                    self.unit.write(standing.bet),
                )
            })
            .collect();
        lines.join("\n")
    }

    /// The betting of the whole hand, a line for each street.
    fn history(&self) -> String {
        let record = self.hand.record();
        let mut text = String::from("PREFLOP:");
        for (place, seat) in record.places.iter().enumerate() {
            if !seat.blind.is_zero() {
                let _ = write!(
                    text,
                    " {} posts {};",
                    self.table.name(place),
                    self.unit.write(seat.blind)
                );
            }
        }
        let mut street = Street::Preflop;
        for action in self.hand.actions() {
            if action.street != street {
                street = action.street;
                let _ = write!(text, "\n{street}:");
            }
            let _ = write!(
                text,
                " {} {};",
                self.table.name(action.place),
                sentence(action, self.unit)
            );
        }
        if self.hand.street() != street {
            let _ = write!(text, "\n{}:", self.hand.street());
        }
        text
    }

    /// The last lines of the hand's log, as the authors' program shows them: players by number, what was done, the total on
    /// the street where it is above nothing.
    fn recent(&self) -> String {
        let mut lines = vec![format!("Hand {} begins", self.hand.record().hand)];
        let mut street = Street::Preflop;
        for action in self.hand.actions() {
            if action.street != street {
                street = action.street;
                lines.push(format!("--- {street} ---"));
            }
            let total = action.happened.total;
            let amount = if total.is_zero() || action.happened.kind == Kind::Fold {
                String::new()
            } else {
                format!(" ${}", self.unit.write(total))
            };
            lines.push(format!(
                "{} {}{amount}",
                self.table.name(action.place),
                action.happened.kind
            ));
        }
        if self.hand.street() != street {
            lines.push(format!("--- {} ---", self.hand.street()));
        }
        let from = lines.len().saturating_sub(RECENT);
        lines[from..].join("; ")
    }

    /// The dealer's label as the authors' program gives it: to the seat whose number, from 1, is the button's index, from 0.
    fn dealer_label(&self) -> String {
        if self.place + 1 == self.hand.button() {
            "Dealer".to_owned()
        } else {
            "Player".to_owned()
        }
    }

    fn legal_lines(&self) -> String {
        let chips = |amount: Chips| self.unit.write(amount);
        let mut lines = vec!["- FOLD".to_owned()];
        if self.legal.check {
            lines.push("- CHECK".to_owned());
        }
        if let Some(call) = self.legal.call {
            lines.push(format!("- CALL (puts in {})", chips(call)));
        }
        if let Some(range) = self.legal.raise {
            lines.push(format!(
                "- RAISE to a total of {} to {}",
                chips(range.min),
                chips(range.max)
            ));
        }
        if let Some(all) = self.legal.all_in {
            lines.push(format!("- ALL_IN (a total of {})", chips(all)));
        }
        lines.join("\n")
    }
}

/// "1 to X" with two decimals, X = (pot + to call) / to call; `N/A` where nothing is to be called (4.b.6). Half is rounded up.
fn pot_odds(pot: Chips, to_call: Chips) -> String {
    if to_call.is_zero() {
        return "N/A".to_owned();
    }
    let (all, call) = (
        u128::from(pot.units()) + u128::from(to_call.units()),
        u128::from(to_call.units()),
    );
    let hundredths = (all * 200 + call) / (call * 2);
    format!("1 to {}.{:02}", hundredths / 100, hundredths % 100)
}

/// An action in a few words, as one tells it: `raises to 300`.
pub fn sentence(action: &ActionRecord, unit: Unit) -> String {
    let happened = &action.happened;
    let total = unit.write(happened.total);
    let all_in = if happened.all_in { ", all-in" } else { "" };
    match happened.kind {
        Kind::Fold => "folds".to_owned(),
        // Under `reference` a check with an amount bets it unannounced.
        Kind::Check if !happened.put.is_zero() => format!("checks and puts in {total}{all_in}"),
        Kind::Check => "checks".to_owned(),
        Kind::Call => format!("calls {}{all_in}", unit.write(happened.put)),
        Kind::Raise | Kind::AllIn if happened.raised.is_zero() => {
            format!("calls {}{all_in}", unit.write(happened.put))
        }
        Kind::Raise | Kind::AllIn if happened.raised == happened.total => {
            format!("bets {total}{all_in}")
        }
        Kind::Raise | Kind::AllIn => format!("raises to {total}{all_in}"),
    }
}

/// What is done for a player who said nothing that can be used: check if that is free, else fold (`strict`); fold
/// (`reference`, 4.b.6).
pub fn default_action(legal: &Legal, profile: crate::spec::Profile) -> Action {
    match profile {
        crate::spec::Profile::Strict if legal.check => Action::CHECK,
        _ => Action::FOLD,
    }
}
