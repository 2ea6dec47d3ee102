//! What a run will cost, as a range: about what runs like it cost an episode, and at most what its budget and the prices allow.

use turnwise_shared::caps::dollars;
use turnwise_shared::metrics::cost::Cost;
use turnwise_shared::metrics::prices::Rate;
use turnwise_shared::prelude::*;

use super::Estimate;
use super::charges::{Charge, Charged};
use crate::cost::{Range, TooSmall};

/// What episodes of earlier runs cost.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Past {
    pub runs: usize,
    pub episodes: u64,
    /// What these cost together, in dollars.
    pub dollars: f64,
}

impl Past {
    /// Counts another run, if it has episodes and all of its cost is known.
    pub fn add(&mut self, episodes: u32, dollars: Option<f64>) {
        if let Some(dollars) = dollars.filter(|_| episodes > 0) {
            self.runs += 1;
            self.episodes += u64::from(episodes);
            self.dollars += dollars;
        }
    }

    /// What one episode cost on average, if anything is known.
    pub fn an_episode(&self) -> Option<f64> {
        (self.episodes > 0).then(|| self.dollars / self.episodes as f64)
    }
}

/// Whether episodes of another run cost about what those of this one will: the same players, sampled alike, under the same settings.
/// Tasks, seed and repeats may differ.
pub fn is_like(one: &Spec, other: &Spec) -> bool {
    let engine = |spec: &Spec| spec.search.as_ref().map(|search| search.engine.clone());
    one.benchmark == other.benchmark
        && one.profile == other.profile
        && one.settings == other.settings
        && one.seats == other.seats
        && engine(one) == engine(other)
}

/// The range of a run; `None` where it costs nothing.
pub fn range(estimate: &Estimate, charges: &[Charged], caps: &Caps, past: &Past) -> Option<Range> {
    let is_free = |one: &Charged| one.charge == Charge::Free;
    if charges.iter().all(is_free) {
        return None;
    }
    let bounded: Option<Vec<f64>> = charges
        .iter()
        .map(|one| match &one.charge {
            Charge::Free => Some(0.0),
            Charge::AtMost(cost) => Some(cost.dollars()),
            Charge::Rates { .. } | Charge::Unknown => None,
        })
        .collect();
    let by_charges = bounded.map(|all| all.iter().sum::<f64>());
    let by_tokens = caps.tokens.and_then(|tokens| of_tokens(charges, tokens));
    let by_money = caps.money.map(dollars);
    let most = [by_charges, by_tokens, by_money].into_iter().flatten().min_by(f64::total_cmp);
    let about = past.an_episode().map(|dollars| {
        let about = dollars * estimate.plays as f64;
        (most.map_or(about, |most| about.min(most)), past.runs)
    });
    Some(Range { about, most })
}

/// The most that this many tokens can cost, with the searches; `None` where a price is not known.
fn of_tokens(charges: &[Charged], tokens: u64) -> Option<f64> {
    let mut dearest: Option<Rate> = None;
    let mut searches = 0.0;
    for one in charges {
        match &one.charge {
            Charge::Free => {}
            Charge::AtMost(cost) => searches += cost.dollars(),
            Charge::Rates { input, output, .. } => {
                dearest = dearest.max(Some(*input)).max(Some(*output));
            }
            Charge::Unknown => return None,
        }
    }
    let written = dearest.map_or(0.0, |rate| rate.tokens(tokens).dollars());
    Some(written + searches)
}

/// Why a budget may not pay for one episode, if it may not: what is certain comes first.
pub fn too_small(
    spec: &Spec,
    estimate: &Estimate,
    caps: &Caps,
    past: &Past,
    prices: &PriceBook,
    day: Option<&Day>,
) -> Option<TooSmall> {
    let plays = estimate.plays.max(1);
    let an_episode = |calls: u64| calls.div_ceil(plays);
    if let Some(cap) = caps.money.map(dollars) {
        let replies = replies(spec, prices, day);
        let dearest = replies.iter().map(|reply| reply.cost.dollars());
        if let Some(one) = dearest.max_by(f64::total_cmp).filter(|one| cap < *one) {
            return Some(TooSmall::NoReply(one));
        }
        match past.an_episode() {
            Some(mean) if cap < mean => return Some(TooSmall::Episode(mean, past.runs)),
            Some(_) => {}
            None => {
                let of = |reply: &AReply| {
                    let calls = estimate.most_calls.get(reply.seat).copied().unwrap_or(0);
                    reply.cost.dollars() * an_episode(calls) as f64
                };
                let all: f64 = replies.iter().map(of).sum();
                if cap < all {
                    return Some(TooSmall::Replies(all));
                }
            }
        }
    }
    if let Some(cap) = caps.tokens {
        let longest = models(spec).filter_map(|(_, sitting)| sitting.sampling.max_tokens);
        if let Some(longest) = longest.map(u64::from).max().filter(|one| cap < *one) {
            return Some(TooSmall::NoReplyTokens(longest));
        }
    }
    let calls: u64 = estimate.most_calls.values().copied().map(an_episode).sum();
    let is_short = caps.calls.is_some_and(|cap| cap < calls);
    is_short.then_some(TooSmall::Calls(calls))
}

/// The most that one reply of a seat costs.
struct AReply<'a> {
    seat: &'a str,
    cost: Cost,
}

fn replies<'a>(spec: &'a Spec, prices: &PriceBook, day: Option<&Day>) -> Vec<AReply<'a>> {
    let of = |(seat, sitting): (&'a str, &Sitting)| {
        let Player::Model { provider, model } = &sitting.player else {
            return None;
        };
        let price = prices.model(provider, model, day?)?;
        let tokens = sitting.sampling.max_tokens?;
        let cost = price.output.tokens(tokens.into());
        Some(AReply { seat, cost })
    };
    models(spec).filter_map(of).collect()
}

