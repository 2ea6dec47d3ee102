//! The default prompt pack, in our own wording, and how requests are made from it.

use turnwise_core::kit::judge::Asked;
use turnwise_core::prelude::*;

use crate::settings::{JUDGE, METER, SCORER, SUMMARIZER};
use crate::tasks::field;

/// Names of the variables that bots read.
pub mod variable {
    pub const DESCRIPTION: &str = "description";
    pub const WIDTH: &str = "width";
    pub const HEIGHT: &str = "height";
    /// Player: all answers so far, a word a line.
    pub const ANSWERS: &str = "answers";
    pub const QUESTION: &str = "question";
    /// Judge and meter: the layout of the target; empty where none is known. No template of the judge shows it.
    pub const TARGET: &str = "target";
    pub const ATTEMPT: &str = "attempt";
}

/// The template of the request for the final page.
pub const FINAL: &str = "final";

pub fn pack() -> Pack {
    let templates = templates!["../prompts/":
        "player", "round", "final", "summarizer", "judge", "scorer", "meter",
    ];
    Pack::of("turnwise-ui2html-1", templates)
}

/// The rules of the player's conversation.
pub fn rules(description: &str, (width, height): (u32, u32), rounds: u32) -> Message {
    let variables = [
        (variable::DESCRIPTION, Variable::text(description)),
        (variable::WIDTH, Variable::text(width.to_string())),
        (variable::HEIGHT, Variable::text(height.to_string())),
        ("rounds", Variable::text(rounds.to_string())),
    ];
    Message::template(Role::System, "player", variables)
}

/// The message before a round, or before the final page if none is left.
pub fn turn(round: u32, rounds: u32, answers: &[&str], problem: &str) -> Message {
    let answer = answers.last().copied().unwrap_or_default();
    let variables = [
        ("answer", Variable::text(answer)),
        ("problem", Variable::text(problem)),
        ("round", Variable::text(round.to_string())),
        ("rounds", Variable::text(rounds.to_string())),
        (variable::ANSWERS, Variable::text(answers.join("\n"))),
    ];
    Message::template(Role::User, if round > rounds { FINAL } else { "round" }, variables)
}

/// The player writes free text: a document and a question.
pub fn player(thread: ThreadId, messages: Vec<Message>) -> Ask {
    Ask::new(Seat::PLAYER, thread, messages, Expect::Text)
}

/// The attempt as it is shown to judge, scorer and meter.
#[derive(Debug, Clone, Default)]
pub struct Shown {
    pub picture: String,
    pub layout: String,
}

/// A question about an attempt.
#[derive(Debug, Clone)]
pub struct Question {
    pub text: String,
    pub shown: Shown,
}

/// Both pictures under a template, target first.
fn compared(template: &str, shown: &Shown, more: [(&str, Variable); 2]) -> Message {
    let layouts = [
        (variable::TARGET, Variable::field(field::LAYOUT)),
        (variable::ATTEMPT, Variable::text(&*shown.layout)),
    ];
    let pictures = vec![Variable::field(field::PICTURE), Variable::text(&*shown.picture)];
    Message { pictures, ..Message::template(Role::User, template, layouts.into_iter().chain(more)) }
}

/// Asks for a description of the target.
pub fn summarizer(_: &(), asked: Asked) -> Ask {
    let pictures = vec![Variable::field(field::PICTURE)];
    let template = Message::template(
        Role::User,
        "summarizer",
        [
            // For `bot:frozen` alone.
            (variable::DESCRIPTION, Variable::field(field::DESCRIPTION)),
            (field::OMITS, Variable::field(field::OMITS)),
        ],
    );
    let messages = vec![Message { pictures, ..template }];
    Ask::new(SUMMARIZER, ThreadId(1 + asked.number), messages, Expect::Text)
}

/// How many conversations a Summarizer may have; those of the judge follow.
const SUMMARIZER_THREADS: u32 = 2;

/// Each question is a conversation of its own.
pub fn judge(question: &Question, asked: Asked) -> Ask {
    let again = if asked.attempt == 1 { "" } else { "again" };
    let more =
        [(variable::QUESTION, Variable::text(&*question.text)), ("again", Variable::text(again))];
    let messages = vec![compared("judge", &question.shown, more)];
    let thread = ThreadId(1 + SUMMARIZER_THREADS + asked.number);
    Ask::new(JUDGE, thread, messages, Expect::choice(["yes", "no"]))
}

/// What a scorer is asked about.
#[derive(Debug, Clone)]
pub struct Attempted {
    pub shown: Shown,
    pub sees_spec: bool,
}

pub fn scorer(attempted: &Attempted, asked: Asked) -> Ask {
    let spec = match attempted.sees_spec {
        true => Variable::field(field::SPEC),
        false => Variable::text(""),
    };
    let again = match asked.attempt {
        1 => "",
        _ => "expected a JSON object with five whole numbers from 0 to 20",
    };
    let more = [(field::SPEC, spec), ("again", Variable::text(again))];
    let messages = vec![compared("scorer", &attempted.shown, more)];
    let form: Vec<_> = crate::reading::PARTS.map(|part| (part, "0 to 20")).into();
    let form = ActionForm::new("score", Written::Action, &form);
    Ask::new(SCORER, ThreadId(1 + asked.number), messages, Expect::Actions(vec![form]))
}

/// Asks for the likeness. It needs no pictures.
pub fn meter(shown: &Shown, thread: ThreadId) -> Ask {
    let variables = [
        (variable::TARGET, Variable::field(field::LAYOUT)),
        (variable::ATTEMPT, Variable::text(&*shown.layout)),
    ];
    let messages = vec![Message::template(Role::User, "meter", variables)];
    Ask::new(METER, thread, messages, Expect::Text)
}
