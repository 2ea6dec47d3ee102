//! The page of an episode.

use turnwise_shared::effect::{PAGE, Page, RENDER};

use crate::face::Face;
use crate::number::count;

pub use turnwise_shared::screen::words::{
    ANSWER, CAME_BACK, FAILED, FAULT, TIMELINE, UNDER_WAY, cell, confidence, ended, moves,
    person_in, restarted, round, title, turns,
};

texts!("episode");

/// The whole episode is shown.
pub fn all_turns(of: usize) -> String {
    turns(of)
}

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
