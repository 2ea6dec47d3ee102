//! What seats are asked.

use turnwise_core::kit::dialogue::Dialogue;
use turnwise_core::kit::judge::Asked;
use turnwise_core::prelude::*;

use crate::JUDGE;
use crate::reading::{Answer, TAG};
use crate::tasks::NUMBER;

pub fn pack() -> Pack {
    let templates = templates!["../prompts/": "player", "told", "judge", "judge_again"];
    Pack::of("turnwise-guess-number-1", templates)
}

/// The player's conversation. Bots read the variables and nothing else: `most`, and `so_far`, all answers in their order.
pub fn player(thread: ThreadId, question: &str, most: u32, guesses: u32) -> Dialogue {
    let variables = [
        ("question", Variable::text(question)),
        ("guesses", Variable::text(guesses.to_string())),
        ("most", Variable::text(most.to_string())),
        ("so_far", Variable::text("")),
    ];
    Dialogue::new(Seat::PLAYER, thread, [Message::template(Role::User, "player", variables)])
}

/// The form of a guess: what a person fills in is written as a model writes it.
pub fn guess() -> Expect {
    let written = Written::Line { tag: TAG.to_owned() };
    Expect::Actions(vec![ActionForm::new("guess", written, &[("number", "a whole number")])])
}

/// The request for the judge's word. Each is a conversation of its own, with the number filled in from the task when it is sent.
pub fn judge(guess: &u32, asked: Asked) -> Ask {
    let variables =
        [(NUMBER, Variable::field(NUMBER)), ("guess", Variable::text(guess.to_string()))];
    let template = if asked.attempt == 1 { "judge" } else { "judge_again" };
    let messages = vec![Message::template(Role::User, template, variables)];
    let words = Answer::ALL.map(Answer::word);
    // The player's conversation is the first.
    Ask::new(JUDGE, ThreadId(1 + asked.number), messages, Expect::choice(words))
}
