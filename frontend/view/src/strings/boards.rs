//! Leaderboards.

use turnwise_shared::prelude::*;
use turnwise_shared::wire::boards::Better;

use super::capitalised;
use crate::number;

pub const TITLE: &str = "Leaderboards";
pub const LEDE: &str = "Published runs that this server checked, one page per benchmark. Under one condition everything is the same except the \
     model: tasks, prompts, grader, search engine and limits. What papers printed is listed apart.";

/// How a row's evidence tier is called.
pub fn tier(tier: EvidenceTier) -> &'static str {
    match tier {
        EvidenceTier::Verified => "verified",
        EvidenceTier::SelfReported => "self-reported",
        EvidenceTier::Human => "human",
        EvidenceTier::HumanUnattended => "human (unattended)",
        EvidenceTier::Baseline => "baseline",
        EvidenceTier::Published => "from a paper",
    }
}

/// What an evidence tier means.
pub fn tier_about(tier: EvidenceTier) -> &'static str {
    match tier {
        EvidenceTier::Verified => {
            "every reply has a signed receipt or can be computed again; the tasks are the server's own"
        }
        EvidenceTier::SelfReported => {
            "replayed and recomputed, but some replies rest on the word of whoever sent them"
        }
        EvidenceTier::Human => "invited people, each in a seat of their own",
        EvidenceTier::HumanUnattended => "a person; nothing shows under which circumstances",
        EvidenceTier::Baseline => "built-in players only",
        EvidenceTier::Published => "as a paper printed it; never ranked with runs",
    }
}

pub const PLACE: &str = "Rank";
pub const WHO: &str = "Who";
pub const TIER: &str = "Evidence";
pub const N: &str = "n";
/// When a row was published, to the minute.
pub fn published(moment: &str) -> String {
    format!("published {moment}")
}
pub const INTERVAL: &str = "95 % interval";

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
pub const PLACES_NOTE: &str = "A rank is a range: runs that cannot be told apart from a run may be before or behind it (95 %, over all \
     pairs). Self-reported runs and rows of papers have none.";
pub fn opened(opened: u32, published: u32) -> String {
    format!("published {published} of {opened} runs opened under this condition")
}
/// The link of a row.
pub fn open_run(name: &str) -> String {
    format!("Open the run of {name}")
}
pub const CONDITIONS: &str = "Conditions";
pub const PRINTED: &str = "From the paper";
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
/// Rows that a logarithmic axis cannot show.
pub fn without_cost(count: usize) -> String {
    let rows = number::counted(count, "row costs", "rows cost");
    format!("{rows} nothing and cannot be drawn on a logarithmic scale.")
}
pub const NO_RUN: &str = "No published run yet";
pub const RATINGS: &str = "Ratings over all runs";
pub const RATINGS_NOTE: &str = "By how much more a player wins than the average of all, whoever it met: the strengths that fit all runs best, each \
     run weighted by how well it is known. Zero is the average.";
pub const RATING: &str = "Rating";
pub const RUNS: &str = "Runs";

/// The usual order of a column.
pub fn usual(column: Option<Better>) -> &'static str {
    match column {
        None => "A to Z",
        Some(Better::Neither) => "highest first",
        Some(Better::More | Better::Less) => "best first",
    }
}
pub const RESET: &str = "Show everything";
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

pub const HOW: &str = "How to get a row here";
pub const STEPS: &[(&str, &str)] = &[
    (
        "Start a run of this condition",
        "Choose the tasks and a model, or play yourself. The run is opened on this server first, so that nothing can be picked afterwards.",
    ),
    (
        "Let it end",
        "Every episode must come to its end and be graded; a run with open ends has bounds and no place.",
    ),
    (
        "Publish it from its page",
        "The server replays every transcript, checks the receipts and recomputes every number. What agrees appears on its leaderboard at once.",
    ),
];

pub const PLOTS: &str = "Plot";
/// The choices of it: key in the address, and word.
pub const KINDS: &[(&str, &str)] = &[
    ("interaction", "against interaction"),
    ("cost", "against cost"),
    ("calibration", "calibration"),
    ("time", "over time"),
];
/// What the dots are, and how many of them all lead to a run; rows from papers lead to none.
pub fn dots(leads: usize, all: usize, has_whiskers: bool) -> String {
    let what = match has_whiskers {
        true => "One mark a row of the table; whiskers are 95 % intervals.",
        false => "One mark a row of the table.",
    };
    match leads {
        0 => what.to_owned(),
        _ if leads == all => format!("{what} A mark leads to its run."),
        _ => format!("{what} A mark leads to its run, where it has one: a paper's has none."),
    }
}
pub const DAY: &str = "day of publication";

pub fn rows(count: u32) -> String {
    number::counted(count, "row", "rows")
}
