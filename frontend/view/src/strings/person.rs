//! What a person is asked on the page of a run, and what there is to answer with.

use turnwise_shared::seat::Seat;

use crate::number::count;

/// The heading while something is asked.
pub fn asked_as(seat: &str) -> String {
    match (seat, seat.parse::<u32>()) {
        (_, Ok(number)) => format!("Your turn in seat {number}"),
        (Seat::RESPONDER, _) => "Answer as the user".to_owned(),
        (Seat::GRADER, _) => "Grade the answer".to_owned(),
        _ => format!("Answer as the {seat}"),
    }
}
/// Which question it is, and of about how many.
pub fn place(number: u64, about: Option<u64>) -> String {
    let about = about.map_or_else(String::new, |about| format!(" of about {}", count(about)));
    format!("question {}{about}", count(number))
}
pub const LANGUAGES: &str = "Ask me in";
/// A language by its code.
pub fn language(code: &str) -> String {
    match code {
        "en" => "English".to_owned(),
        "zh" => "Chinese".to_owned(),
        other => other.to_owned(),
    }
}
/// Questions in languages that are left out.
pub fn left_out(count: usize) -> String {
    let verb = if count == 1 { "waits" } else { "wait" };
    format!("{} in other languages {verb}", crate::number::count(count))
}

pub const WRITTEN: &str = "what you wrote";

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
    super::play::sentence(word).trim_end_matches('.').to_owned()
}
