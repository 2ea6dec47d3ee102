//! How much of an episode a player is shown again (specification 5.7): the inference track may shrink, the full one never
//! does. Sizes are numbers of characters.

use std::ops::Range;

#[cfg(test)]
mod tests;

/// What a message counts for: its characters (Unicode scalar values).
pub fn size(text: &str) -> u64 {
    text.chars().count() as u64
}

/// A message of the track as the reference sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sized {
    pub role: Role,
    pub size: u64,
}

/// Whether a message is the system message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// It is; it always stays.
    System,
    Other,
}

/// Which messages the reference keeps, in order: all of them if they fit. Else the system message, whatever its size, and
/// from the newest back those that still fit, up to the first that does not. The question, being the oldest, goes first.
/// The result replaces the track: what was left out never returns.
pub fn reference(track: &[Sized], cap: u64) -> Vec<usize> {
    let total: u64 = track.iter().map(|message| message.size).sum();
    if total <= cap {
        return (0..track.len()).collect();
    }
    let system = track.iter().position(|message| message.role == Role::System);
    let mut used = system.map_or(0, |at| track[at].size);
    let mut kept: Vec<usize> = (0..track.len())
        .rev()
        .filter(|at| Some(*at) != system)
        .take_while(|at| {
            used = used.saturating_add(track[*at].size);
            used <= cap
        })
        .chain(system)
        .collect();
    kept.sort_unstable();
    kept
}

/// What a strict window is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Track<'a> {
    /// System message and question together: always sent.
    pub pinned: u64,
    /// Each turn with what came back for it, oldest first.
    pub turns: &'a [u64],
    /// What the marker counts for that says how many turns were left out.
    pub marker: u64,
}

/// Which turns `strict` keeps: whole turns go, the oldest first, until pinned messages, marker and the rest leave `reserved`
/// of the cap for the reply. Even the newest goes if it does not fit.
pub fn strict(track: &Track<'_>, cap: u64, reserved: u64) -> Range<usize> {
    let room = cap.saturating_sub(reserved);
    let all: u64 = track.turns.iter().sum();
    if track.pinned.saturating_add(all) <= room {
        return 0..track.turns.len();
    }
    let mut used = track.pinned.saturating_add(track.marker);
    let fitting = track.turns.iter().rev().take_while(|turn| {
        used = used.saturating_add(**turn);
        used <= room
    });
    let kept = fitting.count();
    track.turns.len() - kept..track.turns.len()
}
