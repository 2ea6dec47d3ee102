//! Making worlds by rule, and checking any world (ARCHITECTURE.md, rules 39 and 41).
//!
//! [`build`] makes fresh worlds from invented names and templates; the seed decides everything. [`check`] looks at a world
//! as it lies in a file: its solver reads the question and the facts and nothing else, and shares no arithmetic with the
//! builder. Worlds by models are made elsewhere; they are checked here, too.

mod chance;
mod check;
mod complaints;
mod families;
mod fraction;
mod given;
mod making;
pub(super) mod pools;
mod recipe;
mod sample;
mod solver;
#[cfg(test)]
mod tests;
mod wording;

use serde_json::json;
use turnwise_core::prelude::*;

use super::task::{Draft, Extra, Language, Tier, World};
use chance::Chance;
use making::Making;
use pools::POOLS;

pub use check::{Finding, Severity, Trouble, check};
pub use complaints::{Complaint, Complaints};
pub use given::{BadNames, LEAST, Names};
pub use recipe::{MOST, Recipe};
pub use sample::sample;
pub use solver::{Hazard, Solution, Unsolved, solve};

/// What the builder writes as the generator of its worlds.
pub const GENERATOR: &str = "turnwise worlds 1";

/// How often the dice are thrown again before a world is given up. A throw fails on a tie, a threshold, a rounding edge.
const THROWS: u32 = 400;

choices! {
    /// The kinds of questions that can be built.
    pub enum Family {
        /// Which of two has the larger total, and by how much.
        Comparison = "comparison",
        /// One total divided by another, to two decimal places.
        Ratio = "ratio",
        /// How many reach a threshold, and their sum.
        Count = "count",
        /// Points by an index whose rules are facts themselves: aggregation with a convention.
        Index = "index",
        /// From two entities along relations to two others, which are compared: several hops.
        Chain = "chain",
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    /// Decides everything else. A board's seed stays secret until it is over.
    pub seed: u64,
    /// The number of the first world; world `n` of a seed is the same in every order that includes it.
    pub first: u32,
    pub count: u32,
    pub tier: Tier,
    /// The language of questions, facts and answers.
    pub language: Language,
    /// Only this kind of question; without it families take turns by the dice.
    pub family: Option<Family>,
    /// Only this category, one of [`categories`].
    pub category: Option<String>,
}

/// Why no worlds could be built.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unbuilt {
    /// There is no such category.
    #[error("no category {asked:?}; there are {}", categories().join(", "))]
    NoCategory { asked: String },
    /// The given names do not do.
    #[error(transparent)]
    Names(#[from] BadNames),
    /// The dice never fell on a world that keeps all guarantees.
    #[error("world {number} of seed {seed} could not be built in {THROWS} attempts")]
    NoLuck {
        /// The seed of the order.
        seed: u64,
        number: u32,
    },
}

/// The categories that can be built.
pub fn categories() -> Vec<&'static str> {
    POOLS.domains.iter().map(|domain| domain.category).collect()
}

/// Builds worlds; each passes [`check`] without a finding.
///
/// # Errors
/// An unknown category, or dice that never fell well (which no tested seed has met).
pub fn build(order: &Order) -> Result<Vec<World>, Unbuilt> {
    build_of(order, None)
}

/// Builds worlds of given names; each passes [`check`] without a finding. Without a category one is drawn among those for
/// which there are names.
///
/// # Errors
/// As [`build`], and names that are too few for the category and language.
pub fn build_of(order: &Order, names: Option<&Names>) -> Result<Vec<World>, Unbuilt> {
    let domain = domain(order)?;
    if let Some(names) = names {
        // Reported before anything is built, whatever the dice would choose.
        for domain in domain.map_or_else(|| names.domains(), |domain| vec![domain]) {
            names.of(domain, order.language)?;
        }
    }
    (0..order.count)
        .map(|line| {
            let number = order.first + line;
            (0..THROWS)
                .find_map(|throw| one(order, names, domain, [number, line, throw]))
                .ok_or(Unbuilt::NoLuck { seed: order.seed, number })
        })
        .collect()
}

/// One throw of the dice for the first world of an order; `None` if they did not fall well. [`build`] takes the first throw,
/// counted from 0, that does: a caller that must not work long at a stretch throws one by one.
///
/// # Errors
/// As [`build`].
pub fn throw(order: &Order, throw: u32) -> Result<Option<World>, Unbuilt> {
    if throw >= THROWS {
        return Err(Unbuilt::NoLuck { seed: order.seed, number: order.first });
    }
    Ok(one(order, None, domain(order)?, [order.first, 0, throw]))
}

/// The category of an order, if it names one.
fn domain(order: &Order) -> Result<Option<&'static pools::Domain>, Unbuilt> {
    let Some(asked) = &order.category else {
        return Ok(None);
    };
    let found = making::domain_named(asked);
    found.map(Some).ok_or_else(|| Unbuilt::NoCategory { asked: asked.clone() })
}

fn one(
    order: &Order,
    names: Option<&Names>,
    domain: Option<&'static pools::Domain>,
    [number, line, throw]: [u32; 3],
) -> Option<World> {
    let (tier, language) = (order.tier, order.language);
    let label = format!("{GENERATOR}:{}:{}:{number}:{throw}", tier.name(), language.name());
    let mut chance = Chance::new(order.seed, label);
    // Both are drawn even where they are given, so that the rest of the dice falls alike.
    let any_domain = match names {
        None => chance.pick(&POOLS.domains),
        Some(names) => *chance.pick(&names.domains()),
    };
    let any_family = *chance.pick(&Family::ALL);
    let (domain, family) = (domain.unwrap_or(any_domain), order.family.unwrap_or(any_family));
    let given = names.map(|names| names.of(domain, language)).transpose().ok()?;
    let mut making = Making::new(language, domain, chance, given);
    let asked = families::make(family, tier, &mut making)?;
    let mut generator = json!({
        "name": GENERATOR,
        "seed": order.seed.to_string(),
        "number": number,
        "family": family.name(),
        "tier": tier.name(),
    });
    if let Some(names) = names {
        generator["names"] = json!(names.digest());
    }
    let draft = Draft {
        index: i64::from(number),
        category: domain.category.to_owned(),
        question: asked.question,
        answer: asked.answer,
        final_answer: asked.final_answer,
        facts: making.facts,
        extra: Extra {
            pair_id: Some(format!("built-{}-{number}", order.seed)),
            entities: making.entities,
            attributes: making.attributes,
            facts: making.notes,
            generator,
        },
    };
    let world = draft.into_world(line).expect("built worlds have every field, and none is blank");
    (world.tier() == tier && check(&world).is_empty()).then_some(world)
}
