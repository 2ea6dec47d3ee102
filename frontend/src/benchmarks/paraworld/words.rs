//! What a person reads who plays a world.

use crate::prelude::*;

/// The world before this one is over, in practice: `hits` of its searches found a fact.
pub fn world_over_practice(number: u32, hits: usize, searches: usize) -> String {
    let of = counted(searches, "search", "searches");
    format!("World {number} is over: {hits} of {of} found a fact. Its verdict follows at the end.")
}
/// The world before this one is over.
pub fn world_over(number: u32) -> String {
    format!("World {number} is over. What came of it is shown at the end.")
}
pub const QUESTION: &str = "Question";
pub const RULES: &str = "The rules, as a model is told them";
pub const QUERY: &str = "Search for";
pub const QUERY_HINT: &str = "a query";
pub const SEARCH: &str = "Search";
pub const FINAL_ANSWER: &str = "Final answer";
pub const FINAL_NOTE: &str = "You answer once: this ends the world.";
pub const ANSWER: &str = "Answer";
pub const SEARCHES: &str = "Your searches, the latest first";
/// A search in the list.
pub fn search_number(number: usize) -> String {
    format!("Search {number}")
}
pub const SEARCHING: &str = "Searching…";
pub const NO_SEARCH_YET: &str = "Nothing was searched for yet. A page of results appears here.";
pub fn turns_left(left: u32, of: u32) -> String {
    match left {
        1 => "Last turn: only an answer counts.".to_owned(),
        _ => format!("{left} of {} left", counted(of, "turn", "turns")),
    }
}
/// What came back, for those who listen.
pub fn came_back(results: usize) -> String {
    counted(results, "result came back", "results came back")
}

pub const COVERAGE: &str = "Facts found";
pub fn of_facts(facts: usize) -> String {
    format!("of {}", counted(facts, "fact", "facts"))
}
pub const ALL_SHOWN: &str = "all were shown";
/// How many of them found a fact.
pub fn hits(hits: usize) -> String {
    format!("{hits} found a fact")
}
pub const EVIDENCE: &str = "What there was to find";
/// A fact was found by a search.
pub fn found_by(number: usize) -> String {
    format!("found by search {number}")
}
pub const NOT_FOUND: &str = "not found";
pub const WHAT_CAME: &str = "What your searches were taken for";
pub const WHAT_IS_IT: &str = "What is this query?";
pub const HIT: &str = "One question, answered by this fact";
pub const WHICH_FACT: &str = "Which fact";
pub const MISS: &str = "One question, and no fact answers it";
pub const COMPOUND: &str = "Several questions in one, or a comparison";
pub const TOO_BARE: &str = "It says too little";
pub const PAGE: &str = "The page that the player gets";
pub const PAGE_NOTE: &str = "Filled in from templates for what you chose. Change what you like: a hit must name the value of its fact, \
     and nothing else may give a value away.";
pub fn result(number: u32) -> String {
    format!("Result {number}")
}
/// The title of a result.
pub fn title_of(number: u32) -> String {
    format!("Title of result {number}")
}
/// The text of a result.
pub fn text_of(number: u32) -> String {
    format!("Text of result {number}")
}
/// The date of a result.
pub fn date_of(number: u32) -> String {
    format!("Date of result {number}")
}
pub const SEND_PAGE: &str = "Send this page";
pub const RAW: &str = "Write the reply as a model does";
