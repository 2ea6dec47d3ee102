//! Plays a logged hand with our `reference` engine and compares, step by step (specification 4.g).
//!
//! The log has no hole cards, so the engine plays with any deck: who acts when, what it puts in, pots, streets and run-outs
//! do not depend on cards. Who won is then taken from the log and held against what was put in.

use serde::Serialize;

use super::super::Amount;
use super::hand::{Logged, LoggedAction, LoggedHand, Snapshot};
use crate::action::{Action, Kind, Street};
use crate::card::{CARDS, Card, Deck};
use crate::chips::{Chips, Unit};
use crate::hand::{Hand, Setup};
use crate::record::{Blinds, Place};
use turnwise_core::seat::Seat;
use turnwise_core::spec::Profile;

/// The app's blinds in chips (specification 4.a).
const BLINDS: (u64, u64) = (50, 100);

/// What a replay found.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Replay {
    /// The engine did the same, and the payment is what the rules say.
    Ok,
    /// The engine did the same; the log does not tell who won, because it ends here.
    NotSettled,
    /// The engine did the same up to where the log ends in the middle of the hand.
    Unfinished,
    /// They differ.
    Differs(Difference),
}

/// Where log and engine first differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("line {line}, {what}: the log says {log}, the engine {engine}")]
pub struct Difference {
    /// The line in the file, from 1.
    pub line: usize,
    /// What differs, e.g. `actor` or `pot`.
    pub what: String,
    /// What the log says.
    pub log: String,
    /// What the engine says.
    pub engine: String,
}

/// Replays a hand.
pub fn replay(logged: &LoggedHand) -> Replay {
    let verdict = Replayed::of(logged).and_then(|replayed| {
        if !replayed.is_over {
            return Ok(Replay::Unfinished);
        }
        match logged.deltas() {
            Some(deltas) => replayed.settled(&deltas).map(|()| Replay::Ok),
            None => Ok(Replay::NotSettled),
        }
    });
    verdict.unwrap_or_else(Replay::Differs)
}

struct Replayed<'a> {
    logged: &'a LoggedHand,
    hand: Hand,
    /// The street up to which transitions were seen.
    street: Street,
    board: Vec<Card>,
    /// Whether the log has seen the hand's end.
    is_over: bool,
}

impl<'a> Replayed<'a> {
    fn of(logged: &'a LoggedHand) -> Result<Self, Difference> {
        let mut replayed = Replayed {
            logged,
            hand: deal(logged)?,
            street: Street::Preflop,
            board: Vec::new(),
            is_over: false,
        };
        replayed.check_start()?;
        for event in &logged.events {
            let line = event.line();
            // The published app never writes that a showdown was paid; where that stands, hands were shown before.
            if replayed.is_over && !matches!(event, Logged::Paid(..)) {
                return Err(differs(line, "event", "something more", "the hand is over"));
            }
            match event {
                Logged::Action(_, action) => replayed.action(line, action)?,
                Logged::Street(_, snapshot) => replayed.street(line, snapshot)?,
                Logged::RunOut(_, snapshot) => replayed.run_out(line, snapshot)?,
                Logged::Paid(_, snapshot) => replayed.ended(line, snapshot, Shown::Yes)?,
                Logged::FoldWin(_, snapshot) => replayed.ended(line, snapshot, Shown::No)?,
            }
        }
        Ok(replayed)
    }

    fn check_start(&self) -> Result<(), Difference> {
        let line = self.logged.line;
        let start = &self.logged.start;
        let blinds: Chips = self
            .hand
            .record()
            .places
            .iter()
            .map(|place| place.blind)
            .sum();
        same(line, "pot after the blinds", start.pot, amount(blinds))?;
        for (player, place) in start.players.iter().zip(&self.hand.record().places) {
            let what = format!("blind of player {}", player.id);
            same(line, &what, player.bet, amount(place.blind))?;
        }
        same(line, "open cards", start.board.len(), 0)
    }

    fn action(&mut self, line: usize, action: &LoggedAction) -> Result<(), Difference> {
        let id = |place: Place| self.logged.start.players[place].id;
        let Some(place) = self.hand.to_act() else {
            return Err(differs(
                line,
                "actor",
                format_args!("player {}", action.id),
                "nobody: the hand is over",
            ));
        };
        same(line, "actor", action.id, id(place))?;
        same(line, "street", action.stage, self.hand.street())?;
        // The log must have shown the street before anybody acts on it.
        same(
            line,
            "street that was opened",
            self.street,
            self.hand.street(),
        )?;
        let asked = Action {
            kind: action.kind,
            amount: match action.kind {
                Kind::Raise | Kind::Check => Some(chips(line, action.amount)?),
                Kind::Fold | Kind::Call | Kind::AllIn => None,
            },
        };
        let happened = self
            .hand
            .act(place, asked)
            .expect("the place was just named as the one to act");
        same(line, "action", action.kind, happened.kind)?;
        same(line, "amount", action.amount, amount(happened.total))?;
        let pot = self.hand.record().actions.last().map(|done| done.pot);
        same(line, "pot", action.pot, amount(pot.unwrap_or_default()))
    }

    /// A street, or the showdown after the river, which ends the hand.
    fn street(&mut self, line: usize, snapshot: &Snapshot) -> Result<(), Difference> {
        let Some(street) = snapshot.street else {
            self.board_grows(line, snapshot, Street::River)?;
            self.ended(line, snapshot, Shown::Yes)?;
            return same(line, "pot", snapshot.pot, self.pot());
        };
        let next = self.street.next().map_or("the showdown", Street::name);
        same(line, "street", street.name(), next)?;
        same(line, "street", street, self.hand.street())?;
        self.street = street;
        self.board_grows(line, snapshot, street)?;
        same(line, "pot", snapshot.pot, self.pot())
    }

