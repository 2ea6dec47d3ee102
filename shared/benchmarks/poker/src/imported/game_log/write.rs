//! A log of events as the app would write it, of hands that our engine played: to try the reader on. What is in it is made
//! up, and times are line numbers.

use serde_json::{Map, Value, json};

use super::super::Amount;
use crate::action::Street;
use crate::card::Card;
use crate::chips::Chips;
use crate::record::{ActionRecord, HandRecord, Place};

/// The lines of a table's log, each with its line break. Every event of a state updater stands there twice, and showdowns are
/// not paid in the log (specification 4.g).
///
/// `hands` are consecutive hands of the `reference` profile, numbered from 1, with the same participants.
pub fn game_log(table: u32, hands: &[HandRecord]) -> String {
    let mut writer = Writer {
        table,
        lines: String::new(),
        clock: 0,
    };
    let mut totals = vec![0_i64; hands.first().map_or(0, |hand| hand.places.len())];
    for (index, hand) in hands.iter().enumerate() {
        let before = index.checked_sub(1).map(|before| &hands[before]);
        let reset = before.filter(|before| before.stacks != openings(hand));
        writer.hand(hand, reset, &totals);
        for (total, delta) in totals.iter_mut().zip(&hand.deltas) {
            *total += delta;
        }
    }
    writer.lines
}

fn openings(hand: &HandRecord) -> Vec<Chips> {
    hand.places.iter().map(|place| place.opening).collect()
}

struct Writer {
    table: u32,
    lines: String,
    clock: u64,
}

impl Writer {
    fn hand(&mut self, hand: &HandRecord, reset: Option<&HandRecord>, totals: &[i64]) {
        let mut now = Now::of(hand, totals);
        now.history
            .push(format!("Hand {}: the cards are dealt", hand.hand));
        let start = now.snapshot(Some(Street::Preflop));
        // The updater of the next deal resets and starts, and runs twice.
        for _ in 0..2 {
            if let Some(before) = reset {
                let stacks = before.stacks.iter().enumerate();
                let players: Vec<Value> = stacks
                    .map(|(place, stack)| json!({ "id": place + 1, "chips": chips(*stack) }))
                    .collect();
                let data = json!({ "reason": "somebody has no chips", "players": players });
                self.event("stack_reset", before.hand, &data);
            }
            self.event("hand_start", hand.hand, &start);
        }
        for (index, action) in hand.actions.iter().enumerate() {
            now.act(action);
            let data = json!({
                "stage": action.street.name(),
                "playerId": action.place + 1,
                "model": model(action.place),
                "action": {
                    "type": action.happened.kind.name(),
                    "amount": chips(action.happened.total),
                    "reasoning": "made up",
                },
                "pot": chips(now.pot),
            });
            self.twice("action", hand.hand, &data);
            match hand.actions.get(index + 1) {
                Some(next) => self.streets(hand, &mut now, action.street, next.street),
                None => self.end(hand, &mut now, action.street),
            }
        }
        // The blinds may leave nobody to ask.
        if hand.actions.is_empty() {
            self.end(hand, &mut now, Street::Preflop);
        }
    }

    /// The streets that begin after one and up to another.
    fn streets(&mut self, hand: &HandRecord, now: &mut Now<'_>, from: Street, to: Street) {
        for street in Street::ALL {
            if street > from && street <= to {
                now.open(street);
                self.twice("stage_transition", hand.hand, &now.snapshot(Some(street)));
            }
        }
    }

    fn end(&mut self, hand: &HandRecord, now: &mut Now<'_>, street: Street) {
        if !hand.is_showdown() {
            now.pay();
            self.twice("fold_win", hand.hand, &now.snapshot(Some(street)));
        } else if hand.run_out.is_some() {
            now.board.clone_from(&hand.board);
            self.event(
                "log_line",
                hand.hand,
                &json!({ "message": "The board is completed" }),
            );
            self.twice("all_in_showdown", hand.hand, &now.snapshot(None));
        } else {
            self.streets(hand, now, street, Street::River);
            self.twice("stage_transition", hand.hand, &now.snapshot(None));
        }
    }

