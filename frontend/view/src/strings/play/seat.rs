//! What stands around every game: how the line stands, the lobby, and leaving.

use turnwise_shared::benchmark::People;
use turnwise_shared::prelude::*;
use turnwise_shared::wire::live::Clock;

use crate::number::counted;

pub const ANOTHER: &str = "Open a table";
pub const NO_SEAT: &str = "You have no seat at this table";
pub const NO_SEAT_WHY: &str = "A table is seen only from its seats until it is over. If you sat here, open the link of your seat again; \
     once it is over, everything can be read here.";
pub const UNDER_WAY: &str = "Games under way";
pub const PLAY_ON: &str = "Play on";
pub const SEAT_KEPT: &str = "This browser keeps your seat for a day; closing it loses nothing.";
pub const SEAT_LINK: &str = "Your link";
pub const YOUR_SEAT_KEPT: &str = "Your seat is kept";
pub const SEAT_LINK_WHY: &str = "Close this page whenever you like: this browser keeps your seat for a day, and Runs and Play lead back to it. \
     With this link you play on in another browser. Keep it to yourself: whoever has it can play for you.";
/// How many turns are left.
pub fn left(turns: u32) -> String {
    format!("{turns} left")
}
pub const WHOLE_TEXT: &str = "Show all";
pub const LESS: &str = "Show less";
pub const SO_FAR: &str = "Turns so far";
pub fn reply_of(characters: usize) -> String {
    format!("Reply, {}", counted(characters as u64, "character", "characters"))
}
pub fn results(count: usize) -> String {
    counted(count as u64, "result", "results")
}
pub const BACK: &str = "Back";
pub const YOUR_TURN: &str = "Your turn";
pub const BROKEN: &str = "The connection was lost; it is being made again";
pub fn broken_why(people: &People, clock: Clock) -> String {
    match clock.runs() {
        false => "Your seat is kept, and the question waits for you.".to_owned(),
        true => format!(
            "Your seat is kept, and the clock goes on: after your time and the time bank {}.",
            people.late
        ),
    }
}
pub const BROKEN_SERVER: &str =
    "If the server itself has stopped, the table ends with it; what was played until then is kept.";
pub const TAKEN_OVER: &str = "Another page has taken this seat";
pub const TAKEN_OVER_WHY: &str = "The game goes on there. This page shows what it saw last.";
pub const PLAY_HERE: &str = "Play here instead";
pub const TAKEN: &str = "Somebody sits in this seat";
pub const TAKEN_WHY: &str = "It was taken with this link before, on another page. If that was you, take the seat here; the other page then only shows what it saw last.";
pub const TAKE: &str = "Take the seat";
pub const NOT_SENT: &str = "There is no connection now, so nothing was sent.";
pub const NOT_SENT_MEND: &str = "It is being made again; then choose once more.";
pub const STILL_OPEN: &str = "Nothing has changed: the decision is still yours.";
pub const LOST_REPLY: &str = "Your last reply did not arrive before the connection was lost";
pub const WHO_IS_HERE: &str = "Who is here";
pub const WAITING: &str = "Waiting for the others to sit down";
pub const GET_UP_NOTE: &str = "Your seat is free again then, for you or for whoever has its link.";
pub const GOT_UP: &str =
    "You have left your seat. It is free until somebody sits down with its link.";
pub const STILL_FREE: &str = "still free";
pub const INVITE: &str = "Invite";
pub const INVITE_WHY: &str =
    "Send each of these links to one person. Whoever opens it can sit there, and only there.";
pub const INVITE_PEOPLE: &str = "Invite people";
/// A person's agreement in a list.
pub fn agreed_at(when: &str) -> String {
    format!("agreed on {when}")
}
/// How far a table is.
pub fn how_far(info: &LiveInfo) -> String {
    match info.stage {
        LiveStage::Lobby => "It begins when everybody sits.".to_owned(),
        LiveStage::Playing if info.episodes == 1 => "Under way.".to_owned(),
        LiveStage::Playing => format!("{} of {} played.", info.played, info.episodes),
        LiveStage::Over => match &info.end {
            Some(end) => end.why.clone(),
            None => "It is over.".to_owned(),
        },
    }
}
pub const PUBLISH_THERE: &str = "Not published yet. Published, its evidence tier is “human”, because everybody agreed to be recorded.";
pub const CONSENT_TITLE: &str = "You play as a person, for the record";
pub const CONSENT_NOTE: &str = "You need not give your real name. Whoever invited you decides whether it is published, and can take it back.";
pub const PRACTISE_FIRST: &str = "Try a sample first";
pub const PRACTISE_FIRST_NOTE: &str =
    "Opens in a new tab. It does not count and is not part of the record.";
pub const AGREE: &str = "I have read this and agree";
pub const COPY_LINK: &str = "Copy link";
pub const NONCE_NOTE: &str = "Sitting down adds a number of your own to the seed of all chance, so that nobody alone decides it.";
pub const LEAVE: &str = "Leave";
pub const LEAVE_SURE: &str = "Leave this seat for good?";
pub fn leave_what(people: &People) -> String {
    format!(
        "It cannot be taken again: {}. If nobody is left, the table ends, and what was played can be read.",
        people.absent
    )
}
pub const LEFT: &str = "You have left the table";
/// What happens to their seat.
pub fn left_what(people: &People) -> String {
    format!("Your seat cannot be taken again: {}.", people.absent)
}
pub const LEFT_THEN: &str =
    "The others play on. Once the table is over, everything that was played is shown here.";
/// Whether a person is at the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    Here,
    /// Their page is gone; they may come back.
    Away,
    Left,
}
pub const OTHERS_HERE: &str = "The other people at the table";
pub fn whoever_sits(seat: &str) -> String {
    format!("Seat {seat}")
}
/// Whether a person is there, and what happens if not.
pub fn present(name: &str, presence: Presence, people: &People, clock: Clock) -> String {
    match presence {
        Presence::Here => format!("{name} is at the table."),
        Presence::Away if clock.runs() => format!(
            "{name} is away. The seat is kept, and its clock goes on; after its time and the time bank {}.",
            people.absent
        ),
        Presence::Away => format!("{name} is away. The seat is kept, and the table waits."),
        Presence::Left => format!("{name} has left. The seat stays empty: {}.", people.absent),
    }
}
/// What happens to those who only close the page.
pub fn leave_page(people: &People, clock: Clock) -> String {
    match clock.runs() {
        false => "If you only close this page you can come back: your seat is kept, and the question waits for you.".to_owned(),
        true => format!(
            "If you only close this page you can come back: the clock goes on, first your time, then the time bank, then {}.",
            people.late
        ),
    }
}
pub const STAY: &str = "Stay";
pub const AS_MODEL: &str = "The prompt, as a model gets it";
