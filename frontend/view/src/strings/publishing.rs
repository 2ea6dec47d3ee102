//! Publishing a run, checking one, and the public log.

use turnwise_shared::evidence_tier::Evidence;
use turnwise_shared::wire::publishing::Change;

use crate::number::{self, Shown};

pub const PUBLISH_ABOUT: &str = "The server plays every transcript again over its own tasks, checks the receipts and computes every \
number anew. Then the run stands on the board of its configuration, for everybody.";
/// What publishing reveals, one by one.
pub const TOLD_LIST: [&str; 4] = [
    "the run's name, its configuration and its numbers",
    "every transcript, with what was said by whoever played; what the tasks hide stays hidden",
    "what models were asked through which endpoint, when, and what it cost at this server's prices",
    "the digest of this browser's owner key, and how many runs were opened with it",
];
pub const READERS_ABOUT: &str = "Found by the server when it checked the run for its board. Nothing of it contradicts the run; it says what the \
numbers alone do not.";
pub const TO_BOARD: &str = "To its board";

/// A number with its name.
pub fn measure(label: &str, shown: &Shown) -> String {
    let range = match &shown.range {
        Some(range) => format!(" ({range})"),
        None => String::new(),
    };
    let unit = match shown.unit.is_empty() {
        true => String::new(),
        false => format!(" {}", shown.unit),
    };
    format!("{label} {}{unit}{range}", shown.value)
}

pub fn evidence(evidence: Evidence) -> &'static str {
    match evidence {
        Evidence::Receipted => "with a receipt: this server made the call and signed the reply",
        Evidence::Recomputed => "computed again: a bot, dice or a local search",
        Evidence::Witnessed => "witnessed: a person at a table that the server drove",
        Evidence::None => "with no evidence but the word of whoever sent it",
    }
}

pub const VERIFY_ABOUT: &str = "Checks in this browser, without believing the server's numbers: hash chains, receipts and their signatures, \
every transcript played again, every number computed anew.";
pub const VERIFY_EPISODE_ABOUT: &str = "Checks this episode in this browser: its hash chains, the receipts of its calls and their signatures, \
and plays it again.";
pub const VERIFY_STOP: &str = "Stop";
pub const IMPORTED_ABOUT: &str = "This run was brought from another system, so it cannot be played again, and no server of ours signed its calls. \
What can be checked in this browser: that its hash chains hold, and that its numbers follow from its transcripts.";
pub const IMPORTED_EPISODE_ABOUT: &str = "This episode was brought from another system, so it cannot be played again, and no server of ours signed \
its calls. What can be checked in this browser: that its hash chain holds.";
pub const BRANCHED_ABOUT: &str = "This run goes on from another run's episode, so it cannot be verified by itself. What can be checked in this \
browser: that its hash chains hold, that its first lines are those of the other episode, that it plays again to the same lines, \
and that its numbers follow. What was said before is verified at";
pub const GRADED_BRANCH_ABOUT: &str = "This run grades an episode again that goes on from another run's episode, so it cannot be verified by itself. \
What can be checked in this browser: that its hash chains hold, that the first lines are those of the other episode, that episode and \
grading play again to the same lines, and that its numbers follow. What was said before is verified at";
pub const NOT_PLAYED: &str =
    "Whether it plays again to the same lines: its tasks or its prompts are not at hand here.";
pub const NO_TASKS: &str = "The tasks are not in this browser, so nothing was played again. The server did that when the run was published, \
if it was.";
pub const UNDER_WAY: &str = "Episodes that are still under way.";

pub fn chains(lines: u64) -> String {
    format!("The hash chains hold: {}.", number::counted(lines, "line", "lines"))
}

/// Transcripts that were played again.
pub fn replayed(count: u64) -> String {
    format!(
        "Played again, every line is the same: {}.",
        number::counted(count, "transcript", "transcripts")
    )
}

/// Lines that a branch has in common with the episode that it goes on from, but for the header.
pub fn common(lines: u64) -> String {
    format!(
        "After its header the first {} those of the other episode.",
        match lines {
            1 => "line is".to_owned(),
            lines => format!("{} lines are", number::count(lines)),
        }
    )
}

pub fn receipts(receipts: usize, signatures: usize) -> String {
    format!(
        "{} lead to {} that hold, and none is missing in between.",
        number::counted(receipts, "receipt", "receipts"),
        number::counted(signatures, "signature", "signatures")
    )
}

pub fn replies(count: u64, kind: Evidence) -> String {
    format!("{} {}.", number::counted(count, "reply", "replies"), evidence(kind))
}

/// Numbers that agree with the server's.
pub fn numbers(count: usize) -> String {
    format!(
        "{} computed here {} the server's.",
        number::counted(count, "number", "numbers"),
        if count == 1 { "is" } else { "are" }
    )
}

pub const LOG_TITLE: &str = "Public log";
pub const LOG_ABOUT: &str = "Everything that was put on a board or taken off, and every sealed set of tasks that was opened, and why. Nothing in it is ever changed: every entry names the hash \
of the one before it, and this page checks that.";
pub const LOG_COLUMNS: [&str; 6] = ["No.", "When", "What", "Run or tasks", "Standing", "Why"];
pub const LOG_HASH: &str = "Hash";

pub fn change(change: Change) -> &'static str {
    match change {
        Change::Admitted => "admitted",
        Change::Withdrawn => "withdrawn",
        Change::Removed => "removed",
        Change::Rescored => "rescored",
        Change::Opened => "opened to everybody",
    }
}

pub const OWNER_ABOUT: &str = "Runs that this browser opens are counted under this key; boards show its digest and how many runs were opened and \
published with it. Keep it secret. To be the same owner in another browser, paste it there.";
