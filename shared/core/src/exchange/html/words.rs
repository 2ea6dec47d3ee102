//! The words of the page.

/// Over the episodes.
pub const EPISODES: &str = "Episodes";
/// What one sees there.
pub const EPISODES_ABOUT: &str =
    "One cell a turn; the bar below it tells what came back. Open an episode to read it.";
/// The reading of the benchmark.
pub const PROFILE: &str = "profile";
/// The set of tasks.
pub const TASKS: &str = "tasks";
/// How many episodes.
pub const COUNT: &str = "episodes";
/// When the run was opened.
pub const OPENED: &str = "opened";
/// The hash of the spec.
pub const SPEC: &str = "spec";
/// The canary of an encrypted set.
pub const CANARY: &str = "canary";
/// The settings, folded away.
pub const SETTINGS: &str = "Settings";
/// Over the numbers.
pub const NUMBERS: &str = "Numbers";
/// Over remarks.
pub const REMARKS: &str = "Remarks";
/// Over breakdowns.
pub const BREAKDOWNS: &str = "Breakdowns";
/// Over the reliability diagram.
pub const RELIABILITY: &str = "Confidence against accuracy";
/// The same as a table.
pub const AS_TABLE: &str = "As a table";
/// Columns.
pub const SCORE: &str = "score";
/// The interval.
pub const INTERVAL: &str = "95 % interval";
/// How many stand behind a number.
pub const N: &str = "n";
/// Columns of the reliability diagram.
pub const CONFIDENCE: &str = "confidence";
/// The share of right answers.
pub const ACCURACY: &str = "accuracy";
/// A column of names.
pub const NAME: &str = "name";
/// Who a participant is.
pub const WHO: &str = "who";
/// The curve of a row.
pub const CURVE: &str = "curve";
/// No score.
pub const NO_SCORE: &str = "no score";
/// The task's question.
pub const QUESTION: &str = "Question";
/// A grading.
pub const GRADING: &str = "Grading";
/// The final answer.
pub const FINAL: &str = "Final answer";
/// Reasoning that a service returned apart from the text.
pub const REASONING: &str = "Reasoning";
/// How a reply was read.
pub const READ_AS: &str = "Taken for";
/// A call failed.
pub const FAILED: &str = "A call failed";
/// A withheld or unfinished transcript.
pub const UNDER_WAY: &str = "under way";

/// The page's name.
pub fn title(run: &str) -> String {
    format!("{run} · Turnwise")
}

/// By what it was written.
pub fn made_with(version: &str) -> String {
    format!(
        "Written by Turnwise {version}. This file stands alone: it loads nothing and runs nothing. What stands in it cannot be verified from it; the transcripts can."
    )
}

/// Turns that are not on the page.
pub fn left_out(turns: usize) -> String {
    match turns {
        1 => "One turn is left out of this copy.".to_owned(),
        turns => format!("{turns} turns are left out of this copy."),
    }
}

/// A text that was cut.
pub fn cut(signs: usize) -> String {
    format!("… {signs} more characters are left out of this copy.")
}

/// A turn's head.
pub fn turn(index: u32, seat: &str) -> String {
    format!("{index} · {seat}")
}

/// The episode began anew.
pub fn restarted(attempt: u32, why: &str) -> String {
    format!("Began anew (attempt {attempt}): {why}")
}

/// How many turns.
pub fn turns(count: usize) -> String {
    match count {
        1 => "1 turn".to_owned(),
        count => format!("{count} turns"),
    }
}

/// How many tokens.
pub fn tokens(count: &str) -> String {
    format!("{count} tokens")
}

/// A repeat of a task.
pub fn repeat(number: u32) -> String {
    format!("repeat {number}")
}
