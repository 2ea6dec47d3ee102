//! What stands at the evidence grid and at pages of results.

/// The grid.
pub const EVIDENCE: &str = "Evidence";
/// The grid alone, which scrolls.
pub const GRID: &str = "Facts by search";
/// How much was found.
pub fn found(found: usize, facts: usize, calls: usize) -> String {
    let calls = match calls {
        1 => "1 search".to_owned(),
        calls => format!("{calls} searches"),
    };
    format!("{found} of {facts} facts found in {calls}")
}
/// What the grid shows.
pub const NOTE: &str = "A row for each fact, a column for each search. A filled cell is a search that found this fact; the last row says what became of \
     the others.";
/// What can be had where facts are hidden.
pub const REVEAL: &str = "What the facts say is hidden until you show the hidden fields above.";
/// Head of the first column.
pub const FACT: &str = "Fact";
/// A fact without its text.
pub fn fact(number: usize, kind: &str) -> String {
    match kind {
        "data" => format!("fact {number}"),
        kind => format!("fact {number} ({kind})"),
    }
}
/// The row of searches that found nothing.
pub const NOTHING: &str = "nothing found";
/// The row of coverage.
pub const COVERAGE: &str = "coverage, %";
/// A search in words.
pub fn search(number: usize, turn: u32, query: &str, word: &str) -> String {
    format!("Search {number}, turn {turn}: “{query}” → {word}")
}
/// A search that found a fact that was found before.
pub const AGAIN: &str = "again";
/// A search whose answer has not come.
pub const WAITING: &str = "waiting";
/// The curve.
pub const CURVE: &str = "Facts found by search";
/// Its horizontal axis.
pub const CALL: &str = "Search";
/// Its vertical axis.
pub const SHARE: &str = "Coverage";
/// A page of results.
pub const RESULTS: &str = "Results as the player saw them";
/// The text with its marks.
pub const AS_SENT: &str = "Exactly as it was sent";
