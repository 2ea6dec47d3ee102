//! The page of a run.

use crate::number::{count, counted};

/// What that run will do and cost.
pub fn twin_costs(repeats: u32, cost: Option<&str>) -> String {
    let answers = counted(repeats, "time", "times");
    match cost {
        Some(cost) => format!("{answers} each; about {cost}, as much as the player of this run."),
        None => format!("{answers} each."),
    }
}
/// Some transcripts could not be had.
pub fn left_out(missing: usize) -> String {
    format!(
        "{} could not be had and {} not in the file.",
        counted(missing, "transcript", "transcripts"),
        if missing == 1 { "is" } else { "are" }
    )
}

/// How many take part in a game.
pub fn participants(count: usize) -> String {
    counted(count, "participant", "participants")
}

pub const PROGRESS: &str = "Progress";
pub fn finished(finished: u64, planned: u64) -> (String, String) {
    (format!("{} of {}", count(finished), count(planned)), " finished".to_owned())
}
/// How many failed and are played again on resume; nothing where none did.
pub fn failed(failed: usize) -> Option<String> {
    (failed > 0).then(|| format!("{} failed (will be replayed)", count(failed)))
}
pub fn now(under_way: u32, flying: u32) -> String {
    format!("{} under way, {} in flight", count(under_way), counted(flying, "call", "calls"))
}
pub const PAUSED: &str = "paused";
/// How long so far, and how long yet.
pub fn times(elapsed: &str, left: Option<&str>) -> String {
    match left {
        Some(left) => format!("{elapsed}, about {left} left"),
        None => elapsed.to_owned(),
    }
}
pub const PAUSE: &str = "Pause";
pub const CANCEL: &str = "End this run";
pub const RESUME: &str = "Resume";
pub const MOVE_HERE: &str = "Move to this tab";

pub use turnwise_shared::screen::words::{RUNS, WALL};
/// A table of that section.
pub fn by(label: &str) -> String {
    format!("By {label}")
}
pub const N: &str = "n";
pub const SCORE: &str = "Score";
pub const INTERVAL: &str = "95 % interval";
pub const CALIBRATION: &str = "Calibration";
pub const CALIBRATION_NOTE: &str = "Stated confidence from left to right, share correct upwards. Blue is what was correct, the \
     line across a bar the confidence that was stated; orange lies between them where it claims more than was true. On the \
     dashed line both agree. The grey bars say how many answers each bin holds.";

pub const SPEC_HASH: &str = "Spec";
pub const BOARD_HASH: &str = "Board";

pub const EMPTY_WHY: &str = "Each episode becomes a ribbon, one cell a turn: S for a search, A for a question, ? for an invalid \
     reply, ✓ or ✗ for the answer; in games the letter of each move. The first ones appear here as soon as they end.";

pub mod wall {
    use super::{count, counted};
    use crate::direction::Direction;

    pub use turnwise_shared::screen::words::{confidence, label, row_label};

    pub const FIND: &str = "Find";
    pub const FIND_HINT: &str = "id, question, answer; Enter: transcripts";
    pub const FAILURES: &str = "Only failures";
    pub const SORT: &str = "Sort";
    pub const GROUP: &str = "Group";
    pub const NO_GROUP: &str = "Not grouped";
    pub const OUTCOME: &str = "Outcome";
    pub const FAULT: &str = "Fault";
    pub const ALL: &str = "All";
    pub const ANY_FAULT: &str = "Any fault";
    pub const TURN_AROUND: &str = "Turn the order around";
    pub const UNFOLD: &str = "Sort and filter";
    pub const LOOK: &str = "Size";
    pub const LIST: &str = "Table";
    pub const TASK_COLUMN: &str = "Task";
    pub const COLUMNS: &str = "Columns";
    pub const TILES: &str = "Tiles";
    pub const DENSE: &str = "Dense";
    pub fn shown(shown: usize, of: usize) -> String {
        if shown == of {
            counted(of, "episode", "episodes")
        } else {
            format!("{} of {}", count(shown), count(of))
        }
    }
    /// Which of them are in sight: the first and the last, `None` for all.
    pub fn in_sight(sight: Option<(usize, usize)>, (found, of): (usize, usize)) -> String {
        let Some((first, last)) = sight else {
            return shown(found, of);
        };
        let [first, last, found_in_words, all] = [first, last, found, of].map(count);
        match found == of {
            true => format!("{first}–{last} of {all}"),
            false => format!("{first}–{last} of {found_in_words}, {all} in all"),
        }
    }
    /// A head of the table.
    pub fn sort_by(column: &str, now: Option<Direction>) -> String {
        let now = match now {
            Some(Direction::Up) => ", now the least first",
            Some(Direction::Down) => ", now the greatest first",
            None => "",
        };
        format!("{column}: sort{now}")
    }
    pub const LABEL: &str = "Episodes as ribbons. Arrow keys move, Enter opens.";
    pub const HINT: &str =
        "Point at a cell, or walk with the arrow keys: this line says what happened there.";
    pub const HINT_TOUCH: &str = "Tap a cell: this line says what happened there.";
    pub const KEYS: &[(&[&str], &str)] = &[
        (&["j", "k"], "episodes"),
        (&["←", "→"], "turns"),
        (&["Enter"], "open"),
        (&["/"], "find"),
    ];
    pub const LEGEND: &[(&str, &str)] = &[
        ("k-search|S", "search"),
        ("k-ask|A", "ask"),
        ("k-browse|B", "page"),
        ("k-invalid|?", "invalid reply"),
        ("k-answer r-correct|✓", "correct"),
        ("k-answer r-wrong|✗", "wrong"),
        ("k-answer r-unknown|=", "answer without a verdict"),
        ("bar r-yes", "yes"),
        ("bar r-no", "no"),
        ("bar r-unknown", "unknown, both"),
        ("bar r-miss", "nothing found"),
        ("bar r-fault", "no reply"),
    ];
    /// Legend of games: what letters and bars mean. Colours are the seats'.
    pub const GAME_LEGEND: &[(&str, &str)] =
        &[("bar r-win", "won"), ("bar r-loss", "lost"), ("k-invalid|?", "no valid move")];
    /// The head of the readout.
    pub fn at(task: &str, turn: u32) -> String {
        format!("Task {task}, turn {turn}")
    }
}
