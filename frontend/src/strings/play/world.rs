//! What a person reads who plays Mind-ParaWorld.

use turnwise_shared::benchmarks::paraworld::settings::Setting;
use turnwise_shared::benchmarks::paraworld::task::Language;

use crate::view::number::counted;

/// The most signs of a question in a list.
const CLIPPED: usize = 70;

/// The choice of a setting.
pub const GIVEN: &str = "What you are given";
/// A setting: title and meaning.
pub fn setting(setting: Setting) -> (&'static str, &'static str) {
    match setting {
        Setting::Unguided => (
            "C: the search engine alone",
            "As models play it: nobody tells you how to search.",
        ),
        Setting::Guidance => (
            "B: with guidance",
            "The same, and you are told how queries should be written.",
        ),
        Setting::FewShot => (
            "B: with examples",
            "The same, and you are shown good and bad queries.",
        ),
        Setting::Oracle => (
            "A: all facts",
            "No search: every fact is there, and you put them together.",
        ),
        Setting::Custom | Setting::Control => ("", ""),
    }
}
/// The choice of a world.
pub const WHICH_WORLD: &str = "Which world";
/// Where worlds come from.
pub const SAMPLES_NOTE: &str = "Worlds of our own, all invented. They come with this program, so a result is practice, not a record.";
/// A world by chance.
pub fn any_world(language: Option<Language>) -> String {
    match language {
        None => "any, by chance".to_owned(),
        Some(Language::En) => "any in English, by chance".to_owned(),
        Some(Language::Zh) => "any in Chinese, by chance".to_owned(),
    }
}
/// A sample in a list.
pub fn sample_world(tier: &str, category: &str, question: &str) -> String {
    let mut clipped: String = question.chars().take(CLIPPED).collect();
    if clipped.len() < question.len() {
        clipped.push('…');
    }
    format!("{category}, {tier}: {clipped}")
}

/// The world before this one is over, in practice: so many of its searches found a fact.
pub fn world_over_practice(number: u32, hits: usize, searches: usize) -> String {
    let of = counted(searches as u64, "search", "searches");
    format!("World {number} is over: {hits} of {of} found a fact. Its verdict follows at the end.")
}
/// The world before this one is over.
pub fn world_over(number: u32) -> String {
    format!("World {number} is over. What came of it is shown at the end.")
}
/// The heading of the question.
pub const QUESTION: &str = "Question";
/// What the system message says.
pub const RULES: &str = "The rules, as a model is told them";
/// The field of a query.
pub const QUERY: &str = "Search for";
/// Its hint.
pub const QUERY_HINT: &str = "a query";
/// The button that searches.
pub const SEARCH: &str = "Search";
/// The field of the answer.
pub const FINAL_ANSWER: &str = "Final answer";
/// What it does.
pub const FINAL_NOTE: &str = "You answer once: this ends the world.";
/// The button that answers.
pub const ANSWER: &str = "Answer";
/// The list of searches.
pub const SEARCHES: &str = "Your searches, the latest first";
/// A search in the list.
pub fn search_number(number: usize) -> String {
    format!("Search {number}")
}
/// It is under way.
pub const SEARCHING: &str = "Searching…";
/// Nothing was searched for.
pub const NO_SEARCH_YET: &str = "Nothing was searched for yet. A page of results appears here.";
/// What is left.
pub fn turns_left(left: u32, of: u32) -> String {
    match left {
        1 => "Last turn: only an answer counts.".to_owned(),
        _ => format!("{left} of {} left", counted(of.into(), "turn", "turns")),
    }
}
/// What came back, for those who listen.
pub fn came_back(results: usize) -> String {
    counted(results as u64, "result came back", "results came back")
}

/// The end of a world.
pub const YOUR_ANSWER: &str = "Your answer";
/// There is none.
pub const NO_ANSWER: &str = "none";
/// The right one.
pub const REFERENCE_ANSWER: &str = "Reference answer";
/// Who judged.
pub const GRADED_BY: &str = "Graded by";
/// Whoever judged, and the rule of a built-in judge.
pub fn graded_by(who: &str, rule: Option<&str>) -> String {
    match rule {
        Some(rule) => format!("{who}, which {rule}"),
        None => who.to_owned(),
    }
}
/// What the judge says.
pub fn verdict(is_correct: Option<bool>) -> &'static str {
    match is_correct {
        Some(true) => "Correct",
        Some(false) => "Wrong",
        None => "Not judged",
    }
}
/// The facts that were found.
pub const COVERAGE: &str = "Facts found";
/// Of so many.
pub fn of_facts(facts: usize) -> String {
    format!("of {}", counted(facts as u64, "fact", "facts"))
}
/// Nothing could be found because everything was shown.
pub const ALL_SHOWN: &str = "all were shown";
/// How many searches.
pub const SEARCHES_MADE: &str = "Searches";
/// How many of them found a fact.
pub fn hits(hits: usize) -> String {
    format!("{hits} found a fact")
}
/// The list of facts.
pub const EVIDENCE: &str = "What there was to find";
/// A fact was found by a search.
pub fn found_by(number: usize) -> String {
    format!("found by search {number}")
}
/// A fact was not found.
pub const NOT_FOUND: &str = "not found";
/// The list of searches at the end.
pub const WHAT_CAME: &str = "What your searches were taken for";
/// The way to the episode.
pub const TO_EPISODE: &str = "The whole episode, turn by turn";
