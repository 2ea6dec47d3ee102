//! Offline players: a bisecting solver, a guesser, a judge that orders numbers, and a grader that knows the rules.

use turnwise_core::prelude::*;

use crate::answer::{Verdict, grade_in};
use crate::asking;
use crate::prompts::JUDGE;

/// The judge that orders numbers.
pub const COMPARES: &str = "compares";

/// The bots of this benchmark.
pub const BOTS: &[BotInfo] = &[
    BotInfo::new(
        "bisects",
        Seat::PLAYER,
        "asks whether the answer is greater than a number until one whole number is left, and guesses it",
        bisect,
    ),
    BotInfo::new("counts", Seat::PLAYER, "guesses 0, 1, 2 and so on: a floor for scores", count),
    BotInfo::new(
        COMPARES,
        JUDGE,
        "answers how the answer compares with a number, and whether it is an integer, even, prime and so on; everything else is irrelevant",
        |asked| compared(asked.variable("asked"), asked.variable("answer")).to_owned(),
    ),
    BotInfo::new("rules", Seat::GRADER, "accepts what is proven equal, and nothing else", rules),
];

fn so_far<'a>(asked: &Asked<'a>) -> impl Iterator<Item = &'a str> {
    asked.variable("so_far").split_whitespace()
}

fn count(asked: &Asked<'_>) -> String {
    format!("#### {}", so_far(asked).count())
}

fn rules(asked: &Asked<'_>) -> String {
    let [problem, answer, given] = ["problem", "answer", "given"].map(|name| asked.variable(name));
    match grade_in(problem, answer, given).verdict {
        Verdict::Equal => "$$$$ 1".to_owned(),
        Verdict::Unequal => "$$$$ 0".to_owned(),
        Verdict::Undecided => format!("{UNDECIDED}\n$$$$ 0"),
    }
}

/// What the grader that knows the rules says where they leave an answer undecided, before it takes it as wrong.
pub const UNDECIDED: &str = "The rules leave it undecided.";

const QUESTION: &str = "Is the answer greater than ";

/// The next move over whole numbers below 2^16 either way, from the replies so far.
fn bisect(asked: &Asked<'_>) -> String {
    if asked.uses("solver") || asked.uses("guesser") {
        return count(asked);
    }
    let (mut low, mut high) = (-(1_i64 << 16), 1_i64 << 16);
    for reply in so_far(asked) {
        let middle = low + (high - low) / 2;
        match reply {
            "Yes" => low = middle + 1,
            "No" => high = middle,
            // It is no whole number, or the judge is another: guess what is left.
            _ => return count(asked),
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
