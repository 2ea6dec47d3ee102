//! Which replies of models stand for all runs (`strict`): pages of the engine (I11: the same world and the same normalised query
//! have the same page, for all players) and verdicts of the judge (specification 7: kept by question, reference, prediction
//! and configuration). Both are functions of what is sent, so the key is made of that: endpoint, model, sampling, every message.

use super::consult::normalised;
use super::reading::judge;
use super::settings::{Settings, seat};
use turnwise_core::call::ModelCall;
use turnwise_core::kit::judge::cache_key;
use turnwise_core::prelude::*;

/// What stands above the query in what an engine is asked.
const HEADS: [&str; 2] = ["## Query\n", "## 查询\n"];
/// Bytes of quotes and white space that are no reason for suspicion.
const SLACK: usize = 64;

/// The key of a call; `None` for other seats, for `reference`, and for a judge with several votes, which must be able to differ.
pub(super) fn key(spec: &Spec, call: &ModelCall) -> Option<Digest> {
    if spec.profile != Profile::Strict {
        return None;
    }
    let read: fn(&str) -> Option<String> = match call.seat.as_str() {
        seat::ENGINE => asked,
        seat::JUDGE if Settings::of(spec).ok()?.votes == 1 => |text| Some(text.to_owned()),
        _ => return None,
    };
    cache_key(call, read)
}

/// Whether a reply may stand: a judge's only if it says one of the two words. What an engine wrote is checked, and asked for again, in
/// words of its own.
pub(super) fn may_be_cached(seat: &Seat, text: &str) -> bool {
    seat.as_str() != seat::JUDGE || judge::read(Some(text), Profile::Strict).is_some()
}

/// What an engine is asked. Its query counts in normalised words (I11), everything before it letter by letter, so that no visitor
/// can put a page for facts in a bad shape under the key of the same facts in a good one; `None` for a query that is mostly what
/// does not count.
fn asked(text: &str) -> Option<String> {
    let begins = |head: &str| text.rfind(head).map(|at| at + head.len());
    let at = HEADS.into_iter().filter_map(begins).max();
    let (world, query) = text.split_at(at.unwrap_or(text.len()));
    let words = normalised(query);
    (query.len() <= 2 * words.len() + SLACK).then(|| format!("{world}\0{words}"))
}

#[cfg(test)]
mod tests {
    use super::super::tests::spec;
    use super::*;
    use serde_json::json;
    use turnwise_core::prompt::{Rendered, Role};
    use turnwise_core::seat::Sampling;

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
        let engine = |facts: &str, query: &str| {
            call("engine", &format!("## Facts\n{facts}\n\n## Query\n\"{query}\"\n"))
        };
        let asked = engine("Oskery: 3,5", "Oskery: concerts in 2031");
        assert!(of(&asked).is_some());
        let alike = engine("Oskery: 3,5", "oskery:  “concerts” in 2031");
        assert_eq!(of(&asked), of(&alike));
        for other in [
            engine("Oskery: 3,5", "Oskery: concerts in 2032"),
            engine("Oskery: 35", "Oskery: concerts in 2031"),
            engine("OSKERY: 3,5", "Oskery: concerts in 2031"),
            engine("Oskery: \"3,5\"", "Oskery: concerts in 2031"),
        ] {
            assert_ne!(of(&asked), of(&other), "{other:?}");
        }
        let padded = format!("Oskery: concerts in 2031{}", "\"".repeat(200));
        assert_eq!(of(&engine("Oskery: 3,5", &padded)), None);
        let hotter = ModelCall {
            sampling: Sampling { temperature: Some(1.0), ..Sampling::default() },
            ..asked.clone()
        };
        assert_ne!(of(&asked), of(&hotter));
        let other = ModelCall { model: "n".to_owned(), ..asked.clone() };
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
