//! `stats-log-N.ndjson`: a line for every hand that was won because the others folded, with counters that run on
//! (specification 4.g).
//!
//! Hands that came to a showdown have no line; their winnings stand in the next one. So totals are right, and a line's
//! winnings are not those of one hand. [`missettled`] makes use of exactly that.

mod missettled;
mod overview;
#[cfg(test)]
mod tests;

use super::Amount;
use turnwise_core::formats::BadFile;
use turnwise_core::kit::rows::{self, ROW_LIMIT};
use turnwise_core::prelude::*;

pub use missettled::{Evidence, Loss, MisSettled, MisSettledPlayer};
pub use overview::{Overview, PlayerRow, TablePlayer, TableRow, overview};

/// A table's log, as the authors' aggregator reads it (specification 4.d): lines whose hand number is not above the last
/// accepted one are skipped.
#[derive(Debug, Clone, PartialEq)]
pub struct StatsLog {
    pub file: String,
    pub table: u32,
    /// Lines in the file, skipped ones included, blank ones not.
    pub lines: usize,
    /// When the first line was written, in milliseconds since 1970; tells two logs of one table apart.
    pub begun: f64,
    /// The accepted lines, at least one.
    pub accepted: Vec<Line>,
    /// Lines at which the game number rose: there the hand number falls back, so that the rule skips lines.
    pub games_begun: usize,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// Its number in the file, from 1.
    pub line: usize,
    /// The hand after which it was written, from 1.
    pub hand: u32,
    /// The players, in the order of their seats; at least two.
    pub players: Vec<Counters>,
}

/// What a line says of a player. All but chips and winnings are counted from the table's beginning.
#[derive(Debug, Clone, PartialEq)]
pub struct Counters {
    /// The seat, from 1.
    pub id: u32,
    pub name: String,
    pub model: String,
    pub chips: Amount,
    /// Winnings since the accepted line before this one.
    pub winnings: Amount,
    pub hands: u32,
    pub folds: u32,
    /// Hands that count as voluntarily played by the app's own rule.
    pub vpip: u32,
    /// Mean time of a decision in milliseconds, failures included.
    pub think_ms: f64,
    /// The largest winnings of a hand, at least 0.
    pub biggest_win: Amount,
    /// The largest loss of a hand, at most 0.
    pub biggest_loss: Amount,
}

impl StatsLog {
    /// Whether bytes look like such a log, by their first line.
    pub fn recognise(bytes: &[u8]) -> bool {
        matches!(objects(bytes).next(), Some(Ok((_, line)))
            if line.get("players").is_some() && line.get("handNumber").is_some())
    }

    /// Reads a log. Its lines have `handWinnings`, or in the older form `totalWinnings`, which is counted from the table's
    /// beginning.
    ///
    /// # Errors
    /// The first line and field that is not as specification 4.g says.
    pub fn read(file: &str, bytes: &(impl AsRef<[u8]> + ?Sized)) -> Result<Self, BadFile> {
        let named = |bad: BadRow| BadFile { file: Some(file.to_owned()), problem: bad.to_string() };
        StatsLog::lines(file, bytes.as_ref()).map_err(named)
    }

    fn lines(file: &str, bytes: &[u8]) -> Result<Self, BadRow> {
        let mut log: Option<StatsLog> = None;
        let mut game = 0;
        let mut totals: Vec<Amount> = Vec::new();
        let mut lines = 0;
        for object in objects(bytes) {
            let (line, object) = object?;
            let written = Written::read(Fields::new(line, &object))?;
            lines += 1;
            let log = log.get_or_insert_with(|| StatsLog {
                file: file.to_owned(),
                table: written.table,
                lines: 0,
                begun: written.timestamp,
                accepted: Vec::new(),
                games_begun: 0,
            });
            written.belongs_to(log)?;
            if written.game > game && game > 0 {
                log.games_begun += 1;
            }
            game = written.game;
            if log.accepted.last().is_some_and(|last| written.hand <= last.hand) {
                continue;
            }
            log.accepted.push(written.accepted(&mut totals));
        }
        let mut log = log.ok_or_else(|| BadRow::file("it has no lines"))?;
        log.lines = lines;
        Ok(log)
    }

