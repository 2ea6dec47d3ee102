//! The page on which a run is configured.

use crate::cost::{Range, TooSmall};

texts!("new_run");

/// No benchmark reads it: why, and what is wrong with further rows.
pub fn bad_file(why: &str, others: &[String]) -> String {
    const SHOWN: usize = 9;
    let mut text = format!("This file cannot be used. {why}");
    for other in others.iter().take(SHOWN) {
        text.push_str("; ");
        text.push_str(other);
    }
    match others.len().saturating_sub(SHOWN) {
        0 => {}
        1 => text.push_str("; and 1 row more"),
        more => text.push_str(&format!("; and {more} rows more")),
    }
    text
}

/// How many take part, and how many may.
pub fn participants(now: u32, fewest: u32, most: u32) -> String {
    match most {
        u32::MAX => format!("{now} take part, at least {fewest}"),
        most => format!("{now} take part, {fewest} to {most} can"),
    }
}
/// What a run will cost.
pub fn cost(range: &Range) -> String {
    match range.about {
        Some((about, runs)) => cost_like(about, runs, range.most),
        None => cost_unlike(range.most),
    }
}
