//! What stands on tables, lanes and the numbers of games.

/// The position with the button.
pub const BUTTON: &str = "BTN";
/// A place that was not dealt in.
pub const OUT: &str = "not dealt in";
/// A place that folded.
pub const FOLDED: &str = "folded";
/// A place with all its chips in.
pub const ALL_IN: &str = "all-in";
/// The place whose turn it is.
pub const TO_ACT: &str = "to act";
/// Before the flop.
pub const NO_BOARD: &str = "no open cards yet";
/// The open cards in words.
pub fn board(cards: &[String]) -> String {
    format!("board: {}", cards.join(", "))
}
/// The viewer's own cards.
pub const OWN: &str = "own cards";
/// The viewer's own cards in words.
pub fn own_cards(cards: &[String]) -> String {
    format!("own cards: {}", cards.join(" and "))
}
/// Everything that was put in.
pub fn whole_pot(amount: &str) -> String {
    format!("pot {amount}")
}
/// What a call costs.
pub fn to_call(amount: &str) -> String {
    format!("{amount} to call")
}
/// Cards that are seen.
pub fn cards(cards: &[String]) -> String {
    cards.join(" and ")
}
/// Cards that are not.
pub const FACE_DOWN: &str = "cards face down";
/// What a place has left.
pub fn behind(amount: &str) -> String {
    format!("{amount} behind")
}
/// What a hand brought a place.
pub fn result(amount: &str) -> String {
    format!("result {amount}")
}
/// What a place has put in on this street.
pub fn bet(amount: &str) -> String {
    format!("bet {amount}")
}
/// A table in words.
pub fn table(hand: u32, street: &str) -> String {
    format!("The table, hand {hand}, {street}")
}
/// A street as it stands on the felt.
pub fn street(street: &str) -> String {
    match street {
        "preflop" => "before the flop".to_owned(),
        other => other.to_owned(),
    }
}
/// A pot, by its place among so many.
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

/// The section with the table.
pub const TABLE: &str = "Table";
/// The section with the lanes.
pub const MATCH: &str = "Match";
/// The list of what was done.
pub const LOG: &str = "Action log";
/// What a player thought and wrote.
pub const THINKING: &str = "What the player thought";
/// Nothing stands there.
pub const NO_THINKING: &str = "Nothing was written besides the move.";
/// The choice of a hand.
pub const HAND: &str = "Hand";
/// One of several hands.
pub fn hand(number: u32, of: u32) -> String {
    format!("Hand {number} of {of}")
}
/// Which moment of a turn is shown.
pub const MOMENT: &str = "Moment";
/// Before the seat has decided.
pub const AT_DECISION: &str = "At the decision";
/// After what followed from it.
pub const AFTER_IT: &str = "After it";
/// The button to the hand before.
pub const HAND_BEFORE: &str = "Hand before";
/// The button to the hand after.
pub const HAND_AFTER: &str = "Hand after";
/// A chance to win, in percent.
pub fn equity(percent: &str) -> String {
    format!("{percent} %")
}
/// What the percentages beside the places are.
pub const EQUITY_NOTE: &str = "Percentages: equity with all cards known. No player saw them.";
/// They were counted over a sample.
pub const EQUITY_SAMPLED: &str = "Estimated from 1,000 boards.";
/// The price of a call.
pub fn price(to_call: &str, pot: &str, percent: &str) -> String {
    format!("{to_call} to call into {pot}: needs {percent} % equity.")
}
/// Nothing has to be paid.
pub const FREE: &str = "Checking is free.";

/// What each lane has earned.
pub const TOTAL: &str = "total";
/// A round.
pub const ROUND: &str = "Round";
/// A move and its pay of a lane.
pub fn moved(name: &str) -> String {
    format!("{name} moves")
}
/// What a lane earned in a round.
pub fn earned(name: &str) -> String {
    format!("{name} earns")
}
/// What a lane has earned so far.
pub fn so_far(name: &str) -> String {
    format!("{name} so far")
}
/// A move that was not the seat's own.
pub const FORCED: &str = "fallback, not its own move";
/// The rounds as a table.
pub const AS_TABLE: &str = "The same as a table";
/// The running totals as a picture.
pub const RUNNING: &str = "Running totals";
/// No round has been played.
pub const NO_ROUNDS: &str = "No round has been played yet.";
/// What cells of lanes mean.
pub const LANES_NOTE: &str =
    "Letters are moves; the numbers below are payoffs. A dashed cell is a fallback move.";

/// The section of rankings has the title of its ranking; this is what its n is called.
pub const N: &str = "n";
/// Column: the participant.
pub const PARTICIPANT: &str = "Participant";
/// How many episodes stand behind a point.
pub const BEHIND: &str = "Episodes";
/// Points with few episodes behind them.
pub const FAINT: &str = "Hollow points have fewer than 50 episodes behind them.";
/// Column: the interval of the ranking's number.
pub const INTERVAL: &str = "95 % interval";
/// A dot and its whisker in words.
pub fn whisker(value: &str, range: &str) -> String {
    format!("{value}, interval {range}")
}
/// A cell of a matrix in words.
pub fn cell(row: &str, column: &str, value: &str) -> String {
    format!("{row} against {column}: {value}")
}
/// A matrix in words.
pub fn matrix(title: &str, rows: usize, columns: usize) -> String {
    format!("{title}: {rows} rows, {columns} columns")
}
/// Before what the colours of a matrix mean.
pub const COLOURS: &str = "Colours go";
/// What the colours of a matrix mean, with a middle.
pub fn scale(low: &str, centre: &str, high: &str) -> String {
    format!("from {low} (orange) over {centre} to {high} (blue)")
}
/// What the colours of a matrix mean, without one.
pub fn ramp(low: &str, high: &str) -> String {
    format!("from {low} (pale) to {high} (blue)")
}
/// Two curves at the same budget: what is compared, and how far they lie apart in percentage points.
pub fn equal_budget(name: &str, gap: &str, range: Option<&str>) -> String {
    let range = range.map_or_else(String::new, |range| format!(" ({range})"));
    format!("At the same budget, {name}: {gap}{range} percentage points.")
}
/// Curves in words.
pub fn curves(title: &str, curves: usize) -> String {
    format!("{title}: {curves} curves; the table below says the same")
}
/// What bands are.
pub const BANDS: &str = "Bands: 95 % intervals.";
/// A table that would have no row.
pub const NO_ROWS: &str = "Nothing to list.";
/// The head of a column of dots and whiskers, for those who do not see its axis.
pub const DRAWN: &str = "Drawn";
