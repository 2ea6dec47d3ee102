//! Which replies of models stand for all runs (`strict`): pages of the engine (I11: the same world and the same normalised query
//! have the same page, for all players) and verdicts of the judge (specification 7: kept by question, reference, prediction
//! and configuration). Both are functions of what is sent, so the key is made of that: endpoint, model, sampling, every message.

use serde_json::json;

use super::consult::normalised;
use super::settings::{Settings, seat};
use crate::hash::Digest;
use crate::spec::{Profile, Spec};
use crate::wire::ModelCall;

/// The key of a call; `None` for other seats, for `reference`, and for a judge with several votes, which must be able to differ.
pub(super) fn key(spec: &Spec, call: &ModelCall) -> Option<Digest> {
    if spec.profile != Profile::Strict {
        return None;
    }
    // Pages are held to the facts of a world in normalised words, so what differs only beyond that is one world.
    let read: fn(&str) -> String = match call.seat.as_str() {
        seat::ENGINE => normalised,
        seat::JUDGE if Settings::of(spec).ok()?.votes == 1 => str::to_owned,
        _ => return None,
    };
    let messages: Vec<_> = call
        .messages
        .iter()
        .map(|message| json!([message.role, read(&message.text), message.pictures]))
        .collect();
    Some(Digest::of_value(&json!({
        "seat": call.seat,
        "provider": call.provider,
        "model": call.model,
        "sampling": call.sampling,
        "messages": messages,
    })))
}

#[cfg(test)]
mod tests {
    use super::super::tests::spec;
    use super::*;
    use crate::prompt::{Rendered, Role};
    use crate::seat::{Sampling, Seat};

    fn call(seat: &str, text: &str) -> ModelCall {
        ModelCall {
            provider: "lab".to_owned(),
            model: "m".to_owned(),
            seat: Seat::new(seat),
            messages: vec![Rendered::text(Role::User, text)],
            sampling: Sampling::default(),
        }
    }

    #[test]
    fn engines_and_single_judges_say_the_same_to_everybody() {
        let strict = spec(Profile::Strict, json!({}));
        let of = |call: &ModelCall| key(&strict, call);
        let asked = call("engine", "Oskery: concerts in 2031");
        assert!(of(&asked).is_some());
        assert_eq!(
            of(&asked),
            of(&call("engine", "oskery:  “concerts” in 2031"))
        );
        assert_ne!(of(&asked), of(&call("engine", "Oskery: concerts in 2032")));
        let hotter = ModelCall {
            sampling: Sampling {
                temperature: Some(1.0),
                ..Sampling::default()
            },
            ..asked.clone()
        };
        assert_ne!(of(&asked), of(&hotter));
        let other = ModelCall {
            model: "n".to_owned(),
            ..asked.clone()
        };
        assert_ne!(of(&asked), of(&other));
        // A judge is asked about exactly this.
        let judged = call("judge", "Mira Coll");
        assert!(of(&judged).is_some());
        assert_ne!(of(&judged), of(&call("judge", "mira coll")));
        assert_ne!(of(&judged), of(&call("engine", "Mira Coll")));
    }

    #[test]
    fn players_votes_and_the_reference_are_asked_anew() {
        let strict = spec(Profile::Strict, json!({}));
        assert_eq!(key(&strict, &call("player", "Q")), None);
        let votes = spec(Profile::Strict, json!({ "votes": 3 }));
        assert_eq!(key(&votes, &call("judge", "Q")), None);
        assert!(key(&votes, &call("engine", "Q")).is_some());
        let reference = spec(Profile::Reference, json!({}));
        assert_eq!(key(&reference, &call("engine", "Q")), None);
    }
}
