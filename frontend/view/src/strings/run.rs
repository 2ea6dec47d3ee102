//! The page of a run.

use crate::number::{count, counted};

/// Transcripts are being collected.
pub fn collecting(done: usize, of: usize) -> String {
    format!("Collecting {} of {}", count(done as u64), count(of as u64))
}
/// The link to the run with which another is to be compared.
pub fn start_twin(name: &str) -> String {
    format!("Start the {name}")
}
/// What that run will do and cost.
pub fn twin_costs(repeats: u32, cost: Option<&str>) -> String {
    let answers = counted(u64::from(repeats), "time", "times");
    match cost {
        Some(cost) => format!("{answers} each; about {cost}, as much as the player of this run."),
        None => format!("{answers} each."),
    }
}
/// Some transcripts could not be had.
pub fn left_out(missing: usize) -> String {
    format!(
        "{} could not be had and {} not in the file.",
        counted(missing as u64, "transcript", "transcripts"),
        if missing == 1 { "is" } else { "are" }
    )
}

/// By which reading of the benchmark.
pub fn rules(profile: turnwise_shared::spec::Profile) -> String {
    format!("{} rules", profile.name())
}

/// How many take part in a game.
pub fn participants(count: usize) -> String {
    counted(count as u64, "participant", "participants")
}

/// Heading: how far it is.
pub const PROGRESS: &str = "Progress";
/// How many have finished.
pub fn finished(finished: u64, planned: u64) -> (String, String) {
    (format!("{} of {}", count(finished), count(planned)), " finished".to_owned())
}
/// How many failed and are played again on resume; nothing where none did.
pub fn failed(failed: usize) -> Option<String> {
    (failed > 0).then(|| format!("{} failed (will be replayed)", count(failed as u64)))
}
/// What happens now.
pub fn now(under_way: u32, flying: u32) -> String {
    format!(
        "{} under way, {} in flight",
        count(u64::from(under_way)),
        counted(u64::from(flying), "call", "calls")
    )
}
/// Nothing new is sent.
pub const PAUSED: &str = "paused";
/// The connection of a run was lost, and is being made again.
pub const RECONNECTING: &str = "connection lost, reconnecting; no answer is lost";
/// No connection of a run comes about; why stands in a note.
pub const NO_SOCKET: &str = "waiting for a connection; no answer is lost";
/// The last lines are on their way.
pub fn storing(lines: usize) -> String {
    format!("Storing the last {}", counted(lines as u64, "line", "lines"))
}
/// How long so far, and how long yet.
pub fn times(elapsed: &str, left: Option<&str>) -> String {
    match left {
        Some(left) => format!("{elapsed}, about {left} left"),
        None => elapsed.to_owned(),
    }
}
/// Said once now and then for those who do not see the bar.
pub fn announced(percent: u64) -> String {
    format!("{percent} percent finished")
}
/// It may be left.
pub const LEAVING: &str = "Running in this tab. Browse Turnwise freely; closing the tab pauses the run. Nothing is lost or published.";
/// The button.
pub const PAUSE: &str = "Pause";
/// The button.
pub const CANCEL: &str = "End this run";
/// Asked before.
pub const CANCEL_SURE: &str =
    "End this run? Unfinished episodes count as not finished. You can reopen it.";
/// The button.
pub const RESUME: &str = "Resume";
/// The button that moves a run here that is driven elsewhere.
pub const MOVE_HERE: &str = "Move to this tab";
/// Only the browser that opened a run has its token.
pub const NOT_OURS: &str =
    "Only the browser that opened a run can take it up; the others can read it.";
/// The server cannot drive it.
pub const SEATS_ARE_HERE: &str = "A person or a recording holds a seat of this run, and both are in this browser; so the server cannot drive it.";

/// A run of which some episodes did not finish.
pub fn incomplete(episodes: usize) -> String {
    format!(
        "{} did not finish. Resume to run only those.",
        counted(episodes as u64, "episode", "episodes")
    )
}

pub use turnwise_shared::screen::words::{RUNS, WALL};
/// A table of that section.
pub fn by(label: &str) -> String {
    format!("By {label}")
}
/// Column: which part.
pub const PART: &str = "Part";
/// Column: rows.
pub const N: &str = "n";
/// Column: the score.
pub const SCORE: &str = "Score";
/// Column: what a number is called.
pub const NUMBER: &str = "Number";
/// Column: the number.
pub const VALUE: &str = "Value";
/// Column: what it means.
pub const MEANING: &str = "What it means";
/// Opens numbers that say little.
pub fn further(numbers: usize) -> String {
    counted(numbers as u64, "further number", "further numbers")
}
/// Opens what the columns of a table mean.
pub const COLUMNS: &str = "What the columns mean";
/// Column: its interval.
pub const INTERVAL: &str = "95 % interval";
/// The axis of whisks.
pub const AXIS: &str = "0 to 100 %";

/// Section: calibration.
pub const CALIBRATION: &str = "Calibration";
/// What the diagram shows.
pub const CALIBRATION_NOTE: &str = "Stated confidence from left to right, share correct upwards. Blue is what was correct, the \
     line across a bar the confidence that was stated; orange lies between them where it claims more than was true. On the \
     dashed line both agree. The grey bars say how many answers each bin holds.";
