//! The prompts of poker: our default pack, and how a decision is asked for (4.b.6, 4.c).

use super::observation::Observation;
use super::settings::Persona;
use turnwise_core::kit::dialogue::Dialogue;
use turnwise_core::prelude::*;
use turnwise_core::prompt::Move;

/// The default pack, in our own wording.
pub fn default_pack() -> Pack {
    let contract = include_str!("../prompts/contract.txt").trim_end();
    #[rustfmt::skip]
    let templates = templates!["../prompts/":
        "system_bold", "system_neutral", "observe", "observe_reference", "retry", "retry_reference",
    ];
    let mut pack = Pack::of("turnwise-poker-1", templates);
    for text in pack.templates.values_mut() {
        *text = text.replace("{contract}", contract);
    }
    pack
}

/// Checks that a pack has what a run asks for.
///
/// # Errors
/// The first template that is missing.
pub fn check(pack: &Pack, profile: Profile, persona: Persona) -> Result<(), BadSpec> {
    Ok(pack.check([persona.template(), observe(profile), retry(profile)])?)
}

fn observe(profile: Profile) -> &'static str {
    match profile {
        Profile::Strict => "observe",
        Profile::Reference => "observe_reference",
    }
}

fn retry(profile: Profile) -> &'static str {
    match profile {
        Profile::Strict => "retry",
        Profile::Reference => "retry_reference",
    }
}

/// A reply that could not be used, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unusable {
    pub text: String,
    pub problem: String,
}

/// Asks a seat for a decision. `unusable` is its first reply, if there was one that could not be read.
pub fn ask(
    seat: &Seat,
    thread: ThreadId,
    profile: Profile,
    persona: Persona,
    observation: &Observation,
    unusable: Option<&Unusable>,
) -> Ask {
    let variables = observation.variables();
    let variables = variables.into_iter().map(|(name, text)| (name, Variable::text(text)));
    let opening = [
        Message::template(Role::System, persona.template(), []),
        Message::template(Role::User, observe(profile), variables),
    ];
    let mut dialogue = Dialogue::new(seat.clone(), thread, opening);
    if let Some(Unusable { text, problem }) = unusable {
        dialogue.said(text);
        dialogue.tell(retry(profile), [("problem", Variable::text(problem))]);
    }
    dialogue.ask(Expect::Move(moves(observation)))
}

/// The legal moves as a form: amounts in whole chips.
fn moves(observation: &Observation) -> Vec<Move> {
    let plain = |name: &str| Move { name: name.to_owned(), amount: None };
    let legal = &observation.legal;
    let mut moves = vec![plain("FOLD")];
    if legal.check {
        moves.push(plain("CHECK"));
    }
    if legal.call.is_some() {
        moves.push(plain("CALL"));
    }
    if let Some(range) = legal.raise {
        let per_chip = observation.unit.per_chip();
        moves.push(Move {
            name: "RAISE".to_owned(),
            amount: Some((range.min.units().div_ceil(per_chip), range.max.units() / per_chip)),
        });
    }
    if legal.all_in.is_some() {
        moves.push(plain("ALL_IN"));
    }
    moves
}
