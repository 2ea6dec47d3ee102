//! Built-in players of InteractComp: rules without key and network, honest and weak. Shown as *baseline* everywhere.

mod exact;
mod lexical;
mod memory;
mod players;
#[cfg(test)]
mod tests;

use turnwise_core::prelude::*;

pub const BOTS: &[BotInfo] = &[
    BotInfo::new(
        "asks-by-rule",
        Seat::PLAYER,
        "searches, asks about what sets the first results apart, searches for what was confirmed, then answers; without \
                results it asks about the question's own words",
        players::asks_by_rule,
    ),
    BotInfo::new(
        "asks-ten-times",
        Seat::PLAYER,
        "asks ten questions where the rounds allow it, searches first where that leaves enough of them, then answers",
        players::asks_ten_times,
    ),
    BotInfo::new(
        "search-only",
        Seat::PLAYER,
        "searches for the question once and answers with the title of the first result",
        players::search_only,
    ),
    BotInfo::new(
        "answer-only",
        Seat::PLAYER,
        "answers at once with a name from the question itself: the floor of the scale",
        players::answer_only,
    ),
    BotInfo::new(
        "lexical",
        Seat::RESPONDER,
        "answers yes, no or i don't know by comparing the words of the question with those of the context",
        |asked| {
            lexical::reply(asked.variable("context"), asked.variable("question")).text().to_owned()
        },
    ),
    BotInfo::new(
        "exact",
        Seat::GRADER,
        "accepts an answer that equals the truth or one of its other names, letter case and punctuation aside",
        exact,
    ),
];

fn exact(asked: &Asked<'_>) -> String {
    let aliases = asked.variable("aliases");
    let names = std::iter::once(asked.variable("correct_answer")).chain(aliases.lines());
    let is_right = exact::is_one_of(asked.variable("predicted_answer"), names);
    if is_right { "yes" } else { "no" }.to_owned()
}
