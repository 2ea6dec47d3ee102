//! Lines in, hands out.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::super::BadLog;
use super::super::fields::{self, Fields};
use super::hand::{GameLog, Logged, LoggedAction, LoggedHand, Snapshot, SnapshotPlayer};
use crate::action::{Kind, Street};

impl GameLog {
    /// Reads a log of events, of a table or of the model client.
    ///
    /// Two decisions in a row with equal data are one; of the other events of a table, those that were there before in the
    /// same hand with equal data are dropped (specification 4.g, fact 1).
    ///
    /// # Errors
    /// The first line and field that is not as specification 4.g says.
    pub fn read(file: &str, text: &str) -> Result<Self, BadLog> {
        let mut reader = Reader::new(file);
        for object in fields::objects(file, text) {
            let (line, object) = object?;
            reader.line(line, &object)?;
        }
        if reader.log.lines == 0 {
            return Err(fields::empty(file));
        }
        Ok(reader.log)
    }
}

/// Which hand an event belongs to: table, game and hand.
type HandId = (u32, u32, u32);

struct Reader<'a> {
    file: &'a str,
    log: GameLog,
    /// The last decision that was read, with its hand.
    last_action: Option<(HandId, Value)>,
    /// What else was read of the last few hands. A reset of one hand stands between two starts of the next.
    seen: BTreeSet<(HandId, String, String)>,
}

impl<'a> Reader<'a> {
    fn new(file: &'a str) -> Self {
        Reader {
            file,
            log: GameLog {
                file: file.to_owned(),
                lines: 0,
                repeats: 0,
                hands: Vec::new(),
                stack_resets: 0,
                new_games: 0,
                clients: Default::default(),
                strays: 0,
                unknown: Default::default(),
            },
            last_action: None,
            seen: BTreeSet::new(),
        }
    }

    fn line(&mut self, line: usize, object: &Map<String, Value>) -> Result<(), BadLog> {
        self.log.lines += 1;
        let fields = Fields::new(self.file, line, object);
        let name = fields.text("type")?;
        let data = fields.object("data")?;
        match name {
            "invalid_format" => return self.invalid_format(&data),
            "error" => return self.error(&data),
            "hand_start" | "action" | "stage_transition" | "all_in_showdown" | "log_line"
            | "showdown" | "fold_win" | "stack_reset" | "new_game" => {}
            other => {
                *self.log.unknown.entry(other.to_owned()).or_default() += 1;
                return Ok(());
            }
        }
        let id = (
            data.count("table")?,
            data.count("game")?,
            data.count("hand")?,
        );
        if self.is_repeat(id, name, &object["data"]) {
            self.log.repeats += 1;
            return Ok(());
        }
        match name {
            "hand_start" => self.start(id, line, &data)?,
            "action" => {
                let action = action(&data)?;
                self.happened(id, &data, Logged::Action(line, action))?;
            }
            "stage_transition" => {
                let snapshot = snapshot(&data)?;
                self.happened(id, &data, Logged::Street(line, snapshot))?;
            }
            "all_in_showdown" => {
                let snapshot = snapshot(&data)?;
                self.happened(id, &data, Logged::RunOut(line, snapshot))?;
            }
            "showdown" => {
                let snapshot = snapshot(&data)?;
                self.happened(id, &data, Logged::Paid(line, snapshot))?;
            }
            "fold_win" => {
                let snapshot = snapshot(&data)?;
                self.happened(id, &data, Logged::FoldWin(line, snapshot))?;
            }
            "stack_reset" => self.log.stack_resets += 1,
            "new_game" => self.log.new_games += 1,
            // A notice in words.
            _ => {}
        }
        Ok(())
    }

    fn is_repeat(&mut self, id: HandId, name: &str, data: &Value) -> bool {
        if name == "action" {
            let this = Some((id, data.clone()));
            let repeat = self.last_action == this;
            self.last_action = this;
            return repeat;
        }
        // Keys are sorted, so that equal data are equal texts.
        let is_new = self.seen.insert((id, name.to_owned(), data.to_string()));
        if name == "hand_start" && is_new {
            // What is two hands ago does not come again.
            self.seen.retain(|(other, ..)| {
                (other.0, other.1) != (id.0, id.1) || other.2.saturating_add(1) >= id.2
            });
        }
        !is_new
    }

    fn start(&mut self, id: HandId, line: usize, data: &Fields<'_>) -> Result<(), BadLog> {
        let (table, game, hand) = id;
        let start = snapshot(data)?;
        if hand == 0 {
            return Err(data.wrong("hand", "hands are numbered from 1"));
        }
        let before = self
            .log
            .hands
            .iter_mut()
            .rev()
            .find(|hand| hand.table == table);
        if let Some(before) = before {
            if (before.game, before.hand) == (game, hand) {
                let problem = format!("hand {hand} started on line {} already", before.line);
                return Err(data.wrong("hand", problem));
            }
            let same = |(one, other): (&SnapshotPlayer, &SnapshotPlayer)| one.id == other.id;
            let follows = (before.game, before.hand + 1) == (game, hand)
                || (before.game + 1, 1) == (game, hand);
            if follows
                && before.start.players.len() == start.players.len()
                && before.start.players.iter().zip(&start.players).all(same)
            {
                let totals = start.players.iter().map(|player| player.total);
                before.totals_after = Some(totals.collect());
            }
        }
        self.log.hands.push(LoggedHand {
            table,
            game,
            hand,
            line,
            start,
            events: Vec::new(),
            totals_after: None,
        });
        Ok(())
    }

