//! The pages on which a person plays.

mod over;
mod seat;

use turnwise_shared::wire::live::Clock;

use super::capitalised;

pub use over::*;
pub use seat::*;

pub const TITLE: &str = "Play";
pub const OPPONENT: &str = "Opponent";
/// The label of a seat.
pub fn seat(name: &str) -> String {
    format!("Seat {name}")
}
/// A seat of the lobby.
pub fn seat_named(name: &str, own: bool) -> String {
    match own {
        true => format!("seat {name}, yours"),
        false => format!("seat {name}"),
    }
}
/// A model in a list.
pub fn model(model: &str, provider: &str) -> String {
    format!("{model} ({provider})")
}
pub const HIDDEN: &str = "a hidden strategy";

pub const A_FRIEND: &str = "a friend";
pub const PRACTICE: &str = "Practice";
pub const RATED: &str = "Rated";
pub const RATED_NOTE: &str =
    "You see exactly what a model in your seat would see, until the very end.";
pub const INVITED_NOTE: &str = "You invite people by a link and do not play. Each sees what is recorded and agrees to it; published, the row says human.";
pub const NAME: &str = "Your name";
pub const NOBODY: &str = "Somebody";
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
/// Tasks that chance takes, perhaps of one kind only.
pub fn any_task(value: Option<&str>) -> String {
    match value {
        None => "any, by chance".to_owned(),
        Some("en") => "any in English, by chance".to_owned(),
        Some("zh") => "any in Chinese, by chance".to_owned(),
        Some(value) => format!("any with “{value}”, by chance"),
    }
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
pub const SIT_DOWN: &str = "Sit down";

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
pub const YOUR_DECISION: &str = "Your decision";
pub const RAISE_TO: &str = "Raise to";
pub const YOUR_REPLY: &str = "Your reply";
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
/// A number that was chosen.
pub fn percent(number: &str) -> String {
    format!("{number} %")
}
/// Whether such a field holds a number from 0 to 100.
pub fn is_number(name: &str) -> bool {
    name == "confidence"
}

pub const WAIT: &str = "Waiting for the others.";
pub const NO_LINE: &str = "Nothing can be decided from this page now.";
pub const SENT: &str = "Sent.";
pub fn thinks(name: Option<&str>, place: u32) -> String {
    match name {
        Some(name) => format!("{name} is thinking."),
        None => format!("P{place} is thinking."),
    }
}
/// The end of a hand, for the person: won, lost or neither.
pub fn hand_result(sign: i64, amount: &str) -> String {
    match sign {
        1 => format!("You won this hand: {amount}."),
        -1 => format!("You lost this hand: {amount}."),
        _ => "You neither won nor lost.".to_owned(),
    }
}
pub const YOU: &str = "You";
pub const YOU_THERE: &str = "you";
/// Who had the best cards at the end.
pub fn best_cards(names: &[String]) -> String {
    format!("Had everybody stayed in, {} would have won.", names.join(" and "))
}

/// The round before.
pub fn last_round(own: &str, forced: bool, other: &str, pay: &str) -> String {
    let word = |verb: &str| match verb {
        "cooperates" => "cooperated",
        "defects" => "defected",
        _ => "moved",
    };
    let who = match forced {
        true => "Nothing came from you in time, so the rule",
        false => "You",
    };
    format!("{who} {}, the other {}: {pay}.", word(own), word(other))
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
