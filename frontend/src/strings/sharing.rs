//! Sharing, branches, and episodes in addresses.

pub use turnwise_shared::screen::words::{BEFORE, BRANCH, NO_PARENT, changed, goes_on, same};
use turnwise_shared::visitors::Needs;
use turnwise_shared::wire::sharing::Visibility;

use crate::view::branching::Changed;
use crate::view::number::count;

/// The button, and the heading of what it opens.
pub const SHARE: &str = "Share";
/// The permanent link.
pub const LINK: &str = "Link";
/// Below it.
pub fn link_about(one: Visibility) -> &'static str {
    match one {
        Visibility::Private => {
            "Opens in this browser only: the run is private. Choose below who else may see it, then send the link."
        }
        Visibility::Unlisted | Visibility::Public => {
            "Opens in any browser, without an account, as long as this server has the run."
        }
    }
}
/// The link at a turn.
pub fn link_at(turn: u32) -> String {
    format!("Link at turn {turn}")
}
/// The link that has the episode in itself.
pub const WHOLE: &str = "The whole episode as a link";
/// Below it.
pub const WHOLE_ABOUT: &str = "The episode lies in the link itself: whoever has it can read it without asking this server for the run. \
     The question is in it, what the task hides is not.";
/// What such a link weighs.
pub fn weighs(bytes: usize, most: usize) -> String {
    format!("{} of {} kB", kilobytes(bytes), kilobytes(most))
}
/// Of a link that is as long as this or longer.
pub const LONG_LINK: &str = "Many programs for messages cut links of 4 kB and more. The link above is short and safe to send.";
/// An episode cannot be put into a link.
pub fn not_whole(why: &str) -> String {
    format!("This episode cannot be put into a link: {why}. Share the link above, or the file.")
}
/// It is not known how the tasks are kept.
pub const NO_TASKS: &str =
    "its set of tasks is not at hand, so nobody here knows whether it may be passed on";
fn kilobytes(bytes: usize) -> String {
    let tenths = bytes.div_ceil(103) as u64;
    match tenths < 100 {
        true => format!("{}.{}", tenths / 10, tenths % 10),
        false => count(tenths / 10),
    }
}
/// Button.
pub const COPY: &str = "Copy";
/// Button.
pub const DOWNLOAD: &str = "Download the transcript";

/// Who may see it.
pub const VISIBILITY: &str = "Who may see this run";
/// A choice.
pub fn visibility(one: Visibility) -> &'static str {
    match one {
        Visibility::Private => "Private",
        Visibility::Unlisted => "Unlisted",
        Visibility::Public => "Public",
    }
}
/// What being private means.
pub const PRIVATE_MEANS: &str =
    "Only this browser, which opened it. For all others it is as if it were not there.";
/// Where a run is listed that is public.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListedAt {
    /// Nowhere, unless it is published.
    Nowhere,
    /// On the page of the episode that it goes on from.
    Episode,
    /// On the page of the run whose plays it grades again.
    Run,
}
/// What a choice means.
pub fn visibility_means(one: Visibility, at: ListedAt) -> &'static str {
    match (one, at) {
        (Visibility::Private, _) => PRIVATE_MEANS,
        (Visibility::Unlisted, _) => {
            "Whoever has a link. It is listed nowhere but on the operator's page."
        }
        (Visibility::Public, ListedAt::Nowhere) => {
            "Anyone can open it. It is listed only on leaderboards."
        }
        (Visibility::Public, ListedAt::Episode) => {
            "Everybody, and it is listed on the page of the episode that it goes on from."
        }
        (Visibility::Public, ListedAt::Run) => {
            "Everybody, and it is listed on the page of the run whose plays it grades again."
        }
    }
}
/// Of a run that is listed nowhere by being public.
pub const TO_BOARD: &str = "To put it on a board, where everybody finds it, publish it.";
/// Of a branch that was opened without the access token.
pub const NEVER_LISTED: &str = "It was opened without this server's access token, so it cannot be made public; only its operator, and this browser, have it in a list.";
/// Withdrawing.
pub const WITHDRAW: &str = "Withdraw this run";
/// What it means.
pub const WITHDRAW_ABOUT: &str = "Nothing of it is told to anybody any more, this browser included, but that it was withdrawn. This cannot be undone.";
/// Button.
pub const WITHDRAW_SURE: &str = "Withdraw for good";
/// Button.
pub const WITHDRAW_NOT: &str = "Keep it";

