//! Reading a run as a whole: words in its transcripts, the other profile, graders.

use crate::number::{count, counted};

pub const WORDS_NOTE: &str = "Searches replies, reasoning, results and answers. All words must be in one reply; use “quotes” for a phrase.";
/// How many turns of an episode have it, and at which of them the reader is, from 1.
pub fn in_turns(at: Option<usize>, turns: usize) -> String {
    let all = counted(turns, "turn", "turns");
    match (at, turns) {
        (_, 0) => "no match".to_owned(),
        (None, _) => all,
        (Some(at), _) => format!("{at} of {all}"),
    }
}
/// How many episodes have it.
pub fn found(plays: usize, places: u64, searched: u32) -> String {
    if plays == 0 {
        return format!("Nothing in {}.", counted(searched, "episode", "episodes"));
    }
    format!(
        "{} in {} of {}. The episodes above are these.",
        counted(places, "place", "places"),
        count(plays),
        counted(searched, "episode", "episodes")
    )
}
/// An episode, and how often.
pub fn in_play(task: &str, repeat: u32, places: u32) -> String {
    let repeat = match repeat {
        1 => String::new(),
        more => format!(", repeat {more}"),
    };
    format!("Task {task}{repeat}: {}", counted(places, "place", "places"))
}
pub fn turn(turn: u32) -> String {
    format!("Turn {turn}")
}
/// The button that shows more episodes.
pub fn more_plays(plays: usize) -> String {
    format!(
        "Show more of {} further {}",
        count(plays),
        if plays == 1 { "episode" } else { "episodes" }
    )
}

pub const AGAIN: &str = "Under the other profile";
pub fn again_about(played_in: &str, other: &str) -> String {
    format!(
        "This run was played in {played_in}. Its replies can be read again as {other} reads them. Where a reply means something \
         else there, the episode would have gone on in another way, and nobody knows how: so the score is a range. It is not \
         comparable with runs that were played in {other}."
    )
}
/// The same where numbers follow from the same notes.
pub fn renumbered_about(played_in: &str, other: &str) -> String {
    format!(
        "This run was played in {played_in}. Its notes also give the numbers as {other} takes them. The episode itself stays as it \
         was: it is not comparable with runs that were played in {other}."
    )
}
pub const OTHERWISE: &str = "Read otherwise, and ended";
pub const PARTED: &str = "Part from the recording";
pub const WHAT: &str = "What";
pub const MEANINGS: [&str; 5] = [
    "Every turn means the same under both profiles.",
    "Something means another thing, and the recorded replies still lead to an end.",
    "A reply means another thing, and what would have been said after that is not known. Each could be right or wrong.",
    "Imported, incomplete, or what they need is not at hand.",
    "Of those with a score under both profiles.",
];
/// The score, as recorded and as a range.
pub fn bounds(recorded: &str, low: &str, high: &str, other: &str) -> String {
    match low == high {
        true => format!("Mean score as recorded: {recorded} %. Under {other}: {low} %."),
        false => {
            format!("Mean score as recorded: {recorded} %. Under {other}: {low} % to {high} %.")
        }
    }
}
pub const DIFFERENT: &str = "Episodes that are read otherwise";
/// An episode by task, repeat and turn.
pub fn place(task: &str, repeat: u32, turn: Option<u32>) -> String {
    let repeat = match repeat {
        1 => String::new(),
        more => format!(".{more}"),
    };
    match turn {
        Some(turn) => format!("{task}{repeat}, turn {turn}"),
        None => format!("{task}{repeat}"),
    }
}

pub const GRADE_AGAIN_ABOUT: &str = "Somebody else gives a verdict on the same answers, as a run of its own. No episode is touched, \
     and this page then says how far the graders agree.";
