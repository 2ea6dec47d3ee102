//! Built-in players of InteractComp: rules without key and network, honest and weak. Shown as *baseline* everywhere.

mod exact;
mod lexical;
mod memory;
mod players;
#[cfg(test)]
mod tests;
mod words;

use turnwise_core::benchmark::{Asked, BotInfo};
use turnwise_core::prompt::Said;
use turnwise_core::seat::Seat;

/// Every bot, by seat.
pub const BOTS: &[BotInfo] = &[
    BotInfo {
        name: "asks-by-rule",
        seat: Seat::PLAYER,
        about: "searches, asks about what sets the first results apart, searches for what was confirmed, then answers; without \
                results it asks about the question's own words",
    },
    BotInfo {
        name: "asks-ten-times",
        seat: Seat::PLAYER,
        about: "asks ten questions where the rounds allow it, searches first where that leaves enough of them, then answers",
    },
    BotInfo {
        name: "search-only",
        seat: Seat::PLAYER,
        about: "searches for the question once and answers with the title of the first result",
    },
    BotInfo {
        name: "answer-only",
        seat: Seat::PLAYER,
        about: "answers at once with a name from the question itself: the floor of the scale",
    },
    BotInfo {
        name: "lexical",
        seat: Seat::RESPONDER,
        about: "answers yes, no or i don't know by comparing the words of the question with those of the context",
    },
    BotInfo {
        name: "exact",
        seat: Seat::GRADER,
        about: "accepts an answer that equals the truth or one of its other names, letter case and punctuation aside",
    },
];

/// What the bot of that name replies.
pub fn reply(name: &str, asked: &Asked<'_>) -> Option<Said> {
    let text = match name {
        "asks-by-rule" => players::asks_by_rule(asked),
        "asks-ten-times" => players::asks_ten_times(asked),
        "search-only" => players::search_only(asked),
        "answer-only" => players::answer_only(asked),
        "lexical" => {
            lexical::reply(asked.variable("context"), asked.variable("question")).text().to_owned()
        }
        "exact" => {
            let aliases = asked.variable("aliases");
            let names = std::iter::once(asked.variable("correct_answer")).chain(aliases.lines());
            if exact::is_one_of(asked.variable("predicted_answer"), names) {
                "yes".to_owned()
            } else {
                "no".to_owned()
            }
        }
        _ => return None,
    };
    Some(Said::text(text))
}
