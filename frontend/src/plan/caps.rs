//! Whether a run can be held to the caps that were chosen for it.

use turnwise_shared::seat::Player;
use turnwise_shared::seat::knob::Knob;
use turnwise_shared::spec::{BadSpec, Spec};
use turnwise_shared::wire::budgets::Caps;

use crate::strings::budgets as words;
use crate::strings::sampling;

/// Whether a run asks anybody of whom a call is counted.
pub fn calls_out(spec: &Spec) -> bool {
    let asks_models = spec
        .seats
        .values()
        .any(|sitting| matches!(sitting.player, Player::Model { .. }));
    asks_models || spec.search.is_some()
}

/// Looks whether a run can go out at all under its caps. What the server alone knows, prices among it, it looks at itself.
///
/// # Errors
/// What stands in the way, in the words of the form.
pub fn usable(caps: &Caps, spec: &Spec) -> Result<(), BadSpec> {
    let bad = |problem: String| Err(BadSpec::new("caps", problem));
    if !calls_out(spec) {
        return Ok(());
    }
    if [caps.money, caps.tokens, caps.calls, caps.seconds].contains(&Some(0)) {
        return bad(words::NOTHING.to_owned());
    }
    let unbounded = spec.seats.iter().find(|(_, sitting)| {
        matches!(sitting.player, Player::Model { .. }) && sitting.sampling.max_tokens.is_none()
    });
    match unbounded {
        Some((seat, _)) if caps.bounds_tokens() => bad(words::no_length(
            seat.as_str(),
            sampling::label(Knob::MaxTokens),
        )),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnwise_shared::benchmark::default_spec;
    use turnwise_shared::registry;
    use turnwise_shared::seat::Seat;

    fn spec(max_tokens: Option<u32>) -> Spec {
        let mut spec = default_spec(registry::find("interactcomp").expect("it is registered"));
        let sitting = spec
            .seats
            .get_mut(&Seat::new(Seat::PLAYER))
            .expect("a player");
        sitting.player = "model:up/m".parse().expect("a seat");
        for sitting in spec.seats.values_mut() {
            sitting.sampling.max_tokens = max_tokens;
        }
        spec
    }

    fn problem(caps: Caps, spec: &Spec) -> Option<String> {
        usable(&caps, spec).err().map(|bad| bad.problem)
    }

    #[test]
    fn a_cap_on_money_or_tokens_needs_replies_that_end() {
        let caps = Caps {
            money: Some(1_000_000),
            ..Caps::default()
        };
        let why = problem(caps.clone(), &spec(None)).expect("nobody knows what a call may cost");
        assert!(why.contains("“Tokens of a reply at most”"), "{why}");
        assert_eq!(problem(caps, &spec(Some(300))), None);
        let calls = Caps {
            calls: Some(5),
            ..Caps::default()
        };
        assert_eq!(problem(calls, &spec(None)), None);
    }

    #[test]
    fn a_cap_of_nothing_lets_nothing_out() {
        let caps = Caps {
            seconds: Some(0),
            ..Caps::default()
        };
        assert_eq!(
            problem(caps.clone(), &spec(None)).as_deref(),
            Some(words::NOTHING)
        );
        let mut bots = spec(None);
        bots.search = None;
        for sitting in bots.seats.values_mut() {
            sitting.player = "bot:lexical".parse().expect("a seat");
        }
        assert_eq!(problem(caps, &bots), None, "nothing needs to go out");
    }
}
