//! What a log of events says, without its repeats.

use std::collections::BTreeMap;

use serde::Serialize;

use super::super::Amount;
use crate::action::{Kind, Street};
use crate::card::Card;
use crate::record::Place;

/// A log of events: of one table, or of the model client for all tables.
#[derive(Debug, Clone, PartialEq)]
pub struct GameLog {
    /// The file.
    pub file: String,
    /// Lines in it, blank ones not counted.
    pub lines: usize,
    /// Lines that say again what an earlier one said.
    pub repeats: usize,
    /// The hands, in the file's order.
    pub hands: Vec<LoggedHand>,
    /// Times at which all stacks were reset.
    pub stack_resets: usize,
    /// Times at which the game began anew.
    pub new_games: usize,
    /// Replies that were not in the wanted format, and decisions that failed, by player.
    pub clients: BTreeMap<(u32, String), Counter>,
    /// Events of hands whose start is not in the file.
    pub strays: usize,
    /// Events of a type that the schema does not have, by type.
    pub unknown: BTreeMap<String, usize>,
}

/// What the model client counted of a player.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Counter {
    /// Replies that were not in the wanted format.
    pub invalid_format: usize,
    /// Of these, replies with a code fence.
    pub fenced: usize,
    /// Decisions for which a fold was put in.
    pub errors: usize,
    /// These by their reason.
    pub reasons: BTreeMap<String, usize>,
}

/// A hand.
#[derive(Debug, Clone, PartialEq)]
pub struct LoggedHand {
    /// The table.
    pub table: u32,
    /// The game at the table; it rises when the game begins anew.
    pub game: u32,
    /// The hand's number in its game, from 1.
    pub hand: u32,
    /// The line on which it starts, from 1.
    pub line: usize,
    /// How things stood after the blinds.
    pub start: Snapshot,
    /// What happened then, in order.
    pub events: Vec<Logged>,
    /// What each player had won in all when the hand after it started; `None` if that is not in the file.
    pub totals_after: Option<Vec<Amount>>,
}

/// Something that happened in a hand, with its line in the file.
#[derive(Debug, Clone, PartialEq)]
pub enum Logged {
    /// A decision.
    Action(usize, LoggedAction),
    /// A street began; after the river, hands were shown.
    Street(usize, Snapshot),
    /// Nobody could bet any more: the board was completed.
    RunOut(usize, Snapshot),
    /// A showdown was paid. The published app never writes this.
    Paid(usize, Snapshot),
    /// All but one had folded; the pot was paid.
    FoldWin(usize, Snapshot),
}

impl Logged {
    /// The line in the file, from 1.
    pub fn line(&self) -> usize {
        match self {
            Logged::Action(line, _)
            | Logged::Street(line, _)
            | Logged::RunOut(line, _)
            | Logged::Paid(line, _)
            | Logged::FoldWin(line, _) => *line,
        }
    }
}

/// A decision.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LoggedAction {
    /// The street.
    pub stage: Street,
    /// The player's id.
    #[serde(rename = "player")]
    pub id: u32,
    /// What it was after the app had put it right.
    #[serde(rename = "type")]
    pub kind: Kind,
    /// The player's total on this street afterwards, also of a fold.
    pub amount: Amount,
    /// The pot afterwards.
    pub pot: Amount,
}

/// How things stood.
#[derive(Debug, Clone, PartialEq)]
pub struct Snapshot {
    /// The street; `None` is the showdown.
    pub street: Option<Street>,
    /// The pot.
    pub pot: Amount,
    /// The open cards.
    pub board: Vec<Card>,
    /// The players, by seat.
    pub players: Vec<SnapshotPlayer>,
}

/// How a player stood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SnapshotPlayer {
    /// The seat, from 1.
    pub id: u32,
    /// The name.
    pub name: String,
    /// Chips behind.
    pub chips: Amount,
    /// Put in on this street.
    pub bet: Amount,
    /// Gave up the hand.
    pub folded: bool,
    /// Winnings since the table's beginning.
    pub total: Amount,
}

/// How a hand ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// All but one folded.
    FoldWin,
    /// Hands were shown.
    Showdown,
    /// The log ends before the hand does.
    Unfinished,
}

impl LoggedHand {
    /// Snapshots have no button, but it moves by one place a hand (specification 4.b.2).
    pub fn button(&self) -> Place {
        (self.hand.saturating_sub(1)) as usize % self.start.players.len()
    }

    /// The place of a player by id.
    pub fn place(&self, id: u32) -> Option<Place> {
        self.start.players.iter().position(|player| player.id == id)
    }

    /// The stack of a place before the blinds.
    pub fn opening(&self, place: Place) -> Amount {
        let player = &self.start.players[place];
        player.chips + player.bet
    }

    /// How it ended.
    pub fn ending(&self) -> Ending {
        let ends = self.events.iter().rev().find_map(|event| match event {
            Logged::FoldWin(..) => Some(Ending::FoldWin),
            Logged::Paid(..) | Logged::RunOut(..) => Some(Ending::Showdown),
            Logged::Street(_, snapshot) if snapshot.street.is_none() => Some(Ending::Showdown),
            Logged::Street(..) | Logged::Action(..) => None,
        });
        ends.unwrap_or(Ending::Unfinished)
    }

    /// What each place won or lost, if the log tells: from the stacks after the payment where it was written down, else
    /// from what everybody had won when the next hand started.
    pub fn deltas(&self) -> Option<Vec<Amount>> {
        let paid = self.events.iter().rev().find_map(|event| match event {
            Logged::FoldWin(_, after) | Logged::Paid(_, after) => Some(after),
            _ => None,
        });
        let places = 0..self.start.players.len();
        if let Some(after) = paid {
            let delta = |place: Place| after.players[place].chips - self.opening(place);
            return Some(places.map(delta).collect());
        }
        let totals = self.totals_after.as_ref()?;
        let delta = |place: Place| totals[place] - self.start.players[place].total;
        (self.ending() == Ending::Showdown).then(|| places.map(delta).collect())
    }

    /// The decisions.
    pub fn actions(&self) -> impl Iterator<Item = &LoggedAction> {
        self.events.iter().filter_map(|event| match event {
            Logged::Action(_, action) => Some(action),
            _ => None,
        })
    }

    /// The open cards at its end.
    pub fn board(&self) -> &[Card] {
        let last = self.events.iter().rev().find_map(|event| match event {
            Logged::Street(_, snapshot)
            | Logged::RunOut(_, snapshot)
            | Logged::Paid(_, snapshot)
            | Logged::FoldWin(_, snapshot) => Some(&snapshot.board[..]),
            Logged::Action(..) => None,
        });
        last.unwrap_or_default()
    }
}
