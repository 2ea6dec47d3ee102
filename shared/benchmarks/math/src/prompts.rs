//! The prompt pack, in our own wording, and the requests that are made from it.

use turnwise_core::prelude::*;

pub const JUDGE: &str = "judge";

pub mod field {
    pub const PROBLEM: &str = "question";
    pub const SOLUTION: &str = "solution";
    /// The expected answer; judge and grader see it.
    pub const ANSWER: &str = "answer";
}

pub fn default_pack() -> Pack {
    #[rustfmt::skip]
    let templates = templates!["../prompts/":
        "player", "guesser", "solver", "problem", "problem_guess", "problem_direct", "reply", "wrong", "unchecked", "unanswered",
        "format_error", "last", "judge", "question", "question_again", "grader_system", "grader",
    ];
    Pack::of("turnwise-math-1", templates)
}

/// The first message to the judge, who sees hidden fields.
pub fn judge_system() -> Message {
    Message::template(
        Role::System,
        "judge",
        [
            ("problem", Variable::field(field::PROBLEM)),
            ("solution", Variable::field(field::SOLUTION)),
            ("answer", Variable::field(field::ANSWER)),
        ],
    )
}

/// A request to the grader: a conversation of its own, without the solution. The template does not show which attempt it is; the key of
/// shared replies needs it.
pub fn ask_grader(thread: ThreadId, given: &str, attempt: u32) -> Ask {
    let variables = [
        ("problem", Variable::field(field::PROBLEM)),
        ("answer", Variable::field(field::ANSWER)),
        ("given", Variable::text(given)),
        ("attempt", Variable::text(attempt.to_string())),
    ];
    let messages = vec![
        Message::template(Role::System, "grader_system", []),
        Message::template(Role::User, "grader", variables),
    ];
    Ask::new(Seat::GRADER, thread, messages, Expect::choice(["$$$$ 1", "$$$$ 0"]))
}
