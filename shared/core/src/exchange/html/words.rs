//! The words of the page.

pub const RELIABILITY: &str = "Confidence against accuracy";
pub const AS_TABLE: &str = "As a table";
pub const INTERVAL: &str = "95 % interval";
pub const N: &str = "n";
pub const CONFIDENCE: &str = "confidence";
pub const ACCURACY: &str = "accuracy";
pub const FAILED: &str = "A call failed";
pub const UNDER_WAY: &str = "under way";

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

pub fn turn(index: u32, seat: &str) -> String {
    format!("{index} · {seat}")
}

pub fn restarted(attempt: u32, why: &str) -> String {
    format!("Began anew (attempt {attempt}): {why}")
}

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
