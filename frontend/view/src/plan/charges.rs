//! What a run will cost, as far as it can be said before it begins: searches at most, models by their rates. How much a model
//! reads depends on the episode, so there is no total that would look whole.

use std::collections::BTreeMap;

use turnwise_shared::metrics::cost::Cost;
use turnwise_shared::metrics::prices::Rate;
use turnwise_shared::prelude::*;

use super::{Estimate, MODELS, SEARCH};

/// What one role will be charged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Charge {
    /// Nothing is asked for it.
    Free,
    /// At most so much.
    AtMost(Cost),
    /// So much by the million tokens; and what its replies cost at most, where their length is limited.
    Rates {
        /// For tokens read.
        input: Rate,
        /// For tokens written.
        output: Rate,
        /// For all that it writes.
        writing: Option<Cost>,
    },
    /// There is no price for it.
    Unknown,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Charged {
    /// The role: a seat, or `search`.
    pub role: String,
    /// The model or the engine.
    pub who: String,
    /// What it will be charged.
    pub charge: Charge,
}

/// What the roles of a run are charged that cost anything at all, by the prices of a day.
pub fn charges(
    spec: &Spec,
    estimate: &Estimate,
    prices: &PriceBook,
    day: Option<&Day>,
) -> Vec<Charged> {
    let mut charges = Vec::new();
    let together = estimate.most_calls.contains_key(MODELS);
    let seats: BTreeMap<&str, &Sitting> =
        spec.seats.iter().map(|(seat, sitting)| (seat.as_str(), sitting)).collect();
    for (role, sitting) in seats {
        let Player::Model { provider, model } = &sitting.player else {
            continue;
        };
        let calls = estimate.most_calls.get(role).copied();
        if calls.is_none() && !together {
            continue;
        }
        let charge = match day.and_then(|day| prices.model(provider, model, day)) {
            _ if prices.is_free(provider) => Charge::Free,
            None => Charge::Unknown,
            Some(price) => Charge::Rates {
                input: price.input,
                output: price.output,
                writing: calls.zip(sitting.sampling.max_tokens).map(|(calls, tokens)| {
                    price.output.tokens(calls.saturating_mul(tokens.into()))
                }),
            },
        };
        charges.push(Charged { role: role.to_owned(), who: format!("{provider}/{model}"), charge });
    }
    if let (Some(calls), Some(search)) = (estimate.most_calls.get(SEARCH), &spec.search)
        && search.corpus.is_none()
    {
        let price = day.and_then(|day| prices.search(&search.engine, day));
        let charge = match price.map(|price| price.of(*calls, search.results)) {
            None => Charge::Unknown,
            Some(cost) if cost == Cost::default() => Charge::Free,
            Some(cost) => Charge::AtMost(cost),
        };
        charges.push(Charged { role: SEARCH.to_owned(), who: search.engine.clone(), charge });
    }
    charges
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use turnwise_shared::benchmark::default_spec;
    use turnwise_shared::examples::QUESTIONS;
    use turnwise_shared::registry;
    use turnwise_shared::seat::{Sampling, Seat};
    use turnwise_shared::spec::SearchSpec;

    fn spec(provider: &str, model: &str) -> Spec {
        let mut spec = default_spec(registry::find(QUESTIONS).expect("it is one of ours"));
        let sitting = Sitting {
            player: Player::Model { provider: provider.to_owned(), model: model.to_owned() },
            sampling: Sampling { max_tokens: Some(1000), ..Sampling::default() },
        };
        spec.seats.insert(Seat::new(Seat::PLAYER), sitting);
        spec.search = Some(SearchSpec { engine: "web".to_owned(), corpus: None, results: 5 });
        spec
    }

    fn estimate() -> Estimate {
        Estimate {
            tasks: 10,
            plays: 10,
            most_calls: [("player".to_owned(), 100), (SEARCH.to_owned(), 50)].into(),
        }
    }

    fn prices() -> PriceBook {
        serde_json::from_value(json!({
            "price": [{ "provider": "lab", "model": "m", "from": "2026-01-01", "input": 1, "output": 10 }],
            "search_price": [{ "engine": "web", "from": "2026-01-01", "per_thousand": 5 }],
            "free": ["scripted"],
        }))
        .expect("a book of prices")
    }

    #[test]
    fn searches_are_bounded_and_models_have_rates() {
        let day: Day = "2026-11-21".parse().expect("a day");
        let all = charges(&spec("lab", "m"), &estimate(), &prices(), Some(&day));
        assert_eq!(all.len(), 2, "bots are charged nothing");
        let Charge::Rates { input, writing, .. } = &all[0].charge else {
            panic!("{all:?}");
        };
        // 100 replies of 1,000 tokens at 10 dollars a million.
        assert_eq!((input.dollars(), writing.map(Cost::dollars)), (1.0, Some(1.0)));
        assert!(matches!(all[1].charge, Charge::AtMost(cost) if cost.dollars() == 0.25));
    }

    #[test]
    fn what_has_no_price_is_unknown_and_not_free() {
        let day: Day = "2026-11-21".parse().expect("a day");
        let of = |spec: &Spec, day: Option<&Day>| -> Vec<Charge> {
            let all = charges(spec, &estimate(), &prices(), day);
            all.into_iter().map(|one| one.charge).collect()
        };
        assert_eq!(of(&spec("lab", "m-mini"), Some(&day))[0], Charge::Unknown);
        assert_eq!(of(&spec("lab", "m"), None), [Charge::Unknown, Charge::Unknown]);
        assert_eq!(of(&spec("scripted", "trial"), Some(&day))[0], Charge::Free);
        let mut local = spec("scripted", "trial");
        if let Some(search) = &mut local.search {
            search.corpus = Some(turnwise_shared::hash::Digest::of("documents"));
        }
        assert_eq!(of(&local, Some(&day)), [Charge::Free]);
    }
}
