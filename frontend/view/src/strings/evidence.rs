//! What stands at the evidence grid and at pages of results.

pub const EVIDENCE: &str = "Evidence";
pub const GRID: &str = "Facts by search";
pub fn found(found: usize, facts: usize, calls: usize) -> String {
    let calls = match calls {
        1 => "1 search".to_owned(),
        calls => format!("{calls} searches"),
    };
    format!("{found} of {facts} facts found in {calls}")
}
pub const NOTE: &str = "A row for each fact, a column for each search. A filled cell is a search that found this fact; the last row says what became of \
     the others.";
pub const REVEAL: &str = "What the facts say is hidden until you show the hidden fields above.";
pub const FACT: &str = "Fact";
/// A fact without its text.
pub fn fact(number: usize, kind: &str) -> String {
    match kind {
        "data" => format!("fact {number}"),
        kind => format!("fact {number} ({kind})"),
    }
}
pub const NOTHING: &str = "nothing found";
pub const COVERAGE: &str = "coverage, %";
pub fn search(number: usize, turn: u32, query: &str, word: &str) -> String {
    format!("Search {number}, turn {turn}: “{query}” → {word}")
}
pub const AGAIN: &str = "again";
pub const WAITING: &str = "waiting";
pub const CURVE: &str = "Facts found by search";
pub const CALL: &str = "Search";
pub const SHARE: &str = "Coverage";
pub const RESULTS: &str = "Results as the player saw them";
pub const AS_SENT: &str = "Exactly as it was sent";
