//! What a person is asked on the page of a run, and what there is to answer with.

use crate::view::number::counted;

/// The heading while something is asked.
pub fn asked_as(seat: &str) -> String {
    match seat.parse::<u32>() {
        Ok(number) => format!("It is your turn in seat {number}"),
        Err(_) => format!("You are asked as the {seat}"),
    }
}
/// The heading while nothing is asked.
pub const NOBODY_ASKED: &str = "Nothing is asked of you now";
/// What happens meanwhile.
pub const OTHERS_PLAY: &str = "The others play. The next question appears here by itself, and waits for you as long as it takes: you may \
     leave and come back.";
/// While the run is paused.
pub const PAUSED: &str =
    "The run is paused: what you answer is kept, and nothing new is asked before it goes on.";
/// After the last question.
pub const OVER: &str = "It is over";
/// What that means.
pub const OVER_WHY: &str = "Every question is answered, and the run is complete.";
/// Of a branch: to the page that compares it.
pub const TO_CHANGES: &str = "What your answers changed";
/// To the only episode.
pub const TO_EPISODE: &str = "See how it ended";
/// Where there are several.
pub const NUMBERS_BELOW: &str = "What came of it stands below.";
/// How many were answered and how many wait.
pub fn how_many(answered: u32, waiting: usize) -> String {
    let waiting = u64::try_from(waiting).unwrap_or(u64::MAX);
    format!(
        "{} answered since this page was opened, {} waiting",
        answered,
        counted(waiting, "question", "questions")
    )
}
/// A changed draft is no JSON.
pub fn not_json(why: &str) -> String {
    format!("This is no JSON yet: {why}. Nothing was sent.")
}
/// A changed draft is no object.
pub const NO_MEMBERS: &str = "Write an object in braces, with the members that you change, such as {\"text\": \"…\"}, or the whole draft. \
     Nothing was sent.";
/// A draft has no such member.
pub fn no_such_member(name: &str, known: &[&str]) -> String {
    format!(
        "A draft has no “{name}”; it has {}. Nothing was sent.",
        known.join(", ")
    )
}
/// The changed draft cannot be read.
pub fn misfit(why: &str) -> String {
    format!("{why}. Nothing was sent.")
}
/// Nobody's time runs out.
pub const NO_CLOCK: &str = "There is no clock.";
/// The button that shows another question first.
pub const LATER: &str = "Later";
/// What it does.
pub const LATER_WHY: &str = "Show the next question first";
/// An answer that is no single word.
pub const WRITTEN: &str = "what you wrote";
/// The button that takes the newest answer back.
pub const UNDO: &str = "Undo";
/// What was answered, while it can be taken back.
pub fn answered(text: &str) -> String {
    format!("Answered: {text}")
}
/// What the seat has to keep to, and the whole request.
pub const AS_MODEL: &str = "The rules, and the whole request as a model is sent it";
/// What a grader decides.
pub const SAME: &str = "Does the given answer name the same thing as the correct one?";
/// What a judge decides.
pub const AGREES: &str = "Does the given answer agree with the reference answer?";
/// The buttons.
pub const ANSWERS: &str = "Your answer";
/// A key, for screen readers.
pub fn with_key(label: &str, key: &str) -> String {
    format!("{label}, key {key}")
}

/// What a part of a request is called; else its name with blanks.
pub fn part(name: &str) -> Option<&'static str> {
    Some(match name {
        "context" => "What you know",
        "question" => "Question",
        "predicted_answer" | "prediction" => "Given answer",
        "correct_answer" => "Correct answer",
        "answer" => "Reference answer",
        "aliases" => "Other names of the correct answer",
        "facts" => "Facts",
        "query" => "Query",
        "final_answer" => "Answer to the question",
        "trajectory" => "What has been done so far",
        "violations" => "Rules that the last reply broke",
        "draft" => "Draft",
        "answers" => "What auditors answered from the facts",
        "findings" => "What the machine objects to",
        "laws" => "Facts as laid down",
        "outputs" => "What has to follow",
        "earlier" => "Questions so far",
        "fault" => "What was wrong with the last reply",
        _ => return None,
    })
}
/// A choice as a button says it.
pub fn choice(word: &str) -> String {
    match word {
        "i don't know" => "I don't know".to_owned(),
        word => super::play::sentence(word).trim_end_matches('.').to_owned(),
    }
}

/// What the query is.
pub const WHAT_IS_IT: &str = "What is this query?";
/// A hit.
pub const HIT: &str = "One question, answered by this fact";
/// The list of facts.
pub const WHICH_FACT: &str = "Which fact";
/// A miss.
pub const MISS: &str = "One question, and no fact answers it";
/// A compound query.
pub const COMPOUND: &str = "Several questions in one, or a comparison";
/// A bare query.
pub const TOO_BARE: &str = "It says too little";
/// The results.
pub const PAGE: &str = "The page that the player gets";
/// Where the texts come from.
pub const PAGE_NOTE: &str = "Filled in from templates for what you chose. Change what you like: a hit must name the value of its fact, \
     and nothing else may give a value away.";
/// A result.
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
/// The button that sends the page.
pub const SEND_PAGE: &str = "Send this page";
/// Writing the reply itself.
pub const RAW: &str = "Write the reply as a model does";