    fn twice(&mut self, name: &str, hand: u32, data: &Value) {
        self.event(name, hand, data);
        self.event(name, hand, data);
    }

    fn event(&mut self, name: &str, hand: u32, data: &Value) {
        let mut all = Map::new();
        all.insert("table".into(), json!(self.table));
        all.insert("game".into(), json!(1));
        all.insert("hand".into(), json!(hand));
        if let Value::Object(data) = data {
            all.extend(data.clone());
        }
        self.clock += 1;
        let line = json!({
            "type": name, "data": all, "timestamp": self.clock, "tableId": self.table,
        });
        self.lines.push_str(&line.to_string());
        self.lines.push('\n');
    }
}

/// How things stand in the hand that is written.
struct Now<'a> {
    hand: &'a HandRecord,
    totals: &'a [i64],
    stacks: Vec<Chips>,
    bets: Vec<Chips>,
    folded: Vec<bool>,
    pot: Chips,
    board: Vec<Card>,
    history: Vec<String>,
    paid: bool,
}

impl<'a> Now<'a> {
    fn of(hand: &'a HandRecord, totals: &'a [i64]) -> Self {
        let places = &hand.places;
        Now {
            hand,
            totals,
            stacks: places.iter().map(|one| one.opening - one.blind).collect(),
            bets: places.iter().map(|one| one.blind).collect(),
            folded: vec![false; places.len()],
            pot: places.iter().map(|one| one.blind).sum(),
            board: Vec::new(),
            history: Vec::new(),
            paid: false,
        }
    }

    fn act(&mut self, action: &ActionRecord) {
        self.stacks[action.place] -= action.happened.put;
        self.bets[action.place] += action.happened.put;
        self.folded[action.place] |= action.is_fold();
        self.pot = action.pot;
        let kind = action.happened.kind.name();
        let mut line = format!("P{} {kind}", action.place + 1);
        if !action.happened.total.is_zero() {
            let total = self.hand.unit.write(action.happened.total);
            line.push_str(&format!(" ${total}"));
        }
        self.history.push(line);
    }

    fn open(&mut self, street: Street) {
        self.bets.fill(Chips::ZERO);
        self.board = self.hand.board_on(street).to_vec();
        self.history.push(format!("--- {} ---", street.name()));
    }

    fn pay(&mut self) {
        self.stacks.clone_from(&self.hand.stacks);
        self.pot = Chips::ZERO;
        self.paid = true;
        let winner = self.folded.iter().position(|folded| !folded);
        let winner = winner.map_or(0, |place| place + 1);
        self.history.push(format!("P{winner} wins the pot"));
    }

    /// `street` is `None` at the showdown.
    fn snapshot(&self, street: Option<Street>) -> Value {
        let last = self.history.len().saturating_sub(5);
        let board: Vec<String> = self.board.iter().map(Card::to_string).collect();
        json!({
            "stage": street.map_or("SHOWDOWN", Street::name),
            "pot": chips(self.pot),
            "community": board,
            "players": (0..self.stacks.len()).map(|place| self.player(place)).collect::<Vec<_>>(),
            "history": self.history[last..],
        })
    }

    fn player(&self, place: Place) -> Value {
        let delta = if self.paid {
            self.hand.deltas[place]
        } else {
            0
        };
        let folded = self.folded[place];
        json!({
            "id": place + 1,
            "name": format!("Player {}", place + 1),
            "model": model(place),
            "chips": chips(self.stacks[place]),
            "currentBet": chips(self.bets[place]),
            "isFolded": folded,
            "isAllIn": !folded && self.stacks[place].is_zero(),
            "status": match (folded, self.paid) {
                (true, _) => "out",
                (false, true) => "winner",
                (false, false) => "waiting",
            },
            "totalWinnings": Amount::millionths(self.totals[place] + delta),
        })
    }
}

fn model(place: Place) -> String {
    format!("made-up/model-{}", place + 1)
}

/// Amounts of the reference profile are millionths.
fn chips(chips: Chips) -> Amount {
    Amount::millionths(i64::try_from(chips.units()).unwrap_or(i64::MAX))
}
