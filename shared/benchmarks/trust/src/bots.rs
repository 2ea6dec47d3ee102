//! The population in seats: rules without key and network, shown as *baseline* everywhere. They read what every player
//! in their seat is sent, and nothing else.

use super::game::Action;
use super::lengths::UNITS;
use super::prompts::variable;
use super::seeds::Twister;
use super::strategy::Strategy;
use turnwise_core::prelude::*;

/// Every bot; each can sit in every seat.
pub const BOTS: &[BotInfo] = &[
    bot("tft", "Tit for Tat: cooperates first, then does what the other did last", |asked| {
        act(asked, Strategy::TitForTat)
    }),
    BotInfo {
        alias: Some("gtft"),
        ..bot(
            "generous-tft",
            "Tit for Tat that forgives every third defection, by chance; also written gtft",
            |asked| act(asked, Strategy::GenerousTitForTat),
        )
    },
    bot("grim", "cooperates until the other defects once, then defects for ever", |asked| {
        act(asked, Strategy::Grim)
    }),
    bot("always-c", "always cooperates", |asked| act(asked, Strategy::AlwaysCooperate)),
    bot("always-d", "always defects", |asked| act(asked, Strategy::AlwaysDefect)),
    bot(
        "wsls",
        "win-stay, lose-shift: repeats its action if the other cooperated, and changes it otherwise",
        |asked| act(asked, Strategy::WinStayLoseShift),
    ),
    bot(
        "random",
        "cooperates with the probability after the colon, e.g. random:0.5; without one with 0.5",
        |asked| act(asked, Strategy::Random(asked.share())),
    )
    .with_share(0.5),
];

const fn bot(name: &'static str, about: &'static str, reply: fn(&Asked<'_>) -> String) -> BotInfo {
    BotInfo::new(name, BotInfo::ANY_SEAT, about, reply)
}

fn act(asked: &Asked<'_>, strategy: Strategy) -> String {
    let last = |name: &str| asked.variable(name).chars().next_back().and_then(Action::of_letter);
    let before = last(variable::OWN).zip(last(variable::OTHER));
    strategy.next(before, || unit(asked)).label().to_owned()
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
