//! Words of what is shown first. The app's other words are its own (`frontend/view/src/strings`), which names these among them.

use crate::effect::Made;
use crate::episode::Outcome;
use crate::metrics::episode_status::EpisodeStatus;
use crate::metrics::number::{counted, shown};
use crate::metrics::report::{Known, Unit};

/// The same words with a capital at their beginning.
pub fn capitalised(words: &str) -> String {
    let mut signs = words.chars();
    match signs.next() {
        Some(first) => first.to_uppercase().chain(signs).collect(),
        None => String::new(),
    }
}

/// What a tool made; the page shows it.
pub fn made(made: &Made) -> String {
    match made {
        Made::Page(page) => page.url.clone(),
        Made::Picture(made) => rendered(made.picture.width, made.picture.height),
    }
}

/// What stands below a rendered picture.
pub fn rendered(width: u32, height: u32) -> String {
    format!("Rendered page, {width} × {height} pixels")
}

pub const WALL: &str = "Episodes";

/// The interval of a headline number.
pub fn likely(range: &str) -> String {
    format!("{range} (95 %)")
}

/// What is known of a number of which some verdicts are missing.
pub fn known(known: &Known) -> String {
    let (low, high) = known.bounds;
    let whole = shown(None, Some((low, high)), Unit::Fraction).range.unwrap_or_default();
    format!("{}; {whole} % of all", known.words())
}

pub fn whisk(value: &str, range: &str) -> String {
    format!("{value} %, interval {range} %")
}

/// An episode in one sentence, for those who do not see it.
pub fn label(task: &str, repeat: u32, labels: &str, turns: usize, status: &str) -> String {
    let repeat = match repeat {
        1 => String::new(),
        more => format!(", repeat {more}"),
    };
    let labels = if labels.is_empty() { String::new() } else { format!(", {labels}") };
    format!(
        "Task {task}{repeat}{labels}, {}, {}",
        counted(turns, "turn", "turns"),
        status.to_lowercase()
    )
}

/// The same with what was asked, what was answered and what is right.
pub fn row_label(
    label: &str,
    asked: Option<&str>,
    answer: Option<&str>,
    right: Option<&str>,
    confidence: Option<&str>,
) -> String {
    let mut label = label.to_owned();
    for (name, text) in [("question", asked), ("answer", answer), ("right is", right)] {
        if let Some(text) = text {
            label.push_str(&format!(", {name} {text}"));
        }
    }
    if let Some(stated) = confidence {
        label.push_str(&format!(", {}", self::confidence(stated)));
    }
    label
}

/// How sure it said it is.
pub fn confidence(stated: &str) -> String {
    format!("confidence {stated}")
}

pub const RUNS: &str = "Runs";

/// A person in a seat; by their name, where they gave one.
pub fn person_in(seat: &str, name: Option<&str>) -> String {
    format!("{seat}: {}", name.unwrap_or("a person"))
}

pub fn title(name: Option<&str>, task: &str, repeat: u32) -> String {
    let name = name.map_or_else(|| format!("Task {task}"), str::to_owned);
    match repeat {
        1 => name,
        more => format!("{name}, repeat {more}"),
    }
}

pub fn turns(turns: usize) -> String {
    counted(turns, "turn", "turns")
}

/// How an episode ended, after its verdict.
pub fn ended(ending: &str) -> String {
    match ending {
        Outcome::CONTEXT => "ended because the conversation outgrew the context window".to_owned(),
        _ => format!("ended as {ending}"),
    }
}

pub const NO_ANSWER: &str = "No answer";
pub const UNDER_WAY: &str = "started";
pub const ANSWER: &str = "Answer";
pub const RIGHT: &str = "right is";

/// A ribbon's cell, for those who do not see it.
pub fn cell(turn: u32, sentence: &str) -> String {
    format!("Turn {turn}: {sentence}")
}

pub const TIMELINE: &str = "Turns";

/// A move as the heading of a turn.
pub fn moves(seat: &str, sentence: &str) -> String {
    match seat.parse::<u32>() {
        Ok(number) => format!("Seat {number} {sentence}"),
        Err(_) => format!("The {seat} {sentence}"),
    }
}

pub const CAME_BACK: &str = "What came back";
pub const FAULT: &str = "Fault";
pub const FAILED: &str = "The call failed";

pub fn round(round: u32) -> String {
    format!("round {round}")
}

/// An episode that began anew.
pub fn restarted(attempt: u32) -> String {
    format!("Begun anew, attempt {attempt}: what stands above does not count")
}

/// The link to the turn that an address names.
pub fn to_turn(turn: u32) -> String {
    format!("Go to turn {turn}")
}

pub const BRANCH: &str = "A branch";

/// From where it goes on.
pub fn goes_on(turn: u32) -> String {
    format!(
        "The turns before turn {turn} are those of another run's episode; from there on it was decided anew. It counts on no board."
    )
}

pub const BEFORE: &str = "The episode it goes on from";

pub const NO_PARENT: &str =
    "The episode that it goes on from cannot be shown: its run is gone, private or withdrawn.";

pub fn same(status: EpisodeStatus, is_other_answer: bool) -> String {
    let status = status.label().to_lowercase();
    match is_other_answer {
        true => format!("The answer is another one, and the outcome the same: {status}."),
        false => format!("The outcome is the same: {status}."),
    }
}

pub fn changed(before: &str, after: &str) -> String {
    format!("The outcome changed: {before} before, {after} now.")
}

/// What a branch changed, by how its parent stands and how it does; `None` of a game, whose payments tell that.
pub fn difference(
    before: EpisodeStatus,
    after: EpisodeStatus,
    is_other_answer: bool,
) -> Option<String> {
    match (before == after, after) {
        (true, EpisodeStatus::Played) => None,
        (true, _) => Some(same(after, is_other_answer)),
        (false, _) => Some(changed(&before.label().to_lowercase(), &after.label().to_lowercase())),
    }
}

/// How many turns of a long episode are not shown here.
pub fn more_turns(turns: usize) -> String {
    match turns {
        0 => "The end stands in the whole transcript.".to_owned(),
        1 => "One more turn stands in the whole transcript.".to_owned(),
        more => format!(
            "{} more turns stand in the whole transcript.",
            crate::metrics::number::count(more)
        ),
    }
}
