//! The pages on which a person plays.

mod over;
mod seat;

use turnwise_shared::wire::live::Clock;

use super::capitalised;

pub use over::*;
pub use seat::*;

texts!("play");

/// A time in a list.
pub fn for_each(seconds: u32) -> String {
    match seconds {
        0 => "as long as it takes".to_owned(),
        1..=90 => format!("{seconds} seconds"),
        _ => format!("{} minutes", seconds / 60),
    }
}
/// What the time bank is.
pub fn bank_note(clock: Clock) -> String {
    match (clock.runs(), clock.bank_seconds) {
        (false, _) => "no clock: a question waits until you answer".to_owned(),
        (true, 0) => "and no time bank".to_owned(),
        (true, bank) => format!("and a bank of {} for the whole table", for_each(bank)),
    }
}
/// The clock of a table.
pub fn clock(clock: Clock) -> String {
    match clock.runs() {
        true => {
            format!("{} for each decision, {}.", for_each(clock.decision_seconds), bank_note(clock))
        }
        false => "There is no clock: a question waits until it is answered.".to_owned(),
    }
}
/// A seat with a part of its own.
pub fn part_of(seat: &str) -> String {
    capitalised(seat)
}
/// The most characters of a task in a list.
const CLIPPED: usize = 70;
/// A task in a list.
pub fn task(labels: &str, text: &str) -> String {
    let mut clipped: String = text.chars().take(CLIPPED).collect();
    if clipped.len() < text.len() {
        clipped.push('…');
    }
    match labels {
        "" => clipped,
        labels => format!("{labels}: {clipped}"),
    }
}

/// A time that is counted down.
pub fn seconds(milliseconds: f64) -> String {
    let seconds = (milliseconds / 1000.0).ceil().max(0.0) as u64;
    format!("{}:{:02}", seconds / 60, seconds % 60)
}
/// What is in the bank.
pub fn bank(milliseconds: f64) -> String {
    match milliseconds {
        0.0 => "no time bank left".to_owned(),
        _ => format!("and {} in the bank", seconds(milliseconds)),
    }
}
/// What is left in another person's time bank.
pub fn others_bank(milliseconds: f64) -> String {
    match milliseconds {
        0.0 => "left for them".to_owned(),
        _ => format!("left for them, and {} in their bank", seconds(milliseconds)),
    }
}
/// The button that does it.
pub fn do_action(name: &str) -> String {
    match name {
        "accept" => "Let it pass".to_owned(),
        "edit" => "Send the changed draft".to_owned(),
        "refuse" => "Refuse it".to_owned(),
        name => capitalised(name),
    }
}
/// What a field of an action is called.
pub fn parameter(name: &str) -> String {
    match name {
        "confidence" => "How sure are you?".to_owned(),
        "json" => "The draft as you want it, or only what you change (JSON)".to_owned(),
        "text" => "Query".to_owned(),
        "url" => "Address".to_owned(),
        place if place.parse::<u32>().is_ok() => format!("Place {place}"),
        name => super::capitalised(&name.replace('_', " ")),
    }
}
/// Whether such a field holds a number from 0 to 100.
pub fn is_number(name: &str) -> bool {
    name == "confidence"
}

/// The end of a hand, for the person: won, lost or neither.
pub fn hand_result(sign: i64, amount: &str) -> String {
    match sign {
        1 => format!("You won this hand: {amount}."),
        -1 => format!("You lost this hand: {amount}."),
        _ => "You neither won nor lost.".to_owned(),
    }
}
/// Who had the best cards at the end.
pub fn best_cards(names: &[String]) -> String {
    format!("Had everybody stayed in, {} would have won.", names.join(" and "))
}

/// Which part of a table is played.
pub fn part(name: &str, episode: Option<u32>, episodes: u32) -> String {
    match (episode, episodes) {
        (Some(episode), 2..) => format!("{name}, {episode} of {episodes}"),
        _ => name.to_owned(),
    }
}

/// A clause as a sentence of its own.
pub fn sentence(clause: &str) -> String {
    match clause.trim_end_matches('.') {
        "" => String::new(),
        clause => format!("{}.", capitalised(clause)),
    }
}
