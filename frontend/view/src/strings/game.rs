//! What stands on tables, lanes and the numbers of games.

pub const OUT: &str = "not dealt in";
pub const FOLDED: &str = "folded";
pub const ALL_IN: &str = "all-in";
pub const TO_ACT: &str = "to act";
/// The open cards in words.
pub fn board(cards: &[String]) -> String {
    format!("board: {}", cards.join(", "))
}
pub fn to_call(amount: &str) -> String {
    format!("{amount} to call")
}
pub fn cards(cards: &[String]) -> String {
    cards.join(" and ")
}
/// What a place has put in on this street.
pub fn bet(amount: &str) -> String {
    format!("bet {amount}")
}
/// A street as it stands on the felt.
pub fn street(street: &str) -> String {
    match street {
        "preflop" => "before the flop".to_owned(),
        other => other.to_owned(),
    }
}
/// A pot's name, by its index and the number of pots.
pub fn pot(at: usize, of: usize) -> String {
    match (at, of) {
        (0, 0 | 1) => "pot".to_owned(),
        (0, _) => "main pot".to_owned(),
        (at, 2) => {
            debug_assert_eq!(at, 1, "the second of two");
            "side pot".to_owned()
        }
        (at, _) => format!("side pot {at}"),
    }
}

pub const MATCH: &str = "Match";
pub const LOG: &str = "Action log";
pub fn hand(number: u32, of: u32) -> String {
    format!("Hand {number} of {of}")
}
pub const HAND_BEFORE: &str = "Hand before";
pub const HAND_AFTER: &str = "Hand after";
/// A chance to win, in percent.
pub fn equity(percent: &str) -> String {
    format!("{percent} %")
}
pub const TOTAL: &str = "total";
pub const ROUND: &str = "Round";
pub const AS_TABLE: &str = "The same as a table";

pub const N: &str = "n";
pub const PARTICIPANT: &str = "Participant";
pub const INTERVAL: &str = "95 % interval";
/// Two curves at the same budget: what is compared, and how far they lie apart in percentage points.
pub fn equal_budget(name: &str, gap: &str, range: Option<&str>) -> String {
    let range = range.map_or_else(String::new, |range| format!(" ({range})"));
    format!("At the same budget, {name}: {gap}{range} percentage points.")
}
pub fn curves(title: &str, curves: usize) -> String {
    format!("{title}: {curves} curves; the table below says the same")
}
