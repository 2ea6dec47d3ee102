//! Built-in players of Mind-ParaWorld: they know the world and bracket the scale (ARCHITECTURE.md, rule 40). Shown as *baseline*
//! everywhere, and refused where a world is sealed.
//!
//! A player reads the variables of its request: the row of the world, and a record of what it has done. It gives the
//! reference answer if and only if every fact was hit.

mod knowing;

use serde::{Deserialize, Serialize};

use super::settings::seat;
use super::{consult, judging};
use turnwise_core::prelude::*;

use knowing::Knowing;

pub const BOTS: &[BotInfo] = &[
    BotInfo::new(
        "per-fact",
        Seat::PLAYER,
        "knows the world and asks for each of its facts, one by one: coverage 1, the top of the scale",
        |asked| Knowing::PerFact.reply(asked),
    ),
    BotInfo::new(
        "monolithic",
        Seat::PLAYER,
        "puts the whole question into one query and then answers “unknown”: coverage 0, the floor",
        |asked| Knowing::Monolithic.reply(asked),
    ),
    BotInfo::new(
        "random-facts",
        Seat::PLAYER,
        "knows the world and asks for a random share of its facts, half of them or the share after a colon, e.g. random-facts:0.3",
        |asked| Knowing::RandomFacts.reply(asked),
    )
    .with_share(0.5),
    BotInfo::new(
        "stop-early",
        Seat::PLAYER,
        "knows the world, asks for its facts in their order and stops after three quarters of them, or the share after a colon, e.g. stop-early:0.2",
        |asked| Knowing::StopEarly.reply(asked),
    )
    .with_share(0.75),
    BotInfo::new(
        "facts",
        seat::ENGINE,
        "the rule-based engine: finds a fact if the query asks for one thing about one entity; no model, the same page for the same query",
        consult::engine_bot,
    ),
    BotInfo::new(
        "exact",
        seat::JUDGE,
        "accepts an answer of the same words as the reference answer, units included; letter case, punctuation and the \
                way in which a number is written aside",
        judging::exact,
    ),
];

/// What a built-in player is given about its own episode, in addition to what every player in its seat is given.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Its queries so far that reached the engine, in order.
    pub asked: Vec<String>,
    /// The facts that were hit, an engine that failed or not, or that it was shown, from 0.
    pub found: std::collections::BTreeSet<u32>,
    /// How many turns are left, the one that is asked for included.
    pub left: u32,
    pub may_search: bool,
}
