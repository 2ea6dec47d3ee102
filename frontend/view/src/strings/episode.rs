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

/// The place among the episodes of the wall.
pub fn place(at: usize, of: usize) -> String {
    format!("{} of {}", count(at as u64 + 1), count(of as u64))
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
/// The same with what it is.
pub fn speed(times: &str) -> String {
    format!("Speed {times}")
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
/// Which turns of a long episode are drawn.
pub fn part(from: u32, to: u32, of: usize) -> String {
    format!(
        "Turns {from} to {to} of {} are drawn. Choose another turn above for the others.",
        crate::number::count(of as u64)
    )
}
pub const REMARK: &str = "The rules say";
pub fn gauge(label: &str, left: u32, of: u32) -> String {
    format!("{label}: {left} of {of} left")
}
pub fn prompt_size(messages: usize, signs: usize) -> String {
    format!(
        "{}, {} characters",
        counted(messages as u64, "message", "messages"),
        count(signs as u64)
    )
}
pub const NO_PROMPT: &str = "The prompt cannot be rendered here";
pub fn templates(names: &[String]) -> String {
    format!("templates {}", names.join(", "))
}
pub const SYSTEM: &str = "system";
pub const USER: &str = "user";
pub const ASSISTANT: &str = "assistant";
/// How long a text is.
pub fn characters(characters: usize) -> String {
    counted(characters as u64, "character", "characters")
}
pub const WROTE: &str = "Raw reply";
pub const NO_CONTENT: &str = "The service returned no content.";
pub const EMPTY_TEXT: &str = "An empty text.";
pub const APPLIED: &str = "Applied";
pub const RESULTS: &str = "Results";
/// Block: what another seat said.
pub fn seat_wrote(seat: &str) -> String {
    format!("Reply of {}", seat_name(seat))
}
pub fn drawn(stream: &str) -> String {
    format!("Drawn from {stream}")
}
pub const WAITING: &str = "Nothing has come back yet.";
/// Why a reply ended, where it was not its end.
pub fn stop(reason: &str) -> String {
    format!("stopped: {reason}")
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
/// What the slider of an overlay sets.
pub fn opacity(name: &str) -> String {
    format!("Opacity of {name}")
}
/// A call of no turn.
pub fn aside(seat: &str) -> String {
    format!("A call to {seat} that became no turn")
}
pub fn withheld(lines: usize) -> String {
    format!(
        "{} withheld: what {} not shown. The chain still holds.",
        counted(lines as u64, "line was", "lines were"),
        if lines == 1 { "it says is" } else { "they say is" }
    )
}

/// The seal: every line agrees.
pub fn agrees(lines: usize) -> String {
    format!("Replay verified ({})", counted(lines as u64, "line", "lines"))
}
/// The seal: as far as it goes.
pub fn agrees_so_far(lines: usize) -> String {
    format!("Replay verified so far ({})", counted(lines as u64, "line", "lines"))
}
pub const AGREES_ABOUT: &str = "This page played the episode again with the recorded replies, and every line came out the same. \
     Receipts say who gave the replies.";
/// What exactly agrees of a branch.
pub fn agrees_of_branch(common: u64) -> String {
    format!("The first {} come from the original.", counted(common, "line", "lines"))
}
/// The seal: a line differs.
pub fn drifts(line: usize) -> String {
    format!("Replay differs at line {line}")
}
pub fn graded_by(graders: &[String]) -> String {
    format!("Graded by {}.", graders.join(", "))
}
pub const REPLAYING: &str = "Not replayed yet…";
pub const IMPORTED: &str = "imported";
pub const IMPORTED_WHY: &str = "It was imported from another system, so it cannot be replayed.";
pub const DRIFT_MEANS: &str = "The transcript was changed, or this version of Turnwise plays the task differently than the one that \
     recorded it. Do not rely on its numbers before you know which.";

/// What is known of it.
pub fn kept_back(commitment: &str) -> String {
    format!(
        "The task is sealed: the server shows only the result of the reply and keeps its text, reasoning and token counts. \
         It is committed to them: {commitment}."
    )
}
pub const SEALED_NOTE: &str = "Hidden fields stay on the server unless its operator opens the set: they are in no transcript, download or export. \
     Where a seat may see them, the server filled them in and shows only the result of its reply. Everything here can still be \
     replayed in this page.";
/// Since when, and why it is open.
pub fn opened(when: &str, reason: &str) -> String {
    format!("The operator opened this task set on {when}: {reason}")
}
pub const ENCRYPTED_NOTE: &str = "This text comes from an encrypted benchmark file. It was decrypted in this page and is not stored. \
     Please do not publish it in plain text: models would learn it. Canary:";
pub fn chain(lines: usize, digest: &str) -> String {
    format!("The chain holds over {}; it ends in {digest}", counted(lines as u64, "line", "lines"))
}
pub fn more_lines(left: usize) -> String {
    format!("Show more ({} left)", counted(left as u64, "line", "lines"))
}
