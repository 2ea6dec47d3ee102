//! The prompt pack, in our own wording, and the requests that are made from it.

use turnwise_core::prompt::{Ask, Content, Expect, Message, Pack, Role, ThreadId, Variable};
use turnwise_core::seat::Seat;

use crate::reading::JUDGE_WORDS;

/// The seat that answers questions.
pub const JUDGE: &str = "judge";

/// Fields of a task.
pub mod field {
    /// The problem; everybody sees it.
    pub const PROBLEM: &str = "question";
    /// The derivation; the judge sees it.
    pub const SOLUTION: &str = "solution";
    /// The expected answer; judge and grader see it.
    pub const ANSWER: &str = "answer";
}

/// The default pack.
pub fn default_pack() -> Pack {
    let templates = [
        ("player", include_str!("../prompts/player.txt")),
        ("guesser", include_str!("../prompts/guesser.txt")),
        ("solver", include_str!("../prompts/solver.txt")),
        ("problem", include_str!("../prompts/problem.txt")),
        ("problem_guess", include_str!("../prompts/problem_guess.txt")),
        ("problem_direct", include_str!("../prompts/problem_direct.txt")),
        ("reply", include_str!("../prompts/reply.txt")),
        ("wrong", include_str!("../prompts/wrong.txt")),
        ("unchecked", include_str!("../prompts/unchecked.txt")),
        ("unanswered", include_str!("../prompts/unanswered.txt")),
        ("format_error", include_str!("../prompts/format_error.txt")),
        ("last", include_str!("../prompts/last.txt")),
        ("judge", include_str!("../prompts/judge.txt")),
        ("question", include_str!("../prompts/question.txt")),
        ("question_again", include_str!("../prompts/question_again.txt")),
        ("grader_system", include_str!("../prompts/grader_system.txt")),
        ("grader", include_str!("../prompts/grader.txt")),
    ];
    let stored = |(name, text): (&str, &str)| (name.to_owned(), text.trim_end().to_owned());
    Pack {
        name: "turnwise-math-1".to_owned(),
        templates: templates.into_iter().map(stored).collect(),
    }
}

/// A message of the protocol to the player; `so_far` tells bots how the turns before went.
pub fn user<const N: usize>(name: &str, variables: [(&str, Variable); N]) -> Message {
    Message::template(Role::User, name, variables)
}

/// What a seat said before.
pub fn said(text: &str) -> Message {
    Message { role: Role::Assistant, content: Content::Text(text.to_owned()) }
}

/// A request to the player.
pub fn ask_player(messages: &[Message]) -> Ask {
    Ask {
        seat: Seat::new(Seat::PLAYER),
        thread: ThreadId(1),
        messages: messages.to_vec(),
        expect: Expect::Text,
    }
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

/// A request to the judge.
pub fn ask_judge(messages: Vec<Message>) -> Ask {
    Ask {
        seat: Seat::new(JUDGE),
        thread: ThreadId(2),
        messages,
        expect: Expect::Choice(JUDGE_WORDS.map(str::to_owned).to_vec()),
    }
}

/// A request to the grader: a conversation of its own, without the solution. The template does not show which attempt it is; the key of
/// shared replies needs it.
pub fn ask_grader(thread: ThreadId, given: &str, attempt: u32) -> Ask {
    Ask {
        seat: Seat::new(Seat::GRADER),
        thread,
        messages: vec![
            Message::template(Role::System, "grader_system", []),
            Message::template(
                Role::User,
                "grader",
                [
                    ("problem", Variable::field(field::PROBLEM)),
                    ("answer", Variable::field(field::ANSWER)),
                    ("given", Variable::text(given)),
                    ("attempt", Variable::text(attempt.to_string())),
                ],
            ),
        ],
        expect: Expect::Choice(vec!["$$$$ 1".to_owned(), "$$$$ 0".to_owned()]),
    }
}
