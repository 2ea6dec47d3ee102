//! What a viewer sees of a table: its own cards and what lies open; a reader sees everything.

use super::action::{By, Street};
use super::hand::Hand;
use super::observation::sentence;
use super::record::{ActionRecord, HandRecord, Place};
use super::table::{self, Table};
use super::tasks::Sitting;
use super::words;
use turnwise_core::prelude::*;
use turnwise_core::scene::{CardTable, Gauge, PlaceState, TablePlace};

/// What is looked at, and by whom.
pub struct Look<'a> {
    pub viewer: &'a Viewer,
    pub table: &'a Table,
    /// The hand that is played, if one is.
    pub hand: Option<&'a Hand>,
    /// The number of the last hand.
    pub last: u32,
    /// Why the viewer is asked again, if it is.
    pub again: Option<Again>,
    /// How the episode ended, once it has.
    pub outcome: Option<&'a Outcome>,
}

/// Why a player is asked a second time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Again {
    /// The reply was no move.
    NoMove,
    /// Nothing was said in time.
    Silent,
}

impl Again {
    fn text(self) -> &'static str {
        match self {
            Again::NoMove => "The last reply was not a move; this is the second and last attempt.",
            Again::Silent => {
                "Nothing came in time; this is the second and last attempt, then a rule acts."
            }
        }
    }
}

/// The blocks of an episode: the table, a remark, the end.
pub fn blocks(look: &Look<'_>) -> Vec<Block> {
    let mut blocks = Vec::new();
    let shown = match (look.hand, look.table.hands().last()) {
        (Some(hand), _) => Some(playing(look, hand)),
        (None, Some(record)) => Some(over(look, record)),
        (None, None) => None,
    };
    blocks.extend(shown.map(Block::CardTable));
    if let Some(again) = look.again {
        blocks.push(Block::remark(again.text()));
    }
    if let Some(outcome) = look.outcome {
        blocks.push(Block::end(&outcome.ending, result(look, outcome)));
    }
    blocks
}

/// What is left: hands, where there is more than one.
pub fn gauges(sitting: &Sitting, number: u32, outcome: Option<&Outcome>) -> Vec<Gauge> {
    if sitting.hands() < 2 {
        return Vec::new();
    }
    let left = match outcome {
        Some(_) => 0,
        None => sitting.last.saturating_sub(number) + 1,
    };
    vec![Gauge::new("hands", left, sitting.hands())]
}

fn playing(look: &Look<'_>, hand: &Hand) -> CardTable {
    let record = hand.record();
    let street = hand.street();
    let bets: u64 = hand.standings().iter().map(|standing| standing.bet.units()).sum();
    let places = hand
        .standings()
        .iter()
        .enumerate()
        .map(|(place, standing)| TablePlace {
            stack: standing.stack.units(),
            bet: standing.bet.units(),
            state: if standing.folded {
                PlaceState::Folded
            } else if hand.is_all_in(place) {
                PlaceState::AllIn
            } else {
                PlaceState::Live
            },
            to_act: hand.to_act() == Some(place),
            last: last_on(look, record, street, place),
            ..base(look, record, place)
        })
        .collect();
    CardTable {
        street: street.name().to_owned(),
        pots: vec![hand.pot().units().saturating_sub(bets)],
        places: with_absent(look, places),
        ..common(look, record)
    }
}

fn over(look: &Look<'_>, record: &HandRecord) -> CardTable {
    let places = (0..record.places.len())
        .map(|place| TablePlace {
            stack: record.stacks.get(place).map_or(0, |stack| stack.units()),
            bet: 0,
            state: if record.fold_of(place).is_some() {
                PlaceState::Folded
            } else {
                PlaceState::Live
            },
            to_act: false,
            delta: record.deltas.get(place).copied(),
            last: None,
            holds: shown(look, record, place),
            ..base(look, record, place)
        })
        .collect();
    CardTable {
        street: if record.is_showdown() { "showdown" } else { "over" }.to_owned(),
        pots: record.pots.iter().map(|pot| pot.amount.units()).collect(),
        places: with_absent(look, places),
        ..common(look, record)
    }
}

fn common(look: &Look<'_>, record: &HandRecord) -> CardTable {
    CardTable {
        hand: record.hand,
        hands: look.last,
        street: String::new(),
        board: record.board.iter().map(|card| card.short()).collect(),
        pots: Vec::new(),
        big_blind: record.blinds.big.units(),
        units_per_chip: record.unit.per_chip(),
        places: Vec::new(),
        log: log(look, record),
    }
}