/// The button that begins a branch at a turn.
pub fn take_over_at(turn: u32) -> String {
    format!("Take over from turn {turn}")
}
/// What it is.
pub const TAKE_OVER_ABOUT: &str = "Continue from this turn as a new run. It is graded and compared with the original, and never ranked.";
/// Field.
pub fn who_sits(seat: &str) -> String {
    // Those of games are numbered.
    match seat.parse::<u32>() {
        Ok(number) => format!("Who goes on in seat {number}"),
        Err(_) => format!("Who goes on as {seat}"),
    }
}
/// A choice.
pub const ME: &str = "I do, in this page";
/// Below a seat in which a model sat that cannot be asked.
pub fn was_model(who: &str) -> String {
    format!(
        "Until now: {who}. A model costs whoever runs this server something. From this turn on somebody else sits here, and the branch says so."
    )
}
/// What the access token is needed for, where it is.
pub fn needs(needs: &Needs) -> String {
    match needs {
        Needs::Model(seat) => format!(
            "A model as {seat} costs whoever runs this server something, so it needs the server's access token."
        ),
        Needs::Search(engine) => format!(
            "The episode searches with {engine}, which costs whoever runs this server something. To go on from it needs the \
             server's access token."
        ),
        Needs::Sealed => "The tasks are sealed: what is hidden in them is asked of the server. To go on from this episode needs \
             the server's access token."
            .to_owned(),
    }
}
/// The tasks are not at hand.
pub const NEEDS_TASKS: &str = "The file of its tasks is given out with the server's access token only. If you have the file, drop it \
     on the page of a new run first.";
/// Nobody can sit there.
pub fn nobody_fits(seat: &str) -> String {
    format!(
        "No built-in player can sit as {seat}, so this episode can only be taken over with a model there, which needs the server's access token."
    )
}
/// Link to where it is entered.
pub const TO_CONNECTIONS: &str = "Enter it under Connections";
/// Who will see a branch that was opened without the token.
pub const FREE_BRANCH: &str = "Whoever has its link can read the branch. Without the access token only this browser and the operator have it in a list.";
/// Of a branch: a seat besides the one that went on is filled otherwise.
pub fn also_changed(changed: &[Changed]) -> String {
    let seats: Vec<_> = changed
        .iter()
        .map(|one| format!("{} ({} before, {} now)", one.seat, one.before, one.now))
        .collect();
    format!(
        "From that turn on others sat elsewhere, too: {}. A difference may be due to them.",
        seats.join(", ")
    )
}
/// Below it.
pub const LIST_IT_ABOUT: &str = "Everybody can see it then, and it is listed on the page of this episode. Otherwise only whoever has its link can.";
/// Who sat there.
pub fn was(who: &str) -> String {
    format!("until now: {who}")
}
/// The title of a branch.
pub fn branch_title(task: &str, turn: u32, who: &str) -> String {
    format!("Task {task} from turn {turn}, {who}")
}

/// The difference of a game: in what it is paid, and whom otherwise, with what that is now and what it was before.
pub fn paid(number: &str, otherwise: &[(String, &str, &str)]) -> String {
    let each = otherwise
        .iter()
        .map(|(who, now, before)| format!("{who} {now} instead of {before}"));
    let each = each.collect::<Vec<_>>().join("; ");
    format!("The outcome changed ({number}): {each}.")
}
/// Somebody in a seat.
pub fn in_seat(who: &str, seat: &str) -> String {
    format!("{who} ({})", seat.to_lowercase())
}
/// A branch in the list.
pub fn from_turn(turn: u32) -> String {
    format!("from turn {turn}")
}

/// The page of an episode in an address.
pub const SHARED: &str = "A shared episode";
/// The address has no sound episode.
pub fn bad_share(why: &str) -> String {
    format!("This link cannot be read: {why}.")
}
/// What to do about it.
pub const BAD_SHARE_MEND: &str = "Many programs for messages cut long links, and would cut this one again. Ask for the link to the run on its \
     server, or for the file: both are in the dialog Share of the episode.";