    /// An event of a hand that started before.
    fn happened(&mut self, id: HandId, data: &Fields<'_>, event: Logged) -> Result<(), BadLog> {
        let hand = self
            .log
            .hands
            .iter_mut()
            .rev()
            .find(|hand| (hand.table, hand.game, hand.hand) == id);
        let Some(hand) = hand else {
            self.log.strays += 1;
            return Ok(());
        };
        match &event {
            Logged::Action(_, action) => {
                if hand.place(action.id).is_none() {
                    let problem = format!("nobody in this hand has the id {}", action.id);
                    return Err(data.wrong("playerId", problem));
                }
            }
            Logged::Street(_, snapshot)
            | Logged::RunOut(_, snapshot)
            | Logged::Paid(_, snapshot)
            | Logged::FoldWin(_, snapshot) => {
                let ids = |snapshot: &Snapshot| -> Vec<u32> {
                    snapshot.players.iter().map(|player| player.id).collect()
                };
                if ids(snapshot) != ids(&hand.start) {
                    return Err(data.wrong("players", "they are not those of the hand's start"));
                }
            }
        }
        hand.events.push(event);
        Ok(())
    }

    fn invalid_format(&mut self, data: &Fields<'_>) -> Result<(), BadLog> {
        let text = data.text_or_empty("text")?;
        let counter = self.client(data)?;
        counter.invalid_format += 1;
        counter.fenced += usize::from(text.contains("```"));
        Ok(())
    }

    fn error(&mut self, data: &Fields<'_>) -> Result<(), BadLog> {
        let reason = data.text_or_empty("reason")?.to_owned();
        let counter = self.client(data)?;
        counter.errors += 1;
        *counter.reasons.entry(reason).or_default() += 1;
        Ok(())
    }

    fn client(&mut self, data: &Fields<'_>) -> Result<&mut super::Counter, BadLog> {
        let who = (
            data.count("playerId")?,
            data.text_or_empty("model")?.to_owned(),
        );
        Ok(self.log.clients.entry(who).or_default())
    }
}

fn action(data: &Fields<'_>) -> Result<LoggedAction, BadLog> {
    let action = data.object("action")?;
    let kind = action.text("type")?;
    let kind: Kind = kind
        .parse()
        .map_err(|()| action.wrong("type", "FOLD, CHECK, CALL, RAISE or ALL_IN is wanted"))?;
    let stage = stage(data)?;
    Ok(LoggedAction {
        stage: stage.ok_or_else(|| data.wrong("stage", "nobody acts at the showdown"))?,
        id: data.count("playerId")?,
        kind,
        amount: action.amount("amount")?,
        pot: data.amount("pot")?,
    })
}

/// A snapshot stands among the data, or in a member of its own.
fn snapshot(data: &Fields<'_>) -> Result<Snapshot, BadLog> {
    if data.has("snapshot") {
        return snapshot_in(&data.object("snapshot")?);
    }
    snapshot_in(data)
}

fn snapshot_in(data: &Fields<'_>) -> Result<Snapshot, BadLog> {
    let mut board = Vec::new();
    for (index, card) in data.texts("community")?.iter().enumerate() {
        let card = card
            .parse()
            .map_err(|error| data.wrong(&format!("community[{index}]"), format!("{error}")))?;
        if board.contains(&card) {
            return Err(data.wrong("community", format!("{card} is there twice")));
        }
        board.push(card);
    }
    let players = data.objects("players")?;
    if players.len() < 2 {
        return Err(data.wrong("players", "at least two players are wanted"));
    }
    Ok(Snapshot {
        street: stage(data)?,
        pot: data.amount("pot")?,
        board,
        players: players.iter().map(player).collect::<Result<_, _>>()?,
    })
}

fn player(fields: &Fields<'_>) -> Result<SnapshotPlayer, BadLog> {
    Ok(SnapshotPlayer {
        id: fields.count("id")?,
        name: fields.text("name")?.to_owned(),
        chips: fields.amount("chips")?,
        bet: fields.amount("currentBet")?,
        folded: fields.truth("isFolded")?,
        total: fields.amount("totalWinnings")?,
    })
}

/// A street; `None` is the showdown.
fn stage(data: &Fields<'_>) -> Result<Option<Street>, BadLog> {
    let name = data.text("stage")?;
    if name == "SHOWDOWN" {
        return Ok(None);
    }
    let street = Street::ALL.into_iter().find(|street| street.name() == name);
    street
        .map(Some)
        .ok_or_else(|| data.wrong("stage", "PREFLOP, FLOP, TURN, RIVER or SHOWDOWN is wanted"))
}
