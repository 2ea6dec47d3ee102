//! Sharing, branches, and episodes in addresses.

use turnwise_shared::prelude::*;
pub use turnwise_shared::screen::words::{BEFORE, BRANCH, NO_PARENT, changed, goes_on, same};
use turnwise_shared::visitors::Needs;

use crate::number::count;

texts!("sharing");

/// What such a link weighs.
pub fn weighs(bytes: usize, most: usize) -> String {
    format!("{} of {} kB", kilobytes(bytes), kilobytes(most))
}
fn kilobytes(bytes: usize) -> String {
    let tenths = bytes.div_ceil(103) as u64;
    match tenths < 100 {
        true => format!("{}.{}", tenths / 10, tenths % 10),
        false => count(tenths / 10),
    }
}
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

pub fn who_sits(seat: &str) -> String {
    // Those of games are numbered.
    match seat.parse::<u32>() {
        Ok(number) => format!("Who continues in seat {number}"),
        Err(_) => format!("Who continues as {seat}"),
    }
}
/// What the access token is needed for, where it is.
pub fn needs(needs: &Needs) -> String {
    match needs {
        Needs::Model(seat) => needs_model(seat),
        Needs::Search(engine) => needs_search(engine),
        Needs::Sealed => NEEDS_SEALED.to_owned(),
        Needs::Web => NEEDS_WEB.to_owned(),
        // Of runs and tables, not of branches.
        Needs::Tasks | Needs::Episodes | Needs::Budget | Needs::Rated => {
            super::access::needs(needs)
        }
    }
}
/// Of a branch: a seat besides the one that went on is filled otherwise.
pub fn also_changed(changed: &[(Seat, Player, Player)]) -> String {
    let seats: Vec<_> = changed
        .iter()
        .map(|(seat, before, now)| format!("{seat} ({before} before, {now} now)"))
        .collect();
    others_changed(seats.join(", "))
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