/// The diagram in words.
pub fn calibration_label(bins: usize, n: u64) -> String {
    format!(
        "Reliability diagram of {} in {}; the table below says the same",
        counted(n, "answer", "answers"),
        counted(bins as u64, "bin", "bins")
    )
}
/// Column: stated confidence from and to.
pub const CONFIDENCE: &str = "Confidence";
/// Column: its mean.
pub const STATED: &str = "Stated";
/// Column: what was true.
pub const CORRECT: &str = "Correct";
/// Axis of the diagram.
pub const AXIS_STATED: &str = "stated confidence, %";
/// Axis of the diagram.
pub const AXIS_CORRECT: &str = "correct, %";

/// Nothing went wrong.
pub const NO_FAULTS: &str = "No fault, no flag, and no call failed for good.";
/// Table: faults of readings.
pub const FAULT: &str = "Fault";
/// Table: flags.
pub const FLAG: &str = "Flag";
/// Table: failed calls.
pub const FAILURE: &str = "Failed call";
/// Column: how many times.
pub const TIMES: &str = "Times";
/// Column: in how many episodes.
pub const EPISODES: &str = "Episodes";
/// The link that narrows the wall.
pub fn show_fault(name: &str) -> String {
    format!("Show the episodes with {name} on the wall")
}

/// Some replies told no tokens.
pub fn uncounted(calls: u64) -> String {
    format!(
        "{} of models told no tokens; they are missing from the sums.",
        counted(calls, "reply", "replies")
    )
}

/// The hash of the spec.
pub const SPEC_HASH: &str = "Spec";
/// The hash of the board.
pub const BOARD_HASH: &str = "Board";
/// It was copied.
pub const COPIED: &str = "Copied.";
/// It could not be copied.
pub const NOT_COPIED: &str =
    "The browser did not allow copying: select the text and copy it by hand.";
/// Section: what to know.
pub const REMARKS: &str = "Remarks";

/// What will be here.
pub const EMPTY_WHY: &str = "Each episode becomes a ribbon, one cell a turn: S for a search, A for a question, ? for an invalid \
     reply, ✓ or ✗ for the answer; in games the letter of each move. The first ones appear here as soon as they end.";
/// Nothing passes the filter.
pub const NOTHING_FITS: &str = "No episode fits the filter";
/// Takes the filter away.
pub const SHOW_ALL: &str = "Show all";

/// The wall's words.
pub mod wall {
    use super::{count, counted};
    use crate::direction::Direction;

    pub use turnwise_shared::screen::words::{confidence, label, row_label};

    /// Label of the search field.
    pub const FIND: &str = "Find";
    /// What it looks in.
    pub const FIND_HINT: &str = "id, question, answer; Enter: transcripts";
    /// The filter of episodes that are not right.
    pub const FAILURES: &str = "Only failures";
    /// Label.
    pub const SORT: &str = "Sort";
    /// Label.
    pub const GROUP: &str = "Group";
    /// Not at all.
    pub const NO_GROUP: &str = "Not grouped";
    /// Label.
    pub const OUTCOME: &str = "Outcome";
    /// Label.
    pub const FAULT: &str = "Fault";
    /// No filter.
    pub const ALL: &str = "All";
    /// Any fault.
    pub const ANY_FAULT: &str = "Any fault";
    /// The button that turns the order around.
    pub const TURN_AROUND: &str = "Turn the order around";
    /// The button that shows the other fields, on a phone.
    pub const UNFOLD: &str = "Sort and filter";
    /// The group of looks.
    pub const LOOK: &str = "Size";
    /// One a row.
    pub const LIST: &str = "Table";
    /// The first column of the table.
    pub const TASK_COLUMN: &str = "Task";
    /// Opens the choice of the table's columns.
    pub const COLUMNS: &str = "Columns";
    /// Several a row.
    pub const TILES: &str = "Tiles";
    /// As many as fit.
    pub const DENSE: &str = "Dense";
    /// How many are shown.
    pub fn shown(shown: usize, of: usize) -> String {
        if shown == of {
            counted(of as u64, "episode", "episodes")
        } else {
            format!("{} of {}", count(shown as u64), count(of as u64))
        }
    }
    /// Which of them are in sight: the first and the last, `None` for all.
    pub fn in_sight(sight: Option<(usize, usize)>, (found, of): (usize, usize)) -> String {
        let Some((first, last)) = sight else {
            return shown(found, of);
        };
        let [first, last, found_in_words, all] =
            [first, last, found, of].map(|number| count(number as u64));
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
    /// The list's name.
    pub const LABEL: &str = "Episodes as ribbons. Arrow keys move, Enter opens.";
    /// Before anything is chosen.
    pub const HINT: &str =
        "Point at a cell, or walk with the arrow keys: this line says what happened there.";
    /// The same where there is no mouse.
    pub const HINT_TOUCH: &str = "Tap a cell: this line says what happened there.";
    /// The keys.
    pub const KEYS: &[(&[&str], &str)] = &[
        (&["j", "k"], "episodes"),
        (&["←", "→"], "turns"),
        (&["Enter"], "open"),
        (&["/"], "find"),
    ];
    /// Legend: what came back.
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
