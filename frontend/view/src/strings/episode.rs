//! The page of an episode.

use turnwise_shared::effect::{PAGE, Page, RENDER};

use crate::face::Face;
use crate::number::{count, counted};

pub use turnwise_shared::screen::words::{
    ANSWER, CAME_BACK, FAILED, FAULT, TIMELINE, UNDER_WAY, cell, confidence, ended, moves,
    person_in, restarted, round, title, turns,
};

/// The tabs of an episode.
pub const FACES: &str = "How the episode is shown";
/// Tab.
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

/// The scrubber's slider.
pub const SLIDER: &str = "Turn";
/// What stands under the ribbon while the whole episode is shown.
pub const HINT: &str = "Choose a turn, or press play.";
/// The whole episode is shown.
pub fn all_turns(of: usize) -> String {
    turns(of)
}
/// At a turn.
pub fn at(turn: u32, of: usize) -> String {
    format!("turn {turn} of {of}")
}
/// Button.
pub const FIRST: &str = "First turn";
/// Button.
pub const STEP_BACK: &str = "Previous turn";
/// Button.
pub const PLAY: &str = "Play turn by turn";
/// Button.
pub const STOP: &str = "Stop";
/// Button.
pub const STEP_ON: &str = "Next turn";
/// Button.
pub const LAST: &str = "Last turn";
/// How fast an episode is played.
pub const SPEED: &str = "Speed";
/// The same with what it is.
pub fn speed(times: &str) -> String {
    format!("Speed {times}")
}
/// What the columns on the ribbon are.
pub const HEIGHT: &str = "Column above a cell: tokens of the turn.";

/// Left column.
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
/// Left column, where seats take turns.
pub const SEEN_HEAD: &str = "Seen by the seat";
/// Right column.
pub const DID_HEAD: &str = "What it did";
/// Block: nothing new.
pub const NOTHING_NEW: &str = "Nothing new since its last turn.";
/// Block: what the seat did before, as it sees it.
pub const ITS_TURN: &str = "Previous turn";
/// Block: a remark of the rules.
pub const REMARK: &str = "The rules say";
/// What is left.
pub fn gauge(label: &str, left: u32, of: u32) -> String {
    format!("{label}: {left} of {of} left")
}
/// Block: the prompt.
pub const PROMPT: &str = "Prompt as sent";
/// How long it is.
pub fn prompt_size(messages: usize, signs: usize) -> String {
    format!(
        "{}, {} characters",
        counted(messages as u64, "message", "messages"),
        count(signs as u64)
    )
}
/// It cannot be rendered here.
pub const NO_PROMPT: &str = "The prompt cannot be rendered here";
/// From which templates.
pub fn templates(names: &[String]) -> String {
    format!("templates {}", names.join(", "))
}
/// Who speaks.
pub const SYSTEM: &str = "system";
/// Who speaks.
pub const USER: &str = "user";
/// Who speaks.
pub const ASSISTANT: &str = "assistant";

/// Block: what the model thought, in the conversation.
pub const THINKING: &str = "Thinking";
/// How long a text is.
pub fn characters(characters: usize) -> String {
    counted(characters as u64, "character", "characters")
}
/// Disclosure of a turn in the conversation.
pub const UNDER: &str = "Raw, parsed, prompt";
/// Button: shows all of a text that is cut.
pub const MORE: &str = "more…";
/// Button: cuts it again.
pub const LESS: &str = "less";

/// In place of an episode while a person still rates others.
pub const BLIND: &str = "What came of it is shown once the run has ended: until then it could lead the person who still answers.";
/// Block: what was written.
pub const WROTE: &str = "Raw reply";
/// Nothing was written.
pub const NO_CONTENT: &str = "The service returned no content.";
/// An empty text was written.
pub const EMPTY_TEXT: &str = "An empty text.";
/// Block: reasoning.
pub const REASONING: &str = "Reasoning, returned separately";
/// Block: what was taken for the action.
pub const EXTRACTED: &str = "Parsed action";
/// It was all of it.
pub const WHOLE_TEXT: &str = "the whole text";
/// Block: what was put right.
pub const REPAIRED: &str = "Repaired";
/// Block: what was done.
pub const APPLIED: &str = "Applied";
/// Nothing was done.
pub const NOTHING_APPLIED: &str = "nothing";
/// Block: what the search brought.
pub const RESULTS: &str = "Results";
/// Nothing was found.
pub const NO_RESULTS: &str = "No results.";
/// A result without a title.
pub const UNTITLED: &str = "Untitled";
/// Block: what another seat said.
pub fn seat_wrote(seat: &str) -> String {
    format!("Reply of {}", seat_name(seat))
}
/// How another seat's reply was read.
pub const READ_AS: &str = "Read as";
/// Block: what was drawn.
pub fn drawn(stream: &str) -> String {
    format!("Drawn from {stream}")
}
/// Nothing has come back yet.
pub const WAITING: &str = "Nothing has come back yet.";
/// What the player saw of it.
pub const SHOWN: &str = "shown to the player";
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
/// Whoever answers searches, in a sentence.
pub const THE_ENGINE: &str = "the search engine";
/// Whoever draws, in a sentence.
pub const CHANCE: &str = "chance";
/// What a tool is called, in a sentence.
pub fn tool(name: &str) -> &str {
    match name {
        RENDER => "the renderer",
        PAGE => "the web",
        other => other,
    }
}
/// The text of a page that was read.
pub const PAGE_TEXT: &str = "Text of the page";
/// Where a page came from, and what was cut of it.
pub fn page_about(page: &Page) -> String {
    let status = (page.status != 200).then(|| format!("HTTP status {}", page.status));
    let length = format!("{} characters", page.text.chars().count());
    let cut = page.cut.then(|| "cut: it is longer".to_owned());
    let parts = [Some(page.url.clone()), page.language.clone(), status, Some(length), cut];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}