    /// The last accepted line.
    pub fn last(&self) -> &Line {
        self.accepted.last().expect("a log is made together with its first line")
    }

    /// What a seat won over the whole table. `seat` is a place in [`Line::players`].
    pub fn total(&self, seat: usize) -> Amount {
        let winnings = self.accepted.iter().map(|line| line.players[seat].winnings);
        winnings.sum()
    }
}

/// A line as it stands in the file.
struct Written<'a> {
    fields: Fields<'a>,
    timestamp: f64,
    table: u32,
    game: u32,
    hand: u32,
    players: Vec<(Counters, Form)>,
}

/// How a line tells winnings.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    SinceLastLine,
    FromTheBeginning,
}

impl<'a> Written<'a> {
    fn read(fields: Fields<'a>) -> Result<Self, BadRow> {
        let players = fields.objects("players")?;
        if players.len() < 2 {
            return Err(fields.bad("players", "at least two players are wanted"));
        }
        Ok(Written {
            timestamp: fields.get("timestamp")?,
            table: fields.get("tableId")?,
            game: fields.get("gameNumber")?,
            hand: fields.get("handNumber")?,
            players: players.iter().map(player).collect::<Result<_, _>>()?,
            fields,
        })
    }

    /// Whether it is a line of this log: the same table, the same players in the same seats.
    fn belongs_to(&self, log: &StatsLog) -> Result<(), BadRow> {
        if self.table != log.table {
            let problem =
                format!("the file is of table {}, this line of {}", log.table, self.table);
            return Err(self.fields.bad("tableId", problem));
        }
        let Some(last) = log.accepted.last() else {
            return Ok(());
        };
        let who = |player: &Counters| (player.id, player.name.clone());
        let before = last.players.iter().map(who);
        if !before.eq(self.players.iter().map(|(player, _)| who(player))) {
            let problem = format!("they are not those of line {}", last.line);
            return Err(self.fields.bad("players", problem));
        }
        Ok(())
    }

    /// The line as the aggregator takes it. `totals` are the winnings from the beginning to the line before.
    fn accepted(self, totals: &mut Vec<Amount>) -> Line {
        totals.resize(self.players.len(), Amount::ZERO);
        let players = self.players.into_iter().zip(totals.iter_mut());
        let players = players.map(|((mut player, form), total)| {
            if form == Form::FromTheBeginning {
                player.winnings = player.winnings - *total;
            }
            *total += player.winnings;
            player
        });
        Line { line: self.fields.row(), hand: self.hand, players: players.collect() }
    }
}

fn player(fields: &Fields<'_>) -> Result<(Counters, Form), BadRow> {
    let has = |name: &str| fields.value(name).is_some();
    let (winnings, form) = if has("handWinnings") || !has("totalWinnings") {
        (fields.get("handWinnings")?, Form::SinceLastLine)
    } else {
        (fields.get("totalWinnings")?, Form::FromTheBeginning)
    };
    let player = Counters {
        id: fields.get("id")?,
        name: fields.get("name")?,
        model: fields.maybe("model")?.unwrap_or_default(),
        chips: fields.get("chips")?,
        winnings,
        hands: fields.get("handsPlayed")?,
        folds: fields.get("folds")?,
        vpip: fields.get("vpipCount")?,
        think_ms: fields.get("avgThinkMs")?,
        biggest_win: fields.get("biggestWin")?,
        biggest_loss: fields.get("biggestLoss")?,
    };
    for (name, counted) in [("folds", player.folds), ("vpipCount", player.vpip)] {
        if counted > player.hands {
            let problem = format!("{counted} of {} hands", player.hands);
            return Err(fields.bad(name, problem));
        }
    }
    Ok((player, form))
}

fn objects(bytes: &[u8]) -> impl Iterator<Item = Result<(usize, Object), BadRow>> + '_ {
    rows::objects(bytes, Dialect::Python, ROW_LIMIT)
}
