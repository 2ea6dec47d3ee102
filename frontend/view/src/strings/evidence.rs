//! What stands at the evidence grid and at pages of results.

pub const EVIDENCE: &str = "Evidence";
pub fn found(found: usize, facts: usize, calls: usize) -> String {
    let calls = match calls {
        1 => "1 search".to_owned(),
        calls => format!("{calls} searches"),
    };
    format!("{found} of {facts} facts found in {calls}")
}
pub const NOTE: &str = "A row for each fact, a column for each search. A filled cell is a search that found this fact; the last row says what became of \
     the others.";
/// A fact without its text.
pub fn fact(number: usize, kind: &str) -> String {
    match kind {
        "data" => format!("fact {number}"),
        kind => format!("fact {number} ({kind})"),
    }
}
pub const SHARE: &str = "Coverage";