/// A picture that was rendered.
pub const RENDERED: &str = "Rendered page";
/// A picture of a prompt.
pub const SHOWN_PICTURE: &str = "Picture of the message";
/// Addresses that a rendered page asked for.
pub const REFUSED: &str = "Requests of the page, all refused";
/// In place of pictures of an episode without its run.
pub const NO_PICTURES: &str = "Pictures are not in this link or file.";
/// Its size.
pub fn picture_size(width: u32, height: u32) -> String {
    format!("{width} × {height} pixels")
}
/// How two pictures are shown.
pub const WAYS: &str = "How the pictures are shown";
/// Outlines of a page's blocks.
pub const BOXES: &str = "Boxes";
/// What the slider of an overlay sets.
pub fn opacity(name: &str) -> String {
    format!("Opacity of {name}")
}
/// What the colours of a difference mean.
pub const DIFFERENCE: &str = "Black where both are equal.";
/// A call of no turn.
pub fn aside(seat: &str) -> String {
    format!("A call to {seat} that became no turn")
}
/// Lines are missing.
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
/// What exactly agrees.
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
/// The seal: it could not be played again.
pub const NOT_REPLAYED: &str = "not replayed here";
/// Button: to what can be checked of a whole episode.
pub const VERIFY: &str = "Verify";
/// Button: to what can be checked of one that is only partly its run's own.
pub const CHECK: &str = "Check";
/// The heading over the replay.
pub const REPLAY: &str = "Replay";
/// The heading over the grading.
pub const GRADED: &str = "Grading";
/// Who graded.
pub fn graded_by(graders: &[String]) -> String {
    format!("Graded by {}.", graders.join(", "))
}
/// In the place of what a replay in this page will show; on a phone it waits until somebody reads.
pub const REPLAYING: &str = "Not replayed yet…";
/// The seal: it was brought from another system.
pub const IMPORTED: &str = "imported";
/// Why that is not played again.
pub const IMPORTED_WHY: &str = "It was imported from another system, so it cannot be replayed.";
/// What a drift means.
pub const DRIFT_MEANS: &str = "The transcript was changed, or this version of Turnwise plays the task differently than the one that \
     recorded it. Do not rely on its numbers before you know which.";

/// What a seat really said is not told; its head.
pub const KEPT_BACK: &str = "The reply is withheld";
/// What is known of it.
pub fn kept_back(commitment: &str) -> String {
    format!(
        "The task is sealed: the server shows only the result of the reply and keeps its text, reasoning and token counts. \
         It is committed to them: {commitment}."
    )
}
/// What that means for a reader.
pub const SEALED_NOTE: &str = "Hidden fields stay on the server unless its operator opens the set: they are in no transcript, download or export. \
     Where a seat may see them, the server filled them in and shows only the result of its reply. Everything here can still be \
     replayed in this page.";
/// Since when, and why it is open.
pub fn opened(when: &str, reason: &str) -> String {
    format!("The operator opened this task set on {when}: {reason}")
}
/// For encrypted sets.
pub const ENCRYPTED_NOTE: &str = "This text comes from an encrypted benchmark file. It was decrypted in this page and is not stored. \
     Please do not publish it in plain text: models would learn it. Canary:";
/// Its marker in prompts.
pub const HOLDS_HIDDEN: &str = "holds hidden text";

/// Each line on one line.
pub const AS_STORED: &str = "As stored";
/// Each line set out.
pub const SET_OUT: &str = "Set out";
/// The group of the two.
pub const HOW: &str = "How lines are shown";
/// Button.
pub const COPY: &str = "Copy all lines";
/// Button.
pub const SAVE: &str = "Save";
/// The chain.
pub fn chain(lines: usize, digest: &str) -> String {
    format!("The chain holds over {}; it ends in {digest}", counted(lines as u64, "line", "lines"))
}
/// More lines.
pub fn more_lines(left: usize) -> String {
    format!("Show more ({} left)", counted(left as u64, "line", "lines"))
}
/// Nothing to show.
pub const NO_LINES: &str = "There are no lines.";
