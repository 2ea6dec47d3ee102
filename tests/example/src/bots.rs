//! Built-in players, and what scripted models reply. A bot reads the variables of its request and nothing else.

use turnwise_core::benchmark::Prompt;
use turnwise_core::prelude::*;

use crate::JUDGE;
use crate::reading::{Answer, TAG};
use crate::tasks::NUMBER;

pub const BOTS: &[BotInfo] = &[
    BotInfo::new("halves", Seat::PLAYER, "guesses the middle of what is left", halves),
    BotInfo::new("counts", Seat::PLAYER, "guesses 1, 2, 3 and so on: a floor for scores", counts),
    BotInfo::new("compares", JUDGE, "compares the two numbers", compares),
];

fn number(asked: &Asked<'_>, name: &str) -> u32 {
    asked.variable(name).parse().unwrap_or(1)
}

fn halves(asked: &Asked<'_>) -> String {
    let (mut low, mut high) = (1, number(asked, "most"));
    for word in asked.variable("so_far").split_whitespace() {
        let middle = low + (high - low) / 2;
        match word {
            "HIGHER" => low = (middle + 1).min(high),
            "LOWER" => high = (middle - 1).max(low),
            _ => {}
        }
    }
    format!("{TAG} {}", low + (high - low) / 2)
}

fn counts(asked: &Asked<'_>) -> String {
    format!("{TAG} {}", asked.variable("so_far").split_whitespace().count() + 1)
}

fn compares(asked: &Asked<'_>) -> String {
    let answer = match number(asked, NUMBER).cmp(&number(asked, "guess")) {
        std::cmp::Ordering::Greater => Answer::Higher,
        std::cmp::Ordering::Less => Answer::Lower,
        std::cmp::Ordering::Equal => Answer::Equal,
    };
    answer.word().to_owned()
}

/// What a scripted model replies; `None` to the requests of other benchmarks.
pub fn scripted(prompt: &Prompt<'_>, dice: &mut Dice<'_>) -> Option<String> {
    match prompt.seat {
        JUDGE if prompt.has("HIGHER, LOWER or EQUAL") => {
            Some(dice.pick(&["HIGHER", "LOWER", "EQUAL"]).to_owned())
        }
        // Now and then a reply that breaks the rules.
        Seat::PLAYER if prompt.has(TAG) => Some(match dice.below(6) {
            0 => "I cannot decide.".to_owned(),
            _ => format!("{TAG} {}", 1 + dice.below(10)),
        }),
        _ => None,
    }
}