    fn run_out(&mut self, line: usize, snapshot: &Snapshot) -> Result<(), Difference> {
        let ran_out = self.hand.record().run_out.is_some();
        same(line, "run-out", "yes", if ran_out { "yes" } else { "no" })?;
        self.board_grows(line, snapshot, Street::River)?;
        self.ended(line, snapshot, Shown::Yes)?;
        same(line, "pot", snapshot.pot, self.pot())
    }

    fn ended(&mut self, line: usize, snapshot: &Snapshot, shown: Shown) -> Result<(), Difference> {
        self.is_over = true;
        let ending = |shown: bool| {
            if shown {
                "showdown"
            } else {
                "all but one folded"
            }
        };
        let engine = match (self.hand.is_over(), self.hand.record().is_showdown()) {
            (false, _) => "the hand goes on",
            (true, shown) => ending(shown),
        };
        same(line, "ending", ending(shown == Shown::Yes), engine)?;
        let standings = self.hand.standings().iter();
        for (player, standing) in snapshot.players.iter().zip(standings) {
            let what = format!("fold of player {}", player.id);
            same(line, &what, player.folded, standing.folded)?;
        }
        Ok(())
    }

    /// The board has as many cards as the street wants, and those that lay there before lie there still.
    fn board_grows(
        &mut self,
        line: usize,
        snapshot: &Snapshot,
        street: Street,
    ) -> Result<(), Difference> {
        same(line, "open cards", snapshot.board.len(), street.cards())?;
        let before = &snapshot.board[..self.board.len().min(snapshot.board.len())];
        if before != self.board {
            let (log, engine) = (spelt(before), spelt(&self.board));
            return Err(differs(line, "earlier open cards", log, engine));
        }
        self.board.clone_from(&snapshot.board);
        Ok(())
    }

    /// Whether the payment is what the rules say: all winners get the same whole share of the one pot, none of them has
    /// folded, and everybody else loses what was put in.
    fn settled(&self, deltas: &[Amount]) -> Result<(), Difference> {
        let logged = self.logged;
        let line = logged.events.last().map_or(logged.line, Logged::line);
        let standings = self.hand.standings();
        let put: Vec<Amount> = standings.iter().map(|one| amount(one.total)).collect();
        let winners: Vec<Place> = (0..put.len())
            .filter(|place| deltas[*place] + put[*place] > Amount::ZERO)
            .collect();
        let id = |place: Place| logged.start.players[place].id;
        if winners.is_empty() {
            return Err(differs(line, "winners", "nobody", "somebody"));
        }
        if let Some(winner) = winners.iter().find(|winner| standings[**winner].folded) {
            let what = format!("player {}", id(*winner));
            return Err(differs(line, &what, "won", "folded"));
        }
        let share = if self.hand.record().is_showdown() {
            Amount::chips(self.pot().in_millionths() / Amount::SCALE / winners.len() as i64)
        } else {
            self.pot()
        };
        for place in 0..put.len() {
            let paid = if winners.contains(&place) {
                share
            } else {
                Amount::ZERO
            };
            let what = format!("winnings of player {}", id(place));
            same(line, &what, deltas[place], paid - put[place])?;
        }
        Ok(())
    }

    /// All that was put in.
    fn pot(&self) -> Amount {
        amount(self.hand.standings().iter().map(|one| one.total).sum())
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Shown {
    Yes,
    No,
}

/// Deals the hand as it started.
fn deal(logged: &LoggedHand) -> Result<Hand, Difference> {
    let unit = Unit::Millionth;
    let mut seated = Vec::new();
    for (place, player) in logged.start.players.iter().enumerate() {
        let opening = chips(logged.line, logged.opening(place))?;
        seated.push((Seat::new(player.id.to_string()), opening));
    }
    let setup = Setup {
        hand: logged.hand,
        profile: Profile::Reference,
        button: logged.button(),
        blinds: Blinds {
            small: unit.chips(BLINDS.0),
            big: unit.chips(BLINDS.1),
        },
        seated,
    };
    let numbers: Vec<u32> = (0..CARDS).collect();
    let deck = Deck::new(&numbers).expect("each card stands there once");
    Hand::deal(setup, &deck).map_err(|error| {
        differs(
            logged.line,
            "start",
            "a hand",
            format_args!("none: {error}"),
        )
    })
}

fn same<T: PartialEq + ToString>(
    line: usize,
    what: &str,
    log: T,
    engine: T,
) -> Result<(), Difference> {
    if log == engine {
        return Ok(());
    }
    Err(differs(line, what, log, engine))
}

fn differs(line: usize, what: &str, log: impl ToString, engine: impl ToString) -> Difference {
    Difference {
        line,
        what: what.to_owned(),
        log: log.to_string(),
        engine: engine.to_string(),
    }
}

fn amount(chips: Chips) -> Amount {
    Amount::millionths(i64::try_from(chips.units()).unwrap_or(i64::MAX))
}

/// An amount of a log as chips of the engine.
fn chips(line: usize, amount: Amount) -> Result<Chips, Difference> {
    u64::try_from(amount.in_millionths())
        .map(Chips::new)
        .map_err(|_| differs(line, "amount", amount, "no amount is below zero"))
}

fn spelt(cards: &[Card]) -> String {
    let cards: Vec<String> = cards.iter().map(Card::to_string).collect();
    cards.join(" ")
}