fn base(look: &Look<'_>, record: &HandRecord, place: Place) -> TablePlace {
    let seat = &record.places[place];
    let own = *look.viewer == Viewer::Seat(seat.seat.clone());
    let sees = own || *look.viewer == Viewer::Reader;
    TablePlace {
        place: saturated(look.table.place(place)) + 1,
        seat: sees.then(|| seat.seat.clone()),
        position: table::position(record, place).to_owned(),
        stack: 0,
        bet: 0,
        cards: seat.hole.iter().map(|card| sees.then(|| card.short())).collect(),
        state: PlaceState::Live,
        to_act: false,
        own,
        delta: None,
        last: None,
        holds: None,
    }
}

/// What a place held at the showdown, where the viewer sees its cards.
fn shown(look: &Look<'_>, record: &HandRecord, place: Place) -> Option<String> {
    let seat = &record.places[place].seat;
    let sees = match look.viewer {
        Viewer::Reader => true,
        Viewer::Seat(own) => own == seat,
    };
    if sees { words::holds(record, place) } else { None }
}

/// Places that were not dealt in stay where they are, empty.
fn with_absent(look: &Look<'_>, dealt: Vec<TablePlace>) -> Vec<TablePlace> {
    let mut places = dealt;
    for (place, seat) in look.table.order().iter().enumerate() {
        let number = saturated(place) + 1;
        if places.iter().all(|dealt| dealt.place != number) {
            let own = *look.viewer == Viewer::Seat(seat.clone());
            places.push(TablePlace {
                place: number,
                seat: (own || *look.viewer == Viewer::Reader).then(|| seat.clone()),
                position: String::new(),
                stack: look.table.stack(place).units(),
                bet: 0,
                cards: Vec::new(),
                state: PlaceState::Out,
                to_act: false,
                own,
                delta: None,
                last: None,
                holds: None,
            });
        }
    }
    places.sort_by_key(|place| place.place);
    places
}

fn last_on(look: &Look<'_>, record: &HandRecord, street: Street, place: Place) -> Option<String> {
    let last =
        record.actions.iter().rev().find(|action| {
            action.place == place && (action.street == street || action.is_fold())
        })?;
    Some(told(look, record, last))
}

/// An action in words for the viewer. Whether a rule took it is revealed to a reader and to the player whose action it was, but
/// not to others, just as models are not shown it.
fn told(look: &Look<'_>, record: &HandRecord, action: &ActionRecord) -> String {
    let mut text = sentence(action, record.unit);
    let seat = &record.places[action.place].seat;
    let may_know = match look.viewer {
        Viewer::Reader => true,
        Viewer::Seat(own) => own == seat,
    };
    if may_know && action.by == By::Default {
        text.push_str(" (by rule)");
    }
    text
}

fn log(look: &Look<'_>, record: &HandRecord) -> Vec<String> {
    let name = |place: Place| format!("P{}", look.table.place(place) + 1);
    let mut lines = Vec::new();
    for (place, seat) in record.places.iter().enumerate() {
        if !seat.blind.is_zero() {
            lines.push(format!("{} posts {}", name(place), record.unit.write(seat.blind)));
        }
    }
    let mut street = Street::Preflop;
    let line =
        |action: &ActionRecord| format!("{} {}", name(action.place), told(look, record, action));
    for action in &record.actions {
        if action.street != street {
            street = action.street;
            lines.push(opened(record, street));
        }
        lines.push(line(action));
    }
    if let Some(from) = record.run_out {
        let rest = Street::ALL.into_iter().filter(|street| *street > from);
        lines.extend(rest.map(|street| opened(record, street)));
    }
    if let Some(back) = &record.returned {
        lines.push(format!("{} returned to {}", record.unit.write(back.chips), name(back.place)));
    }
    for pot in &record.pots {
        for share in &pot.winners {
            lines.push(format!("{} wins {}", name(share.place), record.unit.write(share.chips)));
        }
    }
    lines
}

fn opened(record: &HandRecord, street: Street) -> String {
    let cards: Vec<_> = record.board_on(street).iter().map(ToString::to_string).collect();
    format!("{}: {}", street.label(), cards.join(" "))
}

/// What the episode came to, for a reader or for the seat that looks.
fn result(look: &Look<'_>, outcome: &Outcome) -> String {
    let Some(won) = outcome.result.get("won").and_then(serde_json::Value::as_object) else {
        return outcome
            .result
            .get("message")
            .and_then(serde_json::Value::as_str)
            .unwrap_or_default()
            .to_owned();
    };
    let unit = look.table.hands().last().map(|record| record.unit);
    let mut texts = Vec::new();
    for (place, seat) in look.table.order().iter().enumerate() {
        let own = *look.viewer == Viewer::Seat(seat.clone());
        let amount = won.get(seat.as_str()).and_then(serde_json::Value::as_i64);
        if let (Some(amount), Some(unit), true) =
            (amount, unit, own || *look.viewer == Viewer::Reader)
        {
            let sign = if amount > 0 { "+" } else { "" };
            texts.push(format!("P{} {sign}{}", place + 1, unit.write_signed(amount)));
        }
    }
    texts.join(", ")
}
