//! The prompts of the Trust Game (specification 5.c): our default pack, and how requests are made from a pack.
//!
//! No request holds the length of the match, the cap, or who the other is. Under `reference` a request names the hidden
//! field with the seat's own chance, which no template shows; `bot:random` reads it.

use super::game::{Action, Payoffs, Played, letters};
use super::tasks::field;
use turnwise_core::prelude::*;

/// Names of variables that bots read.
pub mod variable {
    /// The round, from 1.
    pub const ROUND: &str = "round";
    /// The seat's own last actions as letters, oldest first; empty in the first round.
    pub const OWN: &str = "own_history";
    /// The other's last actions.
    pub const OTHER: &str = "other_history";
    /// The seed of the seat's own chance (`reference` only).
    pub const CHANCE: &str = "chance";
}

/// The default pack, in our own wording.
pub fn default_pack() -> Pack {
    Pack::of("turnwise-trust-1", templates!["../prompts/": "system", "first", "round", "reminder"])
}

/// Checks that a pack has what a match asks with.
///
/// # Errors
/// The first template that is missing.
pub fn check(pack: &Pack, profile: Profile) -> Result<(), BadSpec> {
    let reminder = (profile == Profile::Strict).then_some("reminder");
    Ok(pack.check(["system", "first", "round"].into_iter().chain(reminder))?)
}

/// What requests of one match are made from.
#[derive(Debug, Clone, PartialEq)]
pub struct Prompts {
    /// The probability that the match goes on.
    pub delta: f64,
    pub payoffs: Payoffs,
    /// How many of the last rounds are shown.
    pub window: u32,
    pub profile: Profile,
}

impl Prompts {
    /// The message with which a conversation begins.
    pub fn system(&self) -> Message {
        Message::template(Role::System, "system", [("delta", Variable::text(self.delta()))])
    }

    /// The message that asks a place for its next move.
    pub fn round(&self, played: &Played, place: usize) -> Message {
        let mut variables = vec![
            (variable::ROUND, Variable::text((played.rounds() + 1).to_string())),
            ("delta", Variable::text(self.delta())),
            ("total", Variable::text(format!("{}.0", played.totals[place]))),
        ];
        if self.profile == Profile::Reference {
            variables.push((variable::CHANCE, Variable::field(field::CHANCE[place])));
        }
        let Some((own, other)) = played.last(place) else {
            let Payoffs { cc, cd, dc, dd } = self.payoffs;
            for (name, payoff) in [("cc", cc), ("cd", cd), ("dc", dc), ("dd", dd)] {
                variables.push((name, Variable::text(signed(payoff))));
            }
            return Message::template(Role::User, "first", variables);
        };
        let [owns, others] = [&played.actions[place], &played.actions[1 - place]];
        for (name, text) in [
            ("own_last", own.label().to_owned()),
            ("other_last", other.label().to_owned()),
            ("payoff", signed(self.payoffs.of(own, other))),
            (variable::OWN, self.seen(owns)),
            (variable::OTHER, self.seen(others)),
            ("own_rate", rate(owns)),
            ("other_rate", rate(others)),
        ] {
            variables.push((name, Variable::text(text)));
        }
        Message::template(Role::User, "round", variables)
    }

    /// The message after a reply that could not be read (`strict`).
    pub fn reminder(&self, fault: &str) -> Message {
        Message::template(Role::User, "reminder", [("fault", Variable::text(fault))])
    }

    fn delta(&self) -> String {
        format!("{:.4}", self.delta)
    }

    fn seen(&self, actions: &[Action]) -> String {
        let window = usize::try_from(self.window).unwrap_or(usize::MAX);
        letters(&actions[actions.len().saturating_sub(window)..])
    }
}

/// Payoffs are floats in the reference code, and signed in its prompts.
fn signed(payoff: i64) -> String {
    format!("{payoff:+}.0")
}

fn rate(actions: &[Action]) -> String {
    let cooperated = actions.iter().filter(|action| **action == Action::Cooperate).count();
    format!("{:.2}", cooperated as f64 / actions.len().max(1) as f64)
}
