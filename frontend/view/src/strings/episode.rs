//! The page of an episode.

use turnwise_shared::effect::{PAGE, Page, RENDER};

use crate::face::Face;
use crate::number::{count, counted};

pub use turnwise_shared::screen::words::{
    ANSWER, CAME_BACK, FAILED, FAULT, TIMELINE, UNDER_WAY, cell, confidence, ended, moves,
    person_in, restarted, round, title, turns,
};

pub fn face(face: Face) -> &'static str {
    match face {
        Face::Conversation => "Conversation",
        Face::Sides => "Side by side",
        Face::Raw => "Raw",
        // Not the benchmark, whose name the check of names would see (xtask/src/names.rs).
        Face::Proof => "Evidence",
    }
}

/// The whole episode is shown.
pub fn all_turns(of: usize) -> String {
    turns(of)
}
pub fn at(turn: u32, of: usize) -> String {
    format!("turn {turn} of {of}")
}
pub const PLAY: &str = "Play turn by turn";
pub const STOP: &str = "Stop";

pub fn seen_head(seat: &str) -> String {
    format!("Seen by {}", seat_name(seat))
}
/// A seat within a sentence: numbered ones say that they are seats.
pub fn seat_name(seat: &str) -> String {
    match seat.parse::<u32>() {
        Ok(number) => format!("seat {number}"),
        Err(_) => format!("the {seat}"),
    }
}
/// Which turns of a long episode are drawn.
pub fn part(from: u32, to: u32, of: usize) -> String {
    format!(
        "Turns {from} to {to} of {} are drawn. Choose another turn above for the others.",
        crate::number::count(of)
    )
}
pub const REMARK: &str = "The rules say";
pub fn gauge(label: &str, left: u32, of: u32) -> String {
    format!("{label}: {left} of {of} left")
}
pub const NO_PROMPT: &str = "The prompt cannot be rendered here";
pub const SYSTEM: &str = "system";
pub const USER: &str = "user";
pub const ASSISTANT: &str = "assistant";
/// How long a text is.
pub fn characters(characters: usize) -> String {
    counted(characters, "character", "characters")
}
pub const WROTE: &str = "Raw reply";
pub const NO_CONTENT: &str = "The service returned no content.";
pub const EMPTY_TEXT: &str = "An empty text.";
pub const APPLIED: &str = "Applied";
pub const RESULTS: &str = "Results";
pub const WAITING: &str = "Nothing has come back yet.";
/// Tokens.
pub fn tokens(
    input: Option<u64>,
    cached: Option<u64>,
    output: Option<u64>,
    reasoning: Option<u64>,
) -> String {
    let mut parts = Vec::new();
    if let Some(input) = input {
        parts.push(match cached {
            Some(cached) if cached > 0 => format!("{} in ({} cached)", count(input), count(cached)),
            _ => format!("{} in", count(input)),
        });
    }
    if let Some(output) = output {
        parts.push(match reasoning {
            Some(reasoning) if reasoning > 0 => {
                format!("{} out ({} reasoning)", count(output), count(reasoning))
            }
            _ => format!("{} out", count(output)),
        });
    }
    parts.join(", ")
}
/// How long a call took.
pub fn took(latency: &str, attempts: u32) -> String {
    match attempts {
        0 | 1 => latency.to_owned(),
        more => format!("{latency}, attempt {more}"),
    }
}
/// A seat, in a sentence.
pub fn the_seat(seat: &str) -> String {
    format!("the {seat}")
}
pub const THE_ENGINE: &str = "the search engine";
pub const CHANCE: &str = "chance";
/// What a tool is called, in a sentence.
pub fn tool(name: &str) -> &str {
    match name {
        RENDER => "the renderer",
        PAGE => "the web",
        other => other,
    }
}
/// Where a page came from, and what was cut of it.
pub fn page_about(page: &Page) -> String {
    let status = (page.status != 200).then(|| format!("HTTP status {}", page.status));
    let length = format!("{} characters", page.text.chars().count());
    let cut = page.cut.then(|| "cut: it is longer".to_owned());
    let parts = [Some(page.url.clone()), page.language.clone(), status, Some(length), cut];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}
pub fn picture_size(width: u32, height: u32) -> String {
    format!("{width} × {height} pixels")
}
pub fn withheld(lines: usize) -> String {
    format!(
        "{} withheld: what {} not shown. The chain still holds.",
        counted(lines, "line was", "lines were"),
        if lines == 1 { "it says is" } else { "they say is" }
    )
}

pub const AGREES_ABOUT: &str = "This page played the episode again with the recorded replies, and every line came out the same. \
     Receipts say who gave the replies.";
pub const REPLAYING: &str = "Not replayed yet…";
pub const IMPORTED: &str = "imported";
pub const IMPORTED_WHY: &str = "It was imported from another system, so it cannot be replayed.";
pub const DRIFT_MEANS: &str = "The transcript was changed, or this version of Turnwise plays the task differently than the one that \
     recorded it. Do not rely on its numbers before you know which.";

pub const SEALED_NOTE: &str = "Hidden fields stay on the server unless its operator opens the set: they are in no transcript, download or export. \
     Where a seat may see them, the server filled them in and shows only the result of its reply. Everything here can still be \
     replayed in this page.";
pub const ENCRYPTED_NOTE: &str = "This text comes from an encrypted benchmark file. It was decrypted in this page and is not stored. \
     Please do not publish it in plain text: models would learn it. Canary:";
