//! How much of an episode a player is shown again (specification 5.7): the inference track may shrink, the full one never
//! does. Sizes are numbers of characters, or of tokens where they can be counted.

use std::ops::Range;

#[cfg(test)]
mod tests;

/// Characters that an image counts for.
const IMAGE: u64 = 1000;

/// What a message counts for: its characters (Unicode scalar values) and 1,000 for each image.
pub fn size(text: &str, images: u64) -> u64 {
    characters(text) + IMAGE * images
}

fn characters(text: &str) -> u64 {
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

/// A message as the reference estimates its tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counted<'a> {
    pub speaker: Speaker,
    pub text: &'a str,
    /// How many images it has.
    pub images: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speaker {
    /// The user, which observations are, too.
    User,
    Other,
}

/// The reference's estimate of tokens, which it stores with errors: characters of observations by 3, all others by 2.5,
/// 512 for each image, cut to a whole number.
pub fn token_estimate(messages: &[Counted<'_>]) -> u64 {
    let is_observation = |message: &&Counted<'_>| {
        message.speaker == Speaker::User && message.text.contains("search_result")
    };
    let observed: u64 =
        messages.iter().filter(is_observation).map(|message| characters(message.text)).sum();
    let other: u64 = messages
        .iter()
        .filter(|message| !is_observation(message))
        .map(|message| characters(message.text))
        .sum();
    let images: u64 = messages.iter().map(|message| message.images).sum();
    (observed as f64 / 3.0 + other as f64 / 2.5 + 512.0 * images as f64) as u64
}
