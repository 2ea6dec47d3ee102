//! Built-in players of Mind-ParaWorld: they know the world and bracket the scale (ARCHITECTURE.md, rule 40). Shown as *baseline*
//! everywhere, and refused where a world is sealed.
//!
//! A player reads the variables of its request: the row of the world, and a record of what it has done. It gives the
//! reference answer if and only if every fact was hit.

mod knowing;

use serde::{Deserialize, Serialize};

use super::settings::seat;
use super::{consult, judging};
use turnwise_core::benchmark::{Asked, BotInfo};
use turnwise_core::prompt::Said;
use turnwise_core::seat::Seat;

pub use knowing::Knowing;

/// Every bot, by seat.
pub const BOTS: &[BotInfo] = &[
    BotInfo {
        name: "per-fact",
        seat: Seat::PLAYER,
        about: "knows the world and asks for each of its facts, one by one: coverage 1, the top of the scale",
    },
    BotInfo {
        name: "monolithic",
        seat: Seat::PLAYER,
        about: "puts the whole question into one query and then answers “unknown”: coverage 0, the floor",
    },
    BotInfo {
        name: "random-facts",
        seat: Seat::PLAYER,
        about: "knows the world and asks for a random share of its facts, half of them or the share after a colon, e.g. random-facts:0.3",
    },
    BotInfo {
        name: "stop-early",
        seat: Seat::PLAYER,
        about: "knows the world, asks for its facts in their order and stops after three quarters of them, or the share after a colon, e.g. stop-early:0.2",
    },
    BotInfo {
        name: "facts",
        seat: seat::ENGINE,
        about: "the rule-based engine: finds a fact if the query asks for one thing about one entity; no model, the same page for the same query",
    },
    BotInfo {
        name: "exact",
        seat: seat::JUDGE,
        about: "accepts an answer of the same words as the reference answer, units included; letter case, punctuation and the \
                way in which a number is written aside",
    },
];

/// What the bot of that name replies; `None` if there is none.
pub fn reply(name: &str, asked: &Asked<'_>) -> Option<Said> {
    if let Ok(player) = name.parse::<Knowing>() {
        return Some(Said::text(player.reply(asked)));
    }
    match name {
        "facts" => consult::engine_bot(asked),
        "exact" => Some(judging::exact(asked)),
        _ => None,
    }
}

/// Whether a bot of that name, with its share, can sit in a seat.
pub fn seats(seat: &Seat, name: &str) -> bool {
    let is_player = seat.as_str() == Seat::PLAYER && name.parse::<Knowing>().is_ok();
    is_player || BOTS.iter().any(|bot| bot.name == name && bot.fits(seat))
}

/// What a player of ours is told of its own episode, beside what everybody in its seat is told.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Its queries so far that reached the engine, in order.
    pub asked: Vec<String>,
    /// The facts that were hit, an engine that failed or not, or that it was shown, from 0.
    pub found: std::collections::BTreeSet<u32>,
    /// How many turns are left, the one that is asked for included.
    pub left: u32,
    /// Whether it can search.
    pub may_search: bool,
}
