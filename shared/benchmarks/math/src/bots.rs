//! Offline players: a bisecting solver, a guesser, a judge that orders numbers, and a grader that knows the rules.

use turnwise_core::benchmark::{Asked, BotInfo};
use turnwise_core::prompt::Said;
use turnwise_core::seat::Seat;

use crate::answer::{Verdict, grade_in};
use crate::asking;
use crate::prompts::JUDGE;

/// The judge that orders numbers.
pub const COMPARES: &str = "compares";

/// The bots of this benchmark.
pub const BOTS: &[BotInfo] = &[
    BotInfo {
        name: "bisects",
        seat: Seat::PLAYER,
        about: "asks whether the answer is greater than a number until one whole number is left, and guesses it",
    },
    BotInfo {
        name: "counts",
        seat: Seat::PLAYER,
        about: "guesses 0, 1, 2 and so on: a floor for scores",
    },
    BotInfo {
        name: COMPARES,
        seat: JUDGE,
        about: "answers how the answer compares with a number, and whether it is an integer, even, prime and so on; everything else is irrelevant",
    },
    BotInfo {
        name: "rules",
        seat: Seat::GRADER,
        about: "accepts what is proven equal, and nothing else",
    },
];

/// What a bot replies.
pub fn reply(name: &str, asked: &Asked<'_>) -> Option<Said> {
    let so_far: Vec<&str> = asked.variable("so_far").split_whitespace().collect();
    let text = match name {
        "bisects" if asked.uses("solver") || asked.uses("guesser") => {
            format!("#### {}", so_far.len())
        }
        "bisects" => bisect(&so_far),
        "counts" => format!("#### {}", so_far.len()),
        COMPARES => compared(asked.variable("asked"), asked.variable("answer")).to_owned(),
        "rules" => {
            let [problem, answer, given] =
                ["problem", "answer", "given"].map(|name| asked.variable(name));
            match grade_in(problem, answer, given).verdict {
                Verdict::Equal => "$$$$ 1".to_owned(),
                Verdict::Unequal => "$$$$ 0".to_owned(),
                Verdict::Undecided => format!("{UNDECIDED}\n$$$$ 0"),
            }
        }
        _ => return None,
    };
    Some(Said::text(text))
}

/// What the grader that knows the rules says where they leave an answer undecided, before it takes it as wrong.
pub const UNDECIDED: &str = "The rules leave it undecided.";

const QUESTION: &str = "Is the answer greater than ";

/// The next move over whole numbers below 2^16 either way, from the replies so far.
fn bisect(so_far: &[&str]) -> String {
    let (mut low, mut high) = (-(1_i64 << 16), 1_i64 << 16);
    for reply in so_far {
        let middle = low + (high - low) / 2;
        match *reply {
            "Yes" => low = middle + 1,
            "No" => high = middle,
            // It is no whole number, or the judge is another: guess what is left.
            _ => return format!("#### {}", so_far.len()),
        }
    }
    match low >= high {
        true => format!("#### {low}"),
        false => format!("QQQQ: {QUESTION}{}?", low + (high - low) / 2),
    }
}

fn compared(question: &str, answer: &str) -> &'static str {
    match asking::read(question).and_then(|question| question.holds(answer)) {
        Some(true) => "Yes",
        Some(false) => "No",
        None => "Irrelevant",
    }
}
