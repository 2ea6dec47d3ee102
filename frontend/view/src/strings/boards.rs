//! Leaderboards.

use turnwise_shared::prelude::*;
use turnwise_shared::wire::boards::Better;

use super::capitalised;

texts!("boards");

/// From the best to the worst place.
pub fn place((best, worst): (u32, u32)) -> String {
    match best == worst {
        true => best.to_string(),
        false => format!("{best}–{worst}"),
    }
}
pub fn place_label((best, worst): (u32, u32)) -> String {
    match best == worst {
        true => format!("place {best}"),
        false => format!("place {best} to {worst}"),
    }
}
/// A tier with what lowers it.
pub fn because(tier: &str, reasons: &[String]) -> String {
    let tier = capitalised(tier);
    match reasons {
        [] => format!("{tier}."),
        reasons => {
            let reasons: Vec<&str> = reasons.iter().map(|one| one.trim_end_matches('.')).collect();
            format!("{tier}, because {}.", reasons.join("; "))
        }
    }
}

/// How many rows are shown.
pub fn counted(from: u32, to: u32, matching: u32, total: u32) -> String {
    let rows = match (from, to) {
        (_, 0) => "No row".to_owned(),
        (from, to) => format!("Rows {from} to {to}"),
    };
    match matching == total {
        true => format!("{rows} of {total}"),
        false => format!("{rows} of {matching} that match, {total} in all"),
    }
}

/// What the dots are, and how many of them all lead to a run; rows from papers lead to none.
pub fn dots(leads: usize, all: usize, has_whiskers: bool) -> String {
    let what = marks(has_whiskers);
    match leads {
        0 => what.to_owned(),
        _ if leads == all => format!("{what} {MARKS_LEAD}"),
        _ => format!("{what} {SOME_MARKS_LEAD}"),
    }
}
