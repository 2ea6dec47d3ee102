//! Logs summed up: the hands, what the engine says of each, and how often what was done by whom.

use std::collections::BTreeMap;

use serde::Serialize;

use super::super::Amount;
use super::hand::{Counter, Ending, GameLog, LoggedAction, LoggedHand};
use super::replay::{Replay, replay};
use crate::card::Card;

/// What logs of events say.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// Over all of it.
    pub counts: Counts,
    /// By player, in seat order.
    pub players: Vec<PlayerCounts>,
    /// Hand by hand.
    pub hands: Vec<HandRow>,
    /// What a reader must know, each in a sentence.
    pub remarks: Vec<String>,
}

/// Counts over all logs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Files.
    pub files: usize,
    /// Lines in them.
    pub lines: usize,
    /// Lines that say again what an earlier one said.
    pub repeats: usize,
    /// Hands.
    pub hands: usize,
    /// Hands in which all but one folded.
    pub fold_wins: usize,
    /// Hands that were shown.
    pub showdowns: usize,
    /// Hands at the end of which the log is missing.
    pub unfinished: usize,
    /// Decisions by what they were.
    pub actions: BTreeMap<String, usize>,
    /// Times at which all stacks were reset.
    pub stack_resets: usize,
    /// Times at which the game began anew.
    pub new_games: usize,
    /// Replies that were not in the wanted format.
    pub invalid_format: usize,
    /// Decisions for which a fold was put in.
    pub errors: usize,
    /// Hands that the reference engine plays alike, payment included.
    pub replay_ok: usize,
    /// Hands that it plays alike, and of which the log does not tell the payment or the end.
    pub replay_open: usize,
    /// Hands in which it differs.
    pub replay_differs: usize,
}

/// What a player did.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct PlayerCounts {
    /// The seat.
    pub id: u32,
    /// The name, as far as a table's log is there; else the model.
    pub name: String,
    /// Hands that were dealt.
    pub hands: usize,
    /// Hands that were won.
    pub wins: usize,
    /// What was won, over the hands of which the log tells.
    pub winnings: Amount,
    /// Decisions by what they were.
    pub actions: BTreeMap<String, usize>,
    /// What the model client counted.
    #[serde(flatten)]
    pub client: Counter,
}

/// A hand.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HandRow {
    /// The table.
    pub table: u32,
    /// The game.
    pub game: u32,
    /// The hand's number.
    pub hand: u32,
    /// The id of the player with the button, told by the hand's number.
    pub button: u32,
    /// How it ended.
    pub ending: Ending,
    /// The open cards.
    pub board: Vec<String>,
    /// The pot after the last decision.
    pub pot: Amount,
    /// Who sat there, by seat.
    pub players: Vec<HandPlayer>,
    /// The decisions in order.
    pub actions: Vec<LoggedAction>,
    /// What the reference engine says.
    pub replay: Replay,
}

/// A player in a hand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HandPlayer {
    /// The seat.
    pub id: u32,
    /// The name.
    pub name: String,
    /// The stack before the blinds.
    pub opening: Amount,
    /// What was won or lost; `None` if the log does not tell.
    pub delta: Option<Amount>,
}

/// Sums up logs of tables and of the model client.
pub fn summary(logs: &[GameLog]) -> Summary {
    let mut counts = Counts {
        files: logs.len(),
        ..Counts::default()
    };
    let mut players: BTreeMap<u32, PlayerCounts> = BTreeMap::new();
    let mut hands = Vec::new();
    let mut remarks = Vec::new();
    for log in logs {
        counts.lines += log.lines;
        counts.repeats += log.repeats;
        counts.stack_resets += log.stack_resets;
        counts.new_games += log.new_games;
        for hand in &log.hands {
            let row = row(hand);
            count(&row, &mut counts, &mut players);
            hands.push(row);
        }
        for ((id, model), client) in &log.clients {
            counts.invalid_format += client.invalid_format;
            counts.errors += client.errors;
            let player = players.entry(*id).or_default();
            player.id = *id;
            if player.name.is_empty() {
                player.name.clone_from(model);
            }
            add(&mut player.client, client);
        }
        remarks.extend(remarks_on(log));
    }
    Summary {
        counts,
        players: players.into_values().collect(),
        hands,
        remarks,
    }
}

fn row(hand: &LoggedHand) -> HandRow {
    let deltas = hand.deltas();
    let players = hand.start.players.iter().enumerate();
    let actions: Vec<LoggedAction> = hand.actions().cloned().collect();
    HandRow {
        table: hand.table,
        game: hand.game,
        hand: hand.hand,
        button: hand.start.players[hand.button()].id,
        ending: hand.ending(),
        board: hand.board().iter().map(Card::to_string).collect(),
        pot: actions.last().map_or(hand.start.pot, |action| action.pot),
        players: players
            .map(|(place, player)| HandPlayer {
                id: player.id,
                name: player.name.clone(),
                opening: hand.opening(place),
                delta: deltas.as_ref().map(|deltas| deltas[place]),
            })
            .collect(),
        actions,
        replay: replay(hand),
    }
}

fn count(row: &HandRow, counts: &mut Counts, players: &mut BTreeMap<u32, PlayerCounts>) {
    counts.hands += 1;
    *match row.ending {
        Ending::FoldWin => &mut counts.fold_wins,
        Ending::Showdown => &mut counts.showdowns,
        Ending::Unfinished => &mut counts.unfinished,
    } += 1;
    *match row.replay {
        Replay::Ok => &mut counts.replay_ok,
        Replay::NotSettled | Replay::Unfinished => &mut counts.replay_open,
        Replay::Differs(_) => &mut counts.replay_differs,
    } += 1;
    for seated in &row.players {
        let player = players.entry(seated.id).or_default();
        player.id = seated.id;
        player.name.clone_from(&seated.name);
        player.hands += 1;
        let delta = seated.delta.unwrap_or_default();
        player.winnings += delta;
        player.wins += usize::from(delta > Amount::ZERO);
    }
    for action in &row.actions {
        let name = action.kind.name();
        *counts.actions.entry(name.to_owned()).or_default() += 1;
        let player = players.entry(action.id).or_default();
        *player.actions.entry(name.to_owned()).or_default() += 1;
    }
}

fn add(sum: &mut Counter, other: &Counter) {
    sum.invalid_format += other.invalid_format;
    sum.fenced += other.fenced;
    sum.errors += other.errors;
    for (reason, count) in &other.reasons {
        *sum.reasons.entry(reason.clone()).or_default() += count;
    }
}

fn remarks_on(log: &GameLog) -> Vec<String> {
    let mut remarks = Vec::new();
    if log.strays > 0 {
        remarks.push(format!(
            "{}: {} events belong to hands whose start is not in the file; they are left out.",
            log.file, log.strays
        ));
    }
    for (name, count) in &log.unknown {
        remarks.push(format!(
            "{}: {count} events of the unknown type {name:?} are left out.",
            log.file
        ));
    }
    remarks
}
