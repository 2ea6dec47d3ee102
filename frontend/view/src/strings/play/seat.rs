//! What stands around every game: how the line stands, the lobby, and leaving.

use turnwise_shared::benchmark::People;
use turnwise_shared::prelude::*;
use turnwise_shared::wire::live::Clock;

pub const ANOTHER: &str = "Open a table";
pub const NO_SEAT_WHY: &str = "A table is seen only from its seats until it is over. If you sat here, open the link of your seat again; \
     once it is over, everything can be read here.";
pub const SEAT_LINK: &str = "Your link";
pub const SEAT_LINK_WHY: &str = "Close this page whenever you like: this browser keeps your seat for a day, and Runs and Play lead back to it. \
     With this link you play on in another browser. Keep it to yourself: whoever has it can play for you.";
pub fn broken_why(people: &People, clock: Clock) -> String {
    match clock.runs() {
        false => "Your seat is kept, and the question waits for you.".to_owned(),
        true => format!(
            "Your seat is kept, and the clock goes on: after your time and the time bank {}.",
            people.late
        ),
    }
}
pub const STILL_OPEN: &str = "Nothing has changed: the decision is still yours.";
pub const WHO_IS_HERE: &str = "Who is here";
pub const INVITE: &str = "Invite";
pub const INVITE_WHY: &str =
    "Send each of these links to one person. Whoever opens it can sit there, and only there.";
pub const INVITE_PEOPLE: &str = "Invite people";
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
pub const LEAVE: &str = "Leave";
/// Whether a person is at the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    Here,
    /// Their page is gone; they may come back.
    Away,
    Left,
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
