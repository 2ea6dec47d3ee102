//! Words of the screen.

pub const STEPS: &str = "Steps";
pub const STEP: &str = "Step";
pub const PLAN: &str = "Plan";
pub const CAME: &str = "What came back";
pub const READ: &str = "What the player read";
pub const MEMORY: &str = "Memory before it";
pub const EVIDENCE: &str = "Ranked pages";
pub const PAGE: &str = "Page";
pub const CONTENT: &str = "What the player has of it";
pub const NEVER_FOUND: &str = "never found";
pub const ANSWER_FROM: &str = "Answer from the first k pages";
pub const NO_ANSWER: &str = "No answer";
pub const RIGHT: &str = "Right";
pub const VERDICTS: &str = "Verdicts";
pub const GIVEN: &str = "Answer from";
pub const ANSWER: &str = "Answer";
pub const ALL: &str = "all that was found";
pub const OFFLINE: &str = "no web";

/// Results and characters of a memory, and how many results were left out of it.
pub fn memory((results, characters, left_out): (usize, usize, u64)) -> String {
    let results = match results {
        0 => return "empty".to_owned(),
        1 => "1 result".to_owned(),
        many => format!("{many} results"),
    };
    let left_out = match left_out {
        0 => String::new(),
        some => format!(", {some} left out"),
    };
    format!("{results}, {characters} characters{left_out}")
}

pub fn first(pages: usize) -> String {
    format!("k = {pages}")
}
