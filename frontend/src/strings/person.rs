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
pub const SAME: &str = "Does the given answer agree with the correct one?";
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
    super::play::sentence(word).trim_end_matches('.').to_owned()
}
