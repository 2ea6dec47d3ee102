//! Mind-ParaWorld on the page on which a run is configured: fresh worlds, what checks found.

use std::collections::BTreeMap;

use crate::prelude::*;

pub const FRESH: &str = "Make fresh worlds";
pub const FRESH_NOTE: &str = "worlds that no model has seen, built by rule in this page";
pub const SEED: &str = "Seed";
pub const SEED_NOTE: &str = "the same seed builds the same worlds anywhere";
pub const COUNT: &str = "How many";
pub const TIER: &str = "Tier";
pub const ALL_TIERS: &str = "all, in turn";
/// A size class in a list.
pub fn tier(name: &str) -> String {
    match name {
        "easy" => "easy, up to 5 facts".to_owned(),
        "mid" => "mid, 6 to 10 facts".to_owned(),
        "hard" => "hard, 11 facts or more".to_owned(),
        other => other.to_owned(),
    }
}
pub const LANGUAGE: &str = "Language";
pub const BOTH: &str = "English and Chinese";
/// A language in a list.
pub fn language(code: &str) -> &'static str {
    match code {
        "zh" => "Chinese",
        _ => "English",
    }
}
pub const FAMILY: &str = "Kind of question";
/// A kind of question in a list.
pub fn family(name: &str) -> &'static str {
    match name {
        "comparison" => "comparison of two totals",
        "ratio" => "ratio of two totals",
        "count" => "count over a threshold",
        "index" => "index with a rule of its own",
        "chain" => "chain of several hops",
        _ => "another",
    }
}
pub const CATEGORY: &str = "Category";
pub const ANY: &str = "any";
pub fn build(worlds: u32) -> String {
    format!("Build {}", counted(worlds, "world", "worlds"))
}
pub fn building(done: u32, of: u32) -> String {
    format!("{} of {} worlds", count(done), count(of))
}
pub const CANCEL: &str = "Stop building";
pub fn built(worlds: usize) -> String {
    let worlds = counted(worlds, "world is", "worlds are");
    format!("{worlds} built and checked; tiers, categories and languages stand below.")
}
/// The kinds of questions, counted.
pub fn families(counts: &BTreeMap<String, u32>) -> String {
    let parts: Vec<String> =
        counts.iter().map(|(name, number)| format!("{} × {name}", count(*number))).collect();
    parts.join(", ")
}
pub const SAMPLE: &str = "One of them";
pub const FICTION: &str = "Fiction: names, numbers and events are invented.";
pub const SHOW_FACTS: &str = "Show its facts and its answer";
pub const ANSWER: &str = "Answer";
pub const DOWNLOAD: &str = "Worlds (JSON Lines)";
pub const DOWNLOAD_MANIFEST: &str = "Manifest";
pub const FROM_NAME: &str = "Nothing is uploaded: whoever has the address of this page, or the run, builds the same worlds again.";

pub fn checking(done: usize, of: usize) -> String {
    format!("Checking the worlds: {} of {}", count(done), count(of))
}
pub fn sound(worlds: usize) -> String {
    format!("{} checked, nothing found.", counted(worlds, "world", "worlds"))
}
pub fn found(errors: usize, warnings: usize) -> String {
    let warnings = counted(warnings, "warning", "warnings");
    match errors {
        0 => format!("Checks of the worlds: {warnings}"),
        _ => format!("Checks of the worlds: {}, {warnings}", counted(errors, "error", "errors")),
    }
}
pub const WARNINGS_MEAN: &str = "The worlds can be run. A warning names what could not be checked, or what makes a world easier or harder than meant.";
pub const ERRORS_MEAN: &str = "Worlds with an error can be run, but their answers should not be trusted: leave them out by id.";
pub const FINDINGS: &str = "What was found";
pub const ROWS: &str = "Rows of the file";
pub const FINDING: &str = "Finding";
