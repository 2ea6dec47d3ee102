//! What a player is sent before a decision (4.b.6): its own cards and what lies open, never another's cards.

use std::fmt::Write as _;

use super::action::{Action, Kind, Street};
use super::chips::{Chips, Unit};
use super::hand::{Hand, Legal};
use super::record::{ActionRecord, Place};
use super::table::Table;
use turnwise_core::prelude::*;

/// Lines of the hand's log that `reference` shows.
const RECENT: usize = 5;

/// What the player in one place is sent.
#[derive(Debug, Clone)]
pub struct Observation<'a> {
    table: &'a Table,
    hand: &'a Hand,
    place: Place,
    /// What the player may do.
    pub legal: Legal,
    pub unit: Unit,
}

impl<'a> Observation<'a> {
    /// What the player who is to act is sent; `None` if there is none.
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
            ("hand", self.number().to_string()),
            ("street", hand.street().label().to_owned()),
            ("small_blind", chips(hand.record().blinds.small)),
            ("big_blind", chips(hand.record().blinds.big)),
            ("hole", cards(&hand.hole(self.place))),
            (
                "board_or_none",
                if board.is_empty() { "no cards yet".to_owned() } else { board.clone() },
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
            ("min_raise_to", range.map(|range| chips(range.min)).unwrap_or_default()),
            ("max_raise_to", range.map(|range| chips(range.max)).unwrap_or_default()),
            ("can_check", if self.legal.check { "yes" } else { "no" }.to_owned()),
            ("can_go_all_in", if self.legal.all_in.is_some() { "yes" } else { "no" }.to_owned()),
            ("pot_odds", self.pot_odds(to_call)),
            ("dealer_label", self.dealer_label()),
            ("history", self.history()),
            ("recent", self.recent()),
            ("memory", self.table.memory(self.place)),
            ("legal", self.legal_lines()),
        ]
    }

    /// The number of the hand in its game.
    fn number(&self) -> u32 {
        let (_, number) = self.table.game();
        number
    }

    fn pot_odds(&self, to_call: Chips) -> String {
        match self.hand.record().profile {
            Profile::Strict => pot_odds(self.hand.pot(), to_call),
            Profile::Reference => pot_odds_as_coded(self.hand.pot(), to_call),
        }
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
                let _ = write!(text, "\n{}:", street.label());
            }
            let _ =
                write!(text, " {} {};", self.table.name(action.place), sentence(action, self.unit));
        }
        if self.hand.street() != street {
            let _ = write!(text, "\n{}:", self.hand.street().label());
        }
        text
    }

    /// The last lines of the hand's log, as the authors' program shows them: players by number, what was done, the total on
    /// the street where it is above nothing.
    fn recent(&self) -> String {
        let mut lines = vec![format!("Hand {} begins", self.number())];
        let mut street = Street::Preflop;
        for action in self.hand.actions() {
            if action.street != street {
                street = action.street;
                lines.push(format!("--- {} ---", street.label()));
            }
            let total = action.happened.total;
            let amount = if total.is_zero() {
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
            lines.push(format!("--- {} ---", self.hand.street().label()));
        }
        let from = lines.len().saturating_sub(RECENT);
        lines[from..].join("; ")
    }

    /// The dealer's label as the authors' program gives it: to the seat whose number, from 1, is the button's index, from 0.
    fn dealer_label(&self) -> String {
        if self.place + 1 == self.hand.button() { "Dealer".to_owned() } else { "Player".to_owned() }
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
    let (all, call) =
        (u128::from(pot.units()) + u128::from(to_call.units()), u128::from(to_call.units()));
    let hundredths = (all * 200 + call) / (call * 2);
    format!("1 to {}.{:02}", hundredths / 100, hundredths % 100)
}

/// The same as the authors' program counts it: chips are doubles, their quotient is one, and it is printed with `toFixed(2)`.
/// So 401 / 200, which is a little less than 2.005 as a double, is 2.00, and 17 / 8, which is 2.125 exactly, is 2.13.
fn pot_odds_as_coded(pot: Chips, to_call: Chips) -> String {
    if to_call.is_zero() {
        return "N/A".to_owned();
    }
    let chips = |amount: Chips| amount.units() as f64 / Unit::Millionth.per_chip() as f64;
    let odds = (chips(pot) + chips(to_call)) / chips(to_call);
    // Of two numbers that are equally near, `toFixed` takes the larger one and Rust the even one. Only odd eighths have two.
    let is_tie = (odds * 8.0) % 2.0 == 1.0;
    let shown = if is_tie { odds + 0.001 } else { odds };
    format!("1 to {shown:.2}")
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

/// What is done for a player who said nothing that can be used: check if that is free, else fold (`strict`, unless the settings
/// say that it folds all the same); fold (`reference`, 4.b.6).
pub fn default_action(legal: &Legal, profile: Profile, folds_when_free: bool) -> Action {
    match profile {
        Profile::Strict if legal.check && !folds_when_free => Action::CHECK,
        _ => Action::FOLD,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pot and call in chips, and what either profile prints. JavaScript prints `(2.005).toFixed(2)` as 2.00 and
    /// `(2.125).toFixed(2)` as 2.13.
    #[test]
    fn pot_odds_are_rounded_as_each_profile_does() {
        for (pot, to_call, strict, reference) in [
            (150, 100, "1 to 2.50", "1 to 2.50"),
            (201, 200, "1 to 2.01", "1 to 2.00"),
            (9, 8, "1 to 2.13", "1 to 2.13"),
            (11, 8, "1 to 2.38", "1 to 2.38"),
            (1, 3, "1 to 1.33", "1 to 1.33"),
            (100, 0, "N/A", "N/A"),
        ] {
            let chips = |unit: Unit| [pot, to_call].map(|whole| unit.chips(whole));
            let [own, asked] = chips(Unit::Chip);
            assert_eq!(pot_odds(own, asked), strict);
            let [own, asked] = chips(Unit::Millionth);
            assert_eq!(pot_odds_as_coded(own, asked), reference, "{pot} {to_call}");
        }
    }
}
