//! A hand as a file in PHH, the poker hand history format, so that other programs can replay it.
//!
//! Variant `NT` (no-limit hold'em) with native `finishing_stacks`. Players stand in the order of that format: from the small
//! blind on, but with two players the big blind first. Everybody's cards are known, those of folded hands, too.

use std::fmt::Write;

use super::action::Street;
use super::card::Card;
use super::chips::Chips;
use super::record::{ActionRecord, HandRecord, Place};

/// Writes a hand that is over as the text of a `.phh` file.
pub fn write(record: &HandRecord) -> String {
    let places = record.places.len();
    let order: Vec<Place> = (0..places).map(|index| (first(record) + index) % places).collect();
    let amount = |chips| record.unit.write(chips);
    let each = |of: &dyn Fn(Place) -> String| {
        let each: Vec<String> = order.iter().map(|place| of(*place)).collect();
        format!("[{}]", each.join(", "))
    };
    let actions: Vec<String> = actions(record).iter().map(|line| quoted(line)).collect();
    let mut text = String::new();
    let mut line = |key: &str, value: String| {
        writeln!(text, "{key} = {value}").expect("writing to a text cannot fail");
    };
    line("variant", quoted("NT"));
    line("antes", each(&|_| "0".to_owned()));
    line("blinds_or_straddles", blinds(record));
    line("min_bet", amount(record.blinds.big));
    line("starting_stacks", each(&|place| amount(record.places[place].opening)));
    line("actions", format!("[\n  {},\n]", actions.join(",\n  ")));
    line("hand", record.hand.to_string());
    line("players", each(&|place| quoted(record.places[place].seat.as_str())));
    line("finishing_stacks", each(&|place| amount(record.stacks[place])));
    line("_profile", quoted(record.profile.name()));
    if record.places[record.big_blind()].blind < record.blinds.big {
        line("_short_big_blind", "true".to_owned());
    }
    text
}

/// The player who comes first in the file.
fn first(record: &HandRecord) -> Place {
    match record.places.len() {
        2 if record.small_blind() == record.button => record.big_blind(),
        _ => record.small_blind(),
    }
}

/// What was due, the small blind first; with two players, too, although the big blind is the first of them.
fn blinds(record: &HandRecord) -> String {
    let write = |chips| record.unit.write(chips);
    let mut blinds = vec![write(record.blinds.small), write(record.blinds.big)];
    blinds.resize(record.places.len(), "0".to_owned());
    format!("[{}]", blinds.join(", "))
}

/// The lines of what happened: the deal, actions with the board between them, hands that were shown.
fn actions(record: &HandRecord) -> Vec<String> {
    let places = record.places.len();
    let player = |place: Place| format!("p{}", (place + places - first(record)) % places + 1);
    let mut lines: Vec<String> = (0..places)
        .map(|index| (first(record) + index) % places)
        .map(|place| {
            let hole = in_one_word(&record.places[place].hole);
            format!("d dh {} {hole}", player(place))
        })
        .collect();
    let mut open = Street::Preflop;
    for action in &record.actions {
        board(record, &mut open, action.street, &mut lines);
        let what = what_happened(record, action);
        lines.push(format!("{} {what}", player(action.place)));
    }
    if let Some(place) = asked_nothing(record) {
        lines.push(format!("{} cc", player(place)));
    }
    // In a run-out hands are shown before the rest of the board is dealt.
    for place in &record.shown {
        let hole = in_one_word(&record.places[*place].hole);
        lines.push(format!("{} sm {hole}", player(*place)));
    }
    board(record, &mut open, Street::River, &mut lines);
    lines
}

/// The player who was not asked because no opponent was left to bet against, although others had acted on that street.
/// Other programs want such a player to check; not, however, a big blind whom no player at the table could have raised.
fn asked_nothing(record: &HandRecord) -> Option<Place> {
    let street = record.run_out?;
    let on_street = || record.actions.iter().filter(|a| a.street == street);
    let has_chips = |place: Place| {
        let of_place = record.actions.iter().filter(|a| a.place == place);
        let put: Chips = of_place.map(|action| action.happened.put).sum();
        record.places[place].blind + put < record.places[place].opening
    };
    on_street().next()?;
    let could_be_raised = |place: Place| {
        let blind = record.places[place].blind;
        let mut others = (0..record.places.len()).filter(|other| *other != place);
        street > Street::Preflop || others.any(|other| record.places[other].opening > blind)
    };
    let has_acted = |place: Place| on_street().any(|action| action.place == place);
    let mut shown = record.shown.iter().copied();
    shown.find(|place| has_chips(*place) && could_be_raised(*place) && !has_acted(*place))
}

/// Lines for the cards of the board after `open` and up to a street, as far as they were dealt.
fn board(record: &HandRecord, open: &mut Street, up_to: Street, lines: &mut Vec<String>) {
    while let Some(next) = open.next().filter(|street| *street <= up_to) {
        let dealt = &record.board_on(next)[record.board_on(*open).len()..];
        if !dealt.is_empty() {
            lines.push(format!("d db {}", in_one_word(dealt)));
        }
        *open = next;
    }
}

/// Fold, check or call, or bet or raise to a total. All-in is what it does.
fn what_happened(record: &HandRecord, action: &ActionRecord) -> String {
    if action.is_fold() {
        "f".to_owned()
    } else if action.is_raise() {
        format!("cbr {}", record.unit.write(action.happened.total))
    } else {
        "cc".to_owned()
    }
}

fn in_one_word(cards: &[Card]) -> String {
    cards.iter().map(|card| card.short()).collect()
}

/// A basic string of TOML.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            letter if letter.is_control() => {
                quoted.push_str(&format!("\\u{:04X}", u32::from(letter)));
            }
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests;
