//! Mind-ParaWorld on the page on which a run is configured: settings, fresh worlds, what checks found.

use crate::view::number::{count, counted};

/// The section of settings.
pub const SETTING: &str = "What the player is given";
/// A setting: its name, a title, what it separates, and a ribbon as pairs of classes and letters.
pub struct SettingCard {
    /// The name in settings.
    pub name: &'static str,
    /// The title.
    pub title: &'static str,
    /// What it separates.
    pub note: &'static str,
    /// What an episode may look like.
    pub ribbon: &'static [(&'static str, &'static str)],
}
const H: (&str, &str) = ("k-search r-hit", "S");
const M: (&str, &str) = ("k-search r-miss", "S");
const C: (&str, &str) = ("k-search r-compound", "S");
const E: (&str, &str) = ("k-answer", "=");
/// All of them, the usual first.
pub const SETTINGS: &[SettingCard] = &[
    SettingCard {
        name: "C",
        title: "C: the tool alone",
        note: "Nobody says how to search: what the model does by itself. The benchmark proper.",
        ribbon: &[C, H, M, H, E],
    },
    SettingCard {
        name: "B-guidance",
        title: "B: with guidance",
        note: "It is told to ask for one thing at a time: what is left are faults of searching, not of knowing how.",
        ribbon: &[H, H, M, H, E],
    },
    SettingCard {
        name: "B-few-shot",
        title: "B: with examples",
        note: "Good and bad queries are shown instead of a rule: whether examples do what words do not.",
        ribbon: &[H, M, H, H, E],
    },
    SettingCard {
        name: "A",
        title: "A: all facts",
        note: "No tool, every fact is shown: how well facts are put together once they are there.",
        ribbon: &[E],
    },
    SettingCard {
        name: "control",
        title: "Control: the question alone",
        note: "No tool and no facts: what can be guessed. It should be next to nothing.",
        ribbon: &[E],
    },
    SettingCard {
        name: "custom",
        title: "Custom",
        note: "The tool, with a system prompt and a syntax of calls of your own.",
        ribbon: &[H, C, H, E],
    },
];
/// The fold with everything else.
pub const ADVANCED: &str = "Advanced";
/// What is chosen in it, in a line.
pub fn advanced_now(values: &[(&str, String)]) -> String {
    let parts: Vec<String> = values
        .iter()
        .filter_map(|(name, value)| match (*name, value.as_str()) {
            ("syntax", "default") | ("parallel", "false") | ("system", "null") => None,
            ("syntax", other) => Some(format!("calls as {other}")),
            ("parallel", _) => Some("calls side by side".to_owned()),
            ("system", _) => Some("a system prompt".to_owned()),
            ("context", "null") => Some("all of the conversation".to_owned()),
            ("context", signs) => Some(format!("{} characters", grouped(signs))),
            ("format_errors", "null") => Some("any format errors".to_owned()),
            ("format_errors", most) => Some(format!("{most} format errors")),
            ("votes", "1") => Some("one vote".to_owned()),
            ("votes", votes) => Some(format!("{votes} votes")),
            ("engines", "api") => Some("the engine for services".to_owned()),
            ("engines", _) => Some("the local engine".to_owned()),
            _ => None,
        })
        .collect();
    parts.join(", ")
}

fn grouped(number: &str) -> String {
    number.parse().map_or_else(|_| number.to_owned(), count)
}
/// Nothing can be searched here.
pub const NO_ENGINE: &str = "In this setting nothing is searched: the engine is not asked.";

