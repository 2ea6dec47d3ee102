//! The population in seats: rules without key and network, shown as *baseline* everywhere. They read what everybody in
//! their seat is told, and nothing else.

use std::str::FromStr;

use super::game::Action;
use super::lengths::UNITS;
use super::prompts::variable;
use super::seeds::Twister;
use super::strategy::Strategy;
use turnwise_core::benchmark::{Asked, BotInfo};
use turnwise_core::prompt::Said;

/// Every bot; each can sit in every seat.
pub const BOTS: &[BotInfo] = &[
    bot("tft", "Tit for Tat: cooperates first, then does what the other did last"),
    bot(
        "generous-tft",
        "Tit for Tat that forgives every third defection, by chance; also written gtft",
    ),
    bot("grim", "cooperates until the other defects once, then defects for ever"),
    bot("always-c", "always cooperates"),
    bot("always-d", "always defects"),
    bot(
        "wsls",
        "win-stay, lose-shift: repeats its action if the other cooperated, and changes it otherwise",
    ),
    bot(
        "random",
        "cooperates with the probability after the colon, e.g. random:0.5; without one with 0.5",
    ),
];

const fn bot(name: &'static str, about: &'static str) -> BotInfo {
    BotInfo { name, seat: BotInfo::ANY_SEAT, about }
}

/// What the bot of that name replies; `None` if there is none.
pub fn reply(name: &str, asked: &Asked<'_>) -> Option<Said> {
    let strategy = Strategy::from_str(name).ok()?;
    let last = |name: &str| asked.variable(name).chars().next_back().and_then(Action::of_letter);
    let before = last(variable::OWN).zip(last(variable::OTHER));
    let action = strategy.next(before, || unit(asked));
    Some(Said::text(action.word()))
}

/// A number in `[0, 1)`: under `reference` the one of this round from the seat's own generator, else from our dice.
fn unit(asked: &Asked<'_>) -> f64 {
    let seed = asked.variable(variable::CHANCE).parse();
    let round = asked.variable(variable::ROUND).parse::<u32>();
    match (seed, round) {
        (Ok(seed), Ok(round)) => {
            let mut twister = Twister::seeded(seed);
            for _ in 1..round {
                twister.unit();
            }
            twister.unit()
        }
        _ => asked
            .draw("move", UNITS, 1)
            .first()
            .map_or(0.0, |number| f64::from(*number) / f64::from(UNITS)),
    }
}