fn models(spec: &Spec) -> impl Iterator<Item = (&str, &Sitting)> {
    let seats = spec.seats.iter();
    seats
        .filter(|(_, sitting)| matches!(sitting.player, Player::Model { .. }))
        .map(|(seat, sitting)| (seat.as_str(), sitting))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use turnwise_shared::benchmark::default_spec;
    use turnwise_shared::examples::QUESTIONS;
    use turnwise_shared::registry;
    use turnwise_shared::seat::Seat;

    fn spec() -> Spec {
        let mut spec = default_spec(registry::find(QUESTIONS).expect("it is registered"));
        spec.search = None;
        let sitting = spec.seats.get_mut(&Seat::new(Seat::PLAYER));
        let sitting = sitting.expect("a player");
        sitting.player = "model:lab/m".parse().expect("a seat");
        sitting.sampling.max_tokens = Some(1000);
        spec
    }

    fn estimate() -> Estimate {
        Estimate { tasks: 10, plays: 10, most_calls: [("player".to_owned(), 100)].into() }
    }

    fn prices() -> PriceBook {
        serde_json::from_value(json!({
            "price": [{ "provider": "lab", "model": "m", "from": "2026-01-01", "input": 1, "output": 10 }],
        }))
        .expect("a book of prices")
    }

    fn rates() -> Vec<Charged> {
        vec![Charged {
            role: "player".to_owned(),
            who: "lab/m".to_owned(),
            charge: Charge::Rates {
                input: prices().models[0].input,
                output: prices().models[0].output,
                writing: None,
            },
        }]
    }

    fn money(cap: f64) -> Caps {
        Caps { money: Some((cap * 1e6) as u64), ..Caps::default() }
    }

    fn past(runs: &[(u32, Option<f64>)]) -> Past {
        let mut past = Past::default();
        for (episodes, dollars) in runs {
            past.add(*episodes, *dollars);
        }
        past
    }

    #[test]
    fn a_range_is_about_what_like_runs_cost_and_at_most_the_least_bound() {
        let three = past(&[(10, Some(0.4)), (20, Some(0.8)), (0, Some(9.0)), (5, None)]);
        assert_eq!((three.runs, three.episodes), (2, 30), "whole costs alone");
        let of = |caps: &Caps, past: &Past| range(&estimate(), &rates(), caps, past);
        let found = of(&money(12.0), &three).expect("it costs something");
        let (about, runs) = found.about.expect("runs like it");
        assert!((about - 0.4).abs() < 1e-9 && runs == 2, "{about}");
        assert_eq!(found.most, Some(12.0));
        // Without runs like it there is the bound alone, and without a budget not even that.
        let none = Past::default();
        assert_eq!(of(&money(12.0), &none).and_then(|it| it.about), None);
        let open = of(&Caps::default(), &none).expect("it costs something");
        assert_eq!(open, Range::default());
        // A hundred thousand tokens at ten dollars a million.
        let tokens = Caps { tokens: Some(100_000), ..money(12.0) };
        assert_eq!(of(&tokens, &none).and_then(|it| it.most), Some(1.0));
        // No more than the budget, whatever others cost.
        let dear = of(&money(0.1), &three).expect("it costs something");
        assert_eq!(dear.about.map(|(about, _)| about), Some(0.1));
        assert_eq!(range(&estimate(), &[], &money(1.0), &three), None, "free");
    }

    #[test]
    fn runs_are_alike_whose_episodes_go_alike() {
        let one = spec();
        let mut other = one.clone();
        other.seed = 77;
        other.repeats = 3;
        other.subset.first = Some(2);
        assert!(is_like(&one, &other));
        for change in [
            |spec: &mut Spec| spec.settings["rounds"] = 3.into(),
            |spec: &mut Spec| {
                let player = spec.seats.get_mut(&Seat::new(Seat::PLAYER));
                player.expect("a player").sampling.max_tokens = Some(9);
            },
            |spec: &mut Spec| spec.profile = turnwise_shared::spec::Profile::Reference,
        ] {
            let mut changed = one.clone();
            change(&mut changed);
            assert!(!is_like(&one, &changed));
        }
    }

    #[test]
    fn a_budget_below_one_episode_is_found() {
        let day: Day = "2026-11-21".parse().expect("a day");
        let of = |caps: &Caps, past: &Past| {
            too_small(&spec(), &estimate(), caps, past, &prices(), Some(&day))
        };
        let none = Past::default();
        // One reply of 1,000 tokens at ten dollars a million; ten of them in an episode.
        assert_eq!(of(&money(0.005), &none), Some(TooSmall::NoReply(0.01)));
        assert_eq!(of(&money(0.05), &none), Some(TooSmall::Replies(0.1)));
        assert_eq!(of(&money(0.2), &none), None);
        // What episodes did cost says more than what they may.
        let cheap = past(&[(10, Some(0.2))]);
        assert_eq!(of(&money(0.05), &cheap), None);
        let dear = past(&[(10, Some(1.0))]);
        assert_eq!(of(&money(0.05), &dear), Some(TooSmall::Episode(0.1, 1)));
        let caps = |calls, tokens| Caps { calls, tokens, ..Caps::default() };
        assert_eq!(of(&caps(Some(9), None), &none), Some(TooSmall::Calls(10)));
        assert_eq!(of(&caps(Some(10), None), &none), None);
        let few = of(&caps(None, Some(500)), &none);
        assert_eq!(few, Some(TooSmall::NoReplyTokens(1000)));
        assert_eq!(of(&Caps::default(), &none), None, "no budget is too small");
    }
}