/// The fold in which worlds are made.
pub const FRESH: &str = "Make fresh worlds";
/// What that is.
pub const FRESH_NOTE: &str = "worlds that no model has seen, built by rule in this page";
/// The seed.
pub const SEED: &str = "Seed";
/// What it does.
pub const SEED_NOTE: &str = "the same seed builds the same worlds anywhere";
/// How many.
pub const COUNT: &str = "How many";
/// The size class.
pub const TIER: &str = "Tier";
/// All of them.
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
/// The language.
pub const LANGUAGE: &str = "Language";
/// Both.
pub const BOTH: &str = "English and Chinese";
/// A language in a list.
pub fn language(code: &str) -> &'static str {
    match code {
        "zh" => "Chinese",
        _ => "English",
    }
}
/// The kind of question.
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
/// The category.
pub const CATEGORY: &str = "Category";
/// Any of them.
pub const ANY: &str = "any";
/// The button.
pub fn build(worlds: u32) -> String {
    format!("Build {}", counted(worlds.into(), "world", "worlds"))
}
/// How far it is.
pub fn building(done: u32, of: u32) -> String {
    format!("{} of {} worlds", count(done.into()), count(of.into()))
}
/// The button that stops it.
pub const CANCEL: &str = "Stop building";
/// It is done.
pub fn built(worlds: usize) -> String {
    let worlds = counted(worlds as u64, "world is", "worlds are");
    format!("{worlds} built and checked; tiers, categories and languages stand below.")
}
/// The kinds of questions, counted.
pub fn families(counts: &[(String, u32)]) -> String {
    let parts: Vec<String> = counts
        .iter()
        .map(|(name, number)| format!("{} × {name}", count((*number).into())))
        .collect();
    parts.join(", ")
}
/// One of them.
pub const SAMPLE: &str = "One of them";
/// All of it is invented.
pub const FICTION: &str = "Fiction: names, numbers and events are invented.";
/// The facts behind a fold.
pub const SHOW_FACTS: &str = "Show its facts and its answer";
/// The answer.
pub const ANSWER: &str = "Answer";
/// The file of worlds.
pub const DOWNLOAD: &str = "Worlds (JSON Lines)";
/// What is written beside it.
pub const DOWNLOAD_MANIFEST: &str = "Manifest";
/// Where they are from now on.
pub const FROM_NAME: &str = "Nothing is uploaded: whoever has the address of this page, or the run, builds the same worlds again.";

/// Worlds are being checked.
pub fn checking(done: usize, of: usize) -> String {
    format!(
        "Checking the worlds: {} of {}",
        count(done as u64),
        count(of as u64)
    )
}
/// Nothing was found.
pub fn sound(worlds: usize) -> String {
    format!(
        "{} checked, nothing found.",
        counted(worlds as u64, "world", "worlds")
    )
}
/// Something was found.
pub fn found(errors: usize, warnings: usize) -> String {
    let warnings = counted(warnings as u64, "warning", "warnings");
    match errors {
        0 => format!("Checks of the worlds: {warnings}"),
        _ => format!(
            "Checks of the worlds: {}, {warnings}",
            counted(errors as u64, "error", "errors")
        ),
    }
}
/// What warnings mean.
pub const WARNINGS_MEAN: &str = "The worlds can be run. A warning names what could not be checked, or what makes a world easier or harder than meant.";
/// What errors mean.
pub const ERRORS_MEAN: &str = "Worlds with an error can be run, but their answers should not be trusted: leave them out by id.";
/// The list.
pub const FINDINGS: &str = "What was found";
/// The column of rows of the file.
pub const ROWS: &str = "Rows of the file";
/// The column of findings.
pub const FINDING: &str = "Finding";
/// The worlds that a run of the studio made, as a file.
pub const FREEZE: &str = "Worlds (JSON lines)";
/// What is in it.
pub const FREEZE_TITLE: &str = "What was accepted, as worlds that Mind-ParaWorld plays, and their manifest; pairs with a rejected question are left out if the run's settings say so";
/// They are to be played.
pub const PLAY_FROZEN: &str = "Play these worlds";
/// What comes of it.
pub const PLAY_FROZEN_TITLE: &str = "Stores what was accepted on the server as a task set, and prepares a run of Mind-ParaWorld over it";
/// They are stored.
pub fn ready(worlds: usize) -> String {
    let worlds = counted(worlds as u64, "world is", "worlds are");
    format!("{worlds} on the server. This run plays them.")
}
/// They were saved.
pub fn frozen(worlds: usize) -> String {
    format!(
        "{} saved, with the manifest.",
        counted(worlds as u64, "world", "worlds")
    )
}
/// Legend of the world studio: whose turn a cell is.
pub const LEGEND: &[(&str, &str)] = &[
    ("k-ask|A", "a question is written"),
    ("k-other|L", "law laid down, or let pass by the editor"),
    ("k-other|C", "changed by the editor"),
    ("k-other|R", "refused by the editor"),
    ("k-search|S", "first audit"),
    ("k-answer r-correct|✓", "second audit agrees"),
    ("k-answer r-wrong|✗", "it does not"),
    ("k-invalid|?", "broke the rules"),
];
/// Legend of Mind-ParaWorld: nobody is asked there.
pub const PLAYED_LEGEND: &[(&str, &str)] = &[
    ("k-search|S", "search"),
    ("k-invalid|?", "broke the rules"),
    ("k-answer r-correct|✓", "correct"),
    ("k-answer r-wrong|✗", "wrong"),
    ("bar r-hit", "found a fact"),
    ("bar r-miss", "found none"),
    ("bar r-compound", "several things at once, or too little"),
];
