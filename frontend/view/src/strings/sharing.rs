//! Sharing, branches, and episodes in addresses.

use turnwise_shared::prelude::*;
pub use turnwise_shared::screen::words::{BEFORE, BRANCH, NO_PARENT, changed, goes_on, same};
use turnwise_shared::visitors::Needs;

use crate::number::count;

pub const SHARE: &str = "Share";
pub fn link_about(one: Visibility) -> &'static str {
    match one {
        Visibility::Private => {
            "Opens only in this browser: the run is private. Change who can see it below, then send the link."
        }
        Visibility::Unlisted | Visibility::Public => {
            "Opens in any browser, without an account, while this server keeps the run."
        }
    }
}
/// What such a link weighs.
pub fn weighs(bytes: usize, most: usize) -> String {
    format!("{} of {} kB", kilobytes(bytes), kilobytes(most))
}
pub const NO_TASKS: &str =
    "its task set is not available here, so it is unknown whether it may be shared";
fn kilobytes(bytes: usize) -> String {
    let tenths = bytes.div_ceil(103) as u64;
    match tenths < 100 {
        true => format!("{}.{}", tenths / 10, tenths % 10),
        false => count(tenths / 10),
    }
}
pub fn visibility(one: Visibility) -> &'static str {
    match one {
        Visibility::Private => "Private",
        Visibility::Unlisted => "Unlisted",
        Visibility::Public => "Public",
    }
}
pub const PRIVATE_MEANS: &str = "Only this browser can open it. Everyone else gets “not found”.";
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
pub fn visibility_means(one: Visibility, at: ListedAt) -> &'static str {
    match (one, at) {
        (Visibility::Private, _) => PRIVATE_MEANS,
        (Visibility::Unlisted, _) => {
            "Anyone with the link. It is listed only on the operator's page."
        }
        (Visibility::Public, ListedAt::Nowhere) => {
            "Anyone can open it. It is listed only on leaderboards."
        }
        (Visibility::Public, ListedAt::Episode) => {
            "Anyone can open it. It is listed on the page of the original episode."
        }
        (Visibility::Public, ListedAt::Run) => {
            "Anyone can open it. It is listed on the page of the run that it grades again."
        }
    }
}

pub fn who_sits(seat: &str) -> String {
    // Those of games are numbered.
    match seat.parse::<u32>() {
        Ok(number) => format!("Who continues in seat {number}"),
        Err(_) => format!("Who continues as {seat}"),
    }
}
pub const ME: &str = "Me, in this page";
/// What the access token is needed for, where it is.
pub fn needs(needs: &Needs) -> String {
    match needs {
        Needs::Model(seat) => format!(
            "A model as {seat} costs the operator money, so it needs the server's access token."
        ),
        Needs::Search(engine) => format!(
            "The episode searches with {engine}, which costs the operator money. Continuing it needs the server's access token."
        ),
        Needs::Sealed => "The tasks are sealed: the server fills in their hidden fields. Continuing this episode needs the server's access token."
            .to_owned(),
        Needs::Web => "The episode reads pages of the live web. Continuing it needs the server's access token.".to_owned(),
        // Of runs and tables, not of branches.
        Needs::Tasks | Needs::Episodes | Needs::Budget | Needs::Rated => {
            super::access::needs(needs)
        }
    }
}
pub const TO_CONNECTIONS: &str = "Enter it under Connections";
/// Of a branch: a seat besides the one that went on is filled otherwise.
pub fn also_changed(changed: &[(Seat, Player, Player)]) -> String {
    let seats: Vec<_> = changed
        .iter()
        .map(|(seat, before, now)| format!("{seat} ({before} before, {now} now)"))
        .collect();
    format!(
        "Other seats changed from that turn on, too: {}. They may explain a difference.",
        seats.join(", ")
    )
}

/// The difference of a game: in what it is paid, and whom otherwise, with what that is now and what it was before.
pub fn paid(number: &str, otherwise: &[(String, &str, &str)]) -> String {
    let each =
        otherwise.iter().map(|(who, now, before)| format!("{who} {now} instead of {before}"));
    let each = each.collect::<Vec<_>>().join("; ");
    format!("The outcome changed ({number}): {each}.")
}
/// The player who answered, in a sentence; a person who answers in this page is its reader.
pub fn speaker(player: &Player, is_here: bool) -> String {
    match player {
        Player::Model { .. } => "the model".to_owned(),
        Player::Person if is_here => "you".to_owned(),
        Player::Person => "the person".to_owned(),
        Player::Bot(name) => name.clone(),
        Player::Recording(_) => "the recording".to_owned(),
    }
}

pub const SHARED: &str = "A shared episode";
pub const BAD_SHARE_MEND: &str = "Many messengers cut long links. Ask for the link to the run on its server, or for the file: both are in the episode's \
     Share dialog.";
