//! What the engine is asked: templates and their variables.

use super::super::prompts::named;
use super::super::reading::engine::{Violation, told};
use super::super::task::{World, field};
use super::invariants::normalised;
use turnwise_core::prelude::*;

/// `strict`: question, facts and query.
pub(super) fn strict(world: &World, query: &str) -> Vec<Message> {
    messages(world, "engine_system", "engine", query, [])
}

/// `strict`: once more, with the rules that were broken. The request stands for itself, so that the engine's earlier reply,
/// with whatever it holds, is not repeated in it.
pub(super) fn again(world: &World, query: &str, violations: &[Violation]) -> Vec<Message> {
    let rules: Vec<String> = told(violations).into_iter().map(|rule| format!("- {rule}")).collect();
    let more = [("violations", Variable::text(rules.join("\n")))];
    messages(world, "engine_system", "engine_again", query, more)
}

/// What a strict request to the engine is the same by (I11): world, normalised query, and the rules that an earlier reply broke.
pub fn request_key(ask: &Ask, task: &Task) -> Digest {
    let of = |name| ask.variable(name, task).unwrap_or_default();
    Digest::of_parts([
        task.digest.bytes().as_slice(),
        normalised(of("query")).as_bytes(),
        of("violations").as_bytes(),
    ])
}

pub(super) fn reference(world: &World, query: &str, trajectory: &str) -> Vec<Message> {
    let final_answer = match world.final_answer {
        Some(_) => Variable::field(field::FINAL_ANSWER),
        None => Variable::text(""),
    };
    let more = [("final_answer", final_answer), ("trajectory", Variable::text(trajectory))];
    messages(world, "engine_reference_system", "engine_reference", query, more)
}

/// Every request also names the row of the world, which no template holds: the rule-based engine reads it.
fn messages<const N: usize>(
    world: &World,
    system: &str,
    user: &str,
    query: &str,
    more: [(&str, Variable); N],
) -> Vec<Message> {
    let language = world.language();
    let variables = [
        ("question", Variable::field(field::ENGINE_QUESTION)),
        ("facts", Variable::field(field::FACTS)),
        ("query", Variable::text(query)),
        ("world", Variable::field(field::ROW)),
    ];
    vec![
        Message::template(Role::System, &named(system, language), []),
        Message::template(Role::User, &named(user, language), variables.into_iter().chain(more)),
    ]
}
